extends "res://scenes/tools/tool.gd"
# Places machines of one kind: a ghost that says whether it may stand here, and why not. Over a
# machine of another kind it takes that one's place, where the engine says that it may.

var kind := ""

var _rot := 0
var _settings := {}
var _tile := Vector2(-1, -1)
# The machine whose place would be taken, or {}.
var _replaced := {}


func enter(tile: Vector2) -> void:
	hold(0, {})
	hover(tile)


# How the next ones are turned and set.
func hold(rot: int, settings: Dictionary) -> void:
	_rot = rot
	_settings = settings
	hover(_tile)


func hover(tile: Vector2) -> void:
	_tile = tile
	_replaced = {}
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	if not floor_view.layout.holds(tile):
		floor_view.ghost.clear()
		say("")
		return
	var there: Dictionary = floor_view.layout.machine_at(tile)
	if not there.empty() and there.kind != kind:
		_preview_replacing(there)
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
	hover(tile)
	var answer: Dictionary = client.command(_request(tile))
	emit_signal("placed", answer)
	if not answer.ok:
		say_refusal(answer)
		return
	report_belts(answer)
	selection.choose([answer.id])
	if floor_view.layout.palette.get(kind, 0) <= 1:
		emit_signal("left")
	else:
		hover(tile)


func turn(_tile_under: Vector2) -> void:
	_rot = (_rot + 1) % 4
	hover(_tile)


func _preview_replacing(there: Dictionary) -> void:
	_replaced = there
	var answer: Dictionary = client.ask({"ask": "can_replace", "id": there.id, "kind": kind})
	if not answer.ok:
		floor_view.ghost.show_ghost(kind, _tile, _rot, false)
		say_refusal(answer)
		return
	floor_view.ghost.show_ghost(kind, there.area.position, there.rot, true)
	say(tr("PLACE_REPLACES").format({"kind": tr("KIND_" + there.kind.to_upper())}))


func _request(tile: Vector2) -> Dictionary:
	if not _replaced.empty():
		return {"do": "replace", "id": _replaced.id, "kind": kind}
	var request := {"do": "place", "kind": kind, "x": int(tile.x), "y": int(tile.y), "rot": _rot}
	if not _settings.empty():
		request.settings = _settings
	return request
