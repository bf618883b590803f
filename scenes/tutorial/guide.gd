extends Node
# Brings the tutorial together: the step in the teacher's corner, the arrow at what it leads to, and
# the questions before and after the level.

signal changed
# Something is to be built or read now, which takes a person's time.
signal hands_wanted

const FloorPointer := preload("res://scenes/tutorial/floor_pointer.gd")
const Tutorial := preload("res://scenes/tutorial/tutorial.gd")
# So often it is looked where the controls are.
const LOOK_S := 0.1
const WON := "goal"

var _hud: Control
var _client: Node
var _floor_view: Node2D
var _tool_box: Node
var _tutorial := Tutorial.new()
var _on_floor := FloorPointer.new()
var _look := 0.0
# The target that its panel was scrolled to last.
var _revealed := ""
# Whether it is somebody's recording, of which nothing is asked.
var _watched := false


func set_up(
	client: Node, floor_view: Node2D, tool_box: Node, hud: Control, level_screen: Node
) -> void:
	_client = client
	_hud = hud
	_floor_view = floor_view
	_tool_box = tool_box
	_on_floor.set_up(client, floor_view.layout)
	floor_view.add_child(_on_floor)
	floor_view.move_child(_on_floor, floor_view.ghost.get_index())
	hud.lesson.questions.connect("changed", self, "_show")
	hud.lesson.connect("tutorial_wanted", self, "_on_wanted")
	level_screen.connect("time_changed", self, "_on_time_changed")
	level_screen.connect("ended", self, "_on_ended")
	_tutorial.connect("changed", self, "_show")
	_tutorial.connect("hands_wanted", self, "_on_hands_wanted")
	_tutorial.set_up(client, floor_view, tool_box, hud, level_screen)
	add_child(_tutorial)
	var id: String = floor_view.layout.level.id
	_watched = not level_screen.can_be_kept()
	hud.lesson.guided = not _watched and not _was_won(id)
	if not _watched:
		hud.lesson.questions.begin_before(id)
	_tutorial.refresh()


# What is shown, for automatic play: the step and its targets, what to touch next and on which tiles
# that is, the words.
func told() -> Dictionary:
	var step: Dictionary = _tutorial.step
	var leads: bool = _hud.lesson.leads()
	var tiles := []
	for tip in _on_floor.tips:
		tiles.append([tip.tile.x, tip.tile.y])
	return {
		"step": step.get("step", 0),
		"of": step.get("of", 0),
		"id": step.get("id", ""),
		"target": _tutorial.target if leads else "",
		"targets": step.get("targets", []) if leads else [],
		"tiles": tiles,
		"text": _tutorial.text(),
		"said": _hud.lesson.texts(),
	}


# A level that the player has won once needs no tutorial; it can be asked for.
func _was_won(id: String) -> bool:
	for level in _client.ask({"ask": "progress"}).get("levels", []):
		if level.id == id:
			return WON in level.stars
	return false


func _process(delta: float) -> void:
	if not _on_floor.tips.empty():
		var points := []
		for tip in _on_floor.tips:
			points.append(_floor_view.transform.xform(tip.point) - Vector2(0, tip.lift))
		_hud.pointer.point_at_floor(points, _hud.free)
		return
	_look -= delta
	if _look <= 0.0:
		_look = LOOK_S
		_reveal(_tutorial.target)
		_hud.pointer.point_at_control(_place_of(_tutorial.target))


# Once for each target: then the panel is the player's to scroll.
func _reveal(target: String) -> void:
	if target != _revealed and _hud.lesson.leads():
		var in_panel := target.begins_with("setting:")
		if not in_panel or _hud.dock.reveal(target):
			_revealed = target


func _place_of(target: String) -> Rect2:
	if target == "" or not _hud.lesson.leads():
		return Rect2()
	return _hud.targets().get(target, Rect2())


func _show() -> void:
	_look = 0.0
	_hud.lesson.show_step(_tutorial.step, _tutorial.text())
	var leads: bool = _hud.lesson.leads() and Tutorial.on_floor(_tutorial.target)
	_on_floor.lead(_tutorial.target if leads else "", _tool_box.current)
	emit_signal("changed")


func _on_wanted(_is_wanted: bool) -> void:
	_show()


func _on_time_changed(phase: String, _speed: int, _paused: bool) -> void:
	if phase == "running":
		_hud.lesson.questions.give_up()


func _on_hands_wanted() -> void:
	if _hud.lesson.leads():
		emit_signal("hands_wanted")


func _on_ended(result: Dictionary) -> void:
	if result.passed and not _watched:
		_hud.lesson.questions.begin_after()
