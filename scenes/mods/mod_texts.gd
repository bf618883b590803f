extends Reference
# The words that mods and the open level bring, beside the game's own. They are plain text, and none
# takes the place of a word of the game's.

const WORDS := "res://i18n/%s.po"

var _added := []


# Asks for them anew, in each language that the game speaks.
func refresh(client: Node) -> void:
	for words in _added:
		TranslationServer.remove_translation(words)
	_added = []
	for language in _languages():
		var answer: Dictionary = client.ask({"ask": "texts", "language": language})
		if answer.ok and typeof(answer.get("texts")) == TYPE_DICTIONARY:
			_add(language, answer.texts)


func _add(language: String, texts: Dictionary) -> void:
	var own := load(WORDS % language) as Translation
	var words := Translation.new()
	words.locale = language
	for code in texts:
		var usable := typeof(code) == TYPE_STRING and typeof(texts[code]) == TYPE_STRING
		if usable and texts[code] != "" and own.get_message(code) == "":
			words.add_message(code, texts[code])
	TranslationServer.add_translation(words)
	_added.append(words)


static func _languages() -> Array:
	var found := []
	for language in TranslationServer.get_loaded_locales():
		if not language in found and ResourceLoader.exists(WORDS % language):
			found.append(language)
	return found
