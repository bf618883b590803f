extends Node
# The tools, one of them in hand; hands over what the floor cursor and the keys do. Holds what is
# selected.

signal said(text, bad)
signal reported(text, bad)
# The one thing that is selected (-1: nothing, or several).
signal selected(id)
# The selection changed in any way.
signal selection_changed
# A packet was clicked: its request.
signal request_picked(id)
signal placed(answer)
# The name of the tool in hand, as the tool bar knows it.
signal changed(name)

const Editing := preload("res://scenes/tools/editing.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const PasteTool := preload("res://scenes/tools/paste_tool.gd")
const Selection := preload("res://scenes/tools/selection.gd")
const SelectTool := preload("res://scenes/tools/select_tool.gd")
const PlaceTool := preload("res://scenes/tools/place_tool.gd")
const BeltTool := preload("res://scenes/tools/belt_tool.gd")
const DeleteTool := preload("res://scenes/tools/delete_tool.gd")
const POINTER := "select"

var current := POINTER
var selection: Reference
var editing := Editing.new()

var _tools := {}
var _kinds := []
var _cursor: Node
var _client: Node
var _floor_view: Node2D


func set_up(client: Node, floor_view: Node2D, cursor: Node) -> void:
	_client = client
	_floor_view = floor_view
	_cursor = cursor
	selection = Selection.new(floor_view.layout)
	selection.connect("changed", self, "_on_selection_changed")
	_add(POINTER, SelectTool.new())
	_add("belt", BeltTool.new())
	_add("delete", DeleteTool.new())
	_add("paste", PasteTool.new())
	_add_editing()
	cursor.connect("moved", self, "_on_moved")
	cursor.connect("pressed", self, "_on_pressed")
	cursor.connect("released", self, "_on_released")
	cursor.connect("cancelled", self, "_on_cancelled")


# One more tool for each kind of machine that the level lets the player place.
func offer(kinds: Array) -> void:
	_kinds = kinds
	for kind in kinds:
		if not _tools.has(kind):
			var tool_node := PlaceTool.new()
			tool_node.kind = kind
			_add(kind, tool_node)


# The names of all tools, as the tool bar shows them.
func order() -> Array:
	return [POINTER, "belt"] + _kinds + ["delete"]


func take(name: String) -> void:
	if not _tools.has(name):
		return
	_tools[current].leave()
	current = name
	emit_signal("changed", name)
	_tools[current].enter(_cursor.tile)


# Selects a machine or belt (-1: nothing).
func select(id: int) -> void:
	selection.choose([] if id < 0 else [id])


# Puts a blueprint in hand: the engine's answer to `blueprint` or `blueprint_read`.
func paste(held: Dictionary) -> void:
	_tools["paste"].held = held
	take("paste")


# The layout has a new revision: what the cursor shows may have changed.
func refresh() -> void:
	selection.prune()
	_show_selection()
	editing.refresh()
	_tools[current].hover(_cursor.tile)


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "rotate"):
		_tools[current].turn(_cursor.tile)
	elif Keys.pressed(event, "delete"):
		editing.remove_at(_cursor.tile)
	elif Keys.pressed(event, "delete_selection"):
		if not _tools[current].take_back():
			editing.remove()
	elif Keys.pressed(event, "tool_delete"):
		take("delete")
	elif Keys.pressed(event, "tool_select"):
		take(POINTER)
	elif Keys.pressed(event, "tool_next"):
		_take_beside(1)
	elif Keys.pressed(event, "tool_previous"):
		_take_beside(-1)
	else:
		for name in _tools:
			if Keys.pressed(event, "tool_" + name):
				take(name)


# The tool after or before the one in hand, in the order of the tool bar.
func _take_beside(step: int) -> void:
	var names := order()
	take(names[posmod(names.find(current) + step, names.size())])


func _add(name: String, tool_node: Node) -> void:
	tool_node.name = name
	tool_node.client = _client
	tool_node.floor_view = _floor_view
	tool_node.selection = selection
	tool_node.connect("said", self, "_on_said")
	tool_node.connect("reported", self, "_on_reported")
	tool_node.connect("placed", self, "_on_placed")
	tool_node.connect("belt_taken", self, "_on_belt_taken")
	tool_node.connect("request_picked", self, "_on_request_picked")
	tool_node.connect("left", self, "take", [POINTER])
	_tools[name] = tool_node
	add_child(tool_node)


func _add_editing() -> void:
	editing.name = "Editing"
	editing.client = _client
	editing.floor_view = _floor_view
	editing.selection = selection
	editing.cursor = _cursor
	editing.connect("reported", self, "_on_reported")
	editing.connect("paste_wanted", self, "paste")
	editing.connect("kind_wanted", self, "_on_kind_wanted")
	editing.connect("tool_wanted", self, "take")
	add_child(editing)


func _show_selection() -> void:
	_floor_view.show_selection(selection.machines(), selection.belts())


func _on_selection_changed() -> void:
	_show_selection()
	emit_signal("selected", selection.only())
	emit_signal("selection_changed")


func _on_moved(tile: Vector2) -> void:
	_tools[current].hover(tile)


func _on_pressed(tile: Vector2) -> void:
	_tools[current].press(tile)


func _on_released(tile: Vector2) -> void:
	_tools[current].release(tile)


func _on_cancelled() -> void:
	if not _tools[current].cancel():
		take(POINTER)


func _on_said(text: String, bad: bool) -> void:
	emit_signal("said", text, bad)


func _on_reported(text: String, bad: bool) -> void:
	emit_signal("reported", text, bad)


# A kind that the level does not offer has no tool.
func _on_kind_wanted(kind: String, rot: int, settings: Dictionary) -> void:
	if _tools.has(kind):
		take(kind)
		_tools[kind].hold(rot, settings)


func _on_belt_taken(id: int, tile: Vector2) -> void:
	take("belt")
	_tools["belt"].take_up(id, tile)


func _on_request_picked(id: int) -> void:
	emit_signal("request_picked", id)


func _on_placed(answer: Dictionary) -> void:
	emit_signal("placed", answer)
