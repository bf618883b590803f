extends ScrollContainer
# Lines below each other, which scroll where there are too many.

var list := VBoxContainer.new()


func _init(separation: int = 4) -> void:
	list.add_constant_override("separation", separation)
	list.size_flags_horizontal = SIZE_EXPAND_FILL
	size_flags_vertical = SIZE_EXPAND_FILL
	scroll_horizontal_enabled = false
	add_child(list)


func clear() -> void:
	for child in list.get_children():
		list.remove_child(child)
		child.queue_free()


# Scrolls as little as shows all of a line.
func reveal(line: Control) -> void:
	var top := line.rect_position.y
	var bottom := top + line.rect_size.y
	if top < scroll_vertical:
		scroll_vertical = int(top)
	elif bottom > scroll_vertical + rect_size.y:
		scroll_vertical = int(bottom - rect_size.y)
