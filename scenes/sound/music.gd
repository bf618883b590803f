extends Node
# The music: layers of one length that play together from the start on. How many are heard says how
# near the factory is to its target, as the bar of the goal shows; a machine that ran out of memory,
# in its sparks, leaves only a low drone. Anybody may tell: call_group("music", "follow", ...).

const FOLDER := "res://scenes/sound/music/"
const BUS := "Music"
# The share of the target from which each layer is heard, and how loud it is, in dB.
const LAYERS := {
	"ground": {"from": 0.0, "loud": -21.0},
	"pulse": {"from": 0.05, "loud": -21.0},
	"steps": {"from": 0.5, "loud": -24.0},
	"shine": {"from": 0.95, "loud": -25.0},
	"drone": {"from": INF, "loud": -22.0},
}
const DRONE := "drone"
# A layer is heard in full when the share is this much above its own.
const RISE := 0.1
# The seconds in which a layer comes or goes.
const FADE_S := 2.5
const SILENT_DB := -60.0

# How loud each layer is now and is to be, from 0 to 1.
var _now := {}
var _wanted := {}
var _players := {}


func _init() -> void:
	add_to_group("music")


# Begins, silent. Takes a moment to load.
func begin() -> void:
	for name in LAYERS:
		var player := AudioStreamPlayer.new()
		player.stream = load(FOLDER + name + ".ogg")
		player.stream.loop = true
		player.bus = BUS
		player.volume_db = SILENT_DB
		add_child(player)
		_players[name] = player
		_now[name] = 0.0
	# All begin with the same sample.
	AudioServer.lock()
	for player in _players.values():
		player.play()
	AudioServer.unlock()
	follow(0.0, false)


# `share`: of the target that is reached; `stopped`: a machine ran out of memory.
func follow(share: float, stopped: bool) -> void:
	for name in LAYERS:
		var above: float = (share - LAYERS[name].from) / RISE
		_wanted[name] = 0.0 if stopped else clamp(above, 0.0, 1.0)
	_wanted.ground = 0.5 if stopped else 1.0
	_wanted[DRONE] = 1.0 if stopped else 0.0
	set_process(not _players.empty())


# How loud each layer is to be, from 0 to 1.
func wanted() -> Dictionary:
	return _wanted.duplicate()


func _process(delta: float) -> void:
	var settled := true
	for name in _players:
		_now[name] = move_toward(_now[name], _wanted[name], delta / FADE_S)
		settled = settled and _now[name] == _wanted[name]
		var full: float = LAYERS[name].loud
		var silent: bool = _now[name] == 0.0
		_players[name].volume_db = SILENT_DB if silent else full + linear2db(_now[name])
	set_process(not settled)
