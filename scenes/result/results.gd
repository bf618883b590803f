extends Node
# What follows the end of a run: the attempt is kept, the panel tells how it went, and pictures of
# the factory can be saved.

signal level_wanted(level)

const Clip := preload("res://scenes/result/clip.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const ResultPanel := preload("res://scenes/result/result_panel.gd")
const Snapshot := preload("res://scenes/result/snapshot.gd")
const Words := preload("res://scenes/theme/words.gd")

var panel: Control

var _client: Node
var _floor_view: Node2D
var _clip := Clip.new()
var _picture := Snapshot.new()


func set_up(client: Node, floor_view: Node2D) -> void:
	_client = client
	_floor_view = floor_view
	for helper in [_clip, _picture]:
		add_child(helper)
		helper.set_up(floor_view)
	_clip.connect("encoded", self, "_on_saved")
	_picture.connect("saved", self, "_on_saved")


# Watches the factory; what it did last can be saved.
func show_snapshot(snapshot: Dictionary, speed: int) -> void:
	_clip.show_snapshot(snapshot, speed)


# The panel for the run that has ended, to be shown by the HUD.
func build_panel(result: Dictionary) -> Control:
	var level: Dictionary = _floor_view.layout.level
	var kept: Dictionary = _client.command({"do": "attempt_keep", "date": Words.today()})
	var results: Dictionary = _client.ask({"ask": "results"})
	var following = _following(level)
	panel = ResultPanel.new()
	var room := _floor_view.get_viewport_rect().size.x
	panel.show_result(result, results, kept, level, following != null, room)
	panel.share.offer_clip(_clip.has_moved())
	panel.connect("next_pressed", self, "emit_signal", ["level_wanted", following])
	panel.share.connect("picture_wanted", _picture, "save", [results])
	panel.share.connect("clip_wanted", _clip, "encode")
	panel.share.connect("answers_wanted", self, "_on_answers_wanted")
	return panel


func take_panel() -> void:
	panel.queue_free()
	panel = null


func _process(_delta: float) -> void:
	if panel != null and _clip.share() >= 0.0:
		panel.share.show_share(_clip.share())


# What opens the level that comes after this one in the campaign or in its mod; null after the last,
# and for a level of one's own.
func _following(level: Dictionary):
	var found := false
	for other in _client.ask({"ask": "progress"}).get("levels", []):
		if found and LevelWords.mod_of(other) == LevelWords.mod_of(level):
			return LevelWords.key_of(other)
		found = found or other.id == level.id
	return null


func _on_answers_wanted() -> void:
	_on_saved(_client.command({"do": "answers_export"}).get("path", ""))


func _on_saved(path: String) -> void:
	if panel != null:
		panel.share.show_saved(path)
