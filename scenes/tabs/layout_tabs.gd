extends HBoxContainer
# Layouts of the level side by side: A, B, one more, and away with the one that is shown.

signal chosen(index)
signal opened
signal closed(index)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const MOST := 2
const SIZE := Vector2(30, 26)

var buttons := {}

var _current := 0
var _count := 1


func _init() -> void:
	add_constant_override("separation", 4)
	for index in MOST:
		var letter := char(65 + index)
		var tip := tr("TAB_TIP").format({"letter": letter})
		var button := _add(letter, letter, Keys.tip(tip, "tab_next"))
		button.toggle_mode = true
		button.connect("pressed", self, "emit_signal", ["chosen", index])
	_add("open", "", Keys.tip(tr("TAB_OPEN_TIP"))).connect(
		"pressed", self, "emit_signal", ["opened"]
	)
	_add("close", "", Keys.tip(tr("TAB_CLOSE_TIP"))).connect("pressed", self, "_on_closed")
	show_tabs(0, 1)


func show_tabs(current: int, count: int) -> void:
	_current = current
	_count = count
	for index in MOST:
		var button: Button = buttons[char(65 + index)]
		button.visible = index < count
		button.pressed = index == current
	buttons.open.visible = count < MOST
	buttons.close.visible = count > 1


# The other one; a second one is not opened by a key that steps.
func choose_next() -> void:
	if _count > 1:
		emit_signal("chosen", (_current + 1) % _count)


func _add(name: String, text: String, tip: String) -> Button:
	var button := Ui.button(text, tip)
	button.rect_min_size = SIZE
	button.add_font_override("font", Fonts.medium(12))
	if text == "":
		var picture := Glyph.new()
		picture.picture = "save" if name == "open" else "close"
		button.add_child(picture)
		picture.rect_position = Vector2(9, 7)
		picture.rect_size = Vector2(12, 12)
	buttons[name] = button
	add_child(button)
	return button


func _on_closed() -> void:
	emit_signal("closed", _current)
