extends Control
# A small line picture, drawn by name, so that it is sharp at any size.

const Palette := preload("res://scenes/theme/palette.gd")
# Lines in a square of 16 by 16, each a list of points.
const LINES := {
	"details": [[2, 4, 14, 4], [2, 8, 14, 8], [2, 12, 14, 12], [5, 2, 5, 6], [11, 6, 11, 10]],
	"graphs": [[2, 2, 2, 14, 14, 14], [4, 11, 7, 7, 10, 9, 14, 3]],
	"memory": [[3, 3, 13, 3, 13, 13, 3, 13, 3, 3], [3, 8, 13, 8], [8, 3, 8, 13], [8, 3, 13, 8]],
	"requests": [[2, 4, 7, 4], [5, 8, 11, 8], [9, 12, 14, 12]],
}
const WEIGHT := 1.5

var picture := "" setget set_picture
var colour := Palette.TEXT setget set_colour


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	rect_min_size = Vector2(16, 16)


func set_picture(value: String) -> void:
	picture = value
	update()


func set_colour(value: Color) -> void:
	colour = value
	update()


func _draw() -> void:
	var side := min(rect_size.x, rect_size.y)
	var corner := (rect_size - Vector2(side, side)) / 2
	for numbers in LINES.get(picture, []):
		var line := PoolVector2Array()
		for index in range(0, numbers.size(), 2):
			line.append(corner + Vector2(numbers[index], numbers[index + 1]) * side / 16.0)
		draw_polyline(line, colour, WEIGHT, true)
