extends Node2D
# Racks and coolers on the rim behind the floor. Their lights glow and fade slowly, row by row.

const Grid := preload("res://scenes/floor/grid.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const Lights := preload("res://scenes/floor/decor/rim_lights.shader")
const RACK := preload("res://scenes/floor/decor/rack_0_base.png")
const RACK_GLOW := preload("res://scenes/floor/decor/rack_0_glow.png")
const COOLER := preload("res://scenes/floor/decor/cooler_base.png")
const COOLER_GLOW := preload("res://scenes/floor/decor/cooler_glow.png")
const PIVOT := Vector2(160, 400)
const SCALE := 0.5
# From this tile on: two racks, a cooler, a free tile.
const FIRST := 3
const GROUP := 4
const RACKS := 2

var _width := 0
var _lights := Node2D.new()


func _init() -> void:
	var material := ShaderMaterial.new()
	material.shader = Lights
	_lights.material = material
	_lights.connect("draw", self, "_draw_lights")
	add_child(_lights)


func rebuild(width: int) -> void:
	_width = width
	_lights.material.set_shader_param("sway", 0.0 if Motion.reduced() else 1.0)
	update()
	_lights.update()


func _draw() -> void:
	for x in range(FIRST, _width - 1):
		if _place(x) <= RACKS:
			draw_texture_rect(COOLER if _place(x) == RACKS else RACK, _box(x), false)


func _draw_lights() -> void:
	for x in range(FIRST, _width - 1):
		if _place(x) <= RACKS:
			var glow: Texture = COOLER_GLOW if _place(x) == RACKS else RACK_GLOW
			# The red of the tint tells the shader which of them this is.
			var tint := Color(fmod(x * 0.37, 1.0), 1, 1)
			_lights.draw_texture_rect(glow, _box(x), false, tint)


func _place(x: int) -> int:
	return (x - FIRST) % GROUP


func _box(x: int) -> Rect2:
	var at := Grid.to_world(Vector2(x + 0.5, -0.5)) - PIVOT * SCALE
	return Rect2(at, RACK.get_size() * SCALE)
