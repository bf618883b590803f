extends Button
# One tool of the tool bar.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")

var _left: Label


func set_up(name: String) -> void:
	toggle_mode = true
	focus_mode = FOCUS_NONE
	rect_min_size = Vector2(76, 60)
	hint_tooltip = tr("TOOL_%s_TIP" % name.to_upper())
	add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_INSET, 10))
	add_stylebox_override("hover", GameTheme.flat(Palette.PANEL_HOVER, 10, Palette.OUTLINE))
	var chosen := GameTheme.flat(Palette.PANEL_HOVER, 10, Palette.SELECTION)
	chosen.set_border_width_all(2)
	add_stylebox_override("pressed", chosen)
	var picture := Ui.icon(name, 30)
	_place(picture, Rect2(23, 6, 30, 30))
	var title := Ui.label(tr("TOOL_" + name.to_upper()), Fonts.medium(12))
	title.align = Label.ALIGN_CENTER
	_place(title, Rect2(0, 38, 76, 18))
	var key := Ui.label(_key_of("tool_" + name), Fonts.medium(10), Palette.TEXT_FAINT)
	key.align = Label.ALIGN_RIGHT
	_place(key, Rect2(40, 4, 30, 14))
	_left = Ui.label("", Fonts.strong(11), Palette.TEXT_SOFT)
	_place(_left, Rect2(7, 4, 30, 14))


func show_left(count: int) -> void:
	_left.text = "×%d" % count
	var none := count <= 0
	_left.add_color_override("font_color", Palette.TEXT_FAINT if none else Palette.TEXT_SOFT)
	modulate.a = 0.45 if none else 1.0


func _place(node: Control, area: Rect2) -> void:
	add_child(node)
	node.rect_position = area.position
	node.rect_size = area.size


# The first key of an action, as its name is on the keyboard.
func _key_of(action: String) -> String:
	if not InputMap.has_action(action):
		return ""
	for event in InputMap.get_action_list(action):
		if event is InputEventKey:
			return OS.get_scancode_string(event.scancode)
	return ""
