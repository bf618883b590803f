extends VBoxContainer
# This attempt among all that were made of this level on this computer.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Histogram := preload("res://scenes/result/histogram.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const GAP := 32


func show_results(results: Dictionary, width: float) -> void:
	add_constant_override("separation", 12)
	var count: int = results.get("attempts", 0)
	var text := tr("RESULT_ATTEMPT_FIRST")
	if count > 1:
		text = tr("RESULT_ATTEMPTS").format({"count": count})
	var about := Ui.paragraph(text, width, Fonts.body(13))
	about.add_color_override("font_color", Palette.TEXT_SOFT)
	add_child(about)
	var grid := GridContainer.new()
	grid.columns = 2
	grid.add_constant_override("hseparation", GAP)
	grid.add_constant_override("vseparation", 14)
	add_child(grid)
	for data in results.get("histograms", []):
		var histogram := Histogram.new()
		histogram.rect_min_size.x = (width - GAP) / 2
		histogram.show_data(data)
		grid.add_child(histogram)
