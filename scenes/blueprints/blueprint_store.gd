extends Reference
# The blueprints that a player keeps: names and texts, in one file. What a text holds is the
# engine's to say. The file is data from outside: every type in it is checked, and one that cannot
# be read is kept aside, never lost.

const KeptFile := preload("res://scenes/bridge/kept_file.gd")
const FILE := "user://blueprints.json"
const VERSION := 1
const MOST := 100
const LONGEST_TEXT := 200000
const LONGEST_NAME := 40
const LARGEST_FILE := 21000000

# {name, text} each, the newest first.
var entries := []
# What went wrong last, as a key of words ("": nothing did), and the file that it speaks of.
var problem := ""
var problem_file := ""

var _file: Reference


func _init(path: String = FILE) -> void:
	_file = KeptFile.new(path, LARGEST_FILE)


func read() -> void:
	entries = []
	problem = ""
	if not _file.exists():
		return
	var text = _file.read()
	var found = null if text == null else _entries_of(text)
	if found != null:
		entries = found
	elif _file.put_aside():
		_fail("BLUEPRINTS_PUT_ASIDE")
	else:
		_fail("BLUEPRINTS_UNREADABLE")


# Whether one more has room; if not, `problem` says so.
func has_room() -> bool:
	if entries.size() >= MOST:
		_fail("BLUEPRINTS_FULL")
		return false
	return true


# Adds one in front, or where it was.
func add(name: String, text: String, index: int = 0) -> bool:
	problem = ""
	if not has_room():
		return false
	if text.length() > LONGEST_TEXT:
		_fail("BLUEPRINTS_TOO_LONG")
		return false
	entries.insert(int(min(index, entries.size())), {"name": fair_name(name), "text": text})
	_write()
	return true


func rename(index: int, name: String) -> void:
	problem = ""
	entries[index].name = fair_name(name)
	_write()


func remove(index: int) -> void:
	problem = ""
	entries.remove(index)
	_write()


# A name that is not taken: "Blueprint 3".
func new_name() -> String:
	var taken := []
	for entry in entries:
		taken.append(entry.name)
	var number := entries.size() + 1
	while _numbered(number) in taken:
		number += 1
	return _numbered(number)


# A name as it can be kept: one line, not too long. Brackets would count as nesting, see below.
static func fair_name(name: String) -> String:
	var fair := ""
	for index in name.length():
		if name.ord_at(index) >= 32:
			fair += name[index]
	for pair in [["[", "("], ["]", ")"], ["{", "("], ["}", ")"]]:
		fair = fair.replace(pair[0], pair[1])
	fair = fair.strip_edges().left(LONGEST_NAME)
	return fair if fair != "" else TranslationServer.translate("BLUEPRINT_UNNAMED")


func _numbered(number: int) -> String:
	return tr("BLUEPRINT_NUMBERED").format({"number": number})


# The entries in a file's text, or null. Godot's reader follows nesting without end: texts and names
# hold no brackets, so that a file with more of them than entries is none of ours.
func _entries_of(text: String):
	if _more_than(MOST + 1, "{", text) or _more_than(1, "[", text):
		return null
	var parsed := JSON.parse(text)
	if parsed.error != OK or typeof(parsed.result) != TYPE_DICTIONARY:
		return null
	var version = parsed.result.get("version")
	var list = parsed.result.get("blueprints")
	if typeof(version) != TYPE_REAL or version != VERSION or typeof(list) != TYPE_ARRAY:
		return null
	if list.size() > MOST:
		return null
	var found := []
	for item in list:
		if typeof(item) != TYPE_DICTIONARY:
			return null
		var name = item.get("name")
		var code = item.get("text")
		if typeof(name) != TYPE_STRING or typeof(code) != TYPE_STRING:
			return null
		if code.length() > LONGEST_TEXT:
			return null
		found.append({"name": fair_name(name), "text": code})
	return found


func _more_than(most: int, what: String, text: String) -> bool:
	var at := -1
	for _index in most + 1:
		at = text.find(what, at + 1)
		if at < 0:
			return false
	return true


func _write() -> void:
	if not _file.write(to_json({"version": VERSION, "blueprints": entries})):
		_fail("BLUEPRINTS_NOT_SAVED" if _file.may_write() else "BLUEPRINTS_UNREADABLE")


func _fail(key: String) -> void:
	problem = key
	problem_file = _file.told_path.get_file()
