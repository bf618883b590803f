extends VBoxContainer
# Asks for the player's prediction before a level's first start and, once the level is won, again;
# then says what has changed. The engine keeps the answers.

# It shows something else now, or has nothing more to ask.
signal changed
signal reported(text, bad)
# The keys were here; they are to go on at this control.
signal focus_wanted(control)

const AnswerButton := preload("res://scenes/questions/answer_button.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 224.0
const BEFORE := "before"
const AFTER := "after"
# What became of an answer: right before, right after.
const CHANGES := {
	[false, false]: "QUESTION_NOT_YET",
	[false, true]: "QUESTION_LEARNT",
	[true, false]: "QUESTION_LOST",
	[true, true]: "QUESTION_KNEW",
}

var buttons := {}

var _client: Node
var _when := BEFORE
# All questions of the level, and which of them are still to be asked.
var _all := []
var _left := []
var _asked := 0
var _said := []


func _init() -> void:
	add_constant_override("separation", 6)


func set_up(client: Node) -> void:
	_client = client


# Before the level was ever played.
func begin_before(level_id: String) -> void:
	for level in _client.ask({"ask": "progress"}).get("levels", []):
		if level.id == level_id and level.attempts > 0:
			return
	_begin(BEFORE)


# After it was won: those that were answered before.
func begin_after() -> void:
	_begin(AFTER)


# The requests have come before the player has answered: that is no prediction any more.
func give_up() -> void:
	if visible and _when == BEFORE:
		_end()


func title() -> String:
	if _left.empty():
		return tr("QUESTION_RESULT")
	return tr("QUESTION_BEFORE" if _when == BEFORE else "QUESTION_AFTER")


func count() -> String:
	if _left.empty():
		return ""
	return tr("TUTORIAL_COUNT").format({"step": _asked + 1, "of": _asked + _left.size()})


func targets() -> Dictionary:
	var rects := {}
	for name in buttons:
		rects["question:" + name] = buttons[name].get_global_rect()
	return rects


func texts() -> Array:
	return _said


func _begin(when: String) -> void:
	_when = when
	_asked = 0
	_left = []
	for question in _questions():
		if question[when] == null and (when == BEFORE or question.before != null):
			_left.append(question)
	if not _left.empty():
		show()
		_show()


func _questions() -> Array:
	return _client.ask({"ask": "questions"}).get("questions", [])


func _show() -> void:
	var focused := _has_keys()
	_clear()
	var question: Dictionary = _left[0]
	_say(tr(question.code), Fonts.medium(13))
	for choice in question.answers.size():
		var button := AnswerButton.new()
		button.set_up(tr(question.answers[choice]), WIDTH)
		button.connect("pressed", self, "_on_answered", [choice])
		buttons[str(choice)] = button
		add_child(button)
		_said.append(button.words())
	_add_buttons(["skip"])
	emit_signal("changed")
	if focused:
		emit_signal("focus_wanted", buttons["0"])


# What became of each answer.
func _show_result() -> void:
	var focused := _has_keys()
	_clear()
	for question in _questions():
		if question.before == null or question.after == null:
			continue
		var line := HBoxContainer.new()
		var mark := GoalMark.new()
		var right: bool = question.after == question.right
		mark.state = GoalMark.State.MET if right else GoalMark.State.MISSED
		mark.size_flags_vertical = 0
		line.add_child(mark)
		var words := {
			"answer": tr(question.answers[question.right]),
			"before": tr(question.answers[question.before]),
		}
		var text := tr(CHANGES[[question.before == question.right, right]]).format(words)
		line.add_child(Ui.paragraph(text, WIDTH - mark.rect_min_size.x - 8))
		_said.append(text)
		add_child(line)
	_add_buttons(["done"])
	emit_signal("changed")
	if focused:
		emit_signal("focus_wanted", buttons.done)


func _has_keys() -> bool:
	var owner := get_focus_owner()
	return owner != null and is_a_parent_of(owner)


func _say(text: String, font: Font) -> void:
	add_child(Ui.paragraph(text, WIDTH, font))
	_said.append(text)


func _add_buttons(names: Array) -> void:
	var line := HBoxContainer.new()
	for name in names:
		var key: String = "QUESTION_" + name.to_upper()
		var button := Ui.button(tr(key), tr(key + "_TIP"))
		button.add_font_override("font", Fonts.medium(12))
		button.rect_min_size.y = 24
		button.connect("pressed", self, "_on_" + name)
		buttons[name] = button
		line.add_child(button)
	add_child(line)


func _clear() -> void:
	_said = []
	buttons = {}
	for child in get_children():
		remove_child(child)
		child.queue_free()


func _end() -> void:
	_clear()
	_left = []
	hide()
	emit_signal("changed")


func _on_answered(choice: int) -> void:
	var request := {
		"do": "answer",
		"question": _left[0].id,
		"when": _when,
		"choice": choice,
		"date": Words.today(),
	}
	var answer: Dictionary = _client.command(request)
	if not answer.ok:
		emit_signal("reported", Words.of(answer.code, answer.params), true)
	_asked += 1
	_left.pop_front()
	if not _left.empty():
		_show()
	elif _when == AFTER and answer.ok:
		_show_result()
	else:
		_end()


func _on_skip() -> void:
	_end()


func _on_done() -> void:
	_end()
