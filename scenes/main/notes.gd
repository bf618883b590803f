extends CanvasLayer
# What the player should know about files, once, over whatever screen is shown. It stays until it is
# put away, and is in nobody's way.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const ABOVE := 30
const WIDTH := 520.0
const EDGE := 16.0

# What is shown below, and may say where its panels leave room.
var screen: Node

var _lines := PoolStringArray()
var _card := PanelContainer.new()
var _text := Ui.paragraph("", WIDTH, Fonts.body(14))
var _button := Ui.button("")
var _placed := Rect2()


func _init() -> void:
	layer = ABOVE
	_card.theme = GameTheme.build()
	var box := GameTheme.solid_panel()
	box.border_color = Palette.WARNING
	_card.add_stylebox_override("panel", box)
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 12)
	column.add_child(_text)
	_button.rect_min_size = Vector2(120, 36)
	_button.size_flags_horizontal = Control.SIZE_SHRINK_END
	_button.connect("pressed", self, "_put_away")
	column.add_child(_button)
	_card.add_child(column)
	_card.hide()
	add_child(_card)


# A screen is shown: over it.
func follow(next: Node) -> void:
	screen = next
	raise()


# Adds a line to what is told.
func tell(text: String) -> void:
	_lines.append(text)
	_text.text = _lines.join("\n\n")
	_button.text = tr("NOTES_SEEN")
	_button.hint_tooltip = Keys.tip(tr("NOTES_SEEN_TIP"), "ui_cancel")
	_card.show()
	_placed = Rect2()


# All that is told now; "" once it was put away.
func told() -> String:
	return _lines.join("\n\n")


func targets() -> Dictionary:
	if not _card.visible:
		return {}
	return {"panel:notes": _card.get_global_rect(), "notes:seen": _button.get_global_rect()}


func _input(event: InputEvent) -> void:
	if _card.visible and event.is_action_pressed("ui_cancel"):
		_put_away()
		get_tree().set_input_as_handled()


func _process(_delta: float) -> void:
	if _card.visible and _area() != _placed:
		_place()


func _put_away() -> void:
	_lines = PoolStringArray()
	_card.hide()


# At the top of where the screen's own panels leave room.
func _place() -> void:
	_placed = _area()
	_text.rect_min_size.x = min(WIDTH, _card.get_viewport_rect().size.x - 5 * EDGE)
	_card.rect_size = Vector2.ZERO
	_card.rect_size = _card.get_combined_minimum_size()
	var x := _placed.position.x + (_placed.size.x - _card.rect_size.x) / 2
	_card.rect_position = Vector2(max(EDGE, x), _placed.position.y + EDGE).round()


func _area() -> Rect2:
	if screen != null and screen.has_method("free_area"):
		return screen.free_area()
	return _card.get_viewport_rect()
