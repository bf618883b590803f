extends VBoxContainer
# What this factory would be outside the game: its commands for vLLM, and what it costs a month.

const Amounts := preload("res://scenes/result/amounts.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

var _copies := []
var _width := 0.0


# `production`: as the engine tells it.
func show_production(production: Dictionary, width: float) -> void:
	_width = width
	add_constant_override("separation", 10)
	if production.empty():
		return
	# Without a card there is nothing to pay for; a note says so.
	if not production.cards.empty():
		add_child(_bill(production))
	var commands: Array = production.commands
	for index in commands.size():
		add_child(_command(commands[index], index, commands.size()))
	for note in production.notes:
		add_child(_note(Words.of(note.code, note.params)))
	if production.month.owned != null and not production.cards.empty():
		add_child(_note(_owned_text(production.month.owned)))


func targets() -> Dictionary:
	var rects := {}
	for index in _copies.size():
		rects["result:copy_%d" % (index + 1)] = _copies[index].get_global_rect()
	return rects


# Cards, tokens, and what a month costs: rented and owned side by side.
func _bill(production: Dictionary) -> Control:
	var month: Dictionary = production.month
	var cards := PoolStringArray()
	for card in production.cards:
		cards.append("%d × %s" % [card.count, card.gpu])
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 8)
	var tokens := tr("RESULT_TOKENS_MONTH").format({"count": Words.short(month.tokens / 1e6)})
	line.add_child(_box(tr("RESULT_CARDS"), cards.join(", "), tokens))
	var rented: Dictionary = month.rented
	var each := Amounts.of("usd_per_mtok", rented.usd_per_mtok)
	if not rented.listed:
		each = tr("RESULT_NOT_RENTED")
	line.add_child(_box(tr("RESULT_RENTED"), Amounts.dollars(rented.usd), each))
	var owned = month.owned
	if owned == null:
		line.add_child(_box(tr("RESULT_OWNED"), Words.NO_VALUE, tr("RESULT_NO_PRICE")))
		return line
	var price: String = Amounts.of("usd_per_mtok", owned.usd_per_mtok)
	line.add_child(_box(tr("RESULT_OWNED"), Amounts.dollars(owned.usd), price))
	return line


func _owned_text(owned: Dictionary) -> String:
	return tr("RESULT_OWNED_NOTE").format(
		{
			"purchase": Amounts.dollars(owned.purchase_usd),
			"years": Words.decimal(owned.years, 0),
			"electricity": Amounts.dollars(owned.electricity_usd),
			"kwh": Words.decimal(owned.kwh, 0),
			"price": "$" + Words.decimal(owned.usd_per_kwh, 3),
		}
	)


func _box(title: String, value: String, below: String) -> Control:
	var box := PanelContainer.new()
	box.add_stylebox_override("panel", _inset())
	box.size_flags_horizontal = SIZE_EXPAND_FILL
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 2)
	column.mouse_filter = MOUSE_FILTER_IGNORE
	column.add_child(Ui.caption(title))
	column.add_child(Ui.label(value, Fonts.strong(18)))
	column.add_child(Ui.label(below, Fonts.body(12), Palette.TEXT_SOFT))
	box.add_child(column)
	return box


func _command(text: String, index: int, count: int) -> Control:
	var box := VBoxContainer.new()
	box.add_constant_override("separation", 4)
	var head := HBoxContainer.new()
	var title := tr("RESULT_COMMAND")
	if count > 1:
		title = tr("RESULT_COMMAND_OF").format({"number": index + 1, "count": count})
	var caption := Ui.caption(title)
	caption.size_flags_horizontal = SIZE_EXPAND_FILL
	head.add_child(caption)
	var copy := Ui.button(tr("RESULT_COPY"), tr("RESULT_COPY_TIP"))
	copy.add_font_override("font", Fonts.medium(12))
	copy.connect("pressed", self, "_on_copy", [copy, text])
	_copies.append(copy)
	head.add_child(copy)
	box.add_child(head)
	var frame := PanelContainer.new()
	frame.add_stylebox_override("panel", _inset())
	var label := Ui.paragraph(_broken(text), _width - 24, Fonts.mono(11))
	label.add_constant_override("line_spacing", 0)
	frame.add_child(label)
	box.add_child(frame)
	return box


# A line an option, so that each can be read; a shell takes it as it stands.
func _broken(text: String) -> String:
	return text.replace(" vllm serve", " \\\n  vllm serve").replace(" --", " \\\n  --")


func _note(text: String) -> Control:
	var label := Ui.paragraph("· " + text, _width, Fonts.body(12))
	label.add_color_override("font_color", Palette.TEXT_SOFT)
	return label


func _on_copy(button: Button, text: String) -> void:
	OS.clipboard = text
	for each in _copies:
		each.text = tr("RESULT_COPIED" if each == button else "RESULT_COPY")


func _inset() -> StyleBoxFlat:
	var box := Ui.GameTheme.flat(Palette.PANEL_INSET, 10)
	box.content_margin_left = 12
	box.content_margin_right = 12
	box.content_margin_top = 8
	box.content_margin_bottom = 8
	return box
