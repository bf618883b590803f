extends Control
# Requests under way and those that ended last, one line each. As many lines as there is room for;
# the wheel moves on.

signal picked(id)

const RequestRow := preload("res://scenes/requests/request_row.gd")
const LEAST := 3
const MOST := 16
const STEP := 3

var picked := -1

# Columns as the engine tells them.
var _told := {}
var _first := 0


func _init() -> void:
	rect_min_size.y = LEAST * RequestRow.HEIGHT
	connect("resized", self, "_show_rows")


# The answer to `requests`.
func show_requests(told: Dictionary) -> void:
	_told = told
	_show_rows()


# Moves into sight what is picked.
func pick(id: int) -> void:
	picked = id
	var index := _index_of(id)
	if index >= 0 and (index < _first or index >= _first + _lines()):
		_first = index - _lines() / 2
	_show_rows()


# The request `step` lines after the one that is picked, or the first; -1: there is none.
func beside(step: int) -> int:
	if _count() == 0:
		return -1
	var index := _index_of(picked)
	index = 0 if index < 0 else int(clamp(index + step, 0, _count() - 1))
	return int(_told.id[index])


func rows() -> Array:
	var shown := []
	for row in get_children():
		if row.visible:
			shown.append(row)
	return shown


# How many lines lie above and below those in sight.
func beyond() -> int:
	return int(max(0, _count() - _lines()))


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var step: int = {BUTTON_WHEEL_UP: -STEP, BUTTON_WHEEL_DOWN: STEP}.get(event.button_index, 0)
		if step != 0 and _count() > _lines():
			_first += step
			_show_rows()
			accept_event()


func _count() -> int:
	return _told.id.size() if not _told.empty() else 0


func _lines() -> int:
	return int(clamp(floor(rect_size.y / RequestRow.HEIGHT), LEAST, MOST))


func _index_of(id: int) -> int:
	for index in _count():
		if int(_told.id[index]) == id:
			return index
	return -1


func _show_rows() -> void:
	var lines := _lines()
	_first = int(clamp(_first, 0, max(0, _count() - lines)))
	while get_child_count() < lines:
		var row := RequestRow.new()
		row.connect("pressed", self, "_on_pressed", [row])
		add_child(row)
	for line in get_child_count():
		var row: Button = get_child(line)
		var index: int = _first + line
		row.visible = line < lines and index < _count()
		row.rect_position = Vector2(0, line * RequestRow.HEIGHT)
		row.rect_size = Vector2(rect_size.x, RequestRow.HEIGHT)
		if row.visible:
			row.show_request(
				int(_told.id[index]),
				_told.states[_told.state[index]],
				int(_told.tokens[index]),
				int(_told.output_tokens[index]),
				_told.age_s[index]
			)
			row.pressed = row.id == picked


func _on_pressed(row: Button) -> void:
	row.pressed = row.id == picked
	emit_signal("picked", row.id)
