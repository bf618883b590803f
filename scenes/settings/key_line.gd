extends Control
# One action in the settings: its two keys and its pad button, each to be set by pressing another
# one; and a button back to what the game brings.

signal listen_wanted(slot)
signal reset_wanted
signal pointed

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 36.0
const INSET := 12.0
const CELL := Vector2(88, 28)
const GAP := 4.0
const RESET := Vector2(28, 28)
const RESET_SLOT := 3

var selected := false setget set_selected
# The cell that keys and pads act on: 0 and 1 keys, 2 the pad's button, 3 back to the default.
var slot := 0

var _name: Label
var _cells := []
var _reset := SmallButton.new()


func set_up(text: String) -> void:
	rect_min_size.y = HEIGHT
	mouse_filter = MOUSE_FILTER_PASS
	_name = Ui.label(text, Fonts.body(13))
	_name.valign = Label.VALIGN_CENTER
	_name.clip_text = true
	add_child(_name)
	for index in RESET_SLOT:
		var cell := Ui.button("")
		cell.clip_text = true
		cell.add_font_override("font", Fonts.medium(12))
		cell.connect("pressed", self, "_on_cell", [index])
		_cells.append(cell)
		add_child(cell)
	_reset.set_up("undo", RESET, tr("SETTINGS_KEY_RESET_TIP"))
	_reset.connect("pressed", self, "_on_cell", [RESET_SLOT])
	add_child(_reset)
	connect("resized", self, "_place")
	_mark()


# `names`: what keys and pad button are called; `listening`: the cell that waits for one (-1: none).
func show_keys(names: Array, is_changed: bool, listening: int = -1) -> void:
	for index in _cells.size():
		_cells[index].text = tr("SETTINGS_LISTENING") if index == listening else names[index]
	_reset.visible = is_changed
	if slot == RESET_SLOT and not is_changed:
		slot = 0
	_mark(listening)


func set_selected(value: bool) -> void:
	selected = value
	_mark()
	update()


func step(way: int) -> void:
	slot = int(clamp(slot + way, 0, RESET_SLOT if _reset.visible else RESET_SLOT - 1))
	_mark()


func press() -> void:
	if slot == RESET_SLOT:
		emit_signal("reset_wanted")
	else:
		emit_signal("listen_wanted", slot)


func texts() -> Array:
	var said := [_name.text]
	for cell in _cells:
		said.append(cell.text)
	return said


func targets() -> Dictionary:
	var rects := {"reset": _reset.get_global_rect()} if _reset.visible else {}
	for index in _cells.size():
		rects[str(index)] = _cells[index].get_global_rect()
	return rects


func _draw() -> void:
	if selected:
		draw_style_box(SettingLine.selection_box(), Rect2(Vector2.ZERO, rect_size))


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		emit_signal("pointed")


func _on_cell(index: int) -> void:
	slot = index
	emit_signal("pointed")
	press()


func _mark(listening: int = -1) -> void:
	for index in _cells.size():
		var lit: bool = index == listening or selected and index == slot
		var edge := Palette.TOKEN if lit else Palette.OUTLINE
		var tone := Palette.SELECTION if index == listening else Palette.PANEL_INSET
		_cells[index].add_stylebox_override("normal", _box(tone, edge))
		_cells[index].add_stylebox_override("hover", _box(Palette.PANEL_HOVER, Palette.TOKEN))
	var at_reset: bool = selected and slot == RESET_SLOT
	_reset.add_stylebox_override(
		"normal", _box(Palette.PANEL_INSET, Palette.TOKEN if at_reset else Palette.PANEL_INSET)
	)


func _box(tone: Color, edge: Color) -> StyleBoxFlat:
	return GameTheme.flat(tone, GameTheme.SMALL_CORNER, edge)


func _place() -> void:
	var right := rect_size.x - INSET / 2 - RESET.x
	var top := (rect_size.y - CELL.y) / 2
	_put(_reset, Vector2(right, top), RESET)
	for index in range(_cells.size() - 1, -1, -1):
		right -= CELL.x + GAP
		_put(_cells[index], Vector2(right, top), CELL)
	_put(_name, Vector2(INSET, 0), Vector2(right - INSET - GAP, rect_size.y))


func _put(node: Control, at: Vector2, size: Vector2) -> void:
	node.rect_position = at.round()
	node.rect_size = size
