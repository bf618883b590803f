extends Node2D
# Lit outlines under the machines: what the cursor is over, and what is selected.

const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const LINE := 2.5

var _hover := Rect2()
var _hover_colour := Color.transparent
var _selected := Rect2()


func show_hover(area: Rect2, colour: Color) -> void:
	if area != _hover or colour != _hover_colour:
		_hover = area
		_hover_colour = colour
		update()


# An empty area: nothing is selected.
func show_selected(area: Rect2) -> void:
	if area != _selected:
		_selected = area
		update()


func _draw() -> void:
	if not _selected.has_no_area():
		draw_area(self, _selected, Palette.SELECTION.lightened(0.25), 0.3)
	if not _hover.has_no_area():
		draw_area(self, _hover, _hover_colour, 0.2)


# A rectangle of tiles, filled faintly and outlined, on any canvas item.
static func draw_area(canvas: CanvasItem, area: Rect2, colour: Color, fill: float) -> void:
	var corners := Grid.outline(area, 0.02)
	canvas.draw_colored_polygon(corners, Palette.faded(colour, fill))
	corners.append(corners[0])
	canvas.draw_polyline(corners, colour, LINE, true)
