extends Node2D
# Ghosts of machines, over all others: where they would stand, and whether they may.

const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Marks := preload("res://scenes/floor/marks.gd")
const Palette := preload("res://scenes/theme/palette.gd")

# Kept here: what a canvas has drawn must outlive the drawing.
var _pictures := {}
var _ghosts := []
var _tiles := []
var _tiles_fit := true


func show_ghost(kind: String, tile: Vector2, rot: int, allowed: bool) -> void:
	show_ghosts([_ghost(kind, tile, rot, allowed)], [], true)


# What the engine says would stand here: its answer to `can_paste` and `can_shift`.
func show_answer(answer: Dictionary) -> void:
	var rows: Dictionary = answer.machines
	var ghosts := []
	for index in rows.kind.size():
		var tile := Vector2(rows.x[index], rows.y[index])
		ghosts.append(_ghost(rows.kind[index], tile, rows.rot[index], rows.fits[index]))
	var tiles := []
	for index in answer.tiles_x.size():
		tiles.append(Vector2(answer.tiles_x[index], answer.tiles_y[index]))
	show_ghosts(ghosts, tiles, answer.fits)


# `tiles`: of belts.
func show_ghosts(ghosts: Array, tiles: Array, tiles_fit: bool) -> void:
	_ghosts = ghosts
	_ghosts.sort_custom(self, "_further_up")
	_tiles = tiles
	_tiles_fit = tiles_fit
	update()


func clear() -> void:
	if not _ghosts.empty() or not _tiles.empty():
		show_ghosts([], [], true)


func _draw() -> void:
	for tile in _tiles:
		var belt_colour := Palette.GOOD if _tiles_fit else Palette.BAD
		Marks.draw_area(self, Rect2(tile, Vector2.ONE).grow(-0.12), belt_colour, 0.3)
	for ghost in _ghosts:
		Marks.draw_area(self, ghost.area, _colour(ghost), 0.22)
	for ghost in _ghosts:
		_draw_machine(ghost)


func _draw_machine(ghost: Dictionary) -> void:
	var middle: Vector2 = ghost.area.position + ghost.area.size / 2
	var at := Grid.to_world(middle) - MachineArt.PIVOT * MachineArt.SCALE
	var tint := Color.white.linear_interpolate(_colour(ghost), 0.45 if ghost.fits else 0.7)
	tint.a = 0.72
	var picture: Texture = ghost.picture
	draw_texture_rect(picture, Rect2(at, picture.get_size() * MachineArt.SCALE), false, tint)


func _ghost(kind: String, tile: Vector2, rot: int, fits: bool) -> Dictionary:
	return {
		"picture": _picture(kind, rot),
		"area": Rect2(tile, MachineArt.size_of(kind, rot)),
		"fits": fits,
	}


func _picture(kind: String, rot: int) -> Texture:
	var name := "%s %d" % [kind, rot]
	if not _pictures.has(name):
		_pictures[name] = MachineArt.picture(kind, rot, "base")
	return _pictures[name]


func _colour(ghost: Dictionary) -> Color:
	return Palette.GOOD if ghost.fits else Palette.BAD


func _further_up(a: Dictionary, b: Dictionary) -> bool:
	return a.area.position.x + a.area.position.y < b.area.position.x + b.area.position.y
