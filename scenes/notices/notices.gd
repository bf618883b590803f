extends VBoxContainer
# What has just happened, below the lines above the floor: one after the other, each as long as it
# takes to read it.

signal changed

const Happenings := preload("res://scenes/notices/happenings.gd")
const Notice := preload("res://scenes/notices/notice.gd")
const WIDTH := 440.0
const GAP := 6
# Shown at a time where there is room, and kept waiting; of more the oldest are left to the list of
# messages.
const MOST_SHOWN := 2
const MOST_WAITING := 6

# Whether something lies there that they would cover.
var held := false setget set_held
var most := MOST_SHOWN setget set_most

var _waiting := []
var _width := WIDTH


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	add_constant_override("separation", GAP)


# `events`: the snapshot's.
func show_events(events: Array) -> void:
	for event in events:
		if Happenings.is_one(event.code):
			_waiting.append(event)
			if _waiting.size() > MOST_WAITING:
				_waiting.pop_front()
	_show_next()


# The picture is another moment's.
func clear() -> void:
	_waiting = []
	for notice in get_children():
		_take(notice)


# How wide they may be.
func fit(width: float) -> void:
	width = min(width, WIDTH)
	if width != _width:
		_width = width
		for notice in get_children():
			notice.fit(width)
		rect_size = Vector2.ZERO


func set_held(value: bool) -> void:
	held = value
	visible = not held
	_show_next()


func set_most(value: int) -> void:
	most = value
	_show_next()


func texts() -> Array:
	var said := []
	for notice in get_children():
		said.append(notice.text())
	return said


func targets() -> Dictionary:
	if not is_visible_in_tree() or get_child_count() == 0:
		return {}
	return {
		"panel:notices": get_global_rect(),
		"notice:close": get_child(0).button.get_global_rect(),
	}


func _show_next() -> void:
	while not held and not _waiting.empty() and get_child_count() < most:
		var notice := Notice.new(_waiting.pop_front(), _width)
		notice.size_flags_horizontal = SIZE_SHRINK_CENTER
		notice.connect("done", self, "_on_done", [notice])
		add_child(notice)
		emit_signal("changed")


func _on_done(notice: Control) -> void:
	_take(notice)
	_show_next()


func _take(notice: Control) -> void:
	remove_child(notice)
	notice.queue_free()
	rect_size = Vector2.ZERO
	emit_signal("changed")
