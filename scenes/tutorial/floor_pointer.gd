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
const HEAD := 14.0
# Above the middle of a tile.
const LIFT := 12.0

# Points of the world that an arrow is to stand over.
var tips := []

var _client: Node
var _layout: Reference
var _belts: Reference = BeltArt.new()
var _areas := []
# {kind, area, picture}; {}: none.
var _ghost := {}
var _tiles := []


# `layout`: of the floor view.
func set_up(client: Node, layout: Reference) -> void:
	_client = client
	_layout = layout


# Leads to a target of the floor as the engine names it; "": to nothing. `kind`: what is in hand.
func lead(target: String, kind: String) -> void:
	_areas = []
	_ghost = {}
	_tiles = []
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
		Marks.draw_area(self, area, Palette.DRAFT, FILL)
	if not _ghost.empty():
		var middle: Vector2 = _ghost.area.position + _ghost.area.size / 2
		var at := Grid.to_world(middle) - MachineArt.PIVOT * MachineArt.SCALE
		var size: Vector2 = _ghost.picture.get_size() * MachineArt.SCALE
		draw_texture_rect(_ghost.picture, Rect2(at, size), false, Color(1, 1, 1, GHOST))
	if _tiles.size() > 0:
		_draw_way()


# The way's line, from machine to machine, with a head at its end.
func _draw_way() -> void:
	var line := PoolVector2Array()
	for tile in _tiles:
		line.append(Grid.to_world(tile + Vector2(0.5, 0.5)))
	if line.size() > 1:
		draw_polyline(line, Palette.DRAFT, LINE, true)
	var end: Vector2 = line[line.size() - 1]
	var goal: Vector2 = tips[1] + Vector2(0, LIFT) if tips.size() > 1 else end
	var way: Vector2 = (goal - (line[0] if line.size() < 2 else line[line.size() - 2])).normalized()
	if goal != end:
		way = (goal - end).normalized()
	var side := Vector2(-way.y, way.x)
	var head := PoolVector2Array(
		[end + way * HEAD, end - way * HEAD + side * HEAD, end - way * HEAD - side * HEAD]
	)
	draw_colored_polygon(head, Palette.DRAFT)


func _show_ghost(kind: String, place: Array) -> void:
	if not MachineArt.KINDS.has(kind):
		return
	var area := Rect2(_tile_of(place), MachineArt.size_of(kind, place[2]))
	_ghost = {"area": area, "picture": MachineArt.picture(kind, place[2], "base")}
	_areas.append(area)
	_add_tip(area, MachineArt.height_of(kind))


func _show_way(from: Vector2, to: Vector2) -> void:
	for tile in [from, to]:
		var machine: Dictionary = _layout.machine_at(tile)
		if not machine.empty():
			_show_machine(machine)
	var answer: Dictionary = _client.ask({"ask": "route", "from": _pair(from), "to": _pair(to)})
	if answer.ok:
		for pair in answer.tiles:
			_tiles.append(Vector2(pair[0], pair[1]))


func _show_thing(id: int) -> void:
	var machine: Dictionary = _layout.machine(id)
	if not machine.empty():
		_show_machine(machine)
		return
	var belt: Dictionary = _layout.belt(id)
	if not belt.empty():
		_tiles = belt.tiles
		_add_tip(Rect2(belt.tiles[belt.tiles.size() / 2], Vector2.ONE), 0.0)


func _show_machine(machine: Dictionary) -> void:
	_areas.append(machine.area)
	_add_tip(machine.area, MachineArt.height_of(machine.kind))


func _add_tip(area: Rect2, height: float) -> void:
	tips.append(Grid.to_world(area.position + area.size / 2) - Vector2(0, height + LIFT))


func _numbers(text: String) -> Array:
	var found := []
	for part in text.split(","):
		found.append(int(part))
	return found


func _tile_of(numbers: Array) -> Vector2:
	return Vector2(numbers[0], numbers[1])


func _pair(tile: Vector2) -> Array:
	return [int(tile.x), int(tile.y)]
