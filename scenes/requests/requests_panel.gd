extends VBoxContainer
# The panel of requests: those under way and just ended, and one of them in detail.

signal request_picked(id)
signal machine_picked(id)

const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestDetail := preload("res://scenes/requests/request_detail.gd")
const RequestList := preload("res://scenes/requests/request_list.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const WIDTH := 256.0

var picked := -1

var _client: Node
var _floor_view: Node2D
var _count: Label
var _more: Label
var _list := RequestList.new()
var _detail := RequestDetail.new()
var _hint: Label


func _init() -> void:
	add_constant_override("separation", 6)
	size_flags_vertical = SIZE_EXPAND_FILL
	var head := HBoxContainer.new()
	_count = Ui.caption("")
	_count.size_flags_horizontal = SIZE_EXPAND_FILL
	_more = Ui.label("", Fonts.body(12), Palette.TEXT_FAINT)
	head.add_child(_count)
	head.add_child(_more)
	add_child(head)
	_list.size_flags_vertical = SIZE_EXPAND_FILL
	_list.connect("picked", self, "_on_picked")
	add_child(_list)
	var keys := {"next": Keys.key_of("request_next"), "previous": Keys.key_of("request_previous")}
	_hint = Ui.paragraph(tr("REQUESTS_HINT").format(keys), WIDTH, Fonts.body(13))
	_hint.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(_hint)
	_detail.connect("machine_picked", self, "_on_machine_picked")
	add_child(_detail)
	_detail.hide()


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view


# Shows a request in detail (-1: none).
func pick(id: int) -> void:
	picked = id
	_list.pick(id)
	if is_visible_in_tree():
		refresh()


func refresh() -> void:
	var told: Dictionary = _client.ask({"ask": "requests"})
	if not told.ok:
		return
	_count.text = tr("REQUESTS_UNDER_WAY").format({"count": told.under_way}).to_upper()
	_list.show_requests(told)
	var beyond: int = _list.beyond()
	_more.text = tr("REQUESTS_MORE").format({"count": beyond}) if beyond > 0 else ""
	_show_detail()


func texts() -> Array:
	var said := [_count.text]
	for row in _list.rows():
		said.append(row.text_of())
	return said + (_detail.texts() if _detail.visible else [_hint.text])


func targets() -> Dictionary:
	var rects := {}
	for row in _list.rows():
		rects["request:%d" % row.id] = row.get_global_rect()
	if _detail.visible:
		var more: Dictionary = _detail.targets()
		for name in more:
			rects[name] = more[name]
	return rects


func _unhandled_input(event: InputEvent) -> void:
	if not is_visible_in_tree():
		return
	for action in ["request_next", "request_previous"]:
		if Keys.pressed(event, action):
			_on_picked(_list.beside(1 if action == "request_next" else -1))


func _show_detail() -> void:
	var told := {"ok": false}
	if picked >= 0:
		told = _client.ask({"ask": "request", "id": picked})
	_detail.visible = told.ok
	_hint.visible = not told.ok
	if told.ok:
		_detail.show_request(told, _floor_view.layout)


func _on_picked(id: int) -> void:
	if id >= 0:
		emit_signal("request_picked", id)


func _on_machine_picked(id: int) -> void:
	emit_signal("machine_picked", id)
