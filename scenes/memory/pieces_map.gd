extends Control
# Memory in one piece a request, to scale along its addresses: what of a piece is in use, striped
# what is reserved for tokens that will come, and with red stripes what is lost: the part of a piece
# that is never used, and free memory that is too little for one more piece.

signal picked(id)

const Palette := preload("res://scenes/theme/palette.gd")
const RequestColours := preload("res://scenes/requests/request_colours.gd")
const HEIGHT := 56.0
const FREE := Color("232b42")
const LOST := Color("b3ff5c5c")
const GAP := 1.0
const STRIPE := 7.0
const ASIDE := 0.22
const DIMMED := 0.35

var _told := {}
# [request, start, bytes], by address.
var _pieces := []
# Request -> bytes in use, and reserved.
var _used := {}
var _reserved := {}
var _picked := -1


func _init() -> void:
	rect_min_size.y = HEIGHT


# `told`: the answer to `memory` of a card that is not paged.
func show_pieces(told: Dictionary) -> void:
	_told = told
	_pieces = told.pieces if told.has("pieces") else _stacked(told)
	_used = {}
	_reserved = {}
	var per_token: int = told.block_bytes / told.block_tokens
	for entry in told.tokens:
		_used[entry[0]] = entry[1] * per_token
		_reserved[entry[0]] = entry[2] * per_token
	update()


func pick(id: int) -> void:
	if id != _picked:
		_picked = id
		update()


# The request whose piece is at a point, or -1.
func owner_at(point: Vector2) -> int:
	for piece in _pieces:
		if _box(piece[1], piece[2]).has_point(point):
			return piece[0]
	return -1


# Reservations without addresses, one after another.
func _stacked(told: Dictionary) -> Array:
	var pieces := []
	var start := 0
	for entry in told.held:
		var length: int = entry[1] * told.block_bytes
		pieces.append([entry[0], start, length])
		start += length
	return pieces


func _box(start: int, length: int) -> Rect2:
	var scale: float = rect_size.x / max(_told.size_bytes, 1)
	var from := round(start * scale)
	return Rect2(from, 0, max(round((start + length) * scale) - from - GAP, 1.0), HEIGHT)


func _draw() -> void:
	if _told.empty():
		return
	draw_rect(Rect2(Vector2.ZERO, rect_size), FREE)
	for hole in _told.get("holes", []):
		var rest: int = hole[1] - hole[2] * int(_told.block_bytes)
		if rest > 0:
			var box := _box(hole[0] + hole[1] - rest, rest)
			draw_rect(box, Palette.faded(Palette.BAD, 0.12))
			_draw_stripes(box, LOST)
	for piece in _pieces:
		_draw_piece(piece)


# A request has one piece on a card.
func _draw_piece(piece: Array) -> void:
	var colour := RequestColours.of(piece[0])
	if _used.has(_picked) and piece[0] != _picked:
		colour = colour.linear_interpolate(Palette.PANEL_INSET, 1.0 - DIMMED)
	draw_rect(_box(piece[1], piece[2]), Palette.faded(colour, ASIDE))
	var used: int = min(_used.get(piece[0], 0), piece[2])
	var reserved: int = min(_reserved.get(piece[0], 0), piece[2] - used)
	var lost: int = piece[2] - used - reserved
	if lost > 0:
		_draw_stripes(_box(piece[1] + used + reserved, lost), LOST)
	if reserved > 0:
		_draw_stripes(_box(piece[1] + used, reserved), Palette.faded(colour, 0.7))
	if used > 0:
		draw_rect(_box(piece[1], used), colour)


func _draw_stripes(box: Rect2, colour: Color) -> void:
	var x := box.position.x - box.size.y
	while x < box.end.x:
		var from := Vector2(x, box.end.y)
		var to := Vector2(x + box.size.y, box.position.y)
		if from.x < box.position.x:
			from = Vector2(box.position.x, box.end.y - (box.position.x - x))
		if to.x > box.end.x:
			to = Vector2(box.end.x, box.position.y + (to.x - box.end.x))
		if from.x < to.x:
			draw_line(from, to, colour, 1.0, true)
		x += STRIPE


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed and event.button_index == BUTTON_LEFT:
		var owner := owner_at(event.position)
		if owner >= 0:
			emit_signal("picked", owner)
			accept_event()
