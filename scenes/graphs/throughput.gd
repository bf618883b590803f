extends VBoxContainer
# The small graph under the details: tokens per second over the last minute.

const Figure := preload("res://scenes/graphs/figure.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Words := preload("res://scenes/theme/words.gd")
const SPAN_S := 60

var history: Reference

var _figure := Figure.new()
var _shown := -1


func _init() -> void:
	_figure.set_up("GRAPH_TPS", [Palette.TOKEN])
	_figure.graph.mouse_filter = MOUSE_FILTER_IGNORE
	_figure.graph.focus_mode = FOCUS_NONE
	_figure.graph.rect_min_size.y = 80
	add_child(_figure)


func show_snapshot(snapshot: Dictionary) -> void:
	history.follow(snapshot.t_ps)
	if history.version == _shown:
		return
	_shown = history.version
	var target = history.targets.get("tps")
	var bar: float = -1.0 if target == null else target
	_figure.show_lines([history.tps], bar, "" if target == null else "≥ %s" % target)
	var last := int(max(history.count, SPAN_S))
	_figure.show_span(last - SPAN_S, last)
	var value: float = _figure.graph.value_of(0) if history.count > 0 else -1.0
	_figure.show_value(Words.NO_VALUE if value < 0.0 else Words.decimal(value, 1))
