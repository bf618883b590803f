extends Reference
# Codes and numbers as people read them. Every word comes from the translations in i18n/.

const NO_VALUE := "–"
# Figures of goals: seconds, shares of all, dollars, and those that need two places.
const PERCENTILES := ["_p50", "_p95", "_p99"]
const SHARES := ["on_time", "worst_on_time"]
const MONEY := ["usd_per_task"]
# What a task costs is told of so many.
const TASKS := 1000.0
const FINE := ["fairness", "goodput"]

# Parameters that hold a name of the engine's, and where its words are found.
const NAMED := {
	"kind": "KIND_",
	"packet": "PACKET_",
	"name": "SETTING_",
	"from": "KIND_",
	"to": "KIND_",
}


# The text of a code from the engine, its {parameters} filled in; what they name is said in words.
static func of(code: String, params = {}) -> String:
	var text := TranslationServer.translate(code)
	if typeof(params) != TYPE_DICTIONARY:
		return text
	var said: Dictionary = params.duplicate()
	for name in NAMED:
		if typeof(said.get(name)) == TYPE_STRING:
			var key: String = NAMED[name] + said[name].to_upper()
			var words := TranslationServer.translate(key)
			said[name] = said[name] if words == key else words
	if typeof(said.get("pad")) == TYPE_INT:
		said.pad = pad_letter(said.pad)
	if typeof(said.get("tenant")) == TYPE_STRING:
		said.tenant = tenant(said.tenant)
	return text.format(said)


# A change that the engine names, and what it would bring: "Set ...: TTFT p95 3.1 s → 2.2 s".
static func fix(fix: Dictionary) -> String:
	var text := of(fix.code, fix.params)
	if fix.steps.size() > 1:
		var more := {"step": text, "count": fix.steps.size() - 1}
		text = TranslationServer.translate("DIAGNOSIS_MORE").format(more)
	return text


# What a change does to a goal's figure: "TTFT p95 3.1 s → 2.2 s".
static func change(code: String, before, after) -> String:
	var values := {
		"metric": goal_words(code),
		"before": goal_value(code, before),
		"after": goal_value(code, after),
	}
	return TranslationServer.translate("DIAGNOSIS_CHANGE").format(values)


# A goal's figure as the bar calls it.
static func goal_words(code: String) -> String:
	return TranslationServer.translate("HUD_" + goal_name(code).to_upper())


static func seconds(value) -> String:
	if value == null:
		return NO_VALUE
	if abs(value) < 0.9995:
		return "%d ms" % int(round(value * 1000.0))
	return "%s s" % decimal(value, 2 if abs(value) < 10.0 else 1 if abs(value) < 100.0 else 0)


# The figure that a goal's code judges, by its name: "goal.ttft_p95" is "ttft_p95_s".
static func goal_name(code: String) -> String:
	var name := code.trim_prefix("goal.")
	return name + "_s" if name.right(name.length() - 4) in PERCENTILES else name


# One goal among those of a level: several tenants may have one about the same figure.
static func goal_key(goal: Dictionary) -> String:
	var whose: String = goal.get("tenant", "")
	return goal.code if whose == "" else "%s@%s" % [goal.code, whose]


# What a goal is about, and whose requests: "TTFT p95, Chat".
static func goal_title(goal: Dictionary) -> String:
	var whose: String = goal.get("tenant", "")
	var title := goal_words(goal.code)
	return title if whose == "" else "%s, %s" % [title, tenant(whose)]


# A goal's bound, as short as it can be written: "≤ 2.5 s".
static func goal_bound(goal: Dictionary) -> String:
	var name := goal_name(goal.code)
	var text := pointed(str(goal.target))
	if name.ends_with("_s"):
		text = TranslationServer.translate("UNIT_SECONDS").format({"value": text})
	elif name in SHARES:
		text = percent(goal.target)
	elif name in MONEY:
		text = cents(goal.target * TASKS)
	return ("≥ " if goal.at_least else "≤ ") + text


static func goal_value(code: String, value) -> String:
	var name := goal_name(code)
	if value == null:
		return NO_VALUE
	if name.ends_with("_s"):
		return seconds(value)
	if name in SHARES:
		return "%s %%" % decimal(value * 100.0, 1 if value < 0.9995 else 0)
	if name in MONEY:
		return cents(value * TASKS)
	if name in FINE:
		return decimal(value, 2)
	return decimal(value, 1 if name.ends_with("tps") or name == "finished" else 0)


# Small amounts of money, given in dollars.
static func cents(value) -> String:
	if value == null:
		return NO_VALUE
	return TranslationServer.translate("UNIT_CENTS").format({"value": short(value * 100.0)})


static func pad_name(pad: Dictionary) -> String:
	return TranslationServer.translate("PAD_NAME").format(
		{"letter": pad_letter(pad.id), "gpu": pad.gpu}
	)


# A tenant by its id; one that has no words is called by that.
static func tenant(id: String) -> String:
	var code := "tenant." + id
	var words := TranslationServer.translate(code)
	return id.capitalize() if words == code else words


# A card's name without the line that it is of.
static func card(name: String) -> String:
	return name.trim_prefix("GeForce ")


# GPUs are called A, B, C, ... by their ids.
static func pad_letter(id: int) -> String:
	return char(65 + id)


static func picoseconds(value) -> String:
	return NO_VALUE if value == null else seconds(float(value) / 1e12)


# Simulated time as minutes and seconds.
static func clock(picoseconds: int) -> String:
	var whole := int(picoseconds / 1000000000000)
	return "%d:%02d" % [whole / 60, whole % 60]


# A figure that the engine gives with its unit, {value, unit}: "0.97 s", "4,096 tokens".
static func figure(told: Dictionary) -> String:
	var value = told.value
	if value == null:
		return NO_VALUE
	if told.unit == "unit.s":
		return seconds(value)
	if told.unit in ["unit.percent", "unit.points"] and value != 0:
		return TranslationServer.translate(told.unit).format({"value": decimal(value, 1)})
	var text := thousands(value) if typeof(value) == TYPE_INT else short(value)
	return TranslationServer.translate(told.unit).format({"value": text})


# A day as messages to the engine have it: "2024-02-29".
static func today() -> String:
	var day := OS.get_date()
	return "%04d-%02d-%02d" % [day.year, day.month, day.day]


# Now, likewise: "2024-02-29 18:05".
static func now() -> String:
	var time := OS.get_time()
	return "%s %02d:%02d" % [today(), time.hour, time.minute]


# Three figures that count.
static func short(value: float) -> String:
	var size := abs(value)
	if size == 0.0 or size >= 99.95:
		return thousands(int(round(value)))
	return decimal(value, 1 if size >= 9.995 else 2 if size >= 0.9995 else 3)


static func decimal(value, digits: int) -> String:
	return NO_VALUE if value == null else pointed("%.*f" % [digits, value])


# A number with the decimal mark of the language.
static func pointed(number: String) -> String:
	return number.replace(".", TranslationServer.translate("NUMBER_POINT"))


static func percent(share) -> String:
	return NO_VALUE if share == null else "%d %%" % int(round(share * 100.0))


static func mebibytes(bytes) -> String:
	return NO_VALUE if bytes == null else thousands(int(bytes / 1048576))


static func thousands(value: int) -> String:
	var digits := str(int(abs(value)))
	var grouped := ""
	var mark := TranslationServer.translate("NUMBER_GROUP")
	while digits.length() > 3:
		grouped = mark + digits.right(digits.length() - 3) + grouped
		digits = digits.left(digits.length() - 3)
	return ("-" if value < 0 else "") + digits + grouped
