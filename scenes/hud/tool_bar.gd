extends PanelContainer
# The tools below: each with its picture, its key and how many are left; beside them undo, redo,
# paste and the library.

signal picked(name)
signal edit_pressed(name)

const GAP := 8
# In a low window, before the tools draw closer together.
const MOST_LOW_ROWS := 2
const EditButtons := preload("res://scenes/hud/edit_buttons.gd")
const BarButton := preload("res://scenes/hud/tool_button.gd")

var buttons := {}
var edits := EditButtons.new()

var _line: GridContainer
var _small := false
var _tiny := false
var _room := INF


func _init() -> void:
	_line = GridContainer.new()
	for way in ["hseparation", "vseparation"]:
		_line.add_constant_override(way, GAP)
	var both := HBoxContainer.new()
	both.add_constant_override("separation", 2 * GAP)
	edits.size_flags_vertical = SIZE_SHRINK_CENTER
	edits.connect("pressed", self, "_on_edit_pressed")
	both.add_child(edits)
	both.add_child(_line)
	add_child(both)


# Takes no more than this width: with pictures alone where that or `low` asks for it, then in as
# many rows as that needs.
func fit(width: float, low: bool) -> void:
	_room = width - get_stylebox("panel").get_minimum_size().x
	_room -= edits.get_combined_minimum_size().x + 2 * GAP
	_small = low or buttons.size() * (BarButton.WIDE.x + GAP) - GAP > _room
	var beside := max(1.0, floor((_room + GAP) / (BarButton.SMALL.x + GAP)))
	var rows := ceil(buttons.size() / beside)
	_tiny = low and rows > MOST_LOW_ROWS
	for button in buttons.values():
		button.shrink(_small, _tiny)
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
		button.shrink(_small, _tiny)
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
	var wide: float = buttons.values()[0].rect_min_size.x + GAP
	var most := int(max(1, floor((_room + GAP) / wide)))
	var rows := ceil(buttons.size() / float(most))
	_line.columns = int(ceil(buttons.size() / rows))
