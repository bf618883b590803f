extends "res://scenes/tools/tool.gd"
# Places machines of one kind: a ghost that says whether it may stand here, and why not.

var kind := ""

var _rot := 0
var _tile := Vector2(-1, -1)


func enter(tile: Vector2) -> void:
	_rot = 0
	hover(tile)


func hover(tile: Vector2) -> void:
	_tile = tile
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	if not floor_view.layout.holds(tile):
		floor_view.ghost.clear()
		say("")
		return
	var request := {
		"ask": "can_place", "kind": kind, "x": int(tile.x), "y": int(tile.y), "rot": _rot
	}
	var answer: Dictionary = client.ask(request)
	floor_view.ghost.show_ghost(kind, tile, _rot, answer.ok)
	if answer.ok:
		say(tr("PLACE_KEYS"))
	else:
		say_refusal(answer)


func press(tile: Vector2) -> void:
	if not floor_view.layout.holds(tile):
		return
	var request := {"do": "place", "kind": kind, "x": int(tile.x), "y": int(tile.y), "rot": _rot}
	var answer: Dictionary = client.command(request)
	emit_signal("placed", answer)
	if not answer.ok:
		say_refusal(answer)
		return
	emit_signal("selected", answer.id)
	if floor_view.layout.palette.get(kind, 0) <= 1:
		emit_signal("left")
	else:
		hover(tile)


func turn(_tile_under: Vector2) -> void:
	_rot = (_rot + 1) % 4
	hover(_tile)
