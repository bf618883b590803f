extends Viewport
# The whole floor without the panels, wherever the player's camera is, drawn when it is asked for.

const LevelWords := preload("res://scenes/theme/level_words.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const FOLDER := "user://shared"
# Around the floor, and above its far corner for the machines that stand there.
const MARGIN := 32.0
const HEADROOM := 96.0
# Below it, for the caption.
const FOOTROOM := 72.0

var floor_view: Node2D


func _init(picture_size: Vector2) -> void:
	size = picture_size
	usage = USAGE_2D
	render_target_update_mode = UPDATE_DISABLED
	render_target_v_flip = true
	gui_disable_input = true


# Sees what `world` belongs to; to be called before it is in the tree, where Godot refuses a world
# that is its parent's.
func watch(world: Node2D) -> void:
	floor_view = world
	world_2d = world.get_viewport().find_world_2d()


# Draws it; the picture is there once the next frame has been drawn.
func draw_once() -> void:
	canvas_transform = _fitting() * floor_view.transform.affine_inverse()
	render_target_update_mode = UPDATE_ONCE


func image() -> Image:
	return get_texture().get_data()


# A path for a new file in the player's folder.
static func new_path(level: Dictionary, extension: String) -> String:
	var folder := Directory.new()
	folder.make_dir_recursive(FOLDER)
	var now := OS.get_datetime()
	var stamp := (
		"%04d-%02d-%02d_%02d%02d%02d"
		% [now.year, now.month, now.day, now.hour, now.minute, now.second]
	)
	var name := str(LevelWords.key_of(level)).replace("/", "_")
	if not name.is_valid_filename():
		name = "mod"
	return "%s/level_%s_%s.%s" % [FOLDER, name, stamp, extension]


# From the world to the picture.
func _fitting() -> Transform2D:
	var corners := Grid.outline(Rect2(Vector2.ZERO, floor_view.layout.size))
	var box := Rect2(corners[0], Vector2.ZERO)
	for corner in corners:
		box = box.expand(corner)
	box = box.grow(MARGIN)
	box.position.y -= HEADROOM
	box.size.y += HEADROOM + FOOTROOM
	var scale := min(size.x / box.size.x, size.y / box.size.y)
	var at := (size - box.size * scale) / 2 - box.position * scale
	return Transform2D(Vector2(scale, 0), Vector2(0, scale), at)
