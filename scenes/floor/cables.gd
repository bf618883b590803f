extends Node2D
# Cables in the floor, from the racks on the rim straight to each GPU that no other one hides.

const Grid := preload("res://scenes/floor/grid.gd")
const CABLE := preload("res://scenes/floor/decor/cable.png")
const CABLE_END := preload("res://scenes/floor/decor/cable_end.png")
const PIVOT := Vector2(128, 112)
const SCALE := 0.5
# The cables leave the rim behind a rack, so many tiles from a GPU's left corner at least.
const INSIDE := 1

var _pads := []


func rebuild(pads: Array) -> void:
	_pads = pads
	update()


func _draw() -> void:
	for pad in _pads:
		var x := _free_column(pad)
		if x >= 0:
			for y in range(-1, pad.y):
				_put(CABLE_END if y == pad.y - 1 else CABLE, x, y)


# The first column of a GPU with no other GPU before the rim, or -1.
func _free_column(pad: Dictionary) -> int:
	for x in range(pad.x + INSIDE, pad.x + pad.w):
		var free := true
		for other in _pads:
			if other.y < pad.y and x >= other.x and x < other.x + other.w:
				free = false
		if free:
			return x
	return -1


func _put(texture: Texture, x: int, y: int) -> void:
	var at := Grid.to_world(Vector2(x + 0.5, y + 0.5)) - PIVOT * SCALE
	draw_texture_rect(texture, Rect2(at, texture.get_size() * SCALE), false)
