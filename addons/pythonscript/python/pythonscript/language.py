"""The script language: the callbacks that Godot makes, through the C library.

Godot gets handles, small integers, in place of pointers to Python's objects. No callback raises: an exception is
shown in Godot's error output, and Godot gets null.
"""

import ctypes
import gc
import itertools
from typing import Any

from . import api, convert, output
from .layout import CallError, Manifest, Variant
from .lifetime import Keeper
from .objects import unbind_owner
from .script import NotExposedError, Script, fill_empty
from .strings import NameCache, new_string, read_string

_ERR_SCRIPT_FAILED = 39
_CALL_INVALID_METHOD = 1
_TEMPLATE = """from godot import {base}, exposed


@exposed
class {name}({base}):
    def _ready(self) -> None:
        pass
"""


class Language:
    """Scripts and instances by handle, and the callbacks on them (named as in `bridge.CALLBACKS`)."""

    def __init__(self, in_editor: bool) -> None:
        self._in_editor = in_editor
        self._handles = itertools.count(1)
        self._scripts: dict[int, Script] = {}
        self._instances: dict[int, tuple[Any, Script]] = {}
        self._names = NameCache()
        self._keeper: Keeper | None = None

    # ---- the language --------------------------------------------------------------------------

    def language_finish(self) -> None:
        """Godot is about to end. Python stays, because objects may still be freed after this."""
        for instance, _script in self._instances.values():
            unbind_owner(instance)
        self._instances.clear()
        self._scripts.clear()
        self._keeper = None
        self._names.clear()
        gc.collect()
        output.flush_streams()

    def template_source(self, name: int, base: int, source: int) -> None:
        """The text of a new script, into the empty String at `source`."""
        text = _TEMPLATE.format(name=read_string(name) or "Script", base=read_string(base) or "Node")
        api.string_destroy(source)
        new_string(text, source)

    # ---- scripts -------------------------------------------------------------------------------

    def script_init(self, path: int, manifest: int, error: int) -> None:
        """Load the script at a path, describe it in the manifest, set the error to 0 if all is well."""
        description = Manifest.from_address(manifest)
        result = ctypes.c_int.from_address(error)
        result.value = _ERR_SCRIPT_FAILED
        text = read_string(path)
        try:
            script = Script(text, reload=self._in_editor)
            script.fill(description)
        except BaseException as exception:
            if not (self._in_editor and isinstance(exception, NotExposedError)):  # the editor tries every file
                output.report(exception, f"Python: {text} cannot be loaded")
            fill_empty(description)
            return
        handle = next(self._handles)
        self._scripts[handle] = script
        description.data = handle
        result.value = 0

    def script_finish(self, handle: int | None) -> None:
        """Godot has no use for a script any more."""
        self._scripts.pop(handle or 0, None)

    # ---- instances -----------------------------------------------------------------------------

    def instance_init(self, script_handle: int, owner: int) -> int:
        """A new instance of a script for the engine's object `owner`; 0 if it cannot be made."""
        try:
            script = self._scripts[script_handle]
            instance = script.new_instance(owner)
        except BaseException as exception:
            output.report(exception, "Python: a script's instance cannot be made")
            return 0
        handle = next(self._handles)
        self._instances[handle] = (instance, script)
        return handle

    def instance_finish(self, handle: int) -> None:
        """The engine's object is being freed."""
        entry = self._instances.pop(handle, None)
        if entry is not None:
            unbind_owner(entry[0])

    def refcount_incremented(self, handle: int) -> None:
        """Godot calls both of these or none; this one has nothing to do."""

    def refcount_decremented(self, handle: int) -> int:
        """The count of a Reference has fallen to 1 or 0; answer that it may be freed."""
        entry = self._instances.get(handle)
        if entry is not None:
            try:
                self._keeper = self._keeper or Keeper()
                self._keeper.release(entry[0], handle)
            except BaseException as exception:
                output.report(exception, f"Python: an object of {entry[1].path} cannot be freed")
        return 1

    def set_prop(self, handle: int, name: int, value: int) -> int:
        """Set a member; 0 if the script has none of that name."""
        instance, script = self._instances[handle]
        member = read_string(name)
        if member not in script.variables and member not in instance.__dict__:
            return 0
        try:
            setattr(instance, member, convert.read(value))
        except BaseException as exception:
            output.report(exception, f"Python: {script.path}: {member} cannot be set")
        return 1

    def get_prop(self, handle: int, name: int, result: int) -> int:
        """Read a member; 0 if the script has none of that name."""
        instance, script = self._instances[handle]
        member = read_string(name)
        if member not in script.variables and member not in instance.__dict__:
            return 0
        try:
            self._store(getattr(instance, member), result)
        except BaseException as exception:
            output.report(exception, f"Python: {script.path}: {member} cannot be read")
        return 1

    def call_method(self, handle: int, datum: int, name: int, args: int, count: int, error: int, result: int) -> None:
        """Call a method with the Variants at `args`; the Variant at `result` is nil before."""
        instance, script = self._instances[handle]
        method = self._names.text(datum, name)
        if method not in script.methods:
            CallError.from_address(error).error = _CALL_INVALID_METHOD
            return
        try:
            if count:
                addresses = (ctypes.c_size_t * count).from_address(args)
                value = getattr(instance, method)(*[convert.read(address) for address in addresses])
            else:
                value = getattr(instance, method)()
            if value is not None:
                convert.write(value, result)
        except BaseException as exception:
            output.report(exception, f"Python: {method}() of {script.path} failed")

    def notification(self, handle: int, what: int) -> None:
        """Pass a notification on to `_notification`, if the script has it."""
        instance, script = self._instances[handle]
        if script.has_notification:
            try:
                instance._notification(what)
            except BaseException as exception:
                output.report(exception, f"Python: _notification({what}) of {script.path} failed")

    @staticmethod
    def _store(value: Any, result: int) -> None:
        """Put a value in place of the Variant at `result`."""
        variant = Variant()
        convert.write(value, ctypes.addressof(variant))
        api.variant_destroy(result)
        ctypes.memmove(result, ctypes.byref(variant), ctypes.sizeof(variant))
