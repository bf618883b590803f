extends Reference
# What a machine's settings and their values are called. One that there is for each tenant ends in
# his number, "quota_0"; ways are named by where they lead.

const Words := preload("res://scenes/theme/words.gd")
# Settings that there are for each tenant.
const OF_TENANTS := ["quota", "priority", "way"]
# Values that are ways, as the engine counts them: any way, then the ports.
const WAYS := ["way", "fallback"]
# Values that are offers: companies, by their ids.
const OFFER := "offer"
const SERVER := "model_server"
const PORTS := ["", "e", "s", "n"]


# The name without a tenant's number.
static func base(name: String) -> String:
	for each in OF_TENANTS:
		if name.begins_with(each + "_"):
			return each
	return name


# Whose it is, by his index; -1: nobody's.
static func tenant(name: String) -> int:
	return -1 if base(name) == name else int(name.trim_prefix(base(name) + "_"))


static func title(name: String, tenants: Array) -> String:
	var whose := tenant(name)
	if whose >= 0:
		return Words.tenant(tenants[whose]) if whose < tenants.size() else str(whose + 1)
	return TranslationServer.translate("SETTING_" + name.to_upper())


# The names of a setting's values from the least on, in the language if it has words for them; []
# where the number says it. `layout`: of the floor on which machine `id` stands; `client`: the
# engine's.
static func choices(setting: Dictionary, id: int, layout: Reference, client: Node) -> Array:
	var name := base(setting.name)
	if name in WAYS:
		return _ways(setting, id, layout, client)
	var found := []
	if name == OFFER:
		for offer in setting.choices:
			found.append(offer.capitalize())
		return found
	for value in range(setting.min, setting.max + 1):
		var code := "SETTING_%s_%d" % [name.to_upper(), value]
		var words := TranslationServer.translate(code)
		if words == code:
			return setting.choices
		found.append(words)
	return found


# A value where not all of them have names.
static func value(name: String, value: int) -> String:
	var code := "SETTING_%s_%d" % [base(name).to_upper(), value]
	var words := TranslationServer.translate(code)
	return str(value) if words == code else words


# A setting as a sentence names it.
static func whole(name: String, tenants: Array) -> String:
	var words := TranslationServer.translate("SETTING_" + base(name).to_upper())
	return words if base(name) == name else "%s (%s)" % [words, title(name, tenants)]


static func _ways(setting: Dictionary, id: int, layout: Reference, client: Node) -> Array:
	var found := []
	for value in range(setting.min, setting.max + 1):
		if value == 0:
			var code := "SETTING_%s_0" % base(setting.name).to_upper()
			found.append(TranslationServer.translate(code))
		else:
			found.append(_target(id, PORTS[value], layout, client))
	return found


# Where the belt out of a port leads: to a server by its model, where it has one of several.
static func _target(id: int, port: String, layout: Reference, client: Node) -> String:
	for belt in layout.belts:
		if belt.from == id and belt.from_port == port:
			var machine: Dictionary = layout.machine(belt.to)
			var model := _model(belt.to, client) if machine.kind == SERVER else ""
			if model != "":
				return model
			var said := {"kind": TranslationServer.translate("KIND_" + machine.kind.to_upper())}
			said.pad = Words.pad_letter(machine.pad)
			var key := "WAY_TO" if machine.pad < 0 else "WAY_TO_PAD"
			return TranslationServer.translate(key).format(said)
	var code := "WAY_FREE_" + port.to_upper()
	return TranslationServer.translate(code)


# What a server serves; "" where there is nothing to choose.
static func _model(id: int, client: Node) -> String:
	for setting in client.ask({"ask": "machine", "id": id}).get("settings", []):
		if setting.name == "model" and setting.choices.size() > 1:
			return setting.choices[setting.value - setting.min]
	return ""
