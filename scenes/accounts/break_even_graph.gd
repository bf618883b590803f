extends Control
# What an hour costs over how busy the card is: owned or rented it costs nearly the same whether it
# works or not, by the token it costs as much as there is work. Where the lines cross is the
# break-even.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")
const HEIGHT := 150.0
const FOOT := 16.0
# How much above the dearest hour of the card the graph reaches.
const AIR := 1.6
const WAYS := {"owned": Palette.GOOD, "rented": Palette.WARNING}
# Of the offers, by their place.
const OFFERS := [Palette.TOKEN, Palette.KV, Palette.STAR, Palette.REJECT]
const DOT := 3.5

var _task := {}
var _font := Fonts.medium(11)


func _init() -> void:
	rect_min_size.y = HEIGHT
	mouse_filter = MOUSE_FILTER_IGNORE


# As the engine answers `break_even`: {curve, offers, ...}.
func show_task(task: Dictionary) -> void:
	_task = task
	update()


func _draw() -> void:
	var area := Rect2(0, 0, rect_size.x, rect_size.y - FOOT)
	draw_rect(area, Palette.faded(Palette.PANEL_INSET, 0.8))
	if not _task.has("curve"):
		return
	var top := _top()
	for index in _task.offers.size():
		_draw_offer(_task.offers[index], OFFERS[index % OFFERS.size()], area, top)
	for way in WAYS:
		_draw_way(way, area, top)
	for index in _task.offers.size():
		_draw_dots(_task.offers[index], area, top)
	_draw_axes(area, top)


func _top() -> float:
	var most := 0.0
	for point in _task.curve:
		for way in WAYS:
			most = max(most, point.get(way, 0.0))
	return most * AIR


func _draw_way(way: String, area: Rect2, top: float) -> void:
	var line := PoolVector2Array()
	for point in _task.curve:
		if point.has(way):
			line.append(_place(point.utilisation, point[way], area, top))
	if line.size() > 1:
		draw_polyline(line, WAYS[way], 2.0, true)


# From nothing to what it costs to do as much as the card can; cut off at the top.
func _draw_offer(offer: Dictionary, colour: Color, area: Rect2, top: float) -> void:
	var share: float = min(1.0, top / max(offer.usd_per_hour, 0.000001))
	var tint := colour if offer.possible else Palette.faded(colour, 0.35)
	var from := _place(0.0, 0.0, area, top)
	draw_line(from, _place(share, share * offer.usd_per_hour, area, top), tint, 1.5, true)


func _draw_dots(offer: Dictionary, area: Rect2, top: float) -> void:
	for way in WAYS:
		var share = offer.break_even.get(way)
		if share != null:
			var at := _place(share, share * offer.usd_per_hour, area, top)
			draw_circle(at, DOT + 1.5, Palette.BACKGROUND)
			draw_circle(at, DOT, WAYS[way])


func _draw_axes(area: Rect2, top: float) -> void:
	var soft := Palette.TEXT_SOFT
	draw_line(Vector2(0, area.end.y), area.end, Palette.OUTLINE)
	var price := tr("BREAK_EVEN_HOUR").format({"usd": Words.decimal(top, 2)})
	var size := _font.get_string_size(price)
	var at := Vector2(area.end.x - size.x - 6, 4)
	draw_rect(Rect2(at, size).grow_individual(4, 1, 4, 1), Palette.faded(Palette.PANEL, 0.85))
	draw_string(_font, at + Vector2(0, _font.get_ascent()), price, soft)
	var foot := rect_size.y - 3
	draw_string(_font, Vector2(0, foot), "0 %", soft)
	var end := "100 %"
	draw_string(_font, Vector2(rect_size.x - _font.get_string_size(end).x, foot), end, soft)
	var busy := tr("BREAK_EVEN_BUSY")
	draw_string(_font, Vector2((rect_size.x - _font.get_string_size(busy).x) / 2, foot), busy, soft)


func _place(share: float, usd: float, area: Rect2, top: float) -> Vector2:
	var x := area.position.x + share * area.size.x
	return Vector2(x, area.end.y - clamp(usd / top, 0.0, 1.0) * area.size.y)
