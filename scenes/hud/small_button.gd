extends Button
# A small button with a line picture.

const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PICTURE := 16.0

var _picture := Glyph.new()


# `picture`: its name in scenes/theme/glyph.gd.
func set_up(picture: String, size: Vector2, tip: String) -> void:
	focus_mode = FOCUS_NONE
	rect_min_size = size
	hint_tooltip = tip
	add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_INSET, GameTheme.SMALL_CORNER))
	var lit := GameTheme.flat(Palette.PANEL_HOVER, GameTheme.SMALL_CORNER, Palette.OUTLINE)
	add_stylebox_override("hover", lit)
	add_stylebox_override("disabled", GameTheme.flat(Palette.PANEL_INSET, GameTheme.SMALL_CORNER))
	_picture.picture = picture
	_picture.rect_size = Vector2(PICTURE, PICTURE)
	add_child(_picture)
	connect("resized", self, "_place")
	_place()


func enable(enabled: bool) -> void:
	disabled = not enabled
	_picture.colour = Palette.TEXT if enabled else Palette.TEXT_FAINT


func _place() -> void:
	_picture.rect_position = ((rect_size - _picture.rect_size) / 2).round()
