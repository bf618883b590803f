extends Reference
# What a level says of itself: its name, its line on the title, its hint, ... Those of the campaign
# have a number, and words in the game's own translations; others bring theirs as texts of their
# own, which scenes/mods/mod_texts.gd adds.

const PlainText := preload("res://scenes/theme/plain_text.gd")
const SANDBOX := "sandbox"
const OWN := "own"
# Letters of a word in a line, before it goes on in the next.
const MOST := 24
# The parts, and the names of their texts in a level's own.
const PARTS := {
	"NAME": "title",
	"LINE": "line",
	"HINT_TITLE": "hint_title",
	"HINT": "hint",
	"WON": "won",
}


# `level`: as the engine lists it, {number, id, ...}; "" where the level does not say it.
static func of(level: Dictionary, part: String) -> String:
	if is_campaign(level):
		return TranslationServer.translate("LEVEL_%s_%s" % [level.number, part])
	var code := "level.%s.%s" % [level.id, PARTS[part]]
	var text := TranslationServer.translate(code)
	if text != code:
		return PlainText.of(text, MOST)
	if part in ["LINE", "HINT"] and is_own(level):
		return TranslationServer.translate("OWN_LEVEL_" + part)
	match part:
		"NAME":
			return PlainText.of(level.id, MOST)
		"HINT_TITLE":
			return of(level, "NAME")
		"WON":
			return TranslationServer.translate("MOD_LEVEL_WON")
	return ""


# The name of a saved game's level, which need not be there any more.
static func of_save(save: Dictionary) -> String:
	var titles: Dictionary = save.titles
	if titles.empty():
		return of({"number": save.number, "id": save.level}, "NAME")
	var language := TranslationServer.get_locale().left(2)
	return PlainText.of(titles.get(language, titles.values()[0]), MOST)


# Its name, and where it is from.
static func whose(level: Dictionary) -> String:
	var name := of(level, "NAME")
	if mod_of(level) == "" or is_own(level):
		return name
	var said := {"level": name, "mod": PlainText.of(mod_of(level), MOST)}
	return TranslationServer.translate("LEVEL_OF_MOD").format(said)


# The mod that a level is from; "" for the game's own.
static func mod_of(level: Dictionary) -> String:
	var mod = level.get("mod")
	if typeof(mod) == TYPE_STRING:
		return mod
	return level.id.split("/")[0] if "/" in level.id else ""


# Whether it was kept from the sandbox.
static func is_own(level: Dictionary) -> bool:
	return mod_of(level) == OWN


# Whether it is the sandbox, or was kept from it: a floor without a goal.
static func is_sandbox(level: Dictionary) -> bool:
	return level.id == SANDBOX or is_own(level)


static func is_campaign(level: Dictionary) -> bool:
	return mod_of(level) == "" and level.number > 0


# What opens it.
static func key_of(level: Dictionary):
	return level.number if is_campaign(level) else level.id
