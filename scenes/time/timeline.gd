extends Control
# The run as a line: how far it has come, what happened when, and what was left ahead by going back.
# Press or drag to go to a moment; with keys, left and right, then Enter.

# The player wants to see a moment; again and again while dragging.
signal moment_wanted(t_ps)
# The moment under the mouse or the keys' cursor (-1: none).
signal pointed(t_ps)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Marks := preload("res://scenes/time/marks.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const PS_PER_S := 1000000000000
const TENTH_PS := 100000000000
const NOTHING := -1
const PAD := 12.0
const END_ROOM := 52.0
const TRACK_Y := 17.0
const TRACK := 4.0
const MARKS_Y := 8.0
const NEAR := 6.0
# Marks that are closer than this are drawn as one.
const CELL := 10.0
const MOST_LINES := 6

# Whether the player holds the handle.
var held := false
var now_ps := 0 setget set_now

var _told := {"reached_ps": 0, "end_ps": 1, "warmup_ps": 0, "marks": [], "branches": []}
var _rewinding := {}
var _pointed := NOTHING
var _by_keys := false
var _handle_x := -1.0
var _bubble := PanelContainer.new()
var _bubble_text := Ui.label("", Fonts.body(12))
var _box := GameTheme.flat(Palette.PANEL, GameTheme.SMALL_CORNER, Palette.OUTLINE)
var _font := Fonts.medium(11)


func _init() -> void:
	focus_mode = FOCUS_ALL
	mouse_default_cursor_shape = CURSOR_POINTING_HAND
	rect_min_size = Vector2(80, 26)
	_bubble.mouse_filter = MOUSE_FILTER_IGNORE
	_bubble.set_as_toplevel(true)
	var box := GameTheme.panel(GameTheme.SMALL_CORNER, 10)
	box.bg_color = Palette.faded(Palette.PANEL, 0.98)
	_bubble.add_stylebox_override("panel", box)
	_bubble.add_child(_bubble_text)
	_bubble.hide()
	add_child(_bubble)
	connect("mouse_exited", self, "point", [NOTHING])
	connect("focus_entered", self, "update")
	connect("focus_exited", self, "point", [NOTHING])
	connect("resized", self, "update")


# What the engine tells of the run (docs/protocol.md, `timeline`).
func show_run(told: Dictionary) -> void:
	_told = told
	set_now(told.t_ps)
	update()


func set_now(value: int) -> void:
	now_ps = value
	if _x(now_ps) != _handle_x:
		update()


# {t_ps, share}: the way there is being simulated; {}: it is not.
func show_rewinding(rewinding: Dictionary) -> void:
	if rewinding.hash() != _rewinding.hash():
		_rewinding = rewinding
		update()


# Shows a moment that is pointed at, here or in a graph.
func point(t_ps: int) -> void:
	_by_keys = false
	_point(t_ps)


# What it says of the moment that is pointed at; "" for none.
func words() -> String:
	return _bubble_text.text if _bubble.visible else ""


# How many marks it shows, by code.
func mark_counts() -> Dictionary:
	var counts := {}
	for mark in _told.marks:
		counts[mark.code] = counts.get(mark.code, 0) + 1
	return counts


# Where the marks lie, by code (the last of each), in the viewport's units.
func mark_rects() -> Dictionary:
	var rects := {}
	for mark in _told.marks:
		var at := rect_global_position + Vector2(_x(mark.t_ps), MARKS_Y)
		rects[mark.code] = Rect2(at - Vector2(NEAR, NEAR), Vector2(NEAR, NEAR) * 2)
	return rects


# The line from the start of the run to its end, in the viewport's units.
func track_rect() -> Rect2:
	var start := rect_global_position + Vector2(PAD, TRACK_Y - TRACK)
	return Rect2(start, Vector2(_x(_told.end_ps) - PAD, 2 * TRACK))


# The branch that is gone on with when the player goes to a moment ahead: the newest that was there.
func branch_to(t_ps: int) -> int:
	var index := NOTHING
	for branch in _told.branches:
		if branch.reached_ps >= t_ps:
			index = branch.index
	return index


func reached_ps() -> int:
	return _told.reached_ps


# A window that goes away under the mouse never tells that the button was let go.
func _notification(what: int) -> void:
	if what == MainLoop.NOTIFICATION_WM_FOCUS_OUT:
		held = false


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		point(_moment_at(event.position.x))
		_show_bubble()
		if held:
			_want(_pointed)
	elif event is InputEventMouseButton and event.button_index == BUTTON_LEFT:
		held = event.pressed
		if held:
			_want(_moment_at(event.position.x))
		else:
			release_focus()
		accept_event()
	elif event.is_action_pressed("ui_left", true) or event.is_action_pressed("ui_right", true):
		var way := -1 if event.is_action_pressed("ui_left", true) else 1
		var from := _pointed if _pointed != NOTHING else now_ps
		_by_keys = true
		_point(int(clamp((from / PS_PER_S + way) * PS_PER_S, 0, _told.reached_ps)))
		_show_bubble()
		accept_event()
	elif event.is_action_pressed("ui_accept") and _pointed != NOTHING:
		_want(_pointed)
		accept_event()


func _want(t_ps: int) -> void:
	emit_signal("moment_wanted", int(min(t_ps, _told.reached_ps)))


func _point(t_ps: int) -> void:
	if t_ps == _pointed:
		return
	_pointed = t_ps
	if t_ps == NOTHING:
		_bubble.hide()
	emit_signal("pointed", t_ps)
	update()


# A mark that is near is meant exactly; else tenths of a second.
func _moment_at(x: float) -> int:
	var nearest := NEAR
	var found := NOTHING
	for mark in _told.marks:
		var distance := abs(_x(mark.t_ps) - x)
		if distance < nearest:
			nearest = distance
			found = mark.t_ps
	if found != NOTHING:
		return found
	var share := clamp((x - PAD) / _width(), 0.0, 1.0)
	return int(round(share * _told.end_ps / TENTH_PS)) * TENTH_PS


func _show_bubble() -> void:
	if _pointed == NOTHING:
		return
	var lines := PoolStringArray([_moment_words(_pointed)])
	for mark in _marks_near(_x(_pointed)):
		if lines.size() <= MOST_LINES:
			lines.append("%s  %s" % [Words.clock(mark.t_ps), Marks.words(mark)])
	_bubble_text.text = lines.join("\n")
	_bubble.show()
	_bubble.rect_size = Vector2.ZERO
	var size := _bubble.get_combined_minimum_size()
	var at := rect_global_position + Vector2(_x(_pointed) - size.x / 2, rect_size.y + 4)
	var most := get_viewport_rect().size.x - size.x - 8
	_bubble.rect_global_position = Vector2(clamp(at.x, 8, most), at.y).round()


func _moment_words(t_ps: int) -> String:
	var key := "TIMELINE_BACK"
	if t_ps > _told.reached_ps:
		key = "TIMELINE_NOT_YET"
	elif t_ps > now_ps:
		key = "TIMELINE_AHEAD"
	var text := tr(key).format({"time": Words.clock(t_ps)})
	if t_ps < _told.warmup_ps:
		text += " " + tr("TIMELINE_WARMUP")
	return text


func _marks_near(x: float) -> Array:
	var near := []
	for mark in _told.marks:
		if abs(_x(mark.t_ps) - x) < NEAR:
			near.append(mark)
	return near


func _width() -> float:
	return max(rect_size.x - PAD - END_ROOM, 1.0)


func _x(t_ps: float) -> float:
	return round(PAD + _width() * clamp(t_ps / _told.end_ps, 0.0, 1.0))


func _draw() -> void:
	draw_style_box(_box, Rect2(Vector2.ZERO, rect_size))
	_handle_x = _x(now_ps)
	var warm := _x(_told.warmup_ps)
	draw_rect(Rect2(PAD, 3, warm - PAD, rect_size.y - 6), Palette.PANEL_INSET)
	_draw_span(0, _told.end_ps, Palette.OUTLINE_SOFT)
	_draw_span(now_ps, _told.reached_ps, Palette.faded(Palette.SELECTION, 0.45))
	_draw_span(0, now_ps, Palette.TEXT_SOFT)
	for branch in _told.branches:
		var end := Vector2(_x(branch.reached_ps), TRACK_Y)
		draw_arc(end, 3.0, 0.0, TAU, 12, Palette.TOKEN, 1.5, true)
	_draw_marks()
	if _pointed != NOTHING:
		_draw_line(_x(_pointed), Palette.faded(Palette.TEXT, 0.5))
	if not _rewinding.empty():
		_draw_line(_x(_rewinding.t_ps), Palette.TOKEN)
		var done := Vector2(rect_size.x * _rewinding.share, 2)
		draw_rect(Rect2(Vector2(0, rect_size.y - 2), done), Palette.TOKEN)
	_draw_line(_handle_x, Color.white)
	draw_circle(Vector2(_handle_x, TRACK_Y), 5.0, Color.white)
	var end_text := Words.clock(_told.end_ps)
	var room := _font.get_string_size(end_text).x
	var baseline := round((rect_size.y + _font.get_ascent()) / 2) - 1
	draw_string(_font, Vector2(rect_size.x - room - 10, baseline), end_text, Palette.TEXT_SOFT)
	if has_focus():
		draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.TOKEN, false, 2.0)


# Of the marks that lie on each other only the most urgent.
func _draw_marks() -> void:
	var shown := []
	for mark in _told.marks:
		var x := _x(mark.t_ps)
		if shown.empty() or x - shown[-1][1] >= CELL:
			shown.append([mark.code, x])
		elif Marks.rank(mark.code) < Marks.rank(shown[-1][0]):
			shown[-1][0] = mark.code
	for mark in shown:
		Marks.draw(self, mark[0], Vector2(mark[1], MARKS_Y))


func _draw_span(from_ps: float, to_ps: float, colour: Color) -> void:
	var start := _x(from_ps)
	draw_rect(Rect2(start, TRACK_Y - TRACK / 2, max(_x(to_ps) - start, 0.0), TRACK), colour)


func _draw_line(x: float, colour: Color) -> void:
	draw_line(Vector2(x, 2), Vector2(x, rect_size.y - 2), colour, 1.0)
