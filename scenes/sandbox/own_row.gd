extends Control
# A level of the player's own: opened by a press, deleted by two. Left and right go from one button
# to the other.

signal pressed(deed)
signal pointed

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const SettingLine := preload("res://scenes/settings/setting_line.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 44.0
const INSET := 12.0
const BUTTON := Vector2(120, 32)
const SMALL := Vector2(36, 32)
const DEEDS := ["open", "delete"]

var selected := false setget set_selected
var buttons := {}

var _name := Ui.label("", Fonts.medium(14))
var _note := Ui.label("", Fonts.body(12), Palette.WARNING)
var _deed := 0
var _asked := false


func _init() -> void:
	rect_min_size.y = HEIGHT
	mouse_filter = MOUSE_FILTER_PASS
	for label in [_name, _note]:
		label.clip_text = true
		add_child(label)
	buttons["open"] = Ui.button(tr("SANDBOX_OPEN"), tr("SANDBOX_OPEN_TIP"))
	var small := SmallButton.new()
	small.set_up("remove", SMALL, tr("SANDBOX_DELETE_TIP"))
	buttons["delete"] = small
	for deed in DEEDS:
		buttons[deed].connect("pressed", self, "_on_pressed", [deed])
		add_child(buttons[deed])
	connect("resized", self, "_place")


# `problem`: why it cannot be opened; "" where it can.
func show_level(title: String, problem: String) -> void:
	_name.text = PlainText.of(title, 40)
	_note.text = problem
	_note.hint_tooltip = problem
	buttons.open.disabled = problem != ""
	if problem != "":
		_deed = 1


func set_selected(value: bool) -> void:
	selected = value
	if not value:
		_ask(false)
	_show_deed()


func step(way: int) -> void:
	if not buttons.open.disabled:
		_deed = int(clamp(_deed + way, 0, 1))
	_ask(false)
	_show_deed()


func press() -> void:
	_on_pressed(DEEDS[_deed])


func texts() -> Array:
	return [_name.text, _note.text]


func targets() -> Dictionary:
	return {"open": buttons.open.get_global_rect(), "delete": buttons["delete"].get_global_rect()}


func _on_pressed(deed: String) -> void:
	if deed == "delete" and not _asked:
		emit_signal("pointed")
		_deed = 1
		_ask(true)
	else:
		emit_signal("pressed", deed)


func _ask(value: bool) -> void:
	if value != _asked:
		_asked = value
		_note.text = tr("SANDBOX_DELETE_ASK") if value else ""
		_place()


func _show_deed() -> void:
	update()


func _draw() -> void:
	if selected:
		draw_style_box(SettingLine.selection_box(), Rect2(Vector2.ZERO, rect_size))
		var box := Ui.GameTheme.focus_inside(Ui.GameTheme.SMALL_CORNER)
		var button: Control = buttons[DEEDS[_deed]]
		draw_style_box(box, Rect2(button.rect_position, button.rect_size).grow(3))


func _place() -> void:
	var right := rect_size.x - INSET / 2
	var middle := rect_size.y / 2
	_put(buttons["delete"], Rect2(right - SMALL.x, middle - SMALL.y / 2, SMALL.x, SMALL.y))
	right -= SMALL.x + 8
	_put(buttons.open, Rect2(right - BUTTON.x, middle - BUTTON.y / 2, BUTTON.x, BUTTON.y))
	var width := right - BUTTON.x - 2 * INSET
	var noted := _note.text != ""
	_put(_name, Rect2(INSET, 4.0 if noted else middle - 10, width, 20))
	_put(_note, Rect2(INSET, 23, width, 18))


func _put(node: Control, at: Rect2) -> void:
	node.rect_position = at.position.round()
	node.rect_size = at.size
