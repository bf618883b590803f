extends Node2D
# The GPUs: lit outlines on the floor that machines stand in, each with its name and its memory.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")
const INSET := 0.06
const LETTER := 44
const GLOW_LINES := 5

# Text lies flat on the floor along a pad's lower left edge, this many letter pixels to a tile.
const LETTERS_PER_TILE := 240.0

var _pads := []
var _used := []
var _busy := []
var _font: DynamicFont


func _ready() -> void:
	_font = Fonts.strong(LETTER)


func rebuild(pads: Array) -> void:
	_pads = pads
	update()


# `columns`: used_bytes and busy, in the order of the pads.
func show_work(columns: Dictionary) -> void:
	if columns.used_bytes != _used or columns.busy != _busy:
		_used = columns.used_bytes
		_busy = columns.busy
		update()


func _draw() -> void:
	for index in _pads.size():
		_draw_pad(index)


func _draw_pad(index: int) -> void:
	var pad: Dictionary = _pads[index]
	var busy: float = _busy[index] if index < _busy.size() else 0.0
	var corners := Grid.outline(pad.area, INSET)
	draw_colored_polygon(corners, Palette.faded(Palette.TOKEN, 0.05 + 0.05 * busy))
	var line := corners
	line.append(corners[0])
	for ring in GLOW_LINES:
		var alpha: float = (0.05 + 0.04 * busy) * (1.0 - ring / float(GLOW_LINES))
		draw_polyline(line, Palette.faded(Palette.TOKEN, alpha), 4.0 + 6.0 * ring, true)
	draw_polyline(line, Palette.faded(Palette.TOKEN.lightened(0.25), 0.9), 2.5, true)
	_draw_label(pad, _used[index] if index < _used.size() else 0)


# The name, and the share of memory in use as a bar, along the edge that faces the player.
func _draw_label(pad: Dictionary, used: int) -> void:
	var scale := 1.0 / LETTERS_PER_TILE
	var corner: Vector2 = pad.area.position + Vector2(0.0, pad.area.size.y)
	var start := Grid.to_world(corner + Vector2(INSET, 0.06))
	draw_set_transform_matrix(Transform2D(Grid.X_AXIS * scale, Grid.Y_AXIS * scale, start))
	var width: float = (pad.area.size.x - 2 * INSET) * LETTERS_PER_TILE
	var base := Vector2(0, _font.get_ascent())
	draw_string(_font, base, Words.pad_name(pad), Palette.TOKEN.lightened(0.35))
	var share: String = Words.percent(float(used) / pad.vram_bytes)
	var text := tr("PAD_MEMORY").format({"share": share})
	var right := base + Vector2(width - _font.get_string_size(text).x, 0)
	draw_string(_font, right, text, Palette.faded(Palette.TEXT, 0.75))
	var bar := Rect2(0, _font.get_height() + 6, width, 12)
	draw_rect(bar, Palette.faded(Palette.TOKEN, 0.15))
	bar.size.x *= clamp(float(used) / pad.vram_bytes, 0.0, 1.0)
	draw_rect(bar, Palette.faded(Palette.TOKEN, 0.8))
	draw_set_transform_matrix(Transform2D.IDENTITY)
