extends HBoxContainer
# A row of buttons of which one is chosen: the pages of a panel, the span of a graph.

signal chosen(name)

const Ui := preload("res://scenes/theme/ui.gd")
const PAGE_HEIGHT := 32.0

var buttons := {}


func add_choice(name: String, text: String, tip: String = "") -> Button:
	var button := Ui.button(text, tip)
	button.toggle_mode = true
	button.connect("pressed", self, "emit_signal", ["chosen", name])
	buttons[name] = button
	add_child(button)
	return button


# A page's button: as wide as the others together leave room for.
func add_page(name: String, text: String) -> void:
	var button := add_choice(name, text)
	button.size_flags_horizontal = SIZE_EXPAND_FILL
	button.rect_min_size.y = PAGE_HEIGHT


# Shows which one is chosen.
func show_choice(name: String) -> void:
	for each in buttons:
		buttons[each].pressed = each == name


# Where the buttons are, by "PREFIX" and name.
func targets(prefix: String) -> Dictionary:
	var rects := {}
	for name in buttons:
		rects[prefix + name] = buttons[name].get_global_rect()
	return rects
