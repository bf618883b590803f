extends PanelContainer
# The teacher's corner: what the level is about, and what to try.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 224.0

var _title: Label
var _text: Label


func _init() -> void:
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 6)
	add_child(column)
	_title = Ui.label("", Fonts.strong(15), Palette.DRAFT)
	column.add_child(_title)
	_text = Ui.paragraph("", WIDTH)
	column.add_child(_text)


func show_hint(level_number: int) -> void:
	_title.text = tr("LEVEL_%d_HINT_TITLE" % level_number)
	_text.text = tr("LEVEL_%d_HINT" % level_number)
