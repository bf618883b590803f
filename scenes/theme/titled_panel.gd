extends PanelContainer
# A panel with a title and a button that closes it, and a text for what has to be told.

const ClosingHead := preload("res://scenes/hud/closing_head.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const ScrollList := preload("res://scenes/theme/scroll_list.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const CLOSE := 28.0
# Of a panel beside others: how wide it is, and the least height that it can do with.
const WIDTH := 560.0
const LEAST := 360.0

var _column := VBoxContainer.new()
var _head := ClosingHead.new()
var _told: Label


func _init() -> void:
	theme = GameTheme.build()
	add_stylebox_override("panel", GameTheme.solid_panel())
	add_child(_column)


func close() -> void:
	hide()


# What came of something.
func say(text: String, bad: bool) -> void:
	Ui.tell(_told, text, bad)
	_told.visible = text != ""


# `tip`: what closes it; `action`: that does it too.
func _add_head(title: String, tip: String, action: String, size: int = 20) -> void:
	_head.set_up(title, Fonts.strong(size), tip, action, CLOSE)
	_head.connect("closed", self, "close")
	_column.add_child(_head)


# The text stands where the column has come to; it is at least so wide.
func _add_told(width: float = WIDTH - 48.0) -> void:
	_told = Ui.paragraph("", width, Fonts.body(13))
	_told.hide()
	_column.add_child(_told)


# Fits into an area of a window, at its right, away from the teacher's corner; into the middle of
# the window where the area is too small.
func _stand_beside(area: Rect2, window: Vector2, highest: float) -> void:
	var whole: bool = area.size.x < WIDTH or area.size.y < LEAST
	var room := Rect2(Vector2.ZERO, window).grow(-8) if whole else area
	var size := Vector2(min(WIDTH, room.size.x), min(highest, room.size.y))
	var place := Vector2(0.5 if whole else 1.0, 0.5)
	rect_size = size
	rect_position = (room.position + (room.size - size) * place).round()
