extends "res://scenes/tools/tool.gd"
# Puts a blueprint on the floor: ghosts of all of it at the cursor, and whether they fit.

# The engine's answer to `blueprint` or `blueprint_read`; {} without one.
var held := {}

var _rot := 0
var _tile := Vector2(-1, -1)


func enter(tile: Vector2) -> void:
	_rot = 0
	hover(tile)


func hover(tile: Vector2) -> void:
	_tile = tile
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	if held.empty() or not floor_view.layout.holds(tile):
		floor_view.ghost.clear()
		say("")
		return
	var answer: Dictionary = client.ask(_request("ask", "can_paste"))
	if not answer.ok:
		floor_view.ghost.clear()
		say_refusal(answer)
		return
	floor_view.ghost.show_answer(answer)
	if answer.fits:
		say(tr("PASTE_KEYS"))
	else:
		say_refusal(answer)


func press(tile: Vector2) -> void:
	if held.empty() or not floor_view.layout.holds(tile):
		return
	_tile = tile
	var answer: Dictionary = client.command(_request("do", "paste"))
	emit_signal("placed", answer)
	if not answer.ok:
		say_refusal(answer)
		return
	selection.choose(answer.ids)
	if answer.dropped > 0:
		report(tr("PASTE_DROPPED").format({"count": answer.dropped}))
	if adds():
		hover(tile)
	else:
		emit_signal("left")


func turn(_tile_under: Vector2) -> void:
	_rot = (_rot + 1) % 4
	hover(_tile)


# The cursor is in the middle of what is pasted.
func _request(verb: String, name: String) -> Dictionary:
	var size := Vector2(held.width, held.height)
	if _rot % 2 == 1:
		size = Vector2(held.height, held.width)
	var at := _tile - ((size - Vector2.ONE) / 2).floor()
	return {verb: name, "blueprint": held.blueprint, "x": int(at.x), "y": int(at.y), "rot": _rot}
