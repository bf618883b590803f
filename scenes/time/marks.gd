extends Reference
# How the timeline draws what happened: a shape and a colour for each code, and its words.

const Happenings := preload("res://scenes/notices/happenings.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")

# Shapes as points around (0, 0), the more urgent first: where several lie together, the first of
# them is drawn.
const SHAPES := {
	"run.lost": [[-4, -4], [4, -4], [4, 4], [-4, 4]],
	"run.over": [[-3, -3], [3, -3], [3, 3], [-3, 3]],
	"run.won": [[-4, -1], [0, -5], [4, -1], [2.5, 4], [-2.5, 4]],
	"memory.out": [[0, -5], [5, 4], [-5, 4]],
	"pad.broken": [[1, -5], [-4, 1], [-1, 1], [-2, 5], [4, -1], [1, -1]],
	"hook.stopped": [[-4, -4], [0, -1], [4, -4], [1, 0], [4, 4], [0, 1], [-4, 4], [-1, 0]],
	"goal.lost": [[-4, -3], [4, -3], [0, 4]],
	"queue.overflow": [[-5, 1], [-5, 4], [5, 4], [5, -4], [2, -4], [2, -1], [-1, -1], [-1, 1]],
	"goal.met": [[-4, 3], [0, -4], [4, 3]],
	"pad.repaired": [[-5, 0], [-3, -2], [-1, 0], [4, -4], [5, -2], [-1, 4]],
	"grant":
	[
		[-1, -4],
		[1, -4],
		[1, -1],
		[4, -1],
		[4, 1],
		[1, 1],
		[1, 4],
		[-1, 4],
		[-1, 1],
		[-4, 1],
		[-4, -1],
		[-1, -1]
	],
	"hook.message": [[-5, -4], [5, -4], [5, 2], [0, 2], [-3, 5], [-3, 2], [-5, 2]],
	"traffic.changed": [[-4, -4], [0, 0], [-4, 4], [0, 4], [4, 0], [0, -4]],
	"layout.changed": [[0, -4], [4, 0], [0, 4], [-4, 0]],
}
const COLOURS := {
	"run.lost": Palette.BAD,
	"run.over": Palette.TEXT,
	"run.won": Palette.GOOD,
	"memory.out": Palette.BAD,
	"goal.lost": Palette.WARNING,
	"queue.overflow": Palette.WARNING,
	"goal.met": Palette.GOOD,
	"layout.changed": Palette.TOKEN,
}


# The place of a code in the order of urgency.
static func rank(code: String) -> int:
	var place := SHAPES.keys().find(code)
	return place if place >= 0 else SHAPES.size()


static func draw(canvas: CanvasItem, code: String, at: Vector2) -> void:
	var points := PoolVector2Array()
	for corner in SHAPES.get(code, []):
		points.append(at + Vector2(corner[0], corner[1]))
	if points.size() > 2:
		var colour: Color = COLOURS[code] if COLOURS.has(code) else Happenings.COLOURS[code]
		canvas.draw_colored_polygon(points, colour)


static func words(mark: Dictionary) -> String:
	if Happenings.is_one(mark.code):
		return Happenings.words(mark).replace("\n", " ")
	var params: Dictionary = mark.params.duplicate()
	if params.has("metric"):
		var goal := {"code": "goal." + params.metric, "tenant": params.get("tenant", "")}
		params.metric = Words.goal_title(goal)
	return Words.of(mark.code, params)
