extends PanelContainer
# Words beside the floor cursor: why something may not be done here, how long a belt takes.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const OFFSET := Vector2(22, 14)
const EDGE := 24.0

var floor_view: Node2D

var _text: Label
var _tile := Vector2.ZERO
var _by_mouse := true
var _left := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_text = Ui.label("", Fonts.medium(13))
	add_child(_text)
	hide()


# Says something ("": nothing) for so many seconds.
func say(text: String, bad: bool, seconds: float = INF) -> void:
	_left = seconds
	visible = text != ""
	Ui.tell(_text, text, bad)
	var box := GameTheme.panel(GameTheme.SMALL_CORNER, 10)
	box.border_color = Palette.BAD if bad else Palette.OUTLINE
	add_stylebox_override("panel", box)
	rect_size = Vector2.ZERO
	place()


# What it says; "" while it is hidden.
func text() -> String:
	return _text.text if visible else ""


# The cursor is on this tile, moved there by mouse or otherwise.
func follow(tile: Vector2, by_mouse: bool) -> void:
	_tile = tile
	_by_mouse = by_mouse


# Beside the mouse or the cursor's tile, and always inside the window.
func place() -> void:
	if not visible:
		return
	var point: Vector2 = get_viewport().get_mouse_position()
	if not _by_mouse:
		point = floor_view.to_view(_tile + Vector2(0.5, 0.5))
	var window := get_viewport_rect().size
	var at := point + OFFSET
	at.x = min(at.x, window.x - rect_size.x - EDGE)
	at.y = min(at.y, window.y - rect_size.y - EDGE)
	rect_position = at.round()


func _process(delta: float) -> void:
	_left -= delta
	if visible and _left <= 0.0:
		hide()
	place()
