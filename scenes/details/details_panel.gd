extends VBoxContainer
# The first panel of the side dock: the machine that is selected, what limits it, its settings and
# what a step of one would change; without a machine, the GPUs.

signal setting_changed(id, name, value)
signal reboot_pressed(id)
signal request_picked(id)
# The codex's page of what is shown.
signal page_wanted(page)

const CrashReport := preload("res://scenes/details/crash_report.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LimitsBar := preload("res://scenes/details/limits_bar.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestChips := preload("res://scenes/requests/request_chips.gd")
const SmallButton := preload("res://scenes/hud/small_button.gd")
const SettingNames := preload("res://scenes/details/setting_names.gd")
const SettingRow := preload("res://scenes/details/setting_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const VramBar := preload("res://scenes/details/vram_bar.gd")
const WhatIfBox := preload("res://scenes/details/what_if_box.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 256.0
const MACHINE_ROWS := ["state", "busy", "queue", "batch", "step"]
# Machines that work no requests of their own have less to tell.
const FEW_ROWS := {
	"page_allocator": ["state"],
	"draft_model": ["state"],
	"validation_gate": ["state"],
	"batcher": ["state"],
	"chunker": ["state"],
	"prefix_cache": ["state"],
	"gateway": ["state", "queue"],
	"router": ["state", "queue"],
	"api_port": ["state", "queue"],
}
const BELT_ROWS := ["carries", "length"]
const MOST_PADS := 8
# Pages of the codex: of a belt, and of the GPUs.
const BELT_PAGE := "link"
const GPU_PAGE := "roofline"
const ASK := Vector2(26, 26)
# The width of a value in a table of tenants; ways have long names, and a line of their own.
const CELL := 52.0
const CELLS := {"way": 0.0}

var _client: Node
var _floor_view: Node2D
var _selected := -1
var _work := {}
var _title: Label
var _ask := SmallButton.new()
var _subtitle: Label
var _table: GridContainer
var _titles := {}
var _values := {}
var _crash := CrashReport.new(WIDTH)
var _reboot: Button
var _reboot_id := -1
var _limits := LimitsBar.new()
var _requests := RequestChips.new()
var _settings: VBoxContainer
var _setting_rows := {}
var _what_if := WhatIfBox.new()
var _layout_hash := ""
var _vram: VBoxContainer
var _vram_bars := []


func _init() -> void:
	add_constant_override("separation", 6)
	_title = Ui.label("", Fonts.strong(18))
	_subtitle = Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	_title.size_flags_horizontal = SIZE_EXPAND_FILL
	_title.clip_text = true
	_ask.set_up("hint", ASK, Keys.tip(tr("DETAILS_PAGE_TIP"), "panel_codex"))
	_ask.connect("pressed", self, "_on_asked")
	var head := HBoxContainer.new()
	head.add_child(_title)
	head.add_child(_ask)
	add_child(head)
	add_child(_subtitle)
	_table = GridContainer.new()
	_table.columns = 2
	_table.add_constant_override("vseparation", 3)
	add_child(_table)
	for row in MACHINE_ROWS + BELT_ROWS:
		_add_row(row)
	add_child(_crash)
	_reboot = Ui.button(tr("DETAILS_REBOOT"), tr("DETAILS_REBOOT_TIP"))
	_reboot.rect_min_size.y = 40
	Ui.make_primary(_reboot, Palette.BAD, Palette.BACKGROUND)
	_reboot.connect("pressed", self, "_on_reboot")
	_show_crash(-1, {})
	add_child(_reboot)
	add_child(_limits)
	_requests.connect("picked", self, "_on_request_picked")
	_settings = VBoxContainer.new()
	_settings.add_constant_override("separation", 10)
	add_child(_settings)
	add_child(_what_if)
	add_child(_requests)
	var air := Control.new()
	air.rect_min_size.y = 4
	add_child(air)
	_vram = VBoxContainer.new()
	_vram.add_constant_override("separation", 10)
	add_child(_vram)


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view
	_what_if.set_up(client)


# Shows a machine or belt (-1: none).
func select(id: int) -> void:
	if id != _selected:
		_what_if.forget()
		_limits.forget()
	_selected = id
	refresh()


# The codex's page of what is selected; "" while nothing is.
func subject() -> String:
	var layout: Reference = _floor_view.layout
	var machine: Dictionary = layout.machine(_selected)
	if not machine.empty():
		return machine.kind
	return BELT_PAGE if not layout.belt(_selected).empty() else ""


func show_snapshot(snapshot: Dictionary) -> void:
	_work = snapshot.pads


func refresh() -> void:
	var layout: Reference = _floor_view.layout
	var changed: bool = layout.level.get("layout_hash", "") != _layout_hash
	if changed:
		_layout_hash = layout.level.layout_hash
		_what_if.forget()
	_what_if.refresh()
	if _work.empty() or _work.busy.size() != layout.pads.size():
		return
	var answer := {"ok": false}
	if not layout.machine(_selected).empty():
		answer = _client.ask({"ask": "machine", "id": _selected})
		if answer.ok and answer.state == "crashed":
			answer.report = _client.ask({"ask": "out_of_memory", "id": _selected})
	if answer.ok:
		show_machine(_selected, answer, layout.pads, _work)
		if changed:
			for key in _setting_rows:
				_setting_rows[key].consider()
	elif not layout.belt(_selected).empty():
		show_belt(layout.belt(_selected), layout, _work)
	else:
		show_overview(layout.pads, _work)


# The words and numbers that are shown, for tests.
func texts() -> Array:
	var said := [_title.text, _subtitle.text]
	for row in _values:
		if _values[row].visible:
			said.append("%s %s" % [_titles[row].text, _values[row].text])
	for part in [_limits, _requests, _crash, _what_if]:
		if part.visible:
			said += part.texts()
	return said


func targets() -> Dictionary:
	var rects := {"details:codex": _ask.get_global_rect()}
	var button := reboot_rect()
	if not button.has_no_area():
		rects["details:reboot"] = button
	for key in _setting_rows:
		var buttons: Dictionary = _setting_rows[key].buttons
		for name in buttons:
			if buttons[name].is_visible_in_tree():
				var target := "setting:%s:%s" % [key.split(":")[1], name]
				rects[target] = buttons[name].get_global_rect()
	var chips: Dictionary = _requests.targets()
	for name in chips:
		rects[name] = chips[name]
	return rects


# Where the button to restart a core is, in the viewport's units; empty while there is none.
func reboot_rect() -> Rect2:
	return _reboot.get_global_rect() if _reboot.is_visible_in_tree() else Rect2()


# `answer`: of the question `machine`, of a crashed core with the answer to `out_of_memory` as
# `report`; `pads`: rows of the layout; `work`: the snapshot's columns of pads.
func show_machine(id: int, answer: Dictionary, pads: Array, work: Dictionary) -> void:
	_title.text = tr("KIND_" + answer.kind.to_upper())
	var pad := _index_of(pads, answer.pad)
	_subtitle.text = Words.pad_name(pads[pad]) if pad >= 0 else tr("DETAILS_NO_GPU")
	var crashed: bool = answer.state == "crashed"
	_show_rows(["state"] if crashed else FEW_ROWS.get(answer.kind, MACHINE_ROWS))
	_show_crash(id if crashed else -1, answer.get("report", {}))
	var state_key: String = "STATE_" + answer.state.to_upper()
	_set_row("state", tr(state_key), Palette.of_state(answer.state))
	_set_row("busy", Words.percent(answer.busy))
	_set_row("queue", str(answer.queue), Palette.WARNING if answer.queue > 1 else Palette.TEXT)
	var batch := str(answer.batch)
	if answer.slots > 0:
		batch = tr("DETAILS_OF").format({"count": answer.batch, "most": answer.slots})
	_set_row("batch", batch)
	_set_row("step", Words.picoseconds(answer.step_ps))
	_show_limits([] if crashed else answer.limits)
	_requests.show_requests(answer.requests)
	_show_settings(id, answer.settings)
	_show_pads([pads[pad]] if pad >= 0 and not crashed else [], work, [pad])


# What a belt carries, from where to where. `layout`: the floor's.
func show_belt(belt: Dictionary, layout: Reference, work: Dictionary) -> void:
	_title.text = tr("DETAILS_BELT")
	var ends := {"from": _kind_of(belt.from, layout), "to": _kind_of(belt.to, layout)}
	_subtitle.text = tr("DETAILS_BELT_ENDS").format(ends)
	_show_rows(["carries", "length"])
	_show_crash(-1, {})
	_set_row("carries", tr("PACKET_" + belt.kind.to_upper()), Palette.PACKETS[belt.kind])
	_set_row("length", str(belt.length))
	_show_limits([])
	_requests.show_requests([])
	_show_settings(-1, [])
	_show_pads(layout.pads, work, range(layout.pads.size()))


func show_overview(pads: Array, work: Dictionary) -> void:
	_title.text = tr("DETAILS_GPUS")
	_subtitle.text = tr("DETAILS_PICK")
	_show_rows([])
	_show_crash(-1, {})
	_show_limits([])
	_requests.show_requests([])
	_show_settings(-1, [])
	_show_pads(pads, work, range(pads.size()))


func _add_row(name: String) -> void:
	var title := Ui.label(tr("DETAILS_" + name.to_upper()), Fonts.body(13), Palette.TEXT_SOFT)
	title.rect_min_size.x = 84
	var value := Ui.label("", Fonts.medium(13))
	value.align = Label.ALIGN_RIGHT
	value.clip_text = true
	value.add_stylebox_override("normal", _beside_clip())
	value.size_flags_horizontal = SIZE_EXPAND_FILL
	_table.add_child(title)
	_table.add_child(value)
	_titles[name] = title
	_values[name] = value


# On dense screens letters are a little wider than Godot reckons: without room they are cut off.
func _beside_clip() -> StyleBox:
	var box := StyleBoxEmpty.new()
	box.content_margin_right = 3
	return box


func _show_rows(names: Array) -> void:
	_table.visible = not names.empty()
	for name in _values:
		_titles[name].visible = name in names
		_values[name].visible = name in names


func _kind_of(id: int, layout: Reference) -> String:
	return tr("KIND_" + layout.machine(id).kind.to_upper())


func _set_row(name: String, text: String, colour: Color = Palette.TEXT) -> void:
	_values[name].text = text
	_values[name].add_color_override("font_color", colour)


# Why a core has crashed, and the button to restart it (-1: none has).
func _show_crash(id: int, report: Dictionary) -> void:
	_reboot_id = id
	_reboot.visible = id >= 0
	_crash.visible = not report.empty()
	if _crash.visible:
		_crash.show_report(report)


func _show_limits(shares: Array) -> void:
	if not shares.empty():
		_limits.show()
	elif _limits.rect_min_size.y == 0 or _crash.visible:
		_limits.hide()
	_limits.show_shares(shares)


func _show_settings(id: int, settings: Array) -> void:
	var names := []
	var free := false
	for setting in settings:
		names.append("%d:%s" % [id, setting.name])
		setting.choices = SettingNames.choices(setting, id, _floor_view.layout, _client)
	if names != _setting_rows.keys():
		for child in _settings.get_children():
			_settings.remove_child(child)
			child.queue_free()
		_setting_rows = {}
		_add_settings(id, settings, names)
	for index in settings.size():
		_setting_rows[names[index]].show_setting(settings[index])
		free = free or settings[index].min < settings[index].max
	_settings.visible = not settings.empty()
	_what_if.visible = free


# Those that there are for each tenant come in tables.
func _add_settings(id: int, settings: Array, names: Array) -> void:
	var tenants: Array = _floor_view.layout.level.get("tenants", [])
	var tables := {}
	for index in settings.size():
		var setting: Dictionary = settings[index]
		var named: bool = not setting.choices.empty()
		var base := SettingNames.base(setting.name)
		var title := SettingNames.title(setting.name, tenants)
		var row := SettingRow.new()
		row.connect("changed", self, "_on_changed", [id, setting.name])
		row.connect("considered", self, "_on_considered", [id, setting, row])
		_setting_rows[names[index]] = row
		if base == setting.name:
			row.set_up(setting.name, title, named, WIDTH)
			_settings.add_child(row)
			continue
		row.set_up_cell(title, tr("SETTING_%s_TIP" % base.to_upper()), CELLS.get(base, CELL))
		if not tables.has(base):
			tables[base] = VBoxContainer.new()
			tables[base].add_constant_override("separation", 2)
			tables[base].add_child(SettingRow.head_of(base, WIDTH))
			_settings.add_child(tables[base])
		tables[base].add_child(row)


# The first few; the map of memory and the signs on the floor show all.
func _show_pads(pads: Array, work: Dictionary, indices: Array) -> void:
	var shown := int(min(pads.size(), MOST_PADS))
	while _vram_bars.size() < shown:
		var bar := VramBar.new()
		_vram.add_child(bar)
		_vram_bars.append(bar)
	for index in _vram_bars.size():
		_vram_bars[index].visible = index < shown
		if index < shown:
			var at: int = indices[index]
			_vram_bars[index].show_pad(pads[index], work.used_bytes[at], work.busy[at])


func _index_of(pads: Array, id: int) -> int:
	for index in pads.size():
		if pads[index].id == id:
			return index
	return -1


# Asks what a step of a setting would change. `known`: what its name and its values are called.
func _on_considered(value: int, id: int, known: Dictionary, row: Control) -> void:
	var words := {
		"name": SettingNames.whole(known.name, _floor_view.layout.level.get("tenants", [])),
		"value": row.said(value),
	}
	var text := tr("WHAT_IF_STEP").format(words)
	_what_if.ask(id, {"name": known.name, "value": value, "text": text})


func _on_request_picked(id: int) -> void:
	emit_signal("request_picked", id)


func _on_asked() -> void:
	emit_signal("page_wanted", GPU_PAGE if subject() == "" else subject())


func _on_reboot() -> void:
	emit_signal("reboot_pressed", _reboot_id)


func _on_changed(value: int, id: int, name: String) -> void:
	emit_signal("setting_changed", id, name, value)
