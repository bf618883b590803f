extends Node
# Moves and scales the world so that the floor fills the space that the panels leave free; the
# player may pan and zoom from there.

signal changed

const ZOOM_STEP := 1.15
const ZOOM_LEAST := 0.35
const ZOOM_MOST := 2.0
const PAN_SPEED := 700.0
# Room above the floor's far corner for the machines that stand there.
const HEADROOM := 70.0
const Grid := preload("res://scenes/floor/grid.gd")

var world: Node2D
var free_area := Rect2(0, 0, 1280, 720)

var _size := Vector2(12, 8)
var _moved := false
var _dragging := false


# Frames a floor of this size anew.
func frame(size: Vector2) -> void:
	_size = size
	_moved = false
	_frame()


# The panels changed: frames again unless the player has chosen a view.
func use_area(area: Rect2) -> void:
	if area == free_area:
		return
	free_area = area
	if _moved:
		emit_signal("changed")
	else:
		_frame()


func _frame() -> void:
	var corners := Grid.outline(Rect2(Vector2.ZERO, _size))
	var box := Rect2(corners[3].x, corners[0].y - HEADROOM, 0, 0)
	box.end = Vector2(corners[1].x, corners[2].y)
	var fit := min(free_area.size.x / box.size.x, free_area.size.y / box.size.y)
	fit = clamp(fit, ZOOM_LEAST, ZOOM_MOST)
	world.scale = Vector2(fit, fit)
	var middle := free_area.position + free_area.size / 2
	world.position = (middle - (box.position + box.size / 2) * fit).round()
	emit_signal("changed")


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action("pan_drag"):
		_dragging = event.is_pressed()
	elif event is InputEventMouseMotion and _dragging:
		_pan(event.relative)
	elif event.is_action_pressed("zoom_in"):
		_zoom(ZOOM_STEP, event)
	elif event.is_action_pressed("zoom_out"):
		_zoom(1.0 / ZOOM_STEP, event)
	elif event.is_action_pressed("frame_floor"):
		frame(_size)


func _process(delta: float) -> void:
	var way := Vector2(
		Input.get_action_strength("pan_left") - Input.get_action_strength("pan_right"),
		Input.get_action_strength("pan_up") - Input.get_action_strength("pan_down")
	)
	if way != Vector2.ZERO:
		_pan(way * PAN_SPEED * delta)


func _pan(step: Vector2) -> void:
	_moved = true
	world.position = _kept_near(world.position + step)
	emit_signal("changed")


# Keeps the middle of the floor inside the window.
func _kept_near(position: Vector2) -> Vector2:
	var middle := Grid.to_world(_size / 2) * world.scale.x
	var at := position + middle
	var window := world.get_viewport_rect().size
	return Vector2(clamp(at.x, 0, window.x), clamp(at.y, 0, window.y)) - middle


# Zooms to the pointer; with keys or a game pad to the middle of the free space.
func _zoom(factor: float, event: InputEvent) -> void:
	var target := free_area.position + free_area.size / 2
	if event is InputEventMouseButton:
		target = event.position
	var scale := clamp(world.scale.x * factor, ZOOM_LEAST, ZOOM_MOST)
	var held := (target - world.position) / world.scale.x
	_moved = true
	world.scale = Vector2(scale, scale)
	world.position = _kept_near(target - held * scale)
	emit_signal("changed")
