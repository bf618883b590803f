extends Node
# The factory's last seconds before the end of a run, kept as small pictures, and saved as a GIF
# when the player wants one.

# The path of the file on this computer; "" when it could not be saved.
signal encoded(path)

const Caption := preload("res://scenes/result/caption.gd")
const FloorPicture := preload("res://scenes/result/floor_picture.gd")
const WRITER := "res://scripts_py/gif_writer.py"
const SIZE := Vector2(640, 360)
const FRAME_S := 0.125
const FRAMES := 24
# It begins to watch this long before the end.
const BEFORE_S := FRAMES * FRAME_S + 0.5
const PS_PER_S := 1e12

var _view := FloorPicture.new(SIZE)
var _caption := Caption.new()
var _writer: Node
var _frames := []
var _wait := 0.0
var _t_ps := -1
var _drawing := false
var _path := ""


func set_up(floor_view: Node2D) -> void:
	_view.watch(floor_view)
	add_child(_view)
	_view.add_child(_caption)


# Of moments that are gone nothing is kept.
func show_snapshot(snapshot: Dictionary, speed: int) -> void:
	if snapshot.t_ps < _t_ps:
		_frames = []
	var moved: bool = snapshot.t_ps != _t_ps
	_t_ps = snapshot.t_ps
	if not moved or snapshot.phase != "running":
		return
	var left: float = (_view.floor_view.layout.level.end_ps - snapshot.t_ps) / PS_PER_S
	_wait -= get_process_delta_time()
	if left < BEFORE_S * speed and _wait <= 0.0 and not _drawing:
		_wait = FRAME_S
		_take()


func has_moved() -> bool:
	return _frames.size() > 1


# How much of the GIF is made, 0 to 1; -1 while none is being made.
func share() -> float:
	if _path == "":
		return -1.0
	return _writer.share()


# Makes the GIF beside the game, so that no frame waits for it.
func encode() -> void:
	if _path != "" or not has_moved():
		return
	if _writer == null:
		_writer = Node.new()
		_writer.set_script(load(WRITER))
		add_child(_writer)
	for frame in _frames:
		_writer.add(frame)
	var path := FloorPicture.new_path(_view.floor_view.layout.level, "gif")
	_path = ProjectSettings.globalize_path(path)
	_writer.write(_path, int(SIZE.x), int(SIZE.y), int(FRAME_S * 1000))


func _process(_delta: float) -> void:
	if _path != "" and _writer.ended():
		var path := _path if _writer.problem() == "" else ""
		if path == "":
			push_error("The GIF could not be written: %s" % _writer.problem())
		_path = ""
		emit_signal("encoded", path)


func _take() -> void:
	_drawing = true
	if _frames.empty():
		_caption.show_level(_view.floor_view.layout.level, SIZE)
	_view.draw_once()
	# No yield: the level may be left before the frame is drawn.
	VisualServer.connect("frame_post_draw", self, "_keep", [], CONNECT_ONESHOT)


func _keep() -> void:
	var image := _view.image()
	image.convert(Image.FORMAT_RGB8)
	_frames.append(image.get_data())
	if _frames.size() > FRAMES:
		_frames.pop_front()
	_drawing = false
