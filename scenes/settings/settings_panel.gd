extends "res://scenes/settings/lines_panel.gd"
# The settings: a page at a time, and the keys of all actions. A panel among others: the factory
# goes on behind it. Keys and pads are its own while it is active; a click elsewhere gives them
# back.

signal closed
signal help_wanted

const Actions := preload("res://scenes/settings/actions.gd")
const KeyLines := preload("res://scenes/settings/key_lines.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const HIGHEST := 520.0
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

var settings: Node
# Knows what the game is made of and where its files are (scenes/main/support.gd).
var support: Node

var _keys := KeyLines.new()


func _init() -> void:
	page = "looks"
	active = false
	_add_head(tr("SETTINGS_TITLE"), tr("SETTINGS_CLOSE_TIP"), "settings")
	_add_pages(PAGES.keys(), "SETTINGS_PAGE_")
	_add_told()
	_keys.connect("told", self, "say", [false])


func set_up(holder: Node, helper: Node) -> void:
	settings = holder
	support = helper
	_keys.set_up(settings)
	settings.connect("failed", self, "_show_problem")


func open() -> void:
	show()
	active = true
	_place = -1
	show_page(page)
	_show_problem()


func close() -> void:
	_keys.stop()
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


func fit(area: Rect2, window: Vector2) -> void:
	_stand_beside(area, window, HIGHEST)


# Shows anew what was set elsewhere.
func refresh() -> void:
	if not is_visible_in_tree():
		return
	if page == KEYS_PAGE:
		_keys.refresh()
	for name in PAGES[page]:
		_refresh_line(name)


func show_page(name: String) -> void:
	var anew := name != page or _lines.empty()
	.show_page(name)
	if anew:
		_keys.stop()
		_place = -1
		_fill()
	_show_place()


func targets() -> Dictionary:
	return _targets("settings") if is_visible_in_tree() else {}


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
			_keys.stop()
		return
	if not active:
		return
	if _keys.listening != "":
		if _keys.take(event):
			get_tree().set_input_as_handled()
	elif _stick.take(event) or _act(event):
		get_tree().set_input_as_handled()


func _fill() -> void:
	_clear()
	_scroll.scroll_vertical = 0
	if page == KEYS_PAGE:
		_fill_keys()
	elif page == ABOUT_PAGE:
		_fill_about()
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
		_scroll.list.add_child(caption)
		for action in groups[group]:
			_add_line(action, _keys.add(action))


func _fill_about() -> void:
	for button in ["open_log", "open_files", "copy_about"]:
		_add_button(button, tr("SUPPORT_" + button.to_upper()), "_on_" + button)
	for line in support.about():
		var text := Ui.paragraph(line, 0.0, Fonts.body(12))
		text.add_color_override("font_color", Palette.TEXT_SOFT)
		_scroll.list.add_child(text)


func _on_open_log() -> void:
	support.open_log()


func _on_open_files() -> void:
	support.open_files()


func _on_copy_about() -> void:
	OS.clipboard = support.about().join("\n")
	say(tr("SUPPORT_COPIED"), false)


func _add_button(name: String, text: String, method: String) -> void:
	var button := Ui.button(text)
	button.rect_min_size.y = 32
	button.connect("pressed", self, method)
	_add_line(name, button)


func _on_pointed(name: String) -> void:
	if _keys.listening != name:
		_keys.stop()
	._on_pointed(name)


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


func _on_reset_all() -> void:
	_keys.reset_all()


func _on_help() -> void:
	emit_signal("help_wanted")


func _show_problem() -> void:
	if settings.problem != "":
		say(settings.problem, true)
