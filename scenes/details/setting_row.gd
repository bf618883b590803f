extends VBoxContainer
# One setting of a machine: its name, and its value between a minus and a plus. Where the values
# have names, these have a line of their own.

signal changed(value)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
# A range wider than this goes in steps of a power of two, about so many of them.
const SINGLE_STEPS := 32
const STEPS := 16

var _setting := {}
var _value: Control
var _less: Button
var _more: Button


# `named`: whether its values have names.
func set_up(name: String, named: bool) -> void:
	hint_tooltip = tr("SETTING_%s_TIP" % name.to_upper())
	var line := HBoxContainer.new()
	add_child(line)
	var title := Ui.label(tr("SETTING_" + name.to_upper()), Fonts.body(13), Palette.TEXT_SOFT)
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	title.clip_text = true
	line.add_child(title)
	if named:
		line = HBoxContainer.new()
		add_child(line)
	_less = _button(line, "−", -1)
	_value = Ui.figures(Fonts.medium(13) if named else Fonts.strong(15), 44)
	_value.size_flags_horizontal = SIZE_EXPAND_FILL if named else SIZE_FILL
	_value.size_flags_vertical = SIZE_FILL
	line.add_child(_value)
	_more = _button(line, "+", 1)


# {name, value, min, max, choices}
func show_setting(setting: Dictionary) -> void:
	_setting = setting
	_value.text = str(setting.value)
	if not setting.choices.empty():
		_value.text = setting.choices[setting.value - setting.min]
	_less.visible = setting.min < setting.max
	_more.visible = _less.visible
	_value.side = _value.Side.CENTRE if _less.visible else _value.Side.RIGHT
	_less.disabled = setting.value <= setting.min
	_more.disabled = setting.value >= setting.max


func _button(line: Control, text: String, step: int) -> Button:
	var button := Ui.button(text)
	button.rect_min_size = Vector2(30, 28)
	button.connect("pressed", self, "_on_step", [step])
	line.add_child(button)
	return button


func _on_step(step: int) -> void:
	var reach := int(_setting.max - _setting.min)
	if reach > SINGLE_STEPS:
		step *= nearest_po2(reach / STEPS)
	emit_signal("changed", int(clamp(_setting.value + step, _setting.min, _setting.max)))
