extends Reference
# What limits a machine, as a colour, a line picture and words; the names are the engine's.

const Palette := preload("res://scenes/theme/palette.gd")
const COLOURS := {
	"none": Palette.TEXT_FAINT,
	"compute": Palette.PROMPT,
	"bandwidth": Palette.TOKEN,
	"memory": Palette.KV,
	"input": Palette.TEXT_SOFT,
	"output": Palette.DRAFT,
	"card": Color("9a86f7"),
	"unconnected": Palette.REJECT,
}
# Lines in a square of 12 by 12, each a list of points.
const LINES := {
	"none": [[3, 6, 9, 6]],
	"compute": [[2, 2, 10, 2, 10, 10, 2, 10, 2, 2], [5, 5, 7, 5, 7, 7, 5, 7, 5, 5]],
	"bandwidth": [[1, 4, 10, 4, 8, 2], [11, 8, 2, 8, 4, 10]],
	"memory": [[2, 1, 2, 11, 10, 11, 10, 1], [2, 8, 10, 8], [2, 5, 10, 5]],
	"input": [[1, 6, 6, 6, 4, 4], [6, 6, 4, 8], [9, 2, 9, 10]],
	"output": [[3, 2, 3, 10], [6, 6, 11, 6], [7, 3, 10, 9]],
	"card": [[2, 4, 7, 4, 7, 11, 2, 11, 2, 4], [5, 4, 5, 1, 10, 1, 10, 8, 7, 8]],
	"unconnected": [[1, 6, 4, 6], [8, 6, 11, 6], [5, 4, 7, 8]],
}
const SIDE := 12.0
const WEIGHT := 1.5


static func words(limit: String) -> String:
	return TranslationServer.translate("LIMIT_" + limit.to_upper())


# Draws the picture of a limit with its upper left corner at `at`.
static func draw(canvas: CanvasItem, limit: String, at: Vector2) -> void:
	for numbers in LINES[limit]:
		var line := PoolVector2Array()
		for index in range(0, numbers.size(), 2):
			line.append(at + Vector2(numbers[index], numbers[index + 1]))
		canvas.draw_polyline(line, COLOURS[limit], WEIGHT, true)
