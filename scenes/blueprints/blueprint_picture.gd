extends Control
# A small picture of a blueprint: its machines and the belts between them.

const BeltArt := preload("res://scenes/floor/belt_art.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const LARGEST := 0.6

var _art: BeltArt
var _machines := []
# Kept here: what a canvas has drawn must outlive the drawing.
var _pictures := {}
var _belts := []
# What is to be seen, on the floor's scale.
var _box := Rect2()


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE


# `held`: the engine's answer to `blueprint_read`; `art`: shared by all pictures.
func show_blueprint(held: Dictionary, art: BeltArt) -> void:
	_art = art
	_machines = held.blueprint.machines.duplicate()
	_machines.sort_custom(self, "_further_up")
	_belts = []
	var origins := {}
	for machine in _machines:
		origins[Vector2(machine.x, machine.y)] = true
	for belt in held.blueprint.belts:
		var from := Vector2(belt["from"].x, belt["from"].y)
		if origins.has(from) and origins.has(Vector2(belt.to.x, belt.to.y)):
			_belts.append(_tiles(belt.tiles))
	_box = _seen()
	update()


func _draw() -> void:
	if _art == null:
		return
	var fit := min(LARGEST, min(rect_size.x / _box.size.x, rect_size.y / _box.size.y))
	var at := rect_size / 2 - (_box.position + _box.size / 2) * fit
	draw_set_transform(at, 0.0, Vector2(fit, fit))
	for tiles in _belts:
		_art.draw_path(self, tiles, Vector2.ZERO, Vector2.ZERO, Color.white)
	for machine in _machines:
		_draw_machine(machine)


# The box around all footprints, heights of machines and tiles of belts.
func _seen() -> Rect2:
	var box := Rect2(Grid.to_world(Vector2(_machines[0].x, _machines[0].y)), Vector2.ZERO)
	for machine in _machines:
		var size: Vector2 = MachineArt.size_of(machine.kind, machine.rotation)
		var corners := Grid.outline(Rect2(Vector2(machine.x, machine.y), size))
		for corner in corners:
			box = box.expand(corner)
		box = box.expand(corners[0] - Vector2(0, MachineArt.height_of(machine.kind) / 2))
	for tiles in _belts:
		for tile in tiles:
			for corner in Grid.outline(Rect2(tile, Vector2.ONE)):
				box = box.expand(corner)
	return box


func _draw_machine(machine: Dictionary) -> void:
	var rot: int = machine.rotation
	var middle := Vector2(machine.x, machine.y) + MachineArt.size_of(machine.kind, rot) / 2
	var at := Grid.to_world(middle) - MachineArt.PIVOT * MachineArt.SCALE
	var name := "%s %d" % [machine.kind, rot]
	if not _pictures.has(name):
		_pictures[name] = MachineArt.picture(machine.kind, rot, "base")
	var picture: Texture = _pictures[name]
	draw_texture_rect(picture, Rect2(at, picture.get_size() * MachineArt.SCALE), false)


func _tiles(pairs: Array) -> Array:
	var tiles := []
	for pair in pairs:
		tiles.append(Vector2(pair[0], pair[1]))
	return tiles


func _further_up(a: Dictionary, b: Dictionary) -> bool:
	return a.x + a.y < b.x + b.y
