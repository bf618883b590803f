extends Node
# Every button of the game ticks and gives way a little when it is pressed.

const PRESSED := Vector2(0.94, 0.94)
const DOWN_S := 0.05
const UP_S := 0.12

var _tween := Tween.new()


func _enter_tree() -> void:
	add_child(_tween)
	get_tree().connect("node_added", self, "_on_node_added")


func _on_node_added(node: Node) -> void:
	if node is BaseButton and not node.is_connected("pressed", self, "_on_pressed"):
		node.connect("pressed", self, "_on_pressed", [node])
		node.connect("button_down", self, "_move", [node, PRESSED, DOWN_S])
		node.connect("button_up", self, "_move", [node, Vector2.ONE, UP_S])


func _on_pressed(button: BaseButton) -> void:
	get_tree().call_group("sounds", "play", "tick")
	# A key presses it without holding it down.
	if button.rect_scale == Vector2.ONE:
		button.rect_scale = PRESSED
		_move(button, Vector2.ONE, UP_S)


func _move(button: BaseButton, to: Vector2, seconds: float) -> void:
	if not button.is_inside_tree():
		return
	button.rect_pivot_offset = button.rect_size / 2
	_tween.interpolate_property(
		button, "rect_scale", null, to, seconds, Tween.TRANS_QUAD, Tween.EASE_OUT
	)
	_tween.start()
