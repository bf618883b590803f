extends Control
# All of a card's memory to scale: weights, what driver and activations take, the KV memory and what
# of it is taken, and what is not used for KV.

const Palette := preload("res://scenes/theme/palette.gd")
const HEIGHT := 12.0
const GAP := 1.0
const WEIGHTS := Color("8a96b2")
const OVERHEAD := Color("5a6583")

var _told := {}


func _init() -> void:
	rect_min_size.y = HEIGHT


# `told`: the answer to `memory`.
func show_card(told: Dictionary) -> void:
	_told = told
	hint_tooltip = tr("MEMORY_STRIP").format(
		{
			"taken": _mib(told.fixed_bytes + told.used * told.block_bytes),
			"total": _mib(told.vram_bytes),
			"weights": _mib(told.weights_bytes),
			"overhead": _mib(told.overhead_bytes),
			"kv": _mib(told.size_bytes),
			"rest": _mib(told.vram_bytes - told.fixed_bytes - told.size_bytes),
		}
	)
	update()


func _mib(bytes: int) -> int:
	return int(bytes / 1048576)


func _draw() -> void:
	if _told.empty():
		return
	draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.PANEL_INSET)
	var at := _draw_part(0, _told.weights_bytes, WEIGHTS)
	at = _draw_part(at, _told.overhead_bytes, OVERHEAD)
	_draw_part(at, _told.size_bytes, Palette.faded(Palette.KV, 0.25))
	_draw_part(at, _told.used * _told.block_bytes, Palette.KV)


# Draws some bytes from the byte `first` on; where the next ones begin.
func _draw_part(first: int, bytes: int, colour: Color) -> int:
	var scale: float = rect_size.x / _told.vram_bytes
	if bytes > 0:
		draw_rect(Rect2(first * scale, 0, max(bytes * scale - GAP, 1.0), HEIGHT), colour)
	return first + bytes
