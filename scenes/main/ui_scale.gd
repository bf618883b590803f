extends Node
# How large everything is drawn: by the window's size, in steps, and never smaller than it was
# designed, so that text stays sharp and can be read. The panels arrange themselves in what is left.

const DESIGNED := Vector2(1280, 720)
const LEAST_WINDOW := Vector2(640, 480)
const STEP := 0.25


func _ready() -> void:
	OS.min_window_size = LEAST_WINDOW
	get_tree().connect("screen_resized", self, "_fit")
	_fit()


func _fit() -> void:
	var window := OS.window_size
	var fits := min(window.x / DESIGNED.x, window.y / DESIGNED.y)
	var scale := max(1.0, floor(fits / STEP) * STEP)
	get_tree().set_screen_stretch(
		SceneTree.STRETCH_MODE_2D, SceneTree.STRETCH_ASPECT_EXPAND, (window / scale).round(), 1
	)
