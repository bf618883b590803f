extends Node2D
# The belt that would be laid: faint pieces, a line in the colour of what it carries, and the way
# points that it passes.

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const LINE := 3.0
const DOT := 4.0
const POINT := 9.0
const POINT_LINE := 2.5

var _art: Reference = BeltArt.new()
var _tiles := []
var _first := Vector2.ZERO
var _last := Vector2.ZERO
var _colour := Color.white
var _points := []


# `first` and `last`: the steps from and to a machine, (0, 0) where there is none.
func show_route(tiles: Array, first: Vector2, last: Vector2, colour: Color) -> void:
	_tiles = tiles
	_first = first
	_last = last
	_colour = colour
	update()


# The tiles that were chosen on the way.
func show_points(points: Array) -> void:
	_points = points.duplicate()
	update()


func clear() -> void:
	if not _tiles.empty() or not _points.empty():
		_tiles = []
		_points = []
		update()


func _draw() -> void:
	var light := _colour.lightened(0.4)
	light.a = 0.8
	_art.draw_path(self, _tiles, _first, _last, light)
	var line := PoolVector2Array()
	for tile in _tiles:
		line.append(Grid.to_world(tile + Vector2(0.5, 0.5)))
	if line.size() > 1:
		draw_polyline(line, _colour, LINE, true)
	for point in line:
		draw_circle(point, DOT, _colour)
	for tile in _points:
		var middle := Grid.to_world(tile + Vector2(0.5, 0.5))
		draw_circle(middle, POINT, Palette.BACKGROUND)
		draw_arc(middle, POINT, 0, TAU, 24, Color.white, POINT_LINE, true)
		draw_circle(middle, DOT, _colour)
