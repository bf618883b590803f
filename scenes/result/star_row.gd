extends Control
# Stars side by side: those that are reached are filled.

const Palette := preload("res://scenes/theme/palette.gd")
const NAMES := ["goal", "latency", "cost"]
const CORNERS := 10
const INNER := 0.44
const GAP := 4.0

# The names of the stars that are shown, and of those that are reached.
var names := NAMES setget set_names
var reached := [] setget set_reached
var side := 18.0 setget set_side


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_fit()


func set_names(value: Array) -> void:
	names = value
	_fit()


func set_reached(value: Array) -> void:
	reached = value
	update()


func set_side(value: float) -> void:
	side = value
	_fit()


func _fit() -> void:
	rect_min_size = Vector2(names.size() * (side + GAP) - GAP, side)
	update()


func _draw() -> void:
	for index in names.size():
		var middle := Vector2(index * (side + GAP) + side / 2, rect_size.y / 2)
		var points := _star(middle, side / 2)
		if names[index] in reached:
			draw_colored_polygon(points, Palette.STAR)
			points.append(points[0])
			draw_polyline(points, Palette.STAR, 1.0, true)
		else:
			points.append(points[0])
			draw_polyline(points, Palette.TEXT_FAINT, 1.5, true)


func _star(middle: Vector2, radius: float) -> PoolVector2Array:
	var points := PoolVector2Array()
	for corner in CORNERS:
		var length := radius if corner % 2 == 0 else radius * INNER
		points.append(middle + Vector2(0, -length).rotated(TAU * corner / CORNERS))
	return points
