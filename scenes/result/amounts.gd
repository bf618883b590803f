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
	var unit: String = UNITS.get(_name_of(metric), "")
	if value == null or unit == "":
		return bare(metric, value)
	return TranslationServer.translate(unit).format({"value": bare(metric, value)})


# The same without its unit, where that is said beside it; seconds have theirs.
static func bare(metric: String, value) -> String:
	var name := _name_of(metric)
	if value == null:
		return Words.NO_VALUE
	if name.ends_with("_p95") or name.ends_with("_p99"):
		return Words.seconds(value)
	if name in Words.SHARES + Words.MONEY + Words.FINE:
		return Words.goal_value(name, value)
	if name == "usd_per_mtok":
		return _cents(value)
	return Words.short(value) if UNITS.has(name) else Words.decimal(value, 0)


# Dollars: whole ones, cents only of small amounts.
static func dollars(value: float) -> String:
	return "$" + (Words.decimal(value, 2) if value < 10.0 else Words.thousands(int(round(value))))


# A price that is compared with its bar needs more than three figures.
static func _cents(value: float) -> String:
	return Words.decimal(value, 3 if value < 1.0 else 2)


static func _name_of(metric: String) -> String:
	return Array(metric.split(".")).back()
