extends Node2D
# What the cursor shows on the floor: its tile, the ghost of a machine, the preview of a belt.

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Palette := preload("res://scenes/theme/palette.gd")

var _belt_art: Reference = BeltArt.new()
var _ghost_picture: Texture
var _tile := Rect2()
var _tile_colour := Color.transparent
var _ghost := {}
var _route := {}


func clear() -> void:
	_tile_colour = Color.transparent
	_ghost = {}
	_route = {}
	update()


func show_area(area: Rect2, colour: Color) -> void:
	if area == _tile and colour == _tile_colour:
		return
	_tile = area
	_tile_colour = colour
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
	elif _tile_colour.a > 0.0:
		_draw_area(_tile, _tile_colour)


func _draw_area(area: Rect2, colour: Color) -> void:
	var corners := Grid.outline(area, 0.02)
	draw_colored_polygon(corners, Palette.faded(colour, colour.a * 0.22))
	corners.append(corners[0])
	draw_polyline(corners, colour, 2.5, true)


func _draw_ghost() -> void:
	var colour := Palette.GOOD if _ghost.allowed else Palette.BAD
	var size := MachineArt.size_of(_ghost.kind, _ghost.rot)
	_draw_area(Rect2(_ghost.tile, size), colour)
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
