extends Reference
# The one theme of every panel, button and label.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")

const CORNER := 14
const SMALL_CORNER := 8


static func build() -> Theme:
	var theme := Theme.new()
	theme.default_font = Fonts.body()
	theme.set_color("font_color", "Label", Palette.TEXT)
	theme.set_stylebox("panel", "PanelContainer", panel())
	var tooltip := panel(SMALL_CORNER, 10)
	tooltip.bg_color = Palette.faded(Palette.PANEL, 0.98)
	theme.set_stylebox("panel", "TooltipPanel", tooltip)
	theme.set_color("font_color", "TooltipLabel", Palette.TEXT)
	theme.set_font("font", "TooltipLabel", Fonts.body(13))
	_add_button(theme)
	_add_bar(theme)
	_add_field(theme)
	_add_scroll_bar(theme)
	for container in ["VBoxContainer", "HBoxContainer"]:
		theme.set_constant("separation", container, 8)
	return theme


static func panel(corner: int = CORNER, margin: int = 16) -> StyleBoxFlat:
	var box := flat(Palette.PANEL, corner, Palette.OUTLINE)
	box.content_margin_left = margin
	box.content_margin_right = margin
	box.content_margin_top = margin * 0.75
	box.content_margin_bottom = margin * 0.75
	return box


# For what lies over something that would be seen through a plain panel.
static func solid_panel(opacity: float = 0.98) -> StyleBoxFlat:
	var box := panel()
	box.bg_color = Palette.faded(Palette.PANEL, opacity)
	return box


static func flat(colour: Color, corner: int, outline: Color = Color.transparent) -> StyleBoxFlat:
	var box := StyleBoxFlat.new()
	box.bg_color = colour
	box.set_corner_radius_all(corner)
	box.corner_detail = 8
	box.anti_aliasing = true
	if outline.a > 0.0:
		box.set_border_width_all(1)
		box.border_color = outline
	return box


static func _add_button(theme: Theme) -> void:
	theme.set_stylebox("normal", "Button", _key(Palette.PANEL_INSET, Color.transparent))
	theme.set_stylebox("hover", "Button", _key(Palette.PANEL_HOVER, Palette.OUTLINE))
	theme.set_stylebox("pressed", "Button", _key(Palette.SELECTION, Color.transparent))
	theme.set_stylebox(
		"disabled", "Button", _key(Palette.faded(Palette.PANEL_INSET, 0.5), Color.transparent)
	)
	theme.set_stylebox("focus", "Button", _focus())
	theme.set_color("font_color", "Button", Palette.TEXT)
	theme.set_color("font_color_hover", "Button", Color.white)
	theme.set_color("font_color_pressed", "Button", Color.white)
	theme.set_color("font_color_disabled", "Button", Palette.TEXT_FAINT)
	theme.set_font("font", "Button", Fonts.medium())


# On the edge of what keys and pads act on now, where what lies around is cut off.
static func focus_inside(corner: int) -> StyleBoxFlat:
	var box := flat(Color.transparent, corner, Palette.TOKEN)
	box.draw_center = false
	box.set_border_width_all(2)
	return box


# Around what keys and pads act on now.
static func _focus() -> StyleBoxFlat:
	var box := flat(Color.transparent, SMALL_CORNER + 2, Palette.TOKEN)
	box.draw_center = false
	box.set_border_width_all(2)
	box.set_expand_margin_all(3)
	return box


static func _key(colour: Color, outline: Color) -> StyleBoxFlat:
	var box := flat(colour, SMALL_CORNER, outline)
	box.content_margin_left = 12
	box.content_margin_right = 12
	box.content_margin_top = 6
	box.content_margin_bottom = 6
	return box


static func _add_field(theme: Theme) -> void:
	for state in ["normal", "read_only"]:
		theme.set_stylebox(state, "LineEdit", _key(Palette.PANEL_INSET, Palette.OUTLINE_SOFT))
	theme.set_stylebox("focus", "LineEdit", _key(Color.transparent, Palette.TOKEN))
	theme.set_color("font_color", "LineEdit", Palette.TEXT)
	theme.set_color("cursor_color", "LineEdit", Palette.TEXT)
	theme.set_color("selection_color", "LineEdit", Palette.SELECTION)
	theme.set_font("font", "LineEdit", Fonts.body(13))


static func _add_scroll_bar(theme: Theme) -> void:
	var track := flat(Color.transparent, 3)
	track.content_margin_left = 3
	track.content_margin_right = 3
	theme.set_stylebox("scroll", "VScrollBar", track)
	theme.set_stylebox("grabber", "VScrollBar", flat(Palette.OUTLINE, 3))
	for state in ["grabber_highlight", "grabber_pressed"]:
		theme.set_stylebox(state, "VScrollBar", flat(Palette.TEXT_FAINT, 3))


static func _add_bar(theme: Theme) -> void:
	theme.set_stylebox("bg", "ProgressBar", flat(Palette.OUTLINE_SOFT, 4))
	theme.set_stylebox("fg", "ProgressBar", flat(Palette.TOKEN, 4))
	theme.set_color("font_color", "ProgressBar", Color.transparent)
