extends PanelContainer
# The bar above: the goal first and large, then what holds it back, then time.

signal title_pressed
signal pause_pressed
signal speed_pressed(speed)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Metric := preload("res://scenes/hud/metric.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const SPEEDS := [1, 2, 4, 8]

var buttons := {}

var _number: Label
var _name: Label
var _tps: Control
var _tps_target: Label
var _tps_mark: Control
var _tps_bar: ProgressBar
var _metrics := {}


func _init() -> void:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 20)
	add_child(line)
	var back := Ui.button("‹", tr("HUD_TITLE_TIP"))
	back.rect_min_size = Vector2(30, 36)
	back.size_flags_vertical = SIZE_SHRINK_CENTER
	back.add_font_override("font", Fonts.medium(20))
	_slim(back)
	back.connect("pressed", self, "emit_signal", ["title_pressed"])
	buttons.title = back
	line.add_child(back)
	line.add_child(_level_name())
	line.add_child(_throughput())
	_add_metric(line, "ttft_p95_s", "HUD_TTFT", 66)
	_add_metric(line, "pause_p95_s", "HUD_PAUSE", 66)
	_add_metric(line, "queue", "HUD_QUEUE", 44)
	_add_metric(line, "usd_per_mtok", "HUD_COST", 56)
	_add_metric(line, "time", "HUD_TIME", 56)
	line.add_child(_time_buttons())


func show_level(level: Dictionary) -> void:
	_number.text = tr("HUD_LEVEL").format({"number": level.number}).to_upper()
	_name.text = tr("LEVEL_%s_NAME" % level.number)


func show_snapshot(snapshot: Dictionary) -> void:
	var hud: Dictionary = snapshot.hud
	_show_throughput(hud)
	_metrics.ttft_p95_s.show_value(Words.seconds(hud.ttft_p95_s))
	_metrics.pause_p95_s.show_value(Words.seconds(hud.pause_p95_s))
	var many: bool = hud.queue > 3
	_metrics.queue.show_value(str(hud.queue), Palette.WARNING if many else Palette.TEXT)
	_metrics.usd_per_mtok.show_value(Words.decimal(hud.usd_per_mtok, 2))
	_metrics.time.show_value(Words.clock(snapshot.t_ps))
	for goal in snapshot.goals:
		_show_goal(goal)


# Lights the button of the speed in use, or the pause button.
func show_time(speed: int, paused: bool) -> void:
	buttons.pause.pressed = paused
	for each in SPEEDS:
		buttons[str(each)].pressed = not paused and each == speed


func _show_throughput(hud: Dictionary) -> void:
	_tps.text = Words.decimal(hud.tps, 1)
	_tps_target.text = tr("HUD_OF_TARGET").format({"target": Words.decimal(hud.tps_target, 0)})
	var share := 0.0
	if hud.tps != null and hud.tps_target != null:
		share = clamp(hud.tps / hud.tps_target, 0.0, 1.0)
	_tps_bar.value = share
	var colour := Palette.GOOD if share >= 1.0 else Palette.TOKEN
	_tps.colour = colour if hud.tps != null else Palette.TEXT_FAINT
	Ui.tint_bar(_tps_bar, colour)


func _show_goal(goal: Dictionary) -> void:
	var state: int = GoalMark.State.OPEN
	if goal.value != null:
		state = GoalMark.State.MET if goal.met else GoalMark.State.MISSED
	var name := Words.goal_name(goal.code)
	if name == "tps":
		_tps_mark.state = state
		return
	if not _metrics.has(name):
		return
	var sign_text := "≥ " if goal.at_least else "≤ "
	_metrics[name].show_goal(sign_text + Words.goal_limit(goal.code, goal.target), state)


func _level_name() -> Control:
	var column := VBoxContainer.new()
	column.alignment = BoxContainer.ALIGN_CENTER
	column.add_constant_override("separation", 1)
	column.rect_min_size.x = 150
	_number = Ui.caption("")
	_name = Ui.label("", Fonts.strong(17))
	_name.valign = Label.VALIGN_CENTER
	_name.rect_min_size.y = Metric.LINE
	column.add_child(_number)
	column.add_child(_name)
	return column


func _throughput() -> Control:
	var column := VBoxContainer.new()
	column.alignment = BoxContainer.ALIGN_CENTER
	column.add_constant_override("separation", 1)
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	column.hint_tooltip = tr("HUD_TPS_TIP")
	column.add_child(Ui.caption(tr("HUD_TPS")))
	var line := HBoxContainer.new()
	line.mouse_filter = MOUSE_FILTER_IGNORE
	line.rect_min_size.y = Metric.LINE
	_tps = Ui.figures(Fonts.strong(24), 60)
	line.add_child(_tps)
	_tps_target = Ui.label("", Fonts.body(13), Palette.TEXT_SOFT)
	_tps_target.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(_tps_target)
	_tps_bar = Ui.bar(Palette.TOKEN)
	_tps_bar.size_flags_horizontal = SIZE_EXPAND_FILL
	_tps_bar.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(_tps_bar)
	_tps_mark = GoalMark.new()
	_tps_mark.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(_tps_mark)
	column.add_child(line)
	return column


func _add_metric(line: Control, name: String, key: String, width: float) -> void:
	var metric := Metric.new()
	metric.set_up(tr(key), width, tr(key + "_TIP"))
	line.add_child(metric)
	_metrics[name] = metric


func _time_buttons() -> Control:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 4)
	_add_time_button(line, "pause", "", tr("TIME_PAUSE_TIP"))
	_add_icon(buttons.pause, "pause")
	buttons.pause.connect("pressed", self, "emit_signal", ["pause_pressed"])
	for speed in SPEEDS:
		var text: String = "%dx" % speed
		_add_time_button(line, str(speed), text, tr("TIME_SPEED_TIP").format({"speed": text}))
		buttons[str(speed)].connect("pressed", self, "emit_signal", ["speed_pressed", speed])
	return line


func _add_time_button(line: Control, name: String, text: String, tip: String) -> void:
	var button := Ui.button(text, tip)
	button.toggle_mode = true
	button.rect_min_size = Vector2(36, 36)
	button.size_flags_vertical = SIZE_SHRINK_CENTER
	_slim(button)
	buttons[name] = button
	line.add_child(button)


func _add_icon(button: Button, name: String) -> void:
	var icon := Ui.icon(name, 18)
	button.add_child(icon)
	icon.rect_position = Vector2(9, 9)
	icon.rect_size = Vector2(18, 18)


func _slim(button: Button) -> void:
	button.add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_INSET, 8))
	button.add_stylebox_override("hover", GameTheme.flat(Palette.PANEL_HOVER, 8))
	button.add_stylebox_override("pressed", GameTheme.flat(Palette.SELECTION, 8))
