extends Node
# What a test asks of the running game: JSON lines that it writes to a file, one carried out each
# frame. Game pad events, {"button": 0, "pressed": true} or {"axis": 0, "value": 1.0};
# {"drop": path} for a file that is dropped on the window; {"close": true} for its cross; and
# {"draw": 7} to be told when all that is shown now has been drawn.

signal drawn(number)

var _path := ""
var _read := 0
var _waiting := []


func follow(path: String) -> void:
	_path = path


func _process(_delta: float) -> void:
	if _path == "":
		return
	if _waiting.empty():
		_read_lines()
	if not _waiting.empty():
		_carry_out(_waiting.pop_front())


func _read_lines() -> void:
	var file := File.new()
	if not file.file_exists(_path) or file.open(_path, File.READ) != OK:
		return
	file.seek(_read)
	while file.get_position() < file.get_len():
		var line := file.get_line()
		if line != "":
			_waiting.append(JSON.parse(line).result)
	_read = file.get_len()
	file.close()


func _carry_out(order: Dictionary) -> void:
	if order.has("draw"):
		_tell_drawn(int(order.draw))
	elif order.has("drop"):
		get_tree().emit_signal("files_dropped", PoolStringArray([order.drop]), 0)
	elif order.has("close"):
		get_tree().notification(MainLoop.NOTIFICATION_WM_QUIT_REQUEST)
	elif order.has("button"):
		var button := InputEventJoypadButton.new()
		button.button_index = int(order.button)
		button.pressed = order.pressed
		Input.parse_input_event(button)
	else:
		var axis := InputEventJoypadMotion.new()
		axis.axis = int(order.axis)
		axis.axis_value = order.value
		Input.parse_input_event(axis)


# The frame that is being made may have been arranged for another window: the next one is right.
func _tell_drawn(number: int) -> void:
	for _frame in 2:
		yield(VisualServer, "frame_post_draw")
	emit_signal("drawn", number)
