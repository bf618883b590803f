extends CanvasLayer
# Between two screens: the next one comes out of the dark. It never holds up a click.

const Motion := preload("res://scenes/theme/motion.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const FADE_S := 0.3
const LAYER := 100

var _cloth := ColorRect.new()


func _init() -> void:
	layer = LAYER
	_cloth.color = Palette.BACKGROUND
	_cloth.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_cloth.anchor_right = 1.0
	_cloth.anchor_bottom = 1.0
	add_child(_cloth)


func _ready() -> void:
	_show_cloth(0.0)


func rise() -> void:
	_show_cloth(0.0 if Motion.reduced() else 1.0)


# A screen's first frames take long; the curtain stays a little shut then.
func _process(delta: float) -> void:
	_show_cloth(_cloth.modulate.a - min(delta, FADE_S / 4) / FADE_S)


func _show_cloth(share: float) -> void:
	_cloth.modulate.a = max(0.0, share)
	_cloth.visible = share > 0.0
	set_process(share > 0.0)
