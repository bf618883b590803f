extends Reference
# What is said of a mod: its own words as plain text, and the game's about it.

const PlainText := preload("res://scenes/theme/plain_text.gd")
const Words := preload("res://scenes/theme/words.gd")
# Letters of a word in a line.
const TITLE := 20
const BODY := 36
# The most that is shown of a text.
const MOST := 2000


static func title(mod: Dictionary) -> String:
	var text := _said(mod.get("title"), TITLE)
	return text if text != "" else PlainText.of(mod.id, TITLE)


static func about(mod: Dictionary) -> String:
	return _said(mod.get("about"), BODY, true)


# Its version, who made it, under which terms, what it needs.
static func facts(mod: Dictionary) -> Array:
	var found := []
	_add(found, "MODS_VERSION", mod.get("version"))
	_add(found, "MODS_AUTHORS", mod.get("authors"))
	_add(found, "MODS_LICENCE", mod.get("licence"))
	_add(found, "MODS_NEEDS", mod.get("needs"))
	_add(found, "MODS_LEVELS", str(mod.levels.size()) if not mod.levels.empty() else "")
	return found


# Why it is in the state that it is in, where that is not told elsewhere; where walls are missing,
# what it could do.
static func reasons(mod: Dictionary) -> Array:
	var found := []
	var code = mod.get("code")
	var params: Dictionary = mod.params
	if typeof(code) == TYPE_STRING and not code in ["", "mod.failed"]:
		found.append(PlainText.of(Words.of(code, params), BODY, true))
	for wall in params.get("walls", []):
		found.append("•  " + TranslationServer.translate("wall." + str(wall)))
	return found


static func _add(found: Array, key: String, value) -> void:
	var text := PlainText.of(_joined(value), BODY)
	if text != "":
		found.append(TranslationServer.translate(key).format({"value": text}))


static func _joined(value) -> String:
	var parts := PoolStringArray()
	match typeof(value):
		TYPE_STRING:
			return value
		TYPE_ARRAY:
			for each in value:
				parts.append(str(each))
		TYPE_DICTIONARY:
			for name in value:
				parts.append("%s %s" % [name, value[name]])
	return parts.join(", ")


# In the player's language, or in one that there is: {language: text}, a code, or a text.
static func _said(value, most_letters: int, lines: bool = false) -> String:
	var text := ""
	if typeof(value) == TYPE_STRING:
		text = TranslationServer.translate(value)
	elif typeof(value) == TYPE_DICTIONARY and not value.empty():
		var language := TranslationServer.get_locale().left(2)
		text = str(value.get(language, value.get("en", value.values()[0])))
	return PlainText.of(text.left(MOST), most_letters, lines)
