extends Button
# One tool of the tool bar.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")

const WIDE := Vector2(70, 60)
# A tile that is less wide has no room for its name.
const NARROWEST := 50.0
const SMALL := Vector2(52, 48)
const TINY := Vector2(44, 44)
# More than that are as good as any number.
const MANY := 99

var _left: Label
var _font := Fonts.medium(12)
var _small_font := Fonts.medium(11)
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
	_title = Ui.label(tr("TOOL_" + name.to_upper()), _font)
	_title.align = Label.ALIGN_CENTER
	_title.clip_text = true
	_key = Ui.label(Keys.short_key_of("tool_" + name), Fonts.medium(11), Palette.TEXT_FAINT)
	_key.align = Label.ALIGN_RIGHT
	_left = Ui.label("", Fonts.strong(11), Palette.TEXT_SOFT)
	for part in [_picture, _title, _key, _left]:
		add_child(part)
	fit(WIDE)


# Takes this size: with its picture and its name, or with its picture alone where that is narrow.
func fit(size: Vector2) -> void:
	rect_min_size = size
	rect_size = size
	var low := size.y < WIDE.y
	_title.visible = size.x >= NARROWEST
	_title.add_font_override("font", _small_font if size.x < WIDE.x else _font)
	var side := 24.0 if low and _title.visible else 30.0
	_picture.rect_min_size = Vector2(side, side)
	_put(_picture, Rect2((size.x - side) / 2, 10 if low else 6, side, side))
	_put(_title, Rect2(0, size.y - (16 if low else 22), size.x, 16 if low else 18))
	_put(_key, Rect2(size.x - (34 if low else 36), 1 if low else 4, 30, 14))
	_put(_left, Rect2(4 if low else 6, 1 if low else 4, 30, 14))


func show_left(count: int) -> void:
	_left.text = "" if count > MANY else "×%d" % count
	var none := count <= 0
	_left.add_color_override("font_color", Palette.TEXT_FAINT if none else Palette.TEXT_SOFT)
	modulate.a = 0.45 if none else 1.0


func _put(node: Control, area: Rect2) -> void:
	node.rect_position = area.position
	node.rect_size = area.size
