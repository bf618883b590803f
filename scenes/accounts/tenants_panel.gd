extends VBoxContainer
# Who shares the servers: of each tenant the share that was on time, what waits and is done, and
# what it has used; what stood idle is nobody's.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 256.0
const EVERY_MS := 1000
const NUSD := 1000000000.0

var _client: Node
var _rows := {}
var _idle := Ui.paragraph("", WIDTH, Fonts.body(12))
var _asked_ms := -EVERY_MS


func _init() -> void:
	add_constant_override("separation", 8)
	add_child(Ui.label(tr("PANEL_TENANTS"), Fonts.strong(18)))
	_idle.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_idle)


func set_up(client: Node, _floor_view: Node2D) -> void:
	_client = client


func refresh() -> void:
	var now := OS.get_ticks_msec()
	if now - _asked_ms < EVERY_MS and not _rows.empty():
		return
	_asked_ms = now
	var told: Dictionary = _client.ask({"ask": "tenants"})
	if told.ok:
		show_tenants(told.tenants, told.idle)


# As the engine answers `tenants`.
func show_tenants(tenants: Array, idle: Dictionary) -> void:
	var ids := []
	for tenant in tenants:
		ids.append(tenant.id)
	if ids != _rows.keys():
		_make_rows(ids)
	for tenant in tenants:
		_rows[tenant.id].show_tenant(tenant)
	_idle.text = tr("TENANTS_IDLE").format({"cents": Words.cents(idle.nusd / NUSD)})
	_idle.visible = idle.nusd > 0


func texts() -> Array:
	var said := []
	for row in _rows.values():
		said += row.texts()
	return said + [_idle.text]


func _make_rows(ids: Array) -> void:
	for row in _rows.values():
		remove_child(row)
		row.queue_free()
	_rows = {}
	for id in ids:
		var row := Row.new()
		row.set_up(id)
		_rows[id] = row
		add_child(row)
	move_child(_idle, get_child_count() - 1)


class Row:
	extends PanelContainer
	# One tenant.

	var _name := Ui.label("", Fonts.strong(14))
	var _share := Ui.figures(Fonts.strong(16), 64.0)
	var _bar := Ui.bar(Palette.TOKEN, 5.0)
	var _work := Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	var _used := Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)

	func _init() -> void:
		var box := GameTheme.flat(Palette.PANEL_INSET, 10)
		for side in ["left", "right"]:
			box.set("content_margin_" + side, 10)
		for side in ["top", "bottom"]:
			box.set("content_margin_" + side, 8)
		add_stylebox_override("panel", box)
		var column := VBoxContainer.new()
		column.add_constant_override("separation", 4)
		add_child(column)
		var head := HBoxContainer.new()
		_name.size_flags_horizontal = SIZE_EXPAND_FILL
		_name.clip_text = true
		_share.side = _share.Side.RIGHT
		head.add_child(_name)
		head.add_child(_share)
		column.add_child(head)
		for part in [_bar, _work, _used]:
			column.add_child(part)
		for label in [_work, _used]:
			label.clip_text = true
			label.rect_min_size.x = WIDTH - 20.0

	func set_up(id: String) -> void:
		_name.text = Words.tenant(id)
		hint_tooltip = tr("TENANTS_TIP")

	# As the engine tells it.
	func show_tenant(tenant: Dictionary) -> void:
		_share.text = Words.goal_value("goal.on_time", tenant.on_time)
		_bar.value = 0.0 if tenant.on_time == null else tenant.on_time
		var said := {
			"waiting": tenant.waiting, "finished": tenant.finished, "refused": tenant.refused
		}
		var key := "TENANTS_WORK" if tenant.refused == 0 else "TENANTS_WORK_REFUSED"
		_work.text = tr(key).format(said)
		var tokens: int = tenant.prompt_tokens + tenant.output_tokens
		var used := {"tokens": Words.thousands(tokens), "cents": Words.cents(tenant.nusd / NUSD)}
		_used.text = tr("TENANTS_USED").format(used)

	func texts() -> Array:
		return [_name.text, _share.text, _work.text, _used.text]
