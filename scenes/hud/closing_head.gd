extends HBoxContainer
# The head of a panel: its title, and the button that closes it.

signal closed

const Keys := preload("res://scenes/theme/keys.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const Ui := preload("res://scenes/theme/ui.gd")

var button := SmallButton.new()


# `tip`: what closes it; `action`: that does it too.
func set_up(title: String, font: Font, tip: String, action: String, side: float) -> void:
	var label := Ui.label(title, font)
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	add_child(label)
	button.set_up("close", Vector2(side, side), Keys.tip(tip, action))
	button.connect("pressed", self, "emit_signal", ["closed"])
	add_child(button)
