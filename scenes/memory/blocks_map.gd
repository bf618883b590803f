extends Control
# Paged memory, block by block: a grid of cells, each in the colour of the request that has the
# block; the part of a block that holds nothing yet is dimmed. Where cells would be too small to be
# seen, one stands for several blocks.

signal picked(id)

const BlocksShader := preload("res://scenes/memory/blocks_map.shader")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestColours := preload("res://scenes/requests/request_colours.gd")
const OWNERS_WIDTH := 256
const CELL_MOST := 12.0
const CELL_LEAST := 3.0
const GAPPED := 5.0
const FREE := Color("232b42")
const UNUSED := 0.55
const MOST_ROOM := 2.0

# Blocks that one cell stands for.
var stride := 1
# Aims at so much height, and takes MOST_ROOM times as much before cells stand for several blocks.
var room := 88.0

var _told := {}
var _picked := -1
var _cell := CELL_MOST
var _columns := 1
var _cells := ColorRect.new()
var _unused := Control.new()
var _material := ShaderMaterial.new()


func _init() -> void:
	_material.shader = BlocksShader
	_cells.material = _material
	_unused.connect("draw", self, "_draw_unused")
	for layer in [_cells, _unused]:
		layer.mouse_filter = MOUSE_FILTER_IGNORE
		layer.set_anchors_preset(PRESET_WIDE)
		add_child(layer)
	connect("resized", self, "_fit")


# `told`: the answer to `memory` of a paged card.
func show_blocks(told: Dictionary) -> void:
	var fits: bool = _told.get("total", -1) == told.total
	_told = told
	if not fits:
		_fit()
	_show_owners()
	_show_colours()
	_unused.update()


func pick(id: int) -> void:
	if id != _picked:
		_picked = id
		_show_colours()


# The request that has the block at a point, 0 where several share it, or -1.
func owner_at(point: Vector2) -> int:
	var place := (point / _cell).floor()
	if _told.empty() or place.x < 0 or place.x >= _columns or place.y < 0:
		return -1
	var block := int(place.y * _columns + place.x) * stride
	if block >= _told.total:
		return -1
	var owner: int = _told.owners[2 * block] + 256 * _told.owners[2 * block + 1]
	return _told.tokens[owner - 1][0] if owner > 0 else -1


func _holds(id: int) -> bool:
	for entry in _told.tokens:
		if entry[0] == id:
			return true
	return false


# The cells as large as the room allows; several blocks a cell, when they would be too small.
func _fit() -> void:
	if _told.empty() or rect_size.x <= 0.0:
		return
	stride = 1
	_cell = CELL_MOST
	while _height() > room and _cell > CELL_LEAST:
		_cell -= 1.0
	if _height() > room * MOST_ROOM:
		while _height() > room:
			stride += 1
	rect_min_size.y = _height()
	_material.set_shader_param("area", Vector2(rect_size.x, _height()))
	_material.set_shader_param("cell", _cell)
	_material.set_shader_param("gap", 1.0 if _cell >= GAPPED else 0.0)
	_material.set_shader_param("columns", float(_columns))
	_material.set_shader_param("cells", ceil(_told.total / float(stride)))
	_material.set_shader_param("stride", float(stride))
	_unused.update()


func _height() -> float:
	_columns = int(max(1.0, floor(rect_size.x / _cell)))
	return ceil(ceil(_told.total / float(stride)) / _columns) * _cell


func _show_owners() -> void:
	var rows := int(max(1.0, ceil(_told.total / float(OWNERS_WIDTH))))
	var bytes: PoolByteArray = _told.owners
	var used := bytes.size()
	bytes.resize(2 * OWNERS_WIDTH * rows)
	for index in range(used, bytes.size()):
		bytes[index] = 0
	_set_texture("owners", OWNERS_WIDTH, rows, Image.FORMAT_LA8, bytes)


# Free blocks first, then each request; all but the one that is picked are dimmed.
func _show_colours() -> void:
	if _told.empty():
		return
	var dims := _holds(_picked)
	var colours := [FREE]
	for entry in _told.tokens:
		var colour := RequestColours.of(entry[0])
		if dims and entry[0] != _picked:
			colour = colour.linear_interpolate(Palette.PANEL_INSET, 0.7)
		colours.append(colour)
	var rows := int((colours.size() - 1) / OWNERS_WIDTH) + 1
	var bytes := PoolByteArray()
	for colour in colours:
		for part in [colour.r8, colour.g8, colour.b8, 255]:
			bytes.append(part)
	bytes.resize(4 * OWNERS_WIDTH * rows)
	_set_texture("colours", OWNERS_WIDTH, rows, Image.FORMAT_RGBA8, bytes)


func _set_texture(name: String, wide: int, high: int, format: int, bytes: PoolByteArray) -> void:
	var image := Image.new()
	image.create_from_data(wide, high, false, format, bytes)
	var texture := ImageTexture.new()
	texture.create_from_image(image, 0)
	_material.set_shader_param(name, texture)
	_material.set_shader_param(name + "_size", Vector2(wide, high))


func _draw_unused() -> void:
	if _told.empty() or stride > 1:
		return
	var shade: Color = Palette.faded(Palette.BACKGROUND, UNUSED)
	for entry in _told.partial:
		var share: float = 1.0 - entry[1] / float(_told.block_tokens)
		var at: Vector2 = Vector2(entry[0] % _columns, entry[0] / _columns) * _cell
		_unused.draw_rect(Rect2(at, Vector2(_cell, round(_cell * share))), shade)


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.pressed and event.button_index == BUTTON_LEFT:
		var owner := owner_at(event.position)
		if owner > 0:
			emit_signal("picked", owner)
			accept_event()
