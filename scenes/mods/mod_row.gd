extends Button
# A mod in the list: its name, and how far it has come.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const ModStates := preload("res://scenes/mods/mod_states.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 56.0
const LEFT := 40.0
const RIGHT := 8.0

var _whole := ""
var _glyph := Glyph.new()
var _title := Ui.label("", Fonts.strong(14))
var _state := Ui.label("", Fonts.medium(12))


func _init() -> void:
	rect_min_size.y = HEIGHT
	focus_mode = FOCUS_ALL
	toggle_mode = true
	action_mode = BaseButton.ACTION_MODE_BUTTON_PRESS
	for state in ["normal", "hover", "pressed"]:
		var chosen: bool = state == "pressed"
		var tone := Palette.PANEL_INSET if state == "normal" else Palette.PANEL_HOVER
		var outline := Palette.SELECTION if chosen else Color.transparent
		add_stylebox_override(state, GameTheme.flat(tone, GameTheme.SMALL_CORNER, outline))
	add_stylebox_override("focus", GameTheme.focus_inside(GameTheme.SMALL_CORNER))
	_glyph.rect_position = Vector2(12, (HEIGHT - 16) / 2)
	add_child(_glyph)
	connect("resized", self, "_cut")
	_add_text(_title, 8)
	_add_text(_state, 30)


# `state`: a mod's; "" for none, then with words of its own.
func show_mod(title: String, state: String, words: String, colour: Color) -> void:
	_whole = title
	_cut()
	_state.text = words
	_state.add_color_override("font_color", colour)
	_glyph.picture = ModStates.glyph(state) if state != "" else "requests"
	_glyph.colour = colour


func text_shown() -> String:
	return "%s: %s" % [_title.text, _state.text]


func _cut() -> void:
	_title.text = PlainText.cut(_whole, _title.get_font("font"), rect_size.x - LEFT - RIGHT)


func _add_text(label: Label, top: float) -> void:
	label.clip_text = true
	add_child(label)
	label.anchor_right = 1.0
	label.margin_left = LEFT
	label.margin_top = top
	label.margin_right = -RIGHT
