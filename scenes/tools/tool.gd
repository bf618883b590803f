extends Node
# What a tool does with the floor cursor. A tool asks the engine and sends commands; it decides no
# rule.

# Words beside the cursor ("" takes them away); `bad` colours a refusal.
signal said(text, bad)
# What came of something that is done: words that stay for a while.
signal reported(text, bad)
# The tool is finished with: back to the pointer.
signal left
# The player takes a belt up, to lay it anew.
signal belt_taken(id, tile)
# A packet was clicked: its request.
signal request_picked(id)
# A machine or belt was placed, or refused: the answer to the command.
signal placed(answer)

const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")

const NOTHING := Rect2()

# The engine's client, the floor and what is selected on it; set once by the tool box.
var client: Node
var floor_view: Node2D
var selection: Reference


func enter(_tile: Vector2) -> void:
	pass


func leave() -> void:
	floor_view.ghost.clear()
	floor_view.belts.mark(-1)
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


# Takes back the last step of what is under way; true when there was one.
func take_back() -> bool:
	return false


# Whether the key is held that adds to a selection, and keeps a tool in hand.
func adds() -> bool:
	return Input.is_action_pressed("add")


func say(text: String, bad: bool = false) -> void:
	emit_signal("said", text, bad)


func say_refusal(answer: Dictionary) -> void:
	say(Words.of(answer.code, answer.params), true)


func report(text: String, bad: bool = false) -> void:
	emit_signal("reported", text, bad)


func report_refusal(answer: Dictionary) -> void:
	report(Words.of(answer.code, answer.params), true)


# Says what became of the belts of what was moved.
func report_belts(answer: Dictionary) -> void:
	var relaid: int = answer.get("relaid", []).size()
	var removed: int = answer.get("removed", []).size()
	if removed > 0:
		report(tr("BELTS_REMOVED").format({"count": removed}), true)
	elif relaid > 0:
		report(tr("BELTS_RELAID").format({"count": relaid}))


# The machine or belt on a tile, or -1.
func id_at(tile: Vector2) -> int:
	var machine: Dictionary = floor_view.layout.machine_at(tile)
	if not machine.empty():
		return machine.id
	return floor_view.layout.belt_at(tile).get("id", -1)


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
