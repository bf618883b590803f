extends PanelContainer
# How the level ended: each goal with its value and its bound, the hash of the run, and what next.
# It can be put aside, to look at the factory.

signal again_pressed
signal title_pressed

const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 440.0
const FOLD := Vector2(32, 32)

var again: Button
var next: Button
var aside: Button

var _column := VBoxContainer.new()
var _more := VBoxContainer.new()
var _picture := Glyph.new()


func _init() -> void:
	for column in [_column, _more]:
		column.add_constant_override("separation", 10)
	add_child(_column)
	var box := Ui.GameTheme.panel()
	box.bg_color = Palette.faded(Palette.PANEL, 0.97)
	add_stylebox_override("panel", box)


# `result`: {passed, hash, goals}
func show_result(result: Dictionary, level_number: int) -> void:
	var colour := Palette.GOOD if result.passed else Palette.WARNING
	var heading := Ui.label(
		tr("RESULT_WON" if result.passed else "RESULT_LOST"), Fonts.strong(26), colour
	)
	heading.size_flags_horizontal = SIZE_EXPAND_FILL
	var head := HBoxContainer.new()
	head.add_child(heading)
	head.add_child(_aside_button())
	_column.add_child(head)
	_column.add_child(_more)
	_more.add_child(_explanation(result, level_number))
	for goal in result.goals:
		_more.add_child(_goal_row(goal))
	_more.add_child(_hash_line(result.hash))
	_more.add_child(_buttons(result.passed))


func put_aside() -> bool:
	return not _more.visible


func _aside_button() -> Button:
	aside = Ui.button("")
	aside.rect_min_size = FOLD
	aside.size_flags_vertical = SIZE_SHRINK_CENTER
	aside.add_child(_picture)
	_picture.rect_position = (FOLD - _picture.rect_min_size) / 2
	aside.connect("pressed", self, "_on_aside")
	_show_aside(false)
	return aside


func _on_aside() -> void:
	_show_aside(not put_aside())


func _show_aside(value: bool) -> void:
	_more.visible = not value
	_picture.picture = "unfold" if value else "fold"
	aside.hint_tooltip = Keys.tip(tr("RESULT_BACK_TIP" if value else "RESULT_ASIDE_TIP"))


func _explanation(result: Dictionary, level_number: int) -> Label:
	var text := tr("LEVEL_%d_WON" % level_number)
	if not result.passed:
		text = _reason(result.goals)
	var label := Ui.paragraph(text, WIDTH, Fonts.body(14))
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
	box.content_margin_top = 5
	box.content_margin_bottom = 5
	return box


func _hash_line(hash_text: String) -> Label:
	var text := tr("RESULT_HASH").format({"hash": hash_text.left(16)})
	var label := Ui.label(text, Fonts.body(12), Palette.TEXT_FAINT)
	label.mouse_filter = MOUSE_FILTER_PASS
	label.hint_tooltip = hash_text
	return label


func _buttons(passed: bool) -> Control:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 12)
	again = Ui.button(tr("RESULT_AGAIN"))
	next = Ui.button(tr("RESULT_TITLE"))
	var primary := next if passed else again
	Ui.make_primary(primary, Palette.SELECTION, Color.white)
	for button in [again, next]:
		button.rect_min_size = Vector2(150, 44)
		button.size_flags_horizontal = SIZE_EXPAND_FILL
		line.add_child(button)
	again.connect("pressed", self, "emit_signal", ["again_pressed"])
	next.connect("pressed", self, "emit_signal", ["title_pressed"])
	return line
