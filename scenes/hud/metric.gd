extends VBoxContainer
# One number of the HUD bar: what it is, its value, and the goal it is held to, if any.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

# Height of a value's line: the same for every number, so that all stand on one line.
const LINE := 30.0

var _value: Control
var _goal: Label
var _mark: Control


func set_up(title: String, width: float, tip: String, size: int = 20) -> void:
	hint_tooltip = Keys.tip(tip)
	mouse_filter = MOUSE_FILTER_PASS
	alignment = ALIGN_CENTER
	add_constant_override("separation", 1)
	var head := HBoxContainer.new()
	head.mouse_filter = MOUSE_FILTER_IGNORE
	head.add_constant_override("separation", 6)
	head.add_child(Ui.caption(title))
	_goal = Ui.label("", Fonts.medium(11), Palette.TEXT_FAINT)
	head.add_child(_goal)
	add_child(head)
	var line := HBoxContainer.new()
	line.mouse_filter = MOUSE_FILTER_IGNORE
	line.add_constant_override("separation", 4)
	line.rect_min_size.y = LINE
	_value = Ui.figures(Fonts.strong(size), width)
	line.add_child(_value)
	_mark = GoalMark.new()
	_mark.size_flags_vertical = SIZE_SHRINK_CENTER
	_mark.hide()
	line.add_child(_mark)
	add_child(line)


func show_value(text: String, colour: Color = Palette.TEXT) -> void:
	_value.text = text
	_value.colour = Palette.TEXT_FAINT if text == Words.NO_VALUE else colour


# `state`: a GoalMark.State.
func show_goal(text: String, state: int) -> void:
	_goal.text = text
	_mark.state = state
	_mark.show()
