extends Node
# Measures how long a saved game with 200 machines takes: from the command to the picture of its
# level, frame by frame as the game does it. Prints a line of JSON, and quits.

const EngineClient := preload("res://scenes/bridge/engine_client.gd")
const LevelScreen := preload("res://scenes/level/level_screen.tscn")
const FOLDER := "user://bench"
const DATE := "2026-12-01 12:00"
const SAVED_S := 69.0
const BUDGET_S := 2.0

var _client: Node
var _clock := Node.new()
var _frames := 0
var _longest_ms := 0.0
var _start := 0
var _processor_start := 0.0


func _ready() -> void:
	_client = EngineClient.new()
	add_child(_client)
	_client.start()
	_clock.set_script(load("res://scripts_py/processor_clock.py"))
	add_child(_clock)
	if not _save() or not _done({"do": "open", "level": 1}):
		get_tree().quit(1)
		return
	_client.step(0.0)
	_start = OS.get_ticks_usec()
	_processor_start = _clock.now_ms()
	if not _done({"do": "load", "slot": 1}):
		get_tree().quit(1)


func _process(_delta: float) -> void:
	var start := OS.get_ticks_usec()
	var snapshot: Dictionary = _client.step(0.0)
	_frames += 1
	_longest_ms = max(_longest_ms, (OS.get_ticks_usec() - start) / 1000.0)
	if not snapshot.has("rewinding"):
		_tell()


# What follows the engine's part is the view's: building the screen, and drawing it once.
func _tell() -> void:
	set_process(false)
	var engine_s := (OS.get_ticks_usec() - _start) / 1000000.0
	var level: Node = LevelScreen.instance()
	level.client = _client
	add_child(level)
	yield(VisualServer, "frame_post_draw")
	var told := {
		"loading": "a floor of 200 machines",
		"engine_s": stepify(engine_s, 0.001),
		"seconds": stepify((OS.get_ticks_usec() - _start) / 1000000.0, 0.001),
		"processor_s": stepify((_clock.now_ms() - _processor_start) / 1000.0, 0.001),
		"budget_s": BUDGET_S,
		"frames": _frames,
		"longest_frame_ms": stepify(_longest_ms, 0.1),
	}
	print(to_json(told))
	get_tree().quit(0 if level.now_ps() == int(SAVED_S * 1e12) else 1)


func _save() -> bool:
	Directory.new().make_dir_recursive(FOLDER)
	var folder := ProjectSettings.globalize_path(FOLDER)
	if not _done({"do": "player_folder", "folder": folder}):
		return false
	if not _done({"do": "open", "level": "bench", "seed": 1}):
		return false
	var reference: Dictionary = _client.ask({"ask": "reference"})
	if not _done({"do": "layout", "layout": reference.get("layout")}) or not _done({"do": "start"}):
		return false
	for _second in int(SAVED_S):
		_client.step(0.5)
		_client.step(0.5)
	return _done({"do": "save", "slot": 1, "date": DATE})


func _done(command: Dictionary) -> bool:
	var answer: Dictionary = _client.command(command)
	if not answer.ok:
		push_error("The command %s was refused: %s %s" % [command.do, answer.code, answer.params])
	return answer.ok
