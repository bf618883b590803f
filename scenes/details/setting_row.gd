extends VBoxContainer
# One setting of a machine: its name, its value between a minus and a plus, a button back to its
# default, and what it does. Where the values have names, these have a line of their own. Settings
# that there are for each tenant stand in a table: what they do is said once above.

signal changed(value)
# A button that would set this value is pointed at, or has the focus.
signal considered(value)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const SettingNames := preload("res://scenes/details/setting_names.gd")
const Ui := preload("res://scenes/theme/ui.gd")
# A range wider than this goes in steps of a power of two, about so many of them.
const SINGLE_STEPS := 32
const STEPS := 16
const KEY := Vector2(28, 26)
# A number's least width, and the air beside it.
const LEAST := 40.0
const AIR := 5.0
# Requests per minute, finer where they are few.
const QUOTAS := [
	0,
	1,
	2,
	3,
	4,
	6,
	8,
	10,
	12,
	15,
	20,
	25,
	30,
	40,
	50,
	60,
	80,
	100,
	120,
	150,
	200,
	250,
	300,
	400,
	500,
	600,
	800,
	1000,
	1500,
	2000,
	3000,
	4000,
	6000,
	10000,
	20000,
	40000,
	60000,
]

var buttons := {}

var _setting := {}
var _pointed := ""
var _value: Control


# `title_text`: its name; `named`: whether its values have names; `width`: of its lines.
func set_up(name: String, title_text: String, named: bool, width: float) -> void:
	add_constant_override("separation", 2)
	var line := _add_line()
	var title := Ui.label(title_text, Fonts.medium(13))
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	title.clip_text = true
	line.add_child(title)
	if named:
		_add_button(line, "reset", "↺", tr("SETTING_RESET_TIP"))
		line = _add_line()
	else:
		_add_button(line, "reset", "↺", tr("SETTING_RESET_TIP"))
	_add_button(line, "less", "−")
	_value = Ui.figures(Fonts.medium(13) if named else Fonts.strong(15), LEAST)
	_value.size_flags_horizontal = SIZE_EXPAND_FILL if named else SIZE_FILL
	_value.size_flags_vertical = SIZE_FILL
	line.add_child(_value)
	_add_button(line, "more", "+")
	add_child(_does(name, width))


# A row of a table: the name of a tenant, and his value. `width`: of the value; 0: it has a line of
# its own.
func set_up_cell(title_text: String, tip: String, width: float) -> void:
	var line := _add_line()
	var title := Ui.label(title_text, Fonts.body(13), Palette.TEXT)
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	title.clip_text = true
	title.mouse_filter = MOUSE_FILTER_PASS
	title.hint_tooltip = tip
	line.add_child(title)
	if width == 0.0:
		line = _add_line()
	_add_button(line, "less", "−")
	_value = Ui.figures(Fonts.medium(13), width)
	_value.size_flags_horizontal = SIZE_EXPAND_FILL if width == 0.0 else SIZE_FILL
	_value.size_flags_vertical = SIZE_FILL
	line.add_child(_value)
	_add_button(line, "more", "+")


# The head of such a table.
static func head_of(name: String, width: float) -> Control:
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 1)
	var key := "SETTING_" + name.to_upper()
	column.add_child(Ui.caption(TranslationServer.translate(key)))
	column.add_child(_does(name, width))
	return column


static func _does(name: String, width: float) -> Label:
	var text := TranslationServer.translate("SETTING_%s_TIP" % name.to_upper())
	var does := Ui.paragraph(text, width, Fonts.body(11))
	does.add_color_override("font_color", Palette.TEXT_SOFT)
	does.add_constant_override("line_spacing", 1)
	return does


# {name, value, default, min, max, choices}
func show_setting(setting: Dictionary) -> void:
	_setting = setting
	_value.text = said(setting.value)
	if setting.choices.empty():
		var widest: float = _value.width_of(said(setting.max)) + 2 * AIR
		_value.rect_min_size.x = max(_value.rect_min_size.x, widest)
	var free: bool = setting.min < setting.max
	for name in buttons:
		buttons[name].visible = free
	_value.side = _value.Side.CENTRE if free else _value.Side.RIGHT
	buttons.less.disabled = setting.value <= setting.min
	buttons.more.disabled = setting.value >= setting.max
	if buttons.has("reset"):
		buttons.reset.disabled = setting.value == setting.default
		buttons.reset.modulate.a = 0.0 if buttons.reset.disabled else 1.0


# Tells again which value is pointed at, if one is.
func consider() -> void:
	if _pointed != "":
		_on_considered(_pointed)


# A value as it is shown.
func said(value: int) -> String:
	if not _setting.choices.empty():
		return _setting.choices[value - _setting.min]
	return SettingNames.value(_setting.name, value)


func _add_line() -> HBoxContainer:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 3)
	add_child(line)
	return line


func _add_button(line: Control, name: String, text: String, tip: String = "") -> void:
	var button := Ui.button(text, tip)
	button.rect_min_size = KEY
	button.connect("pressed", self, "_on_pressed", [name])
	for pointed in ["mouse_entered", "focus_entered"]:
		button.connect(pointed, self, "_on_considered", [name])
	for left in ["mouse_exited", "focus_exited"]:
		button.connect(left, self, "_on_left")
	buttons[name] = button
	line.add_child(button)


func _value_of(name: String) -> int:
	if name == "reset":
		return _setting.default
	var step := -1 if name == "less" else 1
	if SettingNames.base(_setting.name) == "quota":
		return int(clamp(_beside(QUOTAS, step), _setting.min, _setting.max))
	var reach := int(_setting.max - _setting.min)
	if reach > SINGLE_STEPS:
		step *= nearest_po2(reach / STEPS)
	return int(clamp(_setting.value + step, _setting.min, _setting.max))


# The value of a list that comes next after the setting's, that way.
func _beside(values: Array, way: int) -> int:
	for index in values.size():
		var value: int = values[index if way > 0 else values.size() - 1 - index]
		if (value - _setting.value) * way > 0:
			return value
	return _setting.value


func _on_pressed(name: String) -> void:
	var value := _value_of(name)
	if value != _setting.value:
		emit_signal("changed", value)


func _on_left() -> void:
	_pointed = ""


func _on_considered(name: String) -> void:
	_pointed = name
	var value := _value_of(name)
	if value != _setting.value:
		emit_signal("considered", value)
