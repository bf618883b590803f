extends Reference
# The blueprints that a player keeps: names and texts. What a text holds is the engine's to say, and
# the engine keeps them. What it has read is data from outside: every type in it is checked.

const Words := preload("res://scenes/theme/words.gd")
const NAME := "blueprints"
const VERSION := 1
const MOST := 100
const LONGEST_TEXT := 200000
const LONGEST_NAME := 40

# {name, text} each, the newest first.
var entries := []
# What went wrong last, in words ("": nothing did).
var problem := ""

var _client: Node
# What is kept among them and is no blueprint; it stays.
var _strange := []


func set_up(client: Node) -> void:
	_client = client


func read() -> void:
	entries = []
	problem = ""
	var answer: Dictionary = _client.ask({"ask": "kept", "name": NAME})
	if not answer.ok:
		_fail(answer)
		return
	for note in answer.notes:
		_fail(note)
	_take(answer.data)


# Whether one more has room; if not, `problem` says so.
func has_room() -> bool:
	if entries.size() >= MOST:
		problem = tr("BLUEPRINTS_FULL")
		return false
	return true


# Adds one in front, or where it was.
func add(name: String, text: String, index: int = 0) -> bool:
	problem = ""
	if not has_room():
		return false
	if text.length() > LONGEST_TEXT:
		problem = tr("BLUEPRINTS_TOO_LONG")
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


# A name as it can be kept: one line, not too long.
static func fair_name(name: String) -> String:
	var fair := ""
	for index in name.length():
		if name.ord_at(index) >= 32:
			fair += name[index]
	fair = fair.strip_edges().left(LONGEST_NAME)
	return fair if fair != "" else TranslationServer.translate("BLUEPRINT_UNNAMED")


func _numbered(number: int) -> String:
	return tr("BLUEPRINT_NUMBERED").format({"number": number})


# Takes what is kept now; what makes no sense is not shown, and told.
func _take(data) -> void:
	if typeof(data) != TYPE_DICTIONARY:
		return
	var list = data.get("blueprints")
	if typeof(list) != TYPE_ARRAY:
		list = [list]
	entries = []
	_strange = []
	for item in list:
		if entries.size() < MOST and _is_entry(item):
			entries.append({"name": fair_name(item.name), "text": item.text})
		else:
			_strange.append(item)
	if not _strange.empty():
		problem = tr("BLUEPRINTS_LEFT_OUT").format({"count": _strange.size()})


func _is_entry(item) -> bool:
	if typeof(item) != TYPE_DICTIONARY or typeof(item.get("name")) != TYPE_STRING:
		return false
	return typeof(item.get("text")) == TYPE_STRING and item.text.length() <= LONGEST_TEXT


func _write() -> void:
	var data := {"version": VERSION, "blueprints": entries + _strange}
	var answer: Dictionary = _client.command({"do": "kept_write", "name": NAME, "data": data})
	if not answer.ok:
		_fail(answer)
	elif answer.merged:
		# Another game has kept something too.
		_take(answer.data)


func _fail(note: Dictionary) -> void:
	problem = Words.of(note.code, note.params)
