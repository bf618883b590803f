extends PanelContainer
# Asks what the floor is to be called as a level, and has the engine keep it. Enter or A keeps it,
# Esc or B leaves it.

# What came of it.
signal reported(text, bad)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 320.0
const BUTTON := 36.0
const LONGEST := 60

var _client: Node
var _field := LineEdit.new()
var _told := Ui.paragraph("", WIDTH, Fonts.body(13))
var _buttons := {}


func _init() -> void:
	theme = GameTheme.build()
	add_stylebox_override("panel", GameTheme.solid_panel())
	var column := VBoxContainer.new()
	add_child(column)
	column.add_child(Ui.label(tr("SANDBOX_KEEP"), Fonts.strong(17)))
	var about := Ui.paragraph(tr("SANDBOX_KEEP_ABOUT"), WIDTH, Fonts.body(13))
	about.add_color_override("font_color", Palette.TEXT_SOFT)
	column.add_child(about)
	_field.max_length = LONGEST
	_field.rect_min_size = Vector2(WIDTH, BUTTON)
	_field.connect("text_entered", self, "_on_entered")
	column.add_child(_field)
	_told.add_color_override("font_color", Palette.BAD.lightened(0.25))
	column.add_child(_told)
	var line := HBoxContainer.new()
	column.add_child(line)
	for name in ["keep", "leave"]:
		var button := Ui.button(tr("SANDBOX_KEEP_" + name.to_upper()))
		button.rect_min_size.y = BUTTON
		button.size_flags_horizontal = SIZE_EXPAND_FILL
		_buttons[name] = button
		line.add_child(button)
	Ui.make_primary(_buttons.keep, Palette.SELECTION, Color.white)
	_buttons.keep.connect("pressed", self, "_keep")
	_buttons.leave.connect("pressed", self, "hide")
	hide()


func set_up(client: Node) -> void:
	_client = client


# Asks for the name of the level that is open.
func open(level: Dictionary) -> void:
	var known: Array = _client.ask({"ask": "own_levels"}).get("levels", [])
	_field.text = tr("SANDBOX_KEEP_NAME").format({"number": known.size() + 1})
	if LevelWords.is_own(level):
		_field.text = LevelWords.of(level, "NAME")
	_told.hide()
	show()
	rect_size = get_combined_minimum_size()
	_field.grab_focus()
	_field.select_all()


func fit(area: Rect2) -> void:
	rect_size = get_combined_minimum_size()
	rect_position = (area.position + (area.size - rect_size) / 2).round()


func targets() -> Dictionary:
	if not is_visible_in_tree():
		return {}
	var rects := {"keep:name": _field.get_global_rect()}
	for name in _buttons:
		rects["keep:" + name] = _buttons[name].get_global_rect()
	return rects


func _input(event: InputEvent) -> void:
	if not is_visible_in_tree():
		return
	if event.is_action_pressed("ui_cancel"):
		hide()
	elif event is InputEventJoypadButton and event.is_action_pressed("ui_accept"):
		_keep()
	else:
		return
	get_tree().set_input_as_handled()


func _on_entered(_text: String) -> void:
	_keep()


func _keep() -> void:
	var answer: Dictionary = _client.command({"do": "own_save", "title": _field.text})
	if not answer.ok:
		_told.text = Words.of(answer.code, answer.params)
		_told.show()
		return
	hide()
	emit_signal("reported", tr("SANDBOX_KEPT").format({"name": _field.text.strip_edges()}), false)
