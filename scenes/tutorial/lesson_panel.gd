extends PanelContainer
# The teacher's corner: the tutorial's step, or what the level is about, a hint for those who ask,
# and the questions before and after. Folds into a button.

# The tutorial is to go on, or is put aside.
signal tutorial_wanted(is_wanted)
signal reported(text, bad)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const Questions := preload("res://scenes/questions/questions.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 224.0
const BUTTON := 24.0
# For its title.
const TITLE := 136.0

# Whether there is no room for it: folded, until the player unfolds it.
var tight := false setget set_tight
# Whether the player wants the tutorial.
var guided := true setget set_guided
var questions := Questions.new()

var _client: Node
var _level := {}
# How many hints the level has.
var _hints := 0
var _step := {}
var _step_text := ""
var _hint := 0
var _head := HBoxContainer.new()
var _title: Label
var _count: Label
var _body := VBoxContainer.new()
var _text: Label
var _feet := HBoxContainer.new()
var _ask: Button
var _other: Button
var _fold: Button
var _picture := Glyph.new()


func _init() -> void:
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 6)
	add_child(column)
	column.add_child(_head)
	_title = Ui.label("", Fonts.strong(15), Palette.DRAFT)
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_title.clip_text = true
	_count = Ui.label("", Fonts.medium(12), Palette.TEXT_SOFT)
	_head.add_child(_title)
	_head.add_child(_count)
	_fold = Ui.button("", tr("HINT_FOLD_TIP"))
	_fold.rect_min_size = Vector2(BUTTON, BUTTON)
	for state in ["normal", "hover", "pressed"]:
		var tone := Palette.PANEL_INSET if state == "normal" else Palette.PANEL_HOVER
		_fold.add_stylebox_override(state, Ui.GameTheme.flat(tone, 6))
	_fold.connect("pressed", self, "_on_fold")
	_picture.rect_position = Vector2(4, 4)
	_picture.rect_size = Vector2(16, 16)
	_fold.add_child(_picture)
	_head.add_child(_fold)
	_body.rect_min_size.x = WIDTH
	column.add_child(_body)
	_text = Ui.paragraph("", WIDTH)
	_ask = _foot("_on_ask")
	_other = _foot("_on_other")
	for part in [_text, _feet, questions]:
		_body.add_child(part)
	questions.hide()
	questions.connect("changed", self, "_show")
	questions.connect("reported", self, "_on_reported")
	_show_folded(false)


func set_up(client: Node) -> void:
	_client = client
	questions.set_up(client)


# `level`: the structure's.
func show_level(level: Dictionary) -> void:
	if level.id != _level.get("id"):
		_level = level
		_hints = _client.ask({"ask": "hint", "step": 1}).get("of", 0)
		_show()


# `step`: the engine's, {} after the last one; `text`: what it says.
func show_step(step: Dictionary, text: String) -> void:
	if step.get("id") != _step.get("id"):
		_hint = 0
	_step = step
	_step_text = text
	_show()


func set_tight(value: bool) -> void:
	if value != tight:
		tight = value
		add_stylebox_override("panel", Ui.GameTheme.solid_panel() if tight else null)
		_show_folded(tight)


func set_guided(value: bool) -> void:
	if value != guided:
		guided = value
		_hint = 0
		_show()


# Whether the step is shown, so that something may point at its target.
func leads() -> bool:
	return guided and not _step.empty() and not questions.visible


func folded() -> bool:
	return not _body.visible


func targets() -> Dictionary:
	var rects := {"hint:fold": _fold.get_global_rect()}
	if _ask.is_visible_in_tree():
		rects["lesson:hint"] = _ask.get_global_rect()
	if _other.is_visible_in_tree():
		rects["lesson:other"] = _other.get_global_rect()
	if questions.is_visible_in_tree():
		var more: Dictionary = questions.targets()
		for name in more:
			rects[name] = more[name]
	return rects


# What it says, for tests.
func texts() -> Array:
	if folded():
		return []
	var said := [_title.text, _count.text]
	return said + (questions.texts() if questions.visible else [_text.text])


func _show() -> void:
	var asks: bool = questions.visible
	_count.text = ""
	var title := "" if _level.empty() else LevelWords.of(_level, "HINT_TITLE")
	_title.text = PlainText.cut(title, _title.get_font("font"), TITLE)
	if asks:
		_title.text = questions.title()
		_count.text = questions.count()
	elif _hint > 0:
		var answer: Dictionary = _client.ask({"ask": "hint", "step": _hint})
		_title.text = _hint_name(_hint)
		_text.text = tr(answer.code) if answer.ok else ""
	elif leads():
		_count.text = tr("TUTORIAL_COUNT").format({"step": _step.step, "of": _step.of})
		_text.text = _step_text
	elif not _level.empty():
		_text.text = LevelWords.of(_level, "HINT")
	_ask.visible = _hints > 0
	_ask.disabled = _hint == _hints
	_ask.text = _hint_name(int(min(_hint + 1, _hints)))
	_ask.hint_tooltip = tr("LESSON_HINT_TIP")
	_other.visible = _hint > 0 or not _step.empty()
	_text.visible = not asks and _text.text != ""
	_feet.visible = not asks and (_ask.visible or _other.visible)
	if _hint > 0:
		_name_other("LESSON_BACK")
	else:
		_name_other("TUTORIAL_ASIDE" if guided else "TUTORIAL_SHOW")


func _name_other(key: String) -> void:
	_other.text = tr(key)
	_other.hint_tooltip = tr(key + "_TIP")


func _hint_name(number: int) -> String:
	return tr("LESSON_HINT").format({"number": number, "of": _hints})


func _foot(pressed: String) -> Button:
	var button := Ui.button("")
	button.rect_min_size.y = BUTTON
	button.add_font_override("font", Fonts.medium(12))
	button.connect("pressed", self, pressed)
	_feet.add_child(button)
	return button


func _on_ask() -> void:
	_hint += 1
	_show()


func _on_other() -> void:
	if _hint > 0:
		_hint = 0
		_show()
	else:
		set_guided(not guided)
		emit_signal("tutorial_wanted", guided)


func _on_fold() -> void:
	_show_folded(not folded())


func _on_reported(text: String, bad: bool) -> void:
	emit_signal("reported", text, bad)


func _show_folded(value: bool) -> void:
	_body.visible = not value
	_title.visible = not value
	_count.visible = not value
	_picture.picture = "hint" if value else "fold"
	_fold.hint_tooltip = tr("HINT_UNFOLD_TIP" if value else "HINT_FOLD_TIP")
