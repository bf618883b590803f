extends VBoxContainer
# What the cards and the APIs have cost so far, and from which load a card is cheaper than an API.

const BreakEvenGraph := preload("res://scenes/accounts/break_even_graph.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 256.0
const NUSD := 1000000000.0
const PARTS := ["purchase", "electricity", "management"]
const SWATCH := Vector2(10, 3)

var _client: Node
var _floor_view: Node2D
var _total := Ui.label("", Fonts.strong(18))
var _rows := VBoxContainer.new()
var _tasks := []
# What each has been compared with, by its place.
var _compared := {}
var _task := 0
var _due := -1
var _less := Ui.button("‹", "")
var _more := Ui.button("›", "")
var _about := Ui.label("", Fonts.medium(13))
var _graph := BreakEvenGraph.new()
var _legend := VBoxContainer.new()
var _note := Ui.paragraph("", WIDTH, Fonts.body(12))


func _init() -> void:
	add_constant_override("separation", 8)
	var head := HBoxContainer.new()
	var title := Ui.label(tr("PANEL_BILL"), Fonts.strong(18))
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	head.add_child(title)
	head.add_child(_total)
	add_child(head)
	_rows.add_constant_override("separation", 4)
	add_child(_rows)
	add_child(Ui.caption(tr("BREAK_EVEN")))
	var line := HBoxContainer.new()
	_about.size_flags_horizontal = SIZE_EXPAND_FILL
	_about.align = Label.ALIGN_CENTER
	_about.clip_text = true
	for part in [_less, _about, _more]:
		line.add_child(part)
	for way in [-1, 1]:
		var button := _less if way < 0 else _more
		button.rect_min_size = Vector2(30, 28)
		button.connect("pressed", self, "_step", [way])
	add_child(line)
	add_child(_graph)
	_legend.add_constant_override("separation", 2)
	add_child(_legend)
	_note.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_note)


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view


# The comparison takes a moment: it is asked for until it is there.
func refresh() -> void:
	var bill: Dictionary = _client.ask({"ask": "bill"})
	if bill.ok:
		show_bill(bill)
	if _tasks.empty():
		_tasks = _client.ask({"ask": "break_even", "task": -1}).get("tasks", [])
		_due = 0
		_show_task()
	elif _due >= 0:
		var told: Dictionary = _client.ask({"ask": "break_even", "task": _due})
		if told.ok and told.pending:
			return
		if told.ok:
			_compared[_due] = told.tasks[_due]
		_due = -1
		_show_task()


# As the engine answers `bill`.
func show_bill(bill: Dictionary) -> void:
	_total.text = _money(bill.total_nusd)
	for child in _rows.get_children():
		_rows.remove_child(child)
		child.queue_free()
	for pad in bill.pads:
		if pad.way != "":
			_rows.add_child(_pad_row(pad))
	for api in bill.apis:
		var said := {"name": _api_name(api.api)}
		_rows.add_child(_row(tr("BILL_API").format(said), api.total_nusd, ""))
	if _rows.get_child_count() == 0:
		var none := Ui.paragraph(tr("BILL_NONE"), WIDTH, Fonts.body(12))
		none.add_color_override("font_color", Palette.TEXT_SOFT)
		_rows.add_child(none)


func texts() -> Array:
	var said := [_total.text, _about.text, _note.text]
	for list in [_rows, _legend]:
		for row in list.get_children():
			said += _texts_of(row)
	return said


func targets() -> Dictionary:
	return {
		"bill:previous": _less.get_global_rect(),
		"bill:next": _more.get_global_rect(),
	}


func _texts_of(node: Node) -> Array:
	var found := [node.text] if node is Label else []
	for child in node.get_children():
		found += _texts_of(child)
	return found


func _pad_row(pad: Dictionary) -> Control:
	var row: Dictionary = _floor_view.layout.pads[pad.pad]
	var named := {"letter": Words.pad_letter(row.id), "gpu": Words.card(row.gpu)}
	var said := {"pad": tr("PAD_NAME").format(named), "way": tr("BILL_WAY_" + pad.way.to_upper())}
	var parts := PoolStringArray()
	if pad.way == "owned":
		for part in PARTS:
			var amount := {"amount": Words.cents(pad[part + "_nusd"] / NUSD)}
			parts.append(tr("BILL_" + part.to_upper()).format(amount))
	return _row(tr("BILL_PAD").format(said), pad.total_nusd, parts.join("\n"))


func _row(title: String, nusd: int, parts: String) -> Control:
	var column := VBoxContainer.new()
	column.add_constant_override("separation", 0)
	var line := HBoxContainer.new()
	var name := Ui.label(title, Fonts.body(13))
	name.clip_text = true
	name.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(name)
	line.add_child(Ui.label(_money(nusd), Fonts.medium(13)))
	column.add_child(line)
	if parts != "":
		var small := Ui.label(parts, Fonts.body(11), Palette.TEXT_SOFT)
		column.add_child(small)
	return column


func _step(way: int) -> void:
	if _tasks.empty():
		return
	_task = posmod(_task + way, _tasks.size())
	_due = -1 if _compared.has(_task) else _task
	_show_task()


func _show_task() -> void:
	for button in [_less, _more]:
		button.disabled = _tasks.size() < 2
	if _tasks.empty():
		_about.text = ""
		return
	var task: Dictionary = _compared.get(_task, _tasks[_task])
	var said := {"gpu": Words.card(task.gpu_name), "tenant": ""}
	if task.tenant != "":
		said.tenant = Words.tenant(task.tenant)
	var key := "BREAK_EVEN_ALL" if task.tenant == "" else "BREAK_EVEN_TASK"
	_about.text = tr(key).format(said)
	_graph.show_task(task)
	_show_legend(task)


func _show_legend(task: Dictionary) -> void:
	for child in _legend.get_children():
		_legend.remove_child(child)
		child.queue_free()
	_note.text = ""
	if task.model == "":
		_note.text = tr("BREAK_EVEN_NO_MODEL")
	elif task.has("refused"):
		_note.text = Words.of(task.refused.code, task.refused.params)
	elif not task.has("offers"):
		_note.text = tr("BREAK_EVEN_WAITS")
	if not task.has("offers"):
		return
	for way in BreakEvenGraph.WAYS:
		if task.usd_per_hour.has(way):
			var hour := {"usd": Words.decimal(task.usd_per_hour[way], 2)}
			var text := tr("BREAK_EVEN_HOUR").format(hour)
			_add_legend(BreakEvenGraph.WAYS[way], tr("BILL_WAY_" + way.to_upper()), text)
	for index in task.offers.size():
		var offer: Dictionary = task.offers[index]
		var colour: Color = BreakEvenGraph.OFFERS[index % BreakEvenGraph.OFFERS.size()]
		_add_legend(colour, offer.name, _said_of(offer))
	var able := {"rate": Words.short(task.requests_per_s)}
	_note.text = tr("BREAK_EVEN_NOTE").format(able)


# From which load on a card is cheaper.
func _said_of(offer: Dictionary) -> String:
	if not offer.possible:
		return tr("BREAK_EVEN_LATE")
	var found := PoolStringArray()
	for way in BreakEvenGraph.WAYS:
		if offer.break_even.has(way):
			var share = offer.break_even[way]
			found.append(tr("BREAK_EVEN_NEVER") if share == null else Words.percent(share))
	return found.join(" · ")


func _add_legend(colour: Color, name: String, text: String) -> void:
	var line := HBoxContainer.new()
	var swatch := ColorRect.new()
	swatch.color = colour
	swatch.rect_min_size = SWATCH
	swatch.size_flags_vertical = SIZE_SHRINK_CENTER
	line.add_child(swatch)
	var title := Ui.label(name, Fonts.body(12))
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	title.clip_text = true
	line.add_child(title)
	line.add_child(Ui.label(text, Fonts.medium(12), Palette.TEXT_SOFT))
	_legend.add_child(line)


func _api_name(id: String) -> String:
	for task in _compared.values():
		for offer in task.get("offers", []):
			if offer.api == id:
				return offer.name
	return id.capitalize()


static func _money(nusd: int) -> String:
	var usd := nusd / NUSD
	return Words.cents(usd) if usd < 1.0 else "$" + Words.decimal(usd, 2)
