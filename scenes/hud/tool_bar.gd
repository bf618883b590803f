extends PanelContainer
# The tools below: each with its picture, its key and how many are left.

signal picked(name)

const BarButton := preload("res://scenes/hud/tool_button.gd")

var buttons := {}

var _line: HBoxContainer


func _init() -> void:
	_line = HBoxContainer.new()
	_line.add_constant_override("separation", 8)
	add_child(_line)


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


# `palette`: kind -> how many may still be placed.
func show_left(palette: Dictionary) -> void:
	for kind in palette:
		if buttons.has(kind):
			buttons[kind].show_left(palette[kind])


func show_current(name: String) -> void:
	for each in buttons:
		buttons[each].pressed = each == name
