extends Node2D
# The slab: floor tiles, the walls of its two front sides, and a rim behind with racks for company.

const Grid := preload("res://scenes/floor/grid.gd")
const TILES := [
	preload("res://scenes/floor/tiles/tile_0.png"),
	preload("res://scenes/floor/tiles/tile_1.png"),
	preload("res://scenes/floor/tiles/tile_2.png"),
]
const EDGE_S := preload("res://scenes/floor/tiles/edge_s.png")
const EDGE_E := preload("res://scenes/floor/tiles/edge_e.png")
const RACK := preload("res://scenes/floor/decor/rack_0_base.png")
const RACK_GLOW := preload("res://scenes/floor/decor/rack_0_glow.png")
const RACK_PIVOT := Vector2(160, 400)
# Racks stand on the rim in groups: this many, then this many tiles without.
const GROUP := 2
const GROUP_GAP := 2
const FIRST_RACK := 3
const RIM_SHADE := Color(0.62, 0.64, 0.72)
const PIVOT := Vector2(132, 68)
const SCALE := 0.5
# One tile in this many is not plain.
const RARITY := 11

var _size := Vector2.ZERO


func rebuild(size: Vector2) -> void:
	if size != _size:
		_size = size
		update()


func _draw() -> void:
	for x in int(_size.x):
		_put(TILES[0], x, -1, RIM_SHADE)
	_put(EDGE_E, int(_size.x) - 1, -1, RIM_SHADE)
	for x in range(FIRST_RACK, int(_size.x) - 1):
		if (x - FIRST_RACK) % (GROUP + GROUP_GAP) < GROUP:
			_put_rack(x)
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


func _put_rack(x: int) -> void:
	var at := Grid.to_world(Vector2(x + 0.5, -0.5)) - RACK_PIVOT * SCALE
	var box := Rect2(at, RACK.get_size() * SCALE)
	draw_texture_rect(RACK, box, false)
	draw_texture_rect(RACK_GLOW, box, false, Color(1, 1, 1, 0.6))


# The same scattered pattern at every start.
func _variant(x: int, y: int) -> int:
	var mixed := (x * 7349 + y * 9151 + x * y * 31) % (2 * RARITY)
	if mixed == 3:
		return 1
	return 2 if mixed == 14 else 0
