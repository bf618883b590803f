"""The Godot 3 script language for Python: ctypes declarations, conversions, and the language itself.

`start.start` is called once by the library in `../../src`, with the address of its bridge. Scripts import `godot`.
"""
