extends Button
# One of the answers of a question; its words may take several lines.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const INSET := Vector2(10, 6)

var _words: Label


func set_up(text: String, width: float) -> void:
	focus_mode = FOCUS_NONE
	_words = Ui.paragraph(text, width - 2 * INSET.x, Fonts.medium(13))
	_words.add_constant_override("line_spacing", 2)
	_words.rect_position = INSET
	add_child(_words)
	_words.connect("minimum_size_changed", self, "_fit")
	_words.connect("resized", self, "_fit")
	_fit()


func words() -> String:
	return _words.text


func _fit() -> void:
	rect_min_size.y = _words.get_combined_minimum_size().y + 2 * INSET.y
