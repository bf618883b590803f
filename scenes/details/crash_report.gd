extends VBoxContainer
# Why a core ran out of memory: what lay on its GPU, what was asked for, and what would have helped.

const Fonts := preload("res://scenes/theme/fonts.gd")
const MemoryStrip := preload("res://scenes/details/memory_strip.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

var _strip := MemoryStrip.new()
var _held: Label
var _wanted: Label
var _fixes: Label


# `width`: of its lines.
func _init(width: float) -> void:
	add_constant_override("separation", 6)
	add_child(_strip)
	_held = Ui.paragraph("", width, Fonts.body(12))
	_wanted = Ui.paragraph("", width, Fonts.body(12))
	_fixes = Ui.paragraph("", width, Fonts.medium(12))
	_fixes.add_color_override("font_color", Palette.GOOD)
	for line in [_held, _wanted, _fixes]:
		line.add_constant_override("line_spacing", 2)
		add_child(line)


# `report`: of the question `out_of_memory`.
func show_report(report: Dictionary) -> void:
	_strip.show_report(report)
	var aside := 0
	var used := 0
	for each in report.held:
		aside += each[1]
		used += each[2]
	var numbers := {
		"count": report.held.size(),
		"aside": Words.mebibytes(aside),
		"used": Words.mebibytes(used),
		"wanted": Words.mebibytes(report.wanted_bytes),
		"free": Words.mebibytes(report.kv_bytes - aside),
	}
	_held.text = tr("CRASH_HELD").format(numbers)
	_wanted.text = tr("CRASH_WANTED").format(numbers)
	var fixes := PoolStringArray()
	for fix in report.fixes:
		fixes.append(Words.of(fix.code, {"value": fix.value}))
	_fixes.text = fixes.join("\n")
