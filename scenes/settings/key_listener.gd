extends Reference
# Waits for the next key, or for the next button of a game pad, and tells its code.

signal heard(code)
signal given_up

const KeyMap := preload("res://scenes/settings/key_map.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const PAD_SLOT := 2
const MODIFIERS := [KEY_SHIFT, KEY_CONTROL, KEY_ALT, KEY_META]

var slot := 0

var _chord := false
var _modifier := 0


# `at`: the slot that is to be set, as scenes/settings/key_map.gd counts them.
func begin(at: int) -> void:
	slot = at
	_chord = false
	_modifier = 0


# Takes an event; whether it was for the listener. Esc gives up; on a pad B, while a key is waited
# for.
func take(event: InputEvent) -> bool:
	if event is InputEventKey:
		if event.scancode == KEY_ESCAPE:
			if event.pressed:
				emit_signal("given_up")
		elif slot != PAD_SLOT:
			_take_key(event)
		return true
	if event is InputEventJoypadButton:
		if slot == PAD_SLOT:
			_take_button(event)
		elif event.pressed and event.is_action("ui_cancel"):
			emit_signal("given_up")
		return true
	return event is InputEventJoypadMotion


# Shift and the like count alone only when they are let go alone.
func _take_key(event: InputEventKey) -> void:
	if event.echo:
		return
	if event.scancode in MODIFIERS:
		if event.pressed:
			_modifier = event.scancode
		elif event.scancode == _modifier:
			_hear(_plain(event.scancode))
	elif event.pressed and not event.alt and not event.meta:
		_hear(KeyMap.code_of(event))


func _take_button(event: InputEventJoypadButton) -> void:
	if event.button_index == Keys.CHORD:
		if event.pressed:
			_chord = true
		elif _chord:
			_hear("Pad %d" % (Keys.CHORDED + Keys.CHORD))
	elif event.pressed:
		_hear("Pad %d" % (event.button_index + (Keys.CHORDED if _chord else 0)))


func _plain(scancode: int) -> String:
	return OS.get_scancode_string(scancode)


# Nothing that could not be read again, such as a key that the system has no name for.
func _hear(code: String) -> void:
	if code != "" and KeyMap.event_of(code) != null:
		emit_signal("heard", code)
