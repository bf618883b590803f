extends Control
# Tokens per second over the last minute of simulated time, with the line to reach.

const Palette := preload("res://scenes/theme/palette.gd")
const SPAN_S := 60.0
const STEP_S := 0.5

var _times := PoolRealArray()
var _values := PoolRealArray()
var _target := 0.0


func _init() -> void:
	rect_min_size = Vector2(0, 88)
	mouse_filter = MOUSE_FILTER_IGNORE


func clear() -> void:
	_times = PoolRealArray()
	_values = PoolRealArray()
	update()


func add(t_ps: int, tps, target) -> void:
	_target = float(target) if target != null else 0.0
	if tps == null:
		return
	var time := t_ps / 1e12
	if not _times.empty() and time < _times[-1] - STEP_S:
		clear()
	if not _times.empty() and time - _times[-1] < STEP_S:
		return
	_times.append(time)
	_values.append(tps)
	while _times[0] < time - SPAN_S:
		_times.remove(0)
		_values.remove(0)
	update()


func _draw() -> void:
	var most := max(_target * 1.35, 1.0)
	for value in _values:
		most = max(most, value * 1.1)
	_draw_target(most)
	var last: float = max(_times[-1], SPAN_S) if not _times.empty() else SPAN_S
	var line := PoolVector2Array()
	for index in _times.size():
		var x := rect_size.x * (1.0 - (last - _times[index]) / SPAN_S)
		line.append(Vector2(x, rect_size.y * (1.0 - _values[index] / most)))
	if line.size() < 2:
		return
	var area := line
	area.append(Vector2(line[-1].x, rect_size.y))
	area.append(Vector2(line[0].x, rect_size.y))
	draw_colored_polygon(area, Palette.faded(Palette.GOOD, 0.12))
	draw_polyline(line, Palette.GOOD, 2.0, true)


func _draw_target(most: float) -> void:
	draw_line(Vector2(0, rect_size.y), rect_size, Palette.OUTLINE_SOFT)
	if _target <= 0.0:
		return
	var y := round(rect_size.y * (1.0 - _target / most))
	draw_line(Vector2(0, y), Vector2(rect_size.x, y), Palette.faded(Palette.TOKEN, 0.7))
