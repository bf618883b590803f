extends VBoxContainer
# What limited a machine over the last ten seconds: a bar of its shares, and their names.

const Fonts := preload("res://scenes/theme/fonts.gd")
const Limits := preload("res://scenes/overlay/limits.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const MOST := 4

var _bar := Bar.new()
var _rows := []


func _init() -> void:
	add_constant_override("separation", 4)
	add_child(Ui.caption(TranslationServer.translate("DETAILS_LIMITS")))
	add_child(_bar)
	for _index in MOST:
		var row := Row.new()
		add_child(row)
		_rows.append(row)


# `shares`: [name, share], the largest first.
func show_shares(shares: Array) -> void:
	_bar.show_shares(shares)
	for index in MOST:
		_rows[index].visible = index < shares.size()
		if index < shares.size():
			_rows[index].show_share(shares[index][0], shares[index][1])
	rect_min_size.y = get_combined_minimum_size().y


# Another machine is shown: until then it keeps the room that it has taken, so that the settings
# below stay where they are while somebody presses them.
func forget() -> void:
	rect_min_size.y = 0
	rect_size.y = 0


func texts() -> Array:
	var said := []
	for row in _rows:
		if row.visible:
			said.append(row.text())
	return said


class Bar:
	extends Control
	# The shares side by side; what is left over had no limit.

	const HEIGHT := 10.0

	var _shares := []

	func _init() -> void:
		rect_min_size.y = HEIGHT
		mouse_filter = MOUSE_FILTER_IGNORE

	func show_shares(shares: Array) -> void:
		if shares.hash() != _shares.hash():
			_shares = shares
			update()

	func _draw() -> void:
		draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.OUTLINE_SOFT)
		var at := 0.0
		for pair in _shares:
			var wide: float = rect_size.x * pair[1]
			draw_rect(Rect2(at, 0, max(wide - 1.0, 1.0), rect_size.y), Limits.COLOURS[pair[0]])
			at += wide


class Row:
	extends HBoxContainer
	# A limit's picture, name and share.

	var _limit := "none"
	var _picture := Control.new()
	var _name := Ui.label("", Fonts.body(12))
	var _share := Ui.figures(Fonts.medium(12), 44)

	func _init() -> void:
		_picture.rect_min_size = Vector2(Limits.SIDE, Limits.SIDE)
		_picture.size_flags_vertical = SIZE_SHRINK_CENTER
		_picture.connect("draw", self, "_draw_picture")
		add_child(_picture)
		_name.size_flags_horizontal = SIZE_EXPAND_FILL
		add_child(_name)
		_share.side = _share.Side.RIGHT
		add_child(_share)

	func show_share(limit: String, share: float) -> void:
		if limit != _limit:
			_limit = limit
			_name.text = Limits.words(limit)
			_picture.update()
		_share.text = Words.percent(share)

	func text() -> String:
		return "%s %s" % [_name.text, _share.text]

	func _draw_picture() -> void:
		Limits.draw(_picture, _limit, Vector2.ZERO)
