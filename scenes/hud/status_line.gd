extends PanelContainer
# The one line under the bar that always says what holds the factory back now. The smallest change
# that would help, and what a run ahead has shown, are told to those who ask: a player may want to
# find out. Pressing the line selects the machine. More lines where there is little room.

signal machine_picked(id)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const PARTS := ["_dot", "_cause", "_fix", "_gain", "_lag", "_ask"]
const DOT := 10.0
const GAP := 8
const MARGIN := Vector2(12, 7)
const MOST_LINES := 4
# How long it goes on to say that time is behind.
const LAG_S := 1.0

# Whether something else is in its place.
var covered := false setget set_covered

var _rows := VBoxContainer.new()
var _lines := []
var _dot := Panel.new()
var _cause := Ui.label("", Fonts.medium(13))
var _fix := Ui.label("", Fonts.medium(13), Palette.GOOD)
var _gain := Ui.label("", Fonts.body(13), Palette.TEXT_SOFT)
var _lag := Ui.label("", Fonts.medium(13), Palette.WARNING)
var _press := Button.new()
var _ask := Ui.button("")
var _asked := false
var _phase := "build"
var _told := {}
var _room := 0.0
var _lag_left := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	var box := GameTheme.panel(10, int(MARGIN.x))
	box.content_margin_top = MARGIN.y
	box.content_margin_bottom = MARGIN.y
	add_stylebox_override("panel", box)
	_rows.add_constant_override("separation", 2)
	_rows.mouse_filter = MOUSE_FILTER_IGNORE
	for _index in MOST_LINES:
		var line := HBoxContainer.new()
		_lines.append(line)
		if _index > 0:
			line.add_child(_indent())
		line.mouse_filter = MOUSE_FILTER_IGNORE
		line.add_constant_override("separation", GAP)
		_rows.add_child(line)
	_dot.rect_min_size = Vector2(DOT, DOT)
	_dot.size_flags_vertical = SIZE_SHRINK_CENTER
	_dot.mouse_filter = MOUSE_FILTER_IGNORE
	for part in PARTS:
		_lines[0].add_child(get(part))
	_lag.text = tr("STATUS_LAGS")
	_lag.hide()
	_ask.text = tr("STATUS_ASK")
	_ask.hint_tooltip = Keys.tip(tr("STATUS_ASK_TIP"), "what_helps")
	_ask.toggle_mode = true
	_ask.add_font_override("font", Fonts.medium(12))
	_ask.rect_min_size.y = 20
	_ask.connect("toggled", self, "_on_asked")
	_press.focus_mode = FOCUS_NONE
	for state in ["normal", "disabled"]:
		_press.add_stylebox_override(state, StyleBoxEmpty.new())
	for state in ["hover", "pressed", "focus"]:
		var colour := Palette.TOKEN if state == "focus" else Palette.OUTLINE
		var frame := GameTheme.flat(Color.transparent, 10, colour)
		frame.set_expand_margin_individual(MARGIN.x, MARGIN.y, MARGIN.x, MARGIN.y)
		_press.add_stylebox_override(state, frame)
	_press.connect("pressed", self, "_on_pressed")
	add_child(_press)
	add_child(_rows)
	hide()


# How wide it may be.
func fit(room: float) -> void:
	if room != _room:
		_room = room
		_arrange()


func set_covered(value: bool) -> void:
	covered = value
	visible = not covered and not _told.empty()


func show_snapshot(snapshot: Dictionary) -> void:
	if snapshot.lag:
		_lag_left = LAG_S
	var changed: bool = snapshot.has("bottleneck") or snapshot.phase != _phase
	_phase = snapshot.phase
	_told = snapshot.get("bottleneck", _told)
	if changed and not _told.empty():
		_show()


# Where the button that asks for help is; empty while there is nothing to ask for.
func ask_rect() -> Rect2:
	return _ask.get_global_rect() if _ask.is_visible_in_tree() else Rect2()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("what_helps") and _ask.is_visible_in_tree():
		_ask.pressed = not _ask.pressed


# What it says, for tests.
func text() -> String:
	var said := PoolStringArray()
	for part in [_cause, _fix, _gain]:
		if part.visible:
			said.append(part.text)
	return said.join(" ") if visible else ""


func _process(delta: float) -> void:
	_lag_left -= delta
	if _lag.visible != (_lag_left > 0.0):
		_lag.visible = _lag_left > 0.0
		_arrange()


func _show() -> void:
	visible = not covered
	var ahead: bool = _told.simulated and _phase != "ended"
	var looking: bool = _told.looking and _told.code != "bottleneck.looking"
	_ask.visible = _told.fix != null or ahead or looking
	if ahead and not _asked:
		_cause.text = tr("STATUS_READY" if _phase == "build" else "STATUS_EARLY")
	else:
		var text := Words.of(_told.code, _told.params)
		_cause.text = tr("STATUS_AHEAD").format({"text": text}) if _told.simulated else text
	_dot.add_stylebox_override("panel", GameTheme.flat(_colour(), int(DOT / 2)))
	var fix = _told.fix if _asked else null
	_fix.visible = fix != null
	_gain.visible = fix != null or (_asked and looking)
	if fix != null:
		_fix.text = Words.fix(fix) + ":"
		var change := Words.change(fix.metric, fix.before, fix.after)
		_gain.text = tr("STATUS_GAIN").format({"change": change})
	elif _gain.visible:
		_gain.text = tr("STATUS_LOOKING")
	_press.hint_tooltip = _tip() if _asked else tr("STATUS_PICK") if _told.machine >= 0 else ""
	_press.disabled = _told.machine < 0
	_arrange()


func _colour() -> Color:
	if _told.simulated and _phase != "ended" and not _asked:
		return Palette.TEXT_FAINT
	if _told.code == "bottleneck.none":
		return Palette.GOOD
	if _told.code == "bottleneck.looking":
		return Palette.TEXT_FAINT
	var bad: bool = (
		_told.code.begins_with("gap.")
		or _told.code in ["bottleneck.out_of_memory", "bottleneck.will_crash"]
	)
	return Palette.BAD if bad else Palette.WARNING


# Each step of the change, what it would bring, and what it would cost.
func _tip() -> String:
	var lines := PoolStringArray()
	var fix = _told.fix
	if fix != null:
		for index in fix.steps.size():
			var step: Dictionary = fix.steps[index]
			lines.append("%d  %s" % [index + 1, Words.of(step.code, step.params)])
		for code in fix.spoils:
			lines.append(tr("STATUS_SPOILS").format({"goal": Words.goal_words(code)}))
		lines.append(tr("STATUS_TIP"))
	elif not _told.looking and _told.tried > 0:
		lines.append(tr("STATUS_NOTHING").format({"count": _told.tried}))
	if _told.machine >= 0:
		lines.append(tr("STATUS_PICK"))
	return lines.join("\n")


# Parts that do not fit beside the ones before them go to the next line; a cause that is too long
# for a line of its own is broken.
func _arrange() -> void:
	var room := _room - get_stylebox("panel").get_minimum_size().x
	var most := room - DOT - 2 * GAP
	_cause.autowrap = false
	_cause.rect_min_size.x = 0
	if _long(_cause) > most and _room > 0.0:
		_cause.autowrap = true
		_cause.rect_min_size.x = most
	var line := 0
	var left := room
	for name in PARTS:
		var part: Control = get(name)
		var wide := _long(part) + GAP if part.visible else 0.0
		if wide > left and _room > 0.0 and left < (room if line == 0 else most):
			line = int(min(line + 1, _lines.size() - 1))
			left = most
		left -= wide
		if part.get_parent() != _lines[line]:
			part.get_parent().remove_child(part)
			_lines[line].add_child(part)
		_lines[line].move_child(part, _lines[line].get_child_count() - 1)
	for index in _lines.size():
		_lines[index].visible = index <= line
	set_deferred("rect_size", Vector2.ZERO)


# Lines after the first begin where its words do.
func _indent() -> Control:
	var indent := Control.new()
	indent.rect_min_size.x = DOT
	indent.mouse_filter = MOUSE_FILTER_IGNORE
	return indent


func _long(part: Control) -> float:
	return part.get_combined_minimum_size().x


func _on_asked(pressed: bool) -> void:
	_asked = pressed
	_show()


func _on_pressed() -> void:
	if _told.get("machine", -1) >= 0:
		emit_signal("machine_picked", _told.machine)
