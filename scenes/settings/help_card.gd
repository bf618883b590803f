extends "res://scenes/theme/titled_panel.gd"
# The card of all keys: what each does, as it is set now, on the keyboard, the mouse and a game pad.

signal close_wanted

const Actions := preload("res://scenes/settings/actions.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const MARGIN := 16.0
const COLUMN := 288.0
const ROW := 18.0
# A group begins where at least so many of its rows fit below each other.
const HEADED := 4
const PAD := 62.0
const WAYS := {"ui_up": -1, "ui_down": 1}
# Some actions that go together are one row.
const TOGETHER := {
	"cursor": ["cursor_up", "cursor_down", "cursor_left", "cursor_right"],
	"pan": ["pan_up", "pan_down", "pan_left", "pan_right"],
}
const MOUSE := {
	BUTTON_LEFT: "MOUSE_LEFT",
	BUTTON_RIGHT: "MOUSE_RIGHT",
	BUTTON_MIDDLE: "MOUSE_MIDDLE",
	BUTTON_WHEEL_UP: "MOUSE_WHEEL_UP",
	BUTTON_WHEEL_DOWN: "MOUSE_WHEEL_DOWN",
}
# Of those that Godot itself has for panels.
const IN_PANELS := ["ui_accept", "ui_cancel"]

var _columns := HBoxContainer.new()
var _scroll := ScrollContainer.new()
var _count := 0
var _said := []


func _init() -> void:
	_add_head(tr("HELP_CARD_TITLE"), tr("HELP_CARD_CLOSE_TIP"), "help_card")
	_columns.add_constant_override("separation", int(MARGIN))
	_scroll.scroll_horizontal_enabled = false
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_scroll.add_child(_columns)
	_column.add_child(_scroll)


func close() -> void:
	emit_signal("close_wanted")


# In as many columns as a window has room for.
func fit(window: Vector2) -> void:
	var most := int(floor((window.x - 4 * MARGIN) / (COLUMN + MARGIN)))
	var count := int(clamp(most, 1, 4))
	if count != _count or _said.empty():
		_count = count
		_fill()
	var wide := count * (COLUMN + MARGIN) - MARGIN
	_scroll.rect_min_size = Vector2(wide, 0)
	var needed := _columns.get_combined_minimum_size().y
	_scroll.rect_min_size.y = min(needed, window.y - 2 * MARGIN - 80)
	rect_size = Vector2.ZERO
	var size := get_combined_minimum_size()
	rect_size = size
	rect_position = ((window - size) / 2).round()


# Goes on or back where the card is longer than the window; whether the event was for that.
func scroll(event: InputEvent) -> bool:
	for action in WAYS:
		if event.is_action_pressed(action, true):
			_scroll.scroll_vertical += int(WAYS[action] * 3 * ROW)
			return true
	return false


func texts() -> Array:
	return _said


func _fill() -> void:
	for child in _columns.get_children():
		_columns.remove_child(child)
		child.queue_free()
	_said = []
	var rows := _rows()
	var each := int(ceil(rows.size() / float(_count))) + 1
	var heading := ""
	var column: VBoxContainer
	for row in rows:
		var is_heading: bool = row.size() == 1
		if is_heading:
			heading = row[0]
		# A heading stands again above the next column.
		var most := each - HEADED if is_heading else each
		var is_full: bool = column == null or column.get_child_count() >= most
		if is_full and _columns.get_child_count() < _count:
			column = _add_column()
			if not is_heading:
				column.add_child(_heading(heading))
		column.add_child(_heading(heading) if is_heading else _line(row))
		_said.append(row)


func _add_column() -> VBoxContainer:
	var column := VBoxContainer.new()
	column.rect_min_size.x = COLUMN
	column.add_constant_override("separation", 4)
	_columns.add_child(column)
	return column


# [heading], or [what it does, keys, pad].
func _rows() -> Array:
	var rows := []
	var groups := Actions.grouped()
	for group in groups:
		rows.append([tr("ACTIONS_" + group.to_upper())])
		var done := []
		for action in groups[group]:
			if action in done:
				continue
			var together := [action]
			var name := Actions.name_of(action)
			for key in TOGETHER:
				if action in TOGETHER[key]:
					together = TOGETHER[key]
					name = tr("ACTION_" + key.to_upper())
			done += together
			rows.append([name, _keys_of(together), _pads_of(together)])
	for action in IN_PANELS:
		rows.append([Actions.name_of(action), _keys_of([action]), _pads_of([action])])
	return rows


# All keys and mouse buttons of some actions; of several the first key of each.
func _keys_of(actions: Array) -> String:
	var found := PoolStringArray()
	for action in actions:
		for event in InputMap.get_action_list(action):
			var name := ""
			if event is InputEventKey:
				name = Keys.key_name(event)
			elif event is InputEventMouseButton and MOUSE.has(event.button_index):
				name = tr(MOUSE[event.button_index])
			if name != "" and not name in found:
				found.append(name)
				if actions.size() > 1:
					break
	return found.join(" " if actions.size() > 1 else ", ")


func _pads_of(actions: Array) -> String:
	if actions.size() > 1:
		for event in InputMap.get_action_list(actions[0]):
			if event is InputEventJoypadMotion:
				return tr("PAD_LEFT_STICK" if event.axis <= JOY_AXIS_1 else "PAD_RIGHT_STICK")
	return Keys.pad_of(actions[0])


func _heading(text: String) -> Control:
	var label := Ui.caption(text)
	label.rect_min_size.y = ROW + 6
	label.valign = Label.VALIGN_BOTTOM
	return label


func _line(row: Array) -> Control:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 6)
	line.rect_min_size.y = ROW
	var name := Ui.label(row[0], Fonts.body(12))
	name.size_flags_horizontal = SIZE_EXPAND_FILL
	name.clip_text = true
	line.add_child(name)
	var keys := Ui.label(row[1], Fonts.strong(12), Palette.TOKEN)
	keys.align = Label.ALIGN_RIGHT
	line.add_child(keys)
	var pad := Ui.label(row[2], Fonts.medium(12), Palette.TEXT_SOFT)
	pad.rect_min_size.x = PAD
	pad.align = Label.ALIGN_RIGHT
	line.add_child(pad)
	return line
