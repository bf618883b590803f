extends VBoxContainer
# The campaign: its chapters, the levels of each along a belt, and what the one that is pointed at
# is about.

signal level_picked(level)

const Fonts := preload("res://scenes/theme/fonts.gd")
const LevelTile := preload("res://scenes/title/level_tile.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const Ui := preload("res://scenes/theme/ui.gd")
# The first level of each chapter.
const CHAPTERS := [1, 4]
const GAP := 11
const HEADING := 18.0
# For the name and the line of a level.
const TEXT := 360.0
const ABOUT := 42.0

var buttons := {}

var _due := {}
var _name := Ui.label("", Fonts.strong(17))
var _line := Ui.label("", Fonts.body(13), Palette.TEXT_SOFT)
var _attempts := Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)


func _init() -> void:
	add_constant_override("separation", 6)
	size_flags_horizontal = SIZE_EXPAND_FILL


# `levels`: those of the campaign, in order; `due`: the one to play next.
func show_levels(levels: Array, due: Dictionary) -> void:
	_due = due
	buttons = {}
	for index in CHAPTERS.size():
		var first: int = CHAPTERS[index]
		var end: int = CHAPTERS[index + 1] if index + 1 < CHAPTERS.size() else 10000
		var row := []
		for level in levels:
			if level.number >= first and level.number < end:
				row.append(level)
		if not row.empty():
			_add_chapter(index + 1, row)
	add_child(_about())
	_point(due)


# How high the tiles are.
func fit(height: float) -> void:
	for tile in buttons.values():
		tile.rect_min_size.y = height


func _add_chapter(number: int, levels: Array) -> void:
	var heading := Ui.caption(tr("TITLE_CHAPTER_%d" % number))
	heading.rect_min_size.y = HEADING
	heading.valign = Label.VALIGN_BOTTOM
	add_child(heading)
	var row := HBoxContainer.new()
	row.add_constant_override("separation", GAP)
	row.connect("draw", self, "_draw_belt", [row])
	add_child(row)
	for level in levels:
		var tile := LevelTile.new()
		tile.rect_min_size.x = LevelTile.WIDTH
		tile.show_level(level, level == _due)
		tile.connect("pressed", self, "emit_signal", ["level_picked", LevelWords.key_of(level)])
		for sign_of_it in ["mouse_entered", "focus_entered"]:
			tile.connect(sign_of_it, self, "_point", [level])
		for end in ["mouse_exited", "focus_exited"]:
			tile.connect(end, self, "_point", [_due])
		row.add_child(tile)
		buttons[LevelWords.key_of(level)] = tile


# From tile to tile.
func _draw_belt(row: HBoxContainer) -> void:
	var tiles := row.get_children()
	for index in range(1, tiles.size()):
		var from: Rect2 = tiles[index - 1].get_rect()
		var y := from.position.y + from.size.y / 2
		var x := from.end.x + 2
		for step in 3:
			row.draw_circle(Vector2(x + 1.0 + step * 3.0, y), 1.2, Palette.TOKEN)


func _about() -> Control:
	var box := Control.new()
	box.rect_min_size.y = ABOUT
	for label in [_name, _line, _attempts]:
		label.clip_text = true
		box.add_child(label)
		label.anchor_right = 1.0
	_line.margin_top = 22
	_attempts.align = Label.ALIGN_RIGHT
	_attempts.margin_top = 4
	_attempts.anchor_left = 0.7
	return box


func _point(level: Dictionary) -> void:
	if level.empty():
		return
	var name := LevelWords.of(level, "NAME")
	_name.text = PlainText.cut("%d. %s" % [level.number, name], _name.get_font("font"), TEXT)
	_line.text = LevelWords.of(level, "LINE")
	_attempts.text = ""
	if level.attempts == 1:
		_attempts.text = tr("TITLE_ATTEMPT")
	elif level.attempts > 1:
		_attempts.text = tr("TITLE_ATTEMPTS").format({"count": level.attempts})
