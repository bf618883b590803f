extends Control
# A calm arrow at what the tutorial leads to, over all panels: with a ring at a control, above a
# place of the floor, or at the edge of the free space towards a place that is out of sight.

const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SIZE := Vector2(18, 16)
const GAP := 6.0
const RING := 4.0
const CORNER := 12
const PERIOD_S := 1.8
const REACH := 4.0
const EDGE := 20.0

var _ring := Rect2()
# {at, way}: where each arrow's tip is, and where it points.
var _arrows := []
var _seconds := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	set_anchors_and_margins_preset(PRESET_WIDE)


# At a control's rectangle; an empty one: at nothing.
func point_at_control(rect: Rect2) -> void:
	_ring = rect.grow(RING) if not rect.has_no_area() else Rect2()
	_arrows = [] if rect.has_no_area() else [_beside(_ring)]
	update()


# Above points of the view; out of sight of `free`, at its edge.
func point_at_floor(points: Array, free: Rect2) -> void:
	_ring = Rect2()
	_arrows = []
	var inside := free.grow(-EDGE)
	for point in points:
		var at := Vector2(
			clamp(point.x, inside.position.x, inside.end.x),
			clamp(point.y, inside.position.y, inside.end.y)
		)
		var hidden: bool = point.distance_to(at) > EDGE
		_arrows.append({"at": at, "way": (point - at).normalized() if hidden else Vector2.DOWN})
	update()


func _process(delta: float) -> void:
	if _arrows.empty() or Motion.reduced():
		return
	_seconds = fmod(_seconds + delta, PERIOD_S)
	update()


func _draw() -> void:
	if not _ring.has_no_area():
		var box := GameTheme.flat(Color.transparent, CORNER, Palette.DRAFT)
		box.draw_center = false
		box.set_border_width_all(2)
		draw_style_box(box, _ring)
	var away := 0.0 if Motion.reduced() else REACH * (1.0 - cos(_seconds / PERIOD_S * TAU)) / 2.0
	for arrow in _arrows:
		_draw_arrow(arrow.at - arrow.way * away, arrow.way)


func _draw_arrow(tip: Vector2, way: Vector2) -> void:
	var side := Vector2(-way.y, way.x) * SIZE.x / 2
	var back := tip - way * SIZE.y
	var outline := PoolVector2Array([tip, back + side, back - side])
	draw_colored_polygon(outline, Palette.DRAFT)
	outline.append(tip)
	draw_polyline(outline, Palette.BACKGROUND, 1.5, true)


# Above it, or where there is no room below; in the margin of the window if it stands beside that.
func _beside(rect: Rect2) -> Dictionary:
	var room := rect_size.x - rect.end.x
	var middle := rect.position + rect.size / 2
	if room > SIZE.y + GAP + REACH and room < 3 * SIZE.y:
		return {"at": Vector2(rect.end.x + GAP, middle.y), "way": Vector2.LEFT}
	if rect.position.y > SIZE.y + GAP + REACH:
		return {"at": Vector2(middle.x, rect.position.y - GAP), "way": Vector2.DOWN}
	return {"at": Vector2(middle.x, rect.end.y + GAP), "way": Vector2.UP}
