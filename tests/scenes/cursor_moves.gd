extends SceneTree
# For test_cursor.py: moves the floor cursor by keys, by a game pad's cross and by its stick, and
# writes the tile after each to OUTPUT, as JSON. No device is needed: the events are made here.

const FloorCursor := preload("res://scenes/floor/floor_cursor.gd")
const HandIn := preload("res://checks/hand_in.gd")

var _cursor: Node
var _done := []


func _init() -> void:
	call_deferred("_run")


func _run() -> void:
	_cursor = FloorCursor.new()
	_cursor.world = Node2D.new()
	_cursor.connect("pressed", self, "_on_pressed")
	root.add_child(_cursor)
	yield(self, "idle_frame")
	for scancode in [KEY_RIGHT, KEY_DOWN, KEY_L, KEY_I]:
		_tap(_key(scancode, true), _key(scancode, false))
	for button in [JOY_DPAD_RIGHT, JOY_DPAD_DOWN, JOY_DPAD_LEFT, JOY_DPAD_UP]:
		_tap(_button(button, true), _button(button, false))
	# A stick on its way out tells of itself many times; it is one step.
	for value in [0.2, 0.6, 0.8, 1.0, 0.7, 0.1]:
		HandIn.send(_axis(JOY_AXIS_0, value))
	_tell()
	_tap(_button(JOY_BUTTON_0, true), _button(JOY_BUTTON_0, false))
	var output := File.new()
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		output.store_string(to_json(_done))
		output.close()
	_cursor.world.free()
	quit()


func _tap(down: InputEvent, up: InputEvent) -> void:
	HandIn.send(down)
	HandIn.send(up)
	_tell()


func _tell() -> void:
	_done.append([_cursor.tile.x, _cursor.tile.y])


func _on_pressed(tile: Vector2) -> void:
	_done.append({"pressed": [tile.x, tile.y]})


func _key(scancode: int, pressed: bool) -> InputEventKey:
	var event := InputEventKey.new()
	event.scancode = scancode
	event.pressed = pressed
	return event


func _button(index: int, pressed: bool) -> InputEventJoypadButton:
	var event := InputEventJoypadButton.new()
	event.button_index = index
	event.pressed = pressed
	return event


func _axis(axis: int, value: float) -> InputEventJoypadMotion:
	var event := InputEventJoypadMotion.new()
	event.axis = axis
	event.axis_value = value
	return event
