extends Node
# Plays sounds by name. Anybody may ask: get_tree().call_group("sounds", "play", "place"). What is
# asked for within a frame is played at its end, each name once; a plain tick gives way to a sound
# that says more. What each sound goes with on the screen: docs/sounds.md.

# What was played, and how many frames after a key, button or stick moved last.
signal played(names, frames)

const FOLDER := "res://scenes/sound/"
const BUS := "Effects"
const VOICES := 8
# How loud, in dB; all recordings have the same peak.
const LOUDNESS := {
	"tick": -22.0,
	"select": -20.0,
	"open": -20.0,
	"close": -20.0,
	"turn": -14.0,
	"step": -16.0,
	"copy": -18.0,
	"crash": -9.0,
	"goal_met": -13.0,
	"win": -10.0,
	"lose": -12.0,
	"deliver": -27.0,
	"reject": -27.0,
}
const USUAL := -15.0
const PLAIN := ["tick", "select"]
# What the factory does by itself, and how rarely it is heard, in ms.
const FROM_AFAR := {"deliver": 1300, "reject": 900}
# A sound that comes again soon is a little higher or lower, so that it does not grate.
const SOON_MS := 600
const PITCHES := [1.0, 1.06, 0.96, 1.03, 0.93]

var _streams := {}
var _voices := []
var _next := 0
var _asked := []
var _last_at := {}
var _repeats := {}
var _input_frame := 0


func _init() -> void:
	add_to_group("sounds")
	for _index in VOICES:
		var voice := AudioStreamPlayer.new()
		voice.bus = BUS
		_voices.append(voice)
		add_child(voice)


func play(name: String) -> void:
	if FROM_AFAR.has(name):
		if OS.get_ticks_msec() - _last_at.get(name, -FROM_AFAR[name]) >= FROM_AFAR[name]:
			_start(name)
			emit_signal("played", [name], Engine.get_idle_frames() - _input_frame)
		return
	if _asked.empty():
		call_deferred("_play_asked")
	if not name in _asked:
		_asked.append(name)


func _input(event: InputEvent) -> void:
	if not event is InputEventMouseMotion:
		_input_frame = Engine.get_idle_frames()


func _play_asked() -> void:
	var names := []
	for name in _asked:
		if not name in PLAIN:
			names.append(name)
	if names.empty():
		names = ["select" if "select" in _asked else "tick"]
	_asked = []
	for name in names:
		_start(name)
	emit_signal("played", names, Engine.get_idle_frames() - _input_frame)


func _start(name: String) -> void:
	if not _streams.has(name):
		_streams[name] = load(FOLDER + name + ".wav")
	var now := OS.get_ticks_msec()
	var soon: bool = now - _last_at.get(name, -SOON_MS) < SOON_MS
	_repeats[name] = _repeats.get(name, 0) + 1 if soon else 0
	_last_at[name] = now
	var voice: AudioStreamPlayer = _voices[_next]
	_next = (_next + 1) % VOICES
	voice.stream = _streams[name]
	voice.volume_db = LOUDNESS.get(name, USUAL)
	voice.pitch_scale = PITCHES[_repeats[name] % PITCHES.size()]
	voice.play()
