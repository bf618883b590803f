extends VBoxContainer
# The goal that a level is about, first and large: its value, what it is to reach, and how far it
# is there.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Metric := preload("res://scenes/hud/metric.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

const VALUE := 72.0
# Beside a longer value; it keeps the room that it once had.
const AIR := 8.0

var _font := Fonts.strong(24)
var _value: Control
var _target: Label
var _bar: ProgressBar
var _mark: Control


# `key`: of its name in the translations; `title`: that name, and whose goal it is.
func set_up(key: String, title: String) -> void:
	alignment = ALIGN_CENTER
	add_constant_override("separation", 1)
	size_flags_horizontal = SIZE_EXPAND_FILL
	hint_tooltip = Keys.tip(tr(key + "_TIP"))
	add_child(Ui.caption(title))
	var line := HBoxContainer.new()
	line.mouse_filter = MOUSE_FILTER_IGNORE
	line.rect_min_size.y = Metric.LINE
	_value = Ui.figures(_font, VALUE)
	_target = Ui.label("", Fonts.body(13), Palette.TEXT_SOFT)
	_bar = Ui.bar(Palette.TOKEN)
	_bar.size_flags_horizontal = SIZE_EXPAND_FILL
	_mark = GoalMark.new()
	for part in [_value, _target, _bar, _mark]:
		line.add_child(part)
	for part in [_target, _bar, _mark]:
		part.size_flags_vertical = SIZE_SHRINK_CENTER
	add_child(line)


# `value`: what is shown as its value now (or null); `goal`: {code, value, target, at_least, met}.
func show_goal(value, goal: Dictionary) -> void:
	_value.text = Words.goal_value(goal.code, value)
	var room := _font.get_string_size(_value.text).x + AIR
	_value.rect_min_size.x = max(_value.rect_min_size.x, room)
	_target.text = Words.goal_bound(goal)
	if goal.at_least:
		var bound := Words.goal_bound(goal).trim_prefix("≥ ")
		_target.text = tr("HUD_OF_TARGET").format({"target": bound})
	_mark.state = GoalMark.state_of(goal)
	_bar.value = _share(value, goal)
	var colour := Palette.GOOD if _bar.value >= 1.0 else Palette.TOKEN
	_value.colour = colour if value != null else Palette.TEXT_FAINT
	Ui.tint_bar(_bar, colour)


# How near the goal is, 0 to 1: a figure that must not be above its bound is there at the bound.
static func _share(value, goal: Dictionary) -> float:
	if value == null:
		return 0.0
	var most: float = goal.target if goal.at_least else value
	var reached: float = value if goal.at_least else goal.target
	return clamp(reached / most, 0.0, 1.0) if most > 0.0 else 1.0
