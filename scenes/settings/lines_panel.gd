extends "res://scenes/theme/titled_panel.gd"
# A panel of lines that are chosen and changed: a row of pages, and below it the lines of one.
# Arrows, Enter and Esc (on a pad: cross or stick, A and B) go through it.

const ChoiceRow := preload("res://scenes/theme/choice_row.gd")
const StickSteps := preload("res://scenes/settings/stick_steps.gd")
const WAYS := {"ui_up": -1, "ui_down": 1}
const STEPS := {"ui_left": -1, "ui_right": 1}

var page := ""
# Whether keys and pads are the panel's.
var active := true

var _stick := StickSteps.new()
var _tabs := ChoiceRow.new()
var _scroll := ScrollList.new()
# The lines by name, in their order; place -1 is the row of pages.
var _lines := {}
var _order := []
var _place := -1


func _init() -> void:
	_tabs.add_constant_override("separation", 8)
	_tabs.connect("chosen", self, "show_page")
	_scroll.connect("resized", self, "_reveal")
	_stick.connect("stepped", self, "_on_step")


func show_page(name: String) -> void:
	page = name
	_tabs.show_choice(name)


# `prefix`: of the texts' names.
func _add_pages(names: Array, prefix: String) -> void:
	_column.add_child(_tabs)
	for name in names:
		_tabs.add_page(name, tr(prefix + name.to_upper()))
	_column.add_child(_scroll)


# Where it and its parts are, by names that begin with `prefix`.
func _targets(prefix: String) -> Dictionary:
	var rects := {
		"panel:" + prefix: get_global_rect(), prefix + ":close": _head.button.get_global_rect()
	}
	var tabs: Dictionary = _tabs.targets(prefix + ":page_")
	for name in tabs:
		rects[name] = tabs[name]
	var seen := _scroll.get_global_rect().grow(1)
	for name in _lines:
		if _lines[name] is BaseButton:
			rects["%s:%s" % [prefix, name]] = _lines[name].get_global_rect()
			continue
		var parts: Dictionary = _lines[name].targets()
		for part in parts:
			if seen.encloses(parts[part]):
				rects["%s:%s:%s" % [prefix, name, part]] = parts[part]
	return rects


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
		close()
	else:
		return event.is_action("ui_accept") or event.is_action("ui_cancel")
	return true


func _on_step(action: String) -> void:
	if WAYS.has(action):
		_move(WAYS[action])
	else:
		_step(STEPS[action])


func _move(way: int) -> void:
	_place = int(clamp(_place + way, -1, _last_place()))
	_show_place()


func _last_place() -> int:
	return _order.size() - 1


func _step(way: int) -> void:
	if _place < 0:
		var names: Array = _tabs.buttons.keys()
		show_page(names[posmod(names.find(page) + way, names.size())])
	elif _place < _order.size() and _lines[_order[_place]].has_method("step"):
		_lines[_order[_place]].step(way)


func _accept() -> void:
	if _place < 0:
		return
	var line: Control = _lines[_order[_place]]
	if line is BaseButton:
		line.emit_signal("pressed")
	else:
		line.press()


func _clear() -> void:
	_scroll.clear()
	_lines = {}
	_order = []


# A line is a button, or has what scenes/settings/setting_line.gd has.
func _add_line(name: String, line: Control) -> void:
	if not line is BaseButton:
		line.connect("pointed", self, "_on_pointed", [name])
	_lines[name] = line
	_order.append(name)
	_scroll.list.add_child(line)


func _show_place() -> void:
	for index in _order.size():
		var line: Control = _lines[_order[index]]
		var here: bool = active and index == _place
		if line is BaseButton:
			line.add_color_override("font_color", Palette.TOKEN if here else Palette.TEXT)
		else:
			line.selected = here
	for name in _tabs.buttons:
		var lit: bool = active and _place < 0 and name == page
		var edge := Palette.TEXT if lit else Palette.SELECTION
		var box := GameTheme.flat(Palette.SELECTION, GameTheme.SMALL_CORNER, edge)
		_tabs.buttons[name].add_stylebox_override("pressed", box)
	_reveal()


func _reveal() -> void:
	if _place >= 0 and _place < _order.size():
		_scroll.reveal(_lines[_order[_place]])


func _on_pointed(name: String) -> void:
	_place = _order.find(name)
	_show_place()
