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

var client: Node
var layout: Reference
# -1: none.
var request := -1 setget set_request

var _points := PoolRealArray()
var _area := Rect2()


func set_request(id: int) -> void:
	request = id
	_points = PoolRealArray()
	_area = Rect2()
	update()


func _process(_delta: float) -> void:
	if request < 0:
		return
	var told: Dictionary = client.ask({"ask": "whereabouts", "id": request})
	_points = told.points if told.ok else PoolRealArray()
	_area = layout.machine(told.machine).get("area", Rect2()) if told.ok else Rect2()
	update()


func _draw() -> void:
	if request < 0:
		return
	if not _area.has_no_area():
		var corners := Grid.outline(_area, -OUTSET)
		corners.append(corners[0])
		draw_polyline(corners, SHADE_COLOUR, SHADE, true)
		draw_polyline(corners, Palette.TEXT, LINE, true)
	var last := Vector2.INF
	for index in range(0, _points.size(), 2):
		var at := Grid.to_world(Vector2(_points[index], _points[index + 1]))
		if last == Vector2.INF or at.distance_to(last) >= APART:
			last = at
			_draw_ring(at - Vector2(0, Packets.LIFT))


func _draw_ring(at: Vector2) -> void:
	draw_arc(at, RADIUS, 0, TAU, CORNERS, SHADE_COLOUR, SHADE, true)
	draw_arc(at, RADIUS, 0, TAU, CORNERS, Palette.TEXT, LINE, true)
