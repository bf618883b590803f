extends Node
# The sandbox: a floor of one's own choice, seen while it is chosen, to be built on with every
# machine and without a goal; and the levels that were kept of such floors.

# The engine has the floor open: it is to be built on.
signal build_wanted
signal level_picked(level)
signal title_wanted

const Choices := preload("res://scenes/sandbox/choices.gd")
const FloorPreview := preload("res://scenes/sandbox/floor_preview.gd")
const SandboxPanel := preload("res://scenes/sandbox/sandbox_panel.gd")
const Words := preload("res://scenes/theme/words.gd")
const KEPT := "sandbox"
const PANEL := 520.0
const EDGE := 24.0
const SMALL_EDGE := 8.0
const NARROW := 900.0
# While a value is stepped through, the floor is drawn anew only when it rests.
const REST_S := 0.12

var client: Node

var _choices := Choices.new()
var _preview := FloorPreview.new()
var _layer := CanvasLayer.new()
var _panel := SandboxPanel.new()
var _wait := 0.0


func _ready() -> void:
	_choices.set_up(client.ask({"ask": "sandbox"}))
	_choices.take(client.ask({"ask": "kept", "name": KEPT}).get("data"))
	_preview.set_up(client)
	add_child(_preview)
	add_child(_layer)
	_layer.add_child(_panel)
	_panel.set_up(_choices)
	_panel.connect("changed", self, "_on_changed")
	_panel.connect("build_wanted", self, "_on_build")
	_panel.connect("left", self, "emit_signal", ["title_wanted"])
	_panel.connect("opened", self, "_on_opened")
	_panel.connect("deleted", self, "_on_deleted")
	_panel.connect("folder_wanted", self, "_on_folder")
	get_tree().root.connect("size_changed", self, "_arrange")
	_arrange()
	_show_own()
	_judge()


# Opens one of its pages.
func show_page(name: String) -> void:
	_panel.show_page(name)


# The one that is open.
func page() -> String:
	return _panel.page


# A file was dropped on the window: a trace of requests.
func take_file(path: String) -> void:
	var answer: Dictionary = client.command({"do": "trace_bring", "path": path})
	if not answer.ok:
		_panel.show_judgement("", Words.of(answer.code, answer.params), true)
		return
	_choices.take_trace(client.ask({"ask": "sandbox"}), answer.trace)
	_panel.show_page("traffic")
	_judge()


func show_problem(text: String) -> void:
	_panel.show_judgement("", text, true)


func targets() -> Dictionary:
	return {"rects": _panel.targets()}


func words() -> Dictionary:
	return _panel.texts()


func wait_for_loading(waits: bool) -> void:
	set_process(not waits)


func show_loading(_rewinding: Dictionary) -> void:
	pass


func _process(delta: float) -> void:
	if _wait > 0.0:
		_wait -= delta
		if _wait <= 0.0:
			_judge()


func _on_changed() -> void:
	_wait = REST_S


# What the engine says of the choice, and its floor.
func _judge() -> void:
	_wait = 0.0
	if _choices.wants_trace():
		_panel.show_judgement("", tr("SANDBOX_NEEDS_TRACE"), false)
		return
	var plan: Dictionary = _choices.plan()
	var judged: Dictionary = client.ask({"ask": "sandbox_plan", "plan": plan})
	var problem := {}
	if not judged.ok:
		problem = judged
	elif not judged.problems.empty():
		problem = judged.problems[0]
	if problem.empty():
		problem = _refusal(_preview.open(plan))
	if not problem.empty():
		_panel.show_judgement("", Words.of(problem.code, problem.params), false)
		return
	_panel.show_judgement(_about(judged.floor), _warning(judged.floor), true)


func _refusal(answer: Dictionary) -> Dictionary:
	return {} if answer.ok else answer


# What the traffic of all docks asks for.
func _about(floor_told: Dictionary) -> String:
	var said := {
		"rate": Words.short(floor_told.requests_per_s), "tps": Words.short(floor_told.tokens_per_s)
	}
	return tr("SANDBOX_ASKS").format(said)


# The cards that are too small for the model.
func _warning(floor_told: Dictionary) -> String:
	var small := PoolStringArray()
	for index in floor_told.cards.size():
		if not floor_told.cards[index].fits:
			small.append(Words.pad_letter(index))
	if small.empty():
		return ""
	var said := {"model": _choices.said("model"), "cards": small.join(", ")}
	return tr("SANDBOX_TOO_SMALL").format(said)


func _on_build() -> void:
	_judge()
	if _panel.targets().has("sandbox:build"):
		client.command({"do": "kept_write", "name": KEPT, "data": _choices.chosen})
		emit_signal("build_wanted")


func _on_opened(level: String) -> void:
	emit_signal("level_picked", level)


func _on_deleted(level: String) -> void:
	var answer: Dictionary = client.command({"do": "own_delete", "level": level})
	_show_own()
	if not answer.ok:
		show_problem(Words.of(answer.code, answer.params))


func _on_folder() -> void:
	var folder := OS.get_user_data_dir().plus_file("traces")
	var made := Directory.new().make_dir_recursive(folder)
	if made == OK:
		OS.shell_open("file://" + folder)


func _show_own() -> void:
	_panel.show_own(client.ask({"ask": "own_levels"}).get("levels", []))


func _arrange() -> void:
	var window: Vector2 = _panel.get_viewport_rect().size
	if window.x < NARROW:
		_panel.fit(Rect2(Vector2.ZERO, window).grow(-SMALL_EDGE))
		_preview.area = Rect2(Vector2.ZERO, window)
		return
	_panel.fit(Rect2(EDGE, EDGE, PANEL, window.y - 2 * EDGE))
	var left := PANEL + 2 * EDGE
	_preview.area = Rect2(left + EDGE, EDGE, window.x - left - 2 * EDGE, window.y - 2 * EDGE)
