extends Node
# The root: holds the engine's client, shows one screen at a time, and reads the command line.

signal screen_shown(name)

const UiScale := preload("res://scenes/main/ui_scale.gd")
const ButtonFeel := preload("res://scenes/theme/button_feel.gd")
const Comfort := preload("res://scenes/settings/comfort.gd")
const Curtain := preload("res://scenes/main/curtain.gd")
# Loaded behind the title, which comes sooner without it.
const LEVEL_SCREEN := "res://scenes/level/level_screen.tscn"
const ModLibrary := preload("res://scenes/mods/mod_library.gd")
const Music := preload("res://scenes/sound/music.gd")
const Notes := preload("res://scenes/main/notes.gd")
const Options := preload("res://scenes/main/options.gd")
const PadChords := preload("res://scenes/theme/pad_chords.gd")
const SandboxScreen := preload("res://scenes/sandbox/sandbox_screen.gd")
const Saves := preload("res://scenes/saves/saves.gd")
const Sounds := preload("res://scenes/sound/sounds.gd")
const Support := preload("res://scenes/main/support.gd")
const TitleScreen := preload("res://scenes/title/title_screen.tscn")
const Words := preload("res://scenes/theme/words.gd")

var screen: Node
var comfort: Node = Comfort.new()
var sounds: Node = Sounds.new()
var music: Node = Music.new()
var saves: Node = Saves.new()
var notes: Node = Notes.new()
var support: Node = Support.new()
var mods: Node = ModLibrary.new()

var _curtain: Node = Curtain.new()
var _level_screen: PackedScene

onready var client: Node = $EngineClient


func _ready() -> void:
	# Else Godot takes a key that is pressed twice within one frame for one that is held.
	Input.set_use_accumulated_input(false)
	comfort.ui_scale = UiScale.new()
	comfort.support = support
	for helper in [comfort.ui_scale, sounds, music, _curtain, ButtonFeel.new(), PadChords.new()]:
		add_child(helper)
	for layer in [saves, comfort, notes]:
		add_child(layer)
	saves.connect("opened", self, "_on_opened")
	comfort.connect("renewal_wanted", self, "_renew")
	if Options.has(Options.PROBE):
		$Probe.follow(self, Options.value(Options.PROBE))
	if Options.has(Options.HEADLESS_REPLAY):
		add_child(support)
		get_tree().quit(support.replay(Options.value(Options.HEADLESS_REPLAY)))
		return
	var level := Options.value(Options.LEVEL)
	if level == "":
		# The title comes first; the engine loads behind it.
		_show(TitleScreen.instance(), "title")
		yield(get_tree(), "idle_frame")
		yield(VisualServer, "frame_post_draw")
	client.start()
	add_child(support)
	if Options.has(Options.ABOUT):
		_tell_about()
		return
	if support.report != "":
		notes.tell(tr("SUPPORT_CRASHED").format({"file": support.report}))
	_use_player_folder()
	if Options.has(Options.SAFE_MODE):
		client.command({"do": "mods_off"})
		notes.tell(tr("SUPPORT_SAFE_MODE"))
	else:
		_keep_settings()
	saves.set_up(client)
	add_child(mods)
	mods.connect("levels_changed", self, "_offer_levels")
	mods.set_up(client)
	if Options.has(Options.OPEN_MODS):
		mods.open_folder()
		get_tree().quit()
		return
	_level_screen = load(LEVEL_SCREEN)
	music.begin()
	if level == "":
		_fill_title()
	else:
		show_level(int(level) if level.is_valid_integer() else level)


func show_title() -> void:
	saves.leave()
	_show(TitleScreen.instance(), "title")
	_fill_title()


# `level`: a number, an id or a path, as the command `open` takes it.
func show_level(level, seed_number: int = 1) -> void:
	saves.leave()
	var answer: Dictionary = client.command({"do": "open", "level": level, "seed": seed_number})
	if not answer.ok:
		push_error("The level %s does not open: %s" % [level, answer.code])
		if not screen or screen.name != "TitleScreen":
			show_title()
		screen.show_problem(Words.of(answer.code, answer.params))
		return
	mods.refresh_texts()
	_show_level()


# `page`: the one that it opens with ("": the first).
func show_sandbox(page: String = "") -> void:
	saves.leave()
	mods.refresh_texts()
	var node := SandboxScreen.new()
	node.client = client
	node.connect("title_wanted", self, "show_title")
	node.connect("level_picked", self, "show_level")
	node.connect("build_wanted", self, "_on_sandbox_built")
	_show(node, "sandbox")
	if page != "":
		node.show_page(page)


# The engine has a floor of the player's own open.
func _on_sandbox_built() -> void:
	mods.refresh_texts()
	_show_level()


# Another game was loaded.
func _on_opened(events: Array) -> void:
	mods.refresh_texts()
	_show_level()
	screen.show_loaded(events)


func _show_level() -> void:
	var node: Node = _level_screen.instance()
	node.client = client
	node.connect("title_wanted", self, "show_title")
	node.connect("level_wanted", self, "show_level")
	_show(node, "level")


# Where attempts and answers are kept; what is wrong with what lies there is told once.
func _use_player_folder() -> void:
	var request := {"do": "player_folder", "folder": OS.get_user_data_dir()}
	var answer: Dictionary = client.command(request)
	if client.problem == "":
		for note in answer.get("notes", []) if answer.ok else [answer]:
			notes.tell(Words.of(note.code, note.params))


# The engine keeps the settings from now on.
func _keep_settings() -> void:
	if client.problem == "":
		for note in comfort.settings.keep_with(client):
			notes.tell(Words.of(note.code, note.params))
		if comfort.settings.problem != "":
			notes.tell(comfort.settings.problem)


# For whoever helps: what this is, and where its log lies.
func _tell_about() -> void:
	for line in support.about():
		print(line)
	get_tree().quit()


func _fill_title() -> void:
	screen.connect("level_picked", self, "show_level")
	screen.connect("sandbox_wanted", self, "show_sandbox")
	screen.connect("continue_wanted", saves, "load_slot", ["auto"])
	mods.refresh_texts()
	screen.offer_mods(mods)
	_offer_levels()
	if client.problem != "":
		screen.show_problem(tr(client.problem))
	else:
		screen.offer_last(saves.last())
		screen.call_deferred("live", client)


func _offer_levels() -> void:
	if screen != null and screen.has_method("show_levels"):
		screen.show_levels(client.ask({"ask": "progress"}).get("levels", []))


func _show(next: Node, name: String) -> void:
	if screen != null:
		remove_child(screen)
		screen.queue_free()
		_curtain.rise()
	screen = next
	music.follow(0.0, false)
	add_child(next)
	for layer in [saves, comfort, notes]:
		layer.follow(next)
	emit_signal("screen_shown", name)


# The same screen in other words or with other keys; the engine's game goes on as it is.
func _renew() -> void:
	saves.renew()
	if screen.has_method("page"):
		show_sandbox(screen.page())
		return
	if not screen.has_method("kept"):
		show_title()
		return
	var kept: Dictionary = screen.kept()
	_show_level()
	screen.keep(kept)
