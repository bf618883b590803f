extends Control
# Lines over time, a value a second, with a bar to reach and a cursor. Mouse or, while it has the
# focus, left and right move the cursor.

# The second under the cursor (-1: none), and one that the player wants to go to.
signal pointed(second)
signal picked(second)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const NOTHING := -1
const DASH := 4.0
# Air above the highest value.
const AIR := 1.15
const LABEL_SIZE := 10

# Values at second 1, 2, ...; negative: there was none.
var lines := []
var colours := []
var names := []
# The bar (negative: none), and the least value that the upper edge stands for.
var bar := -1.0
var least_top := 1.0
# Seconds at the left and the right edge.
var first := 0
var last := 60
var cursor := NOTHING setget set_cursor

var _font := Fonts.medium(LABEL_SIZE)


func _init() -> void:
	rect_min_size = Vector2(0, 40)
	focus_mode = FOCUS_ALL
	mouse_default_cursor_shape = CURSOR_POINTING_HAND
	connect("mouse_exited", self, "emit_signal", ["pointed", NOTHING])
	connect("focus_entered", self, "update")
	connect("focus_exited", self, "_on_focus_exited")


func set_cursor(second: int) -> void:
	if second != cursor:
		cursor = second
		update()


# The value of a line at the cursor, or its latest; negative: none.
func value_of(line: int) -> float:
	var values: PoolRealArray = lines[line]
	var index := values.size() - 1 if cursor == NOTHING else cursor - 1
	return values[index] if index >= 0 and index < values.size() else -1.0


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		emit_signal("pointed", _second_at(event.position.x))
	elif event is InputEventMouseButton and event.button_index == BUTTON_LEFT:
		if event.pressed:
			emit_signal("picked", _second_at(event.position.x))
		release_focus()
		accept_event()
	elif event.is_action_pressed("ui_left", true) or event.is_action_pressed("ui_right", true):
		var from := cursor if cursor != NOTHING else last
		var way := -1 if event.is_action_pressed("ui_left", true) else 1
		emit_signal("pointed", int(clamp(from + way, max(first, 1), _most())))
		accept_event()
	elif event.is_action_pressed("ui_accept") and cursor != NOTHING:
		emit_signal("picked", cursor)
		accept_event()


func _draw() -> void:
	draw_line(Vector2(0, rect_size.y), rect_size, Palette.OUTLINE_SOFT)
	var top := max(bar * AIR, least_top)
	for values in lines:
		for index in range(max(first - 1, 0), min(last, values.size())):
			top = max(top, values[index] * AIR)
	_draw_bar(top)
	for index in lines.size():
		_draw_line(lines[index], colours[index], top)
	if cursor != NOTHING:
		_draw_cursor(top)
	elif lines.size() > 1:
		_draw_names(top)
	if has_focus():
		draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.TOKEN, false)


func _draw_bar(top: float) -> void:
	if bar < 0.0:
		return
	var y := _y(bar, top)
	var x := 0.0
	while x < rect_size.x:
		var end := min(x + DASH, rect_size.x)
		draw_line(Vector2(x, y), Vector2(end, y), Palette.faded(Palette.TEXT_SOFT, 0.8))
		x += 2 * DASH


# In pieces where there is nothing in between; at most a point for two pixels.
func _draw_line(values: PoolRealArray, colour: Color, top: float) -> void:
	var until := int(min(last, values.size()))
	var stride := int(max(1.0, floor(2.0 * (last - first) / max(rect_size.x, 1.0))))
	var points := PoolVector2Array()
	var second := int(max(first, 1))
	while second <= until:
		var value := values[second - 1]
		if value < 0.0:
			_draw_piece(points, colour)
			points = PoolVector2Array()
		else:
			points.append(Vector2(_x(second), _y(value, top)))
		second += stride if second == until or second + stride <= until else until - second
	_draw_piece(points, colour)


func _draw_piece(points: PoolVector2Array, colour: Color) -> void:
	if points.size() < 2:
		return
	if lines.size() == 1:
		var area := points
		area.append(Vector2(points[-1].x, rect_size.y))
		area.append(Vector2(points[0].x, rect_size.y))
		draw_colored_polygon(area, Palette.faded(colour, 0.12))
	draw_polyline(points, colour, 1.5, true)


func _draw_cursor(top: float) -> void:
	var x := _x(cursor)
	draw_line(Vector2(x, 0), Vector2(x, rect_size.y), Palette.faded(Palette.TEXT, 0.6))
	for index in lines.size():
		var value := value_of(index)
		if value >= 0.0:
			draw_circle(Vector2(x, _y(value, top)), 3.0, colours[index])


# The line's name where it ends, if it has one.
func _draw_names(top: float) -> void:
	for index in names.size():
		var values: PoolRealArray = lines[index]
		if not values.empty() and values[-1] >= 0.0:
			var room: float = LABEL_SIZE * (names.size() - index)
			var x: float = min(
				_x(min(values.size(), last)) + 4 + LABEL_SIZE * index, rect_size.x - room
			)
			var y := clamp(_y(values[-1], top) - 4, LABEL_SIZE, rect_size.y)
			draw_string(_font, Vector2(x, y), names[index], colours[index])


func _x(second: float) -> float:
	return round(rect_size.x * (second - first) / max(last - first, 1))


func _y(value: float, top: float) -> float:
	return rect_size.y * (1.0 - value / top)


func _second_at(x: float) -> int:
	var second := first + int(round((last - first) * x / max(rect_size.x, 1.0)))
	return int(clamp(second, max(first, 1), _most()))


func _most() -> int:
	var most := 1
	for values in lines:
		most = int(max(most, values.size()))
	return int(min(most, last))


func _on_focus_exited() -> void:
	emit_signal("pointed", NOTHING)
	update()
