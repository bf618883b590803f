extends Node
# What the player has set. Read from one file and written to it at each change; every value in the
# file is checked, one that cannot be used is back to its default, and what this version does not
# know stays as it is.

signal changed(name)
# The file could not be read or written: `problem` says so.
signal failed

const KeptFile := preload("res://scenes/bridge/kept_file.gd")
const KeyMap := preload("res://scenes/settings/key_map.gd")
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
# The file as it was read, with what this version does not know.
var _told := {}
var _file: Reference


func _init(path: String = FILE) -> void:
	_file = KeptFile.new(path, LARGEST_FILE)


# Reads the file. Before anything is shown.
func read() -> void:
	if not _file.exists():
		return
	var text = _file.read()
	var found = null if text == null else _table_of(text)
	if found == null:
		_fail("SETTINGS_PUT_ASIDE" if _file.put_aside() else "SETTINGS_UNREADABLE")
		return
	_told = found
	var wrong := 0
	for name in DEFAULTS:
		if found.has(name):
			if fits(name, found[name]):
				_values[name] = _as_kept(found[name])
			else:
				wrong += 1
	wrong += keys.read(found.get(KEYS, {}))
	if wrong > 0:
		_fail("SETTINGS_WRONG", wrong)


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
	problem = ""
	var table := _told.duplicate()
	table["version"] = VERSION
	for name in _values:
		table[name] = _values[name]
	table[KEYS] = keys.table()
	if not _file.write(JSON.print(table, "\t")):
		_fail("SETTINGS_NOT_SAVED" if _file.may_write() else "SETTINGS_UNREADABLE")


func _fail(key: String, count: int = 0) -> void:
	problem = tr(key).format({"file": _file.told_path.get_file(), "count": count})
	emit_signal("failed")
