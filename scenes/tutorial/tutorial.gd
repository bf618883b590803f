extends Node
# The step of the tutorial that is due. The engine says which one and what it leads to; here is kept
# what only the view knows (what was opened and selected), and what the player has to touch first:
# another tool, a panel that is closed, the machine whose settings are wanted.

# Step or target are others now.
signal changed
# A step has begun that the player's hands have to do.
signal hands_wanted

const Words := preload("res://scenes/theme/words.gd")
# So often it is asked again; at once after whatever the player does.
const EVERY_S := 1.0
const POINTER := "select"
const REMOVER := "delete"

# The engine's answer; {} when no step is due.
var step := {}
# What to touch next: a target of the floor as the engine names it, or the name of a control among
# the HUD's targets; "": only time has to go on.
var target := ""

var _client: Node
var _floor_view: Node2D
var _tool_box: Node
var _hud: Control
var _seen := {}
var _speed := 1
var _paused := false
var _wait := 0.0
var _told := ""


func set_up(
	client: Node, floor_view: Node2D, tool_box: Node, hud: Control, level_screen: Node
) -> void:
	_client = client
	_floor_view = floor_view
	_tool_box = tool_box
	_hud = hud
	client.connect("commanded", self, "_on_commanded")
	tool_box.connect("changed", self, "_on_changed")
	tool_box.connect("selection_changed", self, "refresh")
	hud.connect("panel_opened", self, "_on_changed")
	hud.connect("page_shown", self, "_on_changed")
	level_screen.connect("time_changed", self, "_on_time_changed")
	level_screen.connect("rebuilt", self, "_on_changed")


# Asks the engine again.
func refresh() -> void:
	_wait = EVERY_S
	_notice()
	var facts: Array = _seen.keys()
	if _tool_box.current != POINTER:
		facts.append("tool:" + _tool_box.current)
	var answer: Dictionary = _client.ask({"ask": "tutorial", "facts": facts})
	if not answer.ok:
		return
	var before: String = step.get("id", "")
	step = {} if answer.done else answer
	target = _touch(step.target) if not step.empty() else ""
	var told := "%s %s %s" % [step.get("id", ""), target, text()]
	if told != _told:
		_told = told
		emit_signal("changed")
	if step.get("id", "") != before and wants_hands(target):
		emit_signal("hands_wanted")


# What the step says, its numbers filled in.
func text() -> String:
	if step.empty():
		return ""
	var values := {}
	for name in step.values:
		values[name] = Words.figure(step.values[name])
	return tr(step.code).format(values)


# Whether a target is the player's to touch, while time goes on.
static func wants_hands(name: String) -> bool:
	return name != "" and not name.begins_with("time:")


# Whether the engine's word for a target says where on the floor it is.
static func on_floor(name: String) -> bool:
	return name.split(":")[0] in ["tile", "belt", "move", "remove", "machine"]


func _process(delta: float) -> void:
	_wait -= delta
	if _wait <= 0.0:
		refresh()


# What is open and selected now stays known.
func _notice() -> void:
	_seen["panel:" + _hud.panel_name()] = true
	if _hud.panel_name() == "codex":
		_seen["codex:" + _hud.codex.page] = true
	var machine: Dictionary = _floor_view.layout.machine(_tool_box.selection.only())
	if not machine.empty():
		_seen["selected:" + machine.kind] = true


# What comes first, in these panels and with what is in hand, on the way to a target.
func _touch(wanted: String) -> String:
	var parts := wanted.split(":", true, 1)
	match parts[0]:
		"machine", "move":
			return wanted if _tool_box.current == POINTER else "tool:" + POINTER
		"remove":
			return wanted if _tool_box.current == REMOVER else "tool:" + REMOVER
		"setting":
			return _touch_setting(parts[1].split(","))
		"panel":
			return "dock:" + parts[1]
		"codex":
			return _touch_page(parts[1])
		"time":
			return _touch_time(parts[1])
	return wanted


func _touch_setting(wanted: PoolStringArray) -> String:
	var id := int(wanted[0])
	if _tool_box.selection.only() != id:
		return _touch("machine:%d" % id)
	if _hud.panel_name() != "details":
		return "dock:details"
	var more := true
	for setting in _client.ask({"ask": "machine", "id": id}).get("settings", []):
		if setting.name == wanted[1]:
			more = setting.value < int(wanted[2])
	return "setting:%s:%s" % [wanted[1], "more" if more else "less"]


# A machine's page is opened from the machine; any other from the list.
func _touch_page(page: String) -> String:
	if _hud.panel_name() == "codex":
		return "codex:" + page if _hud.codex.page == "" else "codex:all"
	for row in _floor_view.layout.machines:
		if row.kind == page:
			if _tool_box.selection.only() != row.id:
				return _touch("machine:%d" % row.id)
			return "details:codex" if _hud.panel_name() == "details" else "dock:details"
	return "dock:codex"


func _touch_time(what: String) -> String:
	if what != "run":
		return "time:start"
	if _paused:
		return "time:pause"
	return "time:8" if _speed == 1 else ""


# What a run shows is to be looked at anew in it.
func _on_commanded(request: Dictionary, answer: Dictionary) -> void:
	if not answer.ok:
		return
	if request.do == "start":
		for fact in _seen.keys():
			if fact.begins_with("selected:"):
				_seen.erase(fact)
	refresh()


func _on_changed(_what = null) -> void:
	refresh()


func _on_time_changed(_phase: String, speed: int, paused: bool) -> void:
	_speed = speed
	_paused = paused
	refresh()
