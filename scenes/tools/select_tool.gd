extends "res://scenes/tools/tool.gd"
# The pointer. Press something: it is selected. Drag it: all that is selected moves. Drag over empty
# floor: a box that selects what it touches.

enum Doing { NOTHING, PRESSING, MOVING, BOXING }

const Grid := preload("res://scenes/floor/grid.gd")
const Packets := preload("res://scenes/floor/packets.gd")
const Tally := preload("res://scenes/tools/tally.gd")
# Two presses on one tile within this time are a double one.
const TWICE_MS := 400
const OFF := Vector2(-1, -1)

var _doing: int = Doing.NOTHING
var _start := Vector2.ZERO
# The request of the packet that was pressed; -1: none was.
var _request := -1
# What a box adds to.
var _before := []
# The one machine that moves, which may turn on the way; {} while several things move.
var _alone := {}
var _rot := 0
var _grab := Vector2.ZERO
var _last_tile := OFF
var _last_ms := 0


func enter(tile: Vector2) -> void:
	hover(tile)


func leave() -> void:
	_stop()
	.leave()


func hover(tile: Vector2) -> void:
	match _doing:
		Doing.BOXING:
			_draw_box(tile)
		Doing.PRESSING:
			if tile != _start:
				_begin_move(tile)
		Doing.MOVING:
			_preview(tile)
		_:
			mark(tile, Palette.TOKEN)
			say("")


func press(tile: Vector2) -> void:
	var id := id_at(tile)
	var twice := tile == _last_tile and OS.get_ticks_msec() - _last_ms < TWICE_MS
	_last_tile = OFF if twice else tile
	_last_ms = OS.get_ticks_msec()
	_start = tile
	_request = _packet_at(tile) if not twice and not adds() else -1
	if _request >= 0:
		_doing = Doing.PRESSING
	elif id < 0:
		_doing = Doing.BOXING
		_before = selection.ids() if adds() else []
	elif twice:
		_press_twice(id, tile)
	elif adds():
		selection.toggle(id)
	else:
		if not id in selection.ids():
			selection.choose([id])
		_doing = Doing.PRESSING


func release(tile: Vector2) -> void:
	var did := _doing
	var alone := _alone
	_stop()
	match did:
		Doing.BOXING:
			if tile == _start:
				selection.choose(_before)
		Doing.PRESSING:
			if _request >= 0:
				emit_signal("request_picked", _request)
			else:
				_choose_only(id_at(_start))
		Doing.MOVING:
			if alone.empty():
				_shift(tile - _start)
			else:
				_move(alone.id, tile - _grab, _rot)
	hover(tile)


# Turns the machine in hand, or the one under the cursor.
func turn(tile: Vector2) -> void:
	if _doing == Doing.MOVING:
		if not _alone.empty():
			_rot = (_rot + 1) % 4
			_grab = Vector2.ZERO
			_preview(tile)
		return
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	var rot: int = (machine.get("rot", 0) + 1) % 4
	if not machine.empty() and _move(machine.id, machine.area.position, rot):
		machine.rot = rot  # for who turns it again before it is shown


func cancel() -> bool:
	if _doing == Doing.BOXING:
		selection.choose(_before)
	elif _doing == Doing.NOTHING and not selection.empty():
		selection.clear()
		return true
	var did: bool = _doing != Doing.NOTHING
	_stop()
	say("")
	return did


# The request of the packet that is drawn where the mouse is, or nearest to the middle of the tile
# of a cursor that keys have moved; -1: there is none.
func _packet_at(tile: Vector2) -> int:
	if floor_view.layout.belt_at(tile).empty():
		return -1
	var mouse: Vector2 = floor_view.get_local_mouse_position() + Vector2(0, Packets.LIFT)
	var point := Grid.from_world(mouse)
	if point.floor() != tile:
		point = tile + Vector2(0.5, 0.5)
	var answer: Dictionary = client.ask({"ask": "pick", "x": point.x, "y": point.y})
	return answer.request if answer.ok else -1


func _choose_only(id: int) -> void:
	if id >= 0:
		selection.choose([id])


# A belt is taken up; a machine selects all of its kind.
func _press_twice(id: int, tile: Vector2) -> void:
	var machine: Dictionary = floor_view.layout.machine(id)
	if machine.empty():
		emit_signal("belt_taken", id, tile)
		return
	var same := []
	for row in floor_view.layout.machines:
		if row.kind == machine.kind:
			same.append(row.id)
	selection.choose(same)


func _draw_box(tile: Vector2) -> void:
	if tile == OFF:
		return
	var area: Rect2 = floor_view.layout.area_between(_start, tile)
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	floor_view.marks.show_box(area, Palette.SELECTION.lightened(0.3))
	selection.choose(_before + floor_view.layout.within(area))
	say(Tally.things(selection.machines().size(), selection.belts().size()))


func _begin_move(tile: Vector2) -> void:
	if _request >= 0:
		_request = -1
		_choose_only(id_at(_start))
	var movable: Array = selection.movable()
	if movable.empty():
		var belts: Array = selection.belts()
		if belts.size() == 1:
			_stop()
			emit_signal("belt_taken", belts[0], _start)
		return
	_doing = Doing.MOVING
	_alone = floor_view.layout.machine(movable[0]) if movable.size() == 1 else {}
	if not _alone.empty():
		_rot = _alone.rot
		_grab = _start - _alone.area.position
	floor_view.machines.fade(movable)
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	_preview(tile)


func _preview(tile: Vector2) -> void:
	if _alone.empty():
		_preview_shift(tile - _start)
		return
	var to := tile - _grab
	var request := {
		"ask": "can_place",
		"kind": _alone.kind,
		"x": int(to.x),
		"y": int(to.y),
		"rot": _rot,
		"ignore": _alone.id,
	}
	var answer: Dictionary = client.ask(request)
	floor_view.ghost.show_ghost(_alone.kind, to, _rot, answer.ok)
	if answer.ok:
		say(tr("MOVE_KEYS"))
	else:
		say_refusal(answer)


func _preview_shift(step: Vector2) -> void:
	var answer: Dictionary = client.ask(_shift_request("ask", "can_shift", step))
	if not answer.ok:
		floor_view.ghost.clear()
		say_refusal(answer)
		return
	floor_view.ghost.show_answer(answer)
	if answer.fits:
		say("")
	else:
		say_refusal(answer)


func _shift(step: Vector2) -> void:
	if step == Vector2.ZERO:
		return
	var answer: Dictionary = client.command(_shift_request("do", "shift", step))
	if answer.ok:
		report_belts(answer)
	else:
		report_refusal(answer)


func _shift_request(verb: String, name: String, step: Vector2) -> Dictionary:
	return {verb: name, "ids": selection.movable(), "dx": int(step.x), "dy": int(step.y)}


func _move(id: int, to: Vector2, rot: int) -> bool:
	var request := {"do": "move", "id": id, "x": int(to.x), "y": int(to.y), "rot": rot}
	var answer: Dictionary = client.command(request)
	if answer.ok:
		report_belts(answer)
	else:
		report_refusal(answer)
	return answer.ok


func _stop() -> void:
	_doing = Doing.NOTHING
	_alone = {}
	floor_view.marks.show_box(NOTHING, Color.transparent)
	floor_view.machines.fade([])
	floor_view.ghost.clear()
