extends VBoxContainer
# What a step of a setting would change: every goal's figure without it and with it, from whole runs
# that the engine simulates ahead. Asked for while a button that makes the step is pointed at; what
# was found stays until another one is.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const ROWS := 6
# A change by a smaller share than this is none.
const HAIR := 0.005

var _title := Ui.label("", Fonts.medium(12), Palette.TEXT_SOFT)
var _progress := Ui.bar(Palette.TOKEN, 4.0)
var _rows := []
var _client: Node
var _id := -1
var _step := {}
var _pending := false


func _init() -> void:
	add_constant_override("separation", 3)
	_title.autowrap = true
	add_child(_title)
	add_child(_progress)
	for _index in ROWS:
		var row := Row.new()
		row.hide()
		add_child(row)
		_rows.append(row)
	forget()


func set_up(client: Node) -> void:
	_client = client


# Another machine, or another layout: nothing is known yet.
func forget() -> void:
	_step = {}
	_pending = false
	_title.text = tr("WHAT_IF_HINT")
	_title.show()
	_progress.modulate.a = 0.0
	for row in _rows:
		row.hide()


# `step`: {name, value, text}; text says the step itself.
func ask(id: int, step: Dictionary) -> void:
	if id == _id and step.hash() == _step.hash():
		return
	_id = id
	_step = step
	_pending = true
	refresh()


# Asks again while the answer is being simulated.
func refresh() -> void:
	if not _pending:
		return
	var request := {"ask": "what_if", "id": _id, "name": _step.name, "value": _step.value}
	var answer: Dictionary = _client.ask(request)
	if not answer.ok:
		_pending = false
		_title.text = Words.of(answer.code, answer.params)
		_progress.modulate.a = 0.0
		return
	_pending = answer.pending
	_progress.modulate.a = 1.0 if _pending else 0.0
	if _pending:
		_title.text = tr("WHAT_IF_PENDING").format({"step": _step.text})
		_progress.value = answer.share
		return
	_title.text = tr("WHAT_IF_DONE").format({"step": _step.text})
	for index in ROWS:
		var known: bool = index < answer.metrics.size()
		_rows[index].visible = known
		if known:
			_rows[index].show_change(answer.metrics[index])


func texts() -> Array:
	var said := [_title.text]
	for row in _rows:
		if row.visible and not _pending:
			said.append(row.text())
	return said


class Row:
	extends HBoxContainer
	# A figure, before and after: green where it gets better.

	const HIGHER_IS_BETTER := [
		"goal.tps",
		"goal.user_tps",
		"goal.finished",
		"goal.on_time",
		"goal.worst_on_time",
		"goal.fairness",
		"goal.goodput",
	]

	var _name := Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	var _before := Ui.figures(Fonts.body(12), 56, Palette.TEXT_SOFT)
	var _arrow := Ui.label("→", Fonts.body(12), Palette.TEXT_FAINT)
	var _after := Ui.figures(Fonts.medium(12), 56)

	func _init() -> void:
		_name.size_flags_horizontal = SIZE_EXPAND_FILL
		_name.clip_text = true
		for part in [_name, _before, _arrow, _after]:
			add_child(part)
		_before.side = _before.Side.RIGHT
		_after.side = _after.Side.RIGHT

	func show_change(metric: Dictionary) -> void:
		_name.text = Words.goal_words(metric.code)
		_before.text = Words.goal_value(metric.code, metric.before)
		_after.text = Words.goal_value(metric.code, metric.after)
		_after.colour = _colour(metric)

	func text() -> String:
		return "%s %s → %s" % [_name.text, _before.text, _after.text]

	func _colour(metric: Dictionary) -> Color:
		if metric.before == null or metric.after == null:
			return Palette.TEXT
		var more: float = metric.after - metric.before
		if abs(more) <= HAIR * abs(metric.before):
			return Palette.TEXT
		return Palette.GOOD if (more > 0) == (metric.code in HIGHER_IS_BETTER) else Palette.BAD
