extends Button
# One tool of the tool bar.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")

const WIDE := Vector2(70, 60)
const SMALL := Vector2(52, 48)
const TINY := Vector2(44, 44)
# More than that are as good as any number.
const MANY := 99

var _left: Label
var _picture: Control
var _title: Label
var _key: Label


func set_up(name: String) -> void:
	toggle_mode = true
	focus_mode = FOCUS_NONE
	hint_tooltip = Keys.tip(tr("TOOL_%s_TIP" % name.to_upper()), "tool_" + name)
	add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_INSET, 10))
	add_stylebox_override("hover", GameTheme.flat(Palette.PANEL_HOVER, 10, Palette.OUTLINE))
	var chosen := GameTheme.flat(Palette.PANEL_HOVER, 10, Palette.SELECTION)
	chosen.set_border_width_all(2)
	add_stylebox_override("pressed", chosen)
	_picture = Ui.icon(name, 30)
	_title = Ui.label(tr("TOOL_" + name.to_upper()), Fonts.medium(12))
	_title.align = Label.ALIGN_CENTER
	_key = Ui.label(Keys.short_key_of("tool_" + name), Fonts.medium(11), Palette.TEXT_FAINT)
	_key.align = Label.ALIGN_RIGHT
	_left = Ui.label("", Fonts.strong(11), Palette.TEXT_SOFT)
	for part in [_picture, _title, _key, _left]:
		add_child(part)
	shrink(false)


# With its picture alone, or with its name; `tiny`: smaller still.
func shrink(small: bool, tiny: bool = false) -> void:
	rect_min_size = TINY if tiny else SMALL if small else WIDE
	rect_size = rect_min_size
	_title.visible = not small
	_put(_picture, Rect2(rect_min_size.x / 2 - 15, 14 if small else 6, 30, 30))
	_put(_title, Rect2(0, 38, rect_min_size.x, 18))
	_put(_key, Rect2(rect_min_size.x - 36, 2 if small else 4, 30, 14))
	_put(_left, Rect2(6, 2 if small else 4, 30, 14))


func show_left(count: int) -> void:
	_left.text = "" if count > MANY else "×%d" % count
	var none := count <= 0
	_left.add_color_override("font_color", Palette.TEXT_FAINT if none else Palette.TEXT_SOFT)
	modulate.a = 0.45 if none else 1.0


func _put(node: Control, area: Rect2) -> void:
	node.rect_position = area.position
	node.rect_size = area.size
