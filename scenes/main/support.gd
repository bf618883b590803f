extends Node
# What helps where something goes wrong: what the game says of itself, where its log and its reports
# are, and a watch that leaves a report when the game dies.

const REPORTER := "res://scripts_py/crash_reporter.py"
const REPLAYER := "res://scripts_py/headless_replay.py"
const REPORTS := "reports"
const FAILED := 2

# The report of a last run that died; "" without one.
var report := ""

var _reporter: Node


func _ready() -> void:
	_reporter = _with_script(REPORTER)
	if _reporter.has_method("begin"):
		report = _reporter.call("begin", folder(REPORTS), log_path(), _godot())


func _exit_tree() -> void:
	if _reporter.has_method("end"):
		_reporter.call("end")


# Plays a recording or a saved game again, and prints what came out; the exit status.
func replay(path: String) -> int:
	OS.window_minimized = true
	var replayer := _with_script(REPLAYER)
	return replayer.call("run", path) if replayer.has_method("run") else FAILED


# What the game is made of, a line for each part.
func about() -> PoolStringArray:
	var whole: bool = _reporter.has_method("versions")
	var parts: String = _reporter.call("versions") if whole else tr("ENGINE_MISSING")
	return PoolStringArray([parts, _godot(), "%s: %s" % [tr("SUPPORT_LOG"), log_path()]])


static func log_path() -> String:
	var path: String = ProjectSettings.get_setting("logging/file_logging/log_path")
	return ProjectSettings.globalize_path(path)


# A folder of the player's data.
static func folder(name: String) -> String:
	return OS.get_user_data_dir().plus_file(name)


# Opens the log, and the folder of all files, in the programs that the system has for them.
static func open_log() -> void:
	OS.shell_open("file://" + log_path())


static func open_files() -> void:
	OS.shell_open("file://" + OS.get_user_data_dir())


# A node with a Python script; without its methods where Python is missing.
func _with_script(path: String) -> Node:
	var node := Node.new()
	var script = load(path) if ResourceLoader.exists(path) else null
	if script != null:
		node.set_script(script)
	add_child(node)
	return node


func _godot() -> String:
	var video := VisualServer.get_video_adapter_name()
	return "Godot %s, %s" % [Engine.get_version_info().string, video]
