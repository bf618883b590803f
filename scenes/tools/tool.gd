extends Node
# What a tool does with the floor cursor. A tool asks the engine and sends commands; it decides no
# rule.

# Words beside the cursor ("" takes them away); `bad` colours a refusal.
signal said(text, bad)
# The machine or belt that the details are to show (-1: none).
signal selected(id)
# The tool is finished with: back to the pointer.
signal left
# A machine or belt was placed, or refused: the answer to the command.
signal placed(answer)

const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")

const NOTHING := Rect2()

# The engine's client and the floor, set once by the tool box.
var client: Node
var floor_view: Node2D


func enter(_tile: Vector2) -> void:
	pass


func leave() -> void:
	floor_view.ghost.clear()
	floor_view.marks.show_hover(NOTHING, Color.transparent)
	say("")


func hover(_tile: Vector2) -> void:
	pass


func press(_tile: Vector2) -> void:
	pass


func release(_tile: Vector2) -> void:
	pass


func turn(_tile: Vector2) -> void:
	pass


# Gives up what is under way; true when there was something.
func cancel() -> bool:
	return false


func say(text: String, bad: bool = false) -> void:
	emit_signal("said", text, bad)


func say_refusal(answer: Dictionary) -> void:
	say(Words.of(answer.code, answer.params), true)


# Marks the machine, belt or tile under the cursor.
func mark(tile: Vector2, colour: Color) -> void:
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	var belt: Dictionary = floor_view.layout.belt_at(tile)
	floor_view.belts.mark(belt.get("id", -1))
	var area := NOTHING
	if not machine.empty():
		area = machine.area
	elif floor_view.layout.holds(tile):
		area = Rect2(tile, Vector2.ONE)
	floor_view.marks.show_hover(area, colour)
