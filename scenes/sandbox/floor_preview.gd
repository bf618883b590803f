extends Node2D
# The floor that is being chosen, as the game will show it: the engine has it open, and nothing
# stands on it yet.

const FLOOR_VIEW := "res://scenes/floor/floor_view.tscn"
const FloorCamera := preload("res://scenes/floor/floor_camera.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const PadSigns := preload("res://scenes/hud/pad_signs.gd")

var area := Rect2() setget set_area

var _client: Node
var _view: Node2D
var _camera: Node
var _signs: Control


func set_up(client: Node) -> void:
	_client = client


# Opens a plan in the engine and shows its floor; the engine's answer.
func open(plan: Dictionary) -> Dictionary:
	var answer: Dictionary = _client.command({"do": "sandbox_open", "plan": plan})
	if answer.ok:
		_show()
	return answer


func set_area(value: Rect2) -> void:
	area = value
	if _camera != null:
		_camera.use_area(area)


func _show() -> void:
	var basis := {"do": "view", "xx": Grid.PACKET_X.x, "yx": Grid.PACKET_Y.x}
	basis["xy"] = Grid.PACKET_X.y
	basis["yy"] = Grid.PACKET_Y.y
	_client.command(basis)
	var snapshot: Dictionary = _client.step(0.0)
	if not snapshot.has("structure"):
		return
	if _view != null:
		for part in [_view, _camera, _signs]:
			part.queue_free()
	_view = load(FLOOR_VIEW).instance()
	add_child(_view)
	_view.show_snapshot(snapshot)
	_camera = FloorCamera.new()
	_camera.world = _view
	_camera.set_process_unhandled_input(false)
	_camera.set_process_input(false)
	_camera.free_area = area
	add_child(_camera)
	_camera.frame(_view.layout.size)
	_signs = PadSigns.new()
	_signs.set_up(_view)
	add_child(_signs)
	_signs.show_work(snapshot.pads)
	_signs.update()
