extends SceneTree
# For test_blueprint_files.py: for each library in CASES, {data, add, length}, reads it as the
# engine hands it over, adds a blueprint, and writes what came of both to OUTPUT, as JSON.

const BlueprintStore := preload("res://scenes/blueprints/blueprint_store.gd")
const KeptClient := preload("res://checks/kept_client.gd")


func _init() -> void:
	var file := File.new()
	if file.open(OS.get_environment("CASES"), File.READ) != OK:
		quit(1)
		return
	var cases: Array = JSON.parse(file.get_as_text()).result
	file.close()
	var told := []
	for case in cases:
		told.append(_told(case))
	if file.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		file.store_string(to_json(told))
		file.close()
	quit()


func _told(case: Dictionary) -> Dictionary:
	var client := KeptClient.new()
	client.data = case.data
	var store := BlueprintStore.new()
	store.set_up(client)
	store.read()
	var told := {"read": store.entries.duplicate(true), "read_problem": store.problem}
	client.refusal = case.get("refusal", "")
	told["added"] = store.add(case.add, "x".repeat(int(case.get("length", 5))))
	told["add_problem"] = store.problem
	told["written"] = client.written
	client.free()
	return told
