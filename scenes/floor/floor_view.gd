extends Node2D
# The factory floor: draws what the snapshots say, back to front. Its transform is the camera's.

const Grid := preload("res://scenes/floor/grid.gd")
const Layout := preload("res://scenes/floor/layout.gd")
const Motion := preload("res://scenes/theme/motion.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Shaking := preload("res://scenes/floor/shaking.gd")
const FLASHES := {"reject": Palette.REJECT, "token": Palette.TOKEN}
const FLASHING := ["validation_gate", "token_dock"]
# A few frames without any simulated time are no pause yet.
const STILL_FRAMES := 8

var layout: Reference = Layout.new()

var _tab := 0
var _t_ps := -1
var _still_frames := STILL_FRAMES
var _shaking := Shaking.new()

onready var ground: Node2D = $Ground
onready var pads: Node2D = $Pads
onready var belts: Node2D = $Belts
onready var marks: Node2D = $Marks
onready var route: Node2D = $Route
onready var packets: Node2D = $Packets
onready var machines: Node2D = $Machines
onready var front_marks: Node2D = $FrontMarks
onready var ghost: Node2D = $Ghost


func _ready() -> void:
	add_child(_shaking)


# Shakes what was to be placed or laid: it was refused.
func shake() -> void:
	if not Motion.reduced():
		_shaking.shake([ghost, route])


# The level is won.
func celebrate() -> void:
	if not Motion.reduced():
		machines.ripple(Palette.GOOD)


# Shows one snapshot; true when it brought a new structure.
func show_snapshot(snapshot: Dictionary) -> bool:
	var rebuilt := snapshot.has("structure")
	if rebuilt:
		var tab: int = snapshot.structure.get("tab", 0)
		var fresh: bool = layout.level.empty() or tab != _tab
		_tab = tab
		layout.read(snapshot.structure)
		ground.rebuild(layout.size, layout.pads)
		pads.rebuild(layout.pads)
		belts.rebuild(layout.belts, fresh)
		machines.rebuild(layout.machines, fresh)
	pads.show_work(snapshot.pads, layout.pads_in_state("crashed", snapshot.machines.state))
	machines.show_work(layout, snapshot.machines, _moves(snapshot.t_ps))
	machines.show_fill(layout, snapshot.pads.used_bytes)
	packets.show_packets(snapshot.packets)
	_show_landed(snapshot.landed)
	return rebuilt


# A gate shows in the colour of what it lets through or throws away; a dock shines as it delivers.
func _show_landed(landed: Dictionary) -> void:
	for kind in FLASHES:
		if landed.has(kind):
			machines.flash(FLASHING, landed[kind], FLASHES[kind])


# Whether simulated time has gone on lately.
func _moves(t_ps: int) -> bool:
	_still_frames = 0 if t_ps != _t_ps else _still_frames + 1
	_t_ps = t_ps
	return _still_frames < STILL_FRAMES and not Motion.reduced()


# Outlines machines and belts.
func show_selection(machine_ids: Array, belt_ids: Array) -> void:
	var areas := []
	for id in machine_ids:
		areas.append(layout.machine(id).area)
	var paths := []
	for id in belt_ids:
		paths.append(layout.belt(id).tiles)
	marks.show_selected(areas, paths)
	front_marks.show_selected(areas)


# Where a point of the grid lies in the window, in the viewport's units.
func to_view(point: Vector2) -> Vector2:
	return transform.xform(Grid.to_world(point))
