extends VBoxContainer
# A request's time as one bar, cut by cause, and below it what each cause took.

const Causes := preload("res://scenes/requests/causes.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const BAR := 20.0
const DOT := 8.0
const GAP := 1.0

var _bar := Control.new()
var _legend := VBoxContainer.new()
var _rows := {}
# [name, ps] each, in order, and their sum.
var _causes := []
var _total := 0
var _lit := ""


func _init() -> void:
	add_constant_override("separation", 4)
	_bar.rect_min_size.y = BAR
	_bar.connect("draw", self, "_draw_bar")
	_bar.connect("gui_input", self, "_on_bar_input")
	_bar.connect("mouse_exited", self, "_light", [""])
	add_child(_bar)
	_legend.add_constant_override("separation", 0)
	add_child(_legend)
	for cause in Causes.COLOURS:
		_add_row(cause)


# `told`: causes of the answer to `request`, `total_ps` their sum.
func show_causes(told: Array, total_ps: int) -> void:
	_causes = Causes.in_order(told)
	_total = total_ps
	var times := {}
	for cause in _causes:
		times[cause[0]] = cause[1]
	for name in _rows:
		var row: Dictionary = _rows[name]
		row.line.visible = times.has(name)
		if row.line.visible:
			row.time.text = Words.picoseconds(times[name])
			row.share.text = Words.percent(float(times[name]) / max(_total, 1))
	_bar.update()


func texts() -> Array:
	var said := []
	for cause in _causes:
		var row: Dictionary = _rows[cause[0]]
		said.append("%s %s %s" % [row.name.text, row.time.text, row.share.text])
	return said


func bar_rect() -> Rect2:
	return _bar.get_global_rect()


func _add_row(cause: String) -> void:
	var line := HBoxContainer.new()
	line.rect_min_size.y = 18
	line.hint_tooltip = Causes.tip_of(cause)
	line.mouse_filter = MOUSE_FILTER_PASS
	line.connect("mouse_entered", self, "_light", [cause])
	line.connect("mouse_exited", self, "_light", [""])
	var dot := ColorRect.new()
	dot.color = Causes.COLOURS[cause]
	dot.rect_min_size = Vector2(DOT, DOT)
	dot.size_flags_vertical = SIZE_SHRINK_CENTER
	dot.mouse_filter = MOUSE_FILTER_IGNORE
	var name := Ui.label(Causes.name_of(cause), Fonts.body(13), Palette.TEXT_SOFT)
	name.size_flags_horizontal = SIZE_EXPAND_FILL
	var time := Ui.figures(Fonts.medium(13), 64)
	var share := Ui.figures(Fonts.body(13), 44, Palette.TEXT_SOFT)
	for figure in [time, share]:
		figure.side = figure.Side.RIGHT
		figure.size_flags_vertical = SIZE_FILL
	for node in [dot, name, time, share]:
		line.add_child(node)
	_legend.add_child(line)
	_rows[cause] = {"line": line, "name": name, "time": time, "share": share}


func _draw_bar() -> void:
	var whole := Rect2(Vector2.ZERO, _bar.rect_size)
	_bar.draw_style_box(GameTheme.flat(Palette.OUTLINE_SOFT, 4), whole)
	for part in _parts():
		var colour: Color = Causes.COLOURS[part[0]]
		if _lit != "" and part[0] != _lit:
			colour = colour.linear_interpolate(Palette.PANEL_INSET, 0.65)
		_bar.draw_rect(part[1], colour)


# [cause, where it is drawn], from left to right; none is too thin to be seen.
func _parts() -> Array:
	var parts := []
	var wide := _bar.rect_size.x
	var gone := 0
	for cause in _causes:
		var from := floor(wide * gone / max(_total, 1))
		gone += cause[1]
		var to := floor(wide * gone / max(_total, 1))
		parts.append([cause[0], Rect2(from, 0, max(to - from - GAP, 1.0), BAR)])
	return parts


func _on_bar_input(event: InputEvent) -> void:
	if not event is InputEventMouseMotion:
		return
	var under := ""
	for part in _parts():
		if part[1].grow_individual(0, 0, GAP, 0).has_point(event.position):
			under = part[0]
	_light(under)
	_bar.hint_tooltip = (
		""
		if under == ""
		else "%s: %s" % [Causes.name_of(under), Causes.tip_of(under)]
	)


func _light(cause: String) -> void:
	if cause == _lit:
		return
	_lit = cause
	_bar.update()
	for name in _rows:
		var colour := Palette.TEXT if name == cause else Palette.TEXT_SOFT
		_rows[name].name.add_color_override("font_color", colour)
