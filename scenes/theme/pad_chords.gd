extends Node
# Two buttons of a game pad together, as scenes/theme/keys.gd names them, become the actions that
# the keyboard has a key for.

const Keys := preload("res://scenes/theme/keys.gd")

var _holding := false
var _used := false


func _input(event: InputEvent) -> void:
	if not event is InputEventJoypadButton:
		return
	if event.button_index == Keys.CHORD:
		_holding = event.pressed
		if event.pressed:
			_used = false
		elif not _used:
			_send(Keys.CHORD_ALONE)
		return
	if not _holding:
		return
	_used = true
	for action in Keys.CHORDS:
		if Keys.CHORDS[action] == event.button_index:
			if event.pressed:
				_send(action)
			# Only now: what is sent begins anew what is handled.
			get_tree().set_input_as_handled()


func _send(action: String) -> void:
	for pressed in [true, false]:
		var event := InputEventAction.new()
		event.action = action
		event.pressed = pressed
		Input.parse_input_event(event)
