extends Reference
# How far a mod has come, as a colour, a line picture and words; the names are the engine's.

const Palette := preload("res://scenes/theme/palette.gd")
const COLOURS := {
	"enabled": Palette.GOOD,
	"disabled": Palette.TEXT_FAINT,
	"loading": Palette.TOKEN,
	"asking": Palette.WARNING,
	"missing": Palette.WARNING,
	"incompatible": Palette.WARNING,
	"failed": Palette.BAD,
}
# Names in scenes/theme/glyph.gd.
const GLYPHS := {
	"enabled": "better",
	"disabled": "fold",
	"loading": "loading",
	"asking": "hint",
	"missing": "missing",
	"incompatible": "incompatible",
	"failed": "close",
}


static func colour(state: String) -> Color:
	return COLOURS.get(state, Palette.WARNING)


static func glyph(state: String) -> String:
	return GLYPHS.get(state, "hint")


static func words(state: String) -> String:
	return TranslationServer.translate("MOD_STATE_" + state.to_upper())
