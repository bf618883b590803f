"""What Python says, in Godot's output: tracebacks as errors, `print` as print."""

import ctypes
import importlib
import io
import sys
import traceback
from pathlib import Path

from . import api
from .layout import Opaque
from .strings import new_string

_OWN_FOLDER = str(Path(__file__).parent)


def print_error(text: str, function: str = "", file: str = "", line: int = 0) -> None:
    """Show an error in Godot's output."""
    api.print_error(_utf8(text), _utf8(function), _utf8(file), line)


def print_text(text: str) -> None:
    """Show a line in Godot's output."""
    string = Opaque()
    new_string(text.replace("\0", "\\0"), ctypes.addressof(string))
    api.print(ctypes.byref(string))
    api.string_destroy(ctypes.byref(string))


def report(error: BaseException, doing: str) -> None:
    """Show an exception with its traceback in Godot's error output.

    `doing` says what failed, as a phrase: "Python: step() of res://a.py failed". The steps through the plugin itself
    are left out; where there are no others, the last one stays.
    """
    told = traceback.TracebackException.from_exception(error)
    link: traceback.TracebackException | None = told
    while link is not None:
        own = [frame for frame in link.stack if not _is_machinery(frame.filename)]
        link.stack = traceback.StackSummary.from_list(own or link.stack[-1:])
        link = link.__cause__ or link.__context__
    text = "".join(told.format())
    if isinstance(error, SystemExit):
        text += "A script cannot end the game: call get_tree().quit() instead of sys.exit()."
    last = told.stack[-1] if told.stack else traceback.FrameSummary("", 0, "")
    print_error(f"{doing}:\n{text.rstrip()}", last.name, last.filename, last.lineno or 0)


def _is_machinery(file: str) -> bool:
    return file.startswith((_OWN_FOLDER, "<frozen importlib")) or file == importlib.__file__


class GodotStream(io.TextIOBase):
    """A text stream whose whole lines become lines of Godot's output, or errors."""

    def __init__(self, as_error: bool) -> None:
        self._as_error = as_error
        self._line = ""

    def writable(self) -> bool:
        """It takes text."""
        return True

    def write(self, text: str) -> int:
        """Show the lines that end in `text`; keep what follows."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._show(line)
        return len(text)

    def flush(self) -> None:
        """Show what stands after the last line's end."""
        if self._line:
            line, self._line = self._line, ""
            self._show(line)

    def _show(self, line: str) -> None:
        if self._as_error:
            print_error(line, "stderr", "Python", 0)
        else:
            print_text(line)


def capture_streams() -> None:
    """Send `sys.stdout` and `sys.stderr` to Godot's output."""
    sys.stdout = GodotStream(as_error=False)
    sys.stderr = GodotStream(as_error=True)


def flush_streams() -> None:
    """Show what is still held back; Python is never finalised, so nobody else would."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _utf8(text: str) -> bytes:
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace")
