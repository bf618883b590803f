extends Node
# Moves and scales the world so that the floor fills the space that the panels leave free; the
# player may pan and zoom from there. A movement begins in the frame of its input and glides to its
# end; place and scale glide by the same share, so that the point zoomed at stays where it is.

signal changed

const ZOOM_STEP := 1.2
# While a key is held: so many times larger each second, once it was held so long.
const ZOOM_SPEED := 3.0
const ZOOM_AFTER := 0.25
const ZOOM_LEAST := 0.35
const ZOOM_MOST := 2.0
# How much farther than the whole floor one may look from.
const AROUND := 0.75
const PAN_SPEED := 800.0
# The least that a short press of a pan key moves.
const NUDGE := 24.0
# A glide covers this share of what is left each second (as a rate), and ends this near.
const GLIDE := 24.0
const NEAR := 0.4
const SLOW_FRAME := 0.06
# Room above the floor's far corner for the machines that stand there.
const HEADROOM := 70.0
# So far from the edge of the free space the cursor is kept; less than the corner tiles of a floor
# that just fits.
const EDGE := Vector2(24, 16)
const Grid := preload("res://scenes/floor/grid.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const PANS := {
	"pan_left": Vector2(1, 0),
	"pan_right": Vector2(-1, 0),
	"pan_up": Vector2(0, 1),
	"pan_down": Vector2(0, -1),
}
const ZOOMS := {"zoom_in": 1.0, "zoom_out": -1.0}

var world: Node2D
# The floor cursor: keys and pads zoom to it.
var cursor: Node
var free_area := Rect2(0, 0, 1280, 720)

var _size := Vector2(12, 8)
var _moved := false
var _dragging := false
var _place := Vector2.ZERO
var _scale := 1.0
# Actions that are held, each with the seconds since its press.
var _held := {}


func _ready() -> void:
	set_process(false)


# Frames a floor of this size anew, at once.
func frame(size: Vector2) -> void:
	_size = size
	_moved = false
	_aim_at_floor()
	_arrive()


# The panels changed: frames again unless the player has chosen a view, which then keeps its middle.
func use_area(area: Rect2) -> void:
	if area == free_area:
		return
	_place += _middle_of(area) - _middle_of(free_area)
	free_area = area
	if not _moved:
		_aim_at_floor()
	_arrive()


# Moves as little as needed to have a point of the view in sight.
func reveal(point: Vector2) -> void:
	var now := world.transform
	var at: Vector2 = (point - now.origin) / now.get_scale().x * _scale + _place
	var inside := Rect2(free_area.position + EDGE, free_area.size - 2 * EDGE)
	if inside.size.x <= 0.0 or inside.size.y <= 0.0:
		return
	var kept := Vector2(
		clamp(at.x, inside.position.x, inside.end.x), clamp(at.y, inside.position.y, inside.end.y)
	)
	if kept != at:
		_pan(kept - at)


# Dragging goes on over the panels.
func _input(event: InputEvent) -> void:
	if not _dragging:
		return
	if event is InputEventMouseMotion:
		_pan(event.relative)
		_arrive()
	elif event.is_action_released("pan_drag"):
		_dragging = false


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("pan_drag"):
		_dragging = true
	elif Keys.pressed(event, "frame_floor"):
		_moved = false
		_aim_at_floor()
		_glide()
	for action in PANS:
		if not _held.has(action) and _begins(event, action):
			_hold(action)
			_pan(PANS[action] * NUDGE)
	for action in ZOOMS:
		if event is InputEventMouseButton:
			if event.is_action_pressed(action):
				_zoom(pow(ZOOM_STEP, ZOOMS[action]), event.position)
		elif not _held.has(action) and _begins(event, action):
			_hold(action)
			_zoom(pow(ZOOM_STEP, ZOOMS[action]), _cursor_place())


func _process(delta: float) -> void:
	for action in _held.keys():
		var strength := Input.get_action_strength(action)
		if strength <= 0.0:
			_held.erase(action)
			continue
		_held[action] += delta
		if PANS.has(action):
			_pan(PANS[action] * strength * PAN_SPEED * delta)
		elif _held[action] > ZOOM_AFTER:
			_zoom(pow(ZOOM_SPEED, ZOOMS[action] * strength * delta), _cursor_place())
	var left := world.position.distance_to(_place) + abs(world.scale.x - _scale) * 1000.0
	if delta > SLOW_FRAME or left < NEAR:
		_arrive()
		return
	var share := 1.0 - exp(-GLIDE * delta)
	var scale: float = lerp(world.scale.x, _scale, share)
	world.scale = Vector2(scale, scale)
	world.position = world.position.linear_interpolate(_place, share)
	emit_signal("changed")


# A key with Ctrl is another action.
func _begins(event: InputEvent, action: String) -> bool:
	if event is InputEventKey:
		return Keys.pressed(event, action)
	return event.is_action_pressed(action)


func _hold(action: String) -> void:
	_held[action] = 0.0
	_glide()


func _pan(step: Vector2) -> void:
	_moved = true
	_place = _kept_near(_place + step)
	_glide()


func _zoom(factor: float, point: Vector2) -> void:
	var scale := clamp(_scale * factor, min(ZOOM_LEAST, _fit() * AROUND), ZOOM_MOST)
	var under: Vector2 = (point - _place) / _scale
	_moved = true
	_scale = scale
	_place = _kept_near(point - under * scale)
	_glide()


func _glide() -> void:
	set_process(true)


# Ends a glide.
func _arrive() -> void:
	_place = _place.round()
	var still := world.position == _place and world.scale.x == _scale
	world.scale = Vector2(_scale, _scale)
	world.position = _place
	set_process(not _held.empty())
	if not still:
		emit_signal("changed")


func _aim_at_floor() -> void:
	_scale = min(_fit(), ZOOM_MOST)
	var box := _floor_box()
	_place = (_middle_of(free_area) - (box.position + box.size / 2) * _scale).round()


# The scale at which the whole floor fills the free space.
func _fit() -> float:
	var box := _floor_box()
	return max(0.1, min(free_area.size.x / box.size.x, free_area.size.y / box.size.y))


func _floor_box() -> Rect2:
	var corners := Grid.outline(Rect2(Vector2.ZERO, _size))
	var box := Rect2(corners[3].x, corners[0].y - HEADROOM, 0, 0)
	box.end = Vector2(corners[1].x, corners[2].y)
	return box


# Keeps the middle of the free space over the floor.
func _kept_near(place: Vector2) -> Vector2:
	var middle := _middle_of(free_area)
	var tile := Grid.from_world((middle - place) / _scale)
	var kept := Vector2(clamp(tile.x, 0, _size.x), clamp(tile.y, 0, _size.y))
	return middle - Grid.to_world(kept) * _scale


# Where the floor cursor will be once the glide has ended; the middle while it is off the floor.
func _cursor_place() -> Vector2:
	if cursor != null and Rect2(Vector2.ZERO, _size).has_point(cursor.tile):
		var at: Vector2 = Grid.to_world(cursor.tile + Vector2(0.5, 0.5)) * _scale + _place
		if free_area.has_point(at):
			return at
	return _middle_of(free_area)


func _middle_of(area: Rect2) -> Vector2:
	return area.position + area.size / 2
