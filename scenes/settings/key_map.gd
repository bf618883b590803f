extends Reference
# Keys and pad buttons of the actions, as the player has set them. An action has up to two keys and
# a pad button; what it has besides (mouse buttons, sticks) stays.

const Keys := preload("res://scenes/theme/keys.gd")
const SLOTS := ["key", "other", "pad"]
const MOST_CODE := 40
const CONTROL := "Ctrl+"
const SHIFT := "Shift+"
const NO_DEVICE := 99

# The events of each action as the game brings them.
var _brought := {}
# The actions that the player has changed, with codes in the order of SLOTS; and what a file says
# of actions that there are not, which is kept.
var _set := {}
var _unknown := {}


func _init() -> void:
	for action in actions():
		_brought[action] = InputMap.get_action_list(action)


# The actions whose keys can be set. Those of Godot's own for panels keep theirs, so that nobody
# can lock themselves out.
static func actions() -> Array:
	var found := []
	for action in InputMap.get_actions():
		if not action.begins_with("ui_"):
			found.append(action)
	return found


# Takes what a file says; returns how many actions in it were not understood.
func read(table) -> int:
	if typeof(table) != TYPE_DICTIONARY:
		return 1
	var wrong := 0
	for action in table:
		if not _brought.has(action):
			_unknown[action] = table[action]
		elif _are_codes(table[action]):
			_apply(action, table[action])
		else:
			wrong += 1
	return wrong


# What is to be kept: action -> [key, other key, pad button], of the changed actions.
func table() -> Dictionary:
	var kept := _unknown.duplicate()
	for action in _set:
		kept[action] = _set[action]
	return kept


# The codes of an action in the order of SLOTS; "" where it has none.
func codes(action: String) -> Array:
	return _codes_in(InputMap.get_action_list(action))


# Sets one. Returns the action that had it before ("": none), which gets the old one instead.
func change(action: String, slot: int, code: String) -> String:
	var mine := codes(action)
	var old: String = mine[slot]
	var other := ""
	if code != "":
		other = holder(code)
		if other == action:
			# It was this action's other key: the two change places.
			mine[mine.find(code)] = old
			other = ""
	mine[slot] = code
	if other != "":
		var theirs := codes(other)
		theirs[theirs.find(code)] = old
		_apply(other, theirs)
	_apply(action, mine)
	return other


# The action that a code means ("": none).
func holder(code: String) -> String:
	for action in _brought:
		if code in codes(action):
			return action
	return ""


func is_changed(action: String) -> bool:
	return _set.has(action)


# As the game brings it; an action that has one of its keys by now gets what this one had.
func reset(action: String) -> void:
	var brought := _codes_in(_brought[action])
	for slot in SLOTS.size():
		if brought[slot] != codes(action)[slot]:
			change(action, slot, brought[slot])
	_forget_same(action)


func reset_all() -> void:
	for action in _set.keys():
		_put(action, _brought[action])
	_set = {}


# A key or pad button as it is kept: "Ctrl+Z", "Pad 3"; "" for any other event.
static func code_of(event: InputEvent) -> String:
	if event is InputEventKey:
		var name := OS.get_scancode_string(event.scancode)
		if name == "":
			return ""
		return (
			(CONTROL if event.control else "")
			+ (SHIFT if event.shift and event.scancode != KEY_SHIFT else "")
			+ name
		)
	if event is InputEventJoypadButton:
		return "Pad %d" % event.button_index
	return ""


# The event of a code; null for what is none.
static func event_of(code: String) -> InputEvent:
	if code.begins_with("Pad "):
		var number := code.substr(4)
		if not number.is_valid_integer() or int(number) < 0:
			return null
		if not Keys.PAD_NAMES.has(int(number) % Keys.CHORDED):
			return null
		var button := InputEventJoypadButton.new()
		button.button_index = int(number)
		return button if int(number) < 2 * Keys.CHORDED else null
	var event := InputEventKey.new()
	var name := code
	if name.begins_with(CONTROL):
		event.control = true
		name = name.substr(CONTROL.length())
	if name.begins_with(SHIFT):
		event.shift = true
		name = name.substr(SHIFT.length())
	event.scancode = OS.find_scancode_from_string(name)
	return event if event.scancode > 0 and code_of(event) == code else null


# As it is written on key or button.
static func name_of(code: String) -> String:
	var event := event_of(code)
	if event is InputEventKey:
		return Keys.key_name(event)
	return Keys.pad_name(event.button_index) if event != null else ""


func _are_codes(value) -> bool:
	if typeof(value) != TYPE_ARRAY or value.size() != SLOTS.size():
		return false
	for slot in value.size():
		var code = value[slot]
		if typeof(code) != TYPE_STRING or code.length() > MOST_CODE:
			return false
		if code != "":
			var event := event_of(code)
			if event == null or (event is InputEventJoypadButton) != (SLOTS[slot] == "pad"):
				return false
	return true


func _apply(action: String, mine: Array) -> void:
	var events := []
	for event in _brought[action]:
		if not event is InputEventKey and not event is InputEventJoypadButton:
			events.append(event)
	for code in mine:
		if code != "":
			events.append(event_of(code))
	_put(action, events)
	_set[action] = codes(action)
	_forget_same(action)


func _forget_same(action: String) -> void:
	if _set.has(action) and codes(action) == _codes_in(_brought[action]):
		_put(action, _brought[action])
		_set.erase(action)


func _put(action: String, events: Array) -> void:
	InputMap.action_erase_events(action)
	# Of one key with Ctrl and without, Godot would take only the first, unless they come from two
	# devices.
	for event in events:
		var device: int = event.device
		event.device = NO_DEVICE
		InputMap.action_add_event(action, event)
		event.device = device


func _codes_in(events: Array) -> Array:
	var found := ["", "", ""]
	for event in events:
		if event is InputEventKey:
			var slot := 0 if found[0] == "" else 1
			if found[slot] == "":
				found[slot] = code_of(event)
		elif event is InputEventJoypadButton and found[2] == "":
			found[2] = code_of(event)
	return found
