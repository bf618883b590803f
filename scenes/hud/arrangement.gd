extends Reference
# Where the panels stand: the bar above, below it timeline and status line, tools at the bottom, the
# dock to the right, library and teaching to the left; the floor in between. In a narrow window the
# dock lies over the floor and is closed at first; in a narrow or low one all draw closer together.

const NARROW := 1000.0
const LOW := 600.0
const MARGIN := 20.0
const SMALL_MARGIN := 8.0
const GAP := 12.0
const SMALL_GAP := 8.0
const STRIP_HEIGHT := 26.0
# Of the status line while it is one line; the floor keeps clear of that.
const STATUS_HEIGHT := 38.0
const LEFT_WIDTH := 256.0
# Beside the floor, for the signs of its GPUs between it and the hint.
const INSET := 112.0
const RIGHT_WIDTH := 300.0
const START_HEIGHT := 56.0
const SMALL_START := Vector2(120, 44)

# The controls, set by the HUD.
var bar: Control
var strip: Control
var status: Control
var tools: Control
var start: Control
var dock: Control
# The dock's place.
var right: Control
var hint: Control
# The library's place, and the library.
var left: Control
var library: Control
var toast: Control
var notices: Control
var selection_bar: Control
# How the level ended; null while it goes on.
var result: Control

var narrow := false
# The space that the panels leave free.
var free := Rect2()

var _size := Vector2.ZERO
var _margin := MARGIN
var _gap := GAP


# Arranges all in a window of this size.
func arrange(size: Vector2) -> void:
	_size = size
	var low := size.y < LOW
	_fold_dock(size.x < NARROW)
	_margin = SMALL_MARGIN if narrow or low else MARGIN
	_gap = SMALL_GAP if narrow or low else GAP
	bar.fit(size.x - 2 * _margin)
	var bar_height := bar.get_combined_minimum_size().y
	_put(bar, Vector2(_margin, _margin), Vector2(size.x - 2 * _margin, bar_height))
	var top := _margin + bar_height + _gap
	var right_x := size.x - _margin - RIGHT_WIDTH
	var floor_right := size.x - _margin if narrow else right_x - _gap
	_place_lines(top, right_x)
	var floor_top := top + STRIP_HEIGHT + _gap + STATUS_HEIGHT + _gap / 2
	var tools_top := _place_tools(floor_right, low)
	# What stands in the corners: beside the tools, or above them.
	var bottom := tools_top - _gap if narrow else size.y - _margin
	var start_size := SMALL_START if narrow else Vector2(RIGHT_WIDTH, START_HEIGHT)
	_put(start, Vector2(size.x - _margin, bottom) - start_size, start_size)
	# In the smallest windows an open panel takes the place of the start button (there is one in the
	# bar), the library that of the hint, and either that of the status line.
	var tiny := narrow and low
	start.visible = not tiny or dock.current == ""
	hint.visible = not tiny or not library.visible
	var dock_bottom := bottom - start_size.y - _gap if start.visible else bottom
	_place_dock(Vector2(right_x, top), dock_bottom - top)
	hint.tight = low and narrow or library.visible
	var hint_size := hint.get_combined_minimum_size()
	_put(hint, Vector2(_margin, bottom - hint_size.y), hint_size)
	var teaches: bool = tiny and hint.visible and not hint.folded()
	status.covered = not hint.visible or (teaches and hint.rect_position.y < floor_top)
	var left_bottom := bottom - hint_size.y - _gap if hint.visible else bottom
	var left_top := min(floor_top, left_bottom - left.get_combined_minimum_size().y)
	var left_height := left_bottom - left_top
	_put(left, Vector2(_margin, left_top), Vector2(LEFT_WIDTH, left_height))
	var floor_bottom := tools_top - _gap
	if narrow and not low:
		floor_bottom = min(floor_bottom, bottom - max(start_size.y, hint_size.y) - _gap)
	var floor_left := _margin
	if teaches:
		floor_left += hint_size.x + _gap
	elif not narrow:
		floor_left += LEFT_WIDTH + _gap if library.visible else INSET
	free = Rect2(floor_left, floor_top, floor_right - floor_left, floor_bottom - floor_top)
	place_notices()
	place_result()


# Above the tools: the selection at the right, where no floor is, and beside what stands there; the
# toast in the middle.
func place_notices() -> void:
	var bottom := tools.rect_position.y - _gap
	var bar_size := selection_bar.get_combined_minimum_size()
	var end := start.rect_position.x - _gap
	if not narrow or dock.current != "":
		end = right.rect_position.x - _gap
	_put(selection_bar, Vector2(end, bottom) - bar_size, bar_size)
	var on_hint: bool = hint.visible and hint.get_rect().intersects(selection_bar.get_rect())
	# Above the hint, or away while that takes all the room: keys and tools do the same.
	var above: float = hint.rect_position.y - _gap / 2
	selection_bar.aside = on_hint and above - bar_size.y < free.position.y
	if on_hint and not selection_bar.aside:
		bottom = above
		selection_bar.rect_position.y = bottom - bar_size.y
	toast.fit(_size.x - 2 * _margin)
	var toast_size := toast.get_combined_minimum_size()
	if selection_bar.visible:
		bottom -= bar_size.y + _gap / 2
	var middle := tools.rect_position.x + tools.rect_size.x / 2
	_put(toast, Vector2(middle - toast_size.x / 2, bottom - toast_size.y), toast_size)
	_place_happenings()


# In the middle of the floor, or put aside above it.
func place_result() -> void:
	if result == null:
		return
	if not result.put_aside():
		result.fit(free.size.y)
	var size := result.get_combined_minimum_size()
	var at := free.position + (free.size - size) / 2
	if not narrow:
		var end := free.end.x - size.x
		at.x = clamp(at.x, min(hint.rect_position.x + hint.rect_size.x + _gap, end), end)
	var lowest := _size.y - _margin - size.y
	at.y = clamp(at.y, min(free.position.y, lowest), lowest)
	if result.put_aside():
		at.y = free.position.y
	_put(result, at, size)
	_place_happenings()


# What has happened: in the middle of the floor's upper edge, below what stands there and beside
# what teaches. Where the result lies there, it waits.
func _place_happenings() -> void:
	notices.held = result != null and not result.put_aside()
	notices.most = 1 if _size.y < LOW else 2
	var top := free.position.y
	if status.is_visible_in_tree():
		top = max(top, status.rect_position.y + status.get_combined_minimum_size().y + _gap / 2)
	if result != null:
		top = max(top, result.rect_position.y + result.rect_size.y + _gap / 2)
	var start_x := free.position.x
	var end_x := free.end.x
	if narrow and dock.current != "":
		end_x = min(end_x, right.rect_position.x - _gap)
	var high: float = notices.get_combined_minimum_size().y
	if hint.visible and hint.rect_position.y < top + high:
		start_x = max(start_x, hint.rect_position.x + hint.rect_size.x + _gap)
	notices.fit(end_x - start_x)
	var size: Vector2 = notices.get_combined_minimum_size()
	_put(notices, Vector2((start_x + end_x - size.x) / 2, top), size)


# Timeline and status line, clear of the dock.
func _place_lines(top: float, right_x: float) -> void:
	var strip_right := right_x - _gap
	if narrow:
		strip_right = _size.x - _margin - dock.least() - _gap
	_put(strip, Vector2(_margin, top), Vector2(strip_right - _margin, STRIP_HEIGHT))
	var beside_dock: bool = not narrow or dock.current != ""
	status.fit((right_x - _gap if beside_dock else _size.x - _margin) - _margin)
	_put(status, Vector2(_margin, top + STRIP_HEIGHT + _gap), Vector2.ZERO)


# Where the tools begin.
func _place_tools(floor_right: float, low: bool) -> float:
	var from := _margin if narrow else _margin + LEFT_WIDTH + _gap
	tools.fit(floor_right - from, low)
	var size := tools.get_combined_minimum_size()
	var at := Vector2((from + floor_right - size.x) / 2, _size.y - _margin - size.y)
	_put(tools, at, size)
	return at.y


func _place_dock(at: Vector2, height: float) -> void:
	dock.room = Vector2(RIGHT_WIDTH, height)
	_put(right, at, Vector2(RIGHT_WIDTH, 0))


func _fold_dock(value: bool) -> void:
	if value != narrow:
		narrow = value
		dock.open("" if narrow else "details")


func _put(node: Control, at: Vector2, size: Vector2) -> void:
	node.rect_position = at.round()
	node.rect_size = size
