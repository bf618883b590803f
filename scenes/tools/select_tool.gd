extends "res://scenes/tools/tool.gd"
# The pointer: press to see details, drag a machine to move it, turn it in place.

var _pressed := {}
var _grab := Vector2.ZERO
var _rot := 0
var _dragging := false


func enter(tile: Vector2) -> void:
	hover(tile)


func leave() -> void:
	cancel()
	.leave()


func hover(tile: Vector2) -> void:
	if _pressed.empty() or _pressed.fixed:
		mark(tile, Palette.TOKEN)
		say("")
		return
	if not _dragging and tile - _grab == _pressed.area.position:
		return
	_dragging = true
	_preview(tile)


func press(tile: Vector2) -> void:
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	var belt: Dictionary = floor_view.layout.belt_at(tile)
	emit_signal("selected", machine.get("id", belt.get("id", -1)))
	if machine.empty():
		say("")
		return
	_pressed = machine
	_grab = tile - machine.area.position
	_rot = machine.rot


func release(tile: Vector2) -> void:
	var machine := _pressed
	var dragged := _dragging
	_stop()
	hover(tile)
	if dragged:
		_move(machine.id, tile - _grab, _rot)


# Turns the machine in hand, or the one under the cursor.
func turn(tile: Vector2) -> void:
	if _dragging:
		_rot = (_rot + 1) % 4
		_grab = Vector2.ZERO
		_preview(tile)
		return
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	if not machine.empty():
		_move(machine.id, machine.area.position, (machine.rot + 1) % 4)


func cancel() -> bool:
	var was_dragging := _dragging
	_stop()
	say("")
	return was_dragging


func _preview(tile: Vector2) -> void:
	var to := tile - _grab
	var request := {
		"ask": "can_place",
		"kind": _pressed.kind,
		"x": int(to.x),
		"y": int(to.y),
		"rot": _rot,
		"ignore": _pressed.id,
	}
	var answer: Dictionary = client.ask(request)
	floor_view.machines.fade(_pressed.id)
	floor_view.ghost.show_ghost(_pressed.kind, to, _rot, answer.ok)
	if answer.ok:
		say("")
	else:
		say_refusal(answer)


func _move(id: int, to: Vector2, rot: int) -> void:
	var request := {"do": "move", "id": id, "x": int(to.x), "y": int(to.y), "rot": rot}
	var answer: Dictionary = client.command(request)
	if not answer.ok:
		say_refusal(answer)
	elif answer.has("removed") and not answer.removed.empty():
		say(tr("BELTS_REMOVED").format({"count": answer.removed.size()}), true)
	else:
		say("")


func _stop() -> void:
	_pressed = {}
	_dragging = false
	floor_view.machines.fade(-1)
	floor_view.ghost.clear()
