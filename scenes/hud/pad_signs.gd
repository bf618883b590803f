extends Control
# A sign at a corner of each GPU, the left one unless a machine would be hidden: its name, and its
# memory in use as a bar; or that it is broken.

const Fonts := preload("res://scenes/theme/fonts.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")
const HEIGHT := 36.0
const LEAST_WIDTH := 104.0
const PADDING := 10.0
const GAP := 6.0
const NEARLY_FULL := 0.95

var _floor_view: Node2D
var _used := PoolRealArray()
var _font: DynamicFont
var _box := StyleBoxFlat.new()


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_font = Fonts.strong(12)
	_box.bg_color = Palette.PANEL
	_box.border_color = Palette.faded(Palette.TOKEN, 0.5)
	_box.set_border_width_all(1)
	_box.set_corner_radius_all(8)


func set_up(floor_view: Node2D) -> void:
	_floor_view = floor_view


# `columns`: the snapshot's, in the order of the pads.
func show_work(columns: Dictionary) -> void:
	if columns.used_bytes != _used:
		_used = columns.used_bytes
		update()


func _draw() -> void:
	var pads: Array = _floor_view.layout.pads
	for index in min(pads.size(), _used.size()):
		_draw_sign(pads[index], float(_used[index]) / pads[index].vram_bytes)


func _draw_sign(pad: Dictionary, share: float) -> void:
	var name := Words.pad_name(pad)
	var width: float = max(LEAST_WIDTH, _font.get_string_size(name).x + 2 * PADDING)
	var box := _place_for(pad.area, Vector2(width, HEIGHT))
	_box.border_color = Palette.faded(Palette.BAD if pad.broken else Palette.TOKEN, 0.5)
	draw_style_box(_box, box)
	var base := box.position + Vector2(PADDING, 6 + _font.get_ascent())
	draw_string(_font, base.round(), name, Palette.TOKEN.lightened(0.3))
	if pad.broken:
		base.y += 14
		draw_string(_font, base.round(), tr("SIGN_BROKEN"), Palette.BAD.lightened(0.25))
		return
	var bar := Rect2(box.position + Vector2(PADDING, 25), Vector2(width - 2 * PADDING, 5))
	draw_rect(bar, Palette.OUTLINE)
	bar.size.x *= clamp(share, 0.0, 1.0)
	draw_rect(bar, Palette.WARNING if share > NEARLY_FULL else Palette.TOKEN)


# The first of three corners where it hides no machine; the left one where all do.
func _place_for(area: Rect2, size: Vector2) -> Rect2:
	var left: Vector2 = _floor_view.to_view(area.position + Vector2(0, area.size.y))
	var front: Vector2 = _floor_view.to_view(area.end)
	var right: Vector2 = _floor_view.to_view(area.position + Vector2(area.size.x, 0))
	var corners := [
		left - Vector2(size.x + GAP, size.y / 2),
		front + Vector2(-size.x / 2, GAP),
		right + Vector2(GAP, -size.y / 2),
	]
	for corner in corners:
		var box := Rect2(corner.round(), size)
		if not _hides(box):
			return box
	return Rect2(corners[0].round(), size)


func _hides(box: Rect2) -> bool:
	for row in _floor_view.layout.machines:
		var area: Rect2 = row.area
		var left: Vector2 = _floor_view.to_view(area.position + Vector2(0, area.size.y))
		var right: Vector2 = _floor_view.to_view(area.position + Vector2(area.size.x, 0))
		var front: Vector2 = _floor_view.to_view(area.end)
		var middle: Vector2 = _floor_view.to_view(area.position + area.size / 2)
		var top: float = middle.y - MachineArt.height_of(row.kind) * _floor_view.scale.y
		if box.intersects(Rect2(left.x, top, right.x - left.x, front.y - top)):
			return true
	return false
