extends VBoxContainer
# What happened in this run by itself, the newest first; pressing a line goes to that moment.

signal moment_picked(t_ps)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Happenings := preload("res://scenes/notices/happenings.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 256.0
const CLOCK := 40.0
const PICTURE := 16.0
const PAD := 8.0
const MOST := 30

var _marks := []
var _lines := VBoxContainer.new()
var _nothing: Label


func _init() -> void:
	add_child(Ui.label(tr("MESSAGES_TITLE"), Fonts.strong(18)))
	_nothing = Ui.paragraph(tr("MESSAGES_NONE"), WIDTH, Fonts.body(13))
	_nothing.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_nothing)
	_lines.add_constant_override("separation", 4)
	add_child(_lines)


# `marks`: of the timeline.
func show_marks(marks: Array) -> void:
	var found := []
	for mark in marks:
		if Happenings.is_one(mark.code):
			found.push_front(mark)
	if found.size() > MOST:
		found.resize(MOST)
	if found.hash() == _marks.hash():
		return
	_marks = found
	for child in _lines.get_children():
		_lines.remove_child(child)
		child.queue_free()
	for mark in _marks:
		_lines.add_child(_line(mark))
	_nothing.visible = _marks.empty()


func has_some() -> bool:
	return not _marks.empty()


func texts() -> Array:
	var said := []
	for mark in _marks:
		said.append("%s %s" % [Words.clock(mark.t_ps), Happenings.words(mark)])
	return said


func targets() -> Dictionary:
	var rects := {}
	for index in _lines.get_child_count():
		rects["message:%d" % index] = _lines.get_child(index).get_global_rect()
	return rects


func _line(mark: Dictionary) -> Button:
	var button := Ui.button("", Keys.tip(tr("MESSAGES_GO_TIP")))
	button.add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_INSET, 4))
	var colour: Color = Happenings.COLOURS[mark.code]
	var glyph := Glyph.new()
	glyph.picture = Happenings.GLYPHS[mark.code]
	glyph.colour = colour
	glyph.rect_position = Vector2(PAD, PAD)
	glyph.rect_size = Vector2(PICTURE, PICTURE)
	var clock := Ui.label(Words.clock(mark.t_ps), Fonts.medium(12), Palette.TEXT_SOFT)
	clock.rect_position = Vector2(2 * PAD + PICTURE, PAD)
	var left := 2 * PAD + PICTURE + CLOCK
	var text := Ui.paragraph(Happenings.words(mark), WIDTH - left - PAD, Fonts.body(13))
	text.rect_position = Vector2(left, PAD - 1)
	for part in [glyph, clock, text]:
		button.add_child(part)
	# The words tell how many lines they need once they have their width.
	text.rect_size.x = WIDTH - left - PAD
	button.rect_min_size.y = text.get_combined_minimum_size().y + 2 * PAD - 2
	button.connect("pressed", self, "emit_signal", ["moment_picked", mark.t_ps])
	return button
