extends PanelContainer
# What can be chosen for a floor of one's own, a page at a time, and the levels that were kept of
# such floors. Arrows, Enter and Esc (on a pad: cross or stick, A and B) go through it.

# A line was stepped.
signal changed
signal build_wanted
signal left
signal opened(level)
signal deleted(level)
signal folder_wanted

const ChoiceRow := preload("res://scenes/theme/choice_row.gd")
const ClosingHead := preload("res://scenes/hud/closing_head.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const OwnRow := preload("res://scenes/sandbox/own_row.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const StickSteps := preload("res://scenes/settings/stick_steps.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const VALUE := 204.0
const CLOSE := 28.0
const BUILD := 48.0
const OWN := "own"
const WAYS := {"ui_up": -1, "ui_down": 1}
const STEPS := {"ui_left": -1, "ui_right": 1}

var choices: Reference
var page := "floor"

var _stick := StickSteps.new()
var _head := ClosingHead.new()
var _tabs := ChoiceRow.new()
var _scroll := ScrollContainer.new()
var _list := VBoxContainer.new()
var _about := Ui.paragraph("", 200.0, Fonts.body(13))
var _told := Ui.paragraph("", 200.0, Fonts.body(13))
var _build := Ui.button("")
# The lines by name, in their order; place -1 is the row of pages, the one after the last is the
# button below.
var _lines := {}
var _order := []
var _place := -1
var _own := []


func _init() -> void:
	theme = GameTheme.build()
	var box := GameTheme.panel()
	box.bg_color = Palette.faded(Palette.PANEL, 0.96)
	add_stylebox_override("panel", box)
	var column := VBoxContainer.new()
	add_child(column)
	_head.set_up(tr("SANDBOX_TITLE"), Fonts.strong(24), tr("SANDBOX_CLOSE_TIP"), "", CLOSE)
	_head.connect("closed", self, "emit_signal", ["left"])
	column.add_child(_head)
	_tabs.add_constant_override("separation", 8)
	_tabs.connect("chosen", self, "show_page")
	column.add_child(_tabs)
	for name in ["floor", "serving", "traffic", OWN]:
		_tabs.add_page(name, tr("SANDBOX_PAGE_" + name.to_upper()))
	_list.add_constant_override("separation", 4)
	_list.size_flags_horizontal = SIZE_EXPAND_FILL
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_scroll.scroll_horizontal_enabled = false
	_scroll.add_child(_list)
	column.add_child(_scroll)
	_about.add_color_override("font_color", Palette.TEXT_SOFT)
	for label in [_about, _told]:
		column.add_child(label)
	_build.text = tr("SANDBOX_BUILD")
	_build.add_font_override("font", Fonts.strong(18))
	_build.rect_min_size.y = BUILD
	Ui.make_primary(_build, Palette.PROMPT, Palette.BACKGROUND)
	_build.connect("pressed", self, "emit_signal", ["build_wanted"])
	column.add_child(_build)
	_stick.connect("stepped", self, "_on_step")


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


func show_page(name: String) -> void:
	page = name
	_tabs.show_choice(name)
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
	var rects := {
		"panel:sandbox": get_global_rect(), "sandbox:close": _head.button.get_global_rect()
	}
	if not _build.disabled:
		rects["sandbox:build"] = _build.get_global_rect()
	var tabs: Dictionary = _tabs.targets("sandbox:page_")
	for name in tabs:
		rects[name] = tabs[name]
	var seen := _scroll.get_global_rect().grow(1)
	for name in _lines:
		if _lines[name] is Button:
			rects["sandbox:" + name] = _lines[name].get_global_rect()
			continue
		var parts: Dictionary = _lines[name].targets()
		for part in parts:
			if seen.encloses(parts[part]):
				rects["sandbox:%s:%s" % [name, part]] = parts[part]
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
	if _stick.take(event) or _act(event):
		get_tree().set_input_as_handled()


# What keys and buttons do; whether the event was one of them.
func _act(event: InputEvent) -> bool:
	for action in WAYS:
		if event.is_action_pressed(action, true):
			_move(WAYS[action])
			return true
	for action in STEPS:
		if event.is_action_pressed(action, true):
			_step(STEPS[action])
			return true
	if event.is_action_pressed("ui_accept"):
		_accept()
	elif event.is_action_pressed("ui_cancel"):
		emit_signal("left")
	else:
		return event.is_action("ui_accept") or event.is_action("ui_cancel")
	return true


func _on_step(action: String) -> void:
	if WAYS.has(action):
		_move(WAYS[action])
	else:
		_step(STEPS[action])


func _move(way: int) -> void:
	_place = int(clamp(_place + way, -1, _order.size()))
	_show_place()


func _step(way: int) -> void:
	if _place < 0:
		var names: Array = _tabs.buttons.keys()
		show_page(names[posmod(names.find(page) + way, names.size())])
	elif _place < _order.size() and _lines[_order[_place]].has_method("step"):
		_lines[_order[_place]].step(way)


func _accept() -> void:
	if _place >= _order.size():
		if not _build.disabled:
			emit_signal("build_wanted")
	elif _place < 0:
		_move(1)
	elif _lines[_order[_place]] is Button:
		_lines[_order[_place]].emit_signal("pressed")
	else:
		_lines[_order[_place]].press()


func _fill() -> void:
	for child in _list.get_children():
		_list.remove_child(child)
		child.queue_free()
	_lines = {}
	_order = []
	if page == OWN:
		_fill_own()
	else:
		for name in choices.lines(page):
			var line := SettingLine.new()
			line.value_width = VALUE
			line.set_up(choices.title(name), Keys.tip(choices.tip(name)), false)
			line.connect("stepped", self, "_on_stepped", [name])
			_add(name, line)
			line.show_value(choices.said(name))
		if page == "traffic":
			_add_folder_button()
	_show_place()


func _fill_own() -> void:
	for level in _own:
		var row := OwnRow.new()
		var problem := "" if level.code == null else Words.of(level.code, level.params)
		row.show_level(tr(level.title) if level.code == null else level.level, problem)
		row.connect("pressed", self, "_on_own", [level.level])
		_add(level.level, row)
	if _own.empty():
		var none := Ui.paragraph(tr("SANDBOX_NO_LEVELS"), 240.0, Fonts.body(14))
		none.add_color_override("font_color", Palette.TEXT_SOFT)
		_list.add_child(none)


func _add_folder_button() -> void:
	var button := Ui.button(tr("SANDBOX_TRACES"), tr("SANDBOX_TRACES_TIP"))
	button.rect_min_size.y = 36
	button.connect("pressed", self, "emit_signal", ["folder_wanted"])
	_lines["traces"] = button
	_order.append("traces")
	_list.add_child(button)


func _add(name: String, line: Control) -> void:
	line.connect("pointed", self, "_on_pointed", [name])
	_lines[name] = line
	_order.append(name)
	_list.add_child(line)


func _show_place() -> void:
	for index in _order.size():
		var line: Control = _lines[_order[index]]
		if line is Button:
			var colour := Palette.TOKEN if index == _place else Palette.TEXT
			line.add_color_override("font_color", colour)
		else:
			line.selected = index == _place
	for name in _tabs.buttons:
		var lit: bool = _place < 0 and name == page
		var edge := Palette.TEXT if lit else Palette.SELECTION
		var box := GameTheme.flat(Palette.SELECTION, GameTheme.SMALL_CORNER, edge)
		_tabs.buttons[name].add_stylebox_override("pressed", box)
	var ready := _place >= _order.size()
	var around := GameTheme.focus_inside(10)
	around.set_expand_margin_all(3)
	for state in ["normal", "hover"]:
		var box: StyleBoxFlat = _build.get_stylebox(state)
		box.set_border_width_all(2 if ready else 0)
		box.border_color = Palette.TOKEN
	if _place >= 0 and not ready:
		_reveal(_lines[_order[_place]])


func _reveal(line: Control) -> void:
	var top := line.rect_position.y
	var bottom := top + line.rect_size.y
	if top < _scroll.scroll_vertical:
		_scroll.scroll_vertical = int(top)
	elif bottom > _scroll.scroll_vertical + _scroll.rect_size.y:
		_scroll.scroll_vertical = int(bottom - _scroll.rect_size.y)


func _on_pointed(name: String) -> void:
	_place = _order.find(name)
	_show_place()


func _on_stepped(way: int, name: String) -> void:
	choices.step(name, way)
	get_tree().call_group("sounds", "play", "tick")
	refresh()
	emit_signal("changed")


func _on_own(deed: String, level: String) -> void:
	emit_signal("opened" if deed == "open" else "deleted", level)
