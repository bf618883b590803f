extends Node2D
# Shows on the floor what the tutorial leads to: the tile with the ghost of what goes there, the way
# of a belt, a machine. A part of the floor, so that it follows the camera.

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Marks := preload("res://scenes/floor/marks.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const GHOST := 0.5
const FILL := 0.16
const LINE := 3.0
const HEAD := 12.0
# Above a ghost or a belt; above a machine there is room for its sign.
const LIFT := 10.0
const SIGN_LIFT := 34.0

# Where an arrow is to stand: {point (of the world), lift (pixels above it), tile}.
var tips := []

var _client: Node
var _layout: Reference
var _belts: Reference = BeltArt.new()
var _areas := []
# {kind, area, picture}; {}: none.
var _ghost := {}
var _tiles := []
# Points of the grid.
var _way := []


# `layout`: of the floor view.
func set_up(client: Node, layout: Reference) -> void:
	_client = client
	_layout = layout


# Leads to a target of the floor as the engine names it; "": to nothing. `kind`: what is in hand.
func lead(target: String, kind: String) -> void:
	_areas = []
	_ghost = {}
	_tiles = []
	_way = []
	tips = []
	var parts := target.split(":", true, 1)
	match parts[0]:
		"tile":
			_show_ghost(kind, _numbers(parts[1]))
		"belt":
			var ends := parts[1].split(">")
			_show_way(_tile_of(_numbers(ends[0])), _tile_of(_numbers(ends[1])))
		"move":
			var move := parts[1].split(">")
			var machine: Dictionary = _layout.machine(int(move[0]))
			if not machine.empty():
				_show_machine(machine)
				_show_ghost(machine.kind, _numbers(move[1]))
		"machine", "remove":
			_show_thing(int(parts[1]))
	update()


func _draw() -> void:
	_belts.draw_path(self, _tiles, Vector2.ZERO, Vector2.ZERO, Palette.faded(Palette.DRAFT, 0.5))
	for area in _areas:
		# A machine hides the edges behind it.
		var corners := Grid.outline(area, 0.02)
		var line := PoolVector2Array([corners[1], corners[2], corners[3]])
		draw_polyline(line, Palette.DRAFT, LINE, true)
	if not _ghost.empty():
		Marks.draw_area(self, _ghost.area, Palette.DRAFT, FILL)
		var middle: Vector2 = _ghost.area.position + _ghost.area.size / 2
		var at := Grid.to_world(middle) - MachineArt.PIVOT * MachineArt.SCALE
		var size: Vector2 = _ghost.picture.get_size() * MachineArt.SCALE
		draw_texture_rect(_ghost.picture, Rect2(at, size), false, Color(1, 1, 1, GHOST))
	if _way.size() > 1:
		_draw_way()


# The way's line, from edge to edge of the two machines, with a head at its end.
func _draw_way() -> void:
	var line := PoolVector2Array()
	for point in _way:
		line.append(Grid.to_world(point))
	draw_polyline(line, Palette.DRAFT, LINE, true)
	var end: Vector2 = line[line.size() - 1]
	var way := (end - line[line.size() - 2]).normalized()
	var side := Vector2(-way.y, way.x) * HEAD
	var back := end - way * 2 * HEAD
	draw_colored_polygon(PoolVector2Array([end, back + side, back - side]), Palette.DRAFT)


func _show_ghost(kind: String, place: Array) -> void:
	if not MachineArt.KINDS.has(kind):
		return
	var area := Rect2(_tile_of(place), MachineArt.size_of(kind, place[2]))
	_ghost = {"area": area, "picture": MachineArt.picture(kind, place[2], "base")}
	_add_tip(area, MachineArt.height_of(kind), LIFT)


func _show_way(from: Vector2, to: Vector2) -> void:
	for tile in [from, to]:
		var machine: Dictionary = _layout.machine_at(tile)
		if not machine.empty():
			_show_machine(machine)
	var answer: Dictionary = _client.ask({"ask": "route", "from": _pair(from), "to": _pair(to)})
	if not answer.ok:
		return
	for pair in answer.tiles:
		_tiles.append(Vector2(pair[0], pair[1]))
	if _tiles.empty():
		return
	var middle := Vector2(0.5, 0.5)
	_way = [_tiles[0] + middle + _layout.step_to(_tiles[0], answer.from.machine) * 0.5]
	for tile in _tiles:
		_way.append(tile + middle)
	_way.append(_tiles[-1] + middle + _layout.step_to(_tiles[-1], answer.to.machine) * 0.5)


func _show_thing(id: int) -> void:
	var machine: Dictionary = _layout.machine(id)
	if not machine.empty():
		_show_machine(machine)
		return
	var belt: Dictionary = _layout.belt(id)
	if not belt.empty():
		_tiles = belt.tiles
		_add_tip(Rect2(belt.tiles[belt.tiles.size() / 2], Vector2.ONE), 0.0, LIFT)


func _show_machine(machine: Dictionary) -> void:
	_areas.append(machine.area)
	_add_tip(machine.area, MachineArt.height_of(machine.kind), SIGN_LIFT)


func _add_tip(area: Rect2, height: float, lift: float) -> void:
	var point := Grid.to_world(area.position + area.size / 2) - Vector2(0, height)
	tips.append({"point": point, "lift": lift, "tile": area.position})


func _numbers(text: String) -> Array:
	var found := []
	for part in text.split(","):
		found.append(int(part))
	return found


func _tile_of(numbers: Array) -> Vector2:
	return Vector2(numbers[0], numbers[1])


func _pair(tile: Vector2) -> Array:
	return [int(tile.x), int(tile.y)]
