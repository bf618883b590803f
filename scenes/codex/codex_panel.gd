extends VBoxContainer
# The codex: a page for each idea and machine, with its equation, this factory's numbers, what it is
# called elsewhere and how exact it is; or the list of all pages.

# The page that is shown now ("": the list).
signal page_shown(page)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 250.0
const GROUPS := ["concept", "machine"]
const ROW := 24.0
const LINK_COLUMNS := 2
const NO_BREAK := "\u00a0"
# Of the mono font in a line.
const NAME_LETTERS := 33

var page := ""

var _client: Node
var _title: Label
var _all: Button
var _scroll := ScrollContainer.new()
var _body := VBoxContainer.new()
var _links := {}
var _values := []
var _said := []


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	var head := HBoxContainer.new()
	_title = Ui.label("", Fonts.strong(18))
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_title.clip_text = true
	_all = Ui.button(tr("CODEX_ALL"), tr("CODEX_ALL_TIP"))
	_all.add_font_override("font", Fonts.medium(12))
	_all.connect("pressed", self, "show_page", [""])
	head.add_child(_title)
	head.add_child(_all)
	add_child(head)
	_scroll.scroll_horizontal_enabled = false
	_scroll.follow_focus = true
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_body.size_flags_horizontal = SIZE_EXPAND_FILL
	var margin := MarginContainer.new()
	margin.size_flags_horizontal = SIZE_EXPAND_FILL
	margin.add_constant_override("margin_right", 8)
	margin.add_child(_body)
	_scroll.add_child(margin)
	add_child(_scroll)


func set_up(client: Node, _floor_view: Node2D) -> void:
	_client = client


# Shows a page ("": the list of all).
func show_page(id: String) -> void:
	page = id
	_clear()
	if id == "":
		_show_list()
	else:
		_show_page(_client.ask({"ask": "codex_page", "id": id}))
	_scroll.scroll_vertical = 0
	emit_signal("page_shown", page)


# New numbers; the words stay.
func refresh() -> void:
	if _body.get_child_count() == 0:
		show_page(page)
	elif page != "":
		var answer: Dictionary = _client.ask({"ask": "codex_page", "id": page})
		for index in min(_values.size(), answer.get("values", []).size()):
			_values[index].text = Words.figure(answer.values[index])


func targets() -> Dictionary:
	var rects := {}
	if _all.visible:
		rects["codex:all"] = _all.get_global_rect()
	var shown := _scroll.get_global_rect()
	for id in _links:
		# What is scrolled away cannot be pressed.
		var rect: Rect2 = _links[id].get_global_rect()
		if shown.encloses(rect):
			rects["codex:" + id] = rect
	return rects


func texts() -> Array:
	var said := [_title.text] + _said
	for value in _values:
		said.append(value.text)
	return said


func _show_list() -> void:
	_title.text = tr("CODEX_TITLE")
	_all.hide()
	var pages: Array = _client.ask({"ask": "codex"}).get("pages", [])
	for group in GROUPS:
		_add_caption("CODEX_GROUP_" + group.to_upper())
		var grid := _add_grid()
		for each in pages:
			if each.group == group:
				_add_link(grid, each.id, each.here)


func _show_page(told: Dictionary) -> void:
	_all.show()
	if not told.ok:
		_title.text = tr("CODEX_TITLE")
		_add_text(Words.of(told.code, told.params), Fonts.body(13))
		return
	_title.text = tr(told.title)
	if not told.here:
		_add_text(tr("CODEX_ELSEWHERE"), Fonts.body(12), Palette.WARNING)
	_add_text(tr(told.texts[0]), Fonts.body(13))
	_add_inset(tr(told.texts[1]), Fonts.medium(13), Palette.DRAFT)
	if told.equation != "":
		_add_inset(_kept_together(told.equation), Fonts.mono(11), Palette.OUTLINE)
		_add_text(tr(told.legend), Fonts.body(12), Palette.TEXT_SOFT)
	if told.here:
		_add_values(told.values)
	if not told.counterparts.empty():
		_add_caption("CODEX_COUNTERPARTS")
	for each in told.counterparts:
		_add_text(each.system, Fonts.medium(12))
		var names := PoolStringArray()
		for name in each.names:
			names.append(_folded(name))
		_add_text(names.join("\n"), Fonts.mono(11), Palette.TEXT_SOFT)
	_add_distances(told.fidelity)
	if not told.see.empty():
		_add_caption("CODEX_SEE")
		var grid := _add_grid()
		for id in told.see:
			_add_link(grid, id, true)


func _add_values(values: Array) -> void:
	_add_caption("CODEX_VALUES")
	for told in values:
		var line := HBoxContainer.new()
		var name := Ui.paragraph(tr(told.code), 0, Fonts.body(12))
		name.add_color_override("font_color", Palette.TEXT_SOFT)
		name.size_flags_horizontal = SIZE_EXPAND_FILL
		var value := Ui.figures(Fonts.medium(12), 0)
		value.side = value.Side.RIGHT
		value.text = Words.figure(told)
		value.rect_min_size.x = value.width_of(value.text) + 12
		line.add_child(name)
		line.add_child(value)
		_body.add_child(line)
		_values.append(value)
		_said.append(name.text)


# How far the rules are from what was measured.
func _add_distances(distances: Array) -> void:
	if distances.empty():
		return
	_add_caption("CODEX_DISTANCE")
	for told in distances:
		var words: Dictionary = told.params.duplicate()
		for name in told.values:
			words[name] = Words.figure(told.values[name])
		_add_text(tr(told.code).format(words), Fonts.body(12), Palette.TEXT_SOFT)


func _add_caption(key: String) -> void:
	var air := Control.new()
	air.rect_min_size.y = 2
	_body.add_child(air)
	_body.add_child(Ui.caption(tr(key)))


func _add_text(text: String, font: Font, colour: Color = Palette.TEXT) -> void:
	var label := Ui.paragraph(text, WIDTH, font)
	label.add_color_override("font_color", colour)
	label.add_constant_override("line_spacing", 3)
	_body.add_child(label)
	_said.append(text)


# A box of its own, with a line of colour at its left.
func _add_inset(text: String, font: Font, colour: Color) -> void:
	var box := PanelContainer.new()
	var look := GameTheme.flat(Palette.PANEL_INSET, 4)
	look.border_color = colour
	look.border_width_left = 3
	look.content_margin_left = 12
	look.content_margin_right = 8
	look.content_margin_top = 7
	look.content_margin_bottom = 7
	box.add_stylebox_override("panel", look)
	var label := Ui.paragraph(text, WIDTH - 20, font)
	label.add_constant_override("line_spacing", 3)
	box.add_child(label)
	_body.add_child(box)
	_said.append(text)


# An equation that is broken into lines only before a sign, within brackets only before a plus; each
# of two has lines of its own.
func _kept_together(equation: String) -> String:
	var text := ""
	var depth := 0
	for index in equation.length():
		var letter := equation[index]
		if letter in "(⌈":
			depth += 1
		elif letter in ")⌉":
			depth -= 1
		if letter == " " and not _breaks(equation, index, depth):
			letter = NO_BREAK
		text += letter
	return text.replace(",  ", "\n").replace(", " + NO_BREAK, "\n")


func _breaks(equation: String, index: int, depth: int) -> bool:
	var after := equation.substr(index + 1, 1)
	if depth > 0:
		return depth == 1 and after == "+"
	return not equation.substr(index - 1, 1) in "+·≈=/−" and not after in "≈=/"


# A name that is too long for a line goes on in the next.
func _folded(name: String) -> String:
	if name.length() <= NAME_LETTERS:
		return name
	var cut := int(max(name.rfind("_", NAME_LETTERS), name.rfind(".", NAME_LETTERS))) + 1
	return name.left(cut) + "\n    " + name.right(cut)


func _add_grid() -> GridContainer:
	var grid := GridContainer.new()
	grid.columns = LINK_COLUMNS
	for way in ["hseparation", "vseparation"]:
		grid.add_constant_override(way, 4)
	_body.add_child(grid)
	return grid


func _add_link(grid: Control, id: String, here: bool) -> void:
	var button := Ui.button(tr("codex." + id))
	button.rect_min_size = Vector2((WIDTH - 4) / LINK_COLUMNS, ROW)
	button.clip_text = true
	button.align = Button.ALIGN_LEFT
	button.add_font_override("font", Fonts.medium(12))
	if not here:
		button.add_color_override("font_color", Palette.TEXT_FAINT)
		button.hint_tooltip = tr("CODEX_ELSEWHERE")
	button.connect("pressed", self, "show_page", [id])
	grid.add_child(button)
	_links[id] = button
	_said.append(button.text)


func _clear() -> void:
	_links = {}
	_values = []
	_said = []
	for child in _body.get_children():
		_body.remove_child(child)
		child.queue_free()
