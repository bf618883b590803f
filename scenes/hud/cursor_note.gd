extends PanelContainer
# Words beside the floor cursor: why something may not be done here, how long a belt takes.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const OFFSET := Vector2(22, 14)
const EDGE := 24.0

var _text: Label


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_text = Ui.label("", Fonts.medium(13))
	add_child(_text)
	hide()


func say(text: String, bad: bool) -> void:
	visible = text != ""
	_text.text = text
	_text.add_color_override("font_color", Palette.BAD.lightened(0.25) if bad else Palette.TEXT)
	var box := GameTheme.panel(GameTheme.SMALL_CORNER, 10)
	box.border_color = Palette.BAD if bad else Palette.OUTLINE
	add_stylebox_override("panel", box)
	rect_size = Vector2.ZERO


func text() -> String:
	return _text.text


# Beside a point of the window, and always inside the window.
func follow(point: Vector2) -> void:
	var window := get_viewport_rect().size
	var at := point + OFFSET
	at.x = min(at.x, window.x - rect_size.x - EDGE)
	at.y = min(at.y, window.y - rect_size.y - EDGE)
	rect_position = at.round()
