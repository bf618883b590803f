extends PanelContainer
# The teacher's corner: what the level is about, and what to try. Folds into a button.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 224.0
const BUTTON := 24.0

# Whether there is no room for it: folded, until the player unfolds it.
var tight := false setget set_tight

var _head := HBoxContainer.new()
var _title: Label
var _text: Label
var _fold: Button
var _picture := Glyph.new()


func _init() -> void:
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 6)
	add_child(column)
	column.add_child(_head)
	_title = Ui.label("", Fonts.strong(15), Palette.DRAFT)
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_head.add_child(_title)
	_fold = Ui.button("", tr("HINT_FOLD_TIP"))
	_fold.rect_min_size = Vector2(BUTTON, BUTTON)
	for state in ["normal", "hover", "pressed"]:
		var tone := Palette.PANEL_INSET if state == "normal" else Palette.PANEL_HOVER
		_fold.add_stylebox_override(state, Ui.GameTheme.flat(tone, 6))
	_fold.connect("pressed", self, "_on_pressed")
	_picture.rect_position = Vector2(4, 4)
	_picture.rect_size = Vector2(16, 16)
	_fold.add_child(_picture)
	_head.add_child(_fold)
	_text = Ui.paragraph("", WIDTH)
	column.add_child(_text)
	_show_folded(false)


func show_hint(level_number: int) -> void:
	_title.text = tr("LEVEL_%d_HINT_TITLE" % level_number)
	_text.text = tr("LEVEL_%d_HINT" % level_number)


func set_tight(value: bool) -> void:
	if value != tight:
		tight = value
		_show_folded(tight)


func folded() -> bool:
	return not _text.visible


func fold_rect() -> Rect2:
	return _fold.get_global_rect()


func _on_pressed() -> void:
	_show_folded(not folded())


func _show_folded(value: bool) -> void:
	_text.visible = not value
	_title.visible = not value
	_picture.picture = "hint" if value else "fold"
	_fold.hint_tooltip = tr("HINT_UNFOLD_TIP" if value else "HINT_FOLD_TIP")
