extends PanelContainer
# What is selected, counted, and what can be done with it.

signal pressed(name)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Tally := preload("res://scenes/tools/tally.gd")
const Ui := preload("res://scenes/theme/ui.gd")
# What is done, its picture and the action whose key the tooltip names.
const DEEDS := {
	"copy": "copy",
	"cut": "cut",
	"save": "",
	"remove": "delete_selection",
}
const SIZE := Vector2(32, 28)

var buttons := {}
# Whether something else is in its place.
var aside := false setget set_aside

var _chosen := false
var _count: Label


func _init() -> void:
	add_stylebox_override("panel", GameTheme.panel(10, 8))
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 4)
	add_child(line)
	_count = Ui.label("", Fonts.medium(13))
	line.add_child(_count)
	var gap := Control.new()
	gap.rect_min_size.x = 4
	line.add_child(gap)
	for name in DEEDS:
		var button := SmallButton.new()
		button.set_up(name, SIZE, Keys.tip(tr("SELECTION_%s_TIP" % name.to_upper()), DEEDS[name]))
		button.connect("pressed", self, "emit_signal", ["pressed", name])
		buttons[name] = button
		line.add_child(button)
	hide()


# Hidden while nothing is selected that the player has built.
func show_selection(selection: Reference) -> void:
	var own: Array = selection.own()
	_chosen = not own.empty()
	visible = _chosen and not aside
	_count.text = Tally.things(selection.machines().size(), selection.belts().size())
	rect_size = Vector2.ZERO


func set_aside(value: bool) -> void:
	aside = value
	visible = _chosen and not aside
