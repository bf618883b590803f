extends Reference
# The keys of all actions, a line each; a key is changed by pressing another one.

signal told(text)

const Actions := preload("res://scenes/settings/actions.gd")
const KeyLine := preload("res://scenes/settings/key_line.gd")
const KeyListener := preload("res://scenes/settings/key_listener.gd")
const KeyMap := preload("res://scenes/settings/key_map.gd")

# The action that waits for its new key ("": none).
var listening := ""

var _settings: Node
var _lines := {}
var _listener := KeyListener.new()


func _init() -> void:
	_listener.connect("heard", self, "_on_heard")
	_listener.connect("given_up", self, "stop")


func set_up(settings: Node) -> void:
	_settings = settings


# Makes the line of an action.
func add(action: String) -> Control:
	var line := KeyLine.new()
	line.set_up(Actions.name_of(action))
	line.connect("listen_wanted", self, "_listen", [action])
	line.connect("reset_wanted", self, "_on_reset", [action])
	_lines[action] = line
	_show(action)
	return line


# Takes an event while a key is waited for; whether it was for that.
func take(event: InputEvent) -> bool:
	return _listener.take(event)


func stop() -> void:
	if listening == "":
		return
	var action := listening
	listening = ""
	emit_signal("told", "")
	_show(action)


func reset_all() -> void:
	_settings.keys.reset_all()
	emit_signal("told", tr("SETTINGS_KEYS_RESET"))
	_keep()


# Shows anew what was set elsewhere.
func refresh() -> void:
	for action in _lines:
		_show(action)


func _show(action: String) -> void:
	var names := []
	for code in _settings.keys.codes(action):
		names.append(KeyMap.name_of(code) if code != "" else "")
	var at := _listener.slot if listening == action else -1
	_lines[action].show_keys(names, _settings.keys.is_changed(action), at)


func _listen(slot: int, action: String) -> void:
	stop()
	listening = action
	_listener.begin(slot)
	var is_pad: bool = slot == KeyListener.PAD_SLOT
	emit_signal("told", tr("SETTINGS_PRESS_BUTTON" if is_pad else "SETTINGS_PRESS_KEY"))
	_show(action)


func _on_heard(code: String) -> void:
	var action := listening
	var old: String = _settings.keys.codes(action)[_listener.slot]
	stop()
	var other: String = _settings.keys.change(action, _listener.slot, code)
	if other != "":
		var said := {"key": KeyMap.name_of(code), "other": Actions.name_of(other)}
		said.old = KeyMap.name_of(old)
		var text := tr("SETTINGS_SWAPPED" if old != "" else "SETTINGS_TAKEN")
		emit_signal("told", text.format(said))
	_settings.get_tree().call_group("sounds", "play", "tick")
	_keep()


func _on_reset(action: String) -> void:
	_settings.keys.reset(action)
	_keep()


func _keep() -> void:
	refresh()
	_settings.keep_keys()
