extends Node2D
# Rings around the packets of one request, or around the machine that has it.

const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Packets := preload("res://scenes/floor/packets.gd")
const RADIUS := 14.0
# Packets that follow each other closely share a ring.
const APART := 24.0
const LINE := 2.5
const SHADE := 5.0
const SHADE_COLOUR := Color("b30a0d16")
const CORNERS := 24
const OUTSET := 0.1

# -1: none.
var request := -1 setget set_request

var _client: Node
var _layout: Reference
# Lies behind the machines.
var _behind := Node2D.new()
var _points := PoolRealArray()
var _area := Rect2()


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_layout = floor_view.layout
	_behind.connect("draw", self, "_draw_behind")
	floor_view.add_child(_behind)
	floor_view.move_child(_behind, floor_view.machines.get_index())
	floor_view.add_child(self)


func set_request(id: int) -> void:
	request = id
	_points = PoolRealArray()
	_show_area(Rect2())
	update()


func _process(_delta: float) -> void:
	if request < 0:
		return
	var told: Dictionary = _client.ask({"ask": "whereabouts", "id": request})
	_points = told.points if told.ok else PoolRealArray()
	_show_area(_layout.machine(told.machine).get("area", Rect2()) if told.ok else Rect2())
	update()


func _show_area(area: Rect2) -> void:
	if area != _area:
		_area = area
		_behind.update()


func _draw() -> void:
	if request < 0:
		return
	_draw_edges(self, [1, 2, 3])
	var last := Vector2.INF
	for index in range(0, _points.size(), 2):
		var at := Grid.to_world(Vector2(_points[index], _points[index + 1]))
		if last == Vector2.INF or at.distance_to(last) >= APART:
			last = at
			_draw_ring(at - Vector2(0, Packets.LIFT))


func _draw_ring(at: Vector2) -> void:
	draw_arc(at, RADIUS, 0, TAU, CORNERS, SHADE_COLOUR, SHADE, true)
	draw_arc(at, RADIUS, 0, TAU, CORNERS, Palette.TEXT, LINE, true)


func _draw_behind() -> void:
	_draw_edges(_behind, [3, 0, 1])


# Some corners of the outline of the machine that has the request.
func _draw_edges(canvas: CanvasItem, corners: Array) -> void:
	if _area.has_no_area():
		return
	var outline := Grid.outline(_area, -OUTSET)
	var line := PoolVector2Array()
	for corner in corners:
		line.append(outline[corner])
	canvas.draw_polyline(line, SHADE_COLOUR, SHADE, true)
	canvas.draw_polyline(line, Palette.TEXT, LINE, true)
