extends Control
# How the level ended: each goal with its value and its bound, the hash of the run, and what next.

signal again_pressed
signal title_pressed

const Fonts := preload("res://scenes/theme/fonts.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 480.0

var again: Button
var next: Button

var _column: VBoxContainer


func _init() -> void:
	set_anchors_and_margins_preset(PRESET_WIDE)
	mouse_filter = MOUSE_FILTER_STOP
	var veil := ColorRect.new()
	veil.color = Palette.faded(Palette.BACKGROUND, 0.6)
	veil.set_anchors_and_margins_preset(PRESET_WIDE)
	veil.mouse_filter = MOUSE_FILTER_IGNORE
	add_child(veil)
	var middle := CenterContainer.new()
	middle.set_anchors_and_margins_preset(PRESET_WIDE)
	add_child(middle)
	var panel := PanelContainer.new()
	panel.rect_min_size.x = WIDTH
	middle.add_child(panel)
	var margin := MarginContainer.new()
	for side in ["left", "right", "top", "bottom"]:
		margin.add_constant_override("margin_" + side, 16)
	panel.add_child(margin)
	_column = VBoxContainer.new()
	_column.add_constant_override("separation", 12)
	margin.add_child(_column)


# `result`: {passed, hash, goals}
func show_result(result: Dictionary, level_number: int) -> void:
	var colour := Palette.GOOD if result.passed else Palette.WARNING
	var heading := Ui.label(
		tr("RESULT_WON" if result.passed else "RESULT_LOST"), Fonts.strong(32), colour
	)
	heading.align = Label.ALIGN_CENTER
	_column.add_child(heading)
	_column.add_child(_explanation(result, level_number))
	for goal in result.goals:
		_column.add_child(_goal_row(goal))
	_column.add_child(_hash_line(result.hash))
	_column.add_child(_buttons(result.passed))


func _explanation(result: Dictionary, level_number: int) -> Label:
	var text := tr("LEVEL_%d_WON" % level_number)
	if not result.passed:
		text = _reason(result.goals)
	var label := Ui.paragraph(text, WIDTH - 64, Fonts.body(15))
	label.align = Label.ALIGN_CENTER
	label.add_color_override("font_color", Palette.TEXT_SOFT)
	return label


# Why the first goal that was missed was missed: mending it often mends the others.
func _reason(goals: Array) -> String:
	for goal in goals:
		if not goal.met:
			return tr("FAILED_" + Words.goal_name(goal.code).to_upper())
	return ""


func _goal_row(goal: Dictionary) -> Control:
	var box := PanelContainer.new()
	box.add_stylebox_override("panel", _row_box())
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 12)
	box.add_child(line)
	var mark := GoalMark.new()
	mark.state = GoalMark.State.MET if goal.met else GoalMark.State.MISSED
	mark.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(mark)
	var title := Ui.label(tr(goal.code), Fonts.medium(15))
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(title)
	var colour := Palette.GOOD if goal.met else Palette.BAD
	var value := Ui.label(Words.goal_value(goal.code, goal.value), Fonts.strong(18), colour)
	value.align = Label.ALIGN_RIGHT
	line.add_child(value)
	var bound := Ui.label(Words.goal_bound(goal), Fonts.body(14), Palette.TEXT_SOFT)
	bound.align = Label.ALIGN_RIGHT
	bound.rect_min_size.x = 76
	line.add_child(bound)
	return box


func _row_box() -> StyleBoxFlat:
	var box := Ui.GameTheme.flat(Palette.PANEL_INSET, 10)
	box.content_margin_left = 14
	box.content_margin_right = 14
	box.content_margin_top = 8
	box.content_margin_bottom = 8
	return box


func _hash_line(hash_text: String) -> Label:
	var text := tr("RESULT_HASH").format({"hash": hash_text.left(16)})
	var label := Ui.label(text, Fonts.body(12), Palette.TEXT_FAINT)
	label.align = Label.ALIGN_CENTER
	label.mouse_filter = MOUSE_FILTER_PASS
	label.hint_tooltip = hash_text
	return label


func _buttons(passed: bool) -> Control:
	var line := HBoxContainer.new()
	line.alignment = BoxContainer.ALIGN_CENTER
	line.add_constant_override("separation", 12)
	again = Ui.button(tr("RESULT_AGAIN"))
	next = Ui.button(tr("RESULT_TITLE"))
	var primary := next if passed else again
	Ui.make_primary(primary, Palette.SELECTION, Color.white)
	for button in [again, next]:
		button.rect_min_size = Vector2(150, 44)
		button.focus_mode = FOCUS_ALL
		line.add_child(button)
	again.connect("pressed", self, "emit_signal", ["again_pressed"])
	next.connect("pressed", self, "emit_signal", ["title_pressed"])
	primary.call_deferred("grab_focus")
	return line
