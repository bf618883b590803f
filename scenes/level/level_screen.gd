extends Node
# The level: asks the engine for a snapshot each frame, hands it to the floor and the panels, and
# turns what the player does into commands.

signal title_wanted
signal level_wanted(level)
signal placed(answer)
signal ended(result)
signal rebuilt(layout)
signal time_changed(phase, speed, paused)
# A packet or a row of a panel was chosen: its request.
signal request_picked(id)
signal selection_changed(selection)

const Grid := preload("res://scenes/floor/grid.gd")
const Guide := preload("res://scenes/tutorial/guide.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Responses := preload("res://scenes/level/responses.gd")
const RequestMark := preload("res://scenes/requests/request_mark.gd")
const Results := preload("res://scenes/result/results.gd")
const Words := preload("res://scenes/theme/words.gd")
# What is said of a loaded game and is no good news.
const WARNED := ["save.previous", "save.changed", "save.differs"]
# A frame that took longer (a window being dragged) does not make the factory leap.
const LONGEST_FRAME := 0.25

var client: Node

var _speed := 1
var _paused := false
var _phase := "build"
var _snapshot := {}
# The recording that is watched, as the last snapshot told it; null: this is the player's own game.
var _following = null
# Whether the way to another moment is being simulated.
var _rewinding := false
var _request := -1
var _request_mark := RequestMark.new()
var _responses := Responses.new()
var _guide := Guide.new()
var _results := Results.new()

onready var _floor_view: Node2D = $FloorView
onready var _camera: Node = $FloorCamera
onready var _cursor: Node = $FloorCursor
onready var _tool_box: Node = $ToolBox
onready var _hud: Control = $Panels/Hud


func _ready() -> void:
	_camera.world = _floor_view
	_camera.cursor = _cursor
	_cursor.world = _floor_view
	_tool_box.set_up(client, _floor_view, _cursor)
	_hud.set_up(client, _floor_view)
	_request_mark.set_up(client, _floor_view)
	_hud.set_up_library(_tool_box.editing)
	_connect_all()
	add_child(_responses)
	_responses.set_up(client, _floor_view, _tool_box, _cursor, self)
	add_child(_results)
	_results.set_up(client, _floor_view)
	_results.connect("level_wanted", self, "_on_level_wanted")
	var answer: Dictionary = client.command(
		{
			"do": "view",
			"xx": Grid.PACKET_X.x,
			"yx": Grid.PACKET_Y.x,
			"xy": Grid.PACKET_X.y,
			"yy": Grid.PACKET_Y.y,
		}
	)
	if not answer.ok:
		push_error("The engine refused the view: %s" % answer.code)
	advance(0.0)
	_camera.frame(_floor_view.layout.size)
	add_child(_guide)
	_guide.connect("hands_wanted", self, "_on_hands_wanted")
	_guide.set_up(client, _floor_view, _tool_box, _hud, self)


# Simulated time, in ps.
func now_ps() -> int:
	return _snapshot.get("t_ps", 0)


# {t_ps, hash}: equal hashes mean that the same has happened.
func state() -> Dictionary:
	return client.ask({"ask": "state"})


# Where things are in the window: {rects, origin, ex, ey}, in the viewport's units.
func targets() -> Dictionary:
	var rects: Dictionary = _hud.targets()
	var origin: Vector2 = _floor_view.to_view(Vector2.ZERO)
	return {
		"rects": rects,
		"origin": origin,
		"ex": _floor_view.to_view(Vector2(1, 0)) - origin,
		"ey": _floor_view.to_view(Vector2(0, 1)) - origin,
	}


# What is said beside the cursor, what was told last, what library, status line and overlay say, for
# tests.
func words() -> Dictionary:
	return {
		"note": _hud.note_text(),
		"told": _hud.report_text(),
		"notices": _hud.notices.texts(),
		"library": _hud.library_texts(),
		"status": _hud.status_text(),
		"overlay": _hud.overlay_texts(),
		"time": _hud.time.words(),
		"result": _results.panel.texts() if _results.panel != null else [],
	}


# What the tutorial says and leads to, for automatic play.
func lesson() -> Dictionary:
	return _guide.told()


# Something to tell the player that is not about the level.
func tell(text: String, bad: bool) -> void:
	_hud.report(text, bad)


# The space that the panels leave free; empty until they have been arranged.
func free_area() -> Rect2:
	return _hud.free


# Whether Esc has nothing to give up on the floor.
func at_rest() -> bool:
	return _tool_box.current == _tool_box.POINTER and _tool_box.selection.empty()


# Lets time stand, or go on again; whether that changed anything.
func hold(still: bool) -> bool:
	if _phase != "running" or _paused == still:
		return false
	_on_pause()
	return true


# What the level says of itself.
func level() -> Dictionary:
	return _floor_view.layout.level


# Whether this is a game of the player's that can be kept now.
func can_be_kept() -> bool:
	return not level().empty() and _following == null and not _rewinding


# A saved game is being loaded: this one stands, and is gone on with if that fails.
func wait_for_loading(waits: bool) -> void:
	set_process(not waits)


func show_loading(rewinding: Dictionary) -> void:
	_hud.time.show_rewinding(rewinding)


# The game was loaded just now: time stands where it was left. `events`: what is to be said of it.
func show_loaded(events: Array) -> void:
	if _following != null:
		tell(tr("REPLAY_BEGINS").format({"level": LevelWords.whose(level())}), false)
		return
	_paused = true
	_show_time()
	var bad := false
	var lines := PoolStringArray()
	for event in events:
		if event.code == "save.loaded":
			var key := "SAVES_LOADED_STANDS" if _phase == "running" else "SAVES_LOADED"
			lines.append(tr(key).format({"time": Words.clock(now_ps())}))
		elif event.code.begins_with("save."):
			lines.append(Words.of(event.code, event.params))
			bad = bad or event.code in WARNED
	tell(lines.join(" "), bad)


# What the engine does not know, for another screen of the same game.
func kept() -> Dictionary:
	return {"speed": _speed, "paused": _paused, "panel": _hud.panel_name()}


func keep(other: Dictionary) -> void:
	_speed = other.speed
	_paused = other.paused
	_show_time()
	_hud.open_panel(other.panel)


# Opens a panel of the side dock ("": closes it).
func open_panel(name: String) -> void:
	_hud.open_panel(name)


# The panel that is open in the side dock, and what it says.
func panel() -> Dictionary:
	return {"name": _hud.panel_name(), "texts": _hud.panel_texts()}


func _process(delta: float) -> void:
	var asked := 0.0
	# Layouts side by side run together, whichever is shown.
	var runs: bool = _phase == "running" or _floor_view.layout.tabs > 1
	if runs and not _paused and not _hud.time.held():
		asked = min(delta, LONGEST_FRAME) * _speed
	advance(asked)


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "pause"):
		_on_pause()
		return
	if Keys.pressed(event, "keep_level"):
		_on_keep()
		return
	if Keys.pressed(event, "overlay"):
		_hud.toggle_overlay()
		return
	for speed in [1, 2, 4, 8]:
		if Keys.pressed(event, "speed_%d" % speed):
			_on_speed(speed)


# Asks for `seconds` more of simulated time, and shows what came of it.
func advance(seconds: float) -> void:
	var snapshot: Dictionary = client.step(seconds)
	if snapshot.empty():
		return
	_rewinding = snapshot.has("rewinding")
	if _rewinding:
		_hud.time.show_rewinding(snapshot.rewinding)
		return
	_snapshot = snapshot
	var was := _phase
	_phase = snapshot.phase
	if _floor_view.show_snapshot(snapshot):
		_show_structure()
	_hud.show_snapshot(snapshot)
	_responses.show_snapshot(snapshot)
	_results.show_snapshot(snapshot, _speed)
	if _phase != was:
		_show_time()
	_follow(snapshot.get("following"), _phase != was)
	for event in snapshot.events:
		if event.code.begins_with("player."):
			tell(Words.of(event.code, event.params), true)
	if _phase == "ended" and _results.panel == null and not _hud.time.held():
		_show_result(snapshot)
	elif _phase != "ended":
		_take_result()


# A recording says that it is one, and at its end whether it came out the same.
func _follow(following, anew: bool) -> void:
	var is_over: bool = _is_over()
	var changed: bool = (following == null) != (_following == null)
	_following = following
	if _is_over() and not is_over:
		changed = true
		_paused = true
		_show_time()
		var code := "recording.equal" if following.equal else "recording.differs"
		tell(
			"%s %s" % [tr(code), tr("RESULT_HASH").format({"hash": state().hash})],
			not following.equal
		)
	if changed or anew:
		_hud.show_phase(_phase, following)


func _is_over() -> bool:
	return _following != null and _following.equal != null


func _show_structure() -> void:
	var layout: Reference = _floor_view.layout
	_cursor.size = layout.size
	_tool_box.offer(layout.palette.keys())
	_hud.show_structure(layout, _tool_box.order())
	_hud.show_tool(_tool_box.current)
	_tool_box.refresh()
	_hud.refresh()
	emit_signal("rebuilt", layout)


func _show_selection() -> void:
	_hud.show_selection(_tool_box.selection)
	emit_signal("selection_changed", _tool_box.selection)


func _show_time() -> void:
	_hud.show_time(_speed, _paused)
	emit_signal("time_changed", _phase, _speed, _paused)


func _show_result(snapshot: Dictionary) -> void:
	_tool_box.take(_tool_box.POINTER)
	var panel := _results.build_panel(snapshot.result)
	_hud.show_result(panel)
	panel.connect("again_pressed", self, "_on_restart")
	panel.connect("title_pressed", self, "emit_signal", ["title_wanted"])
	panel.connect("keep_pressed", self, "_on_keep")
	emit_signal("ended", snapshot.result)


# The run goes on, after a restart or a rewind.
func _take_result() -> void:
	if _results.panel != null:
		_hud.take_result()
		_results.take_panel()


func _connect_all() -> void:
	_camera.connect("changed", self, "_on_camera_changed")
	_tool_box.connect("said", _hud, "say")
	_tool_box.connect("selected", _hud, "select")
	_tool_box.connect("reported", _hud, "report")
	_tool_box.connect("selection_changed", self, "_show_selection")
	_tool_box.connect("request_picked", self, "_on_packet_picked")
	_tool_box.connect("changed", _hud, "show_tool")
	_tool_box.connect("placed", self, "_on_placed")
	_cursor.connect("moved", self, "_on_cursor_moved")
	_hud.connect("tool_picked", _tool_box, "take")
	_hud.connect("edit_pressed", self, "_on_edit")
	_hud.connect("blueprint_used", _tool_box, "paste")
	_hud.connect("start_pressed", self, "_on_start")
	_hud.connect("pause_pressed", self, "_on_pause")
	_hud.connect("speed_pressed", self, "_on_speed")
	_hud.connect("pause_wanted", self, "_on_pause_wanted")
	_hud.connect("jumped", self, "_take_result")
	_hud.connect("setting_changed", self, "_on_setting_changed")
	_hud.connect("reboot_pressed", self, "_on_reboot")
	_hud.connect("title_pressed", self, "emit_signal", ["title_wanted"])
	_hud.connect("keep_pressed", self, "_on_keep")
	_hud.connect("floor_left", _cursor, "leave")
	_hud.connect("panel_opened", _responses, "panel_opened")
	_hud.connect("shown", _responses, "shown")
	_hud.connect("machine_picked", _tool_box, "select")
	_hud.connect("request_picked", self, "_on_request_picked")
	_hud.connect("panel_opened", self, "_mark_request")
	_hud.connect("area_changed", _camera, "use_area")


func _on_camera_changed() -> void:
	_hud.follow_camera()
	_cursor.follow_mouse()


func _on_cursor_moved(tile: Vector2) -> void:
	_hud.follow_cursor(tile, _cursor.by_mouse)
	if not _cursor.by_mouse:
		_camera.reveal(_floor_view.to_view(tile + Vector2(0.5, 0.5)))


func _on_request_picked(id: int) -> void:
	_request = id
	_hud.pick_request(id)
	_mark_request()
	emit_signal("request_picked", id)


func _on_packet_picked(id: int) -> void:
	_hud.open_panel("requests")
	_on_request_picked(id)


# On the floor too, while a panel shows it.
func _mark_request(_panel := "") -> void:
	_request_mark.request = _request if _hud.shows_request() else -1


# What a button does to the selection or the history.
func _on_edit(name: String) -> void:
	_tool_box.editing.call(name)


func _on_placed(answer: Dictionary) -> void:
	emit_signal("placed", answer)


# Starts the level; once it runs or has ended, begins it anew with the same layout.
func _on_start() -> void:
	if _following != null and _phase == "running":
		_take_over()
		return
	if _phase != "build":
		_on_restart()
		return
	var answer: Dictionary = client.command({"do": "start"})
	if not answer.ok:
		_hud.say_refusal(answer)
	_paused = false
	_show_time()


# What was a recording is the player's own game from here on.
func _take_over() -> void:
	var answer: Dictionary = client.command({"do": "take_over"})
	if answer.ok:
		tell(tr("REPLAY_TAKEN"), false)
	else:
		_hud.say_refusal(answer)


func _on_restart() -> void:
	var answer: Dictionary = client.command({"do": "restart"})
	if not answer.ok:
		_hud.say_refusal(answer)
		return
	_paused = false
	_show_time()


func _on_pause() -> void:
	if _phase == "build":
		_on_start()
		return
	_paused = not _paused
	_show_time()
	if _is_over() and _phase == "running" and not _paused:
		_take_over()


func _on_pause_wanted() -> void:
	if _phase == "running" and not _paused:
		_on_pause()


func _on_speed(speed: int) -> void:
	_speed = speed
	_paused = false
	_show_time()


# Nobody has to build in a hurry because he was told to let time go by.
func _on_hands_wanted() -> void:
	if _phase == "running" and _speed > 1:
		_speed = 1
		_show_time()
		tell(tr("TUTORIAL_SLOWS"), false)


func _on_setting_changed(id: int, name: String, value: int) -> void:
	var answer: Dictionary = client.command({"do": "set", "id": id, "name": name, "value": value})
	if not answer.ok:
		_hud.say_refusal(answer)
	_hud.refresh()


# A floor without a goal can be kept as a level of one's own.
func _on_keep() -> void:
	if LevelWords.is_sandbox(level()) and can_be_kept():
		_hud.keep.open(level())


func _on_reboot(id: int) -> void:
	var answer: Dictionary = client.command({"do": "reboot", "id": id})
	if not answer.ok:
		_hud.say_refusal(answer)
	_hud.refresh()


func _on_level_wanted(level) -> void:
	emit_signal("level_wanted", level)
