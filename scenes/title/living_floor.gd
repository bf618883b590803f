extends Node2D
# The factory behind the title: a real one, simulated by the engine, that the view slowly passes
# over. It comes into sight when it runs; until then, and where there is no engine, nothing is seen.

signal appeared

const FLOOR_VIEW := "res://scenes/floor/floor_view.tscn"
const Grid := preload("res://scenes/floor/grid.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const LEVEL := "title"
# So much has been simulated before it is seen; the belts are full then.
const BEFORE_S := 14.0
const SLICE_S := 2.0
# The floor needs no more than this many pictures a second.
const FRAME_S := 1.0 / 30.0
const SLOW_FRAME_S := 0.1
const DIMMED := Color(0.86, 0.88, 0.94)
# The tile that lies at this share of the window, and how large the floor is in 720 lines.
const MIDDLE := Vector2(9.0, 5.6)
const AT := Vector2(0.66, 0.53)
const ZOOM := 0.98
# How far the view passes to each side, in pixels of the floor, and how long there and back.
const WAY := Vector2(90, 34)
const PERIOD_S := 80.0

var _client: Node
var _view: Node2D
var _simulated := 0.0
var _waited := 0.0
var _passed := 0.0


func _init() -> void:
	modulate = DIMMED
	hide()


func _ready() -> void:
	set_process(false)


# Begins to simulate; `client`: the engine's, which has no other level open.
func begin(client: Node) -> void:
	_client = client
	if not _done({"do": "open", "level": LEVEL, "seed": 1}):
		return
	var reference: Dictionary = _client.ask({"ask": "reference"})
	if not reference.ok or not _done({"do": "layout", "layout": reference.layout}):
		return
	var basis := {"xx": Grid.PACKET_X.x, "yx": Grid.PACKET_Y.x, "xy": Grid.PACKET_X.y}
	basis["yy"] = Grid.PACKET_Y.y
	basis["do"] = "view"
	if not _done(basis) or not _done({"do": "start"}):
		return
	_view = load(FLOOR_VIEW).instance()
	add_child(_view)
	set_process(true)


func _process(delta: float) -> void:
	if _simulated < BEFORE_S:
		_show(_client.step(SLICE_S))
		if _simulated >= BEFORE_S:
			_look()
			show()
			emit_signal("appeared")
		return
	_waited += delta
	if _waited >= FRAME_S:
		_show(_client.step(min(_waited, SLOW_FRAME_S)))
		_waited = 0.0
	if not Motion.reduced():
		_passed += delta
	_look()


func _show(snapshot: Dictionary) -> void:
	if snapshot.has("packets"):
		_view.show_snapshot(snapshot)
		_simulated = snapshot.t_ps / 1e12


func _look() -> void:
	var window := get_viewport_rect().size
	var zoom := ZOOM * max(window.y / 720.0, window.x / 1280.0)
	var turn := TAU * _passed / PERIOD_S
	var away := Vector2(sin(turn) * WAY.x, sin(turn * 2.0) * WAY.y)
	scale = Vector2(zoom, zoom)
	position = window * AT - (Grid.to_world(MIDDLE) + away) * zoom


func _done(request: Dictionary) -> bool:
	return _client.command(request).ok
