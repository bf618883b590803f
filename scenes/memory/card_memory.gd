extends VBoxContainer
# The memory of one card: how it is divided, the map of its KV memory, and what of that is used, set
# aside, lost and free.

signal request_picked(id)

const BlocksMap := preload("res://scenes/memory/blocks_map.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PiecesMap := preload("res://scenes/memory/pieces_map.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const VramStrip := preload("res://scenes/memory/vram_strip.gd")
const Words := preload("res://scenes/theme/words.gd")
# What is shown of the KV memory, and the engine's shares that it stands for.
const ROWS := {
	"used": ["tokens"],
	"reserved": ["reserved"],
	"lost": ["internal", "external"],
	"free": ["free"],
}

var _title: Label
var _taken: Control
var _strip := VramStrip.new()
var _caption: Label
var _blocks := BlocksMap.new()
var _pieces := PiecesMap.new()
var _values := {}
var _shares := {}
var _nothing: Label
var _figures := VBoxContainer.new()
var _told := {}
var _hash := 0


func _init() -> void:
	add_constant_override("separation", 6)
	var head := HBoxContainer.new()
	_title = Ui.label("", Fonts.medium(13))
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_title.clip_text = true
	_taken = Ui.figures(Fonts.body(13), 44, Palette.TEXT_SOFT)
	_taken.side = _taken.Side.RIGHT
	_taken.size_flags_vertical = SIZE_FILL
	head.add_child(_title)
	head.add_child(_taken)
	_caption = Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	_nothing = Ui.label(tr("MEMORY_NOTHING"), Fonts.body(13), Palette.TEXT_SOFT)
	_figures.add_constant_override("separation", 0)
	for row in ROWS:
		_add_row(row)
	for node in [head, _strip, _caption, _blocks, _pieces, _figures, _nothing]:
		add_child(node)
	_blocks.connect("minimum_size_changed", self, "_show_caption")
	for map in [_blocks, _pieces]:
		map.connect("picked", self, "_on_picked")
		map.connect("gui_input", self, "_on_map_input", [map])


# `pad`: a row of the layout; `told`: the answer to `memory`.
func show_card(pad: Dictionary, told: Dictionary) -> void:
	_title.text = Words.pad_name(pad)
	var shown := told.hash()
	if shown == _hash:
		return
	_hash = shown
	_told = told
	var taken: int = told.fixed_bytes + told.used * told.block_bytes
	_taken.text = Words.percent(float(taken) / told.vram_bytes)
	_strip.show_card(told)
	var something: bool = told.total > 0
	_nothing.visible = not something
	_caption.visible = something
	_figures.visible = something
	_blocks.visible = something and told.paged
	_pieces.visible = something and not told.paged
	if not something:
		return
	if told.paged:
		_blocks.show_blocks(told)
	else:
		_pieces.show_pieces(told)
	_show_caption()
	_show_figures()


func pick(id: int) -> void:
	_blocks.pick(id)
	_pieces.pick(id)


func texts() -> Array:
	var said := [_title.text, _taken.text]
	if _nothing.visible:
		return said + [_nothing.text]
	said.append(_caption.text)
	for row in ROWS:
		said.append(
			"%s %s %s" % [tr("MEMORY_" + row.to_upper()), _values[row].text, _shares[row].text]
		)
	return said


func map_rect() -> Rect2:
	return (_blocks if _blocks.visible else _pieces).get_global_rect()


func _add_row(name: String) -> void:
	var line := HBoxContainer.new()
	line.rect_min_size.y = 16
	line.hint_tooltip = tr("MEMORY_%s_TIP" % name.to_upper())
	var title := Ui.label(tr("MEMORY_" + name.to_upper()), Fonts.body(12), Palette.TEXT_SOFT)
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(title)
	_values[name] = Ui.figures(Fonts.medium(12), 80)
	_shares[name] = Ui.figures(Fonts.body(12), 44, Palette.TEXT_SOFT)
	for figure in [_values[name], _shares[name]]:
		figure.side = figure.Side.RIGHT
		figure.size_flags_vertical = SIZE_FILL
		line.add_child(figure)
	_figures.add_child(line)


func _show_caption() -> void:
	if _told.empty():
		return
	var code := "MEMORY_PIECES"
	if _told.paged:
		code = "MEMORY_BLOCKS" if _blocks.stride == 1 else "MEMORY_CELLS"
	elif not _told.has("pieces"):
		code = "MEMORY_HELD"
	_caption.text = tr(code).format(
		{
			"kv": Words.mebibytes(_told.size_bytes),
			"tokens": Words.thousands(_told.block_tokens),
			"count": Words.thousands(_told.total),
			"stride": _blocks.stride,
		}
	)


func _show_figures() -> void:
	for row in ROWS:
		var bytes := 0
		for share in ROWS[row]:
			bytes += _told.shares[share]
		_values[row].text = tr("MEMORY_MIB").format({"mib": Words.mebibytes(bytes)})
		_shares[row].text = Words.percent(bytes / float(_told.size_bytes))
		_values[row].colour = Palette.BAD if row == "lost" and bytes > 0 else Palette.TEXT


func _on_picked(id: int) -> void:
	emit_signal("request_picked", id)


# Names the request under the mouse.
func _on_map_input(event: InputEvent, map: Control) -> void:
	if not event is InputEventMouseMotion:
		return
	var owner: int = map.owner_at(event.position)
	var tip := ""
	for entry in _told.tokens:
		if entry[0] == owner:
			var held := {"id": owner, "tokens": Words.thousands(entry[1])}
			tip = tr("MEMORY_OWNER" if owner > 0 else "MEMORY_SHARED").format(held)
	map.hint_tooltip = tip
