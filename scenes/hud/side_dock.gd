extends VBoxContainer
# The column to the right: a row of tab buttons over ONE visible panel.
#
# To plug a panel in: `_dock.add_panel("graphs", GraphsPanel.new())` in hud.gd's `_init`, in the
# order of the tabs. A panel is the content alone (a VBoxContainer, say): the dock draws the frame,
# gives it the width, and scrolls it when it is higher than the room. A panel whose vertical size
# flag is SIZE_EXPAND_FILL gets the whole height. It has what it needs of these; all are optional:
#   set_up(client, floor_view)     once
#   show_snapshot(snapshot)        each frame while it is visible
#   refresh()                      when opened, and 5 times a second while visible
#   targets() -> Dictionary        name -> Rect2 (global), for automatic play
#   texts() -> Array               the Strings that it shows, for tests
#   signals machine_picked(id), request_picked(id)   handed on by the dock
# Its tab is opened by the action "panel_NAME"; its words are PANEL_NAME and PANEL_NAME_TIP; its
# picture is NAME in scenes/theme/glyph.gd.

signal machine_picked(id)
signal request_picked(id)
# The panel that is open now ("": none).
signal opened(name)

const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 300.0
const REFRESH_S := 0.2
const TAB := Vector2(38, 32)
const TAB_PICTURE := 16.0
const GAP := 8
const TAB_GAP := 4
# Between what a panel says and the scroll bar.
const AIR := 4

var buttons := {}
var panels := {}
var switches := {}
var current := ""
# The most that the dock may take, set by the HUD.
var room := Vector2(WIDTH, 400) setget set_room

var _tabs := HBoxContainer.new()
var _frame := PanelContainer.new()
var _scroll := ScrollContainer.new()
# A ScrollContainer reckons with what is hidden in it too, a box does not.
var _stack := VBoxContainer.new()
var _refresh := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	add_constant_override("separation", GAP)
	_tabs.mouse_filter = MOUSE_FILTER_IGNORE
	_tabs.alignment = BoxContainer.ALIGN_END
	_tabs.add_constant_override("separation", TAB_GAP)
	add_child(_tabs)
	_scroll.scroll_horizontal_enabled = false
	_scroll.follow_focus = true
	_stack.size_flags_horizontal = SIZE_EXPAND_FILL
	_stack.size_flags_vertical = SIZE_EXPAND_FILL
	var beside_bar := MarginContainer.new()
	beside_bar.size_flags_horizontal = SIZE_EXPAND_FILL
	beside_bar.size_flags_vertical = SIZE_EXPAND_FILL
	beside_bar.add_constant_override("margin_right", AIR)
	beside_bar.add_child(_stack)
	_scroll.add_child(beside_bar)
	_frame.add_child(_scroll)
	_frame.hide()
	add_child(_frame)


func add_panel(name: String, panel: Control) -> void:
	panels[name] = panel
	panel.hide()
	panel.size_flags_horizontal = SIZE_EXPAND_FILL
	_stack.add_child(panel)
	panel.connect("minimum_size_changed", self, "_fit")
	for picked in ["machine_picked", "request_picked"]:
		if panel.has_signal(picked):
			panel.connect(picked, self, "_on_picked", [picked])
	_add_tab(name)


func set_up(client: Node, floor_view: Node2D) -> void:
	for panel in panels.values():
		if panel.has_method("set_up"):
			panel.set_up(client, floor_view)


# A button beside the tabs that switches something on and off; its words are NAME_TIP, its key and
# its picture have its name.
func add_switch(name: String) -> Button:
	var button := _button(name, Keys.tip(tr(name.to_upper() + "_TIP"), name))
	switches[name] = button
	_tabs.add_child(button)
	_tabs.move_child(button, 0)
	return button


# Opens a panel ("": closes the one that is open).
func open(name: String) -> void:
	if name != "" and not panels.has(name):
		return
	current = name
	for each in panels:
		panels[each].visible = each == name
		buttons[each].pressed = each == name
	_frame.visible = name != ""
	_scroll.scroll_vertical = 0
	_fit()
	emit_signal("opened", name)
	refresh()


# Whether there is anything that a panel would show.
func offer(name: String, offered: bool) -> void:
	buttons[name].visible = offered
	if not offered and current == name:
		open("details")
	_narrow_tabs()


# As the key and the tab button do: opens, or closes what is open.
func toggle(name: String) -> void:
	open("" if name == current else name)


# The width of its tab buttons alone.
func least() -> float:
	return _tabs.get_combined_minimum_size().x


func show_snapshot(snapshot: Dictionary) -> void:
	if current != "" and panels[current].has_method("show_snapshot"):
		panels[current].show_snapshot(snapshot)


# Asks again at once.
func refresh() -> void:
	_refresh = REFRESH_S
	if current != "" and panels[current].has_method("refresh"):
		panels[current].refresh()


func targets() -> Dictionary:
	var rects := {}
	for shown in [buttons, switches]:
		for name in shown:
			if shown[name].visible:
				rects["dock:" + name] = shown[name].get_global_rect()
	if current != "":
		rects["panel:" + current] = _frame.get_global_rect()
		if panels[current].has_method("targets"):
			var more: Dictionary = panels[current].targets()
			for name in more:
				rects[name] = more[name]
	return rects


# Scrolls the open panel until one of its targets is seen; whether it was.
func reveal(target: String) -> bool:
	if current == "" or not panels[current].has_method("targets"):
		return false
	var there: Rect2 = panels[current].targets().get(target, Rect2())
	if there.has_no_area():
		return false
	var seen := _scroll.get_global_rect()
	var below := there.end.y - seen.end.y
	var above := seen.position.y - there.position.y
	if below > 0.0:
		_scroll.scroll_vertical += int(ceil(below))
	elif above > 0.0:
		_scroll.scroll_vertical -= int(ceil(above))
	return below <= 0.0 and above <= 0.0


func texts() -> Array:
	if current != "" and panels[current].has_method("texts"):
		return panels[current].texts()
	return []


func set_room(value: Vector2) -> void:
	if value != room:
		room = value
		_fit()


func _process(delta: float) -> void:
	_refresh -= delta
	if _refresh <= 0.0:
		refresh()


func _unhandled_input(event: InputEvent) -> void:
	for name in panels:
		if buttons[name].visible and Keys.pressed(event, "panel_" + name):
			toggle(name)


# As high as the panel needs, and no higher than there is room.
func _fit() -> void:
	if current == "":
		rect_size = Vector2.ZERO
		return
	var panel: Control = panels[current]
	var box := _frame.get_stylebox("panel").get_minimum_size()
	var most := room.y - TAB.y - GAP - box.y
	var high := panel.get_combined_minimum_size().y
	if panel.size_flags_vertical & SIZE_EXPAND:
		high = most
	_scroll.rect_min_size = Vector2(room.x - box.x, max(0.0, min(high, most)))
	rect_size = Vector2.ZERO


func _add_tab(name: String) -> void:
	var button := _button(name, Keys.tip(tr("PANEL_%s_TIP" % name.to_upper()), "panel_" + name))
	button.connect("pressed", self, "toggle", [name])
	buttons[name] = button
	_tabs.add_child(button)


# So that all that are shown stand above the panel.
func _narrow_tabs() -> void:
	var shown := 0
	for button in _tabs.get_children():
		shown += int(button.visible)
	var most := floor((WIDTH - (shown - 1) * TAB_GAP) / max(shown, 1))
	for button in _tabs.get_children():
		button.rect_min_size.x = min(TAB.x, most)


func _button(name: String, tip: String) -> Button:
	var button := Ui.button("", tip)
	button.toggle_mode = true
	button.rect_min_size = TAB
	for state in ["normal", "hover"]:
		var box := GameTheme.flat(Palette.PANEL, GameTheme.SMALL_CORNER, Palette.OUTLINE)
		if state == "hover":
			box.bg_color = Palette.PANEL_HOVER
		button.add_stylebox_override(state, box)
	var picture := Glyph.new()
	picture.picture = name
	button.add_child(picture)
	picture.rect_size = Vector2(TAB_PICTURE, TAB_PICTURE)
	button.connect("resized", self, "_place_picture", [button, picture])
	_place_picture(button, picture)
	return button


func _place_picture(button: Button, picture: Control) -> void:
	picture.rect_position = ((button.rect_size - picture.rect_size) / 2).round()


func _on_picked(id: int, signal_name: String) -> void:
	emit_signal(signal_name, id)
