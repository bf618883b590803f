extends ScrollContainer
# One mod: what it says of itself, how far it has come and why, what the player can do about it, and
# all that is wrong with it. Or what is wrong with all of them.

# What the player wants: enable, disable, allow or copy.
signal wanted(what)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const ModPicture := preload("res://scenes/mods/mod_picture.gd")
const ModStates := preload("res://scenes/mods/mod_states.gd")
const ModWords := preload("res://scenes/mods/mod_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const ProblemList := preload("res://scenes/mods/problem_list.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const SCROLL_BAR := 16.0
const AROUND := 4
const PICTURE_HEIGHT := 120.0
const BUTTON := 36.0

var buttons := {}

var _body := VBoxContainer.new()
var _width := 0.0


func _init() -> void:
	scroll_horizontal_enabled = false
	follow_focus = true
	size_flags_horizontal = SIZE_EXPAND_FILL
	size_flags_vertical = SIZE_EXPAND_FILL
	_body.size_flags_horizontal = SIZE_EXPAND_FILL
	# Room for what is drawn around the control that has the focus.
	var around := MarginContainer.new()
	around.size_flags_horizontal = SIZE_EXPAND_FILL
	for side in ["left", "right", "top", "bottom"]:
		around.add_constant_override("margin_" + side, AROUND)
	around.add_child(_body)
	add_child(around)


# Shows a mod as the engine lists it. `width`: of the whole.
func show_mod(mod: Dictionary, width: float) -> void:
	_begin(width)
	var picture: Texture = ModPicture.of(mod.get("picture"))
	if picture != null:
		_body.add_child(_framed(picture))
	_add_text(ModWords.title(mod), Fonts.strong(20), Palette.TEXT)
	_body.add_child(_state(mod))
	_body.add_child(_actions(mod))
	var about := ModWords.about(mod)
	if about != "":
		_add_text(about, Fonts.body(13), Palette.TEXT)
	for fact in ModWords.facts(mod):
		_add_text(fact, Fonts.body(12), Palette.TEXT_SOFT)
	if not mod.problems.empty():
		_add_problems([mod], false)


# What is wrong with all mods, in one list.
func show_problems(mods: Array, width: float) -> void:
	_begin(width)
	_add_text(tr("MODS_PROBLEMS_TITLE"), Fonts.strong(20), Palette.TEXT)
	_add_problems(mods, true)


# What it says, for tests.
func texts() -> Array:
	return _texts_in(_body)


# Where the buttons are that can be seen whole.
func targets() -> Dictionary:
	var rects := {}
	var seen := get_global_rect().grow(1)
	for name in buttons:
		var rect: Rect2 = buttons[name].get_global_rect()
		if seen.encloses(rect):
			rects["mods:" + name] = rect
	return rects


func _begin(width: float) -> void:
	_width = width - SCROLL_BAR - 2 * AROUND
	for child in _body.get_children():
		_body.remove_child(child)
		child.queue_free()
	buttons = {}


func _add_text(text: String, font: Font, colour: Color) -> void:
	var label := Ui.paragraph(text, _width, font)
	label.add_color_override("font_color", colour)
	_body.add_child(label)


func _framed(picture: Texture) -> Control:
	var frame := TextureRect.new()
	frame.texture = picture
	frame.expand = true
	frame.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	frame.rect_min_size = Vector2(_width, PICTURE_HEIGHT)
	frame.mouse_filter = MOUSE_FILTER_IGNORE
	return frame


# How far it has come, and why.
func _state(mod: Dictionary) -> Control:
	var colour := ModStates.colour(mod.state)
	var box := PanelContainer.new()
	var look := GameTheme.flat(Palette.PANEL_INSET, 4)
	look.border_color = colour
	look.border_width_left = 3
	look.content_margin_left = 12
	look.content_margin_right = 8
	look.content_margin_top = 8
	look.content_margin_bottom = 8
	box.add_stylebox_override("panel", look)
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 6)
	box.add_child(column)
	var line := HBoxContainer.new()
	var glyph := Glyph.new()
	glyph.picture = ModStates.glyph(mod.state)
	glyph.colour = colour
	glyph.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(glyph)
	line.add_child(Ui.label(ModStates.words(mod.state), Fonts.strong(14), colour))
	column.add_child(line)
	for text in ModWords.reasons(mod):
		column.add_child(Ui.paragraph(text, _width - 24, Fonts.body(13)))
	return box


func _actions(mod: Dictionary) -> Control:
	var line := HBoxContainer.new()
	if mod.state == "asking":
		_add_button(line, "allow")
		Ui.make_primary(buttons.allow, Palette.WARNING, Palette.BACKGROUND)
	if mod.state == "disabled":
		_add_button(line, "enable")
		Ui.make_primary(buttons.enable, Palette.GOOD, Palette.BACKGROUND)
	else:
		_add_button(line, "disable")
	return line


# `named`: whether the mod stands before each file.
func _add_problems(mods: Array, named: bool) -> void:
	var count := 0
	var list := ProblemList.new()
	for mod in mods:
		count += mod.problems.size()
		list.add_problems(mod.problems, mod.id if named else "", _width)
	var head := HBoxContainer.new()
	var title := Ui.caption(tr("MODS_PROBLEMS").format({"count": count}))
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	head.add_child(title)
	_add_button(head, "copy")
	buttons.copy.rect_min_size.y = 28
	_body.add_child(head)
	_body.add_child(list)


func _add_button(line: Control, name: String) -> void:
	var key := "MODS_" + name.to_upper()
	var button := Ui.button(tr(key), Keys.tip(tr(key + "_TIP")))
	button.focus_mode = FOCUS_ALL
	button.rect_min_size.y = BUTTON
	button.connect("pressed", self, "emit_signal", ["wanted", name])
	buttons[name] = button
	line.add_child(button)


func _texts_in(node: Node) -> Array:
	var found := []
	if (node is Label or node is Button) and node.text != "":
		found.append(node.text)
	for child in node.get_children():
		found += _texts_in(child)
	return found
