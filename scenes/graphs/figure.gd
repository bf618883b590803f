extends VBoxContainer
# A figure over time: its name, its value now or at the cursor, and its graph.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LineGraph := preload("res://scenes/graphs/line_graph.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const VALUE_WIDTH := 132.0

var graph := LineGraph.new()

var _head := HBoxContainer.new()
var _title: Label
var _bar: Label
var _value: Control


func _init() -> void:
	add_constant_override("separation", 4)
	_head.mouse_filter = MOUSE_FILTER_PASS
	_title = Ui.caption("")
	_bar = Ui.label("", Fonts.medium(11), Palette.TEXT_FAINT)
	_value = Ui.figures(Fonts.strong(13), VALUE_WIDTH)
	_value.side = _value.Side.RIGHT
	for part in [_title, _bar, Ui.spacer(), _value]:
		_head.add_child(part)
	add_child(_head)
	graph.size_flags_vertical = SIZE_EXPAND_FILL
	add_child(graph)
	size_flags_vertical = SIZE_EXPAND_FILL


# `key`: of its name in the words; KEY_TIP says what it is.
func set_up(key: String, colours: Array) -> void:
	_title.text = tr(key).to_upper()
	_head.hint_tooltip = Keys.tip(tr(key + "_TIP"))
	graph.colours = colours


# `lines`: PoolRealArrays; `bar` (negative: none) as `bar_text` says it.
func show_lines(lines: Array, bar: float, bar_text: String) -> void:
	graph.lines = lines
	graph.bar = bar
	_bar.text = bar_text
	graph.update()


func show_span(first: int, last: int) -> void:
	graph.first = first
	graph.last = last
	graph.update()


func show_value(text: String) -> void:
	_value.text = text


func text() -> String:
	return "%s %s" % [_title.text, _value.text]
