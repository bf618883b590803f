extends Reference
# What stands on the floor, as the last snapshot with a structure said; looked up by id and by tile.

const Grid := preload("res://scenes/floor/grid.gd")
const MACHINE_COLUMNS := ["id", "kind", "x", "y", "rot", "w", "h", "pad", "fixed"]
const PAD_COLUMNS := [
	"id", "x", "y", "w", "h", "gpu", "vram_bytes", "fixed_bytes", "kv_bytes", "broken"
]
const BELT_COLUMNS := ["id", "from", "from_port", "to", "to_port", "kind", "start", "length"]

var level := {}
var size := Vector2.ZERO
var pads := []
var machines := []
var belts := []
var palette := {}
var states := []
var limits := []
# How many changes can be undone, and how many of those done again.
var undo := 0
var redo := 0
# Which of how many layouts side by side this is.
var tab := 0
var tabs := 1

var _machine_at := {}
var _belt_at := {}
var _index_of := {}


func read(structure: Dictionary) -> void:
	level = structure.level
	size = Vector2(level.width, level.height)
	pads = _rows(structure.pads, PAD_COLUMNS)
	machines = _rows(structure.machines, MACHINE_COLUMNS)
	belts = _rows(structure.belts, BELT_COLUMNS)
	states = structure.states
	limits = structure.limits
	undo = structure.get("undo", 0)
	redo = structure.get("redo", 0)
	tab = structure.get("tab", 0)
	tabs = structure.get("tabs", 1)
	palette = {}
	for index in structure.palette.kind.size():
		palette[structure.palette.kind[index]] = structure.palette.left[index]
	_index_machines()
	_index_belts(structure.tiles_x, structure.tiles_y)


# The machine with this id, or {}.
func machine(id: int) -> Dictionary:
	return machines[_index_of[id]] if _index_of.has(id) else {}


# The belt with this id, or {}.
func belt(id: int) -> Dictionary:
	for each in belts:
		if each.id == id:
			return each
	return {}


func machine_at(tile: Vector2) -> Dictionary:
	return machine(_machine_at.get(tile, -1))


func belt_at(tile: Vector2) -> Dictionary:
	var index: int = _belt_at.get(tile, -1)
	return belts[index] if index >= 0 else {}


# Ids of the pads with a machine in this state; `column`: the snapshot's, an index a machine.
func pads_in_state(state: String, column: PoolByteArray) -> Array:
	var found := []
	var wanted := states.find(state)
	for index in machines.size():
		if column[index] == wanted and not machines[index].pad in found:
			found.append(machines[index].pad)
	return found


# Ids of what the player has built in a rectangle of tiles: machines and belts that it touches.
func within(area: Rect2) -> Array:
	var found := []
	for row in machines:
		if not row.fixed and area.intersects(row.area):
			found.append(row.id)
	for row in belts:
		for tile in row.tiles:
			if area.has_point(tile):
				found.append(row.id)
				break
	return found


# The rectangle from one tile to another, whichever way.
static func area_between(a: Vector2, b: Vector2) -> Rect2:
	var from := Vector2(min(a.x, b.x), min(a.y, b.y))
	return Rect2(from, Vector2(max(a.x, b.x), max(a.y, b.y)) - from + Vector2.ONE)


func holds(tile: Vector2) -> bool:
	return Rect2(Vector2.ZERO, size).has_point(tile)


func _rows(columns: Dictionary, names: Array) -> Array:
	var rows := []
	for index in columns.id.size():
		var row := {}
		for name in names:
			row[name] = columns[name][index]
		if row.has("x"):
			row.area = Rect2(row.x, row.y, row.w, row.h)
		rows.append(row)
	return rows


func _index_machines() -> void:
	_machine_at = {}
	_index_of = {}
	for index in machines.size():
		var row: Dictionary = machines[index]
		_index_of[row.id] = index
		for x in range(row.x, row.x + row.w):
			for y in range(row.y, row.y + row.h):
				_machine_at[Vector2(x, y)] = row.id


# Gives each belt its tiles and, at both ends, the step from and to the machine it meets.
func _index_belts(tiles_x: Array, tiles_y: Array) -> void:
	_belt_at = {}
	for index in belts.size():
		var belt: Dictionary = belts[index]
		var tiles := []
		for at in range(belt.start, belt.start + belt.length):
			var tile := Vector2(tiles_x[at], tiles_y[at])
			tiles.append(tile)
			_belt_at[tile] = index
		belt.tiles = tiles
		belt.first_step = -step_to(tiles[0], belt.from)
		belt.last_step = step_to(tiles[-1], belt.to)


# The step from a tile to the neighbour that this machine stands on, or (0, 0).
func step_to(tile: Vector2, machine_id: int) -> Vector2:
	for step in Grid.SIDES.values():
		if _machine_at.get(tile + step, -1) == machine_id:
			return step
	return Vector2.ZERO
