extends Node2D
# What a tool shows over the machines: the ghost of a machine, the preview of a belt.

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Marks := preload("res://scenes/floor/marks.gd")
const Palette := preload("res://scenes/theme/palette.gd")

var _belt_art: Reference = BeltArt.new()
var _ghost_picture: Texture
var _ghost := {}
var _route := {}


func clear() -> void:
	_ghost = {}
	_route = {}
	update()


func show_ghost(kind: String, tile: Vector2, rot: int, allowed: bool) -> void:
	_ghost_picture = MachineArt.picture(kind, rot, "base")
	_ghost = {"kind": kind, "tile": tile, "rot": rot, "allowed": allowed}
	update()


func hide_ghost() -> void:
	_ghost = {}
	update()


# `colour` says what the belt would carry; `meets`: whether its end meets a machine.
func show_route(tiles: Array, first: Vector2, last: Vector2, colour: Color) -> void:
	_route = {"tiles": tiles, "first": first, "last": last, "colour": colour}
	update()


func hide_route() -> void:
	_route = {}
	update()


func _draw() -> void:
	if not _route.empty():
		_draw_route()
	if not _ghost.empty():
		_draw_ghost()


func _draw_ghost() -> void:
	var colour := Palette.GOOD if _ghost.allowed else Palette.BAD
	var size := MachineArt.size_of(_ghost.kind, _ghost.rot)
	Marks.draw_area(self, Rect2(_ghost.tile, size), colour, 0.22)
	var at := Grid.to_world(_ghost.tile + size / 2) - MachineArt.PIVOT * MachineArt.SCALE
	var tint := Color.white.linear_interpolate(colour, 0.45 if _ghost.allowed else 0.7)
	tint.a = 0.72
	draw_texture_rect(
		_ghost_picture, Rect2(at, _ghost_picture.get_size() * MachineArt.SCALE), false, tint
	)


func _draw_route() -> void:
	var light: Color = _route.colour.lightened(0.4)
	light.a = 0.8
	_belt_art.draw_path(self, _route.tiles, _route.first, _route.last, light)
	var line := PoolVector2Array()
	for tile in _route.tiles:
		line.append(Grid.to_world(tile + Vector2(0.5, 0.5)))
	if line.size() > 1:
		draw_polyline(line, _route.colour, 3.0, true)
	for point in line:
		draw_circle(point, 4.0, _route.colour)
