extends VBoxContainer
# How the run went: throughput, waiting, memory, over the whole run or its last minute, with one
# cursor over all. A press goes to that moment.

signal moment_pointed(second)
signal moment_picked(second)

const ChoiceRow := preload("res://scenes/theme/choice_row.gd")
const Figure := preload("res://scenes/graphs/figure.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const LAST_S := 60
const NOTHING := -1
const GIB := 1073741824.0
const SPANS := ["whole", "last"]
# Cards are told apart by shade and letter: colours mean kinds of packets.
const CARDS := ["c6d4f5", "6f8fe6", "93a6cf", "4d66b3", "e2e8f4", "7f8bb0"]

var history: Reference

var _floor_view: Node2D
var _figures := {}
var _spans := ChoiceRow.new()
var _time := Ui.label("", Fonts.medium(12), Palette.TEXT_SOFT)
var _whole := true
var _cursor := NOTHING
var _shown := -1
var _cards := []


func _init() -> void:
	size_flags_vertical = SIZE_EXPAND_FILL
	add_constant_override("separation", 12)
	_spans.add_constant_override("separation", 4)
	_spans.connect("chosen", self, "_on_span")
	for name in SPANS:
		var key: String = "GRAPHS_" + name.to_upper()
		var button: Button = _spans.add_choice(name, tr(key), tr(key + "_TIP"))
		button.add_font_override("font", Fonts.medium(12))
	_spans.add_child(Ui.spacer())
	_spans.add_child(_time)
	add_child(_spans)
	_add("tps", [Palette.TOKEN])
	_add("ttft", [Palette.PROMPT])
	_add("queue", [Palette.WARNING])
	_add("vram", [])
	_add("acceptance", [Palette.DRAFT])
	_figures.queue.graph.least_top = 4.0
	_figures.acceptance.graph.least_top = 1.0
	_figures.acceptance.hide()
	_on_span("whole")
	connect("visibility_changed", self, "_on_visibility_changed")


func set_up(_client: Node, floor_view: Node2D) -> void:
	_floor_view = floor_view


func show_snapshot(snapshot: Dictionary) -> void:
	history.follow(snapshot.t_ps)
	if history.version != _shown:
		_shown = history.version
		_show_lines()


# The cursor at a second of the run (NOTHING: none).
func point(second: int) -> void:
	if second > history.count:
		second = NOTHING
	if second == _cursor:
		return
	_cursor = second
	for name in _figures:
		_figures[name].graph.cursor = second
	_show_values()


func targets() -> Dictionary:
	var rects: Dictionary = _spans.targets("graphs:")
	for name in _figures:
		if _figures[name].visible:
			rects["graph:" + name] = _figures[name].graph.get_global_rect()
	return rects


func texts() -> Array:
	var told := [_time.text]
	for name in _figures:
		if _figures[name].visible:
			told.append(_figures[name].text())
	return told


func _add(name: String, colours: Array) -> void:
	var figure := Figure.new()
	figure.set_up("GRAPH_" + name.to_upper(), colours)
	figure.graph.connect("pointed", self, "_on_pointed")
	figure.graph.connect("picked", self, "_on_picked")
	_figures[name] = figure
	add_child(figure)


func _show_lines() -> void:
	_show_figure("tps", history.targets.get("tps"), "≥ %s")
	_show_figure("ttft", history.targets.get("ttft"), "≤ %s s")
	_show_figure("queue", null, "")
	_show_figure("acceptance", null, "")
	_figures.acceptance.visible = _any(history.acceptance)
	_show_cards()
	var last: int = int(max(history.count, LAST_S))
	var first := 0 if _whole else last - LAST_S
	for name in _figures:
		_figures[name].show_span(first, last)
	_show_values()


func _show_figure(name: String, target, text: String) -> void:
	if target == null:
		_figures[name].show_lines([history.get(name)], -1.0, "")
	else:
		_figures[name].show_lines([history.get(name)], target, text % Words.pointed(str(target)))


# A line for a card, of many cards for the fullest; against the memory of the largest.
func _show_cards() -> void:
	var pads: Array = _floor_view.layout.pads
	_cards = range(history.vram.size())
	if _cards.size() > CARDS.size():
		_cards.sort_custom(self, "_is_fuller")
		_cards.resize(CARDS.size())
		_cards.sort()
	var lines := []
	var colours := []
	var names := []
	var most := 0.0
	for index in _cards.size():
		lines.append(history.vram[_cards[index]])
		colours.append(Color(CARDS[index]))
		names.append(Words.pad_letter(pads[_cards[index]].id))
		most = max(most, pads[_cards[index]].vram_bytes)
	_figures.vram.graph.colours = colours
	_figures.vram.graph.names = names
	_figures.vram.show_lines(lines, most if most > 0.0 else -1.0, _of_memory(most))


func _of_memory(most: float) -> String:
	return tr("GRAPH_VRAM_OF").format({"gib": Words.decimal(most / GIB, 0)}) if most > 0.0 else ""


func _is_fuller(one: int, other: int) -> bool:
	return history.vram[one][-1] > history.vram[other][-1]


func _show_values() -> void:
	var second: int = history.count if _cursor == NOTHING else _cursor
	_time.text = Words.clock(second * history.PS_PER_S)
	_figures.tps.show_value(_text("tps", "decimal", 1))
	_figures.ttft.show_value(_text("ttft", "seconds"))
	_figures.queue.show_value(_text("queue", "decimal", 0))
	_figures.acceptance.show_value(_text("acceptance", "percent"))
	var graph: Control = _figures.vram.graph
	var parts := PoolStringArray()
	for index in min(graph.lines.size(), 3):
		var bytes: float = graph.value_of(index)
		parts.append("%s %s" % [graph.names[index], Words.decimal(bytes / GIB, 1)])
	if not parts.empty():
		parts[-1] += " GiB"
	_figures.vram.show_value(parts.join("  "))


func _text(name: String, form: String, digits: int = 0) -> String:
	var value: float = _figures[name].graph.value_of(0) if history.count > 0 else -1.0
	if value < 0.0:
		return Words.NO_VALUE
	match form:
		"seconds":
			return Words.seconds(value)
		"percent":
			return Words.percent(value)
	return Words.decimal(value, digits)


func _any(values: PoolRealArray) -> bool:
	for value in values:
		if value >= 0.0:
			return true
	return false


func _on_span(name: String) -> void:
	_whole = name == "whole"
	_spans.show_choice(name)
	_shown = -1


func _on_pointed(second: int) -> void:
	point(second)
	emit_signal("moment_pointed", second)


# A panel that goes away under the mouse is not left by it.
func _on_visibility_changed() -> void:
	if not is_visible_in_tree():
		_on_pointed(NOTHING)


func _on_picked(second: int) -> void:
	emit_signal("moment_picked", second)
