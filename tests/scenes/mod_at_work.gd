extends SceneTree
# For test_mod_at_work.py: opens the level LEVEL of a mod in the folder PLAYER, then quits, or dies.

const EngineClient := preload("res://scenes/bridge/engine_client.gd")

var _client := EngineClient.new()


func _initialize() -> void:
	root.add_child(_client)
	_client.start()
	_client.command({"do": "player_folder", "folder": OS.get_environment("PLAYER")})
	if connect("idle_frame", self, "_on_idle_frame") != OK:
		quit(1)


func _on_idle_frame() -> void:
	_client.step(0.0)
	if _client.ask({"ask": "mods"}).loading:
		return
	var opened: Dictionary = _client.command({"do": "open", "level": OS.get_environment("LEVEL")})
	if OS.get_environment("DIES") != "" and opened.ok:
		OS.kill(OS.get_process_id())
	else:
		quit(0 if opened.ok else 1)
