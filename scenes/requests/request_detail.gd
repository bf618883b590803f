extends VBoxContainer
# One request: where it is, its figures, and where its time has gone.

signal machine_picked(id)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestColours := preload("res://scenes/requests/request_colours.gd")
const RequestStates := preload("res://scenes/requests/request_states.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Waterfall := preload("res://scenes/requests/waterfall.gd")
const Words := preload("res://scenes/theme/words.gd")
const FIGURES := ["ttft", "tpot", "e2e"]
const ROWS := ["prompt", "answer", "where", "kv", "pause"]

var _swatch := ColorRect.new()
var _title: Label
var _state: Label
var _figures := {}
var _values := {}
var _waterfall := Waterfall.new()
var _spent: Control
var _machine := -1


func _init() -> void:
	add_constant_override("separation", 2)
	_add_title()
	_add_figures()
	for name in ROWS:
		_add_row(name)
	_add_gap()
	var line := HBoxContainer.new()
	var caption := Ui.caption(tr("REQUEST_WATERFALL"))
	caption.size_flags_horizontal = SIZE_EXPAND_FILL
	_spent = Ui.figures(Fonts.medium(13), 80)
	_spent.side = _spent.Side.RIGHT
	line.add_child(caption)
	line.add_child(_spent)
	add_child(line)
	add_child(_waterfall)


# `told`: the answer to `request`; `layout`: the floor's.
func show_request(told: Dictionary, layout: Reference) -> void:
	_swatch.color = RequestColours.of(told.id)
	_title.text = tr("REQUEST_TITLE").format({"id": told.id})
	_state.text = RequestStates.words_of(told.state)
	_state.add_color_override("font_color", RequestStates.colour_of(told.state))
	_figures.ttft.text = Words.picoseconds(told.ttft_ps)
	_figures.tpot.text = Words.picoseconds(told.tpot_ps)
	_figures.e2e.text = Words.picoseconds(told.total_ps if told.state == "done" else null)
	_values.prompt.text = _tokens(told.prompt_tokens)
	var made := {"made": Words.thousands(told.tokens), "all": Words.thousands(told.output_tokens)}
	_values.answer.text = tr("REQUEST_MADE").format(made)
	_values.where.text = _where(told, layout)
	_values.kv.text = tr("MEMORY_MIB").format({"mib": Words.mebibytes(told.kv_bytes)})
	_values.pause.text = Words.picoseconds(told.longest_pause_ps if told.tokens > 1 else null)
	_spent.text = Words.picoseconds(told.total_ps)
	_waterfall.show_causes(told.causes, told.total_ps)


func texts() -> Array:
	var said := [_title.text, _state.text]
	for name in FIGURES:
		said.append("%s %s" % [tr("REQUEST_" + name.to_upper()), _figures[name].text])
	for name in ROWS:
		said.append("%s %s" % [tr("REQUEST_" + name.to_upper()), _values[name].text])
	said.append("%s %s" % [tr("REQUEST_WATERFALL"), _spent.text])
	return said + _waterfall.texts()


func targets() -> Dictionary:
	return {"request:waterfall": _waterfall.bar_rect()}


func _add_title() -> void:
	var line := HBoxContainer.new()
	_swatch.rect_min_size = Vector2(10, 10)
	_swatch.size_flags_vertical = SIZE_SHRINK_CENTER
	_swatch.mouse_filter = MOUSE_FILTER_IGNORE
	_title = Ui.label("", Fonts.strong(18))
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_state = Ui.label("", Fonts.medium(13))
	for node in [_swatch, _title, _state]:
		line.add_child(node)
	add_child(line)


func _add_figures() -> void:
	var line := HBoxContainer.new()
	for name in FIGURES:
		var column := VBoxContainer.new()
		column.add_constant_override("separation", 0)
		column.size_flags_horizontal = SIZE_EXPAND_FILL
		column.hint_tooltip = tr("REQUEST_%s_TIP" % name.to_upper())
		column.add_child(Ui.caption(tr("REQUEST_" + name.to_upper())))
		_figures[name] = Ui.figures(Fonts.medium(18), 0)
		column.add_child(_figures[name])
		line.add_child(column)
	add_child(line)
	_add_gap()


func _add_row(name: String) -> void:
	var line := HBoxContainer.new()
	var title := Ui.label(tr("REQUEST_" + name.to_upper()), Fonts.body(13), Palette.TEXT_SOFT)
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(title)
	var value: Control
	if name == "where":
		value = _link()
	else:
		value = Ui.figures(Fonts.medium(13), 150)
		value.side = value.Side.RIGHT
		value.size_flags_vertical = SIZE_FILL
	line.add_child(value)
	add_child(line)
	_values[name] = value


# The machine that has the request, to be selected.
func _link() -> Button:
	var button := Ui.button("", tr("REQUEST_WHERE_TIP"))
	button.flat = true
	button.add_font_override("font", Fonts.medium(13))
	for state in ["normal", "hover", "pressed", "disabled", "focus"]:
		button.add_stylebox_override(state, StyleBoxEmpty.new())
	button.add_color_override("font_color_disabled", Palette.TEXT)
	button.connect("pressed", self, "_on_link")
	return button


func _add_gap() -> void:
	var gap := Control.new()
	gap.rect_min_size.y = 4
	gap.mouse_filter = MOUSE_FILTER_IGNORE
	add_child(gap)


func _tokens(count: int) -> String:
	return tr("REQUEST_TOKENS").format({"count": Words.thousands(count)})


func _where(told: Dictionary, layout: Reference) -> String:
	var machine: Dictionary = layout.machine(told.machine)
	_machine = machine.get("id", -1)
	_values.where.disabled = _machine < 0
	if _machine >= 0:
		var text := tr("KIND_" + machine.kind.to_upper())
		return text if told.pad < 0 else "%s · %s" % [text, char(65 + int(told.pad))]
	var belt: Dictionary = layout.belt(told.belt)
	if belt.empty():
		return Words.NO_VALUE
	return tr("REQUEST_ON_BELT").format({"packet": tr("PACKET_" + belt.kind.to_upper())})


func _on_link() -> void:
	if _machine >= 0:
		emit_signal("machine_picked", _machine)
