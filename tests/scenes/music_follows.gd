extends SceneTree
# Tells which layers of the music are to be heard for shares of the target, and out of memory.

const Music := preload("res://scenes/sound/music.gd")


func _init() -> void:
	var music := Music.new()
	var told := {}
	for share in [0.0, 0.4, 0.7, 1.1]:
		music.follow(share, false)
		told[str(share)] = music.wanted()
	music.follow(1.1, true)
	told["stopped"] = music.wanted()
	print(to_json(told))
	music.free()
	quit()
