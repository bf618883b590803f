extends Node
# Keeps the game by itself: when it is left, at the end of a run, when the window closes, and now
# and then while something has changed. A game that only shows a recording is never kept.

# It could not be kept; told once until it can be again.
signal failed(answer)

const Words := preload("res://scenes/theme/words.gd")
const EVERY_S := 60.0
const SLOT := "auto"
# Commands that leave the game as it is.
const QUIET := [
	"view",
	"save",
	"save_delete",
	"load",
	"load_file",
	"load_stop",
	"kept_write",
	"recording_export",
	"recording_open",
	"player_folder",
	"answer",
	"answers_export",
	"own_save",
	"own_delete",
	"trace_bring",
]
const FRESH := ["open", "sandbox_open"]

# The level that is played; null while there is none.
var level: Node
# Whether another game is being loaded.
var waits := false

var _client: Node
var _changed := false
# When it was as it is kept; -1: wherever it stands when it is shown.
var _kept_ps := -1
var _waited := 0.0
var _told := false


func set_up(client: Node) -> void:
	_client = client
	_client.connect("commanded", self, "_on_commanded")


# Another game is there; `kept`: as it is kept here.
func begin(kept: bool) -> void:
	_changed = not kept
	_kept_ps = -1
	_waited = 0.0


# A screen is shown; `screen`: null where no level is played.
func follow(screen: Node) -> void:
	level = screen
	if level != null:
		level.connect("ended", self, "_on_ended")
		if _kept_ps < 0:
			_kept_ps = level.now_ps()


# Keeps the game now, if something has changed; `later`: it may be written while the game goes on,
# so that no frame waits for the disk.
func keep(later: bool = false) -> void:
	_waited = 0.0
	if waits or level == null or not level.can_be_kept():
		return
	if not _changed and level.now_ps() == _kept_ps:
		return
	var request := {"do": "save", "slot": SLOT, "date": Words.now(), "later": later}
	var answer: Dictionary = _client.command(request)
	if answer.ok:
		_changed = false
		_kept_ps = level.now_ps()
		_told = false
	elif not _told:
		_told = true
		emit_signal("failed", answer)


func _process(delta: float) -> void:
	_waited += delta
	if _waited >= EVERY_S:
		keep(true)


func _notification(what: int) -> void:
	if what == MainLoop.NOTIFICATION_WM_QUIT_REQUEST:
		keep()


func _on_commanded(request: Dictionary, answer: Dictionary) -> void:
	if answer.ok and request.do in FRESH:
		begin(true)
	elif answer.ok and not request.do in QUIET:
		_changed = true


# The attempt is kept first, by who shows the result.
func _on_ended(_result: Dictionary) -> void:
	_changed = true
	call_deferred("keep", true)
