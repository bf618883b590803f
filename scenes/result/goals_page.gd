extends VBoxContainer
# How each goal went, and the two stars beyond: their bars, and what is missing.

const Amounts := preload("res://scenes/result/amounts.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const VALUE := 140.0
const BOUND := 132.0
# Figures of an attempt, and what they are called.
const FIGURES := {
	"tps": "goal.tps",
	"ttft_p95": "goal.ttft_p95",
	"usd_per_mtok": "histogram.usd_per_mtok",
	"j_per_token": "histogram.j_per_token",
	"cards": "histogram.cards",
}


# `result`: {passed, hash, goals}; `results`: the engine's answer; `fresh`: stars reached for the
# first time.
func show_results(
	result: Dictionary, results: Dictionary, fresh: Array, level: Dictionary, width: float
) -> void:
	add_constant_override("separation", 6)
	if result.goals.empty():
		_show_figures(results.get("attempt"), width)
		return
	add_child(_explanation(result, level, width))
	for star in results.get("stars", []):
		var name: String = star.code.trim_prefix("star.")
		var box := VBoxContainer.new()
		box.add_constant_override("separation", 4)
		add_child(box)
		box.add_child(_star_row(star, result.passed, name in fresh))
		if star.metric == null:
			for goal in result.goals:
				box.add_child(_goal_row(goal))


func _explanation(result: Dictionary, level: Dictionary, width: float) -> Label:
	var text := LevelWords.of(level, "WON")
	if not result.passed:
		text = _reason(result.goals)
	var label := Ui.paragraph(text, width, Fonts.body(14))
	label.add_color_override("font_color", Palette.TEXT_SOFT)
	return label


# What a run without goals came to.
func _show_figures(attempt, width: float) -> void:
	var about := Ui.paragraph(tr("RESULT_NO_GOALS"), width, Fonts.body(14))
	about.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(about)
	if typeof(attempt) != TYPE_DICTIONARY:
		return
	for name in FIGURES:
		var row := _row(_indent(), tr(FIGURES[name]), "", Palette.TEXT)
		row.line.add_child(_value(Amounts.of(name, attempt[name]), Palette.TEXT))
		add_child(row.box)


# Why the first goal that was missed was missed: mending it often mends the others.
func _reason(goals: Array) -> String:
	for goal in goals:
		if not goal.met:
			return tr("FAILED_" + Words.goal_name(goal.code).to_upper())
	return ""


func _goal_row(goal: Dictionary) -> Control:
	var mark := GoalMark.new()
	mark.state = GoalMark.State.MET if goal.met else GoalMark.State.MISSED
	var colour := Palette.GOOD if goal.met else Palette.BAD
	var title := tr(goal.code)
	if goal.get("tenant", "") != "":
		title = "%s, %s" % [title, Words.tenant(goal.tenant)]
	var row := _row(mark, title, "", colour)
	row.line.add_child(_value(Words.goal_value(goal.code, goal.value), colour))
	row.line.add_child(_bound(Words.goal_bound(goal)))
	return row.box


# The star for the goals stands above them; the others have a bar of their own.
func _star_row(star: Dictionary, passed: bool, fresh: bool) -> Control:
	var mark := StarRow.new()
	var name: String = star.code.trim_prefix("star.")
	mark.names = [name]
	mark.reached = [name] if star.reached else []
	var note := tr("RESULT_NEW_STAR") if fresh else ""
	if star.metric == null:
		var head := HBoxContainer.new()
		head.add_constant_override("separation", 12)
		head.rect_min_size.y = 24
		mark.size_flags_vertical = SIZE_SHRINK_CENTER
		head.add_child(_indent())
		head.add_child(mark)
		head.add_child(Ui.label(tr(star.code), Fonts.strong(15)))
		head.add_child(Ui.label(note, Fonts.medium(13), Palette.STAR))
		return head
	if not fresh:
		note = _missing(star, passed)
	var title := "%s · %s" % [tr(star.code), tr(star.metric)]
	if star.tenant != "":
		title = "%s, %s" % [title, Words.tenant(star.tenant)]
	var row := _row(mark, title, note, Palette.STAR if star.reached else Palette.TEXT_SOFT)
	var colour := Palette.STAR if star.reached else Palette.TEXT
	row.line.add_child(_value(Amounts.of(star.metric, star.value), colour))
	var sign_text := "≥ " if star.at_least else "≤ "
	row.line.add_child(_bound(sign_text + Amounts.of(star.metric, star.target)))
	return row.box


func _missing(star: Dictionary, passed: bool) -> String:
	if star.reached or star.value == null:
		return ""
	var over: float = star.value - star.target
	if star.at_least:
		over = -over
	if over > 0.0:
		var key := "RESULT_SHORT" if star.at_least else "RESULT_OVER"
		return tr(key).format({"amount": Amounts.of(star.metric, over)})
	return "" if passed else tr("RESULT_GOALS_FIRST")


func _row(mark: Control, title: String, note: String, colour: Color) -> Dictionary:
	var box := PanelContainer.new()
	box.add_stylebox_override("panel", _row_box())
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 12)
	box.add_child(line)
	mark.size_flags_vertical = SIZE_SHRINK_CENTER
	mark.size_flags_horizontal = 0
	line.add_child(mark)
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 0)
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	column.size_flags_vertical = SIZE_SHRINK_CENTER
	column.add_child(Ui.label(title, Fonts.medium(14)))
	if note != "":
		column.add_child(Ui.label(note, Fonts.body(12), colour))
	line.add_child(column)
	return {"box": box, "line": line}


func _value(text: String, colour: Color) -> Label:
	var label := Ui.label(text, Fonts.strong(16), colour)
	label.align = Label.ALIGN_RIGHT
	label.rect_min_size.x = VALUE
	return label


func _bound(text: String) -> Label:
	var label := Ui.label(text, Fonts.body(13), Palette.TEXT_SOFT)
	label.align = Label.ALIGN_RIGHT
	label.rect_min_size.x = BOUND
	return label


func _row_box() -> StyleBoxFlat:
	var box := Ui.GameTheme.flat(Palette.PANEL_INSET, 10)
	box.content_margin_left = 12
	box.content_margin_right = 12
	box.content_margin_top = 3
	box.content_margin_bottom = 3
	return box


func _indent() -> Control:
	return Control.new()
