extends VBoxContainer
# Requests as small numbered chips in rows, as many as fit: those in a machine, say. A click picks
# one.

signal picked(id)

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestColours := preload("res://scenes/requests/request_colours.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEIGHT := 22.0
const GAP := 4.0
const SWATCH := 8.0
const MOST := 12

var _ids := []
var _flow := Control.new()
var _more: Label


func _init() -> void:
	mouse_filter = MOUSE_FILTER_PASS
	add_constant_override("separation", 6)
	add_child(Ui.caption(tr("REQUESTS_HERE")))
	_flow.mouse_filter = MOUSE_FILTER_PASS
	add_child(_flow)
	_more = Ui.label("", Fonts.body(12), Palette.TEXT_FAINT)
	_flow.add_child(_more)
	_flow.connect("resized", self, "_place")
	hide()


# `ids`: those in a machine, in order; the last of many are only counted.
func show_requests(ids: Array) -> void:
	if ids == _ids:
		return
	_ids = ids.duplicate()
	visible = not ids.empty()
	for child in _flow.get_children():
		if child is Button:
			_flow.remove_child(child)
			child.queue_free()
	for index in min(ids.size(), MOST):
		_flow.add_child(_chip(int(ids[index])))
	_more.visible = ids.size() > MOST
	_more.text = "+%d" % (ids.size() - MOST)
	_flow.move_child(_more, _flow.get_child_count() - 1)
	_place()


func texts() -> Array:
	var said := []
	for id in _ids:
		said.append(tr("REQUEST_TITLE").format({"id": id}))
	return said


func targets() -> Dictionary:
	var rects := {}
	for child in _flow.get_children():
		if child is Button and is_visible_in_tree():
			rects["chip:" + child.text] = child.get_global_rect()
	return rects


func _chip(id: int) -> Button:
	var chip := Ui.button(str(id), tr("REQUEST_TITLE").format({"id": id}))
	chip.add_font_override("font", Fonts.medium(12))
	for state in ["normal", "hover", "pressed"]:
		var box := GameTheme.flat(
			Palette.PANEL_INSET if state == "normal" else Palette.PANEL_HOVER, 6
		)
		box.content_margin_left = SWATCH + 12
		box.content_margin_right = 8
		chip.add_stylebox_override(state, box)
	var swatch := ColorRect.new()
	swatch.color = RequestColours.of(id)
	swatch.rect_size = Vector2(SWATCH, SWATCH)
	swatch.rect_position = Vector2(6, (HEIGHT - SWATCH) / 2)
	swatch.mouse_filter = MOUSE_FILTER_IGNORE
	chip.add_child(swatch)
	chip.connect("pressed", self, "emit_signal", ["picked", id])
	return chip


func _place() -> void:
	var at := Vector2.ZERO
	for child in _flow.get_children():
		if not child.visible:
			continue
		var wide: float = child.get_combined_minimum_size().x
		if at.x > 0.0 and at.x + wide > _flow.rect_size.x:
			at = Vector2(0, at.y + HEIGHT + GAP)
		child.rect_position = at
		child.rect_size = Vector2(wide, HEIGHT)
		at.x += wide + GAP
	_flow.rect_min_size.y = at.y + HEIGHT
