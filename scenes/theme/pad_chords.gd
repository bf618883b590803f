extends Node
# Two buttons of a game pad together become one of their own, as scenes/theme/keys.gd numbers them.

const Keys := preload("res://scenes/theme/keys.gd")

var _holding := false
var _used := false


func _input(event: InputEvent) -> void:
	if not event is InputEventJoypadButton or event.button_index >= Keys.CHORDED:
		return
	if event.button_index == Keys.CHORD:
		_holding = event.pressed
		if event.pressed:
			_used = false
		elif not _used:
			_send(Keys.CHORD)
		return
	if not _holding:
		return
	_used = true
	if _means_something(event.button_index + Keys.CHORDED):
		if event.pressed:
			_send(event.button_index)
		# Only now: what is sent begins anew what is handled.
		get_tree().set_input_as_handled()


func _means_something(button: int) -> bool:
	for action in InputMap.get_actions():
		for event in InputMap.get_action_list(action):
			if event is InputEventJoypadButton and event.button_index == button:
				return true
	return false


# Pressed and let go: the chord button may be let go before the other one.
func _send(button: int) -> void:
	for pressed in [true, false]:
		var event := InputEventJoypadButton.new()
		event.button_index = button + Keys.CHORDED
		event.pressed = pressed
		Input.parse_input_event(event)
