extends Reference
# Figures of a run as the result shows them, each with its unit.

const Words := preload("res://scenes/theme/words.gd")
const UNITS := {
	"usd_per_mtok": "unit.usd_per_mtok",
	"j_per_token": "unit.j_per_token",
	"user_tps": "unit.tokens_per_s",
	"tps": "unit.tokens_per_s",
}


# `metric`: a goal's or a histogram's code, or its last part.
static func of(metric: String, value) -> String:
	if value == null:
		return Words.NO_VALUE
	var name: String = Array(metric.split(".")).back()
	if name.ends_with("_p95"):
		return Words.seconds(value)
	if not UNITS.has(name):
		return Words.decimal(value, 0)
	var unit: String = TranslationServer.translate(UNITS[name])
	return unit.format({"value": _cents(value) if name.begins_with("usd") else Words.short(value)})


# Dollars: whole ones, cents only of small amounts.
static func dollars(value: float) -> String:
	return "$" + (Words.decimal(value, 2) if value < 10.0 else Words.thousands(int(round(value))))


# A price that is compared with its bar needs more than three figures.
static func _cents(value: float) -> String:
	return Words.decimal(value, 3 if value < 1.0 else 2)
