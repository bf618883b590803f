extends Node
# What the player has set. The engine keeps it, and is told of each change; only at the start, when
# the engine is not there yet, the file is looked into here. Every value is checked, one that cannot
# be used is back to its default, and what this version does not know stays as it is.

signal changed(name)
# It could not be kept, or some of it made no sense: `problem` says so.
signal failed

const KeyMap := preload("res://scenes/settings/key_map.gd")
const Words := preload("res://scenes/theme/words.gd")
const NAME := "settings"
const FILE := "user://settings.json"
const VERSION := 1
const LARGEST_FILE := 100000
const DEEPEST := 6
const DEFAULTS := {
	"palette": "normal",
	"high_contrast": false,
	"reduced_motion": false,
	"ui_scale": 100,
	"fullscreen": false,
	"frame_limit": 0,
	"language": "",
	"pause_here": false,
	"master": 100,
	"effects": 100,
	"music": 100,
	"mute_unfocused": true,
}
# What each may be, in the order of its buttons; the others are on or off.
const CHOICES := {
	"palette": ["normal", "protan", "deutan", "tritan"],
	"ui_scale": [80, 90, 100, 110, 120, 130, 140, 150],
	"frame_limit": [0, 30, 60, 120, 144],
	"master": [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
	"effects": [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
	"music": [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
}
const KEYS := "keys"

var keys := KeyMap.new()
# What went wrong last, in words ("": nothing did).
var problem := ""

var _values := DEFAULTS.duplicate()
# All as it is kept, with what this version does not know.
var _told := {}
# The engine's client; null until it has loaded.
var _client: Node
# Whether something was set before that.
var _pending := false


# Looks into the file, before anything is shown. What is wrong with it is the engine's to say.
func read(path: String = FILE) -> void:
	var file := File.new()
	if file.open(path, File.READ) != OK or file.get_len() > LARGEST_FILE:
		return
	var found = _table_of(file.get_as_text())
	if found != null:
		_take(found)


# The engine is there and keeps the settings from now on; what it says of their file: [{code,
# params}].
func keep_with(client: Node) -> Array:
	_client = client
	var answer: Dictionary = client.ask({"ask": "kept", "name": NAME})
	if not answer.ok:
		return [answer]
	if typeof(answer.data) == TYPE_DICTIONARY and not _pending:
		_follow(answer.data)
	if _pending:
		_write()
	return answer.notes


func value(name: String):
	return _values[name]


# Sets one and keeps it.
func change(name: String, value) -> void:
	if not fits(name, value) or _values[name] == value:
		return
	_values[name] = value
	_write()
	emit_signal("changed", name)


# The keys were changed.
func keep_keys() -> void:
	_write()
	emit_signal("changed", KEYS)


# Whether a value from anywhere may be set.
func fits(name: String, value) -> bool:
	if name == "language":
		return typeof(value) == TYPE_STRING and (value == "" or value in languages())
	if not CHOICES.has(name):
		return typeof(value) == TYPE_BOOL
	var sample = CHOICES[name][0]
	if typeof(sample) == TYPE_STRING:
		return typeof(value) == TYPE_STRING and value in CHOICES[name]
	if not typeof(value) in [TYPE_INT, TYPE_REAL] or value != round(value):
		return false
	return int(value) in CHOICES[name]


# What one may be, in order.
func choices(name: String) -> Array:
	if name == "language":
		return [""] + languages()
	return CHOICES.get(name, [false, true])


# The languages that there are words for.
static func languages() -> Array:
	var found := []
	for locale in TranslationServer.get_loaded_locales():
		if not locale in found:
			found.append(locale)
	found.sort()
	return found


# JSON knows no whole numbers.
func _as_kept(value):
	return int(value) if typeof(value) == TYPE_REAL else value


# Takes what is kept now, and tells what is another value by that.
func _follow(found: Dictionary) -> void:
	var before := _values.duplicate()
	var keys_before: int = keys.table().hash()
	var wrong := _take(found)
	for name in _values:
		if _values[name] != before[name]:
			emit_signal("changed", name)
	if keys.table().hash() != keys_before:
		emit_signal("changed", KEYS)
	if wrong > 0:
		_fail(tr("SETTINGS_WRONG").format({"file": FILE.get_file(), "count": wrong}))


# Takes what is of use; how many values are not.
func _take(found: Dictionary) -> int:
	_told = found
	var wrong := 0
	for name in DEFAULTS:
		if not found.has(name):
			continue
		if fits(name, found[name]):
			_values[name] = _as_kept(found[name])
		else:
			wrong += 1
	keys.reset_all()
	return wrong + keys.read(found.get(KEYS, {}))


# The table in a file's text, or null. Godot's reader follows nesting without end.
func _table_of(text: String):
	if _depth(text) > DEEPEST:
		return null
	var parsed := JSON.parse(text)
	if parsed.error != OK or typeof(parsed.result) != TYPE_DICTIONARY:
		return null
	var version = parsed.result.get("version")
	if typeof(version) != TYPE_REAL or version != VERSION:
		return null
	return parsed.result


# How deep brackets lie in each other; those in strings count too, which is on the safe side.
func _depth(text: String) -> int:
	var depth := 0
	var deepest := 0
	for index in text.length():
		var letter := text[index]
		if letter == "{" or letter == "[":
			depth += 1
			deepest = int(max(deepest, depth))
		elif letter == "}" or letter == "]":
			depth -= 1
	return deepest


func _write() -> void:
	_pending = _client == null
	if _pending:
		return
	problem = ""
	var table := _told.duplicate()
	table["version"] = VERSION
	for name in _values:
		table[name] = _values[name]
	table[KEYS] = keys.table()
	var answer: Dictionary = _client.command({"do": "kept_write", "name": NAME, "data": table})
	if not answer.ok:
		_fail(Words.of(answer.code, answer.params))
	elif answer.merged:
		# Another game has set something too.
		_follow(answer.data)


func _fail(text: String) -> void:
	problem = text
	emit_signal("failed")
