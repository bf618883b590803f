extends SceneTree
# For test_settings_file.py: changes keys by chance many times, and writes what came of it to
# OUTPUT, as JSON.

const KeyMap := preload("res://scenes/settings/key_map.gd")
const CHANGES := 300
const CODES := ["A", "Z", "Ctrl+Z", "Shift+F9", "F12", "X", "Tab", "Shift", "Comma", "Kp 5", ""]
const PAD_CODES := ["Pad 0", "Pad 3", "Pad 103", "Pad 108", "Pad 112", ""]


func _init() -> void:
	var keys := KeyMap.new()
	var brought := _all(keys)
	var told := {"twice_at_first": _twice(keys), "twice": [], "wrong": []}
	var chance := RandomNumberGenerator.new()
	chance.seed = 7
	var actions := KeyMap.actions()
	for _change in CHANGES:
		var action: String = actions[chance.randi() % actions.size()]
		var slot := chance.randi() % 3
		var codes := PAD_CODES if slot == 2 else CODES
		var code: String = codes[chance.randi() % codes.size()]
		if chance.randf() < 0.1:
			keys.reset(action)
			if keys.codes(action) != brought[action]:
				told.wrong.append("%s is not as it came" % action)
		else:
			keys.change(action, slot, code)
			if code != "" and not code in keys.codes(action):
				told.wrong.append("%s has no %s" % [action, code])
		told.twice += _twice(keys)
	var kept := keys.table()
	var before := to_json(_all(keys))
	keys.reset_all()
	told["reset"] = keys.table()
	told["reset_same"] = to_json(_all(keys)) == to_json(brought)
	var again := KeyMap.new()
	told["read_wrong"] = again.read(JSON.parse(to_json(kept)).result)
	told["read_same"] = to_json(_all(again)) == before
	var output := File.new()
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		output.store_string(to_json(told))
		output.close()
	quit()


func _all(keys: Reference) -> Dictionary:
	var found := {}
	for action in KeyMap.actions():
		found[action] = keys.codes(action)
	return found


# Codes that two actions have, or one action twice.
func _twice(keys: Reference) -> Array:
	var seen := []
	var twice := []
	for action in KeyMap.actions():
		for code in keys.codes(action):
			if code != "" and code in seen:
				twice.append(code)
			seen.append(code)
	return twice
