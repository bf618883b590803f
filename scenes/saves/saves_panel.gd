extends "res://scenes/theme/titled_panel.gd"
# Games that are kept, a row each, and recordings below. A panel among others: the factory goes on
# behind it. While it is active, arrows, Enter and Esc (on a pad: cross or stick, A and B) are its
# own; a click elsewhere gives them back.

signal closed
# What is to be done with a slot: save, load, delete.
signal wanted(deed, slot)
# share, open
signal recording_wanted(deed)

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const SaveRow := preload("res://scenes/saves/save_row.gd")
const StickSteps := preload("res://scenes/settings/stick_steps.gd")
const HIGHEST := 560.0
const SLOTS := ["auto", 1, 2, 3, 4, 5, 6, 7, 8, 9]
const WAYS := {
	"ui_up": Vector2(0, -1),
	"ui_down": Vector2(0, 1),
	"ui_left": Vector2(-1, 0),
	"ui_right": Vector2(1, 0),
}

# Whether keys and pads are the panel's.
var active := false

var _stick := StickSteps.new()
var _art := BeltArt.new()
var _scroll := ScrollList.new(8)
var _recordings := {}
# What has the keys in here.
var _pointed: Control


func _init() -> void:
	_add_head(tr("SAVES_TITLE"), tr("SAVES_CLOSE_TIP"), "saves")
	_column.add_child(_scroll)
	for slot in SLOTS:
		var row := SaveRow.new()
		row.connect("pressed", self, "_on_pressed", [slot])
		_scroll.list.add_child(row)
	_add_told()
	var line := HBoxContainer.new()
	_column.add_child(line)
	for deed in ["share", "open"]:
		var key: String = "RECORDING_" + deed.to_upper()
		var button := Ui.button(tr(key), tr(key + "_TIP"))
		button.size_flags_horizontal = SIZE_EXPAND_FILL
		button.rect_min_size.y = 36
		button.connect("pressed", self, "emit_signal", ["recording_wanted", deed])
		_recordings[deed] = button
		line.add_child(button)
	hide()


func open() -> void:
	show()
	active = true
	say("", false)
	_scroll.scroll_vertical = 0


func close() -> void:
	if not visible:
		return
	_point(null)
	active = false
	hide()
	emit_signal("closed")


# `told`: the engine's answer to `saves`; `playing`: whether there is a game that can be kept.
func show_saves(told: Dictionary, playing: bool) -> void:
	var by_slot := {}
	for row in told.get("saves", []):
		by_slot[row.slot] = row
	for index in SLOTS.size():
		var slot = SLOTS[index]
		_scroll.list.get_child(index).show_save(slot, by_slot.get(slot, {}), playing, _art)
	_recordings.share.visible = playing
	if _pointed != null and not _usable(_pointed):
		_point(null)


func fit(area: Rect2, window: Vector2) -> void:
	_stand_beside(area, window, HIGHEST)


func targets() -> Dictionary:
	if not visible:
		return {}
	var rects := {"panel:saves": get_global_rect()}
	rects["saves:close"] = _head.button.get_global_rect()
	for deed in _recordings:
		if _recordings[deed].visible:
			rects["recording:" + deed] = _recordings[deed].get_global_rect()
	var seen := _scroll.get_global_rect()
	for row in _scroll.list.get_children():
		for deed in row.buttons:
			var button: Button = row.buttons[deed]
			var rect := button.get_global_rect()
			if button.visible and not button.disabled and seen.encloses(rect):
				rects["save:%s:%s" % [row.slot, deed]] = rect
	return rects


# What it says, for tests: a list for each row, and what was told last.
func texts() -> Array:
	var said := [[_told.text]]
	for row in _scroll.list.get_children():
		said.append(row.words())
	return said


func _input(event: InputEvent) -> void:
	if not visible:
		return
	if event is InputEventMouseButton and event.pressed:
		active = get_global_rect().has_point(event.position)
		if not active:
			_point(null)
	elif active and (_stick.take(event) or _act(event)):
		get_tree().set_input_as_handled()


func _ready() -> void:
	_stick.connect("stepped", self, "_step")


# What keys and buttons do; whether the event was one of them.
func _act(event: InputEvent) -> bool:
	for action in WAYS:
		if event.is_action_pressed(action, true):
			_step(action)
			return true
	if event.is_action_pressed("ui_cancel"):
		close()
		return true
	if event.is_action_pressed("ui_accept") and _pointed != null:
		_pointed.emit_signal("pressed")
		return true
	return event.is_action("ui_accept") or event.is_action("ui_cancel")


# To the next button that way.
func _step(action: String) -> void:
	var lines := _lines()
	var at := Vector2(-1, -1)
	for y in lines.size():
		var x: int = lines[y].find(_pointed)
		if x >= 0:
			at = Vector2(x, y)
	if at.y < 0:
		_point(lines[0][0])
		return
	at += WAYS[action]
	var y := int(clamp(at.y, 0, lines.size() - 1))
	_point(lines[y][int(clamp(at.x, 0, lines[y].size() - 1))])


# The buttons that can be pressed, line by line.
func _lines() -> Array:
	var lines := []
	for row in _scroll.list.get_children():
		lines.append(_usable_of(row.buttons.values()))
	lines.append(_usable_of(_recordings.values()))
	lines.append([_head.button])
	var found := []
	for line in lines:
		if not line.empty():
			found.append(line)
	return found


func _usable_of(buttons: Array) -> Array:
	var found := []
	for button in buttons:
		if _usable(button):
			found.append(button)
	return found


func _usable(button: Button) -> bool:
	return button.visible and not button.disabled


# Buttons take the focus only here, so that a click leaves the keys where they are.
func _point(button: Control) -> void:
	if _pointed != null:
		_pointed.release_focus()
		_pointed.focus_mode = FOCUS_NONE
	_pointed = button
	if button != null:
		button.focus_mode = FOCUS_ALL
		button.grab_focus()
		if _scroll.list.is_a_parent_of(button):
			_scroll.reveal(button.get_parent().get_parent().get_parent())


func _on_pressed(deed: String, slot) -> void:
	emit_signal("wanted", deed, slot)
