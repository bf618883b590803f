extends SceneTree
# For test_settings_file.py: for each text in CASES, lets the settings read a file with it, changes
# one of them, and writes what came of it to OUTPUT, as JSON.

const Settings := preload("res://scenes/settings/settings.gd")


func _init() -> void:
	var file := File.new()
	if file.open(OS.get_environment("CASES"), File.READ) != OK:
		quit(1)
		return
	var cases: Array = JSON.parse(file.get_as_text()).result
	file.close()
	var told := []
	for index in cases.size():
		told.append(_told("user://settings_%d.json" % index, cases[index]))
	if file.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		file.store_string(to_json(told))
		file.close()
	quit()


func _told(path: String, text) -> Dictionary:
	var file := File.new()
	if text != null and file.open(path, File.WRITE) == OK:
		file.store_string(text)
		file.close()
	var settings := Settings.new(path)
	settings.read()
	var told := {"problem": settings.problem, "values": {}}
	for name in settings.DEFAULTS:
		told.values[name] = settings.value(name)
	told["rotate"] = settings.keys.codes("rotate")
	settings.change("music", 30)
	told["changed_problem"] = settings.problem
	settings.keys.reset_all()
	settings.free()
	told["aside"] = _text_of(path + ".broken")
	told["kept"] = _text_of(path)
	return told


func _text_of(path: String) -> String:
	var file := File.new()
	var text := ""
	if file.open(path, File.READ) == OK:
		text = file.get_as_text()
		file.close()
	return text
