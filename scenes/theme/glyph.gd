extends Control
# A small line picture, drawn by name, so that it is sharp at any size.

const Palette := preload("res://scenes/theme/palette.gd")
# Lines in a square of 16 by 16, each a list of points.
const LINES := {
	"details": [[2, 4, 14, 4], [2, 8, 14, 8], [2, 12, 14, 12], [5, 2, 5, 6], [11, 6, 11, 10]],
	"graphs": [[2, 2, 2, 14, 14, 14], [4, 11, 7, 7, 10, 9, 14, 3]],
	"memory": [[3, 3, 13, 3, 13, 13, 3, 13, 3, 3], [3, 8, 13, 8], [8, 3, 8, 13], [8, 3, 13, 8]],
	"compare": [[2, 3, 7, 3, 7, 13, 2, 13, 2, 3], [9, 3, 14, 3, 14, 13, 9, 13, 9, 3]],
	"better": [[3, 8, 7, 12, 13, 4]],
	"back": [[9, 3, 4, 8, 9, 13], [14, 3, 9, 8, 14, 13]],
	"single_step": [[4, 3, 10, 8, 4, 13, 4, 3], [13, 3, 13, 13]],
	"ahead": [[2, 3, 7, 8, 2, 13], [7, 3, 12, 8, 7, 13], [14, 3, 14, 13]],
	"hint": [[5, 5, 6, 3, 8, 2, 10, 3, 11, 5, 10, 7, 8, 8, 8, 10.5], [8, 12.5, 8, 14]],
	"fold": [[4, 8, 12, 8]],
	"unfold": [[4, 8, 12, 8], [8, 4, 8, 12]],
	"undo": [[6, 2, 2, 6, 6, 10], [2, 6, 10, 6, 13, 7.5, 14, 10, 13, 12.5, 10, 14, 7, 14]],
	"redo": [[10, 2, 14, 6, 10, 10], [14, 6, 6, 6, 3, 7.5, 2, 10, 3, 12.5, 6, 14, 9, 14]],
	"copy": [[2, 2, 10, 2, 10, 10, 2, 10, 2, 2], [12, 6, 14, 6, 14, 14, 6, 14, 6, 12]],
	"cut":
	[
		[4, 2, 11, 11],
		[12, 2, 5, 11],
		[11, 11, 13, 11, 14, 12.5, 13, 14, 11, 14, 10, 12.5, 11, 11],
		[5, 11, 3, 11, 2, 12.5, 3, 14, 5, 14, 6, 12.5, 5, 11],
	],
	"paste": [[5, 3, 3, 3, 3, 14, 13, 14, 13, 3, 11, 3], [5, 2, 11, 2, 11, 5, 5, 5, 5, 2]],
	"blueprints":
	[[2, 3, 14, 3, 14, 13, 2, 13, 2, 3], [5, 6, 8, 6, 8, 9, 5, 9, 5, 6], [8, 7, 11, 7, 11, 11]],
	"save": [[8, 3, 8, 13], [3, 8, 13, 8]],
	"saves":
	[
		[2, 2, 11, 2, 14, 5, 14, 14, 2, 14, 2, 2],
		[5, 2, 5, 6, 10, 6, 10, 2],
		[5, 14, 5, 9, 11, 9, 11, 14],
	],
	"share": [[8, 10, 8, 2], [5, 5, 8, 2, 11, 5], [5, 7, 3, 7, 3, 14, 13, 14, 13, 7, 11, 7]],
	"remove":
	[[3, 4, 13, 4], [6, 4, 6, 2, 10, 2, 10, 4], [4, 4, 5, 14, 11, 14, 12, 4], [8, 7, 8, 11]],
	"rename": [[3, 13, 4, 10, 11, 3, 13, 5, 6, 12, 3, 13]],
	"close": [[4, 4, 12, 12], [12, 4, 4, 12]],
	"overlay":
	[[2, 2, 14, 2, 14, 9, 2, 9, 2, 2], [5, 5, 11, 5], [8, 9, 8, 11], [5, 14, 8, 11, 11, 14, 5, 14]],
	"codex":
	[[8, 4, 5, 3, 2, 3, 2, 12, 5, 12, 8, 13, 11, 12, 14, 12, 14, 3, 11, 3, 8, 4], [8, 4, 8, 13]],
	"previous": [[10, 3, 5, 8, 10, 13]],
	"next": [[6, 3, 11, 8, 6, 13]],
	"help_card":
	[
		[1, 4, 15, 4, 15, 12, 1, 12, 1, 4],
		[4, 7, 5, 7],
		[7.5, 7, 8.5, 7],
		[11, 7, 12, 7],
		[5, 10, 11, 10],
	],
	"settings":
	[
		[6, 5, 10, 5, 12, 8, 10, 11, 6, 11, 4, 8, 6, 5],
		[8, 2, 8, 5],
		[8, 11, 8, 14],
		[2.5, 5, 5, 6.5],
		[11, 9.5, 13.5, 11],
		[2.5, 11, 5, 9.5],
		[11, 6.5, 13.5, 5],
	],
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
