extends Reference
# What happens in a run by itself that the player should hear of: messages of the level, a GPU that
# fails or works again, machines that are granted, other traffic. As a colour, a line picture and
# words; the codes are the engine's.

const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const Words := preload("res://scenes/theme/words.gd")
const COLOURS := {
	"hook.message": Palette.TOKEN,
	"hook.stopped": Palette.BAD,
	"pad.broken": Palette.BAD,
	"pad.repaired": Palette.GOOD,
	"grant": Palette.DRAFT,
	"traffic.changed": Palette.PROMPT,
}
# Names in scenes/theme/glyph.gd.
const GLYPHS := {
	"hook.message": "messages",
	"hook.stopped": "close",
	"pad.broken": "broken",
	"pad.repaired": "better",
	"grant": "save",
	"traffic.changed": "graphs",
}
# Letters of a word in a line, and of the whole.
const WORD := 30
const MOST := 400


# Whether it is something of that kind.
static func is_one(code: String) -> bool:
	return COLOURS.has(code)


# `happened`: an event or a mark, {code, params, ...}.
static func words(happened: Dictionary) -> String:
	var params: Dictionary = happened.params
	var text := ""
	match happened.code:
		"hook.message":
			text = _message(params)
		"hook.stopped":
			text = "%s %s" % [Words.of(happened.code, params), Words.of(params.code, params.params)]
		"grant":
			var taken: bool = params.count < 0
			params = params.duplicate()
			params.count = abs(params.count)
			text = Words.of("NOTICE_TAKEN" if taken else "grant", params)
		_:
			text = Words.of(happened.code, params)
	if text.length() > MOST:
		text = text.left(MOST) + " …"
	return PlainText.of(text, WORD, true)


# A code of the level's own texts, or its words by language.
static func _message(params: Dictionary) -> String:
	var text: String = TranslationServer.translate(params.text) if params.text != "" else ""
	if not params.texts.empty():
		var language := TranslationServer.get_locale().left(2)
		var texts: Dictionary = params.texts
		text = texts.get(language, texts.get("en", texts.values()[0]))
	return text.format(params.params)
