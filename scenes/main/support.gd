extends Node
# What helps where something goes wrong: what the game says of itself, where its log and its reports
# are, and a watch that leaves a report when the game dies.

const REPORTER := "res://scripts_py/crash_reporter.py"
const REPORTS := "reports"

# The report of a last run that died; "" without one.
var report := ""

var _reporter: Node


func _ready() -> void:
	var script = load(REPORTER) if ResourceLoader.exists(REPORTER) else null
	if script == null:
		return
	_reporter = Node.new()
	_reporter.set_script(script)
	add_child(_reporter)
	if not _reporter.has_method("begin"):
		_reporter = null
		return
	report = _reporter.call("begin", folder(REPORTS), log_path(), _godot())


func _exit_tree() -> void:
	if _reporter != null:
		_reporter.call("end")


# What the game is made of, a line for each part.
func about() -> PoolStringArray:
	var parts: String = tr("ENGINE_MISSING") if _reporter == null else _reporter.call("versions")
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


func _godot() -> String:
	var video := VisualServer.get_video_adapter_name()
	return "Godot %s, %s" % [Engine.get_version_info().string, video]
