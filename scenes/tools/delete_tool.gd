extends "res://scenes/tools/tool.gd"
# Removes the machine or belt that is pressed, or all that a box touches.

const Tally := preload("res://scenes/tools/tally.gd")
const OFF := Vector2(-1, -1)

var _start := OFF
var _end := OFF
var _pressing := false


func enter(tile: Vector2) -> void:
	hover(tile)


func leave() -> void:
	_stop()
	.leave()


func hover(tile: Vector2) -> void:
	if not _pressing:
		mark(tile, Palette.BAD)
		say("")
	elif tile != OFF:
		_end = tile
		var area: Rect2 = floor_view.layout.area_between(_start, _end)
		floor_view.marks.show_hover(NOTHING, Color.transparent)
		floor_view.marks.show_box(area, Palette.BAD)
		_say_count(floor_view.layout.within(area))


func press(tile: Vector2) -> void:
	_start = tile
	_end = tile
	_pressing = true


func release(tile: Vector2) -> void:
	if not _pressing:
		return
	var area: Rect2 = floor_view.layout.area_between(_start, _end)
	var one := _start == _end
	_stop()
	remove([id_at(tile)] if one else floor_view.layout.within(area))
	hover(tile)


func cancel() -> bool:
	var was := _pressing
	_stop()
	return was


# Removes machines and belts by id (-1: nothing).
func remove(ids: Array) -> void:
	ids.erase(-1)
	if ids.empty():
		return
	var answer: Dictionary = client.command({"do": "remove", "ids": ids})
	if not answer.ok:
		report_refusal(answer)


func _say_count(ids: Array) -> void:
	var machines := 0
	for id in ids:
		if not floor_view.layout.machine(id).empty():
			machines += 1
	say(Tally.things(machines, ids.size() - machines))


func _stop() -> void:
	_pressing = false
	floor_view.marks.show_box(NOTHING, Color.transparent)
