extends VBoxContainer
# The panel of memory: a map for each card, two at a time.

signal request_picked(id)

const CardMemory := preload("res://scenes/memory/card_memory.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const CARDS := 2
const WIDTH := 256.0

var picked := -1

var _client: Node
var _floor_view: Node2D
var _first := 0
var _pager := HBoxContainer.new()
var _page: Label
var _cards := []
var _note: Label


func _init() -> void:
	add_constant_override("separation", 12)
	_page = Ui.label("", Fonts.medium(13), Palette.TEXT_SOFT)
	_page.size_flags_horizontal = SIZE_EXPAND_FILL
	_page.align = Label.ALIGN_CENTER
	_pager.add_child(_turner("‹", -CARDS))
	_pager.add_child(_page)
	_pager.add_child(_turner("›", CARDS))
	add_child(_pager)
	for index in CARDS:
		var card := CardMemory.new()
		card.connect("request_picked", self, "_on_picked")
		_cards.append(card)
		add_child(card)
	_note = Ui.paragraph(tr("MEMORY_HINT"), WIDTH, Fonts.body(12))
	_note.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_note)


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view


# Makes one request stand out (-1: none).
func pick(id: int) -> void:
	picked = id
	for card in _cards:
		card.pick(id)


func refresh() -> void:
	var pads: Array = _floor_view.layout.pads
	if _first >= pads.size():
		_first = 0
	_pager.visible = pads.size() > CARDS
	var last := int(min(_first + CARDS, pads.size()))
	_page.text = tr("MEMORY_PAGE").format({"from": _first + 1, "to": last, "all": pads.size()})
	for index in CARDS:
		var card: Control = _cards[index]
		card.visible = _first + index < last
		if card.visible:
			var pad: Dictionary = pads[_first + index]
			var told: Dictionary = _client.ask({"ask": "memory", "pad": pad.id})
			if told.ok:
				card.show_card(pad, told)


func texts() -> Array:
	var said := []
	for card in _cards:
		if card.visible:
			said += card.texts()
	return said


func targets() -> Dictionary:
	var rects := {}
	for index in CARDS:
		if _cards[index].visible:
			rects["memory:%d" % (_first + index)] = _cards[index].map_rect()
	return rects


func _turner(text: String, step: int) -> Button:
	var button := Ui.button(text)
	button.rect_min_size = Vector2(32, 28)
	button.connect("pressed", self, "_turn", [step])
	return button


func _turn(step: int) -> void:
	var count: int = _floor_view.layout.pads.size()
	_first = int(clamp(_first + step, 0, max(0, (count - 1) / CARDS * CARDS)))
	refresh()


func _on_picked(id: int) -> void:
	emit_signal("request_picked", id)
