extends Button
# A line of the list: a request's colour, number and state, how much of its answer is made, its age.

const Fonts := preload("res://scenes/theme/fonts.gd")
const GameTheme := preload("res://scenes/theme/game_theme.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const RequestColours := preload("res://scenes/requests/request_colours.gd")
const RequestStates := preload("res://scenes/requests/request_states.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")
const HEIGHT := 24.0
const SWATCH := 8.0
const INSET := 6.0

var id := -1

var _swatch := ColorRect.new()
var _number: Control
var _state: Label
var _tokens: Control
var _age: Control
var _shown := ""


func _init() -> void:
	rect_min_size.y = HEIGHT
	focus_mode = FOCUS_NONE
	mouse_filter = MOUSE_FILTER_PASS
	toggle_mode = true
	_add_look("normal", Color.transparent)
	_add_look("hover", Palette.PANEL_HOVER)
	_add_look("pressed", Palette.faded(Palette.SELECTION, 0.6))
	_swatch.mouse_filter = MOUSE_FILTER_IGNORE
	_swatch.rect_size = Vector2(SWATCH, SWATCH)
	_number = Ui.figures(Fonts.medium(12), 0)
	_state = Ui.label("", Fonts.body(12))
	_tokens = Ui.figures(Fonts.body(12), 0, Palette.TEXT_SOFT)
	_age = Ui.figures(Fonts.medium(12), 0)
	_tokens.side = _tokens.Side.RIGHT
	_age.side = _age.Side.RIGHT
	for node in [_swatch, _number, _state, _tokens, _age]:
		add_child(node)
	connect("resized", self, "_place")


func show_request(request: int, state: String, tokens: int, of_tokens: int, age_s: float) -> void:
	if request != id:
		id = request
		_number.text = str(request)
		_swatch.color = RequestColours.of(request)
	if state != _shown:
		_shown = state
		_state.text = RequestStates.words_of(state)
		_state.add_color_override("font_color", RequestStates.colour_of(state))
	_tokens.text = "%s / %s" % [Words.thousands(tokens), Words.thousands(of_tokens)]
	_age.text = Words.seconds(age_s)


func text_of() -> String:
	return "%d %s %s %s" % [id, _state.text, _tokens.text, _age.text]


# Columns: the number is as wide as four digits, the state as its longest word; the rest is right.
func _place() -> void:
	var wide := rect_size.x
	_swatch.rect_position = Vector2(INSET, (HEIGHT - SWATCH) / 2)
	_put(_number, 20, 36)
	_put(_state, 60, 76)
	_put(_tokens, 130, wide - 130 - 62)
	_put(_age, wide - 58, 58 - INSET)


func _put(node: Control, x: float, width: float) -> void:
	node.rect_position = Vector2(x, 0)
	node.rect_size = Vector2(width, HEIGHT)
	if node is Label:
		node.valign = Label.VALIGN_CENTER


func _add_look(state: String, colour: Color) -> void:
	add_stylebox_override(state, GameTheme.flat(colour, 4))
