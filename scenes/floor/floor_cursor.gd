extends Node
# The one cursor on the floor, moved by mouse, keys and game pad alike: a tile, and what is done
# there.

signal moved(tile)
signal pressed(tile)
signal released(tile)
signal cancelled

const Grid := preload("res://scenes/floor/grid.gd")
const STEPS := {
	"cursor_right": Vector2(1, 0),
	"cursor_left": Vector2(-1, 0),
	"cursor_down": Vector2(0, 1),
	"cursor_up": Vector2(0, -1),
}
const OFF := Vector2(-1, -1)
const FIRST_REPEAT := 0.3
const NEXT_REPEAT := 0.08
# A right button that moved this far was panning, not cancelling.
const CLICK_SLOP := 6.0

var world: Node2D
var size := Vector2(12, 8)
var tile := OFF
var by_mouse := true

var _held := ""
var _wait := 0.0
var _cancel_from := Vector2.ZERO


# The floor moved under the mouse.
func follow_mouse() -> void:
	if by_mouse and tile != OFF:
		_move_to(_tile_under(world.get_viewport().get_mouse_position()))


# Takes the cursor off the floor.
func leave() -> void:
	_move_to(OFF)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouse:
		by_mouse = true
		_move_to(_tile_under(event.position))
	_hold(event)
	if event.is_action_pressed("confirm"):
		emit_signal("pressed", tile)
		get_tree().set_input_as_handled()
	elif event.is_action_released("confirm"):
		emit_signal("released", tile)
	elif event is InputEventMouseButton and event.is_action("cancel"):
		_cancel_by_mouse(event)
	elif event.is_action_pressed("cancel"):
		emit_signal("cancelled")
		get_tree().set_input_as_handled()


func _cancel_by_mouse(event: InputEventMouseButton) -> void:
	if event.pressed:
		_cancel_from = event.position
	elif event.position.distance_to(_cancel_from) < CLICK_SLOP:
		emit_signal("cancelled")


# Moves on while a key, a button or a stick is held.
func _process(delta: float) -> void:
	if _held == "":
		return
	_wait -= delta
	if _wait <= 0.0:
		_wait = NEXT_REPEAT
		_step(_held)


# By events, because a quick press may begin and end within a frame; a stick tells its way many
# times.
func _hold(event: InputEvent) -> void:
	for action in STEPS:
		if event.is_action_pressed(action) and _held != action:
			_held = action
			_wait = FIRST_REPEAT
			_step(action)
		elif event.is_action_released(action) and _held == action:
			_held = ""


# The first press brings a cursor that was off the floor back to its middle.
func _step(action: String) -> void:
	by_mouse = false
	var inside := Rect2(Vector2.ZERO, size).has_point(tile)
	var next: Vector2 = tile + STEPS[action] if inside else (size / 2).floor()
	_move_to(Vector2(clamp(next.x, 0, size.x - 1), clamp(next.y, 0, size.y - 1)))


func _tile_under(point: Vector2) -> Vector2:
	return Grid.tile_at(world.transform.affine_inverse().xform(point))


func _move_to(next: Vector2) -> void:
	if next != tile:
		tile = next
		emit_signal("moved", tile)
