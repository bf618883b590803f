extends SceneTree
# For test_words.py: writes what Godot reads from each translation to OUTPUT, as JSON.


func _init() -> void:
	var read := {}
	var folder := Directory.new()
	if folder.open("res://i18n") != OK or folder.list_dir_begin(true, true) != OK:
		quit(1)
		return
	var name := folder.get_next()
	while name != "":
		if name.ends_with(".po"):
			read[name] = _messages("res://i18n/" + name)
		name = folder.get_next()
	var output := File.new()
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		output.store_string(to_json(read))
		output.close()
	quit()


func _messages(path: String) -> Dictionary:
	var translation := load(path) as Translation
	var messages := {}
	if translation != null:
		for key in translation.get_message_list():
			messages[key] = translation.get_message(key)
	return messages
