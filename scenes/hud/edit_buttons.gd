extends GridContainer
# Undo, redo, paste and the blueprint library, beside the tools; the keys and the settings.

signal pressed(name)

const Keys := preload("res://scenes/theme/keys.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const NAMES := ["undo", "redo", "help_card", "paste", "blueprints", "settings"]
const SIZE := Vector2(34, 28)

var buttons := {}


func _init() -> void:
	columns = 3
	for way in ["hseparation", "vseparation"]:
		add_constant_override(way, 4)
	for name in NAMES:
		var button := SmallButton.new()
		button.set_up(name, SIZE, _tip(name))
		button.connect("pressed", self, "emit_signal", ["pressed", name])
		buttons[name] = button
		add_child(button)
	show_steps(0, 0)


# How many changes can be undone, and done again.
func show_steps(undo: int, redo: int) -> void:
	_show_steps("undo", undo)
	_show_steps("redo", redo)


func show_library(is_open: bool) -> void:
	buttons.blueprints.toggle_mode = true
	buttons.blueprints.pressed = is_open


func _show_steps(name: String, count: int) -> void:
	buttons[name].enable(count > 0)
	buttons[name].hint_tooltip = "%s\n%s" % [_tip(name), tr("EDIT_STEPS").format({"count": count})]


func _tip(name: String) -> String:
	return Keys.tip(tr("EDIT_%s_TIP" % name.to_upper()), name)
