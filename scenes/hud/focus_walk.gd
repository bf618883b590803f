extends Node
# Keys and pads in the panels: one key steps from the floor to the bar, the dock, the tools, ... and
# back to the floor. Within a panel arrows, cross or stick go from control to control, Enter or A
# presses, Esc or B goes back to the floor. Buttons take the focus only on such a walk, so that a
# click leaves the arrows to the floor.

const Keys := preload("res://scenes/theme/keys.gd")
const DEADZONE := 0.5
const OURS := ["ui_accept", "ui_left", "ui_right", "ui_up", "ui_down"]
const AXES := {JOY_AXIS_0: ["ui_left", "ui_right"], JOY_AXIS_1: ["ui_up", "ui_down"]}

# The panels in the order of stepping; some may be hidden or have nothing to press.
var areas := []

# Buttons that take the focus for this walk.
var _opened := []
var _leaning := {}
# Whether a control had the focus when the event came.
var _walking := false


func focused() -> Control:
	return areas[0].get_focus_owner() if areas[0].is_inside_tree() else null


func leave() -> void:
	var control := focused()
	if control != null:
		control.release_focus()
	for button in _opened:
		if is_instance_valid(button):
			button.focus_mode = Control.FOCUS_NONE
	_opened = []


# Begins a walk at a control that is shown.
func enter(control: Control) -> void:
	_open()
	control.grab_focus()


func _input(event: InputEvent) -> void:
	_walking = focused() != null
	if Keys.pressed(event, "focus_next"):
		_step(1)
		get_tree().set_input_as_handled()
	elif Keys.pressed(event, "focus_previous"):
		_step(-1)
		get_tree().set_input_as_handled()
	elif event is InputEventMouseButton and not event.pressed:
		# Only now: a button that loses the focus while it is held down is not pressed.
		call_deferred("_leave_button")
	elif focused() == null:
		return
	elif event.is_action_pressed("ui_cancel"):
		leave()
		get_tree().set_input_as_handled()
	elif event is InputEventJoypadMotion and AXES.has(event.axis):
		_lean(event)
		get_tree().set_input_as_handled()
	elif event.is_pressed():
		_open()


# A press of a button, and an arrow that leads nowhere, are not the floor's too.
func _unhandled_input(event: InputEvent) -> void:
	if not _walking:
		return
	for action in OURS:
		if event.is_action(action):
			get_tree().set_input_as_handled()


# A stick tells its way many times; leaning it is one step.
func _lean(event: InputEventJoypadMotion) -> void:
	var way := 0
	if abs(event.axis_value) > DEADZONE:
		way = int(sign(event.axis_value))
	if way == _leaning.get(event.axis, 0):
		return
	_leaning[event.axis] = way
	if way == 0:
		return
	for pressed in [true, false]:
		var step := InputEventAction.new()
		step.action = AXES[event.axis][0 if way < 0 else 1]
		step.pressed = pressed
		Input.parse_input_event(step)


func _leave_button() -> void:
	if focused() is BaseButton:
		leave()


# Place -1 is the floor.
func _step(way: int) -> void:
	_open()
	var place := _place_of(focused())
	for _index in areas.size() + 1:
		place = posmod(place + 1 + way, areas.size() + 1) - 1
		if place < 0:
			leave()
			return
		var control := _first_in(areas[place])
		if control != null:
			control.grab_focus()
			return


func _place_of(control: Control) -> int:
	for index in areas.size():
		if control != null and (areas[index] == control or areas[index].is_a_parent_of(control)):
			return index
	return -1


# The first control that can be pressed: of choices the one that is chosen.
func _first_in(node: Node) -> Control:
	var first: Control = null
	for control in _controls_in(node):
		if control is BaseButton and control.toggle_mode and control.pressed:
			return control
		if first == null:
			first = control
	return first


# Lets every button that is shown take the focus.
func _open() -> void:
	for area in areas:
		for control in _controls_in(area, true):
			if control.focus_mode == Control.FOCUS_NONE:
				control.focus_mode = Control.FOCUS_ALL
				_opened.append(control)


func _controls_in(node: Node, any_button: bool = false) -> Array:
	var found := []
	if node is Control:
		if not node.is_visible_in_tree():
			return found
		var usable: bool = not (node is BaseButton and node.disabled)
		if usable and (node.focus_mode == Control.FOCUS_ALL or any_button and node is BaseButton):
			found.append(node)
	for child in node.get_children():
		found += _controls_in(child, any_button)
	return found
