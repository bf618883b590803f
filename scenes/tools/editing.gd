extends Node
# What is done to a selection and to the history, whichever tool is in hand: remove, copy, cut,
# paste, pipette, undo, redo.

signal reported(text, bad)
# A blueprint to put on the floor: the engine's answer to `blueprint` or `blueprint_read`.
signal paste_wanted(held)
# A machine of this kind, turned and set so, is to be placed.
signal kind_wanted(kind, rot, settings)
# The tool to take in hand.
signal tool_wanted(name)

const Keys := preload("res://scenes/theme/keys.gd")
const Tally := preload("res://scenes/tools/tally.gd")
const Words := preload("res://scenes/theme/words.gd")
# A button that moved this far was dragging the floor.
const CLICK_SLOP := 6.0
const ACTIONS := ["undo", "redo", "copy", "cut", "paste", "select_all"]
# These go on while their keys are held.
const REPEATED := ["undo", "redo"]
const LONGEST_TEXT := 200000

var client: Node
var floor_view: Node2D
var selection: Reference
var cursor: Node

var _clipboard := {}
# The layout before an undo or redo whose outcome is not shown yet, and the words for it.
var _before := {}
var _said := ""
var _pipette_from := Vector2.ZERO


# The layout is a new one: tells what an undo or redo has changed.
func refresh() -> void:
	if _said == "":
		return
	var what: String = Tally.difference(_before, Tally.of(floor_view.layout))
	_report(tr(_said).format({"what": what}))
	_said = ""


func undo() -> void:
	_go("undo", "UNDONE")


func redo() -> void:
	_go("redo", "REDONE")


func select_all() -> void:
	emit_signal("tool_wanted", "select")
	selection.choose_all()


func copy() -> void:
	var held := blueprint()
	if held.empty():
		return
	_clipboard = held
	OS.clipboard = held.text
	_report(tr("COPIED").format({"what": Tally.things(held.machines, held.belts)}))


func cut() -> void:
	var held := blueprint()
	if held.empty() or not _remove(selection.own()):
		return
	_clipboard = held
	OS.clipboard = held.text
	_report(tr("CUT").format({"what": Tally.things(held.machines, held.belts)}))


# What was copied here, or a blueprint's text that was copied elsewhere since.
func paste() -> void:
	var held := _clipboard
	var text := OS.clipboard
	if text != "" and text != held.get("text", ""):
		var read := read(text)
		if read.ok:
			held = read
		elif held.empty():
			_report_refusal(read)
			return
	if held.empty():
		_report(tr("PASTE_NOTHING"), true)
		return
	emit_signal("paste_wanted", held)


# The engine's word on a blueprint's text.
func read(text: String) -> Dictionary:
	return client.ask({"ask": "blueprint_read", "text": text.left(LONGEST_TEXT + 1)})


# The selection as a blueprint, or {} with the reason told.
func blueprint() -> Dictionary:
	if selection.empty():
		_report(tr("SELECT_FIRST"), true)
		return {}
	var answer: Dictionary = client.ask({"ask": "blueprint", "ids": selection.machines()})
	if not answer.ok:
		_report_refusal(answer)
		return {}
	return answer


# Removes what is selected; without a selection, what is under the cursor.
func remove() -> void:
	if selection.empty():
		remove_at(cursor.tile)
	else:
		_remove(selection.own())


# Removes what is under the cursor, with all that is selected if it belongs to it.
func remove_at(tile: Vector2) -> void:
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	var id: int = machine.get("id", floor_view.layout.belt_at(tile).get("id", -1))
	if id >= 0:
		_remove(selection.own() if id in selection.own() else [id])


# Takes in hand what is on a tile: a kind of machine with its rotation and settings, or the belt.
func pipette(tile: Vector2) -> void:
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	if machine.empty():
		var belt: Dictionary = floor_view.layout.belt_at(tile)
		emit_signal("tool_wanted", "select" if belt.empty() else "belt")
		return
	if machine.fixed:
		_report(Words.of("machine.fixed", {"kind": machine.kind}), true)
		return
	var settings := {}
	var answer: Dictionary = client.ask({"ask": "machine", "id": machine.id})
	if answer.ok:
		for setting in answer.settings:
			settings[setting.name] = setting.value
	emit_signal("kind_wanted", machine.kind, machine.rot, settings)


func _unhandled_input(event: InputEvent) -> void:
	for name in ACTIONS:
		if Keys.pressed(event, name, name in REPEATED):
			call(name)
			get_tree().set_input_as_handled()
			return
	if event is InputEventMouseButton:
		if event.button_index == BUTTON_MIDDLE:
			_pipette_by_mouse(event)
	elif Keys.pressed(event, "pipette"):
		pipette(cursor.tile)


func _pipette_by_mouse(event: InputEventMouseButton) -> void:
	if event.pressed:
		_pipette_from = event.position
	elif event.position.distance_to(_pipette_from) < CLICK_SLOP:
		pipette(cursor.tile)


func _go(name: String, said: String) -> void:
	var before: Dictionary = Tally.of(floor_view.layout)
	var answer: Dictionary = client.command({"do": name})
	if not answer.ok:
		_report_refusal(answer)
		return
	_before = before
	_said = said


func _remove(ids: Array) -> bool:
	if ids.empty():
		return false
	var answer: Dictionary = client.command({"do": "remove", "ids": ids})
	if not answer.ok:
		_report_refusal(answer)
	return answer.ok


func _report(text: String, bad: bool = false) -> void:
	emit_signal("reported", text, bad)


func _report_refusal(answer: Dictionary) -> void:
	_report(Words.of(answer.code, answer.params), true)
