extends Button
# A level to choose: what it is about, and how far the player has come in it.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const LEFT := 62.0
const PICTURE := Rect2(12, 12, 40, 40)
const RIGHT := 18.0
# For stars and attempts at the right.
const PROGRESS := 84.0
# For its texts.
const TEXT := 290.0


# `level`: {number, id, stars, attempts}; `due`: whether it is the one to play next; `digit`: what
# it is counted as, where it has no `picture`.
func show_level(level: Dictionary, due: bool, digit: String, picture: Texture = null) -> void:
	for state in ["normal", "hover", "pressed"]:
		var box := GameTheme.panel()
		box.border_color = Palette.PROMPT if due else Palette.OUTLINE
		if state != "normal":
			box.border_color = Palette.TOKEN
		if due or state != "normal":
			box.bg_color = Palette.faded(Palette.PANEL_INSET, 0.94)
		add_stylebox_override(state, box)
	add_stylebox_override("focus", GameTheme.focus_inside(GameTheme.CORNER))
	var colour := Palette.PROMPT if due else Palette.TEXT_SOFT
	if picture != null:
		_add_picture(picture)
	else:
		var sign_label := Ui.label(digit, Fonts.strong(30), colour)
		sign_label.rect_position = Vector2(22, 16)
		add_child(sign_label)
	_add_text(LevelWords.of(level, "NAME"), Fonts.strong(17), Palette.TEXT, 14)
	_add_text(LevelWords.of(level, "LINE"), Fonts.body(13), Palette.TEXT_SOFT, 40)
	if LevelWords.is_own(level):
		return
	var stars := StarRow.new()
	stars.side = 18.0
	stars.reached = level.stars
	_put_right(stars, stars.rect_min_size.x, 16)
	var attempts := Ui.label(_attempts(level.attempts), Fonts.body(12), Palette.TEXT_SOFT)
	attempts.align = Label.ALIGN_RIGHT
	_put_right(attempts, PROGRESS, 41)


func _attempts(count: int) -> String:
	match count:
		0:
			return ""
		1:
			return tr("TITLE_ATTEMPT")
	return tr("TITLE_ATTEMPTS").format({"count": count})


func _add_text(text: String, font: Font, colour: Color, top: float) -> void:
	var label := Ui.label(PlainText.cut(text, font, TEXT), font, colour)
	label.clip_text = true
	add_child(label)
	label.anchor_right = 1.0
	label.margin_left = LEFT
	label.margin_top = top
	label.margin_right = -RIGHT - PROGRESS


func _add_picture(picture: Texture) -> void:
	var frame := TextureRect.new()
	frame.texture = picture
	frame.expand = true
	frame.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_COVERED
	frame.mouse_filter = MOUSE_FILTER_IGNORE
	add_child(frame)
	frame.rect_position = PICTURE.position
	frame.rect_size = PICTURE.size


func _put_right(node: Control, width: float, top: float) -> void:
	add_child(node)
	node.anchor_left = 1.0
	node.anchor_right = 1.0
	node.margin_left = -RIGHT - width
	node.margin_right = -RIGHT
	node.margin_top = top
