extends Node
# What the engine tells of the mods, asked again while they load or are looked at, and what the
# player wants of them.

# What is told of a mod is other than before.
signal changed
# Other levels can be played now, or are called otherwise.
signal levels_changed
# The engine refused.
signal refused(answer)

const ModTexts := preload("res://scenes/mods/mod_texts.gd")
const ModPicture := preload("res://scenes/mods/mod_picture.gd")
const ModWords := preload("res://scenes/mods/mod_words.gd")
const LOADING_S := 0.25
const WATCHED_S := 1.0

# As the engine answers the question `mods`.
var told := {"folder": "", "loading": false, "mods": []}
# Whether somebody looks at them.
var watched := false

var _client: Node
var _texts := ModTexts.new()
var _wait := 0.0
var _levels := 0


func _init() -> void:
	set_process(false)


func set_up(client: Node) -> void:
	_client = client
	refresh()
	set_process(true)


func refresh() -> void:
	_wait = WATCHED_S
	var answer: Dictionary = _client.ask({"ask": "mods"})
	if not answer.ok:
		return
	answer.erase("ok")
	var other: bool = answer.hash() != told.hash()
	told = answer
	if told.loading:
		_wait = LOADING_S
	elif _hash_of_levels() != _levels:
		_levels = _hash_of_levels()
		refresh_texts()
		emit_signal("levels_changed")
	if other:
		emit_signal("changed")


# Of the mods, and of the level that is open.
func refresh_texts() -> void:
	_texts.refresh(_client)


# A command about mods; whether it was carried out.
func give(request: Dictionary) -> bool:
	var answer: Dictionary = _client.command(request)
	if not answer.ok:
		emit_signal("refused", answer)
	refresh()
	return answer.ok


# Shows the folder that mods lie in, in the system's own way.
func open_folder() -> void:
	Directory.new().make_dir_recursive(told.folder)  # it may be the first thing that is asked for
	OS.shell_open(told.folder)


# The mod with this id, or {}.
func mod(id: String) -> Dictionary:
	for each in told.mods:
		if each.id == id:
			return each
	return {}


# What stands with the levels of each mod: id -> {title, pictures {level's key: Texture}}.
func about_levels() -> Dictionary:
	var found := {}
	for each in told.mods:
		var pictures := {}
		for level in each.levels:
			var picture: Texture = ModPicture.of(level.get("picture"))
			if picture != null:
				pictures[level.key] = picture
		found[each.id] = {"title": ModWords.title(each), "pictures": pictures}
	return found


# How many mods wait for the player or did not load.
func open_questions() -> int:
	var count := 0
	for each in told.mods:
		count += int(each.state in ["asking", "missing", "incompatible", "failed"])
	return count


func _process(delta: float) -> void:
	_wait -= delta
	if _wait <= 0.0 and (told.loading or watched):
		refresh()


func _hash_of_levels() -> int:
	var levels := []
	for each in told.mods:
		levels.append([each.id, each.version, each.state, each.levels])
	return levels.hash()
