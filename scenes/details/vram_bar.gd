extends VBoxContainer
# One GPU: its name, how busy it is, and its memory in use against what it has.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const NEARLY_FULL := 0.95

var _name: Label
var _busy: Control
var _bar: ProgressBar
var _memory: Control
var _full := false


func _init() -> void:
	add_constant_override("separation", 4)
	_name = Ui.label("", Fonts.medium(13))
	add_child(_name)
	_bar = Ui.bar(Palette.TOKEN)
	add_child(_bar)
	var line := HBoxContainer.new()
	add_child(line)
	_memory = Ui.figures(Fonts.body(12), 0, Palette.TEXT_SOFT)
	_memory.size_flags_horizontal = SIZE_EXPAND_FILL
	line.add_child(_memory)
	_busy = Ui.figures(Fonts.medium(12), 80, Palette.TEXT_SOFT)
	_busy.side = _busy.Side.RIGHT
	line.add_child(_busy)


func show_pad(pad: Dictionary, used: int, busy: float) -> void:
	_name.text = Words.pad_name(pad)
	_busy.text = tr("VRAM_BUSY").format({"share": Words.percent(busy)})
	_busy.colour = Palette.TEXT_SOFT
	if pad.broken:
		_busy.text = tr("SIGN_BROKEN")
		_busy.colour = Palette.BAD.lightened(0.25)
	_bar.modulate.a = 0.4 if pad.broken else 1.0
	_bar.value = float(used) / pad.vram_bytes
	var sizes := {"used": Words.mebibytes(used), "total": Words.mebibytes(pad.vram_bytes)}
	_memory.text = tr("VRAM_OF").format(sizes)
	var full := _bar.value > NEARLY_FULL
	if full != _full:
		_full = full
		Ui.tint_bar(_bar, Palette.WARNING if full else Palette.TOKEN)
