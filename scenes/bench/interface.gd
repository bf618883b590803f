extends Node
# Measures what the interface adds to a frame at 200 machines: whole frames of the level's screen
# with the overlay shown and each panel open, less frames of the floor alone. Run with
# --fixed-fps 60. Also how long each panel takes to open. Prints a line of JSON each, and quits.

const EngineClient := preload("res://scenes/bridge/engine_client.gd")
const LevelScreen := preload("res://scenes/level/level_screen.tscn")
const FLOOR_ALONE := "floor alone"
const PANELS := [FLOOR_ALONE, "", "details", "graphs", "memory", "requests"]
const WARM_UP_S := 12.0
const FRAMES := 240
const SETTLE := 30
const BUDGET_MS := 2.0
const OPEN_BUDGET_MS := 50.0

var _client: Node
var _level: Node
var _hud: Control
var _floor_view: Node2D
var _case := -1
var _frame := 0
var _last := 0
var _times := []
var _bridge := []
var _opening := 0.0
var _alone := {}


func _ready() -> void:
	_client = Metered.new()
	add_child(_client)
	_client.start()
	if not _done({"do": "open", "level": "bench", "seed": 1}):
		get_tree().quit(1)
		return
	var reference: Dictionary = _client.ask({"ask": "reference"})
	_level = LevelScreen.instance()
	_level.client = _client
	add_child(_level)
	move_child(_level, 0)
	_hud = _level.get_node("Panels/Hud")
	_floor_view = _level.get_node("FloorView")
	# Only the floor goes on while the tree is paused.
	for node in [self, _client, _floor_view]:
		node.pause_mode = PAUSE_MODE_PROCESS
	_level.pause_mode = PAUSE_MODE_STOP
	_done({"do": "layout", "layout": reference.get("layout")})
	_done({"do": "start"})
	while _level.now_ps() < WARM_UP_S * 1e12:
		_level.advance(0.1)


# The first frames of a case are not counted: a panel fills itself then.
func _process(_delta: float) -> void:
	var now := OS.get_ticks_usec()
	if _case >= 0 and _frame > SETTLE:
		_times.append((now - _last) / 1000.0)
		_bridge.append(_client.spent_ms)
	_client.spent_ms = 0.0
	_frame += 1
	if _case < 0 or _frame > SETTLE + FRAMES:
		if _case >= 0:
			_tell(PANELS[_case])
		_next()
	_last = OS.get_ticks_usec()
	if get_tree().paused:
		_floor_view.show_snapshot(_client.step(1.0 / 60.0))


func _next() -> void:
	_case += 1
	_frame = 0
	_times = []
	_bridge = []
	if _case == PANELS.size():
		get_tree().quit()
		return
	var alone: bool = PANELS[_case] == FLOOR_ALONE
	_hud.visible = not alone
	get_tree().paused = alone
	if alone:
		return
	if PANELS[_case] == "":
		_press("overlay")
	var start := OS.get_ticks_usec()
	_level.open_panel(PANELS[_case])
	_opening = (OS.get_ticks_usec() - start) / 1000.0


func _tell(panel: String) -> void:
	var rest := []
	for index in _times.size():
		rest.append(_times[index] - _bridge[index])
	for list in [_times, _bridge, rest]:
		list.sort()
	var told := {
		"panel": panel,
		"frame_p50_ms": _rounded(_times[FRAMES / 2]),
		"bridge_p50_ms": _rounded(_bridge[FRAMES / 2]),
	}
	var view := {"p50": rest[FRAMES / 2], "p99": rest[FRAMES * 99 / 100]}
	if panel == FLOOR_ALONE:
		_alone = view
		told.floor_p50_ms = _rounded(view.p50)
		told.floor_p99_ms = _rounded(view.p99)
	else:
		told.interface_p50_ms = _rounded(view.p50 - _alone.p50)
		told.interface_p99_ms = _rounded(view.p99 - _alone.p50)
		told.budget_ms = BUDGET_MS
		told.open_ms = _rounded(_opening)
		told.open_budget_ms = OPEN_BUDGET_MS
	print(to_json(told))


func _press(action: String) -> void:
	var event := InputEventAction.new()
	event.action = action
	event.pressed = true
	Input.parse_input_event(event)


func _done(command: Dictionary) -> bool:
	var answer: Dictionary = _client.command(command)
	if not answer.ok:
		push_error("The command %s was refused: %s %s" % [command.do, answer.code, answer.params])
	return answer.ok


func _rounded(milliseconds: float) -> float:
	return stepify(milliseconds, 0.001)


# The engine's client, with the time that its snapshots take.
class Metered:
	extends EngineClient

	var spent_ms := 0.0

	func step(delta: float) -> Dictionary:
		var start := OS.get_ticks_usec()
		var snapshot: Dictionary = .step(delta)
		spent_ms += (OS.get_ticks_usec() - start) / 1000.0
		return snapshot
