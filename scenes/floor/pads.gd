extends Node2D
# The GPUs: lit outlines on the floor that machines stand in. They light up with the work done
# there; one that has failed is dark, within hazard stripes.

const Grid := preload("res://scenes/floor/grid.gd")
const FOLDER := "res://scenes/floor/pads/"
const PIECES := ["c", "n", "s", "e", "w", "ne", "nw", "se", "sw"]
const PIVOT := Vector2(192, 112)
const SCALE := 0.5
const REST := 0.7
# A crash stops the light of its GPU.
const CRASHED := Color(0.55, 0.12, 0.12, 0.55)
const BROKEN := Color(0.3, 0.32, 0.38, 0.5)
# The stripes along the border of a broken one: their width and how far apart they are, in tiles.
const STRIPES := 0.16
const STRIPE := 0.125
const SLANT := 0.12
const STRIPE_COLOURS := [Color(1.0, 0.69, 0.25, 0.85), Color(0.05, 0.06, 0.09, 0.9)]

var _pads := []
var _busy := PoolRealArray()
var _crashed := []
var _pieces := {}


func _ready() -> void:
	for name in PIECES:
		_pieces[name] = load(FOLDER + "pad_%s.png" % name)


func rebuild(pads: Array) -> void:
	_pads = pads
	update()


# `columns`: the snapshot's, in the order of the pads; `crashed`: ids of pads that a machine crashed
# on.
func show_work(columns: Dictionary, crashed: Array) -> void:
	if columns.busy != _busy or crashed != _crashed:
		_busy = columns.busy
		_crashed = crashed
		update()


func _draw() -> void:
	for index in _pads.size():
		var busy: float = _busy[index] if index < _busy.size() else 0.0
		var light := Color(1, 1, 1, REST + (1.0 - REST) * busy)
		if _pads[index].broken:
			_draw_pad(_pads[index], BROKEN)
			_draw_stripes(_pads[index].area)
		else:
			_draw_pad(_pads[index], CRASHED if _pads[index].id in _crashed else light)


func _draw_pad(pad: Dictionary, light: Color) -> void:
	for y in range(pad.y, pad.y + pad.h):
		for x in range(pad.x, pad.x + pad.w):
			var texture: Texture = _pieces[_borders(pad, x, y)]
			var at := Grid.to_world(Vector2(x + 0.5, y + 0.5)) - PIVOT * SCALE
			draw_texture_rect(texture, Rect2(at, texture.get_size() * SCALE), false, light)


# Along each side of the area, just inside of it.
func _draw_stripes(area: Rect2) -> void:
	var corners := [
		area.position,
		Vector2(area.end.x, area.position.y),
		area.end,
		Vector2(area.position.x, area.end.y),
	]
	for index in corners.size():
		var from: Vector2 = corners[index]
		var to: Vector2 = corners[(index + 1) % corners.size()]
		var along := (to - from).normalized()
		var inwards := Vector2(-along.y, along.x) * STRIPES
		var count := int(round((from.distance_to(to) - STRIPES) / STRIPE))
		for stripe in count:
			var start: Vector2 = from + along * STRIPE * stripe
			var end := start + along * STRIPE
			var slant := along * SLANT
			_draw_stripe([start, end, end + slant + inwards, start + slant + inwards], stripe % 2)


func _draw_stripe(corners: Array, which: int) -> void:
	var points := PoolVector2Array()
	for corner in corners:
		points.append(Grid.to_world(corner))
	draw_colored_polygon(points, STRIPE_COLOURS[which])


# The sides of a tile that are its pad's border, as pictures are named: "nw", "s", or "c" for none.
func _borders(pad: Dictionary, x: int, y: int) -> String:
	var name := ""
	if y == pad.y:
		name += "n"
	elif y == pad.y + pad.h - 1:
		name += "s"
	if x == pad.x + pad.w - 1:
		name += "e"
	elif x == pad.x:
		name += "w"
	return name if name != "" else "c"
