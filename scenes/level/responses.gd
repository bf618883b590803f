extends Node
# Answers each action at once, with a sound and a movement: what the engine says to a command, what
# the panels do, and what happens on the floor.

# What is heard when the engine carries a command out; of a refusal always the same.
const Words := preload("res://scenes/theme/words.gd")
const HEARD := {
	"place": "place",
	"replace": "place",
	"move": "place",
	"shift": "place",
	"paste": "paste",
	"remove": "remove",
	"connect": "connect",
	"set": "tick",
	"reboot": "start",
	"start": "start",
	"restart": "pause",
	"layout": "paste",
	"undo": "undo",
	"redo": "redo",
	"single_step": "step",
	"rewind": "tick",
	"branch": "tick",
	"tab_open": "open",
	"tab_close": "close",
	"tab": "tick",
}
# Of packets that come to the end of their way.
const LANDED := {"token": "deliver", "reject": "reject"}
# Of what happens by itself.
const EVENTS := {
	"memory.out": "crash",
	"pad.broken": "crash",
	"pad.repaired": "start",
	"grant": "place",
	"hook.message": "open",
	"hook.stopped": "refuse",
}
# A smaller change of what is reached does not change the music.
const SHARE_STEP := 0.02

var _floor_view: Node2D
var _tool_box: Node
var _speed := 1
var _paused := false
var _met := {}
var _goal := {}
var _share := 0.0
var _stopped := false


func set_up(
	client: Node, floor_view: Node2D, tool_box: Node, cursor: Node, level_screen: Node
) -> void:
	_floor_view = floor_view
	_tool_box = tool_box
	client.connect("commanded", self, "_on_commanded")
	client.connect("asked", self, "_on_asked")
	cursor.connect("pressed", self, "_on_floor_pressed")
	tool_box.connect("changed", self, "_on_tool_changed")
	tool_box.connect("reported", self, "_on_reported")
	tool_box.connect("request_picked", self, "_on_request_picked")
	level_screen.connect("time_changed", self, "_on_time_changed")
	level_screen.connect("ended", self, "_on_ended")


# What happened on the floor: a core that ran out of memory, a GPU that broke, a goal that is met
# now.
func show_snapshot(snapshot: Dictionary) -> void:
	for event in snapshot.get("events", []):
		if EVENTS.has(event.code):
			_play(EVENTS[event.code])
	for kind in LANDED:
		if snapshot.landed.has(kind):
			_play(LANDED[kind])
	_follow_music(snapshot)
	if not snapshot.has("goals"):
		return
	for goal in snapshot.goals:
		var met: bool = goal.met and goal.value != null
		var was: bool = _met.get(Words.goal_key(goal), met)
		_met[Words.goal_key(goal)] = met
		if met and not was and snapshot.phase == "running":
			_play("goal_met")


# The music is as full as the first goal is near.
func _follow_music(snapshot: Dictionary) -> void:
	if snapshot.has("goals") and not snapshot.goals.empty():
		_goal = snapshot.goals[0]
	var value = snapshot.hud.tps
	var target = snapshot.hud.tps_target
	if target == null and not _goal.empty():
		value = _goal.value
		target = _goal.target
	var runs: bool = snapshot.phase == "running" and not _paused
	var share: float = value / target if runs and value != null and target else 0.0
	var crashed: Array = _floor_view.layout.pads_in_state("crashed", snapshot.machines.state)
	if abs(share - _share) > SHARE_STEP or _stopped == crashed.empty():
		_share = share
		_stopped = not crashed.empty()
		get_tree().call_group("music", "follow", share, _stopped)


func panel_opened(name: String) -> void:
	shown(name != "")


# A panel, the overlay or the library is shown or hidden now.
func shown(is_shown: bool) -> void:
	_play("open" if is_shown else "close")


func _on_commanded(request: Dictionary, answer: Dictionary) -> void:
	if answer.ok:
		var turned: bool = request.do == "move" and _turns(request)
		if HEARD.has(request.do):
			_play("turn" if turned else HEARD[request.do])
	else:
		_play("refuse")
		_floor_view.shake()


func _on_asked(request: Dictionary, answer: Dictionary) -> void:
	if request.ask == "blueprint" and answer.ok:
		_play("copy")


# Whether a move leaves a machine where it is.
func _turns(request: Dictionary) -> bool:
	var area: Rect2 = _floor_view.layout.machine(request.id).get("area", Rect2())
	return area.position == Vector2(request.x, request.y)


# The pointer on a machine or belt, whether or not it was selected before.
func _on_floor_pressed(tile: Vector2) -> void:
	if _tool_box.current != _tool_box.POINTER:
		return
	var layout: Reference = _floor_view.layout
	if not layout.machine_at(tile).empty() or not layout.belt_at(tile).empty():
		_play("select")


func _on_request_picked(_id: int) -> void:
	_play("select")


func _on_tool_changed(_name: String) -> void:
	_play("tick")


func _on_reported(_text: String, bad: bool) -> void:
	if bad:
		_play("refuse")


func _on_time_changed(_phase: String, speed: int, paused: bool) -> void:
	if paused != _paused:
		_play("pause" if paused else "go_on")
	elif speed != _speed:
		_play("tick")
	_paused = paused
	_speed = speed


func _on_ended(result: Dictionary) -> void:
	_play("win" if result.passed else "lose")
	if result.passed:
		_floor_view.celebrate()


func _play(name: String) -> void:
	# The next screen commands the engine before this one is freed.
	if is_inside_tree():
		get_tree().call_group("sounds", "play", name)
