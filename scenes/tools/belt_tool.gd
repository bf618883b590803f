extends "res://scenes/tools/tool.gd"
# Drags a belt from a machine's output to another machine; or press at the start, press at the end.

var _from := Vector2(-1, -1)
var _drawing := false
var _route := {}


func enter(tile: Vector2) -> void:
	hover(tile)


func leave() -> void:
	_stop()
	.leave()


func hover(tile: Vector2) -> void:
	mark(tile, Palette.TEXT)
	if _drawing:
		_preview(tile)
	elif not floor_view.layout.machine_at(tile).empty():
		say(tr("BELT_FROM_HERE"))
	else:
		say("")


func press(tile: Vector2) -> void:
	if _drawing:
		_finish(tile)
	elif floor_view.layout.holds(tile):
		_from = tile
		_drawing = true
		_preview(tile)


func release(tile: Vector2) -> void:
	if _drawing and tile != _from:
		_finish(tile)


func cancel() -> bool:
	var was_drawing := _drawing
	_stop()
	say("")
	return was_drawing


func _preview(tile: Vector2) -> void:
	_route = {}
	floor_view.route.clear()
	if tile == _from:
		say(tr("BELT_DRAG_ON"))
		return
	var request := {"ask": "route", "from": _pair(_from), "to": _pair(tile)}
	var answer: Dictionary = client.ask(request)
	if not answer.ok:
		say_refusal(answer)
		return
	_route = answer
	_show_route(answer)
	var text := tr("BELT_PREVIEW" if answer.to != null else "BELT_PREVIEW_OPEN")
	say(text.format({"tiles": answer.length, "latency": Words.picoseconds(answer.latency_ps)}))


func _show_route(answer: Dictionary) -> void:
	var tiles := []
	for pair in answer.tiles:
		tiles.append(Vector2(pair[0], pair[1]))
	if tiles.empty():
		return
	var first: Vector2 = -_step_to_machine(tiles[0], answer.from)
	var last := Vector2.ZERO
	if answer.to != null:
		last = _step_to_machine(tiles[-1], answer.to)
	floor_view.route.show_route(tiles, first, last, Palette.PACKETS[answer.kind])


func _step_to_machine(tile: Vector2, end: Dictionary) -> Vector2:
	return floor_view.layout.step_to(tile, end.machine)


func _finish(tile: Vector2) -> void:
	if _route.empty():
		_preview(tile)
	var route := _route
	_stop()
	if route.empty():
		return
	if route.to == null:
		say(tr("BELT_NEEDS_MACHINE"), true)
		return
	var request := {"do": "connect", "from": route.from, "to": route.to, "tiles": route.tiles}
	var answer: Dictionary = client.command(request)
	emit_signal("placed", answer)
	if answer.ok:
		say("")
		emit_signal("selected", answer.id)
	else:
		say_refusal(answer)


func _stop() -> void:
	_drawing = false
	_route = {}
	floor_view.route.clear()


func _pair(tile: Vector2) -> Array:
	return [int(tile.x), int(tile.y)]
