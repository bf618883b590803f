extends SceneTree
# For test_words.py: writes what Godot reads from each translation to OUTPUT, as JSON; how numbers
# are said in its language; and how wide its words are: WIDTHS holds {name: [key, font file, size]}.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Words := preload("res://scenes/theme/words.gd")


func _init() -> void:
	var read := {}
	var fonts: Dictionary = JSON.parse(OS.get_environment("WIDTHS")).result
	var folder := Directory.new()
	if folder.open("res://i18n") != OK or folder.list_dir_begin(true, true) != OK:
		quit(1)
		return
	var name := folder.get_next()
	while name != "":
		if name.ends_with(".po"):
			read[name] = _told("res://i18n/" + name, fonts)
		name = folder.get_next()
	var output := File.new()
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		output.store_string(to_json(read))
		output.close()
	quit()


func _told(path: String, fonts: Dictionary) -> Dictionary:
	var translation := load(path) as Translation
	if translation == null:
		return {}
	TranslationServer.add_translation(translation)
	TranslationServer.set_locale(translation.locale)
	var messages := {}
	for key in translation.get_message_list():
		messages[key] = translation.get_message(key)
	var widths := {}
	for name in fonts:
		var font := Fonts.make(fonts[name][1], int(fonts[name][2]))
		widths[name] = font.get_string_size(messages.get(fonts[name][0], "")).x
	var told := {
		"locale": translation.locale, "messages": messages, "numbers": _numbers(), "widths": widths
	}
	TranslationServer.remove_translation(translation)
	return told


func _numbers() -> Array:
	return [
		Words.seconds(2.5),
		Words.thousands(-1234567),
		Words.decimal(1234.56, 1),
		Words.figure({"value": 0.25, "unit": "unit.ratio"}),
		Words.figure({"value": 4096, "unit": "unit.count"}),
		Words.goal_bound({"code": "goal.ttft_p95", "target": 2.5, "at_least": false}),
	]
