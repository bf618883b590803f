extends PanelContainer
# One place for a game that is kept: its factory, what it is, and what can be done with it. What
# cannot be undone takes a second press, which the row asks for.

# save, load, delete
signal pressed(deed)

const BlueprintPicture := preload("res://scenes/blueprints/blueprint_picture.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const PICTURE := Vector2(64, 56)
const BUTTON := Vector2(88, 32)
const SMALL := Vector2(32, 32)
const STAR := 12.0
# In which the second press counts.
const SURE_S := 4.0

var slot
var buttons := {}

var _picture := BlueprintPicture.new()
var _name: Label
var _line: Label
var _when: Label
var _stars := StarRow.new()
var _last := HBoxContainer.new()
# What a second press does now ("": nothing), and for how long still.
var _armed := ""
var _left := 0.0
# What the line says while nothing is asked.
var _said := ""
var _bad := false
# What a first press of the others does at once.
var _asks := []


func _init() -> void:
	add_stylebox_override("panel", _box(Palette.OUTLINE_SOFT))
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 8)
	add_child(line)
	_picture.rect_min_size = PICTURE
	line.add_child(_picture)
	line.add_child(_texts())
	for deed in ["save", "load"]:
		var button := Ui.button(tr("SAVES_" + deed.to_upper()))
		button.add_stylebox_override("normal", GameTheme.flat(Palette.PANEL_HOVER, 8))
		_add_button(line, deed, button, BUTTON)
	var delete := SmallButton.new()
	delete.set_up("remove", SMALL, tr("SAVES_DELETE_TIP"))
	_add_button(line, "delete", delete, SMALL)
	set_process(false)


# `told`: the engine's row of `saves`, {} for an empty slot; `playing`: whether there is a game that
# can be kept.
func show_save(place, told: Dictionary, playing: bool, art: Reference) -> void:
	slot = place
	disarm()
	var held := not told.empty()
	var there: bool = held and told.code == null
	_name.text = _title(told)
	_name.hint_tooltip = _name.text
	_said = _figures(told) if there else ""
	_bad = held and (not there or told.previous or told.get("mod_note", "") != "")
	if not held:
		_said = tr("SAVES_EMPTY")
	elif not there:
		_said = Words.of(told.code, told.params)
	elif told.previous:
		_said = Words.of("save.previous", {"file": told.file})
	elif told.get("mod_note", "") != "":
		_said = told.mod_note
	_show_line(_said, Palette.BAD.lightened(0.25) if _bad else Palette.TEXT_SOFT)
	_when.text = _goals(told) if there else ""
	_stars.reached = told.get("stars", [])
	_stars.visible = there and told.phase == "ended"
	_asks = ["delete"]
	if held:
		_asks.append("save")
	if playing and not slot is int:
		# The game of now would be kept there.
		_asks.append("load")
	buttons.save.visible = playing and slot is int
	buttons.save.get_parent().visible = buttons.save.visible
	buttons.save.hint_tooltip = tr("SAVES_OVERWRITE_TIP" if held else "SAVES_SAVE_TIP")
	buttons.load.visible = there
	buttons.delete.visible = held
	_picture.visible = there
	_last.visible = there
	if there and told.get("layout") != null and not told.layout.machines.empty():
		_picture.show_blueprint({"blueprint": told.layout}, art)


# What it says, for tests.
func words() -> Array:
	return [_name.text, _line.text, _when.text]


func disarm() -> void:
	if _armed != "":
		_armed = ""
		_show_line(_said, Palette.BAD.lightened(0.25) if _bad else Palette.TEXT_SOFT)
		add_stylebox_override("panel", _box(Palette.OUTLINE_SOFT))
	set_process(false)


func _process(delta: float) -> void:
	_left -= delta
	if _left <= 0.0:
		disarm()


func _on_pressed(deed: String) -> void:
	if deed in _asks and _armed != deed:
		_arm(deed)
		return
	disarm()
	emit_signal("pressed", deed)


func _arm(deed: String) -> void:
	_armed = deed
	_left = SURE_S
	_show_line(tr("SAVES_SURE_" + deed.to_upper()), Palette.WARNING)
	add_stylebox_override("panel", _box(Palette.WARNING))
	set_process(true)


func _title(told: Dictionary) -> String:
	var place := tr("SAVES_AUTO") if not slot is int else tr("SAVES_SLOT").format({"slot": slot})
	if told.get("level") == null:
		return place
	return "%s   %s" % [place, LevelWords.of_save(told)]


# How far the run had come.
func _figures(told: Dictionary) -> String:
	var key: String = "SAVES_PHASE_" + told.phase.to_upper()
	return tr(key).format({"time": Words.clock(told.t_ps), "tps": Words.decimal(told.tps, 1)})


# How many goals were met, and when it was saved.
func _goals(told: Dictionary) -> String:
	if told.phase == "build" or told.goals.empty():
		return told.date
	var met := 0
	for goal in told.goals:
		met += int(goal.met)
	var goals := tr("SAVES_GOALS").format({"met": met, "all": told.goals.size()})
	return "%s   %s" % [goals, told.date]


func _show_line(text: String, colour: Color) -> void:
	# What is wrong is read to its end; figures are short.
	_line.autowrap = _bad and _armed == ""
	_line.clip_text = not _line.autowrap
	_line.text = text
	_line.hint_tooltip = Ui.Keys.tip(text)
	_line.add_color_override("font_color", colour)


func _texts() -> Control:
	var column := VBoxContainer.new()
	column.alignment = BoxContainer.ALIGN_CENTER
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	column.add_constant_override("separation", 2)
	_name = Ui.label("", Fonts.medium(14))
	_line = Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	_when = Ui.label("", Fonts.body(12), Palette.TEXT_FAINT)
	for label in [_name, _line]:
		label.clip_text = true
		label.mouse_filter = MOUSE_FILTER_PASS
		column.add_child(label)
	_stars.side = STAR
	_stars.size_flags_vertical = SIZE_SHRINK_CENTER
	_last.add_child(_stars)
	_last.add_child(_when)
	column.add_child(_last)
	return column


# Keeps the button's place where it is not shown, so that those of all rows are in line.
func _add_button(line: Control, deed: String, button: Button, size: Vector2) -> void:
	button.rect_min_size = size
	var place := MarginContainer.new()
	place.rect_min_size = size
	place.size_flags_vertical = SIZE_SHRINK_CENTER
	place.add_child(button)
	button.connect("pressed", self, "_on_pressed", [deed])
	buttons[deed] = button
	line.add_child(place)


static func _box(outline: Color) -> StyleBoxFlat:
	var box := GameTheme.flat(Palette.PANEL_INSET, GameTheme.SMALL_CORNER, outline)
	for margin in ["left", "right", "top", "bottom"]:
		box.set("content_margin_" + margin, 8)
	return box
