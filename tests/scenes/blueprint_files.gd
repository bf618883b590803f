extends SceneTree
# For test_blueprint_files.py: reads the file LIBRARY as it lies there, adds to it what ADD names,
# and writes what came of both to OUTPUT, as JSON.

const BlueprintStore := preload("res://scenes/blueprints/blueprint_store.gd")


func _init() -> void:
	var store := BlueprintStore.new(OS.get_environment("LIBRARY"))
	store.read()
	var told := {"read": store.entries.duplicate(true), "read_problem": store.problem}
	told.problem_file = store.problem_file
	if OS.get_environment("ADD") != "":
		told.added = store.add(OS.get_environment("ADD"), "TF1:" + "x".repeat(_length()))
		told.add_problem = store.problem
		told.entries = store.entries.size()
		told.name = store.entries[0].name if store.entries.size() > 0 else ""
	var output := File.new()
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) == OK:
		output.store_string(to_json(told))
		output.close()
	quit()


func _length() -> int:
	return int(max(1, int(OS.get_environment("LENGTH"))))
