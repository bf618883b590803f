extends Reference
# Keys and pad buttons of the input actions: what they are called, and whether an event means one.
# Read from the InputMap, so that what is shown follows what is set.

const PAD_NAMES := [
	"A", "B", "X", "Y", "LB", "RB", "LT", "RT", "L3", "R3", "Select", "Start", "Up", "Down", "Left"
]
const SHORT := {
	"Escape": "Esc",
	"Delete": "Del",
	"BackSpace": "Backspace",
	"Period": ".",
	"Comma": ",",
	"Equal": "+",
	"Minus": "−",
	"PageUp": "Page Up",
	"PageDown": "Page Down",
}


# Whether an event is this action being pressed, with exactly its Ctrl and Shift: Godot takes
# Ctrl+X for X too.
static func pressed(event: InputEvent, action: String) -> bool:
	if not InputMap.has_action(action) or not event.is_action_pressed(action):
		return false
	if not event is InputEventKey:
		return true
	for each in InputMap.get_action_list(action):
		if each is InputEventKey and each.scancode == event.scancode:
			if each.control == event.control and each.shift == event.shift:
				return true
	return false


# The first key of an action as it is written on the keyboard, "Ctrl+Z"; "" without one.
static func key_of(action: String) -> String:
	if InputMap.has_action(action):
		for event in InputMap.get_action_list(action):
			if event is InputEventKey:
				return _key_name(event)
	return ""


# A tooltip: what a control does, and its key.
static func tip(text: String, action: String) -> String:
	var key := key_of(action)
	return text if key == "" else "%s  [%s]" % [text, key]


static func _key_name(event: InputEventKey) -> String:
	var name := OS.get_scancode_string(event.scancode)
	name = SHORT.get(name, name)
	if event.shift:
		name = "Shift+" + name
	if event.control:
		name = "Ctrl+" + name
	return name
