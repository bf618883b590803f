extends CanvasLayer
# How the game suits its player: holds the settings, carries each out, and shows their panel and the
# card of all keys over whatever screen is shown. Anybody may ask for those:
# get_tree().call_group("comfort", "toggle_settings").

# Words or keys are others now: what is shown must be made anew.
signal renewal_wanted

const HelpCard := preload("res://scenes/settings/help_card.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Lens := preload("res://scenes/settings/lens.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const Options := preload("res://scenes/main/options.gd")
const Settings := preload("res://scenes/settings/settings.gd")
const SettingsPanel := preload("res://scenes/settings/settings_panel.gd")
const ABOVE := 20
const EDGE := 24.0
const BUSES := {"master": "Master", "effects": "Effects", "music": "Music"}
const SILENT_DB := -80.0

var settings := Settings.new()
# The scale of the interface, from scenes/main/ui_scale.gd.
var ui_scale: Node
# What helps where something goes wrong, from scenes/main/support.gd.
var support: Node
# What is shown below, and may say where its panels leave room.
var screen: Node

var _lens := Lens.new()
var _panel: Control
var _card: Control
var _focused := true
# Whether the settings stopped the time, and so let it go on.
var _holding := false
var _language := ""
var _window := Vector2.ZERO
var _area := Rect2()


func _init() -> void:
	layer = ABOVE
	add_to_group("comfort")
	if not Options.has(Options.SAFE_MODE):
		settings.read()
	_language = TranslationServer.get_locale()
	_apply_language()
	settings.connect("changed", self, "_on_changed")
	for node in [settings, _lens]:
		add_child(node)


func _ready() -> void:
	for name in ["palette", "reduced_motion", "ui_scale", "frame_limit", "master", "fullscreen"]:
		_apply(name)
	_make()


# A screen is shown: over it, and told first of keys.
func follow(next: Node) -> void:
	screen = next
	raise()
	_place()


# Out of the way of another panel.
func close() -> void:
	if _panel.visible:
		_panel.close()


func toggle_settings() -> void:
	if _panel.visible:
		_panel.close()
		return
	get_tree().call_group("saves", "close")
	_card.hide()
	_panel.open()
	_place()
	_play("open")
	if settings.value("pause_here"):
		_hold(true)


func toggle_help_card() -> void:
	_card.visible = not _card.visible
	# Keys are those of what lies on top.
	_panel.active = _panel.visible and not _card.visible
	_place()
	_play("open" if _card.visible else "close")


# Where things are, in the viewport's units.
func targets() -> Dictionary:
	var rects: Dictionary = _panel.targets()
	if _card.visible:
		rects["panel:help_card"] = _card.get_global_rect()
	return rects


# What is set and said, for tests.
func told() -> Dictionary:
	return {
		"panel": _panel.page if _panel.visible else "",
		"texts": _panel.texts() if _panel.visible else [],
		"card": _card.texts() if _card.visible else [],
	}


func _notification(what: int) -> void:
	if what == NOTIFICATION_WM_FOCUS_IN or what == NOTIFICATION_WM_FOCUS_OUT:
		_focused = what == NOTIFICATION_WM_FOCUS_IN
		_apply("master")


func _input(event: InputEvent) -> void:
	if not _card.visible:
		return
	if event.is_action_pressed("ui_cancel"):
		toggle_help_card()
	elif not _card.scroll(event):
		return
	get_tree().set_input_as_handled()


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "fullscreen"):
		settings.change("fullscreen", not OS.window_fullscreen)
		_apply("fullscreen")
	elif Keys.pressed(event, "help_card"):
		toggle_help_card()
	elif Keys.pressed(event, "settings") or _leaves(event):
		toggle_settings()
	else:
		return
	get_tree().set_input_as_handled()


# Esc where there is nothing left to give up.
func _leaves(event: InputEvent) -> bool:
	if not event is InputEventKey or not Keys.pressed(event, "cancel"):
		return false
	return not screen.has_method("at_rest") or screen.at_rest()


func _on_changed(name: String) -> void:
	_apply(name)
	_panel.refresh()
	if name == "language":
		call_deferred("_renew_words")
	elif name == Settings.KEYS:
		call_deferred("_renew_keys")


func _apply(name: String) -> void:
	match name:
		"palette", "high_contrast":
			_lens.show_palette(settings.value("palette"), settings.value("high_contrast"))
		"reduced_motion":
			Motion.reduce(settings.value("reduced_motion"))
		"ui_scale":
			ui_scale.share = settings.value("ui_scale") / 100.0
		"frame_limit":
			Engine.target_fps = settings.value("frame_limit")
		"fullscreen":
			if OS.window_fullscreen != settings.value("fullscreen"):
				OS.window_fullscreen = settings.value("fullscreen")
		"language":
			_apply_language()
		"master", "effects", "music", "mute_unfocused":
			_apply_volumes()
		"pause_here":
			if _panel.visible:
				_hold(settings.value("pause_here"))


func _apply_language() -> void:
	var chosen: String = settings.value("language")
	TranslationServer.set_locale(_language if chosen == "" else chosen)


func _apply_volumes() -> void:
	for name in BUSES:
		var bus := AudioServer.get_bus_index(BUSES[name])
		var share: float = settings.value(name) / 100.0
		if name == "master" and settings.value("mute_unfocused") and not _focused:
			share = 0.0
		if bus >= 0:
			AudioServer.set_bus_volume_db(bus, SILENT_DB if share == 0.0 else linear2db(share))


# Panel and card in the words of now.
func _make() -> void:
	_panel = SettingsPanel.new()
	_panel.set_up(settings, support)
	_panel.hide()
	add_child(_panel)
	_panel.connect("closed", self, "_on_closed")
	_panel.connect("help_wanted", self, "toggle_help_card")
	_make_card()


func _make_card() -> void:
	_card = HelpCard.new()
	_card.hide()
	add_child(_card)
	_card.connect("close_wanted", self, "toggle_help_card")


# With other keys; the panel itself goes on.
func _renew_keys() -> void:
	_card.queue_free()
	_make_card()
	_place()
	emit_signal("renewal_wanted")


# In another language.
func _renew_words() -> void:
	var old := _panel
	_card.queue_free()
	_make()
	if old.visible:
		_panel.open_as(old)
	old.queue_free()
	_place()
	emit_signal("renewal_wanted")


func _on_closed() -> void:
	_play("close")
	_hold(false)


func _play(name: String) -> void:
	get_tree().call_group("sounds", "play", name)


func _hold(wanted: bool) -> void:
	if wanted == _holding or screen == null or not screen.has_method("hold"):
		return
	_holding = screen.hold(wanted) and wanted


func _process(_delta: float) -> void:
	if _panel.visible or _card.visible:
		var window := get_viewport().get_visible_rect().size
		if window != _window or _free_area() != _area:
			_place()


func _place() -> void:
	_window = get_viewport().get_visible_rect().size
	_area = _free_area()
	_panel.fit(_area, _window)
	# Its many words are written only for who looks at them.
	if _card.visible:
		_card.fit(_window)


# Where the screen's own panels leave room.
func _free_area() -> Rect2:
	if screen != null and screen.has_method("free_area"):
		var area: Rect2 = screen.free_area()
		return area if area.size.x > 0.0 else _area
	return get_viewport().get_visible_rect().grow(-EDGE)
