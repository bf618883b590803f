extends PanelContainer
# The settings: a page at a time, and the keys of all actions. A panel among others: the factory
# goes on behind it. While it is active, arrows, Enter and Esc (on a pad: cross or stick, A and B)
# are its own; a click elsewhere gives them back.

signal closed
signal help_wanted

const Actions := preload("res://scenes/settings/actions.gd")
const ChoiceRow := preload("res://scenes/theme/choice_row.gd")
const ClosingHead := preload("res://scenes/hud/closing_head.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const KeyLine := preload("res://scenes/settings/key_line.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const KeyListener := preload("res://scenes/settings/key_listener.gd")
const KeyMap := preload("res://scenes/settings/key_map.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const StickSteps := preload("res://scenes/settings/stick_steps.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 560.0
const HIGHEST := 520.0
const LEAST := 360.0
const CLOSE := 28.0
const KEYS_PAGE := "keys"
const ABOUT_PAGE := "about"
const PAGES := {
	"looks": ["palette", "high_contrast", "reduced_motion", "ui_scale", "fullscreen"],
	"sound": ["master", "effects", "music", "mute_unfocused"],
	"game": ["language", "frame_limit", "pause_here"],
	KEYS_PAGE: [],
	ABOUT_PAGE: [],
}
const SHARES := ["master", "effects", "music"]
const WAYS := {"ui_up": -1, "ui_down": 1}
const STEPS := {"ui_left": -1, "ui_right": 1}

var settings: Node
# Knows what the game is made of and where its files are (scenes/main/support.gd).
var support: Node
var page := "looks"
# Whether keys and pads are the panel's.
var active := false

var _listener := KeyListener.new()
var _stick := StickSteps.new()
var _tabs := ChoiceRow.new()
var _lines := {}
# Names of the lines in their order; place -1 is the row of pages.
var _order := []
var _place := -1
var _listening := ""
var _scroll := ScrollContainer.new()
var _list := VBoxContainer.new()
var _told := Ui.label("", Fonts.body(13))


func _init() -> void:
	theme = GameTheme.build()
	var box := GameTheme.panel()
	box.bg_color = Palette.faded(Palette.PANEL, 0.98)
	add_stylebox_override("panel", box)
	var column := VBoxContainer.new()
	add_child(column)
	var head := ClosingHead.new()
	head.set_up(tr("SETTINGS_TITLE"), Fonts.strong(20), tr("SETTINGS_CLOSE_TIP"), "settings", CLOSE)
	head.connect("closed", self, "close")
	column.add_child(head)
	_tabs.add_constant_override("separation", 8)
	_tabs.connect("chosen", self, "_show_page")
	column.add_child(_tabs)
	for name in PAGES:
		_tabs.add_page(name, tr("SETTINGS_PAGE_" + name.to_upper()))
	_list.add_constant_override("separation", 4)
	_list.size_flags_horizontal = SIZE_EXPAND_FILL
	_scroll.size_flags_vertical = SIZE_EXPAND_FILL
	_scroll.scroll_horizontal_enabled = false
	_scroll.add_child(_list)
	column.add_child(_scroll)
	_told.autowrap = true
	column.add_child(_told)
	_told.hide()
	_listener.connect("heard", self, "_on_heard")
	_listener.connect("given_up", self, "_stop_listening")
	_stick.connect("stepped", self, "_on_step")


func set_up(holder: Node, helper: Node) -> void:
	settings = holder
	support = helper
	settings.connect("failed", self, "_show_problem")


func open() -> void:
	show()
	active = true
	_place = -1
	_show_page(page)
	_show_problem()


func close() -> void:
	_stop_listening()
	active = false
	hide()
	emit_signal("closed")


# Opens where another one is.
func open_as(other: Control) -> void:
	page = other.page
	open()
	active = other.active
	_place = other._place
	_show_place()


# Fits into an area of a window, at its right, away from the teacher's corner; into the middle of
# the window where the area is too small.
func fit(area: Rect2, window: Vector2) -> void:
	var whole: bool = area.size.x < WIDTH or area.size.y < LEAST
	var room := Rect2(Vector2.ZERO, window).grow(-8) if whole else area
	var size := Vector2(min(WIDTH, room.size.x), min(HIGHEST, room.size.y))
	var place := Vector2(0.5 if whole else 1.0, 0.5)
	rect_size = size
	rect_position = (room.position + (room.size - size) * place).round()


# Shows anew what was set elsewhere.
func refresh() -> void:
	if not is_visible_in_tree():
		return
	for name in _lines:
		if page == KEYS_PAGE:
			_refresh_keys(name)
		elif settings.DEFAULTS.has(name):
			_refresh_line(name)


func targets() -> Dictionary:
	if not is_visible_in_tree():
		return {}
	var rects := {"panel:settings": get_global_rect()}
	var tabs: Dictionary = _tabs.targets("settings:page_")
	for name in tabs:
		rects[name] = tabs[name]
	var seen := _scroll.get_global_rect()
	for name in _lines:
		if not _lines[name].has_method("targets"):
			rects["settings:" + name] = _lines[name].get_global_rect()
			continue
		var parts: Dictionary = _lines[name].targets()
		for part in parts:
			if seen.encloses(parts[part]):
				rects["settings:%s:%s" % [name, part]] = parts[part]
	return rects


func texts() -> Array:
	var said := [_told.text]
	for name in _order:
		if _lines[name].has_method("texts"):
			said += _lines[name].texts()
	return said + Array(support.about()) if page == ABOUT_PAGE else said


func _input(event: InputEvent) -> void:
	if not is_visible_in_tree():
		return
	if event is InputEventMouseButton and event.pressed:
		var inside := get_global_rect().has_point(event.position)
		active = inside
		_show_place()
		if not inside:
			_stop_listening()
		return
	if not active:
		return
	if _listening != "":
		if _listener.take(event):
			get_tree().set_input_as_handled()
	elif _stick.take(event) or _act(event):
		get_tree().set_input_as_handled()


# What keys and buttons do; whether the event was one of them.
func _act(event: InputEvent) -> bool:
	for action in WAYS:
		if event.is_action_pressed(action, true):
			_move(WAYS[action])
			return true
	for action in STEPS:
		if event.is_action_pressed(action, true):
			_step(STEPS[action])
			return true
	if event.is_action_pressed("ui_accept"):
		if _place >= 0:
			_press(_lines[_order[_place]])
	elif event.is_action_pressed("ui_cancel"):
		close()
	else:
		return event.is_action("ui_accept") or event.is_action("ui_cancel")
	return true


func _on_step(action: String) -> void:
	if WAYS.has(action):
		_move(WAYS[action])
	else:
		_step(STEPS[action])


func _move(way: int) -> void:
	_place = int(clamp(_place + way, -1, _order.size() - 1))
	_show_place()


func _step(way: int) -> void:
	if _place < 0:
		var names := PAGES.keys()
		_show_page(names[posmod(names.find(page) + way, names.size())])
	elif _lines[_order[_place]].has_method("step"):
		_lines[_order[_place]].step(way)


func _press(line: Control) -> void:
	if line is BaseButton:
		line.emit_signal("pressed")
	else:
		line.press()


func _show_page(name: String) -> void:
	var anew := name != page or _lines.empty()
	page = name
	_tabs.show_choice(name)
	if anew:
		_stop_listening()
		_place = -1
		_fill()
	_show_place()


func _fill() -> void:
	for child in _list.get_children():
		_list.remove_child(child)
		child.queue_free()
	_lines = {}
	_order = []
	_scroll.scroll_vertical = 0
	if page == KEYS_PAGE:
		_fill_keys()
		return
	if page == ABOUT_PAGE:
		_fill_about()
		return
	for name in PAGES[page]:
		var line := SettingLine.new()
		var key: String = "SETTINGS_" + name.to_upper()
		line.set_up(tr(key), Keys.tip(tr(key + "_TIP")), name in SHARES)
		line.connect("stepped", self, "_on_stepped", [name])
		_add_line(name, line)
		_refresh_line(name)


func _fill_keys() -> void:
	_add_button("all_keys", tr("SETTINGS_ALL_KEYS"), "_on_help")
	_add_button("reset_keys", tr("SETTINGS_RESET_KEYS"), "_on_reset_all")
	var groups := Actions.grouped()
	for group in groups:
		var caption := Ui.caption(tr("ACTIONS_" + group.to_upper()))
		caption.rect_min_size.y = 28
		caption.valign = Label.VALIGN_BOTTOM
		_list.add_child(caption)
		for action in groups[group]:
			var line := KeyLine.new()
			line.set_up(Actions.name_of(action))
			line.connect("listen_wanted", self, "_listen", [action])
			line.connect("reset_wanted", self, "_on_reset", [action])
			_add_line(action, line)
			_refresh_keys(action)


func _fill_about() -> void:
	for button in ["open_log", "open_files", "copy_about"]:
		_add_button(button, tr("SUPPORT_" + button.to_upper()), "_on_" + button)
	for line in support.about():
		var text := Ui.paragraph(line, 0.0, Fonts.body(12))
		text.add_color_override("font_color", Palette.TEXT_SOFT)
		_list.add_child(text)


func _on_open_log() -> void:
	support.open_log()


func _on_open_files() -> void:
	support.open_files()


func _on_copy_about() -> void:
	OS.clipboard = support.about().join("\n")
	_say(tr("SUPPORT_COPIED"), false)


func _add_button(name: String, text: String, method: String) -> void:
	var button := Ui.button(text)
	button.rect_min_size.y = 32
	button.connect("pressed", self, method)
	_lines[name] = button
	_order.append(name)
	_list.add_child(button)


func _add_line(name: String, line: Control) -> void:
	line.connect("pointed", self, "_on_pointed", [name])
	_lines[name] = line
	_order.append(name)
	_list.add_child(line)


func _show_place() -> void:
	for index in _order.size():
		var line: Control = _lines[_order[index]]
		var here: bool = active and index == _place
		if line is BaseButton:
			line.add_color_override("font_color", Palette.TOKEN if here else Palette.TEXT)
		else:
			line.selected = here
	for name in _tabs.buttons:
		var lit: bool = active and _place < 0 and name == page
		var tab: Button = _tabs.buttons[name]
		tab.add_color_override("font_color_pressed", Color.white)
		var box := GameTheme.flat(
			Palette.SELECTION, GameTheme.SMALL_CORNER, Palette.TEXT if lit else Palette.SELECTION
		)
		tab.add_stylebox_override("pressed", box)
	if _place >= 0:
		_scroll_to(_lines[_order[_place]])


func _scroll_to(line: Control) -> void:
	var top := line.rect_position.y
	var bottom := top + line.rect_size.y
	if top < _scroll.scroll_vertical or _place == 0:
		_scroll.scroll_vertical = int(top if _place > 0 else 0.0)
	elif bottom > _scroll.scroll_vertical + _scroll.rect_size.y:
		_scroll.scroll_vertical = int(bottom - _scroll.rect_size.y)


func _on_pointed(name: String) -> void:
	if _listening != "" and _listening != name:
		_stop_listening()
	_place = _order.find(name)
	_show_place()


func _on_stepped(way: int, name: String) -> void:
	var choices: Array = settings.choices(name)
	var at := choices.find(settings.value(name)) + way
	# What goes from less to more ends there; else after the last comes the first.
	if typeof(choices[0]) == TYPE_INT and name != "frame_limit":
		at = int(clamp(at, 0, choices.size() - 1))
	settings.change(name, choices[posmod(at, choices.size())])
	get_tree().call_group("sounds", "play", "tick")
	refresh()


func _refresh_line(name: String) -> void:
	var value = settings.value(name)
	var share: float = value / 100.0 if name in SHARES else 0.0
	_lines[name].show_value(_words_of(name, value), share)


func _words_of(name: String, value) -> String:
	if typeof(value) == TYPE_BOOL:
		return tr("SETTINGS_ON" if value else "SETTINGS_OFF")
	match name:
		"palette":
			return tr("SETTINGS_PALETTE_" + value.to_upper())
		"language":
			if value == "":
				return tr("SETTINGS_LANGUAGE_SYSTEM")
			var words := load("res://i18n/%s.po" % value) as Translation
			return words.get_message("LANGUAGE_NAME") if words != null else value
		"frame_limit":
			if value == 0:
				return tr("SETTINGS_NO_LIMIT")
			return tr("SETTINGS_FRAMES").format({"count": value})
	return "%d %%" % value


func _refresh_keys(action: String) -> void:
	if not _lines[action] is KeyLine:
		return
	var names := []
	for code in settings.keys.codes(action):
		names.append(KeyMap.name_of(code) if code != "" else "")
	var at := _listener.slot if _listening == action else -1
	_lines[action].show_keys(names, settings.keys.is_changed(action), at)


func _listen(slot: int, action: String) -> void:
	_stop_listening()
	_listening = action
	_listener.begin(slot)
	_say(tr("SETTINGS_PRESS_BUTTON" if slot == 2 else "SETTINGS_PRESS_KEY"), false)
	_refresh_keys(action)


func _stop_listening() -> void:
	if _listening == "":
		return
	var action := _listening
	_listening = ""
	_say("", false)
	if _lines.has(action):
		_refresh_keys(action)


func _on_heard(code: String) -> void:
	var action := _listening
	var old: String = settings.keys.codes(action)[_listener.slot]
	_stop_listening()
	var other: String = settings.keys.change(action, _listener.slot, code)
	if other != "":
		var said := {"key": KeyMap.name_of(code), "other": Actions.name_of(other)}
		said.old = KeyMap.name_of(old)
		_say(tr("SETTINGS_SWAPPED" if old != "" else "SETTINGS_TAKEN").format(said), false)
	get_tree().call_group("sounds", "play", "tick")
	_keep_keys()


func _on_reset(action: String) -> void:
	settings.keys.reset(action)
	_keep_keys()


func _on_reset_all() -> void:
	settings.keys.reset_all()
	_say(tr("SETTINGS_KEYS_RESET"), false)
	_keep_keys()


func _keep_keys() -> void:
	refresh()
	settings.keep_keys()


func _on_help() -> void:
	emit_signal("help_wanted")


func _show_problem() -> void:
	if settings.problem != "":
		_say(settings.problem, true)


func _say(text: String, bad: bool) -> void:
	_told.text = text
	_told.visible = text != ""
	_told.add_color_override("font_color", Palette.BAD.lightened(0.25) if bad else Palette.TEXT)
