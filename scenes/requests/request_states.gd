extends Reference
# What becomes of a request, in words and colours.

const Palette := preload("res://scenes/theme/palette.gd")
const COLOURS := {
	"queued": Palette.WARNING,
	"link": Palette.KV,
	"prefill": Palette.PROMPT,
	"waiting": Palette.WARNING,
	"decode": Palette.TOKEN,
	"done": Palette.TEXT_SOFT,
	"refused": Palette.BAD,
	"lost": Palette.BAD,
}


static func colour_of(state: String) -> Color:
	return COLOURS[state]


static func words_of(state: String) -> String:
	return TranslationServer.translate("REQUEST_STATE_" + state.to_upper())
