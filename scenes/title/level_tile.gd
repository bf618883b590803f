extends Button
# A level of the campaign on its map: its number, the machine that it teaches, and the stars that
# were reached.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 84.0
const ICON := 40.0
const STAR := 14.0
# What each level is about, by its id.
const MACHINES := {
	"prefill_and_decode": "prefill_core",
	"pages": "page_allocator",
	"speculation": "draft_model",
	"batching": "batcher",
	"long_prompts": "chunker",
	"shared_server": "gateway",
	"right_model": "router",
	"the_bill": "api_port",
}

var _icon: TextureRect
var _stars := StarRow.new()


# `level`: {number, id, stars, attempts}; `due`: whether it is the one to play next.
func show_level(level: Dictionary, due: bool) -> void:
	for state in ["normal", "hover", "pressed"]:
		var box := GameTheme.panel()
		box.border_color = Palette.PROMPT if due else Palette.OUTLINE
		if state != "normal":
			box.border_color = Palette.TOKEN
		if due or state != "normal":
			box.bg_color = Palette.faded(Palette.PANEL_INSET, 0.94)
		add_stylebox_override(state, box)
	add_stylebox_override("focus", GameTheme.focus_inside(GameTheme.CORNER))
	var machine: String = MACHINES.get(level.id, "")
	if machine != "" and ResourceLoader.exists(Ui.ICONS + machine + ".png"):
		_icon = Ui.icon(machine, ICON)
		add_child(_icon)
	var size := 14 if _icon != null else 28
	var number := Ui.label(str(level.number), Fonts.strong(size), Palette.TEXT_SOFT)
	if due:
		number.add_color_override("font_color", Palette.PROMPT)
	add_child(number)
	number.rect_position = Vector2(10, 6)
	_stars.side = STAR
	_stars.reached = level.stars
	add_child(_stars)
	connect("resized", self, "_place")


func _place() -> void:
	_stars.rect_position = Vector2((rect_size.x - _stars.rect_min_size.x) / 2, rect_size.y - 22)
	if _icon != null:
		_icon.rect_size = Vector2(ICON, ICON)
		var top := (rect_size.y - 20 - ICON) / 2 + 2
		_icon.rect_position = Vector2((rect_size.x - ICON) / 2, top)
