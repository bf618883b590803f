extends Control
# One thing in the settings that can be chosen: a line of its name at the left and what it is at the
# right, between two arrows. Left and right go through what it may be.

signal stepped(way)
signal pointed

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 40.0
const INSET := 12.0
const ARROW := Vector2(32, 32)
const VALUE := 132.0

var selected := false setget set_selected
# Room for what it is.
var value_width := VALUE

var _name: Label
var _value: Label
var _bar: ProgressBar
var _arrows := []


# `shares`: whether it goes from nothing to all, which a bar then shows.
func set_up(text: String, tip: String, shares: bool) -> void:
	hint_tooltip = tip
	rect_min_size.y = HEIGHT
	mouse_filter = MOUSE_FILTER_PASS
	_name = Ui.label(text, Fonts.body(14))
	_value = Ui.label("", Fonts.medium(14))
	_value.align = Label.ALIGN_CENTER
	for node in [_name, _value]:
		node.valign = Label.VALIGN_CENTER
		node.clip_text = true
		add_child(node)
	if shares:
		_bar = Ui.bar(Palette.TOKEN, 4.0)
		add_child(_bar)
	for way in [-1, 1]:
		var arrow := Ui.button("")
		var picture := Glyph.new()
		picture.picture = "previous" if way < 0 else "next"
		picture.rect_position = (ARROW - picture.rect_min_size) / 2
		arrow.add_child(picture)
		arrow.connect("pressed", self, "_on_arrow", [way])
		_arrows.append(arrow)
		add_child(arrow)
	connect("resized", self, "_place")


# What it is now, and how much of all (with a bar).
func show_value(text: String, share: float = 0.0) -> void:
	_value.text = text
	if _bar != null:
		_bar.value = share


func set_selected(value: bool) -> void:
	selected = value
	update()


func step(way: int) -> void:
	emit_signal("stepped", way)


func press() -> void:
	step(1)


func texts() -> Array:
	return [_name.text, _value.text]


func targets() -> Dictionary:
	return {"less": _arrows[0].get_global_rect(), "more": _arrows[1].get_global_rect()}


func _draw() -> void:
	if selected:
		draw_style_box(selection_box(), Rect2(Vector2.ZERO, rect_size))


# Around the line that keys and pads act on.
static func selection_box() -> StyleBoxFlat:
	var box := GameTheme.flat(Palette.PANEL_HOVER, GameTheme.SMALL_CORNER, Palette.TOKEN)
	return box


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		emit_signal("pointed")


func _on_arrow(way: int) -> void:
	emit_signal("pointed")
	step(way)


func _place() -> void:
	var right := rect_size.x - INSET / 2
	var top := (rect_size.y - ARROW.y) / 2
	_put(_arrows[1], Vector2(right - ARROW.x, top), ARROW)
	var left := right - 2 * ARROW.x - value_width
	_put(_arrows[0], Vector2(left, top), ARROW)
	_put(_value, Vector2(left + ARROW.x, 0), Vector2(value_width, rect_size.y))
	_put(_name, Vector2(INSET, 0), Vector2(left - INSET, rect_size.y))
	if _bar != null:
		_put(_bar, Vector2(left + ARROW.x + 16, rect_size.y - 8), Vector2(value_width - 32, 4))


func _put(node: Control, at: Vector2, size: Vector2) -> void:
	node.rect_position = at.round()
	node.rect_size = size
