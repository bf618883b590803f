extends Reference
# Small makers of controls in the game's look, so that widgets say what they show and not how.

const Figures := preload("res://scenes/theme/figures.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const ICONS := "res://scenes/theme/icons/"


static func label(text: String, font: Font, colour: Color = Palette.TEXT) -> Label:
	var node := Label.new()
	node.text = text
	node.add_font_override("font", font)
	node.add_color_override("font_color", colour)
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return node


# A small heading in capitals.
static func caption(text: String) -> Label:
	return label(text.to_upper(), Fonts.medium(11), Palette.TEXT_SOFT)


# Text that breaks into lines at this width.
static func paragraph(text: String, width: float, font: Font = null) -> Label:
	var node := label(text, font if font != null else Fonts.body(13), Palette.TEXT)
	node.autowrap = true
	node.rect_min_size.x = width
	node.add_constant_override("line_spacing", 4)
	return node


# What came of something, in the colour of good or bad news.
static func tell(node: Label, text: String, bad: bool) -> void:
	node.text = text
	node.add_color_override("font_color", Palette.BAD.lightened(0.25) if bad else Palette.TEXT)


static func figures(font: Font, width: float, colour: Color = Palette.TEXT) -> Control:
	var node := Figures.new()
	node.font = font
	node.colour = colour
	node.rect_min_size.x = width
	return node


static func button(text: String, tip: String = "") -> Button:
	var node := Button.new()
	node.text = text
	node.hint_tooltip = Keys.tip(tip)
	node.focus_mode = Control.FOCUS_NONE
	return node


# Gives a button a colour of its own; for the one thing to do next.
static func make_primary(node: Button, colour: Color, text_colour: Color) -> void:
	var states := {"normal": 0.0, "hover": 0.12, "pressed": -0.12, "disabled": -0.4}
	for state in states:
		var shade: float = states[state]
		var tone := colour.lightened(shade) if shade >= 0.0 else colour.darkened(-shade)
		var box := GameTheme.flat(tone, 10)
		box.content_margin_left = 20
		box.content_margin_right = 20
		box.content_margin_top = 8
		box.content_margin_bottom = 8
		node.add_stylebox_override(state, box)
	for state in ["font_color", "font_color_hover", "font_color_pressed"]:
		node.add_color_override(state, text_colour)


static func bar(colour: Color, height: float = 8.0) -> ProgressBar:
	var node := ProgressBar.new()
	node.percent_visible = false
	node.max_value = 1.0
	node.step = 0.0
	node.rect_min_size = Vector2(0, height)
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	tint_bar(node, colour)
	return node


static func tint_bar(node: ProgressBar, colour: Color) -> void:
	node.add_stylebox_override("fg", GameTheme.flat(colour, 4))


static func icon(name: String, size: float) -> TextureRect:
	var node := TextureRect.new()
	node.texture = load(ICONS + name + ".png") as Texture
	node.expand = true
	node.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	node.rect_min_size = Vector2(size, size)
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return node


static func spacer() -> Control:
	var node := Control.new()
	node.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	node.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return node
