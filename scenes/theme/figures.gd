extends Control
# One line of text whose digits all take the same width, so that a changing number does not jitter.

enum Side { LEFT, CENTRE, RIGHT }

export var text := "" setget set_text
export var colour := Color.white setget set_colour
export(Side) var side := Side.LEFT

var font: Font setget set_font

var _digit := 0.0


func _ready() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE


func set_text(value: String) -> void:
	if value != text:
		text = value
		update()


func set_colour(value: Color) -> void:
	if value != colour:
		colour = value
		update()


func set_font(value: Font) -> void:
	font = value
	_digit = 0.0
	for digit in 10:
		_digit = max(_digit, font.get_string_size(str(digit)).x)
	rect_min_size.y = font.get_height()
	update()


func width_of(line: String) -> float:
	var width := 0.0
	for index in line.length():
		width += _advance(line[index])
	return width


func _draw() -> void:
	if font == null:
		return
	var at := Vector2(0, (rect_size.y - font.get_height()) / 2 + font.get_ascent())
	if side == Side.CENTRE:
		at.x = (rect_size.x - width_of(text)) / 2
	elif side == Side.RIGHT:
		at.x = rect_size.x - width_of(text)
	at = at.round()
	for index in text.length():
		var letter := text[index]
		var wide := _advance(letter)
		var inset := (wide - font.get_string_size(letter).x) / 2 if _is_digit(letter) else 0.0
		draw_char(font, at + Vector2(inset, 0), letter, "", colour)
		at.x += wide


func _advance(letter: String) -> float:
	return _digit if _is_digit(letter) else font.get_string_size(letter).x


func _is_digit(letter: String) -> bool:
	return letter >= "0" and letter <= "9"
