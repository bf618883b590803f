extends Node2D
# The GPUs: lit outlines on the floor that machines stand in. They light up with the work done
# there.

const Grid := preload("res://scenes/floor/grid.gd")
const FOLDER := "res://scenes/floor/pads/"
const PIECES := ["c", "n", "s", "e", "w", "ne", "nw", "se", "sw"]
const PIVOT := Vector2(192, 112)
const SCALE := 0.5
const REST := 0.7
# A crash stops the light of its GPU.
const CRASHED := Color(0.55, 0.12, 0.12, 0.55)

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
		_draw_pad(_pads[index], CRASHED if _pads[index].id in _crashed else light)


func _draw_pad(pad: Dictionary, light: Color) -> void:
	for y in range(pad.y, pad.y + pad.h):
		for x in range(pad.x, pad.x + pad.w):
			var texture: Texture = _pieces[_borders(pad, x, y)]
			var at := Grid.to_world(Vector2(x + 0.5, y + 0.5)) - PIVOT * SCALE
			draw_texture_rect(texture, Rect2(at, texture.get_size() * SCALE), false, light)


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
