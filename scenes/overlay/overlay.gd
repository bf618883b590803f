extends Control
# The overlay: over each machine a plate with its name, what it does, how busy it is and what limits
# it. On a large floor only a mark in the colour of what limits it. Drawn anew when it has something
# new to say, at most five times a second.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Limits := preload("res://scenes/overlay/limits.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")
const REFRESH_S := 0.2
# With more machines than this there is no room for words.
const MOST_PLATES := 24
const PLATE := Vector2(176, 50)
const SMALL_PLATE := Vector2(112, 38)
# Machines that only pass on or hand out have no utilisation of their own.
const PASSIVE := [
	"prompt_dock",
	"token_dock",
	"validation_gate",
	"page_allocator",
	"batcher",
	"chunker",
	"prefix_cache",
	"gateway",
	"router",
]
const PAD := 8.0
const BAR := 4.0
const GAP := 4.0
const RISE := 10.0
const RINGS := 6
const MARK := Vector2(10, 10)
const MARK_BAR := Vector2(22, 4)

# Where panels are, which no plate should lie behind.
var avoid := [] setget set_avoid

var _client: Node
var _floor_view: Node2D
var _columns := {}
var _limits := []
var _share := {}
var _wait := 0.0
var _shown := []
var _name_font := Fonts.strong(12)
var _font := Fonts.body(11)
var _figure_font := Fonts.medium(11)
var _plate := StyleBoxFlat.new()
var _said := []


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_plate.bg_color = Palette.PANEL
	_plate.set_border_width_all(1)
	_plate.set_corner_radius_all(8)
	hide()


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view


func toggle() -> void:
	visible = not visible
	_wait = 0.0


func show_structure(layout: Reference) -> void:
	_limits = layout.limits
	_columns = {}
	_wait = 0.0


func set_avoid(value: Array) -> void:
	if value != avoid:
		avoid = value
		update()


# `columns`: the snapshot's, in the order of the layout's machines.
func show_work(columns: Dictionary) -> void:
	if not visible:
		return
	_columns = columns
	_wait -= get_process_delta_time()
	if _wait > 0.0:
		return
	_wait = REFRESH_S
	if _floor_view.layout.machines.size() <= MOST_PLATES:
		_ask_shares()
	var now := [columns.state, columns.limit, _rounded(columns.busy), _share]
	if now.hash() != _shown.hash():
		_shown = now.duplicate(true)
		update()


# What the plates say, for tests.
func texts() -> Array:
	return _said if visible else []


func _ask_shares() -> void:
	var answer: Dictionary = _client.ask({"ask": "overlay"})
	_share = {}
	if answer.ok:
		for index in answer.id.size():
			_share[answer.id[index]] = answer.share[index]


# A bar that moves by less than a pixel is not drawn anew.
func _rounded(busy: PoolRealArray) -> Array:
	var rounded := []
	for each in busy:
		rounded.append(int(each * 100.0))
	return rounded


func _draw() -> void:
	_said = []
	var layout: Reference = _floor_view.layout
	if _columns.empty() or _columns.state.size() != layout.machines.size():
		return
	if layout.machines.size() > MOST_PLATES:
		for index in layout.machines.size():
			_draw_mark(layout.machines[index], index)
		return
	var taken := avoid.duplicate()
	for index in _front_to_back(layout.machines):
		_draw_plate(layout.machines[index], index, taken)


# Those in front keep their place; the ones behind make room.
func _front_to_back(rows: Array) -> Array:
	var keyed := []
	for index in rows.size():
		keyed.append([-rows[index].area.end.x - rows[index].area.end.y, index])
	keyed.sort()
	var order := []
	for pair in keyed:
		order.append(pair[1])
	return order


func _draw_plate(row: Dictionary, index: int, taken: Array) -> void:
	var state: String = _floor_view.layout.states[_columns.state[index]]
	var limit: String = _limits[_columns.limit[index]]
	var passive: bool = row.kind in PASSIVE
	var why := Limits.words(limit) if state == "working" else tr("STATE_" + state.to_upper())
	var colour: Color = Palette.of_state(state) if limit == "none" else Limits.COLOURS[limit]
	var share := ""
	if _share.has(row.id) and limit != "none":
		share = Words.percent(_share[row.id])
	var top := _top_of(row)
	var box := _free_place(top, SMALL_PLATE if passive else PLATE, taken)
	taken.append(box.grow(GAP / 2))
	var foot := Vector2(clamp(top.x, box.position.x + 8, box.end.x - 8), box.end.y)
	if box.position.y > top.y:
		foot.y = box.position.y
	draw_line(foot, top, Palette.faded(Palette.of_state(state), 0.6), 1.0, true)
	_plate.border_color = Palette.faded(colour, 0.7)
	draw_style_box(_plate, box)
	var name := tr("KIND_" + row.kind.to_upper())
	var left := box.position.x + PAD
	_text(_name_font, name, left, box.position.y + 16, Palette.TEXT)
	if passive:
		var doing := tr("STATE_" + state.to_upper())
		_text(_font, doing, left, box.position.y + 30, Palette.of_state(state))
		_said.append("%s: %s" % [name, doing])
		return
	var busy: float = _columns.busy[index]
	_text_right(Words.percent(busy), box, box.position.y + 16, Palette.TEXT_SOFT)
	var bar := Rect2(left, box.position.y + 22, box.size.x - 2 * PAD, BAR)
	draw_rect(bar, Palette.OUTLINE)
	bar.size.x *= clamp(busy, 0.0, 1.0)
	draw_rect(bar, Palette.GOOD)
	Limits.draw(self, limit, Vector2(left, box.position.y + 31))
	var line := box.position.y + 41
	_text(_font, why, left + Limits.SIDE + 5, line, colour)
	_text_right(share, box, line, colour)
	var state_words := tr("STATE_" + state.to_upper())
	_said.append("%s %s: %s, %s %s" % [name, Words.percent(busy), state_words, why, share])


# Above the machine, or as near to that as panels and the plates that are drawn already allow.
func _free_place(top: Vector2, size: Vector2, taken: Array) -> Rect2:
	var best := Rect2((top - Vector2(size.x / 2, size.y + RISE)).round(), size)
	for ring in RINGS:
		for way in [-1.0, 1.0]:
			for aside in [0.0, -0.5, 0.5, -1.0, 1.0]:
				var shift := Vector2(aside * size.x, way * ring * size.y * 0.5)
				var box := Rect2((best.position + shift).round(), size)
				if _is_free(box, taken):
					return box
	return best


func _is_free(box: Rect2, taken: Array) -> bool:
	for other in taken:
		if other.intersects(box):
			return false
	return true


func _draw_mark(row: Dictionary, index: int) -> void:
	var limit: String = _limits[_columns.limit[index]]
	if limit == "none":
		return
	var colour: Color = Limits.COLOURS[limit]
	var at := _top_of(row)
	draw_rect(Rect2((at - MARK / 2).round(), MARK), colour)
	var bar := Rect2((at + Vector2(-MARK_BAR.x / 2, 8)).round(), MARK_BAR)
	draw_rect(bar, Palette.PANEL)
	bar.size.x *= clamp(_columns.busy[index], 0.0, 1.0)
	draw_rect(bar, colour)


func _top_of(row: Dictionary) -> Vector2:
	var middle: Vector2 = row.area.position + row.area.size / 2
	return (
		_floor_view.to_view(middle)
		- Vector2(0, MachineArt.height_of(row.kind) * _floor_view.scale.y)
	)


func _text(font: Font, text: String, x: float, y: float, colour: Color) -> void:
	draw_string(font, Vector2(x, y).round(), text, colour)


func _text_right(text: String, box: Rect2, y: float, colour: Color) -> void:
	var wide := _figure_font.get_string_size(text).x
	_text(_figure_font, text, box.end.x - PAD - wide, y, colour)
