extends PanelContainer
# The bar above: the goal first and large, then what holds it back, then time.

signal title_pressed
signal keep_pressed
signal pause_pressed
signal speed_pressed(speed)
# The codex's page of a figure that was clicked.
signal page_wanted(page)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LeadGoal := preload("res://scenes/hud/lead_goal.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Metric := preload("res://scenes/hud/metric.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const SPEEDS := [1, 2, 4, 8]
const GAP := 20
# The goals that lead the bar where a level has them, and how wide the others are.
const LEADS := [
	"goal.tps",
	"goal.user_tps",
	"goal.worst_on_time",
	"goal.on_time",
	"goal.goodput",
	"goal.usd_per_task",
	"goal.finished",
]
const WIDTHS := {"goal.out_of_memory": 30.0, "goal.refused": 30.0}
const WIDTH := 66.0
# A longer name of a level is cut off.
const MOST_NAME := 220.0
# The codex's pages of the figures.
const PAGES := {
	"HUD_TPS": "throughput",
	"HUD_USER_TPS": "tpot",
	"HUD_TTFT_P95_S": "ttft",
	"HUD_PAUSE_P95_S": "tpot",
	"HUD_OUT_OF_MEMORY": "kv_cache",
	"HUD_QUEUE": "ttft",
	"HUD_COST": "cost",
	"HUD_PAUSE_P99_S": "tpot",
	"HUD_TTFT_P99_S": "ttft",
	"HUD_ON_TIME": "fairness",
	"HUD_WORST_ON_TIME": "fairness",
	"HUD_FAIRNESS": "fairness",
	"HUD_USD_PER_TASK": "break_even",
}

var buttons := {}

var _number: Label
var _level := ""
# What is said of the recording that is watched ("": none is), as a key of words.
var _replay := ""
var _name: Label
var _rows := VBoxContainer.new()
var _first := HBoxContainer.new()
var _second := HBoxContainer.new()
var _title: Control
var _numbers := HBoxContainer.new()
var _time: Control
var _goals := HBoxContainer.new()
var _goal_codes := []
var _judged := []
var _lead: Control
var _goal_metrics := {}
# Where there is no goal: the throughput all the same.
var _free: Control
var _free_of_goals := false
var _metrics := {}


func _init() -> void:
	for line in [_first, _second, _numbers]:
		line.add_constant_override("separation", GAP)
	_rows.add_constant_override("separation", 4)
	_rows.add_child(_first)
	_rows.add_child(_second)
	add_child(_rows)
	var back := Ui.button("‹", tr("HUD_TITLE_TIP"))
	back.rect_min_size = Vector2(30, 36)
	back.size_flags_vertical = SIZE_SHRINK_CENTER
	back.add_font_override("font", Fonts.medium(20))
	_slim(back)
	back.connect("pressed", self, "emit_signal", ["title_pressed"])
	buttons.title = back
	_title = _level_name()
	_first.add_child(_menu(back))
	_first.add_child(_title)
	_goals.add_constant_override("separation", GAP)
	_goals.size_flags_horizontal = SIZE_EXPAND_FILL
	_first.add_child(_goals)
	_metrics.queue = _add_metric(_numbers, "HUD_QUEUE", 44)
	_metrics.usd_per_mtok = _add_metric(_numbers, "HUD_COST", 56)
	_metrics.time = _add_metric(_numbers, "HUD_TIME", 56)
	_first.add_child(_numbers)
	_time = _time_buttons()
	_first.add_child(_time)
	_second.hide()


func _ready() -> void:
	_link()


func show_level(level: Dictionary) -> void:
	var number := tr("HUD_LEVEL").format({"number": level.number})
	if not LevelWords.is_campaign(level):
		number = tr("HUD_LEVEL_OWN" if LevelWords.mod_of(level) == "" else "HUD_LEVEL_OF_MOD")
	if LevelWords.is_sandbox(level):
		number = tr("HUD_LEVEL_FREE")
	buttons.keep.visible = LevelWords.is_sandbox(level)
	_level = number
	_show_number()
	var font := _name.get_font("font")
	_name.text = PlainText.cut(LevelWords.of(level, "NAME"), font, MOST_NAME)
	_name.rect_min_size.x = font.get_string_size(_name.text).x


# Keys and pads step over the figures between the buttons; the timeline below would be nearer.
func _link() -> void:
	if is_inside_tree():
		buttons.pause.focus_neighbour_left = buttons.pause.get_path_to(buttons.saves)
		buttons.saves.focus_neighbour_right = buttons.saves.get_path_to(buttons.pause)


# The recording that is watched; null: none is.
func show_replay(following) -> void:
	_replay = ""
	if following != null:
		_replay = "HUD_REPLAY"
		if following.equal != null:
			_replay = "HUD_REPLAY_EQUAL" if following.equal else "HUD_REPLAY_DIFFERS"
	_show_number()


func _show_number() -> void:
	_number.text = (_level if _replay == "" else tr(_replay)).to_upper()
	var colour := Palette.TEXT_SOFT if _replay == "" else Palette.WARNING
	if _replay == "HUD_REPLAY_EQUAL":
		colour = Palette.GOOD
	_number.add_color_override("font_color", colour)


# Two rows where one is too long for this width; then without the level's name.
func fit(width: float) -> void:
	var room := width - get_stylebox("panel").get_minimum_size().x
	var title := _long(_title) + GAP
	var parts := _long(_numbers) + _long(_time) + 2 * GAP
	var rest := _long(_first)
	if _title.visible:
		rest -= title
	if not _second.visible:
		rest -= parts
	var folded := rest + title + parts > room
	if folded != _second.visible:
		for part in [_numbers, _time]:
			part.get_parent().remove_child(part)
			(_second if folded else _first).add_child(part)
		_numbers.size_flags_horizontal = SIZE_EXPAND_FILL if folded else SIZE_FILL
		_second.visible = folded
		_link()
	_title.visible = not folded or rest + title <= room


func show_snapshot(snapshot: Dictionary) -> void:
	var hud: Dictionary = snapshot.hud
	if snapshot.has("goals"):
		_judged = snapshot.goals
		_offer_goals(_judged)
	for goal in _judged:
		_show_goal(goal, hud)
	if _free != null:
		_free.show_value(Words.decimal(hud.tps, 1))
	var many: bool = hud.queue > 3
	_metrics.queue.show_value(str(hud.queue), Palette.WARNING if many else Palette.TEXT)
	_metrics.usd_per_mtok.show_value(Words.decimal(hud.usd_per_mtok, 2))
	_metrics.time.show_value(Words.clock(snapshot.t_ps))


# Where the goals that are shown stand, by their codes, in the viewport's units.
func goal_rects() -> Dictionary:
	var rects := {}
	for code in _goal_codes:
		rects[code] = _goal_metrics.get(code, _lead).get_global_rect()
	return rects


# Lights the button of the speed in use, or the pause button.
func show_time(speed: int, paused: bool) -> void:
	buttons.pause.pressed = paused
	for each in SPEEDS:
		buttons[str(each)].pressed = not paused and each == speed


# Makes room for the goals of a level: tokens per second large, the others as numbers beside it.
func _offer_goals(goals: Array) -> void:
	var codes := []
	for goal in goals:
		codes.append(Words.goal_key(goal))
	if codes == _goal_codes and _free_of_goals == codes.empty():
		return
	_free_of_goals = codes.empty()
	_goal_codes = codes
	for child in _goals.get_children():
		_goals.remove_child(child)
		child.queue_free()
	_lead = null
	_goal_metrics = {}
	var lead := _leading(goals)
	for goal in goals:
		var code: String = goal.code
		var key := "HUD_" + Words.goal_name(code).to_upper()
		if Words.goal_key(goal) == lead:
			_lead = LeadGoal.new()
			_lead.set_up(key, Words.goal_title(goal))
			_lead_to_page(_lead, key)
			_goals.add_child(_lead)
			_goals.move_child(_lead, 0)
		else:
			var metric := _add_metric(_goals, key, WIDTHS.get(code, WIDTH), Words.goal_title(goal))
			_goal_metrics[Words.goal_key(goal)] = metric
	_free = null
	if codes.empty():
		_free = _add_metric(_goals, "HUD_TPS", WIDTH)
	if _lead == null:
		_goals.add_child(Ui.spacer())


# The goal that leads the bar: the first of the first kind of them that a level has.
func _leading(goals: Array) -> String:
	for code in LEADS:
		for goal in goals:
			if goal.code == code:
				return Words.goal_key(goal)
	return ""


# The throughput is shown as it is now, all else as it is judged.
func _show_goal(goal: Dictionary, hud: Dictionary) -> void:
	if not _goal_metrics.has(Words.goal_key(goal)):
		_lead.show_goal(hud.tps if goal.code == "goal.tps" else goal.value, goal)
		return
	var metric: Control = _goal_metrics[Words.goal_key(goal)]
	metric.show_value(Words.goal_value(goal.code, goal.value))
	metric.show_goal(Words.goal_bound(goal), GoalMark.state_of(goal))


# What leads out of the level.
func _menu(back: Button) -> Control:
	var saves := SmallButton.new()
	saves.set_up("saves", back.rect_min_size, Keys.tip(tr("SAVES_TIP"), "saves"))
	saves.size_flags_vertical = SIZE_SHRINK_CENTER
	saves.connect("pressed", self, "_on_saves")
	buttons.saves = saves
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 4)
	var keep := SmallButton.new()
	keep.set_up("level", back.rect_min_size, Keys.tip(tr("SANDBOX_KEEP_TIP"), "keep_level"))
	keep.size_flags_vertical = SIZE_SHRINK_CENTER
	keep.connect("pressed", self, "emit_signal", ["keep_pressed"])
	keep.hide()
	buttons.keep = keep
	line.add_child(back)
	line.add_child(saves)
	line.add_child(keep)
	return line


func _on_saves() -> void:
	get_tree().call_group("saves", "toggle")


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


func _long(part: Control) -> float:
	return part.get_combined_minimum_size().x


func _add_metric(line: Control, key: String, width: float, title: String = "") -> Control:
	var metric := Metric.new()
	metric.set_up(title if title != "" else tr(key), width, tr(key + "_TIP"))
	_lead_to_page(metric, key)
	line.add_child(metric)
	return metric


# A click on a figure opens its page.
func _lead_to_page(control: Control, key: String) -> void:
	if PAGES.has(key):
		control.mouse_default_cursor_shape = CURSOR_POINTING_HAND
		control.hint_tooltip += "\n" + tr("HUD_PAGE_TIP")
		control.connect("gui_input", self, "_on_figure_input", [PAGES[key]])


func _on_figure_input(event: InputEvent, page: String) -> void:
	if event is InputEventMouseButton and event.pressed and event.button_index == BUTTON_LEFT:
		emit_signal("page_wanted", page)


func _time_buttons() -> Control:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 4)
	_add_time_button(line, "pause", "", Keys.tip(tr("TIME_PAUSE_TIP"), "pause"))
	_add_icon(buttons.pause, "pause")
	buttons.pause.connect("pressed", self, "emit_signal", ["pause_pressed"])
	for speed in SPEEDS:
		var text: String = "%dx" % speed
		var tip: String = tr("TIME_SPEED_TIP").format({"speed": text})
		_add_time_button(line, str(speed), text, Keys.tip(tip, "speed_%d" % speed))
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
