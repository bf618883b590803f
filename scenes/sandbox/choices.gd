extends Reference
# What the player chooses for a floor of his own, line by line, and the plan that the engine makes a
# level of. What there is to choose from comes from the engine.

const Words := preload("res://scenes/theme/words.gd")
const VERSION := 1
const PAGES := {
	"floor": ["size", "docks", "link", "cards"],
	"serving": ["model", "supply", "acceptance", "minutes"],
	"traffic": ["apps", "app", "traffic"],
}
const LENGTHS := ["prompt_low", "prompt_high", "output_low", "output_high"]
# The lines of each kind of traffic.
const TRAFFIC := {
	"paced": ["rate", "jitter"],
	"poisson": ["rate"],
	"bursts": ["rate", "burst_rate", "burst_s", "every_s"],
	"trace": ["trace"],
}
# What is asked of the answers.
const WANTED := ["prefix", "ttft_ms", "tpot_ms"]
const RATES := [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0]
const JITTERS := [0, 10, 25, 50, 100]
const TOKENS := [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
const BURSTS_S := [1, 2, 5, 10, 20, 30, 60]
const EVERY_S := [10, 20, 30, 60, 120, 300, 600]
const PREFIXES := [0, 16, 64, 128, 256, 512, 1024, 2048, 4096]
const TTFTS := [0, 200, 500, 1000, 1500, 2000, 3000, 5000, 10000, 30000, 60000]
const TPOTS := [0, 20, 30, 50, 80, 100, 150, 200, 500]
const MINUTES := [2, 5, 10, 15, 30, 60, 120]
const ACCEPTANCES := [40, 50, 60, 70, 80, 90, 95]
const PAIRS := {
	"prompt_low": "prompt_high",
	"prompt_high": "prompt_low",
	"output_low": "output_high",
	"output_high": "output_low",
}
const CARD := "card_"
const PS := 1000000000000.0

# An application as it begins.
const APP := {
	"traffic": "paced",
	"rate": 0.5,
	"jitter": 50,
	"burst_rate": 3.0,
	"burst_s": 10,
	"every_s": 60,
	"prompt_low": 256,
	"prompt_high": 1024,
	"output_low": 64,
	"output_high": 256,
	"trace": "",
	"prefix": 0,
	"ttft_ms": 0,
	"tpot_ms": 0,
}

# As it is kept: of plain values, so that it can be read again.
var chosen := {
	"version": VERSION,
	"size": 1,
	"docks": 1,
	"link": "10gbe",
	"cards": ["l4", "l4"],
	"model": "llama-3.1-8b",
	"acceptance": 80,
	"minutes": 30,
	"supply": "rented",
	"apps": [APP],
	"app": 0,
}

# The engine's answer to `sandbox`.
var _told := {}


func set_up(told: Dictionary) -> void:
	_told = told


# Takes what was kept, as far as it has the form of what can be kept.
func take(kept) -> void:
	chosen.apps = [APP.duplicate()]
	if typeof(kept) != TYPE_DICTIONARY:
		return
	_take_values(kept, chosen)
	if typeof(kept.get("cards")) == TYPE_ARRAY and not kept.cards.empty():
		chosen.cards = kept.cards
	if typeof(kept.get("apps")) == TYPE_ARRAY and not kept.apps.empty():
		chosen.apps = []
		for index in min(kept.apps.size(), _told.most_streams):
			chosen.apps.append(APP.duplicate())
			if typeof(kept.apps[index]) == TYPE_DICTIONARY:
				chosen.app = index
				_take_values(kept.apps[index], chosen.apps[index])
		chosen.app = 0
	_keep_room()


func _take_values(kept: Dictionary, into: Dictionary) -> void:
	for name in into:
		var plain: bool = not typeof(into[name]) in [TYPE_ARRAY, TYPE_DICTIONARY]
		if plain and typeof(kept.get(name)) == typeof(into[name]) and name != "version":
			if kept[name] in _values(name):
				into[name] = kept[name]


# The lines of a page, by name.
func lines(page: String) -> Array:
	var found := []
	for name in PAGES[page]:
		found.append(name)
		if name == "cards":
			for index in chosen.cards.size():
				found.append(CARD + str(index))
		elif name == "traffic":
			var kind: String = _app().traffic
			found += TRAFFIC[kind] + ([] if kind == "trace" else LENGTHS) + WANTED
	if page == "traffic" and chosen.apps.size() == 1:
		found.erase("app")
	return found


func title(name: String) -> String:
	if name.begins_with(CARD):
		var letter := Words.pad_letter(int(name.trim_prefix(CARD)))
		return TranslationServer.translate("SANDBOX_CARD").format({"letter": letter})
	return TranslationServer.translate("SANDBOX_" + name.to_upper())


func tip(name: String) -> String:
	var key := "CARD" if name.begins_with(CARD) else name.to_upper()
	return TranslationServer.translate("SANDBOX_%s_TIP" % key)


# What a line's value is called.
func said(name: String) -> String:
	if name.begins_with(CARD):
		return _named("gpus", _value(name)).name
	match name:
		"size":
			var size: Dictionary = _told.sizes[chosen.size]
			return "%d × %d" % [size.width, size.height]
		"cards":
			return str(chosen.cards.size())
		"link", "model":
			return _named(name + "s", chosen[name]).name
		"traffic":
			return TranslationServer.translate("SANDBOX_TRAFFIC_" + _app().traffic.to_upper())
		"trace":
			var none := TranslationServer.translate("SANDBOX_NO_TRACE")
			return none if _app().trace == "" else _app().trace.trim_suffix(".csv")
		"rate", "burst_rate":
			return Words.pointed(str(_value(name)))
		"jitter", "acceptance":
			return "%d %%" % _value(name)
		"burst_s", "every_s":
			return "%d s" % _value(name)
		"ttft_ms", "tpot_ms":
			var free := TranslationServer.translate("SANDBOX_NO_DEADLINE")
			return free if _value(name) == 0 else Words.seconds(_value(name) / 1000.0)
		"apps":
			return str(chosen.apps.size())
		"app":
			return Words.tenant(char(97 + chosen.app))
		"supply":
			return TranslationServer.translate("SANDBOX_SUPPLY_" + chosen.supply.to_upper())
		"minutes":
			return TranslationServer.translate("SANDBOX_MIN").format({"count": chosen.minutes})
	if name in LENGTHS or name == "prefix":
		return Words.thousands(_value(name))
	return str(_value(name))


# The next value, or the one before.
func step(name: String, way: int) -> void:
	var values := _values(name)
	if values.empty():
		return
	var at := values.find(_value(name))
	if name.begins_with(CARD) or name in ["link", "model", "supply", "traffic", "trace", "app"]:
		at = posmod(at + way, values.size())
	else:
		at = int(clamp(at + way, 0, values.size() - 1))
	_put(name, values[at])
	_keep_room()
	if PAIRS.has(name):
		var other: String = PAIRS[name]
		var low: bool = name.ends_with("_low")
		var app := _app()
		var apart: bool = app[name] > app[other] if low else app[name] < app[other]
		if apart:
			app[other] = app[name]


# Another trace is there, and is what is wanted.
func take_trace(told: Dictionary, name: String) -> void:
	_told = told
	_app().traffic = "trace"
	_app().trace = name


func wants_trace() -> bool:
	for app in chosen.apps:
		if app.traffic == "trace" and app.trace == "":
			return true
	return false


# As the engine takes it.
func plan() -> Dictionary:
	var streams := []
	for app in chosen.apps:
		streams.append(
			{
				"traffic": _traffic(app),
				"trace": app.trace if app.traffic == "trace" else "",
				"prefix_tokens": app.prefix,
				"ttft_ms": app.ttft_ms,
				"tpot_ms": app.tpot_ms,
			}
		)
	var size: Dictionary = _told.sizes[chosen.size]
	return {
		"width": size.width,
		"height": size.height,
		"model": chosen.model,
		"link": chosen.link,
		"cards": chosen.cards,
		"docks": chosen.docks,
		"acceptance_percent": chosen.acceptance,
		"supply": chosen.supply,
		"minutes": chosen.minutes,
		"streams": streams,
	}


# The application that the lines are about.
func _app() -> Dictionary:
	return chosen.apps[chosen.app]


func _traffic(app: Dictionary) -> Dictionary:
	var told := {
		"prompt": {"low": app.prompt_low, "high": app.prompt_high},
		"output": {"low": app.output_low, "high": app.output_high},
	}
	match app.traffic:
		"poisson":
			told["is"] = "PoissonTraffic"
			told["per_s"] = app.rate
		"bursts":
			told["is"] = "BurstTraffic"
			told["per_s"] = app.rate
			told["burst"] = app.burst_rate
			told["burst_s"] = float(app.burst_s)
			told["every_s"] = float(app.every_s)
		_:
			var interval := int(round(PS / app.rate))
			told["is"] = "Traffic"
			told["interval_ps"] = interval
			told["jitter_ps"] = int(interval / 100) * int(app.jitter)
	return told


func _value(name: String):
	if name.begins_with(CARD):
		return chosen.cards[int(name.trim_prefix(CARD))]
	if name in ["cards", "apps"]:
		return chosen[name].size()
	return chosen[name] if chosen.has(name) else _app()[name]


func _put(name: String, value) -> void:
	if name.begins_with(CARD):
		chosen.cards[int(name.trim_prefix(CARD))] = value
	elif name == "cards":
		while chosen.cards.size() < value:
			chosen.cards.append(chosen.cards.back())
		chosen.cards.resize(value)
	elif name == "apps":
		while chosen.apps.size() < value:
			chosen.apps.append(chosen.apps.back().duplicate())
		chosen.apps.resize(value)
		chosen.app = int(min(chosen.app, value - 1))
	elif chosen.has(name):
		chosen[name] = value
	else:
		_app()[name] = value


# What a line may be, in the order in which it is stepped through.
func _values(name: String) -> Array:
	if name.begins_with(CARD):
		return _ids("gpus")
	match name:
		"size":
			return range(_told.sizes.size())
		"cards":
			return range(1, _told.sizes[chosen.size].cards + 1)
		"docks":
			return range(1, _told.most_docks + 1)
		"link", "model":
			return _ids(name + "s")
		"supply":
			return _told.supplies
		"traffic":
			return TRAFFIC.keys()
		"trace":
			return _told.traces if not _told.traces.empty() else [""]
		"apps":
			return range(1, _told.most_streams + 1)
		"app":
			return range(chosen.apps.size())
		"rate", "burst_rate":
			return RATES
		"burst_s":
			return BURSTS_S
		"every_s":
			return EVERY_S
		"ttft_ms":
			return TTFTS
		"tpot_ms":
			return TPOTS
		"prefix":
			return _no_longer_than(PREFIXES, _app().prompt_low)
		"jitter":
			return JITTERS
		"minutes":
			return MINUTES
		"acceptance":
			return ACCEPTANCES
	return TOKENS


# No more cards than the floor has room for, and none that is unknown.
func _keep_room() -> void:
	var most: int = _told.sizes[chosen.size].cards
	if chosen.cards.size() > most:
		chosen.cards.resize(most)
	var known := _ids("gpus")
	for index in chosen.cards.size():
		if not chosen.cards[index] in known:
			chosen.cards[index] = known[0]
	for app in chosen.apps:
		if app.traffic == "trace" and not app.trace in _told.traces:
			app.trace = "" if _told.traces.empty() else _told.traces[0]
		elif app.traffic != "trace":
			app.prefix = _no_longer_than(PREFIXES, int(min(app.prefix, app.prompt_low))).back()
		app.burst_s = int(min(app.burst_s, app.every_s))


func _no_longer_than(values: Array, most: int) -> Array:
	var found := []
	for value in values:
		if value <= most:
			found.append(value)
	return found


func _ids(list: String) -> Array:
	var found := []
	for each in _told[list]:
		found.append(each.id)
	return found


func _named(list: String, id: String) -> Dictionary:
	for each in _told[list]:
		if each.id == id:
			return each
	return {"name": id}
