extends Node
# The root: holds the engine's client, shows one screen at a time, and reads the command line.

signal screen_shown(name)

const GameTheme := preload("res://scenes/theme/game_theme.gd")
const LEAST_WINDOW := Vector2(640, 360)
const LevelScreen := preload("res://scenes/level/level_screen.tscn")
const Palette := preload("res://scenes/theme/palette.gd")
const TitleScreen := preload("res://scenes/title/title_screen.tscn")
const Ui := preload("res://scenes/theme/ui.gd")
const Words := preload("res://scenes/theme/words.gd")

var screen: Node

onready var client: Node = $EngineClient


func _ready() -> void:
	OS.min_window_size = LEAST_WINDOW
	if argument("--probe") != "":
		$Probe.follow(self, argument("--probe"))
	var level := argument("--level")
	if level == "":
		show_title()
	else:
		show_level(int(level) if level.is_valid_integer() else level)


# What follows an option on the command line; "" without it.
func argument(option: String) -> String:
	var arguments := OS.get_cmdline_args()
	for index in arguments.size() - 1:
		if arguments[index] == option:
			return arguments[index + 1]
	return ""


func show_title() -> void:
	var title := TitleScreen.instance()
	title.levels = client.ask({"ask": "levels"}).get("levels", [])
	title.connect("level_picked", self, "show_level")
	_show(title, "title")
	if client.problem != "":
		title.show_problem(tr(client.problem))


# `level`: a number, an id or a path, as the command `open` takes it.
func show_level(level, seed_number: int = 1) -> void:
	var answer: Dictionary = client.command({"do": "open", "level": level, "seed": seed_number})
	if not answer.ok:
		push_error("The level %s does not open: %s" % [level, answer.code])
		if not screen or screen.name != "TitleScreen":
			show_title()
		screen.show_problem(Words.of(answer.code, answer.params))
		return
	var node := LevelScreen.instance()
	node.client = client
	node.connect("title_wanted", self, "show_title")
	_show(node, "level")


func _show(next: Node, name: String) -> void:
	if screen != null:
		remove_child(screen)
		screen.queue_free()
	screen = next
	add_child(next)
	emit_signal("screen_shown", name)
