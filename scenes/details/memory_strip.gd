extends Control
# A GPU's memory when a core crashed, from left to right: weights, what each request had set aside
# and, brighter, what of it was in use, and what was free.

const Palette := preload("res://scenes/theme/palette.gd")
const HEIGHT := 14.0
const GAP := 1.0

var _report := {}


func _init() -> void:
	rect_min_size.y = HEIGHT
	mouse_filter = MOUSE_FILTER_IGNORE


func show_report(report: Dictionary) -> void:
	if report.hash() != _report.hash():
		_report = report
		update()


func _draw() -> void:
	if _report.empty():
		return
	draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.PANEL_INSET)
	var at := _draw_part(0, _report.overhead_bytes + _report.weights_bytes, Palette.TEXT_FAINT)
	for held in _report.held:
		_draw_part(at, held[2], Palette.KV)
		at = _draw_part(at, held[1], Palette.faded(Palette.KV, 0.35))


# Draws some bytes from the byte `first` on; where the next ones begin.
func _draw_part(first: int, bytes: int, colour: Color) -> int:
	var scale: float = rect_size.x / _report.vram_bytes
	draw_rect(Rect2(first * scale, 0, max(bytes * scale - GAP, 0.0), HEIGHT), colour)
	return first + bytes
