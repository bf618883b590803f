extends CanvasLayer
# Over everything: a palette for colour-blind eyes, and high contrast. While neither is wanted it is
# hidden and costs nothing.

const Hues := preload("res://scenes/theme/hues.gd")
const LensShader := preload("res://scenes/settings/lens.shader")
const TOP := 100
const NORMAL := "normal"

var _glass := ColorRect.new()


func _init() -> void:
	layer = TOP
	_glass.set_anchors_preset(Control.PRESET_WIDE)
	_glass.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_glass.material = ShaderMaterial.new()
	_glass.material.shader = LensShader
	_glass.hide()
	add_child(_glass)


func show_palette(name: String, high_contrast: bool) -> void:
	var moves := name != NORMAL
	_glass.visible = moves or high_contrast
	_glass.material.set_shader_param("moves_hues", moves)
	_glass.material.set_shader_param("more_contrast", high_contrast)
	if moves:
		_glass.material.set_shader_param("hues", Hues.circle(name))
