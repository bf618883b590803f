extends PanelContainer
# How far a saved game or a recording is loaded, and the way back to the game that was open.

signal stopped

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 280.0
# What is loaded sooner needs no card.
const SOON_S := 0.3

var _text := Ui.label("", Fonts.medium(14))
var _bar := Ui.bar(Palette.TOKEN)
var _button: Button
var _waited := 0.0


func _init() -> void:
	theme = GameTheme.build()
	var box := GameTheme.panel()
	box.bg_color = Palette.PANEL_INSET
	box.border_color = Palette.TOKEN
	add_stylebox_override("panel", box)
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 16)
	add_child(line)
	var column := VBoxContainer.new()
	column.rect_min_size.x = WIDTH
	column.alignment = BoxContainer.ALIGN_CENTER
	line.add_child(column)
	for node in [_text, _bar]:
		column.add_child(node)
	_button = Ui.button(tr("SAVES_STOP"), Keys.tip(tr("SAVES_STOP_TIP"), "ui_cancel"))
	_button.add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_HOVER, 8))
	_button.rect_min_size.x = 88
	_button.connect("pressed", self, "emit_signal", ["stopped"])
	line.add_child(_button)
	hide()


func begin() -> void:
	_waited = 0.0


# `share`: of the way, 0 to 1; `delta`: since the last time.
func show_share(share: float, delta: float) -> void:
	_waited += delta
	_text.text = tr("SAVES_LOADING").format({"share": Words.percent(share)})
	_bar.value = share
	if _waited >= SOON_S and not visible:
		show()
		rect_size = Vector2.ZERO
		var window := get_viewport_rect().size
		rect_position = ((window - get_combined_minimum_size()) / 2).round()


func targets() -> Dictionary:
	if not visible:
		return {}
	return {"panel:loading": get_global_rect(), "loading:stop": _button.get_global_rect()}
