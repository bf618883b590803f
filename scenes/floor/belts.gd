extends Node2D
# Belts, piece by piece: each tile's picture follows from the sides it is entered and left by.

const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const FOLDER := "res://scenes/floor/tiles/"
const PIVOT := Vector2(128, 112)
const SCALE := 0.5

var _belts := []
var _marked := -1


func rebuild(belts: Array) -> void:
	_belts = belts
	update()


# Lights up one belt by id (-1: none).
func mark(id: int) -> void:
	if id != _marked:
		_marked = id
		update()


func _draw() -> void:
	for belt in _belts:
		var light := Color(1.5, 1.5, 1.8) if belt.id == _marked else Color.white
		draw_path(self, belt.tiles, belt.first_step, belt.last_step, light)


# Draws a path of belt pieces on any canvas item; `first` and `last` are the steps into and out
# of it.
static func draw_path(
	canvas: CanvasItem, tiles: Array, first: Vector2, last: Vector2, light: Color
) -> void:
	for piece in pieces(tiles, first, last):
		var texture := load(FOLDER + "belt_%s_%s.png" % [piece.enter, piece.leave]) as Texture
		var size := texture.get_size() * SCALE
		var at := Grid.to_world(piece.tile + Vector2(0.5, 0.5)) - PIVOT * SCALE
		canvas.draw_texture_rect(texture, Rect2(at, size), false, light)


# {tile, enter, leave} for each tile, from the back of the floor to its front.
static func pieces(tiles: Array, first: Vector2, last: Vector2) -> Array:
	var found := []
	for index in tiles.size():
		var tile: Vector2 = tiles[index]
		var step_in: Vector2 = first if index == 0 else tile - tiles[index - 1]
		var step_out: Vector2 = last if index == tiles.size() - 1 else tiles[index + 1] - tile
		if step_in == Vector2.ZERO:
			step_in = step_out if step_out != Vector2.ZERO else Vector2(1, 0)
		if step_out == Vector2.ZERO:
			step_out = step_in
		found.append(
			{
				"tile": tile,
				"enter": Grid.side_facing(-step_in),
				"leave": Grid.side_facing(step_out),
			}
		)
	return found
