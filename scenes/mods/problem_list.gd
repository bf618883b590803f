extends VBoxContainer
# What did not load: where it is, and what is wrong, one below the other, to be copied as text.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
# Letters of the mono font, and of the other, in a line.
const PLACE_LETTERS := 44
const LETTERS := 40


# `problems`: {file, line, field, code, params}; `mod`: what stands before the file ("": nothing).
func add_problems(problems: Array, mod: String, width: float) -> void:
	add_constant_override("separation", 6)
	for problem in problems:
		add_child(_line(problem, mod, width))


# One problem in one line: "folder/file.py:12 traffic.rate: what is wrong".
static func as_text(problem: Dictionary, mod: String) -> String:
	var said := "%s: %s" % [place_of(problem, mod), words_of(problem)]
	return said.strip_edges()


static func place_of(problem: Dictionary, mod: String) -> String:
	var file: String = str(problem.file) if problem.get("file") != null else ""
	var place := file if mod == "" else "%s/%s" % [mod, file] if file != "" else mod
	var line = problem.get("line")
	if typeof(line) == TYPE_INT and line > 0:
		place += ":%d" % line
	var field = problem.get("field")
	if typeof(field) == TYPE_STRING and field != "":
		place += "  " + field
	return PlainText.of(place, PLACE_LETTERS, true)


static func words_of(problem: Dictionary) -> String:
	return PlainText.of(Words.of(problem.code, problem.params), LETTERS, true)


func _line(problem: Dictionary, mod: String, width: float) -> Control:
	var box := ProblemBox.new()
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 2)
	var place := Ui.paragraph(place_of(problem, mod), width - 28, Fonts.mono(11))
	place.add_color_override("font_color", Palette.WARNING)
	column.add_child(place)
	column.add_child(Ui.paragraph(words_of(problem), width - 28, Fonts.body(13)))
	box.add_child(column)
	return box


class ProblemBox:
	extends PanelContainer
	# Takes the focus, so that keys and pads can go through a long list.

	func _init() -> void:
		focus_mode = FOCUS_ALL
		mouse_filter = MOUSE_FILTER_PASS
		_show_focus(false)
		connect("focus_entered", self, "_show_focus", [true])
		connect("focus_exited", self, "_show_focus", [false])

	func _show_focus(here: bool) -> void:
		var look := GameTheme.flat(Palette.PANEL_INSET, 4)
		look.border_color = Palette.TOKEN if here else Palette.BAD
		look.border_width_left = 3
		look.content_margin_left = 12
		look.content_margin_right = 8
		look.content_margin_top = 6
		look.content_margin_bottom = 6
		add_stylebox_override("panel", look)
