extends "res://scenes/theme/titled_panel.gd"
# The mod browser: all mods with their states, one of them in detail, and what is wrong with them.
# A panel among others on the title; keys and pads go through it from control to control.

signal closed

const Keys := preload("res://scenes/theme/keys.gd")
const ModDetails := preload("res://scenes/mods/mod_details.gd")
const ModRow := preload("res://scenes/mods/mod_row.gd")
const ModStates := preload("res://scenes/mods/mod_states.gd")
const ModWords := preload("res://scenes/mods/mod_words.gd")
const ProblemList := preload("res://scenes/mods/problem_list.gd")
const StickSteps := preload("res://scenes/settings/stick_steps.gd")
const Words := preload("res://scenes/theme/words.gd")
const FOOT := 36.0
const GAP := 16.0
# The list's share of the width, and the least of it.
const LIST_SHARE := 0.36
const LEAST_LIST := 200.0
const FEET := ["open_folder", "reload", "off"]
# The row of what is wrong with all of them.
const PROBLEMS := "*problems"

var _library: Node
var _chosen := ""
var _stick := StickSteps.new()
var _rows := {}
var _scroll := ScrollList.new()
var _details := ModDetails.new()
var _empty: Label
var _feet := {}
var _shown := 0
var _area := Rect2()


func _init() -> void:
	_add_head(tr("MODS_TITLE"), tr("MODS_CLOSE_TIP"), "mods")
	_head.button.focus_mode = FOCUS_ALL
	var both := HBoxContainer.new()
	both.add_constant_override("separation", int(GAP))
	both.size_flags_vertical = SIZE_EXPAND_FILL
	_column.add_child(both)
	_scroll.follow_focus = true
	both.add_child(_scroll)
	both.add_child(_details)
	_details.connect("wanted", self, "_on_wanted")
	_empty = Ui.paragraph(tr("MODS_NONE"), LEAST_LIST, Fonts.body(14))
	_empty.add_color_override("font_color", Palette.TEXT_SOFT)
	_empty.size_flags_horizontal = SIZE_EXPAND_FILL
	_empty.hide()
	both.add_child(_empty)
	_add_told(LEAST_LIST)
	var feet := HBoxContainer.new()
	_column.add_child(feet)
	for name in FEET:
		_add_foot(feet, name)
	_stick.connect("stepped", self, "_on_step")
	hide()


func set_up(library: Node) -> void:
	_library = library
	_library.connect("changed", self, "_refresh")
	_library.connect("refused", self, "_on_refused")


func open() -> void:
	show()
	say("", false)
	_library.watched = true
	_library.refresh()
	_refresh()
	_focus_row()


func close() -> void:
	if visible:
		hide()
		_library.watched = false
		emit_signal("closed")


# Fits into an area of the window.
func fit(area: Rect2) -> void:
	var inside := area.size - get_stylebox("panel").get_minimum_size()
	_area = area
	_scroll.rect_min_size.x = max(LEAST_LIST, round(inside.x * LIST_SHARE))
	_shown = 0
	_refresh()
	rect_position = area.position
	rect_size = area.size


func targets() -> Dictionary:
	if not is_visible_in_tree():
		return {}
	var rects := {"panel:mods": get_global_rect(), "mods:close": _head.button.get_global_rect()}
	var seen := _scroll.get_global_rect().grow(1)
	for id in _rows:
		var rect: Rect2 = _rows[id].get_global_rect()
		if seen.encloses(rect):
			rects["mod:" + id] = rect
	for name in _feet:
		rects["mods:" + name] = _feet[name].get_global_rect()
	var more: Dictionary = _details.targets() if _details.visible else {}
	for name in more:
		rects[name] = more[name]
	return rects


# What it says, for tests.
func texts() -> Dictionary:
	if not is_visible_in_tree():
		return {}
	var rows := []
	for id in _rows:
		rows.append(_rows[id].text_shown())
	var details := _details.texts() if _details.visible else [_empty.text]
	return {"rows": rows, "details": details, "told": _told.text, "chosen": _chosen}


func _exit_tree() -> void:
	if _library != null:
		_library.watched = false


func _input(event: InputEvent) -> void:
	if not is_visible_in_tree() or not _has_focus():
		return
	if _stick.take(event):
		get_tree().set_input_as_handled()
	elif event.is_action_pressed("ui_cancel"):
		close()
		get_tree().set_input_as_handled()


func _has_focus() -> bool:
	var owner := get_focus_owner()
	return owner != null and is_a_parent_of(owner)


func _on_step(action: String) -> void:
	for pressed in [true, false]:
		var step := InputEventAction.new()
		step.action = action
		step.pressed = pressed
		Input.parse_input_event(step)


func _refresh() -> void:
	if not visible or _area.has_no_area():
		return
	var mods: Array = _library.told.mods
	var state := [mods, _chosen, _library.told.loading]
	if state.hash() == _shown:
		return
	_shown = state.hash()
	_fill_list(mods)
	_empty.visible = mods.empty()
	_scroll.visible = not mods.empty()
	_details.visible = not mods.empty()
	_empty.text = tr("MODS_LOADING" if _library.told.loading else "MODS_NONE")
	_feet.off.disabled = mods.empty()
	_show_details(mods)


func _fill_list(mods: Array) -> void:
	var ids := []
	var broken := _with_problems(mods)
	if not broken.empty():
		ids.append(PROBLEMS)
	for mod in mods:
		ids.append(mod.id)
	if ids != _rows.keys():
		var had_focus: bool = _rows.empty() and _has_focus()
		if _rows.has(_chosen):
			had_focus = _rows[_chosen].has_focus()
		for id in _rows:
			_scroll.list.remove_child(_rows[id])
			_rows[id].queue_free()
		_rows = {}
		for id in ids:
			var row := ModRow.new()
			row.connect("pressed", self, "_on_row", [id])
			row.connect("focus_entered", self, "_on_row", [id])
			_rows[id] = row
			_scroll.list.add_child(row)
		if not _chosen in ids:
			_chosen = "" if mods.empty() else mods[0].id
		if had_focus:
			_focus_row()
	if _rows.has(PROBLEMS):
		var count := 0
		for mod in broken:
			count += mod.problems.size()
		var words := tr("MODS_PROBLEMS").format({"count": count})
		_rows[PROBLEMS].show_mod(tr("MODS_PROBLEMS_TITLE"), "", words, Palette.BAD.lightened(0.25))
	for mod in mods:
		var words := ModStates.words(mod.state)
		_rows[mod.id].show_mod(ModWords.title(mod), mod.state, words, ModStates.colour(mod.state))
	for id in _rows:
		_rows[id].pressed = id == _chosen


# What is shown anew takes the focus of what it replaces.
func _show_details(mods: Array) -> void:
	var had_focus := get_focus_owner() != null and _details.is_a_parent_of(get_focus_owner())
	var scrolled := _details.scroll_vertical
	var both := _area.size.x - get_stylebox("panel").get_minimum_size().x
	var width := both - GAP - _scroll.rect_min_size.x
	if _chosen == PROBLEMS:
		_details.show_problems(_with_problems(mods), width)
	elif not _library.mod(_chosen).empty():
		_details.show_mod(_library.mod(_chosen), width)
	_details.scroll_vertical = scrolled
	if had_focus:
		for name in ["enable", "allow", "disable", "copy"]:
			if _details.buttons.has(name):
				_details.buttons[name].grab_focus()
				return


func _with_problems(mods: Array) -> Array:
	var found := []
	for mod in mods:
		if not mod.problems.empty():
			found.append(mod)
	return found


func _focus_row() -> void:
	if _rows.has(_chosen):
		_rows[_chosen].grab_focus()
	else:
		_feet.open_folder.grab_focus()


func _add_foot(line: Control, name: String) -> void:
	var key := "MODS_" + name.to_upper()
	var button := Ui.button(tr(key), Keys.tip(tr(key + "_TIP")))
	button.focus_mode = FOCUS_ALL
	button.rect_min_size.y = FOOT
	button.size_flags_horizontal = SIZE_EXPAND_FILL
	button.clip_text = true
	button.connect("pressed", self, "_on_" + name)
	_feet[name] = button
	line.add_child(button)


func _on_row(id: String) -> void:
	if id != _chosen:
		_details.scroll_vertical = 0
		say("", false)
	_chosen = id
	_shown = 0
	_refresh()


func _on_wanted(what: String) -> void:
	if what == "copy":
		_copy()
	elif _library.give({"do": "mod_" + what, "id": _chosen}):
		say("", false)


func _copy() -> void:
	var broken := _with_problems(_library.told.mods)
	if _chosen != PROBLEMS:
		broken = [_library.mod(_chosen)]
	var lines := PoolStringArray()
	for mod in broken:
		for problem in mod.problems:
			lines.append(ProblemList.as_text(problem, mod.id))
	OS.set_clipboard(lines.join("\n"))
	say(tr("MODS_COPIED").format({"count": lines.size()}), false)


# Where there is no program that shows folders, it is said where it is.
func _on_open_folder() -> void:
	_library.open_folder()
	say(tr("MODS_FOLDER_AT").format({"folder": _library.told.folder}), false)


func _on_reload() -> void:
	if _library.give({"do": "mods_reload"}):
		say(tr("MODS_RELOADED"), false)


func _on_off() -> void:
	if _library.give({"do": "mods_off"}):
		say(tr("MODS_ARE_OFF"), false)


func _on_refused(answer: Dictionary) -> void:
	say(Words.of(answer.code, answer.params), true)
