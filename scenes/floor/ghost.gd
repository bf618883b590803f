extends Node2D
# The ghost of a machine, over all others: where it would stand, and whether it may.

const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Marks := preload("res://scenes/floor/marks.gd")
const Palette := preload("res://scenes/theme/palette.gd")

var _picture: Texture
var _tile := Vector2.ZERO
var _size := Vector2.ONE
var _allowed := false


func show_ghost(kind: String, tile: Vector2, rot: int, allowed: bool) -> void:
	_picture = MachineArt.picture(kind, rot, "base")
	_tile = tile
	_size = MachineArt.size_of(kind, rot)
	_allowed = allowed
	update()


func clear() -> void:
	_picture = null
	update()


func _draw() -> void:
	if _picture == null:
		return
	var colour := Palette.GOOD if _allowed else Palette.BAD
	Marks.draw_area(self, Rect2(_tile, _size), colour, 0.22)
	var at := Grid.to_world(_tile + _size / 2) - MachineArt.PIVOT * MachineArt.SCALE
	var tint := Color.white.linear_interpolate(colour, 0.45 if _allowed else 0.7)
	tint.a = 0.72
	var box := Rect2(at, _picture.get_size() * MachineArt.SCALE)
	draw_texture_rect(_picture, box, false, tint)
