extends Reference
# Where the time of a request goes: the causes in the order of a request's way, their colours and
# words.

const Palette := preload("res://scenes/theme/palette.gd")
const COLOURS := {
	"queue": Color("76829f"),
	"link": Color("9a6ff0"),
	"prefill": Palette.PROMPT,
	"weights": Palette.TOKEN,
	"kv": Palette.KV,
	"host": Color("c9d2e6"),
	"others": Color("2f8f9d"),
	"preemption": Palette.WARNING,
	"rejected": Palette.REJECT,
}


# [name, ps] of those that took time, in the order of the way.
static func in_order(told: Array) -> Array:
	var times := {}
	for cause in told:
		times[cause[0]] = cause[1]
	var found := []
	for name in COLOURS:
		if times.get(name, 0) > 0:
			found.append([name, times[name]])
	return found


static func name_of(cause: String) -> String:
	return TranslationServer.translate("CAUSE_" + cause.to_upper())


static func tip_of(cause: String) -> String:
	return TranslationServer.translate("CAUSE_%s_TIP" % cause.to_upper())
