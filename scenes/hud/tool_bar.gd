extends PanelContainer
# The tools below: each with its picture, its key and how many are left; beside them undo, redo,
# paste and the library.

signal picked(name)
signal edit_pressed(name)

const GAP := 8
const SMALL_GAP := 4
# In a low window, before the tools draw closer together.
const MOST_LOW_ROWS := 2
const EditButtons := preload("res://scenes/hud/edit_buttons.gd")
const BarButton := preload("res://scenes/hud/tool_button.gd")

var buttons := {}
var edits := EditButtons.new()

var _line: GridContainer
var _tile := BarButton.WIDE
var _gap := GAP
var _room := INF


func _init() -> void:
	_line = GridContainer.new()
	var both := HBoxContainer.new()
	both.add_constant_override("separation", 2 * GAP)
	edits.size_flags_vertical = SIZE_SHRINK_CENTER
	edits.connect("pressed", self, "_on_edit_pressed")
	both.add_child(edits)
	both.add_child(_line)
	add_child(both)


# Takes no more than this width: its tiles are narrower where that asks for it; smaller, in as many
# rows as that needs, where they cannot be or it is `low`.
func fit(width: float, low: bool) -> void:
	_room = width - get_stylebox("panel").get_minimum_size().x
	_room -= edits.get_combined_minimum_size().x + 2 * GAP
	_tile = BarButton.WIDE
	_gap = GAP
	if low or _beside(_tile, _gap) < buttons.size():
		_gap = SMALL_GAP
		_tile.x = floor((_room + _gap) / max(1, buttons.size())) - _gap
	if low or _tile.x < BarButton.NARROWEST:
		_gap = GAP
		_tile = BarButton.SMALL
		if low and ceil(buttons.size() / float(_beside(_tile, _gap))) > MOST_LOW_ROWS:
			_tile = BarButton.TINY
	for button in buttons.values():
		button.fit(_tile)
	_fold()


# The tools that this level offers, by name.
func offer(names: Array) -> void:
	if names == buttons.keys():
		return
	for button in buttons.values():
		_line.remove_child(button)
		button.queue_free()
	buttons = {}
	for name in names:
		var button := BarButton.new()
		button.set_up(name)
		button.connect("pressed", self, "emit_signal", ["picked", name])
		buttons[name] = button
		_line.add_child(button)
		button.fit(_tile)
	_fold()


# `palette`: kind -> how many may still be placed.
func show_left(palette: Dictionary) -> void:
	for kind in palette:
		if buttons.has(kind):
			buttons[kind].show_left(palette[kind])


func show_current(name: String) -> void:
	for each in buttons:
		buttons[each].pressed = each == name


func _on_edit_pressed(name: String) -> void:
	emit_signal("edit_pressed", name)


func _fold() -> void:
	if buttons.empty():
		return
	for way in ["hseparation", "vseparation"]:
		_line.add_constant_override(way, _gap)
	var rows := ceil(buttons.size() / float(_beside(_tile, _gap)))
	_line.columns = int(ceil(buttons.size() / rows))


# How many tiles there is room for in a row.
func _beside(tile: Vector2, gap: int) -> int:
	return int(max(1, min(1000, floor((_room + gap) / (tile.x + gap)))))
