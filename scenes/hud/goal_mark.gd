extends Control
# A tick, a cross or an open ring: a goal met, missed or not yet judged.

enum State { OPEN, MET, MISSED }

const Palette := preload("res://scenes/theme/palette.gd")

var state: int = State.OPEN setget set_state


func _init() -> void:
	rect_min_size = Vector2(16, 16)
	mouse_filter = MOUSE_FILTER_IGNORE


func set_state(value: int) -> void:
	if value != state:
		state = value
		update()


# The state of a goal as a snapshot has it; nothing is decided while it has no value.
static func state_of(goal: Dictionary) -> int:
	if goal.value == null:
		return State.OPEN
	return State.MET if goal.met else State.MISSED


func _draw() -> void:
	var middle := rect_size / 2
	match state:
		State.MET:
			draw_circle(middle, 7.0, Palette.faded(Palette.GOOD, 0.2))
			var tick := PoolVector2Array([Vector2(-3.5, 0), Vector2(-1, 3), Vector2(4, -3)])
			draw_polyline(_moved(tick, middle), Palette.GOOD, 2.0, true)
		State.MISSED:
			draw_circle(middle, 7.0, Palette.faded(Palette.BAD, 0.2))
			for way in [Vector2(3, 3), Vector2(3, -3)]:
				draw_line(middle - way, middle + way, Palette.BAD, 2.0, true)
		_:
			draw_arc(middle, 5.5, 0, TAU, 24, Palette.TEXT_FAINT, 1.5, true)


func _moved(points: PoolVector2Array, by: Vector2) -> PoolVector2Array:
	for index in points.size():
		points[index] += by
	return points
