extends Node2D
# The belts that are laid, one of them lit up when it is under the cursor; a light runs along a new
# one.

const BeltLight := preload("res://scenes/floor/belt_light.gd")
const BeltArt := preload("res://scenes/floor/belt_art.gd")
const MARKED := Color(1.5, 1.5, 1.8)

var _art: Reference = BeltArt.new()
var _belts := []
var _marked := -1
var _light := BeltLight.new()


func _init() -> void:
	add_child(_light)


# `fresh`: a floor that was not shown before.
func rebuild(belts: Array, fresh: bool) -> void:
	var known := {}
	for belt in _belts:
		known[belt.id] = true
	for belt in belts:
		if not fresh and not known.has(belt.id):
			_light.run(belt)
	_belts = belts
	update()


# Lights up one belt by id (-1: none).
func mark(id: int) -> void:
	if id != _marked:
		_marked = id
		update()


func _draw() -> void:
	for belt in _belts:
		var light := MARKED if belt.id == _marked else Color.white
		_art.draw_path(self, belt.tiles, belt.first_step, belt.last_step, light)
