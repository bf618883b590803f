extends SceneTree
# For test_settings_file.py: for each text in CASES, lets the settings look into a file with it,
# then hands them what the engine would have read, changes one of them, and writes what came of it
# to OUTPUT, as JSON.

const KeptClient := preload("res://checks/kept_client.gd")
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


func _told(path: String, case: Dictionary) -> Dictionary:
	var file := File.new()
	if case.text != null and file.open(path, File.WRITE) == OK:
		file.store_string(case.text)
		file.close()
	var settings := Settings.new()
	settings.read(path)
	var told := {"early": _values(settings)}
	var client := KeptClient.new()
	client.data = case.kept
	settings.keep_with(client)
	told["values"] = _values(settings)
	told["problem"] = settings.problem
	told["rotate"] = settings.keys.codes("rotate")
	settings.change("music", 30)
	told["changed_problem"] = settings.problem
	told["written"] = client.written
	client.refusal = "player.not_saved"
	settings.change("music", 40)
	told["refused"] = settings.problem
	settings.keys.reset_all()
	settings.free()
	client.free()
	return told


func _values(settings: Node) -> Dictionary:
	var values := {}
	for name in settings.DEFAULTS:
		values[name] = settings.value(name)
	return values
