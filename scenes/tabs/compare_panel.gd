extends VBoxContainer
# Two layouts of the level side by side: how their goals stand, and what they cost. The better of
# two figures is marked.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const GoalMark := preload("res://scenes/hud/goal_mark.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const VALUE_WIDTH := 54.0
const MARK := 12.0

var _client: Node
var _rows := VBoxContainer.new()
var _keys := []
var _count := 0
var _cells := {}
var _note := Ui.paragraph("", 0.0, Fonts.body(12))


func _init() -> void:
	add_constant_override("separation", 12)
	add_child(Ui.caption(tr("COMPARE_TITLE")))
	_rows.add_constant_override("separation", 6)
	add_child(_rows)
	_note.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_note)


func set_up(client: Node, _floor_view: Node2D) -> void:
	_client = client


func refresh() -> void:
	var told: Dictionary = _client.ask({"ask": "tabs"})
	if not told.ok:
		return
	var rows := _rows_of(told.tabs)
	_offer(rows)
	for row in rows:
		_show_row(row)
	_note.text = _note_of(told)


func texts() -> Array:
	var told := [_note.text]
	for key in _keys:
		var parts := PoolStringArray([_cells[key].title.text])
		for value in _cells[key].values:
			parts.append(value.text)
		told.append(parts.join(" | "))
	return told


func _note_of(told: Dictionary) -> String:
	if told.tabs.size() < 2:
		return tr("COMPARE_ONE")
	var text := tr("COMPARE_NOTE").format({"letter": char(65 + int(told.current))})
	if told.tabs[0].t_ps != told.tabs[1].t_ps:
		text += " " + tr("COMPARE_APART")
	return text


# {key, title, texts, values, at_least, met}: a value for each layout; `at_least`: more is better.
func _rows_of(tabs: Array) -> Array:
	var rows := [_row(tabs, "t_ps", tr("HUD_TIME"), "clock")]
	var judged := []
	for index in tabs[0].goals.size():
		var goal: Dictionary = tabs[0].goals[index]
		var row := {
			"key": Words.goal_key(goal),
			"title": "%s %s" % [Words.goal_title(goal), Words.goal_bound(goal)]
		}
		row.at_least = goal.at_least
		row.values = []
		row.texts = []
		row.met = []
		for tab in tabs:
			row.values.append(tab.goals[index].value)
			row.texts.append(Words.goal_value(goal.code, tab.goals[index].value))
			row.met.append(GoalMark.state_of(tab.goals[index]))
		judged.append(goal.code)
		rows.append(row)
	if not "goal.tps" in judged:
		rows.append(_row(tabs, "tps", tr("HUD_TPS"), "decimal", true))
	if not "goal.ttft_p95" in judged:
		rows.append(_row(tabs, "ttft", tr("HUD_TTFT_P95_S"), "seconds", false))
	rows.append(_row(tabs, "usd_per_mtok", tr("HUD_COST"), "money", false))
	rows.append(_row(tabs, "machines", tr("COMPARE_MACHINES"), "count"))
	return rows


func _row(tabs: Array, key: String, title: String, form: String, at_least = null) -> Dictionary:
	var row := {
		"key": key, "title": title, "values": [], "texts": [], "at_least": at_least, "met": []
	}
	for tab in tabs:
		row.values.append(tab[key])
		row.texts.append(_text(tab[key], form))
	return row


func _text(value, form: String) -> String:
	match form:
		"clock":
			return Words.clock(value)
		"seconds":
			return Words.seconds(value)
		"count":
			return str(value)
	return Words.decimal(value, 2 if form == "money" else 1)


# Makes the rows anew when there are others.
func _offer(rows: Array) -> void:
	var keys := []
	for row in rows:
		keys.append(row.key)
	var count: int = rows[0].values.size()
	if keys == _keys and count == _count:
		return
	_keys = keys
	_count = count
	_cells = {}
	for child in _rows.get_children():
		_rows.remove_child(child)
		child.queue_free()
	_add_head()
	for row in rows:
		_add_row(row)


func _add_head() -> void:
	var line := HBoxContainer.new()
	line.add_child(Ui.spacer())
	for index in _count:
		var letter := Ui.figures(Fonts.strong(14), VALUE_WIDTH)
		letter.side = letter.Side.RIGHT
		letter.text = char(65 + index)
		line.add_child(letter)
		line.add_child(_gap())
	_rows.add_child(line)


func _add_row(row: Dictionary) -> void:
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 4)
	var title := Ui.label(row.title, Fonts.body(12), Palette.TEXT_SOFT)
	title.size_flags_horizontal = SIZE_EXPAND_FILL
	title.clip_text = true
	line.add_child(title)
	var cell := {"title": title, "values": [], "marks": []}
	for _index in row.values.size():
		var value := Ui.figures(Fonts.medium(14), VALUE_WIDTH)
		value.side = value.Side.RIGHT
		var mark := Glyph.new()
		mark.picture = "better"
		mark.colour = Palette.GOOD
		mark.rect_min_size = Vector2(MARK, MARK)
		mark.size_flags_vertical = SIZE_SHRINK_CENTER
		line.add_child(value)
		line.add_child(mark)
		cell.values.append(value)
		cell.marks.append(mark)
	_cells[row.key] = cell
	_rows.add_child(line)


func _gap() -> Control:
	var gap := Control.new()
	gap.rect_min_size.x = MARK
	return gap


func _show_row(row: Dictionary) -> void:
	var cell: Dictionary = _cells[row.key]
	var best := _best(row)
	for index in row.values.size():
		cell.values[index].text = row.texts[index]
		var colour := Palette.TEXT
		if not row.met.empty() and row.met[index] == GoalMark.State.MISSED:
			colour = Palette.BAD
		cell.values[index].colour = colour
		cell.marks[index].modulate.a = 1.0 if index == best else 0.0


# The index of the better of two values; -1 where they are equal or one is missing.
func _best(row: Dictionary) -> int:
	if row.at_least == null or row.values.size() < 2:
		return -1
	var one = row.values[0]
	var other = row.values[1]
	if one == null or other == null or row.texts[0] == row.texts[1]:
		return -1
	return 0 if (one > other) == row.at_least else 1
