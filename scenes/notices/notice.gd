extends PanelContainer
# Something that happened, in a few words above the floor. Clicks go through to the floor but for
# its button.

signal done

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Happenings := preload("res://scenes/notices/happenings.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const BUTTON := Vector2(20, 20)
const AROUND := 84.0
# As long as it takes to see it and to read it.
const SEE_S := 3.0
const LETTER_S := 0.06
const LONGEST_S := 15.0
const FADE_S := 0.3

var button := SmallButton.new()

var _label: Label
var _left := 0.0


func _init(happened: Dictionary, width: float) -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	var colour: Color = Happenings.COLOURS[happened.code]
	var box := GameTheme.panel(GameTheme.SMALL_CORNER, 12)
	box.bg_color = Palette.faded(Palette.PANEL, 0.96)
	box.border_color = Palette.faded(colour, 0.7)
	add_stylebox_override("panel", box)
	var line := HBoxContainer.new()
	line.mouse_filter = MOUSE_FILTER_IGNORE
	line.add_constant_override("separation", 10)
	add_child(line)
	var glyph := Glyph.new()
	glyph.picture = Happenings.GLYPHS[happened.code]
	glyph.colour = colour
	glyph.rect_min_size = Vector2(16, 20)
	glyph.size_flags_vertical = 0
	line.add_child(glyph)
	_label = Ui.label(Happenings.words(happened), Fonts.medium(14))
	_label.autowrap = true
	_label.add_constant_override("line_spacing", 3)
	line.add_child(_label)
	button.set_up("close", BUTTON, Keys.tip(tr("NOTICE_CLOSE_TIP")))
	button.size_flags_vertical = 0
	button.connect("pressed", self, "emit_signal", ["done"])
	line.add_child(button)
	_left = min(SEE_S + LETTER_S * _label.text.length(), LONGEST_S)
	fit(width)


# How wide it may be; short words take less.
func fit(width: float) -> void:
	var longest := 0.0
	for words in _label.text.split("\n"):
		longest = max(longest, _label.get_font("font").get_string_size(words).x)
	_label.rect_min_size.x = min(ceil(longest) + 4.0, width - AROUND)


func text() -> String:
	return _label.text


func _process(delta: float) -> void:
	_left -= delta
	modulate.a = clamp(_left / FADE_S, 0.0, 1.0)
	if _left <= 0.0:
		emit_signal("done")
