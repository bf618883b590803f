extends Node2D
# One machine on the floor: its picture, and over it the light that pulses with its work.

const Additive := preload("res://scenes/floor/additive.tres")
const Grid := preload("res://scenes/floor/grid.gd")
const CrashSparks := preload("res://scenes/floor/machines/crash_sparks.gd")
const Lamps := preload("res://scenes/floor/machines/lamps.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const TrayFill := preload("res://scenes/floor/machines/page_allocator/tray_fill.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const HALO := 0.42
const HALO_PICTURE := "res://scenes/floor/pads/glow_disc.png"
# A new machine drops from this height, in grid pixels, and gives a little as it lands.
const ARRIVAL_S := 0.12
const DROP := 26.0
const LANDED := 0.55
const SQUASH := Vector2(0.07, -0.1)
# One that is taken away shrinks.
const LEAVING_S := 0.12
# Docks send and receive as long as time runs.
const ALWAYS_ON := ["prompt_dock", "token_dock"]
const REST := 0.4
const WORK := 0.8
const FOLLOW := 4.0
# As near as this a light has come to what it follows.
const NEAR := 0.004
# How strong the colour of what has arrived is in the lamps, and how long it takes to go. The next
# one waits for that, so that nothing flickers.
const FLASH := 0.7
const FLASH_S := 0.5
# A machine that has crashed, or whose card is broken, has no light of its own. It stands in a red
# one, or in the dark.
const FAULT_LIGHT := 0.06
const CRASH_HALO := 0.9
const TINTS := {"crashed": Color(1.0, 0.6, 0.6), "broken": Color(0.5, 0.53, 0.6)}

var row := {}

var _light := REST
var _work := 0.0
var _busy := 0.0
var _working := false
var _moves := false
var _flash := Color(0, 0, 0, 0)
var _arrived := 1.0
var _left := 0.0
# "crashed", "broken", or "".
var _fault := ""
var _sparks: Node2D
var _base: Sprite
var _glow: Sprite
var _halo: Sprite
# Of a Page Allocator: shows how full its card's KV memory is.
var _tray: Reference
# Of all others.
var _lamps: Reference


func show_machine(machine: Dictionary) -> void:
	row = machine
	var middle: Vector2 = machine.area.position + machine.area.size / 2
	position = Grid.to_world(middle)
	_halo = _add_halo(machine)
	_base = MachineArt.sprite(MachineArt.picture(machine.kind, machine.rot, "base"))
	add_child(_base)
	_glow = MachineArt.sprite(MachineArt.picture(machine.kind, machine.rot, "glow"))
	_glow.material = Additive
	add_child(_glow)
	if machine.kind == "page_allocator":
		_tray = TrayFill.new(_base, _glow, machine.rot)
	else:
		_lamps = Lamps.new(machine.kind, machine.rot)
		_glow.material = _lamps.material
	_show_light()


# Drops onto the floor; `turned`: it stood there, or elsewhere, before.
func arrive(turned: bool) -> void:
	if Motion.reduced():
		return
	_arrived = LANDED if turned else 0.0
	set_process(true)
	_show_arrival()


# Shrinks and is gone.
func leave() -> void:
	_left = 1.0
	set_process(true)


# `moves`: simulated time does, and so may what works.
func show_work(state: String, busy: float, moves: bool) -> void:
	_working = state == "working"
	_busy = busy
	_moves = moves
	set_process(true)
	if _lamps != null:
		_lamps.show_state(state)
	var fault := state if TINTS.has(state) else ""
	if fault == _fault:
		return
	_fault = fault
	_base.modulate = TINTS.get(fault, Color.white)
	if _sparks != null:
		_sparks.queue_free()
		_sparks = null
	if fault != "":
		_sparks = CrashSparks.new(fault == "crashed")
		_sparks.position.y = -MachineArt.height_of(row.kind) * 0.7
		add_child(_sparks)


# Something arrived: it colours the lamps for a moment.
func flash(colour: Color) -> void:
	if _lamps != null and _fault == "" and _flash.a == 0.0:
		_flash = Palette.faded(colour, FLASH)
		set_process(true)


# `share`: of the KV memory of its card that is taken.
func show_fill(share: float) -> void:
	if _tray != null:
		_tray.show_fill(share)


func _process(delta: float) -> void:
	if _arrived < 1.0:
		_arrived = min(1.0, _arrived + delta / ARRIVAL_S)
		_show_arrival()
	if _left > 0.0:
		_show_leaving(delta)
	var target := REST
	if _fault != "":
		target = FAULT_LIGHT
	elif _working:
		target = WORK + 0.13 * _busy
	elif _busy > 0.0:
		target = REST + 0.3 * _busy
	var awake: float = 1.0 if _moves and (_working or row.kind in ALWAYS_ON) else 0.0
	var share: float = min(1.0, delta * FOLLOW)
	_light += (target - _light) * share
	_work += (awake - _work) * share
	_flash.a = max(0.0, _flash.a - delta * FLASH / FLASH_S)
	_show_light()
	var settled: bool = (
		abs(target - _light) < NEAR
		and abs(awake - _work) < NEAR
		and _flash.a == 0.0
	)
	set_process(not settled or _arrived < 1.0 or _left > 0.0)


func _show_light() -> void:
	_glow.modulate.a = _light
	if _lamps != null:
		_lamps.show_work(_work)
		_lamps.show_flash(_flash)
	if _fault == "crashed":
		_halo.modulate = Palette.faded(Palette.BAD, CRASH_HALO)
	else:
		_halo.modulate = Palette.faded(MachineArt.KINDS[row.kind].light, HALO * _light)


func _show_arrival() -> void:
	var fall := min(_arrived / LANDED, 1.0)
	var above := DROP * (1.0 - fall * fall)
	_base.position.y = -above
	_glow.position.y = -above
	var give := sin(max(0.0, _arrived - LANDED) / (1.0 - LANDED) * PI)
	scale = Vector2.ONE + SQUASH * give


func _show_leaving(delta: float) -> void:
	_left -= delta / LEAVING_S
	if _left <= 0.0:
		queue_free()
		return
	scale = Vector2.ONE * (0.6 + 0.4 * _left)
	modulate.a = _left


# Light that falls from the machine on the floor around it.
func _add_halo(machine: Dictionary) -> Sprite:
	var disc := Sprite.new()
	disc.texture = load(HALO_PICTURE)
	disc.material = Additive
	var wide: float = (machine.area.size.x + machine.area.size.y) * Grid.TILE.x
	disc.scale = Vector2(wide, wide / 2) / disc.texture.get_size()
	add_child(disc)
	return disc
