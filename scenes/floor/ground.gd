extends Node2D
# The slab: floor tiles, the walls of its two front sides, a rim behind with racks and coolers for
# company, and the cables from there to the GPUs.

const Cables := preload("res://scenes/floor/cables.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const Rim := preload("res://scenes/floor/rim.gd")
const TILES := [
	preload("res://scenes/floor/tiles/tile_0.png"),
	preload("res://scenes/floor/tiles/tile_1.png"),
	preload("res://scenes/floor/tiles/tile_2.png"),
]
const EDGE_S := preload("res://scenes/floor/tiles/edge_s.png")
const EDGE_E := preload("res://scenes/floor/tiles/edge_e.png")
const RIM_SHADE := Color(0.62, 0.64, 0.72)
const PIVOT := Vector2(132, 68)
const SCALE := 0.5
# One tile in this many is not plain.
const RARITY := 11

var _size := Vector2.ZERO
var _cables := Cables.new()
var _rim := Rim.new()


func _init() -> void:
	add_child(_cables)
	add_child(_rim)


func rebuild(size: Vector2, pads: Array) -> void:
	_cables.rebuild(pads)
	if size != _size:
		_size = size
		_rim.rebuild(int(size.x))
		update()


func _draw() -> void:
	for x in int(_size.x):
		_put(TILES[0], x, -1, RIM_SHADE)
	_put(EDGE_E, int(_size.x) - 1, -1, RIM_SHADE)
	for y in int(_size.y):
		for x in int(_size.x):
			_put(TILES[_variant(x, y)], x, y)
	for x in int(_size.x):
		_put(EDGE_S, x, int(_size.y) - 1)
	for y in int(_size.y):
		_put(EDGE_E, int(_size.x) - 1, y)


func _put(texture: Texture, x: int, y: int, shade: Color = Color.white) -> void:
	var at := Grid.to_world(Vector2(x + 0.5, y + 0.5)) - PIVOT * SCALE
	draw_texture_rect(texture, Rect2(at, texture.get_size() * SCALE), false, shade)


# The same scattered pattern at every start.
func _variant(x: int, y: int) -> int:
	var mixed := (x * 7349 + y * 9151 + x * y * 31) % (2 * RARITY)
	if mixed == 3:
		return 1
	return 2 if mixed == 14 else 0
