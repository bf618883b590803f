extends "res://scenes/tools/tool.gd"
# Removes the machine or belt that is pressed.


func enter(tile: Vector2) -> void:
	hover(tile)


func hover(tile: Vector2) -> void:
	mark(tile, Palette.BAD)
	say("")


func press(tile: Vector2) -> void:
	remove_at(tile)


# Removes what stands on a tile. Nothing there: nothing happens.
func remove_at(tile: Vector2) -> void:
	var found: Dictionary = floor_view.layout.machine_at(tile)
	if found.empty():
		found = floor_view.layout.belt_at(tile)
	if found.empty():
		return
	var answer: Dictionary = client.command({"do": "remove", "ids": [found.id]})
	if answer.ok:
		say("")
		emit_signal("selected", -1)
	else:
		say_refusal(answer)
