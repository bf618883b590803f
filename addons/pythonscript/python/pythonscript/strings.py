"""Godot's String and StringName, to and from `str`."""

import ctypes
import sys

from . import api
from .layout import Opaque

# Godot's wide characters have the size of the C compiler's wchar_t.
_ENCODING = ("utf-32-" if ctypes.sizeof(ctypes.c_wchar) == 4 else "utf-16-") + (
    "le" if sys.byteorder == "little" else "be"
)
_UNIT = ctypes.sizeof(ctypes.c_wchar)


class GDString(str):
    """A String that came from Godot. It is a `str`; `str(s)` gives a plain one, here and with upstream's plugin."""

    __slots__ = ()


def read_string(address: int) -> str:
    """The text of the String at an address."""
    length = api.string_length(address)
    return ctypes.string_at(api.string_wide_str(address), length * _UNIT).decode(_ENCODING, "replace") if length else ""


def take_string(string: Opaque) -> str:
    """The text of a String that Godot returned, which is then destroyed."""
    address = ctypes.addressof(string)
    text = read_string(address)
    api.string_destroy(address)
    return text


def new_string(text: str, address: int) -> None:
    """Make a String at an uninitialised address. Raises ValueError if the text holds a zero character."""
    if "\0" in text:
        raise ValueError("a text with a zero character cannot cross to Godot: its strings end there; use bytes")
    wide = text.encode(_ENCODING)
    api.string_new_with_wide_string(address, wide, len(wide) // _UNIT)


def new_string_name(text: str, address: int) -> None:
    """Make a StringName at an uninitialised address."""
    string = Opaque()
    new_string(text, ctypes.addressof(string))
    api.string_name_new(address, ctypes.byref(string))
    api.string_destroy(ctypes.byref(string))


class NameCache:
    """Texts of StringNames by the address of their datum, which Godot shares between equal names.

    The cache holds a reference to each name, so that a datum's address is never used again for another name.
    """

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._held: list[Opaque] = []

    def text(self, datum: int, name: int) -> str:
        """The text of the StringName at address `name`, whose datum is at `datum`."""
        text = self._texts.get(datum)
        if text is None:
            text = take_string(api.string_name_get_name(name))
            held = Opaque()
            new_string_name(text, ctypes.addressof(held))
            self._held.append(held)
            self._texts[datum] = text
        return text

    def clear(self) -> None:
        """Let go of every name."""
        for held in self._held:
            api.string_name_destroy(ctypes.byref(held))
        self._held.clear()
        self._texts.clear()
