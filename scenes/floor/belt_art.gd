extends Reference
# The pictures of belts: which piece lies on each tile of a path, and drawing them.

const Grid := preload("res://scenes/floor/grid.gd")
const FOLDER := "res://scenes/floor/tiles/"
const PIVOT := Vector2(128, 112)
const SCALE := 0.5
# More than any belt has.
const MOST_TILES := 10000

# Kept here: what a canvas has drawn must outlive the drawing.
var _pieces := {}


func _init() -> void:
	for enter in Grid.SIDES:
		for leave in Grid.SIDES:
			if enter != leave:
				var name := "belt_%s_%s" % [enter, leave]
				_pieces[name] = load(FOLDER + name + ".png")


# Draws a path on any canvas item; `first` and `last` are the steps into and out of it, (0, 0) when
# they are not known.
func draw_path(
	canvas: CanvasItem, tiles: Array, first: Vector2, last: Vector2, light: Color
) -> void:
	for index in _back_to_front(tiles):
		var tile: Vector2 = tiles[index]
		var step_in: Vector2 = first if index == 0 else tile - tiles[index - 1]
		var step_out: Vector2 = last if index == tiles.size() - 1 else tiles[index + 1] - tile
		var texture := _piece(step_in, step_out)
		var at := Grid.to_world(tile + Vector2(0.5, 0.5)) - PIVOT * SCALE
		canvas.draw_texture_rect(texture, Rect2(at, texture.get_size() * SCALE), false, light)


# Indices of the tiles, those that lie further back first: each piece ends in a wall, which the next
# one before it hides.
func _back_to_front(tiles: Array) -> Array:
	var ranked := []
	for index in tiles.size():
		ranked.append(int(tiles[index].x + tiles[index].y) * MOST_TILES + index)
	ranked.sort()
	var order := []
	for rank in ranked:
		order.append(rank % MOST_TILES)
	return order


func _piece(step_in: Vector2, step_out: Vector2) -> Texture:
	if step_in == Vector2.ZERO:
		step_in = step_out if step_out != Vector2.ZERO else Vector2(1, 0)
	if step_out == Vector2.ZERO or step_out == -step_in:
		step_out = step_in
	return _pieces["belt_%s_%s" % [Grid.side_facing(-step_in), Grid.side_facing(step_out)]]
