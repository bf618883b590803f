extends VBoxContainer
# How many attempts came to which figure: those that met their goals in colour, this one marked.

const Amounts := preload("res://scenes/result/amounts.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 66.0
const GAP := 2.0
const WIDEST := 24.0
# Above the bars, for the mark of this attempt.
const HEADROOM := 12.0

var _chart := Control.new()
var _data := {}


# `data`: one of the engine's histograms.
func show_data(data: Dictionary) -> void:
	_data = data
	add_constant_override("separation", 2)
	var metric: String = data.code
	var mine: String = Amounts.of(metric, data.get("mine"))
	add_child(_line(Ui.label(tr(metric), Fonts.medium(13)), Ui.label(mine, Fonts.strong(15))))
	_chart.rect_min_size.y = HEIGHT
	_chart.mouse_filter = MOUSE_FILTER_IGNORE
	_chart.connect("draw", self, "_draw_chart")
	add_child(_chart)
	var best := ""
	if data.get("best") != null:
		best = tr("RESULT_BEST").format({"value": Amounts.bare(metric, data.best)})
	add_child(_line(_small(best, Palette.GOOD), _small(_span(metric), Palette.TEXT_SOFT)))


func _span(metric: String) -> String:
	if _data.bins == 0:
		return tr("RESULT_NO_FIGURE")
	if _data.low == _data.high:
		return ""
	return "%s – %s" % [Amounts.bare(metric, _data.low), Amounts.bare(metric, _data.high)]


func _line(left: Label, right: Label) -> Control:
	var line := HBoxContainer.new()
	left.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(left)
	line.add_child(right)
	return line


func _small(text: String, colour: Color) -> Label:
	return Ui.label(text, Fonts.body(12), colour)


func _draw_chart() -> void:
	var size := _chart.rect_size
	_chart.draw_line(Vector2(0, size.y), size, Palette.OUTLINE, 1.0)
	var bins: int = _data.bins
	if bins == 0:
		return
	var most := 0
	for count in _data.counts:
		most = int(max(most, count))
	var step := size.x / bins
	var width: float = min(step - GAP, WIDEST)
	for index in bins:
		var left: float = (index + 0.5) * step - width / 2
		var is_mine: bool = _data.bin != null and index == _data.bin
		var tall: float = size.y - HEADROOM
		var all: float = tall * _data.counts[index] / most
		var won: float = tall * _data.passed[index] / most
		_chart.draw_rect(Rect2(left, size.y - all, width, all - won), Palette.OUTLINE)
		var colour := Palette.TOKEN if is_mine else Palette.faded(Palette.TOKEN, 0.5)
		_chart.draw_rect(Rect2(left, size.y - won, width, won), colour)
		if is_mine:
			_draw_mark(Vector2(left + width / 2, size.y - all - 3))


# A triangle that points down at the bar of this attempt.
func _draw_mark(tip: Vector2) -> void:
	var points := [tip, tip + Vector2(-5, -7), tip + Vector2(5, -7)]
	_chart.draw_colored_polygon(PoolVector2Array(points), Palette.TEXT)
