extends Node2D
# All machines, from the back of the floor to its front. Ordered once per layout revision.

const Machine := preload("res://scenes/floor/machines/machine.gd")

# A smaller change of a machine's work cannot be seen.
const BUSY_STEP := 0.05
# How long a ripple takes from tile to tile.
const RIPPLE_S := 0.05

var _nodes := {}
# What the machines were told last, in the order of the layout.
var _states := PoolByteArray()
var _busy := PoolRealArray()
var _moves := false


# `fresh`: a floor that was not shown before.
func rebuild(rows: Array, fresh: bool) -> void:
	_states = PoolByteArray()
	var kept := {}
	for row in rows:
		var node: Node2D = _nodes.get(row.id)
		if node != null and _same_place(node.row, row):
			node.row = row
			_nodes.erase(row.id)
		else:
			node = Machine.new()
			add_child(node)
			node.show_machine(row)
			if not fresh:
				node.arrive(_nodes.has(row.id))
		kept[row.id] = node
	for gone in _nodes.values():
		gone.leave()
	_nodes = kept
	var order := _back_to_front(rows)
	for index in order.size():
		move_child(_nodes[order[index].id], index)


# `columns`: the snapshot's machine columns, in the order of the layout's machines; `moves`: time
# does. A machine hears only of changes.
func show_work(layout: Reference, columns: Dictionary, moves: bool) -> void:
	var whole: bool = moves != _moves or _states.size() != columns.state.size()
	_moves = moves
	for index in layout.machines.size():
		var state: int = columns.state[index]
		var busy: float = columns.busy[index]
		if whole or state != _states[index] or abs(busy - _busy[index]) > BUSY_STEP:
			var node: Node2D = _nodes[layout.machines[index].id]
			node.show_work(layout.states[state], busy, moves)
			if not whole:
				_busy[index] = busy
	_states = columns.state
	if whole:
		_busy = columns.busy


# Something arrived at these machines; those of some kinds show it.
func flash(kinds: Array, ids: Array, colour: Color) -> void:
	for id in ids:
		if _nodes.has(id) and _nodes[id].row.kind in kinds:
			_nodes[id].flash(colour)


# A light that runs over the floor, from its far corner to the near one.
func ripple(colour: Color) -> void:
	for node in _nodes.values():
		var wait := get_tree().create_timer((node.row.x + node.row.y) * RIPPLE_S)
		wait.connect("timeout", node, "flash", [colour])


# `used_bytes`: of each of the layout's pads.
func show_fill(layout: Reference, used_bytes: PoolRealArray) -> void:
	for row in layout.machines:
		if row.kind == "page_allocator":
			for index in layout.pads.size():
				var pad: Dictionary = layout.pads[index]
				if pad.id == row.pad and pad.kv_bytes > 0:
					_nodes[row.id].show_fill((used_bytes[index] - pad.fixed_bytes) / pad.kv_bytes)


# Makes these machines faint, while they are dragged.
func fade(ids: Array) -> void:
	for each in _nodes:
		_nodes[each].modulate.a = 0.3 if each in ids else 1.0


func _same_place(old: Dictionary, new: Dictionary) -> bool:
	return old.area == new.area and old.rot == new.rot and old.kind == new.kind


# Footprints do not overlap, so of two machines one lies wholly before the other on x or on y: a
# machine is drawn once all that lie behind it are.
func _back_to_front(rows: Array) -> Array:
	var waiting := rows.duplicate()
	waiting.sort_custom(self, "_further_up")
	var order := []
	while not waiting.empty():
		var next := 0
		for index in waiting.size():
			if _nothing_behind(waiting[index].area, waiting):
				next = index
				break
		order.append(waiting[next])
		waiting.remove(next)
	return order


func _further_up(a: Dictionary, b: Dictionary) -> bool:
	return a.x + a.y < b.x + b.y


func _nothing_behind(area: Rect2, others: Array) -> bool:
	for other in others:
		if other.area != area and _is_behind(other.area, area):
			return false
	return true


func _is_behind(a: Rect2, b: Rect2) -> bool:
	var before_x := a.end.x <= b.position.x
	var before_y := a.end.y <= b.position.y
	var after := b.end.x <= a.position.x or b.end.y <= a.position.y
	return (before_x or before_y) and not after
