extends Node
# Tells automatic play and tests what the game shows: JSON lines in the file after --probe.

const Orders := preload("res://scenes/probe/orders.gd")
const Words := preload("res://scenes/theme/words.gd")
const RESEND_S := 0.1
const CLOCK_S := 1.0
const PANEL_S := 0.2

var _path := ""
var _main: Node
var _last_targets := ""
var _first_frame := true
var _wait := 0.0
var _clock_wait := 0.0
var _last_panel := ""
var _panel_wait := 0.0
var _last_words := ""
var _last_lesson := ""


# Begins to tell what `main` shows, at the end of the file at `path`.
func follow(main: Node, path: String) -> void:
	_path = path
	_main = main
	var orders := Orders.new()
	orders.follow(path + ".orders")
	orders.connect("drawn", self, "_on_drawn")
	add_child(orders)
	main.connect("screen_shown", self, "_on_screen_shown")
	main.sounds.connect("played", self, "_on_played")


func _process(delta: float) -> void:
	if _path == "":
		return
	if _first_frame:
		_first_frame = false
		_tell("first_frame", {})
	_tell_clock(delta)
	_tell_panel(delta)
	_wait -= delta
	if _wait <= 0.0:
		_wait = RESEND_S
		_tell_targets()
		_tell_words()
		_tell_lesson()


func _on_screen_shown(name: String) -> void:
	_tell("screen", {"name": name})
	_wait = RESEND_S
	_main.screen.connect("tree_exited", self, "_forget_targets")
	if name == "level":
		_main.screen.connect("placed", self, "_on_placed")
		_main.screen.connect("ended", self, "_on_ended")
		_main.screen.connect("rebuilt", self, "_on_rebuilt")
		_main.screen.connect("time_changed", self, "_on_time_changed")
		_main.screen.connect("selection_changed", self, "_on_selection_changed")
		_clock_wait = 0.0


func _on_drawn(number: int) -> void:
	_tell("drawn", {"number": number})


func _on_played(names: Array, frames: int) -> void:
	_tell("sound", {"names": names, "frames": frames})


func _forget_targets() -> void:
	_last_targets = ""
	_last_panel = ""
	_last_words = ""
	_last_lesson = ""


func _on_placed(answer: Dictionary) -> void:
	var id: int = answer.get("id", -1)  # several things have no one id
	_tell("placed", {"id": id} if answer.ok else {"code": answer.code})


func _on_rebuilt(layout: Reference) -> void:
	var machines := []
	for row in layout.machines:
		machines.append([row.kind, row.x, row.y, row.rot])
	var told := {"machines": machines, "belts": layout.belts.size()}
	told["layout_hash"] = layout.level.layout_hash
	told["undo"] = layout.undo
	told["redo"] = layout.redo
	_tell("floor", told)


func _on_time_changed(phase: String, speed: int, paused: bool) -> void:
	_tell("time", {"phase": phase, "speed": speed, "paused": paused})


func _on_selection_changed(selection: Reference) -> void:
	var machines: int = selection.machines().size()
	_tell("selection", {"machines": machines, "belts": selection.belts().size()})


func _on_ended(result: Dictionary) -> void:
	var told := {"passed": result.passed, "hash": result.hash}
	for goal in result.goals:
		told[Words.goal_name(goal.code)] = goal.value
	_tell("result", told)
	_tell("screen", {"name": "win" if result.passed else "lose"})


# The simulated time of a level, once a second.
func _tell_clock(delta: float) -> void:
	_clock_wait -= delta
	if _clock_wait <= 0.0 and _main.screen != null and _main.screen.has_method("now_ps"):
		_clock_wait = CLOCK_S
		var state: Dictionary = _main.screen.state()
		var layout: String = _main.screen.level().layout_hash
		_tell("clock", {"t_ps": state.t_ps, "hash": state.hash, "layout_hash": layout})


# The open panel of a level and its texts, when they changed.
func _tell_panel(delta: float) -> void:
	_panel_wait -= delta
	if _panel_wait > 0.0 or _main.screen == null or not _main.screen.has_method("panel"):
		return
	_panel_wait = PANEL_S
	var told: Dictionary = _main.screen.panel()
	var text := to_json(told)
	if text != _last_panel:
		_last_panel = text
		_tell("panel", told)


# What is said beside the cursor and told above the tools, when it changed.
func _tell_words() -> void:
	if _main.screen == null or not _main.screen.has_method("words"):
		return
	var told: Dictionary = _main.screen.words()
	told["comfort"] = _main.comfort.told()
	told["saves"] = _main.saves.told()
	told["notes"] = _main.notes.told()
	var text := to_json(told)
	if text != _last_words:
		_last_words = text
		_tell("words", told)


# The step of the tutorial, what it leads to, and what the teacher's corner says, when it changed.
func _tell_lesson() -> void:
	if _main.screen == null or not _main.screen.has_method("lesson"):
		return
	var told: Dictionary = _main.screen.lesson()
	var text := to_json(told)
	if text != _last_lesson:
		_last_lesson = text
		_tell("tutorial", told)


# Only when something moved: the camera, the window, a panel.
func _tell_targets() -> void:
	if _main.screen == null:
		return
	var scale: Vector2 = OS.window_size / get_viewport().get_visible_rect().size
	var targets: Dictionary = _main.screen.targets()
	for layer in [_main.saves, _main.comfort, _main.notes]:
		var more: Dictionary = layer.targets()
		for name in more:
			targets.rects[name] = more[name]
	var rects := {}
	for name in targets.rects:
		var rect: Rect2 = targets.rects[name]
		rects[name] = _pair(rect.position * scale) + _pair(rect.size * scale)
	var told := {"rects": rects}
	if targets.has("origin"):
		told["tiles"] = {
			"origin": _pair(targets.origin * scale),
			"ex": _pair(targets.ex * scale),
			"ey": _pair(targets.ey * scale),
		}
	var text := to_json(told)
	if text != _last_targets:
		_last_targets = text
		_tell("targets", told)


func _tell(event: String, more: Dictionary) -> void:
	var line := {"t": OS.get_ticks_msec() / 1000.0, "event": event}
	for key in more:
		line[key] = more[key]
	# Godot 3.2 writes out what a file holds only when it is closed.
	var file := File.new()
	var mode := File.READ_WRITE if file.file_exists(_path) else File.WRITE
	if file.open(_path, mode) != OK:
		push_error("The probe cannot write to %s." % _path)
		_path = ""
		return
	file.seek_end()
	file.store_line(to_json(line))
	file.close()


func _pair(point: Vector2) -> Array:
	return [point.x, point.y]
