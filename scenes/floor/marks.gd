extends Node2D
# Lit outlines under the machines: what the cursor is over, what is selected, and the box that is
# being drawn.

const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const LINE := 2.5
const SELECTED := Color("6f96f2")
const BELT_INSET := 0.06

var _hover := Rect2()
var _hover_colour := Color.transparent
var _areas := []
var _paths := []
var _box := Rect2()
var _box_colour := Color.transparent


func show_hover(area: Rect2, colour: Color) -> void:
	if area != _hover or colour != _hover_colour:
		_hover = area
		_hover_colour = colour
		update()


# `areas`: footprints of machines; `paths`: the tiles of each belt.
func show_selected(areas: Array, paths: Array) -> void:
	_areas = areas
	_paths = paths
	update()


# The tiles that are being selected or cleared; an empty area: none are.
func show_box(area: Rect2, colour: Color) -> void:
	if area != _box or colour != _box_colour:
		_box = area
		_box_colour = colour
		update()


func _draw() -> void:
	for path in _paths:
		_draw_path(path)
	for area in _areas:
		draw_area(self, area, SELECTED, 0.35)
	if not _hover.has_no_area():
		draw_area(self, _hover, _hover_colour, 0.2)
	if not _box.has_no_area():
		draw_area(self, _box, _box_colour, 0.16)


# A belt, outlined as one shape: no line where it goes on.
func _draw_path(tiles: Array) -> void:
	for index in tiles.size():
		var tile: Vector2 = tiles[index]
		var corners := Grid.outline(Rect2(tile, Vector2.ONE), BELT_INSET)
		draw_colored_polygon(corners, Palette.faded(SELECTED, 0.35))
		var beside := []
		if index > 0:
			beside.append(tiles[index - 1] - tile)
		if index + 1 < tiles.size():
			beside.append(tiles[index + 1] - tile)
		# The sides in the order of the corners: the first lies between corner 0 and 1.
		for side in 4:
			var step: Vector2 = [Vector2(0, -1), Vector2(1, 0), Vector2(0, 1), Vector2(-1, 0)][side]
			if not step in beside:
				draw_line(corners[side], corners[(side + 1) % 4], SELECTED, LINE, true)


# A rectangle of tiles, filled faintly and outlined, on any canvas item.
static func draw_area(canvas: CanvasItem, area: Rect2, colour: Color, fill: float) -> void:
	var corners := Grid.outline(area, 0.02)
	canvas.draw_colored_polygon(corners, Palette.faded(colour, fill))
	corners.append(corners[0])
	canvas.draw_polyline(corners, colour, LINE, true)
