extends PanelContainer
# What came of the last thing done, above the tools; goes away by itself.

const SECONDS := 4.0
const FADE_S := 0.3
const MOST := 600.0
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")

var text := ""

var _label: Label
var _left := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	_label = Ui.label("", Fonts.medium(13))
	add_child(_label)
	hide()


func show_text(words: String, bad: bool) -> void:
	text = words
	_label.text = words
	_label.add_color_override("font_color", Palette.BAD.lightened(0.25) if bad else Palette.TEXT)
	var box := GameTheme.panel(GameTheme.SMALL_CORNER, 12)
	box.border_color = Palette.BAD if bad else Palette.OUTLINE
	add_stylebox_override("panel", box)
	_left = SECONDS
	modulate.a = 1.0
	rect_size = Vector2.ZERO
	show()


# In as many lines as a width has room for.
func fit(room: float) -> void:
	var font: Font = _label.get_font("font")
	var most := min(MOST, room) - get_stylebox("panel").get_minimum_size().x
	var lines := PoolStringArray([""])
	for word in text.split(" "):
		var line: String = lines[-1] + (" " if lines[-1] != "" else "") + word
		if lines[-1] == "" or font.get_string_size(line).x <= most:
			lines[-1] = line
		else:
			lines.append(word)
	_label.text = lines.join("\n")
	rect_size = Vector2.ZERO


func _process(delta: float) -> void:
	if not visible:
		return
	_left -= delta
	modulate.a = clamp(_left / FADE_S, 0.0, 1.0)
	if _left <= 0.0:
		text = ""
		hide()
