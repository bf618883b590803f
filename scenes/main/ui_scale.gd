extends Node
# How large everything is drawn: by the window's size, in steps, and never smaller than it was
# designed, so that text stays sharp and can be read; times what the player wants. The panels
# arrange themselves in what is left, which is never less than the smallest window.

const DESIGNED := Vector2(1280, 720)
const LEAST_WINDOW := Vector2(640, 480)
const STEP := 0.25

# How much larger or smaller the player wants it.
var share := 1.0 setget set_share


func _ready() -> void:
	OS.min_window_size = LEAST_WINDOW
	get_tree().connect("screen_resized", self, "_fit")
	_fit()


func set_share(value: float) -> void:
	share = value
	if is_inside_tree():
		_fit()


func _fit() -> void:
	var window := OS.window_size
	var fits := min(window.x / DESIGNED.x, window.y / DESIGNED.y)
	var most := min(window.x / LEAST_WINDOW.x, window.y / LEAST_WINDOW.y)
	var scale := min(max(1.0, floor(fits / STEP) * STEP) * share, max(1.0, most))
	get_tree().set_screen_stretch(
		SceneTree.STRETCH_MODE_2D, SceneTree.STRETCH_ASPECT_EXPAND, (window / scale).round(), 1
	)
