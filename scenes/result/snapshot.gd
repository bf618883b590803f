extends Node
# Saves a picture of the factory, with the level, its stars and its figures below.

# The path of the picture on this computer; "" when it could not be saved.
signal saved(path)

const Caption := preload("res://scenes/result/caption.gd")
const FloorPicture := preload("res://scenes/result/floor_picture.gd")
const SIZE := Vector2(1920, 1080)

var _view := FloorPicture.new(SIZE)
var _caption := Caption.new()


func set_up(floor_view: Node2D) -> void:
	_view.watch(floor_view)
	add_child(_view)
	_view.add_child(_caption)


# Draws it with the next frame, and saves it then.
func save(results: Dictionary) -> void:
	var level: Dictionary = _view.floor_view.layout.level
	_caption.show_level(level, SIZE, results)
	_show_marks(false)
	_view.draw_once()
	# No yield: the level may be left before the frame is drawn.
	VisualServer.connect("frame_post_draw", self, "_keep", [], CONNECT_ONESHOT)


func _keep() -> void:
	_show_marks(true)
	var image := _view.image()
	image.convert(Image.FORMAT_RGB8)
	var level: Dictionary = _view.floor_view.layout.level
	var path := FloorPicture.new_path(level, "png")
	var kept := image.save_png(path) == OK
	emit_signal("saved", ProjectSettings.globalize_path(path) if kept else "")


# What is selected is no part of the picture.
func _show_marks(shown: bool) -> void:
	for marks in [_view.floor_view.marks, _view.floor_view.front_marks]:
		marks.visible = shown
