extends VBoxContainer
# What can be shown to others: pictures of this factory, one that stands and one that moves; the run
# itself, as a recording; and the player's answers to the questions, for a teacher.

signal picture_wanted
signal clip_wanted
signal answers_wanted

const Fonts := preload("res://scenes/theme/fonts.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")

var _buttons := {}
var _told := Label.new()
var _bar: ProgressBar
var _path := ""


func set_up(width: float) -> void:
	add_constant_override("separation", 12)
	var about := Ui.paragraph(tr("RESULT_SHARE_ABOUT"), width, Fonts.body(14))
	about.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(about)
	var line := HBoxContainer.new()
	line.add_constant_override("separation", 12)
	add_child(line)
	for name in ["picture", "clip"]:
		line.add_child(_button(name, tr("RESULT_SHARE_" + name.to_upper()), 44))
		_buttons[name].connect("pressed", self, "_on_wanted", [name])
	var second := HBoxContainer.new()
	second.add_constant_override("separation", 12)
	add_child(second)
	var run := _button("run", tr("RECORDING_SHARE"), 44)
	run.hint_tooltip = Keys.tip(tr("RECORDING_SHARE_TIP"))
	run.connect("pressed", self, "_on_run")
	var answers := _button("answers", tr("QUESTION_EXPORT"), 44)
	answers.hint_tooltip = Keys.tip(tr("QUESTION_EXPORT_TIP"))
	answers.connect("pressed", self, "_on_wanted", ["answers"])
	for button in [run, answers]:
		second.add_child(button)
	_bar = Ui.bar(Palette.TOKEN)
	_bar.hide()
	add_child(_bar)
	_told = Ui.paragraph("", width, Fonts.body(13))
	add_child(_told)
	var open := _button("open", tr("RESULT_SHARE_OPEN"), 36)
	open.size_flags_horizontal = 0
	open.connect("pressed", self, "_on_open")
	open.hide()
	add_child(open)


# Only what moved while it was watched can be saved as a moving picture.
func offer_clip(there: bool) -> void:
	_buttons.clip.disabled = not there
	_buttons.clip.hint_tooltip = "" if there else tr("RESULT_NO_CLIP")


# The moving picture is being made: how much of it, 0 to 1.
func show_share(share: float) -> void:
	_bar.show()
	_bar.value = share
	_buttons.clip.disabled = true


# What was saved, or ("") that it could not be.
func show_saved(path: String) -> void:
	_path = path
	_bar.hide()
	_buttons.clip.disabled = false
	_told.text = tr("RESULT_NOT_SAVED") if path == "" else tr("RESULT_SAVED").format({"path": path})
	var colour := Palette.WARNING if path == "" else Palette.TEXT
	_told.add_color_override("font_color", colour)
	_buttons.open.visible = path != ""


func targets() -> Dictionary:
	var rects := {}
	for name in _buttons:
		if _buttons[name].visible and not _buttons[name].disabled:
			rects["share:" + name] = _buttons[name].get_global_rect()
	return rects


func _button(name: String, text: String, height: float) -> Button:
	var button := Ui.button(text)
	button.rect_min_size = Vector2(180, height)
	button.size_flags_horizontal = SIZE_EXPAND_FILL
	_buttons[name] = button
	return button


func _on_wanted(name: String) -> void:
	emit_signal(name + "_wanted")


func _on_run() -> void:
	get_tree().call_group("saves", "share_run")


func _on_open() -> void:
	OS.shell_open("file://" + _path.get_base_dir())
