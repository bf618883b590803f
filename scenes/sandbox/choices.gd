extends Reference
# What the player chooses for a floor of his own, line by line, and the plan that the engine makes a
# level of. What there is to choose from comes from the engine.

const Words := preload("res://scenes/theme/words.gd")
const VERSION := 1
const PAGES := {
	"floor": ["size", "docks", "link", "cards"],
	"serving": ["model", "acceptance", "minutes"],
	"traffic": ["traffic"],
}
# The lines of each kind of traffic.
const TRAFFIC := {
	"paced": ["rate", "jitter", "prompt_low", "prompt_high", "output_low", "output_high"],
	"trace": ["trace"],
}
const RATES := [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0]
const JITTERS := [0, 10, 25, 50, 100]
const TOKENS := [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
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
	"traffic": "paced",
	"rate": 0.5,
	"jitter": 50,
	"prompt_low": 256,
	"prompt_high": 1024,
	"output_low": 64,
	"output_high": 256,
	"trace": "",
}

# The engine's answer to `sandbox`.
var _told := {}


func set_up(told: Dictionary) -> void:
	_told = told


# Takes what was kept, as far as it has the form of what can be kept.
func take(kept) -> void:
	if typeof(kept) != TYPE_DICTIONARY:
		return
	for name in chosen:
		var fits: bool = typeof(kept.get(name)) == typeof(chosen[name])
		if name == "cards":
			fits = fits and not kept[name].empty()
		elif name != "rate" and fits:
			fits = name == "version" or kept[name] in _values(name)
		if fits:
			chosen[name] = kept[name]
	_keep_room()


# The lines of a page, by name.
func lines(page: String) -> Array:
	var found := []
	for name in PAGES[page]:
		found.append(name)
		if name == "cards":
			for index in chosen.cards.size():
				found.append(CARD + str(index))
		elif name == "traffic":
			found += TRAFFIC[chosen.traffic]
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
			return TranslationServer.translate("SANDBOX_TRAFFIC_" + chosen.traffic.to_upper())
		"trace":
			var none := TranslationServer.translate("SANDBOX_NO_TRACE")
			return none if chosen.trace == "" else chosen.trace.trim_suffix(".csv")
		"rate":
			return Words.pointed(str(chosen.rate))
		"jitter", "acceptance":
			return "%d %%" % chosen[name]
		"minutes":
			return TranslationServer.translate("SANDBOX_MIN").format({"count": chosen.minutes})
		"prompt_low", "prompt_high", "output_low", "output_high":
			return Words.thousands(chosen[name])
	return str(chosen[name])


# The next value, or the one before.
func step(name: String, way: int) -> void:
	var values := _values(name)
	if values.empty():
		return
	var at := values.find(_value(name))
	if name.begins_with(CARD) or name in ["link", "model", "traffic", "trace"]:
		at = posmod(at + way, values.size())
	else:
		at = int(clamp(at + way, 0, values.size() - 1))
	_put(name, values[at])
	_keep_room()
	if PAIRS.has(name):
		var other: String = PAIRS[name]
		var low: bool = name.ends_with("_low")
		var apart: bool = chosen[name] > chosen[other] if low else chosen[name] < chosen[other]
		if apart:
			chosen[other] = chosen[name]


# Another trace is there, and is what is wanted.
func take_trace(told: Dictionary, name: String) -> void:
	_told = told
	chosen.traffic = "trace"
	chosen.trace = name


func wants_trace() -> bool:
	return chosen.traffic == "trace" and chosen.trace == ""


# As the engine takes it.
func plan() -> Dictionary:
	var size: Dictionary = _told.sizes[chosen.size]
	return {
		"width": size.width,
		"height": size.height,
		"model": chosen.model,
		"link": chosen.link,
		"cards": chosen.cards,
		"docks": chosen.docks,
		"acceptance_percent": chosen.acceptance,
		"minutes": chosen.minutes,
		"traffic": _traffic(),
		"trace": chosen.trace if chosen.traffic == "trace" else "",
	}


func _traffic() -> Dictionary:
	var interval := int(round(PS / chosen.rate))
	return {
		"is": "Traffic",
		"interval_ps": interval,
		"jitter_ps": int(interval / 100) * int(chosen.jitter),
		"prompt": {"low": chosen.prompt_low, "high": chosen.prompt_high},
		"output": {"low": chosen.output_low, "high": chosen.output_high},
	}


func _value(name: String):
	if name.begins_with(CARD):
		return chosen.cards[int(name.trim_prefix(CARD))]
	return chosen.cards.size() if name == "cards" else chosen[name]


func _put(name: String, value) -> void:
	if name.begins_with(CARD):
		chosen.cards[int(name.trim_prefix(CARD))] = value
	elif name == "cards":
		while chosen.cards.size() < value:
			chosen.cards.append(chosen.cards.back())
		chosen.cards.resize(value)
	else:
		chosen[name] = value


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
		"traffic":
			return TRAFFIC.keys()
		"trace":
			return _told.traces if not _told.traces.empty() else [""]
		"rate":
			return RATES
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
	if chosen.traffic == "trace" and not chosen.trace in _told.traces:
		chosen.trace = "" if _told.traces.empty() else _told.traces[0]


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
