extends CanvasLayer
# Games that are kept, and recordings of runs, over whatever screen is shown: asks the engine for
# them, and shows their panel. Anybody may ask for that:
# get_tree().call_group("saves", "toggle").

# The engine holds another game now: it is to be shown. `events`: what is to be said of it, as
# snapshots tell them.
signal opened(events)

const Autosave := preload("res://scenes/saves/autosave.gd")
const Keys := preload("res://scenes/theme/keys.gd")
const LoadingCard := preload("res://scenes/saves/loading_card.gd")
const PlainText := preload("res://scenes/theme/plain_text.gd")
const SavesPanel := preload("res://scenes/saves/saves_panel.gd")
const Words := preload("res://scenes/theme/words.gd")
const ABOVE := 10
const EDGE := 24.0
const SAVE := "save"
const TRACE := "csv"
const LOADED := "save.loaded"
const RECORDED := ["recording.equal", "recording.differs"]

var screen: Node

var _client: Node
var _autosave := Autosave.new()
var _panel: Control
var _card: Control
# Whether the engine loads something; the screen's own time stands.
var _loading := false
# Whether that is the game that was left.
var _restores := false
# What the engine says of what it has loaded.
var _events := []
var _window := Vector2.ZERO
var _area := Rect2()


func _init() -> void:
	layer = ABOVE
	add_to_group("saves")
	add_child(_autosave)
	_autosave.connect("failed", self, "_say_refusal")


func _ready() -> void:
	_make()
	get_tree().connect("files_dropped", self, "_on_files_dropped")


func set_up(client: Node) -> void:
	_client = client
	_autosave.set_up(client)


# A screen is shown: the panel lies over it.
func follow(next: Node) -> void:
	screen = next
	raise()
	_autosave.follow(screen if screen.has_method("can_be_kept") else null)
	_panel.close()


# The game is about to be left.
func leave() -> void:
	_autosave.keep()


# In other words.
func renew() -> void:
	_panel.queue_free()
	_card.queue_free()
	_make()


# The game that was kept by itself, as `saves` tells it; {} for none that can be gone on with.
func last() -> Dictionary:
	for row in _told().get("saves", []):
		if str(row.slot) == Autosave.SLOT and row.code == null:
			return row
	return {}


func toggle() -> void:
	if _panel.visible:
		_panel.close()
	elif _client != null and _client.problem == "":
		get_tree().call_group("comfort", "close")
		_panel.open()
		_refresh()
		_place()
		_play("open")


func close() -> void:
	_panel.close()


func load_slot(slot) -> void:
	_open({"do": "load", "slot": slot})


# The run as it is, for others: as text if that is short, else as a file.
func share_run() -> void:
	if _autosave.level == null:
		return
	var answer: Dictionary = _client.command({"do": "recording_export"})
	if not answer.ok:
		_say_refusal(answer)
	elif answer.text != null:
		OS.clipboard = answer.text
		_say(tr("RECORDING_COPIED").format({"count": Words.thousands(answer.text.length())}), false)
	else:
		OS.shell_open("file://" + answer.path.get_base_dir())
		_say(tr("RECORDING_WRITTEN").format({"path": answer.path}), false)


# The recording whose text is on the clipboard.
func open_text() -> void:
	var text := OS.clipboard.strip_edges()
	if text == "":
		_say(tr("RECORDING_NO_TEXT"), true)
		return
	_open({"do": "recording_open", "text": text})


func open_file(path: String) -> void:
	var deed := "load_file" if path.get_extension().to_lower() == SAVE else "recording_open"
	_open({"do": deed, "path": path})


# Where things are, in the viewport's units.
func targets() -> Dictionary:
	return _card.targets() if _card.visible else _panel.targets()


# What the panel says, for tests.
func told() -> Array:
	return _panel.texts() if _panel.visible else []


func _unhandled_input(event: InputEvent) -> void:
	if Keys.pressed(event, "saves"):
		toggle()
		get_tree().set_input_as_handled()


func _process(delta: float) -> void:
	if _loading:
		_go_on(delta)
	if _panel.visible:
		var window := _panel.get_viewport_rect().size
		if window != _window or _free_area() != _area:
			_place()


func _make() -> void:
	_panel = SavesPanel.new()
	add_child(_panel)
	_panel.connect("closed", self, "_play", ["close"])
	_panel.connect("wanted", self, "_on_wanted")
	_panel.connect("recording_wanted", self, "_on_recording_wanted")
	_card = LoadingCard.new()
	add_child(_card)
	_card.connect("stopped", self, "_stop_loading")


func _on_wanted(deed: String, slot) -> void:
	match deed:
		"load":
			load_slot(slot)
		"save":
			_do({"do": "save", "slot": slot, "date": Words.now()}, "SAVES_SAVED", slot)
		"delete":
			var key := "SAVES_DELETED" if slot is int else "SAVES_DELETED_AUTO"
			_do({"do": "save_delete", "slot": slot}, key, slot)


func _do(request: Dictionary, key: String, slot) -> void:
	var answer: Dictionary = _client.command(request)
	_refresh()
	if answer.ok:
		_say(tr(key).format({"slot": slot}), false)
	else:
		_say_refusal(answer)


func _on_recording_wanted(deed: String) -> void:
	if deed == "share":
		share_run()
	else:
		open_text()


func _on_files_dropped(files: PoolStringArray, _screen: int) -> void:
	if _client == null or _client.problem != "" or files.empty():
		return
	if screen.has_method("take_file") and files[0].get_extension().to_lower() == TRACE:
		screen.take_file(files[0])
	else:
		open_file(files[0])


func _open(request: Dictionary) -> void:
	if _loading:
		return
	_restores = str(request.get("slot", "")) == Autosave.SLOT
	if not _restores:
		_autosave.keep()
	var answer: Dictionary = _client.command(request)
	if not answer.ok:
		_refresh()
		_say_refusal(answer)
		return
	_panel.close()
	_loading = true
	_autosave.waits = true
	_events = []
	_card.begin()
	screen.wait_for_loading(true)


# Some more of the way to what is loaded, in place of the screen.
func _go_on(delta: float) -> void:
	var snapshot: Dictionary = _client.step(0.0)
	if snapshot.has("rewinding"):
		_card.show_share(snapshot.rewinding.share, delta)
		screen.show_loading(snapshot.rewinding)
		return
	_events += snapshot.get("events", [])
	if _is_recording() and _client.command({"do": "watch"}).ok:
		return
	_end_loading()
	if _has_loaded():
		_autosave.begin(_restores)
		emit_signal("opened", _events)
		return
	for event in _events:
		_say_refusal(event)


func _has_loaded() -> bool:
	for event in _events:
		if event.code == LOADED:
			return true
	return false


func _is_recording() -> bool:
	for event in _events:
		if event.code in RECORDED and _has_loaded():
			return true
	return false


func _stop_loading() -> void:
	_client.command({"do": "load_stop"})
	_end_loading()


func _end_loading() -> void:
	_loading = false
	_autosave.waits = false
	_card.hide()
	screen.wait_for_loading(false)


func _input(event: InputEvent) -> void:
	if _card.visible and event.is_action_pressed("ui_cancel"):
		_stop_loading()
		get_tree().set_input_as_handled()


func _refresh() -> void:
	if _panel.visible:
		var level: Node = _autosave.level
		_panel.show_saves(_told(), level != null and level.can_be_kept())


func _told() -> Dictionary:
	var told: Dictionary = _client.ask({"ask": "saves"})
	var versions := {}
	for mod in _client.ask({"ask": "mods"}).get("mods", []):
		versions[mod.id] = mod.version
	for row in told.get("saves", []):
		row["mod_note"] = _mod_note(row.get("mods", []), versions)
	return told


# What is to be said of the mods that a save was made with; the save holds the level itself.
func _mod_note(mods: Array, versions: Dictionary) -> String:
	for mod in mods:
		var said := {"mod": PlainText.of(mod.id, 24), "version": PlainText.of(mod.version, 12)}
		if not versions.has(mod.id):
			return tr("SAVES_MOD_MISSING").format(said)
		if versions[mod.id] != mod.version:
			return tr("SAVES_MOD_OTHER").format(said)
	return ""


func _say_refusal(answer: Dictionary) -> void:
	_say(Words.of(answer.code, answer.params), true)


# In the panel while it is open, else on the screen.
func _say(text: String, bad: bool) -> void:
	if _panel.visible:
		_panel.say(text, bad)
	elif screen.has_method("tell"):
		screen.tell(text, bad)
	else:
		screen.show_problem(text)


func _play(name: String) -> void:
	get_tree().call_group("sounds", "play", name)


func _place() -> void:
	_window = _panel.get_viewport_rect().size
	_area = _free_area()
	_panel.fit(_area, _window)


# Where the screen's own panels leave room.
func _free_area() -> Rect2:
	if screen != null and screen.has_method("free_area"):
		var area: Rect2 = screen.free_area()
		return area if area.size.x > 0.0 else _area
	return _panel.get_viewport_rect().grow(-EDGE)
