extends "res://scenes/tools/tool.gd"
# Drags a belt from a machine's output to another machine; or press at the start, at way points, and
# at the end. A belt that is pressed is taken up and laid anew from its start.

const OFF := Vector2(-1, -1)

var _from := OFF
var _via := []
# The belt in whose place this one comes (-1: none).
var _replaced := -1
var _drawing := false
var _pressed_at := OFF
var _route := {}
var _reason := ""


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
	elif not floor_view.layout.belt_at(tile).empty():
		say(tr("BELT_TAKE_UP"))
	else:
		say("")


# Takes up a belt; `tile` is where the cursor is.
func take_up(id: int, tile: Vector2) -> void:
	var belt: Dictionary = floor_view.layout.belt(id)
	if belt.empty():
		return
	_replaced = id
	_begin(belt.tiles[0], tile)
	selection.choose([id])


func press(tile: Vector2) -> void:
	if _drawing:
		_preview(tile)
		_set_point(tile)
		return
	var belt: Dictionary = floor_view.layout.belt_at(tile)
	if not belt.empty():
		take_up(belt.id, tile)
	elif floor_view.layout.holds(tile):
		_begin(tile, tile)


func release(tile: Vector2) -> void:
	if _drawing and tile != _pressed_at:
		_preview(tile)
		_set_point(tile)


func cancel() -> bool:
	var was_drawing := _drawing
	_stop()
	say("")
	return was_drawing


# Takes back the last way point, or the start.
func take_back() -> bool:
	if not _drawing:
		return false
	if _via.empty():
		cancel()
	else:
		_pressed_at = OFF
		var last: Vector2 = _via.pop_back()
		_preview(last)
	return true


func _begin(from: Vector2, tile: Vector2) -> void:
	_from = from
	_via = []
	_drawing = true
	_pressed_at = tile
	_preview(tile)


# The belt ends here when a machine takes it; else this is a way point.
func _set_point(tile: Vector2) -> void:
	_pressed_at = tile
	if _route.empty():
		say(_reason, true)
	elif _route.to != null:
		_lay()
	elif _via.empty() or _via[-1] != tile:
		_via.append(tile)
		_preview(tile)


func _preview(tile: Vector2) -> void:
	_route = {}
	_reason = ""
	floor_view.route.clear()
	floor_view.route.show_points(_via)
	if not floor_view.layout.holds(tile):
		say("")
		return
	if tile == _from and _via.empty() and _replaced < 0:
		_reason = tr("BELT_DRAG_ON")
		say(_reason)
		return
	var answer: Dictionary = client.ask(_question(tile))
	if not answer.ok:
		_reason = Words.of(answer.code, answer.params)
		say(_reason, true)
		return
	_route = answer
	_show_route(answer)
	var key := "BELT_PREVIEW" if answer.to != null else "BELT_PREVIEW_OPEN"
	var length := {"tiles": answer.length, "latency": Words.picoseconds(answer.latency_ps)}
	var text := tr(key).format(length)
	if not _via.empty():
		text += "\n" + tr("BELT_WAY_POINTS").format({"count": _via.size()})
	say(text)


func _question(tile: Vector2) -> Dictionary:
	var question := {"ask": "route", "to": _pair(tile)}
	var via := []
	for point in _via:
		if point != tile:
			via.append(_pair(point))
	if not via.empty():
		question.via = via
	if _replaced >= 0:
		question.replace = _replaced
	else:
		question["from"] = _pair(_from)
	return question


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


func _lay() -> void:
	var request := {"do": "connect", "from": _route.from, "to": _route.to, "tiles": _route.tiles}
	if _replaced >= 0:
		request.replace = _replaced
	_stop()
	var answer: Dictionary = client.command(request)
	emit_signal("placed", answer)
	if answer.ok:
		say("")
		selection.choose([answer.id])
	else:
		say_refusal(answer)


func _stop() -> void:
	_drawing = false
	_via = []
	_replaced = -1
	_route = {}
	floor_view.route.clear()


func _pair(tile: Vector2) -> Array:
	return [int(tile.x), int(tile.y)]
