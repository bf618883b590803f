extends Reference
# Keys and pad buttons of the input actions: what they are called, and whether an event means one.
# Read from the InputMap, so that what is shown follows what is set.

# While the pad's chord button is held, its other buttons count as buttons of their own, this much
# higher; so does the chord button itself when it was held and let go alone. The InputMap has them
# like any button.
const CHORD := JOY_L3
const CHORDED := 100
const PAD_NAMES := {
	JOY_XBOX_A: "A",
	JOY_XBOX_B: "B",
	JOY_XBOX_X: "X",
	JOY_XBOX_Y: "Y",
	JOY_L: "LB",
	JOY_R: "RB",
	JOY_L2: "LT",
	JOY_R2: "RT",
	JOY_L3: "L3",
	JOY_R3: "R3",
	JOY_SELECT: "Select",
	JOY_START: "Start",
	JOY_DPAD_UP: "↑",
	JOY_DPAD_DOWN: "↓",
	JOY_DPAD_LEFT: "←",
	JOY_DPAD_RIGHT: "→",
}
# Letters in a line of a tooltip.
const LINE := 52
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
	"Slash": "/",
	"Left": "←",
	"Right": "→",
	"Up": "↑",
	"Down": "↓",
	"Control": "Ctrl",
}


# Whether an event is this action being pressed, with exactly its Ctrl and Shift: Godot takes
# Ctrl+X for X too. `repeated`: also when the key is held, or pressed again within a slow frame.
static func pressed(event: InputEvent, action: String, repeated: bool = false) -> bool:
	if not InputMap.has_action(action) or not event.is_action_pressed(action, repeated):
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
				return key_name(event)
	return ""


# The same where there is little room: "⇧5".
static func short_key_of(action: String) -> String:
	return key_of(action).replace(_in_words("Shift") + "+", "⇧")


# The pad's button of an action, "X" or "L3+X"; "" without one.
static func pad_of(action: String) -> String:
	if InputMap.has_action(action):
		for event in InputMap.get_action_list(action):
			if event is InputEventJoypadButton:
				return pad_name(event.button_index)
	return ""


static func pad_name(button: int) -> String:
	if button == CHORDED + CHORD:
		return PAD_NAMES[CHORD]
	if button >= CHORDED:
		return "%s+%s" % [PAD_NAMES[CHORD], PAD_NAMES.get(button - CHORDED, "?")]
	return PAD_NAMES.get(button, "?")


# A tooltip: what a control does in short lines, its key, and the pad's button where a pad is there.
static func tip(text: String, action: String = "") -> String:
	var keys := PoolStringArray()
	if key_of(action) != "":
		keys.append(key_of(action))
	if not Input.get_connected_joypads().empty() and pad_of(action) != "":
		keys.append(pad_of(action))
	return _wrapped(text if keys.empty() else "%s  [%s]" % [text, keys.join(" · ")])


# In lines of about LINE letters; lines that are there stay.
static func _wrapped(text: String) -> String:
	var lines := PoolStringArray()
	for paragraph in text.split("\n"):
		var line := ""
		for word in paragraph.split(" "):
			if line != "" and line.length() + word.length() > LINE:
				lines.append(line.strip_edges(false, true))
				line = ""
			line += word + " "
		lines.append(line.strip_edges(false, true))
	return lines.join("\n")


# As it is written on the keyboard.
static func key_name(event: InputEventKey) -> String:
	var name := OS.get_scancode_string(event.scancode)
	name = _in_words(SHORT.get(name, name))
	if event.shift:
		name = "%s+%s" % [_in_words("Shift"), name]
	if event.control:
		name = "%s+%s" % [_in_words("Ctrl"), name]
	return name


# Keys that bear words bear those of the language.
static func _in_words(name: String) -> String:
	var key := "KEY_" + name.to_upper().replace(" ", "_")
	var words := TranslationServer.translate(key)
	return name if words == key else words
