extends Node
# The tools, one of them in hand; hands over what the floor cursor and the keys do.

signal said(text, bad)
signal selected(id)
signal placed(answer)
# The name of the tool in hand, as the tool bar knows it.
signal changed(name)

const SelectTool := preload("res://scenes/tools/select_tool.gd")
const PlaceTool := preload("res://scenes/tools/place_tool.gd")
const BeltTool := preload("res://scenes/tools/belt_tool.gd")
const DeleteTool := preload("res://scenes/tools/delete_tool.gd")
const POINTER := "select"

var current := POINTER

var _tools := {}
var _kinds := []
var _cursor: Node
var _client: Node
var _floor_view: Node2D


func set_up(client: Node, floor_view: Node2D, cursor: Node) -> void:
	_client = client
	_floor_view = floor_view
	_cursor = cursor
	_add(POINTER, SelectTool.new())
	_add("belt", BeltTool.new())
	_add("delete", DeleteTool.new())
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


# The layout has a new revision: what the cursor shows may have changed.
func refresh() -> void:
	_tools[current].hover(_cursor.tile)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("rotate"):
		_tools[current].turn(_cursor.tile)
	elif event.is_action_pressed("delete"):
		_tools["delete"].remove_at(_cursor.tile)
	elif event.is_action_pressed("tool_delete"):
		take("delete")
	elif event.is_action_pressed("tool_select"):
		take(POINTER)
	elif event.is_action_pressed("tool_next"):
		_take_beside(1)
	elif event.is_action_pressed("tool_previous"):
		_take_beside(-1)
	else:
		for name in _tools:
			if InputMap.has_action("tool_" + name) and event.is_action_pressed("tool_" + name):
				take(name)


# The tool after or before the one in hand, in the order of the tool bar.
func _take_beside(step: int) -> void:
	var names := order()
	take(names[posmod(names.find(current) + step, names.size())])


func _add(name: String, tool_node: Node) -> void:
	tool_node.name = name
	tool_node.client = _client
	tool_node.floor_view = _floor_view
	tool_node.connect("said", self, "_on_said")
	tool_node.connect("selected", self, "_on_selected")
	tool_node.connect("placed", self, "_on_placed")
	tool_node.connect("left", self, "take", [POINTER])
	_tools[name] = tool_node
	add_child(tool_node)


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


func _on_selected(id: int) -> void:
	emit_signal("selected", id)


func _on_placed(answer: Dictionary) -> void:
	emit_signal("placed", answer)
