extends VBoxContainer
# Why a core ran out of memory: what was asked for, who held what of its GPU and how much of that
# was in use, and the smallest changes that help, each with what it would bring.

const Fonts := preload("res://scenes/theme/fonts.gd")
const MemoryStrip := preload("res://scenes/details/memory_strip.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const MOST_OWNERS := 6

var _strip := MemoryStrip.new()
var _wanted: Label
var _held: Label
var _owners := VBoxContainer.new()
var _fixes := VBoxContainer.new()
var _width := 0.0
var _shown := 0


# `width`: of its lines.
func _init(width: float) -> void:
	_width = width
	add_constant_override("separation", 6)
	_wanted = Ui.paragraph("", width, Fonts.medium(12))
	_held = Ui.paragraph("", width, Fonts.body(12))
	for line in [_wanted, _held]:
		line.add_constant_override("line_spacing", 2)
	_owners.add_constant_override("separation", 3)
	_fixes.add_constant_override("separation", 4)
	for part in [_wanted, _strip, _held, _owners, _fixes]:
		add_child(part)


# `report`: of the question `out_of_memory`.
func show_report(report: Dictionary) -> void:
	if report.hash() == _shown:
		return
	_shown = report.hash()
	_strip.show_report(report)
	var aside := 0
	var used := 0
	for each in report.held:
		aside += each[1]
		used += each[2]
	var numbers := {
		"request": report.request,
		"count": report.held.size(),
		"aside": Words.mebibytes(aside),
		"used": Words.mebibytes(used),
		"wanted": Words.mebibytes(report.wanted_bytes),
		"free": Words.mebibytes(report.free_bytes),
	}
	_wanted.text = tr("CRASH_WANTED").format(numbers)
	_held.text = tr("CRASH_HELD").format(numbers)
	_clear(_owners)
	for index in min(report.held.size(), MOST_OWNERS):
		_owners.add_child(_owner_row(report.held[index], report.wanted_bytes))
	_clear(_fixes)
	_fixes.add_child(Ui.caption(tr("CRASH_FIXES")))
	for fix in report.fixes:
		_add_fix(fix)
	if report.looking:
		_fixes.add_child(Ui.label(tr("STATUS_LOOKING"), Fonts.body(12), Palette.TEXT_SOFT))
	elif report.fixes.empty():
		_fixes.add_child(Ui.label(tr("CRASH_NO_FIX"), Fonts.body(12), Palette.TEXT_SOFT))


func texts() -> Array:
	var said := [_wanted.text, _held.text]
	for part in [_owners, _fixes]:
		for child in part.get_children():
			if child is Label:
				said.append(child.text)
			else:
				said.append(child.text())
	return said


func _owner_row(held: Array, wanted: int) -> Control:
	var row := OwnerRow.new()
	row.show_owner(held, wanted)
	return row


func _add_fix(fix: Dictionary) -> void:
	_fixes.add_child(_line(Words.fix(fix), Fonts.medium(12), Palette.GOOD))
	var change := Words.change(fix.metric, fix.before, fix.after)
	var gain := tr("STATUS_GAIN").format({"change": change})
	_fixes.add_child(_line(gain, Fonts.body(12), Palette.TEXT_SOFT))


func _line(text: String, font: Font, colour: Color) -> Label:
	var line := Ui.paragraph(text, _width, font)
	line.add_color_override("font_color", colour)
	line.add_constant_override("line_spacing", 2)
	return line


func _clear(part: Control) -> void:
	for child in part.get_children():
		part.remove_child(child)
		child.queue_free()


class OwnerRow:
	extends HBoxContainer
	# A request: its name, a bar of what it had set aside with, brighter, what of it was in use.

	var _held := []
	var _most := 1
	var _name := Ui.label("", Fonts.body(12), Palette.TEXT_SOFT)
	var _bar := Control.new()
	var _size := Ui.figures(Fonts.body(12), 96)

	func _init() -> void:
		_name.rect_min_size.x = 72
		_bar.size_flags_horizontal = SIZE_EXPAND_FILL
		_bar.mouse_filter = MOUSE_FILTER_IGNORE
		_bar.connect("draw", self, "_draw_bar")
		_size.side = _size.Side.RIGHT
		for part in [_name, _bar, _size]:
			add_child(part)

	# `held`: [request, bytes, bytes in use]
	func show_owner(held: Array, most: int) -> void:
		_held = held
		_most = int(max(most, held[1]))
		_name.text = tr("REQUEST_TITLE").format({"id": held[0]})
		var sizes := {"used": Words.mebibytes(held[2]), "total": Words.mebibytes(held[1])}
		_size.text = tr("VRAM_OF").format(sizes)

	func text() -> String:
		return "%s %s" % [_name.text, _size.text]

	func _draw_bar() -> void:
		var scale := _bar.rect_size.x / _most
		var box := Rect2(0, _bar.rect_size.y / 2 - 4, _held[1] * scale, 8)
		_bar.draw_rect(box, Palette.faded(Palette.KV, 0.35))
		box.size.x = _held[2] * scale
		_bar.draw_rect(box, Palette.KV)
