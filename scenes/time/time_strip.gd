extends HBoxContainer
# Below the bar: the layouts, one step, back, and the run as a line. Turns what the player does to
# time into commands.

# The engine refused.
signal refused(answer)
# Time is to stand: the player goes step by step.
signal pause_wanted
# The picture is another moment's or another layout's; nothing from before holds.
signal jumped
# The moment that is pointed at (-1: none).
signal pointed(t_ps)
# A second layout was opened.
signal tab_opened
# What has happened so far was asked for anew.
signal run_told(told)

const Glyph := preload("res://scenes/theme/glyph.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LayoutTabs := preload("res://scenes/tabs/layout_tabs.gd")
const Timeline := preload("res://scenes/time/timeline.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const REFRESH_S := 0.5
const PS_PER_S := 1000000000000
# How far the keys go back.
const BACK_S := 5
const FAR_BACK_S := 30
const NOTHING := -1
const BUTTON := Vector2(30, 26)

var line := Timeline.new()
var tabs := LayoutTabs.new()
var buttons := {}

var _client: Node
var _phase := "build"
# Where the player wants to be, and where the engine is going; NOTHING: where it is.
var _wanted := NOTHING
var _going := NOTHING
var _refresh := 0.0


func _init() -> void:
	size_flags_horizontal = SIZE_EXPAND_FILL
	mouse_filter = MOUSE_FILTER_IGNORE
	add_constant_override("separation", 4)
	line.size_flags_horizontal = SIZE_EXPAND_FILL
	add_child(tabs)
	_add_button("back")
	_add_button("single_step")
	add_child(line)
	_add_button("ahead")
	buttons.ahead.hide()
	_add_button("share")
	line.connect("moment_wanted", self, "go_to")
	line.connect("pointed", self, "_on_pointed")
	tabs.connect("chosen", self, "_on_tab_chosen")
	tabs.connect("opened", self, "_on_tab_opened")
	tabs.connect("closed", self, "_on_tab_closed")


func set_up(client: Node) -> void:
	_client = client


func show_structure(layout: Reference) -> void:
	tabs.show_tabs(layout.tab, layout.tabs)
	_refresh = 0.0


func show_snapshot(snapshot: Dictionary) -> void:
	var arrived: bool = _going != NOTHING
	var earlier: bool = snapshot.t_ps < line.now_ps
	if arrived or earlier or snapshot.phase != _phase:
		_phase = snapshot.phase
		_refresh = 0.0
	_going = NOTHING
	line.show_rewinding({})
	line.set_now(snapshot.t_ps)
	_refresh -= get_process_delta_time()
	if _refresh <= 0.0:
		refresh()
	if arrived or earlier:
		emit_signal("jumped")
	if _wanted != NOTHING:
		go_to(_wanted)


# The picture stands: the way to a moment is being simulated.
func show_rewinding(rewinding: Dictionary) -> void:
	_going = rewinding.t_ps
	line.show_rewinding(rewinding)


# Whether time is to stand, since the player holds it.
func held() -> bool:
	return line.held


# What has happened in this run so far.
func refresh() -> void:
	_refresh = REFRESH_S
	var told: Dictionary = _client.ask({"ask": "timeline"})
	if told.ok:
		line.show_run(told)
		emit_signal("run_told", told)
		buttons.ahead.visible = line.branch_to(told.t_ps + 1) != NOTHING


# Goes to a moment: back, or ahead to where this run has been before.
func go_to(t_ps: int) -> void:
	if _going != NOTHING:
		_wanted = t_ps
		return
	_wanted = NOTHING
	if t_ps == line.now_ps:
		return
	if t_ps < line.now_ps:
		_go({"do": "rewind", "t_ps": t_ps}, t_ps)
		return
	var branch: int = line.branch_to(t_ps)
	if branch != NOTHING:
		_go({"do": "branch", "index": branch, "t_ps": t_ps}, t_ps)


func back(seconds: int) -> void:
	go_to(int(max(line.now_ps - seconds * PS_PER_S, 0)))


# To where the newest branch was left.
func ahead() -> void:
	go_to(line.reached_ps())


func single_step() -> void:
	emit_signal("pause_wanted")
	_give({"do": "single_step"})


# What the timeline says and marks, for tests.
func words() -> Dictionary:
	return {"says": line.words(), "marks": line.mark_counts()}


func targets() -> Dictionary:
	var rects := {"timeline": line.track_rect()}
	for name in buttons:
		if buttons[name].visible:
			rects["time:" + name] = buttons[name].get_global_rect()
	for name in tabs.buttons:
		if tabs.buttons[name].visible:
			rects["tab:" + name] = tabs.buttons[name].get_global_rect()
	var marks: Dictionary = line.mark_rects()
	for code in marks:
		rects["mark:" + code] = marks[code]
	return rects


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "single_step"):
		single_step()
	elif Keys.pressed(event, "back"):
		back(BACK_S)
	elif Keys.pressed(event, "back_far"):
		back(FAR_BACK_S)
	elif Keys.pressed(event, "tab_next"):
		tabs.choose_next()


func _go(command: Dictionary, t_ps: int) -> void:
	if _give(command):
		_going = t_ps


func _give(command: Dictionary) -> bool:
	var answer: Dictionary = _client.command(command)
	if not answer.ok:
		emit_signal("refused", answer)
	return answer.ok


func _add_button(name: String) -> void:
	var key := name if not name in ["ahead", "share"] else ""
	var tip := tr("TIME_%s_TIP" % name.to_upper())
	var button := Ui.button("", Keys.tip(tip, key))
	button.rect_min_size = BUTTON
	var picture := Glyph.new()
	picture.picture = name
	button.add_child(picture)
	picture.rect_position = Vector2(8, 6)
	picture.rect_size = Vector2(14, 14)
	button.connect("pressed", self, "_on_pressed", [name])
	buttons[name] = button
	add_child(button)


func _on_pressed(name: String) -> void:
	match name:
		"back":
			back(BACK_S)
		"single_step":
			single_step()
		"ahead":
			ahead()
		"share":
			get_tree().call_group("saves", "share_run")


func _on_pointed(t_ps: int) -> void:
	emit_signal("pointed", t_ps)


func _on_tab_chosen(index: int) -> void:
	if _give({"do": "tab", "index": index}):
		_change_tab()


func _on_tab_opened() -> void:
	if _give({"do": "tab_open"}):
		_change_tab()
		emit_signal("tab_opened")


func _on_tab_closed(index: int) -> void:
	if _give({"do": "tab_close", "index": index}):
		_change_tab()


func _change_tab() -> void:
	_wanted = NOTHING
	_going = NOTHING
	refresh()
	emit_signal("jumped")
