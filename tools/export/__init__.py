"""What `./factory export` does: the game for Linux, Windows and macOS, in folders and zips that need nothing installed.

The steps are the same for each system, a file a step: the sources that are exported (source), Godot's pack
(godot_pack), the plugin's library (plugin_library), a CPython (python_runtime), the packages it needs (wheels), what
its binaries need beside them (shared_libraries, Linux), licences, bytecode, checks, manifest, archive. linux, windows
and macos say what goes where.
"""
