extends Node2D
# The near edges of what is selected, before the machines: their feet cover the outline below.

const Grid := preload("res://scenes/floor/grid.gd")
const Marks := preload("res://scenes/floor/marks.gd")
const OUTSET := 0.03

var _areas := []


# `areas`: footprints of machines.
func show_selected(areas: Array) -> void:
	_areas = areas
	update()


func _draw() -> void:
	for area in _areas:
		var corners := Grid.outline(area, -OUTSET)
		var line := PoolVector2Array([corners[1], corners[2], corners[3]])
		draw_polyline(line, Marks.SELECTED, Marks.LINE, true)
