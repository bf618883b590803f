extends SceneTree
# For test_mods_ask.py: shows in the browser what the engine tells of mods (TOLD, JSON), goes
# through it with a game pad, and writes what it says and what it wants of the engine to OUTPUT.

const HandIn := preload("res://checks/hand_in.gd")
const ModsPanel := preload("res://scenes/mods/mods_panel.gd")

var _panel: Control
var _library := Library.new()


func _init() -> void:
	call_deferred("_run")


func _run() -> void:
	var file := File.new()
	file.open(OS.get_environment("TOLD"), File.READ)
	_library.told = JSON.parse(file.get_as_text()).result
	file.close()
	TranslationServer.add_translation(load("res://i18n/en.po"))
	TranslationServer.set_locale("en")
	root.add_child(_library)
	_panel = ModsPanel.new()
	root.add_child(_panel)
	_panel.set_up(_library)
	_panel.fit(Rect2(0, 0, 624, 464))
	_panel.open()
	yield(self, "idle_frame")
	var said: Dictionary = _panel.texts()
	var inside := Rect2(0, 0, 624, 464).encloses(_panel.get_global_rect())
	# From the list to the buttons of the mod, and press the first one.
	var presses := [_button(JOY_BUTTON_0, true), _button(JOY_BUTTON_0, false)]
	for event in [_stick(1.0), _stick(0.0)] + presses:
		HandIn.send(event)
		for _frame in 3:
			yield(self, "idle_frame")
	var output := File.new()
	output.open(OS.get_environment("OUTPUT"), File.WRITE)
	output.store_string(to_json({"said": said, "inside": inside, "given": _library.given}))
	output.close()
	quit()


func _stick(value: float) -> InputEvent:
	var event := InputEventJoypadMotion.new()
	event.axis = JOY_AXIS_0
	event.axis_value = value
	return event


func _button(index: int, pressed: bool) -> InputEvent:
	var event := InputEventJoypadButton.new()
	event.button_index = index
	event.pressed = pressed
	return event


class Library:
	extends Node
	# What the browser needs of scenes/mods/mod_library.gd.

	signal changed
	signal refused(answer)

	var told := {}
	var watched := false
	var given := []

	func refresh() -> void:
		emit_signal("changed")

	func give(request: Dictionary) -> bool:
		given.append(request)
		return true

	func mod(id: String) -> Dictionary:
		for each in told.mods:
			if each.id == id:
				return each
		return {}
