extends PanelContainer
# How the level ended, on pages: goals and stars, this attempt among all, the same factory in
# production, and pictures to share. It can be put aside, to look at the factory.

signal again_pressed
signal title_pressed
signal next_pressed
signal keep_pressed

const AttemptsPage := preload("res://scenes/result/attempts_page.gd")
const ChoiceRow := preload("res://scenes/theme/choice_row.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const Glyph := preload("res://scenes/theme/glyph.gd")
const GoalsPage := preload("res://scenes/result/goals_page.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const ProductionPage := preload("res://scenes/result/production_page.gd")
const SharePage := preload("res://scenes/result/share_page.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const WIDTH := 600.0
# Kept free beside it in a narrow window.
const BESIDE := 80.0
# A page is as high as the first one, so that the buttons stay where they are; longer ones scroll.
const LEAST_HEIGHT := 264.0
const SHORTEST := 120.0
# For the scroll bar, between the pages and the panel's edge.
const SCROLL_BAR := 12.0
const FOLD := Vector2(32, 32)

var pages := {}
var share := SharePage.new()

var _column := VBoxContainer.new()
var _more := VBoxContainer.new()
var _tabs := ChoiceRow.new()
var _scroll := ScrollContainer.new()
var _stack := VBoxContainer.new()
var _picture := Glyph.new()
var _buttons := {}
var _page := ""
var _width := WIDTH
var _room := INF


func _init() -> void:
	for column in [_column, _more]:
		column.add_constant_override("separation", 10)
	add_child(_column)
	_tabs.add_constant_override("separation", 4)
	_tabs.connect("chosen", self, "_show_page")
	_scroll.scroll_horizontal_enabled = false
	_scroll.follow_focus = true
	_stack.size_flags_horizontal = SIZE_EXPAND_FILL
	_scroll.add_child(_stack)
	var box := Ui.GameTheme.panel()
	box.bg_color = Palette.faded(Palette.PANEL, 0.97)
	box.content_margin_right -= SCROLL_BAR
	add_stylebox_override("panel", box)


# `result`: {passed, hash, goals}; `results`: the engine's answer, or a refusal; `kept`: what came
# of keeping the attempt; `following`: whether there is a next level; `room`: the width of the
# window.
func show_result(
	result: Dictionary,
	results: Dictionary,
	kept: Dictionary,
	level: Dictionary,
	following: bool,
	room: float
) -> void:
	_width = min(WIDTH, room - BESIDE)
	_column.add_child(_head(result, results))
	_column.add_child(_more)
	_set_width(_tabs)
	_more.add_child(_tabs)
	_more.add_child(_scroll)
	var goals := GoalsPage.new()
	goals.show_results(result, results, kept.get("new", []), level, _width)
	_add_page("goals", goals)
	if not result.goals.empty():
		var attempts := AttemptsPage.new()
		attempts.show_results(results, _width)
		_add_page("attempts", attempts)
	var production := ProductionPage.new()
	production.show_production(results.get("production", {}), _width)
	_add_page("production", production)
	share.set_up(_width)
	_add_page("share", share)
	if not kept.ok:
		_more.add_child(_warning(Words.of(kept.code, kept.params)))
	_more.add_child(_footer(result.passed, following, LevelWords.is_sandbox(level)))
	_show_page("goals")


func put_aside() -> bool:
	return not _more.visible


func targets() -> Dictionary:
	var rects := {"panel:result": get_global_rect()}
	for name in _buttons:
		if _buttons[name].is_visible_in_tree():
			rects["win:" + name] = _buttons[name].get_global_rect()
	if put_aside():
		return rects
	var parts := [_tabs.targets("result:")]
	if pages[_page].has_method("targets"):
		parts.append(pages[_page].targets())
	for part in parts:
		for name in part:
			rects[name] = part[name]
	return rects


# All that can be read in it now, for tests.
func texts() -> Array:
	return _texts_in(self)


func _texts_in(node: Node) -> Array:
	var found := []
	if node is Control and not node.visible:
		return found
	if (node is Label or node is Button) and node.text != "":
		found.append(node.text)
	for child in node.get_children():
		found += _texts_in(child)
	return found


func _head(result: Dictionary, results: Dictionary) -> Control:
	var colour := Palette.GOOD if result.passed else Palette.WARNING
	var text := tr("RESULT_WON" if result.passed else "RESULT_LOST")
	var free: bool = result.goals.empty()
	if free:
		colour = Palette.TEXT
		text = tr("RESULT_OVER_NOW")
	var head := HBoxContainer.new()
	_set_width(head)
	head.add_constant_override("separation", 16)
	var title := Ui.label(text, Fonts.strong(24), colour)
	title.mouse_filter = MOUSE_FILTER_PASS
	title.hint_tooltip = tr("RESULT_HASH").format({"hash": result.hash})
	head.add_child(title)
	var stars := StarRow.new()
	stars.side = 24.0
	stars.size_flags_vertical = SIZE_SHRINK_CENTER
	for star in results.get("stars", []):
		if star.reached:
			stars.reached += [star.code.trim_prefix("star.")]
	stars.visible = not free
	head.add_child(stars)
	head.add_child(Ui.spacer())
	head.add_child(_aside_button())
	return head


func _aside_button() -> Button:
	var aside := Ui.button("")
	aside.rect_min_size = FOLD
	aside.size_flags_vertical = SIZE_SHRINK_CENTER
	aside.add_child(_picture)
	_picture.rect_position = (FOLD - _picture.rect_min_size) / 2
	aside.connect("pressed", self, "_on_aside")
	_buttons["aside"] = aside
	_show_aside(false)
	return aside


func _on_aside() -> void:
	_show_aside(not put_aside())


func _show_aside(value: bool) -> void:
	_more.visible = not value
	_picture.picture = "unfold" if value else "fold"
	_buttons.aside.hint_tooltip = Keys.tip(tr("RESULT_BACK_TIP" if value else "RESULT_ASIDE_TIP"))


func _add_page(name: String, page: Control) -> void:
	pages[name] = page
	_set_width(page)
	_stack.add_child(page)
	_tabs.add_page(name, tr("RESULT_PAGE_" + name.to_upper()))


func _show_page(name: String) -> void:
	_page = name
	_tabs.show_choice(name)
	for each in pages:
		pages[each].visible = each == name
	_scroll.scroll_vertical = 0
	fit(_room)


# As high as there is room for, and no higher than the first page.
func fit(room: float) -> void:
	_room = room
	var around := get_combined_minimum_size().y - _scroll.rect_min_size.y
	var high: float = max(LEAST_HEIGHT, pages.goals.get_combined_minimum_size().y)
	high = clamp(room - around, min(SHORTEST, high), high)
	_scroll.rect_min_size = Vector2(_width + SCROLL_BAR, high)


func _warning(text: String) -> Label:
	var label := Ui.paragraph(text, _width, Fonts.body(13))
	label.add_color_override("font_color", Palette.WARNING)
	return label


func _footer(passed: bool, following: bool, sandbox: bool) -> Control:
	var line := HBoxContainer.new()
	_set_width(line)
	line.add_constant_override("separation", 12)
	var names := ["again", "title"]
	if sandbox:
		names.append("keep")
	elif passed and following:
		names.append("next")
	for name in names:
		var button := Ui.button(tr("RESULT_" + name.to_upper()))
		button.rect_min_size = Vector2(150, 40)
		button.size_flags_horizontal = SIZE_EXPAND_FILL
		button.connect("pressed", self, "emit_signal", [name + "_pressed"])
		_buttons[name] = button
		line.add_child(button)
	var primary: String = names.back() if passed else "again"
	Ui.make_primary(_buttons[primary], Palette.SELECTION, Color.white)
	return line


func _set_width(node: Control) -> void:
	node.rect_min_size.x = _width
	node.size_flags_horizontal = 0
