extends PanelContainer
# One line under the bar: what the factory has to say now. Hidden while there is nothing.

const EVENT_SECONDS := 6.0
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

var _text: Label
var _event_left := 0.0
var _lag_left := 0.0


func _init() -> void:
	mouse_filter = MOUSE_FILTER_IGNORE
	var line := HBoxContainer.new()
	line.mouse_filter = MOUSE_FILTER_IGNORE
	line.add_child(_dot())
	_text = Ui.label("", Fonts.medium(13))
	line.add_child(_text)
	add_child(line)
	hide()


# An event that the catalogue of codes has words for.
func show_event(code: String, params: Dictionary) -> void:
	if tr(code) == code:
		return
	_say(Words.of(code, params))
	_event_left = EVENT_SECONDS


func show_snapshot(snapshot: Dictionary) -> void:
	for event in snapshot.events:
		show_event(event.code, event.params)
	if snapshot.lag:
		_lag_left = 1.0


func _process(delta: float) -> void:
	_event_left -= delta
	_lag_left -= delta
	if _lag_left > 0.0 and _event_left <= 0.0:
		_say(tr("SIMULATION_LAGS"))
	visible = _lag_left > 0.0 or _event_left > 0.0


func _say(text: String) -> void:
	if text != _text.text:
		_text.text = text
		set_deferred("rect_size", Vector2.ZERO)


func _dot() -> Control:
	var dot := Panel.new()
	dot.add_stylebox_override("panel", Ui.GameTheme.flat(Palette.DRAFT, 5))
	dot.rect_min_size = Vector2(10, 10)
	dot.size_flags_vertical = SIZE_SHRINK_CENTER
	dot.mouse_filter = MOUSE_FILTER_IGNORE
	return dot
