extends Reference
# A Page Allocator's tray of blocks as a gauge: as many of its columns have colour and light as its
# card's KV memory is taken; the others are grey.

const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const BaseShader := preload("res://scenes/floor/machines/page_allocator/tray_base.shader")
const GlowShader := preload("res://scenes/floor/machines/page_allocator/tray_glow.shader")
const COLUMNS := 8
# Where the columns begin and end along the tray, in tiles from its middle (art/models).
const FIRST := -0.628
const LAST := 0.748
# How far above the floor the blocks are, in pixels.
const LIFT := 26.0
# The tray's way at each rotation, as steps on the grid.
const WAYS := [Vector2(1, 0), Vector2(0, 1), Vector2(-1, 0), Vector2(0, -1)]

var _materials := []
var _columns := -1


func _init(base: Sprite, glow: Sprite, rot: int) -> void:
	for shader in [BaseShader, GlowShader]:
		var material := ShaderMaterial.new()
		material.shader = shader
		material.set_shader_param("pivot", MachineArt.PIVOT)
		material.set_shader_param("scale", MachineArt.SCALE)
		material.set_shader_param("lift", LIFT)
		material.set_shader_param("way", WAYS[rot])
		_materials.append(material)
	base.material = _materials[0]
	glow.material = _materials[1]
	show_fill(0.0)


func show_fill(share: float) -> void:
	var columns := int(ceil(clamp(share, 0.0, 1.0) * COLUMNS - 0.001))
	if columns == _columns:
		return
	_columns = columns
	for material in _materials:
		var edge := FIRST + (LAST - FIRST) * columns / COLUMNS
		material.set_shader_param("edge", edge if columns < COLUMNS else LAST + 1.0)
