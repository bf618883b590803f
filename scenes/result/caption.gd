extends CanvasLayer
# What a shared picture says below the factory: the game, the level, its stars and figures.

const Amounts := preload("res://scenes/result/amounts.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const StarRow := preload("res://scenes/result/star_row.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const FIGURES := ["tps", "ttft_p95", "usd_per_mtok"]
# Of a picture of this width; everything scales with it.
const DESIGNED := 1280.0
const MARGIN := 32.0

var _line: HBoxContainer


# `level`: the structure's; `results`: the engine's answer once the run has ended, {} before.
func show_level(level: Dictionary, size: Vector2, results: Dictionary = {}) -> void:
	if _line != null:
		remove_child(_line)
		_line.queue_free()
	var unit := size.x / DESIGNED
	_line = HBoxContainer.new()
	_line.add_constant_override("separation", int(24 * unit))
	add_child(_line)
	_add(tr("GAME_NAME"), Fonts.strong(int(24 * unit)), Palette.TEXT)
	_add(LevelWords.of(level, "NAME"), Fonts.medium(int(20 * unit)), Palette.TEXT_SOFT)
	_line.add_child(Ui.spacer())
	var attempt = results.get("attempt")
	if attempt != null:
		for name in FIGURES:
			var text := Amounts.of(name, attempt[name])
			if name == "ttft_p95":
				text = "%s %s" % [tr("HUD_TTFT_P95_S"), text]
			_add(text, Fonts.medium(int(20 * unit)), Palette.TEXT)
		var stars := StarRow.new()
		stars.side = 24.0 * unit
		stars.reached = attempt.stars
		stars.size_flags_vertical = Control.SIZE_SHRINK_CENTER
		_line.add_child(stars)
	var height := _line.get_combined_minimum_size().y
	_line.rect_position = Vector2(MARGIN * unit, size.y - MARGIN * unit * 0.75 - height)
	_line.rect_size = Vector2(size.x - 2 * MARGIN * unit, height)


func _add(text: String, font: Font, colour: Color) -> void:
	var label := Ui.label(text, font, colour)
	label.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	_line.add_child(label)
