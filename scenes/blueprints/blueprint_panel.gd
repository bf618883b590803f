extends PanelContainer
# The library at the left: blueprints that are kept, to be used, named, copied as text and removed.

# The engine's answer to `blueprint_read`: it is to be pasted.
signal used(held)
signal reported(text, bad)
signal toggled(is_open)
# Keys and pad are in the panel: they go on at this control.
signal focus_wanted(control)

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const BlueprintRow := preload("res://scenes/blueprints/blueprint_row.gd")
const BlueprintStore := preload("res://scenes/blueprints/blueprint_store.gd")
const ClosingHead := preload("res://scenes/hud/closing_head.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 256.0
const BUTTON := Vector2(32, 30)
const CLOSE := 24.0
# Of a frame, in microseconds.
const FILL_USEC := 8000

var _store := BlueprintStore.new()
var _editing: Node
var _art := BeltArt.new()
var _name := LineEdit.new()
var _save := SmallButton.new()
var _empty: Label
var _scroll := ScrollContainer.new()
var _rows := VBoxContainer.new()
var _notice := HBoxContainer.new()
var _notice_text: Label
var _notice_undo: Button
var _from_text: Button
var _removed := {}


func _init() -> void:
	rect_min_size.x = WIDTH
	var column := VBoxContainer.new()
	add_child(column)
	var head := ClosingHead.new()
	head.set_up(tr("BLUEPRINTS"), Fonts.strong(15), tr("BLUEPRINTS_CLOSE_TIP"), "blueprints", CLOSE)
	head.connect("closed", self, "toggle")
	column.add_child(head)
	column.add_child(_save_line())
	_empty = Ui.paragraph(tr("BLUEPRINTS_EMPTY"), WIDTH - 32.0, Fonts.body(13))
	_empty.add_color_override("font_color", Palette.TEXT_SOFT)
	column.add_child(_empty)
	_rows.size_flags_horizontal = SIZE_EXPAND_FILL
	_rows.add_constant_override("separation", 6)
	_scroll.scroll_horizontal_enabled = false
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_scroll.follow_focus = true
	_scroll.add_child(_rows)
	column.add_child(_scroll)
	column.add_child(_notice_line())
	_from_text = Ui.button(tr("BLUEPRINTS_FROM_TEXT"), tr("BLUEPRINTS_FROM_TEXT_TIP"))
	_from_text.connect("pressed", self, "_on_from_text")
	column.add_child(_from_text)
	hide()


# `editing`: what asks the engine about the selection and about texts.
func set_up(editing: Node) -> void:
	_editing = editing
	_store.set_up(editing.client)
	_store.read()
	_tell_problem()
	_show_empty()


# Opens or closes it; by keys or pad, the focus goes into it.
func toggle(by_keys: bool = false) -> void:
	visible = not visible
	_leave()
	if visible:
		_name.text = _store.new_name()
	emit_signal("toggled", visible)
	if visible and by_keys:
		call_deferred("emit_signal", "focus_wanted", _first_button())


# Opens with the name of a new blueprint in hand.
func begin_save() -> void:
	if not visible:
		toggle()
	_name.text = _store.new_name()
	_name.grab_focus()
	_name.select_all()


func show_selection(selection: Reference) -> void:
	_save.enable(not selection.empty())


func targets() -> Dictionary:
	if not visible:
		return {}
	var rects := {
		"panel:blueprints": get_global_rect(),
		"blueprints:name": _name.get_global_rect(),
		"blueprints:save": _save.get_global_rect(),
		"blueprints:from_text": _from_text.get_global_rect(),
	}
	if _notice_undo.is_visible_in_tree():
		rects["blueprints:undo"] = _notice_undo.get_global_rect()
	for index in _rows.get_child_count():
		var row: Control = _rows.get_child(index)
		for name in row.buttons:
			rects["blueprint:%d:%s" % [index, name]] = row.buttons[name].get_global_rect()
	return rects


# What it says, for tests: name and size of each row, then the notice.
func texts() -> Array:
	var said := []
	for row in _rows.get_children():
		said.append(row.words())
	if _notice.visible:
		said.append([_notice_text.text])
	return said


# There are rows for the first entries; a few more with each frame, so that a long list holds none
# up.
func _process(_delta: float) -> void:
	var until := OS.get_ticks_usec() + FILL_USEC
	while visible and _rows.get_child_count() < _store.entries.size():
		_add_row(_rows.get_child_count())
		if OS.get_ticks_usec() > until:
			return


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "blueprints"):
		toggle(true)
		get_tree().set_input_as_handled()


# A press elsewhere ends typing, so that keys work the floor again.
func _input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed:
		var field := get_focus_owner()
		if field is LineEdit and not field.get_global_rect().has_point(event.position):
			_leave()


func _save_line() -> Control:
	var line := HBoxContainer.new()
	_name.max_length = BlueprintStore.LONGEST_NAME
	_name.size_flags_horizontal = SIZE_EXPAND_FILL
	_name.placeholder_text = tr("BLUEPRINTS_NAME")
	_name.connect("text_entered", self, "_on_name_entered")
	_name.connect("gui_input", self, "_on_name_input")
	line.add_child(_name)
	_save.set_up("save", BUTTON, tr("BLUEPRINTS_SAVE_TIP"))
	_save.enable(false)
	_save.connect("pressed", self, "_on_save")
	line.add_child(_save)
	return line


func _notice_line() -> Control:
	_notice_text = Ui.paragraph("", 140.0, Fonts.body(12))
	_notice_text.size_flags_horizontal = SIZE_EXPAND_FILL
	_notice.add_child(_notice_text)
	_notice_undo = Ui.button(tr("BLUEPRINTS_UNDO"))
	_notice_undo.size_flags_vertical = SIZE_SHRINK_CENTER
	_notice_undo.connect("pressed", self, "_on_undo")
	_notice.add_child(_notice_undo)
	_notice.hide()
	return _notice


func _add_row(index: int) -> void:
	var row := BlueprintRow.new()
	_rows.add_child(row)
	_rows.move_child(row, index)
	row.connect("pressed", self, "_on_row_pressed", [row])
	row.connect("name_given", self, "_on_renamed", [row])
	_fill(row)


func _fill(row: Control) -> void:
	var entry: Dictionary = _store.entries[row.get_index()]
	row.show_entry(entry.name, _editing.read(entry.text), _art)


func _show_empty() -> void:
	_empty.visible = _store.entries.empty()


func _keep(name: String, text: String, index: int = 0) -> bool:
	var kept := _store.add(name, text, index)
	if kept:
		if index <= _rows.get_child_count():
			_add_row(index)
		_show_empty()
	_tell_problem()
	return kept


func _on_save() -> void:
	var held: Dictionary = _editing.blueprint()
	if held.empty():
		return
	if _keep(_name.text, held.text):
		_say_kept()
	_name.text = _store.new_name()
	_name.release_focus()


func _on_name_entered(_text: String) -> void:
	_on_save()


func _on_name_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		_name.release_focus()
		accept_event()


func _on_from_text() -> void:
	var held: Dictionary = _editing.read(OS.clipboard)
	if not held.ok:
		emit_signal("reported", Words.of(held.code, held.params), true)
	elif _keep(_store.new_name(), held.text):
		_say_kept()


func _say_kept() -> void:
	var name: String = _store.entries[0].name
	emit_signal("reported", tr("BLUEPRINTS_KEPT").format({"name": name}), false)


func _on_row_pressed(name: String, row: Control) -> void:
	var index := row.get_index()
	var entry: Dictionary = _store.entries[index]
	match name:
		"use":
			_leave()
			emit_signal("used", _editing.read(entry.text))
		"copy":
			OS.clipboard = entry.text
			var told := tr("BLUEPRINTS_COPIED").format({"name": entry.name})
			emit_signal("reported", told, false)
		"remove":
			var by_keys := row.is_a_parent_of(get_focus_owner()) if get_focus_owner() else false
			_removed = {"entry": entry, "index": index}
			_store.remove(index)
			_rows.remove_child(row)
			row.queue_free()
			_show_empty()
			_say(tr("BLUEPRINTS_REMOVED").format({"name": entry.name}), true)
			_tell_problem()
			if by_keys:
				emit_signal("focus_wanted", _notice_undo)


func _on_renamed(name: String, row: Control) -> void:
	_store.rename(row.get_index(), name)
	_fill(row)
	_tell_problem()


func _on_undo() -> void:
	var by_keys := _notice_undo.has_focus()
	_notice.hide()
	if by_keys:
		call_deferred("emit_signal", "focus_wanted", _first_button())
	if not _keep(_removed.entry.name, _removed.entry.text, _removed.index):
		_say(tr("BLUEPRINTS_REMOVED").format({"name": _removed.entry.name}), true)


# A problem stays until the next change, the offer to undo a removal until it is used.
func _tell_problem() -> void:
	if _store.problem != "":
		_say(_store.problem, false)


func _say(text: String, can_undo: bool) -> void:
	_notice_text.text = text
	_notice_undo.visible = can_undo
	var colour := Palette.TEXT_SOFT if can_undo else Palette.BAD.lightened(0.25)
	_notice_text.add_color_override("font_color", colour)
	_notice.show()


func _first_button() -> Control:
	if _rows.get_child_count() > 0:
		return _rows.get_child(0).buttons.use
	return _save if not _save.disabled else _from_text


# Gives the focus back, if it is in here.
func _leave() -> void:
	var control := get_focus_owner()
	if control != null and is_a_parent_of(control):
		control.release_focus()
