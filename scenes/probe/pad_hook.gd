extends Node
# A game pad for tests: plays the button and axis events that somebody writes to a file, a JSON line
# each, one a frame: {"button": 0, "pressed": true} or {"axis": 0, "value": 1.0}.

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
		_play(_waiting.pop_front())


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


func _play(told: Dictionary) -> void:
	if told.has("button"):
		var button := InputEventJoypadButton.new()
		button.button_index = int(told.button)
		button.pressed = told.pressed
		Input.parse_input_event(button)
	else:
		var axis := InputEventJoypadMotion.new()
		axis.axis = int(told.axis)
		axis.axis_value = told.value
		Input.parse_input_event(axis)
