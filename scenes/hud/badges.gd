extends Control
# Signs above the machines: how many requests wait in each, and why it stands still. Drawn over the
# floor at a constant size, so that they can be read at any zoom.

const Fonts := preload("res://scenes/theme/fonts.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const HEIGHT := 22.0
const PADDING := 8.0
const DOT := 4.0
# States that a sign tells; the others show in the machine's light.
const TOLD := ["waiting_pad", "waiting_memory", "blocked", "unconnected"]
const CRASHED := "crashed"

var _floor_view: Node2D
var _columns := {}
var _font: DynamicFont


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_font = Fonts.strong(12)


func set_up(floor_view: Node2D) -> void:
	_floor_view = floor_view


func show_work(columns: Dictionary) -> void:
	var same: bool = (
		_columns.get("state") == columns.state
		and _columns.get("queue") == columns.queue
	)
	_columns = columns
	if not same:
		update()


func _draw() -> void:
	if _columns.empty():
		return
	var layout: Reference = _floor_view.layout
	for index in layout.machines.size():
		var state: String = layout.states[_columns.state[index]]
		_draw_sign(layout.machines[index], state, int(_columns.queue[index]))


func _draw_sign(row: Dictionary, state: String, queue: int) -> void:
	var text := ""
	var colour := Palette.TEXT_SOFT
	if queue > 0:
		text = tr("SIGN_WAITING").format({"count": queue})
		colour = Palette.WARNING if queue > 1 else Palette.TEXT_SOFT
	if state in TOLD:
		text += (" · " if text != "" else "") + tr("STATE_" + state.to_upper())
		colour = Palette.of_state(state)
	if state == CRASHED:
		text = tr("SIGN_CRASHED")
		colour = Palette.BAD
	if text == "":
		return
	var middle: Vector2 = row.area.position + row.area.size / 2
	var top := Vector2(0, MachineArt.height_of(row.kind) * _floor_view.scale.y)
	var at: Vector2 = _floor_view.to_view(middle) - top
	var width := _font.get_string_size(text).x + 2 * PADDING + 3 * DOT
	var box := Rect2((at - Vector2(width / 2, HEIGHT)).round(), Vector2(width, HEIGHT))
	draw_style_box(_sign_box(colour), box)
	draw_circle(box.position + Vector2(PADDING + DOT, HEIGHT / 2), DOT, colour)
	var base := box.position + Vector2(PADDING + 3 * DOT, (HEIGHT + _font.get_ascent()) / 2 - 2)
	draw_string(_font, base.round(), text, Palette.TEXT)


func _sign_box(colour: Color) -> StyleBoxFlat:
	var box := StyleBoxFlat.new()
	box.bg_color = Palette.PANEL
	box.border_color = Palette.faded(colour, 0.6)
	box.set_border_width_all(1)
	box.set_corner_radius_all(11)
	return box
