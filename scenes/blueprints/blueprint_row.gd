extends PanelContainer
# One blueprint of the library: its picture, name and size, and what can be done with it.

# use, copy, remove
signal pressed(name)
signal name_given(name)

const BlueprintPicture := preload("res://scenes/blueprints/blueprint_picture.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Tally := preload("res://scenes/tools/tally.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const PICTURE := Vector2(64, 60)
const BUTTON := Vector2(30, 24)
# What is done, and the picture of its button.
const DEEDS := {"use": "paste", "rename": "rename", "copy": "copy", "remove": "remove"}

var buttons := {}
var title := ""

var _picture := BlueprintPicture.new()
var _name: Label
var _field := LineEdit.new()
var _size: Label


func _init() -> void:
	var box := GameTheme.flat(Palette.PANEL_INSET, GameTheme.SMALL_CORNER)
	for margin in ["left", "right", "top", "bottom"]:
		box.set("content_margin_" + margin, 6)
	add_stylebox_override("panel", box)
	var line := HBoxContainer.new()
	add_child(line)
	_picture.rect_min_size = PICTURE
	_picture.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(_picture)
	var column := VBoxContainer.new()
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	column.add_constant_override("separation", 2)
	line.add_child(column)
	_name = Ui.label("", Fonts.medium(13))
	_name.clip_text = true
	_name.mouse_filter = MOUSE_FILTER_PASS
	column.add_child(_name)
	_field.max_length = 40
	_field.hide()
	_field.connect("text_entered", self, "_on_entered")
	_field.connect("focus_exited", self, "_on_left")
	_field.connect("gui_input", self, "_on_field_input")
	column.add_child(_field)
	_size = Ui.label("", Fonts.body(11), Palette.TEXT_SOFT)
	_size.clip_text = true
	column.add_child(_size)
	var deeds := HBoxContainer.new()
	deeds.add_constant_override("separation", 4)
	column.add_child(deeds)
	for name in DEEDS:
		var button := SmallButton.new()
		button.set_up(DEEDS[name], BUTTON, tr("BLUEPRINT_%s_TIP" % name.to_upper()))
		button.connect("pressed", self, "_on_pressed", [name])
		buttons[name] = button
		deeds.add_child(button)


# `held`: the engine's answer to `blueprint_read`, which may be a refusal; `art`: of belts.
func show_entry(name: String, held: Dictionary, art: Reference) -> void:
	title = name
	_name.text = name
	_name.hint_tooltip = name
	buttons.use.enable(held.ok)
	if held.ok:
		_size.text = Tally.things(held.machines, held.belts)
		_picture.show_blueprint(held, art)
	else:
		_size.text = Words.of(held.code, held.params)
		_size.hint_tooltip = _size.text
		_size.mouse_filter = MOUSE_FILTER_STOP
		_size.add_color_override("font_color", Palette.BAD.lightened(0.25))


func begin_rename() -> void:
	_field.text = title
	_name.hide()
	_size.hide()
	_field.show()
	_field.grab_focus()
	_field.select_all()
	_field.caret_position = title.length()


func words() -> Array:
	return [title, _size.text]


func _on_pressed(name: String) -> void:
	if name == "rename":
		begin_rename()
	else:
		emit_signal("pressed", name)


func _on_field_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		_field.text = title
		_end_rename()
		accept_event()


func _on_entered(_text: String) -> void:
	_on_left()


func _on_left() -> void:
	if not _field.visible:
		return
	var text := _field.text
	_end_rename()
	if text.strip_edges() != "" and text != title:
		emit_signal("name_given", text)


func _end_rename() -> void:
	_field.hide()
	_name.show()
	_size.show()
	_field.release_focus()
