extends Reference
# Text from outside (a mod, a file) as it may be shown: letters as they are, never marks of a
# language that is carried out, no control characters, and no word longer than a line.

const NOTHING_BEFORE := 32
const DELETE := 127
const MORE := "…"
# Invisible marks that turn the direction of what follows, or pretend that letters are missing.
const INVISIBLE := [
	[0x80, 0x9f], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0xfeff, 0xfeff]
]


# `most_letters`: of a word before it goes on in the next line; `lines`: whether line breaks stay.
static func of(text: String, most_letters: int, lines: bool = false) -> String:
	var shown := ""
	var letters := 0
	for index in text.length():
		var code := text.ord_at(index)
		if code == 10 and lines:
			shown += "\n"
			letters = 0
			continue
		if code <= NOTHING_BEFORE or code == DELETE or _is_invisible(code):
			shown += " "
			letters = 0
			continue
		if letters == most_letters:
			shown += "\n" if lines else " "
			letters = 0
		shown += text[index]
		letters += 1
	return shown.strip_edges()


# As much of a line as there is room for.
static func cut(text: String, font: Font, room: float) -> String:
	if font.get_string_size(text).x <= room:
		return text
	var count := text.length()
	while count > 0 and font.get_string_size(text.left(count) + MORE).x > room:
		count -= 1
	return text.left(count).strip_edges(false, true) + MORE


static func _is_invisible(code: int) -> bool:
	for span in INVISIBLE:
		if code >= span[0] and code <= span[1]:
			return true
	return false
