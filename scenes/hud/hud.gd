extends Control
# All panels around the floor, and the space that they leave free.

signal tool_picked(name)
# Something to do to the selection or the history: undo, redo, copy, cut, paste, remove, ...
signal edit_pressed(name)
# A blueprint of the library is to be pasted.
signal blueprint_used(held)
signal start_pressed
signal pause_pressed
signal speed_pressed(speed)
signal setting_changed(id, name, value)
signal reboot_pressed(id)
signal title_pressed
# The floor is to be kept as a level of its own.
signal keep_pressed
signal area_changed(area)
# The panel of the side dock that is open, and what the player chose in it.
signal panel_opened(name)
# The codex shows this page now ("": its list).
signal page_shown(page)
# The overlay or the library is shown or hidden now.
signal shown(is_shown)
signal machine_picked(id)
signal request_picked(id)
# Time is to stand; the picture is another moment's or another layout's.
signal pause_wanted
signal jumped
# The mouse went from the floor to a panel.
signal floor_left

const Arrangement := preload("res://scenes/hud/arrangement.gd")
const Badges := preload("res://scenes/hud/badges.gd")
const BillPanel := preload("res://scenes/accounts/bill_panel.gd")
const BlueprintPanel := preload("res://scenes/blueprints/blueprint_panel.gd")
const CodexPanel := preload("res://scenes/codex/codex_panel.gd")
const ComparePanel := preload("res://scenes/tabs/compare_panel.gd")
const CursorNote := preload("res://scenes/hud/cursor_note.gd")
const DetailsPanel := preload("res://scenes/details/details_panel.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const FocusWalk := preload("res://scenes/hud/focus_walk.gd")
const GraphsPanel := preload("res://scenes/graphs/graphs_panel.gd")
const History := preload("res://scenes/graphs/history.gd")
const HudBar := preload("res://scenes/hud/hud_bar.gd")
const KeepPanel := preload("res://scenes/sandbox/keep_panel.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LessonPanel := preload("res://scenes/tutorial/lesson_panel.gd")
const MemoryPanel := preload("res://scenes/memory/memory_panel.gd")
const MessagesPanel := preload("res://scenes/notices/messages_panel.gd")
const Notices := preload("res://scenes/notices/notices.gd")
const Overlay := preload("res://scenes/overlay/overlay.gd")
const Pointer := preload("res://scenes/tutorial/pointer.gd")
const PadSigns := preload("res://scenes/hud/pad_signs.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestsPanel := preload("res://scenes/requests/requests_panel.gd")
const StatusLine := preload("res://scenes/hud/status_line.gd")
const SelectionBar := preload("res://scenes/hud/selection_bar.gd")
const SideDock := preload("res://scenes/hud/side_dock.gd")
const TenantsPanel := preload("res://scenes/accounts/tenants_panel.gd")
const Toast := preload("res://scenes/hud/toast.gd")
const TimeStrip := preload("res://scenes/time/time_strip.gd")
const ToolBar := preload("res://scenes/hud/tool_bar.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const REFUSAL_SECONDS := 3.0
const NUMBERS_S := 0.1

# The timeline, with the buttons that go with it.
var time := TimeStrip.new()
# The teacher's corner, and the arrow at what it speaks of.
var lesson := LessonPanel.new()
var pointer := Pointer.new()
var codex := CodexPanel.new()
var dock := SideDock.new()
# Asks for the name of a level of one's own.
var keep := KeepPanel.new()
# What has just happened.
var notices := Notices.new()
# The space that the panels leave free.
var free := Rect2()

var _bar := HudBar.new()
# Places for what others bring: layout tabs and timeline below the bar (26 px high, full width left
# of the dock), the blueprint library at the left above the hint. Each takes the size of its place.
var _strip := HBoxContainer.new()
var _left := MarginContainer.new()
var _status := StatusLine.new()
var _tools := ToolBar.new()
var _start := Ui.button("")
var _details := DetailsPanel.new()
var _memory := MemoryPanel.new()
var _requests := RequestsPanel.new()
var _bill := BillPanel.new()
var _tenants := TenantsPanel.new()
var _history := History.new()
var _graphs := GraphsPanel.new()
var _compare := ComparePanel.new()
var _messages := MessagesPanel.new()
var _badges := Badges.new()
var _overlay := Overlay.new()
var _pad_signs := PadSigns.new()
var _note := CursorNote.new()
var _toast := Toast.new()
var _library := BlueprintPanel.new()
var _selection_bar := SelectionBar.new()
var _right := VBoxContainer.new()
var _walk := FocusWalk.new()

var _numbers := 0.0
var _places := Arrangement.new()


func _init() -> void:
	theme = GameTheme.build()
	_graphs.history = _history
	_strip.add_child(time)
	_right.add_constant_override("separation", int(Arrangement.GAP))
	for place in [_right, _strip, _left]:
		place.mouse_filter = MOUSE_FILTER_IGNORE
	_right.add_child(dock)
	dock.add_panel("details", _details)
	dock.add_panel("graphs", _graphs)
	dock.add_panel("memory", _memory)
	dock.add_panel("requests", _requests)
	dock.add_panel("tenants", _tenants)
	dock.add_panel("bill", _bill)
	dock.add_panel("codex", codex)
	dock.add_panel("compare", _compare)
	dock.add_panel("messages", _messages)
	Ui.make_primary(_start, Palette.GOOD, Palette.BACKGROUND)
	_start.add_font_override("font", Fonts.strong(17))
	for node in [_pad_signs, _badges, _overlay, _bar, _strip, _status, _left]:
		add_child(node)
	for node in [
		_tools, _start, lesson, _right, _selection_bar, notices, _toast, _note, pointer, keep
	]:
		add_child(node)
	_walk.areas = [_bar, _strip, _status, _right, _start, _tools, _selection_bar, _left, lesson]
	_walk.areas.append(notices)
	add_child(_walk)
	_name_places()
	_selection_bar.connect("pressed", self, "_on_edit_pressed")
	_left.add_child(_library)
	_library.connect("toggled", self, "_on_library_toggled")
	_library.connect("focus_wanted", _walk, "enter")
	_library.connect("reported", self, "report")
	_library.connect("used", self, "_on_blueprint_used")
	_library.connect("mouse_entered", self, "emit_signal", ["floor_left"])
	_tools.connect("edit_pressed", self, "_on_edit_pressed")
	_start.connect("pressed", self, "emit_signal", ["start_pressed"])
	_tools.connect("picked", self, "_on_tool_picked")
	_bar.connect("title_pressed", self, "emit_signal", ["title_pressed"])
	_bar.connect("keep_pressed", self, "emit_signal", ["keep_pressed"])
	keep.connect("reported", self, "report")
	_bar.connect("pause_pressed", self, "emit_signal", ["pause_pressed"])
	_bar.connect("speed_pressed", self, "_on_speed_pressed")
	_details.connect("setting_changed", self, "_on_setting_changed")
	_details.connect("reboot_pressed", self, "_on_reboot_pressed")
	connect("resized", self, "_arrange")
	for node in [_bar, _tools, _start, lesson, dock]:
		node.connect("mouse_entered", self, "emit_signal", ["floor_left"])
	dock.connect("opened", self, "_on_opened")
	time.connect("refused", self, "say_refusal")
	time.connect("pause_wanted", self, "emit_signal", ["pause_wanted"])
	time.connect("jumped", self, "_on_jumped")
	time.connect("tab_opened", self, "open_panel", ["compare"])
	time.connect("pointed", self, "_on_moment_pointed")
	time.connect("run_told", self, "_on_run_told")
	_messages.connect("moment_picked", time, "go_to")
	notices.connect("changed", _places, "place_notices")
	_selection_bar.connect("minimum_size_changed", _places, "place_notices")
	_graphs.connect("moment_pointed", self, "_on_second_pointed")
	_graphs.connect("moment_picked", self, "_on_second_picked")
	dock.connect("machine_picked", self, "_on_picked", ["machine_picked"])
	_status.connect("machine_picked", self, "_on_picked", ["machine_picked"])
	_status.connect("mouse_entered", self, "emit_signal", ["floor_left"])
	dock.add_switch("overlay").connect("pressed", self, "toggle_overlay")
	dock.connect("request_picked", self, "_on_picked", ["request_picked"])
	lesson.connect("reported", self, "report")
	lesson.questions.connect("focus_wanted", _walk, "enter")
	_details.connect("page_wanted", self, "show_page")
	_bar.connect("page_wanted", self, "show_page")
	codex.connect("page_shown", self, "_on_page_shown")
	for node in [_bar, _status, _tools, lesson, _right]:
		node.connect("minimum_size_changed", self, "_arrange")


func set_up(client: Node, floor_view: Node2D) -> void:
	_history.client = client
	keep.set_up(client)
	time.set_up(client)
	lesson.set_up(client)
	dock.set_up(client, floor_view)
	dock.buttons.messages.hide()
	dock.open("" if _places.narrow else "details")
	_badges.set_up(floor_view)
	_overlay.set_up(client, floor_view)
	_pad_signs.set_up(floor_view)
	_note.floor_view = floor_view
	show_time(1, false)
	show_phase("build")
	_arrange()


# `tools`: the names of those that the level offers.
func show_structure(layout: Reference, tools: Array) -> void:
	_bar.show_level(layout.level)
	time.show_structure(layout)
	dock.buttons.compare.visible = layout.tabs > 1
	dock.offer("tenants", not layout.level.tenants.empty())
	dock.offer("bill", layout.level.billed)
	if layout.tabs == 1 and dock.current == "compare":
		dock.open("details")
	lesson.show_level(layout.level)
	_tools.offer(tools)
	_tools.show_left(layout.palette)
	_tools.edits.show_steps(layout.undo, layout.redo)
	_badges.update()
	_pad_signs.update()
	_overlay.show_structure(layout)
	call_deferred("_arrange")


func show_snapshot(snapshot: Dictionary) -> void:
	_badges.show_work(snapshot.machines)
	_overlay.show_work(snapshot.machines)
	_pad_signs.show_work(snapshot.pads)
	_status.show_snapshot(snapshot)
	dock.show_snapshot(snapshot)
	time.show_snapshot(snapshot)
	notices.show_events(snapshot.events)
	_numbers -= get_process_delta_time()
	if _numbers <= 0.0:
		_numbers = NUMBERS_S
		_bar.show_snapshot(snapshot)


# The machine or belt that the details are to show (-1: none).
func select(id: int) -> void:
	_details.select(id)


# Opens a panel of the side dock ("": closes it).
func open_panel(name: String) -> void:
	dock.open(name)


# Opens the codex at a page.
func show_page(id: String) -> void:
	dock.open("codex")
	codex.show_page(id)


# Shows one request in the panels; its waterfall, unless it was picked on the map of memory.
func pick_request(id: int) -> void:
	var on_map: bool = dock.current == "memory" and id != _memory.picked
	if not on_map and dock.current != "requests":
		dock.open("requests")
	_memory.pick(id)
	_requests.pick(id)


# Whether a panel is open that shows a request.
func shows_request() -> bool:
	return dock.current in ["memory", "requests"]


# `editing`: what the library asks for the selection and about texts.
func set_up_library(editing: Node) -> void:
	_library.set_up(editing)


# What the library says, for tests.
func library_texts() -> Array:
	return _library.texts()


# Plates over the machines instead of their signs, or the signs again.
func toggle_overlay() -> void:
	_overlay.toggle()
	_badges.visible = not _overlay.visible
	dock.switches.overlay.pressed = _overlay.visible
	emit_signal("shown", _overlay.visible)


# What the line under the bar and the overlay say, for tests.
func status_text() -> String:
	return _status.text()


func overlay_texts() -> Array:
	return _overlay.texts()


# Asks the engine again at once for what the open panel shows.
func refresh() -> void:
	dock.refresh()


func panel_name() -> String:
	return dock.current


func panel_texts() -> Array:
	return dock.texts()


# `following`: the recording that is watched, as snapshots tell it; null: the game is the player's.
func show_phase(phase: String, following = null) -> void:
	_bar.show_replay(following)
	_start.text = tr("TIME_START" if phase == "build" else "TIME_RESTART")
	if following != null and phase == "running":
		_start.text = tr("REPLAY_TAKE_OVER")
		_start.hint_tooltip = Keys.tip(tr("REPLAY_TAKE_OVER_TIP"))
		Ui.make_primary(_start, Palette.PANEL_HOVER, Palette.TEXT)
	elif phase == "build":
		_start.hint_tooltip = Keys.tip(tr("TIME_START_TIP"), "pause")
		Ui.make_primary(_start, Palette.GOOD, Palette.BACKGROUND)
	else:
		_start.hint_tooltip = Keys.tip(tr("TIME_RESTART_TIP"))
		Ui.make_primary(_start, Palette.PANEL_HOVER, Palette.TEXT)
	_numbers = 0.0


func show_time(speed: int, paused: bool) -> void:
	_bar.show_time(speed, paused)


func show_tool(name: String) -> void:
	_tools.show_current(name)


# The panel that tells how the level ended: over the floor, or put aside above it.
func show_result(panel: Control) -> void:
	_places.result = panel
	add_child(panel)
	_toast.raise()
	panel.connect("minimum_size_changed", _places, "place_result")
	panel.connect("mouse_entered", self, "emit_signal", ["floor_left"])
	_walk.areas.push_front(panel)
	_places.place_result()


func take_result() -> void:
	_walk.areas.erase(_places.result)
	remove_child(_places.result)
	_places.result = null


# Words beside the cursor; a refusal that no tool stands behind goes away by itself.
func say(text: String, bad: bool) -> void:
	_note.say(text, bad)


func say_refusal(answer: Dictionary) -> void:
	_note.say(Words.of(answer.code, answer.params), true, REFUSAL_SECONDS)


# What came of something that was done.
func report(text: String, bad: bool) -> void:
	_toast.show_text(text, bad)
	_places.place_notices()


# What was told last; "" once it is gone.
func report_text() -> String:
	return _toast.text


func note_text() -> String:
	return _note.text()


func show_selection(selection: Reference) -> void:
	_selection_bar.show_selection(selection)
	_library.show_selection(selection)
	_places.place_notices()


func follow_cursor(tile: Vector2, by_mouse: bool) -> void:
	_note.follow(tile, by_mouse)


func follow_camera() -> void:
	_badges.update()
	_overlay.update()
	_pad_signs.update()
	_note.place()


# Named rectangles in the viewport's units, for automatic play.
func targets() -> Dictionary:
	var rects := {
		"panel:bar": _bar.get_global_rect(),
		"panel:tools": _tools.get_global_rect(),
		"panel:hint": lesson.get_global_rect(),
		"panel:status": _status.get_global_rect(),
	}
	if _start.visible:
		rects["time:start"] = _start.get_global_rect()
	if not _status.ask_rect().has_no_area():
		rects["status:ask"] = _status.ask_rect()
	if _walk.focused() != null:
		rects["focus"] = _walk.focused().get_global_rect()
	_add_all(rects, _bar.goal_rects())
	for part in [time, lesson, dock, _library, notices, keep, _places.result]:
		if part != null:
			_add_all(rects, part.targets())
	_add_buttons(rects, "time:", _bar.buttons)
	_add_buttons(rects, "tool:", _tools.buttons)
	_add_buttons(rects, "edit:", _tools.edits.buttons)
	if _selection_bar.visible:
		_add_buttons(rects, "selection:", _selection_bar.buttons)
	return rects


func _add_all(rects: Dictionary, more: Dictionary) -> void:
	for name in more:
		rects[name] = more[name]


func _add_buttons(rects: Dictionary, prefix: String, buttons: Dictionary) -> void:
	for name in buttons:
		if buttons[name].visible:
			rects[prefix + name] = buttons[name].get_global_rect()


func _on_jumped() -> void:
	_history.clear()
	notices.clear()
	emit_signal("jumped")


func _on_moment_pointed(t_ps: int) -> void:
	_graphs.point(-1 if t_ps < 0 else int(t_ps / History.PS_PER_S))


# Its tab is there once it has something to tell.
func _on_run_told(told: Dictionary) -> void:
	_messages.show_marks(told.marks)
	dock.offer("messages", _messages.has_some())
	if not _messages.has_some() and dock.current == "messages":
		dock.open("details")


func _on_second_pointed(second: int) -> void:
	time.line.point(-1 if second < 0 else second * History.PS_PER_S)


func _on_second_picked(second: int) -> void:
	time.go_to(second * History.PS_PER_S)


func _name_places() -> void:
	_places.bar = _bar
	_places.strip = _strip
	_places.status = _status
	_places.tools = _tools
	_places.start = _start
	_places.dock = dock
	_places.right = _right
	_places.hint = lesson
	_places.left = _left
	_places.library = _library
	_places.toast = _toast
	_places.notices = notices
	_places.selection_bar = _selection_bar


func _arrange() -> void:
	if rect_size.x <= 0.0:
		return
	_badges.rect_size = rect_size
	_overlay.rect_size = rect_size
	_places.arrange(rect_size)
	var panels := []
	for panel in [_bar, _strip, _status, lesson, _tools, _right, _start]:
		panels.append(panel.get_rect())
	_overlay.avoid = panels
	free = _places.free
	keep.fit(Rect2(Vector2.ZERO, rect_size))
	emit_signal("area_changed", free)


func _on_edit_pressed(name: String) -> void:
	match name:
		"blueprints":
			_library.toggle()
		"save":
			_library.begin_save()
		"settings", "help_card":
			get_tree().call_group("comfort", "toggle_" + name)
		_:
			emit_signal("edit_pressed", name)


func _on_library_toggled(is_open: bool) -> void:
	_tools.edits.show_library(is_open)
	emit_signal("shown", is_open)
	_arrange()


func _on_blueprint_used(held: Dictionary) -> void:
	emit_signal("blueprint_used", held)


# With a tool in hand, the arrows are the floor's.
func _on_tool_picked(name: String) -> void:
	_walk.leave()
	emit_signal("tool_picked", name)


func _on_speed_pressed(speed: int) -> void:
	emit_signal("speed_pressed", speed)


func _on_setting_changed(id: int, name: String, value: int) -> void:
	emit_signal("setting_changed", id, name, value)


# The codex opens at the page of what is selected, if something is.
func _on_opened(name: String) -> void:
	_arrange()
	if name == "codex" and _details.subject() != "":
		codex.show_page(_details.subject())
	emit_signal("panel_opened", name)


func _on_page_shown(page: String) -> void:
	emit_signal("page_shown", page)


func _on_picked(id: int, signal_name: String) -> void:
	emit_signal(signal_name, id)


func _on_reboot_pressed(id: int) -> void:
	emit_signal("reboot_pressed", id)
