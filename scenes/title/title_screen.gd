extends Control
# The title: the game's name over its picture, and the levels to play.

signal level_picked(level)
# The game that was left is to go on.
signal continue_wanted
signal sandbox_wanted

const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LivingFloor := preload("res://scenes/title/living_floor.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const ModsPanel := preload("res://scenes/mods/mods_panel.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const LevelList := preload("res://scenes/title/level_list.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const COLUMN := 464.0
const ABOUT := 400.0
# In which the picture gives way to the living floor.
const FADE_S := 1.2
const CARD := 72.0
const LEFT := 72.0
# Below these sizes the column draws closer together, and the veil behind it is wider.
const LOW := 600.0
const NARROW := 1000.0
const LOW_CARD := 64.0
const TILE := 84.0
const LOW_TILE := 62.0
const BUTTON := 56.0
const SMALL_BUTTON := 44.0
const LOW_BUTTON := 36.0
const CAPTION := 16.0
# Above and below the column.
const AIR := 16.0
# Between the column and the mods' panel, and from that to the window's edge.
const GAP := 24.0
const EDGE := 24.0
const SMALL_EDGE := 8.0
# Who presses a level so soon after others have come, and moved it, meant what was there before.
const MEANT_MS := 400

var _continue: Button
# Where that goes on.
var _left := Ui.label("", Fonts.medium(12), Palette.BACKGROUND)
var _play: Button
var _sandbox: Button
var _saves: Button
var _mods: Button
var _settings: Button
var _quit: Button
var _list := LevelList.new()
var _mods_panel := ModsPanel.new()
var _library: Node
var _name: Label
var _about: Label
var _gaps := []
var _living := LivingFloor.new()
var _moved_ms := -MEANT_MS

onready var _column: VBoxContainer = $Column


func _ready() -> void:
	theme = GameTheme.build()
	$Picture.texture = load("res://scenes/title/title_background.png")
	add_child(_living)
	move_child(_living, 0)
	_living.connect("appeared", self, "_on_appeared")
	_column.rect_min_size.x = COLUMN
	_name = Ui.label(tr("GAME_NAME"), Fonts.strong(60))
	_column.add_child(_name)
	_about = Ui.paragraph(tr("GAME_ABOUT"), ABOUT, Fonts.body(17))
	_about.size_flags_horizontal = 0
	_about.add_color_override("font_color", Palette.TEXT_SOFT)
	_column.add_child(_about)
	_column.add_child(_gap(24))
	_list.connect("level_picked", self, "_on_tile")
	_column.add_child(_list)
	_column.add_child(_gap(16))
	_column.add_child(_buttons())
	_mods_panel.connect("closed", self, "_on_mods_closed")
	add_child(_mods_panel)
	connect("resized", self, "_arrange")
	_arrange()


# Offers the levels, [{number, id, stars, attempts}], as the engine lists them.
func show_levels(levels: Array) -> void:
	if not _list.due.empty():
		_moved_ms = OS.get_ticks_msec()
	_list.show_levels(levels, _library.about_levels() if _library != null else {})
	_play.disabled = _list.due.empty()
	_play.text = tr("TITLE_PLAY")
	if get_focus_owner() == null:
		_play.grab_focus()
	_arrange()


# `save`: the game that was left, as the engine tells it; {}: none.
func offer_last(save: Dictionary) -> void:
	_continue.visible = not save.empty()
	_saves.disabled = false
	_sandbox.disabled = false
	if save.empty():
		return
	var params := {"level": LevelWords.of_save(save), "time": Words.clock(save.t_ps)}
	_continue.hint_tooltip = Keys.tip(tr("TITLE_CONTINUE_TIP").format(params))
	_left.text = "%s, %s" % [params.level, params.time]
	_continue.grab_focus()
	Ui.make_primary(_continue, Palette.PROMPT, Palette.BACKGROUND)
	for state in ["normal", "hover", "pressed"]:
		_continue.get_stylebox(state).content_margin_bottom += CAPTION
	Ui.make_primary(_play, Palette.PANEL_HOVER, Palette.TEXT)
	_arrange()


# A saved game is being loaded: the factory behind all stands.
func wait_for_loading(waits: bool) -> void:
	_living.set_process(not waits and _living.visible)


func show_loading(_rewinding: Dictionary) -> void:
	pass


# `library`: what is known of the mods.
func offer_mods(library: Node) -> void:
	_library = library
	_mods_panel.set_up(library)
	_library.connect("changed", self, "_show_mods")
	_mods.disabled = false
	_show_mods()


# Lets a factory live behind the title; its picture fades when it runs.
func live(client: Node) -> void:
	_living.begin(client)


# Where things are, in the viewport's units; what cannot be used yet is not among them.
func targets() -> Dictionary:
	var rects := {}
	if not _play.disabled:
		rects["title:play"] = _play.get_global_rect()
		rects["title:settings"] = _settings.get_global_rect()
	if _continue.visible:
		rects["title:continue"] = _continue.get_global_rect()
	if not _saves.disabled:
		rects["title:saves"] = _saves.get_global_rect()
		rects["title:sandbox"] = _sandbox.get_global_rect()
	if not _mods.disabled:
		rects["title:mods"] = _mods.get_global_rect()
	for part in [_list.targets(), _mods_panel.targets()]:
		for name in part:
			rects[name] = part[name]
	if get_focus_owner() != null:
		rects["focus"] = get_focus_owner().get_global_rect()
	return {"rects": rects}


# What is told of each level, for tests.
func words() -> Dictionary:
	var due = _list.due.get("number")
	return {"levels": _list.levels, "due": due, "mods": _mods_panel.texts()}


func show_problem(text: String) -> void:
	$Problem.text = text
	$Problem.show()


func _gap(height: float) -> Control:
	var node := Control.new()
	node.rect_min_size.y = height
	_gaps.append({"node": node, "height": height})
	return node


func _buttons() -> Control:
	_continue = Ui.button(tr("TITLE_CONTINUE"))
	_continue.connect("pressed", self, "emit_signal", ["continue_wanted"])
	_continue.hide()
	_left.align = Label.ALIGN_CENTER
	_left.clip_text = true
	_continue.add_child(_left)
	_left.set_anchors_and_margins_preset(PRESET_BOTTOM_WIDE)
	_left.margin_top = -CAPTION - 6
	_left.margin_bottom = -6
	_play = Ui.button(tr("TITLE_LOADING"))
	Ui.make_primary(_play, Palette.PROMPT, Palette.BACKGROUND)
	_play.disabled = true
	_play.connect("pressed", self, "_on_play")
	for button in [_continue, _play]:
		button.add_font_override("font", Fonts.strong(20))
	_sandbox = Ui.button(tr("TITLE_SANDBOX"), Keys.tip(tr("TITLE_SANDBOX_TIP")))
	_sandbox.disabled = true
	_sandbox.connect("pressed", self, "emit_signal", ["sandbox_wanted"])
	_saves = Ui.button(tr("TITLE_SAVES"), Keys.tip(tr("SAVES_TIP"), "saves"))
	_saves.disabled = true
	_saves.connect("pressed", self, "_on_saves")
	_mods = Ui.button(tr("TITLE_MODS"), Keys.tip(tr("TITLE_MODS_TIP"), "mods"))
	_mods.disabled = true
	_mods.connect("pressed", self, "_toggle_mods")
	_settings = Ui.button(tr("TITLE_SETTINGS"), Keys.tip(tr("TITLE_SETTINGS_TIP"), "settings"))
	_settings.connect("pressed", self, "_on_settings")
	_quit = Ui.button(tr("TITLE_QUIT"))
	_quit.connect("pressed", get_tree(), "quit")
	var lines := VBoxContainer.new()
	lines.add_constant_override("separation", 12)
	for buttons in [[_continue, _play], [_sandbox, _saves, _mods], [_settings, _quit]]:
		var line := HBoxContainer.new()
		line.add_constant_override("separation", 12)
		for button in buttons:
			button.focus_mode = FOCUS_ALL
			button.size_flags_horizontal = SIZE_EXPAND_FILL
			line.add_child(button)
		lines.add_child(line)
	return lines


func _arrange() -> void:
	var low := rect_size.y < LOW
	_name.add_font_override("font", Fonts.strong(40 if low else 60))
	_about.visible = not low
	for gap in _gaps:
		gap.node.rect_min_size.y = 0.0 if low else gap.height
	for button in [_continue, _play]:
		button.rect_min_size.y = SMALL_BUTTON if low else BUTTON
	for button in [_sandbox, _saves, _mods, _settings, _quit]:
		button.rect_min_size.y = LOW_BUTTON if low else SMALL_BUTTON
	var tile := LOW_TILE if low else TILE
	var whole := _list.fit(LOW_CARD if low else CARD, tile, _room_for_list())
	if not whole and _about.visible:  # the levels come first
		_about.hide()
		whole = _list.fit(CARD, tile, _room_for_list())
	$Veil.anchor_right = 1.4 if rect_size.x < NARROW else 0.62
	var height := _column.get_combined_minimum_size().y
	var left := LEFT if rect_size.x >= NARROW else max(0.0, (rect_size.x - COLUMN) / 2)
	_column.rect_position = Vector2(left, (rect_size.y - height) / 2).round()
	_column.rect_size = Vector2(COLUMN, height)
	_mods_panel.fit(_mods_area())


func _room_for_list() -> float:
	var around := _column.get_combined_minimum_size().y - _list.rect_min_size.y
	return rect_size.y - around - 2 * AIR


# Beside the column, or over it where there is no room beside it.
func _mods_area() -> Rect2:
	var window := Rect2(Vector2.ZERO, rect_size)
	if rect_size.x < NARROW:
		return window.grow(-SMALL_EDGE)
	var left := LEFT + COLUMN + GAP
	return Rect2(left, EDGE, rect_size.x - left - EDGE, rect_size.y - 2 * EDGE)


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "mods") and not _mods.disabled:
		_toggle_mods()
		get_tree().set_input_as_handled()


func _toggle_mods() -> void:
	if _mods_panel.visible:
		_mods_panel.close()
	else:
		_mods_panel.open()


func _on_mods_closed() -> void:
	_mods.grab_focus()


# How many mods wait for an answer or did not load stands beside the button's word.
func _show_mods() -> void:
	var count: int = _library.open_questions()
	_mods.text = tr("TITLE_MODS") + (" (%d)" % count if count > 0 else "")
	_mods.add_color_override("font_color", Palette.WARNING if count > 0 else Palette.TEXT)


# The picture goes into the dark, and the dark from the living floor: two floors never mix.
func _on_appeared() -> void:
	var fade := Tween.new()
	add_child(fade)
	var seconds := 0.0 if Motion.reduced() else FADE_S / 2
	var dark := Palette.BACKGROUND * Color(0.3, 0.3, 0.3, 1.0)
	fade.interpolate_property($Picture, "modulate", Color.white, dark, seconds)
	var gone := Palette.faded(dark, 0.0)
	var rise := Tween.EASE_IN
	var line := Tween.TRANS_LINEAR
	fade.interpolate_property($Picture, "modulate", dark, gone, seconds, line, rise, seconds)
	fade.start()


func _on_settings() -> void:
	get_tree().call_group("comfort", "toggle_settings")


func _on_saves() -> void:
	get_tree().call_group("saves", "toggle")


func _on_play() -> void:
	_on_level(_list.due.number)


func _on_tile(number) -> void:
	if OS.get_ticks_msec() >= _moved_ms + MEANT_MS:
		_on_level(number)


func _on_level(number) -> void:
	emit_signal("level_picked", number)
