extends "res://scenes/settings/lines_panel.gd"
# What can be chosen for a floor of one's own, a page at a time, and the levels that were kept of
# such floors.

# A line was stepped.
signal changed
signal build_wanted
signal left
signal opened(level)
signal deleted(level)
signal folder_wanted

const Keys := preload("res://scenes/theme/keys.gd")
const OwnRow := preload("res://scenes/sandbox/own_row.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const Words := preload("res://scenes/theme/words.gd")
const VALUE := 204.0
const BUILD := 48.0
const OWN := "own"

var choices: Reference

var _about := Ui.paragraph("", 200.0, Fonts.body(13))
var _build := Ui.button("")
var _own := []


func _init() -> void:
	page = "floor"
	add_stylebox_override("panel", GameTheme.solid_panel(0.96))
	_add_head(tr("SANDBOX_TITLE"), tr("SANDBOX_CLOSE_TIP"), "", 24)
	_add_pages(["floor", "serving", "traffic", OWN], "SANDBOX_PAGE_")
	_about.add_color_override("font_color", Palette.TEXT_SOFT)
	_column.add_child(_about)
	_add_told(200.0)
	_build.text = tr("SANDBOX_BUILD")
	_build.add_font_override("font", Fonts.strong(18))
	_build.rect_min_size.y = BUILD
	Ui.make_primary(_build, Palette.PROMPT, Palette.BACKGROUND)
	_build.connect("pressed", self, "emit_signal", ["build_wanted"])
	_column.add_child(_build)


func set_up(chooser: Reference) -> void:
	choices = chooser
	show_page(page)


# `levels`: as the engine answers `own_levels`.
func show_own(levels: Array) -> void:
	_own = levels
	if page == OWN:
		_fill()


# `about`: what the floor is; `told`: what is wrong with it ("": nothing), `usable`: whether it can
# be built on all the same.
func show_judgement(about: String, told: String, usable: bool) -> void:
	_about.text = about
	_about.visible = about != ""
	_told.text = told
	_told.visible = told != ""
	_told.add_color_override("font_color", Palette.WARNING if usable else Palette.BAD)
	_build.disabled = not usable


func close() -> void:
	emit_signal("left")


func show_page(name: String) -> void:
	.show_page(name)
	_place = -1
	_fill()


func refresh() -> void:
	if page != OWN and choices.lines(page) != _order:
		var place := _place
		_fill()
		_place = int(min(place, _order.size() - 1))
	for name in _order:
		if _lines[name] is SettingLine:
			_lines[name].show_value(choices.said(name))
	_show_place()


func fit(area: Rect2) -> void:
	rect_position = area.position
	rect_size = area.size
	var inside := area.size.x - get_stylebox("panel").get_minimum_size().x
	for label in [_about, _told]:
		label.rect_min_size.x = inside


func targets() -> Dictionary:
	var rects := _targets("sandbox")
	if not _build.disabled:
		rects["sandbox:build"] = _build.get_global_rect()
	return rects


# What it says, for tests: of each line its name and value, and what is told below.
func texts() -> Dictionary:
	var said := {}
	for name in _order:
		if not _lines[name] is Button:
			said[name] = _lines[name].texts()
	return {"page": page, "lines": said, "about": _about.text, "told": _told.text}


func _input(event: InputEvent) -> void:
	if not is_visible_in_tree():
		return
	var tree := get_tree()  # what is done may take the panel away
	if _stick.take(event) or _act(event):
		tree.set_input_as_handled()


# The place after the last line is the button below.
func _last_place() -> int:
	return _order.size()


func _accept() -> void:
	if _place >= _order.size():
		if not _build.disabled:
			emit_signal("build_wanted")
	elif _place < 0:
		_move(1)
	else:
		._accept()


func _show_place() -> void:
	._show_place()
	for state in ["normal", "hover"]:
		var box: StyleBoxFlat = _build.get_stylebox(state)
		box.set_border_width_all(2 if _place >= _order.size() else 0)
		box.border_color = Palette.TOKEN


func _fill() -> void:
	_clear()
	if page == OWN:
		_fill_own()
	else:
		for name in choices.lines(page):
			var line := SettingLine.new()
			line.value_width = VALUE
			line.set_up(choices.title(name), Keys.tip(choices.tip(name)), false)
			line.connect("stepped", self, "_on_stepped", [name])
			_add_line(name, line)
			line.show_value(choices.said(name))
		if page == "traffic":
			_add_line("traces", _folder_button())
	_show_place()


func _fill_own() -> void:
	for level in _own:
		var row := OwnRow.new()
		var problem := "" if level.code == null else Words.of(level.code, level.params)
		row.show_level(tr(level.title) if level.code == null else level.level, problem)
		row.connect("pressed", self, "_on_own", [level.level])
		_add_line(level.level, row)
	if _own.empty():
		var none := Ui.paragraph(tr("SANDBOX_NO_LEVELS"), 240.0, Fonts.body(14))
		none.add_color_override("font_color", Palette.TEXT_SOFT)
		_scroll.list.add_child(none)


func _folder_button() -> Button:
	var button := Ui.button(tr("SANDBOX_TRACES"), tr("SANDBOX_TRACES_TIP"))
	button.rect_min_size.y = 36
	button.connect("pressed", self, "emit_signal", ["folder_wanted"])
	return button


func _on_stepped(way: int, name: String) -> void:
	choices.step(name, way)
	get_tree().call_group("sounds", "play", "tick")
	refresh()
	emit_signal("changed")


func _on_own(deed: String, level: String) -> void:
	emit_signal("opened" if deed == "open" else "deleted", level)
