extends Reference
# What is selected: machines and belts, by id. A belt belongs to it when it was picked itself or
# when both its machines are selected.

signal changed

var _picked := {}
var _layout: Reference


# `layout`: of the floor view.
func _init(layout: Reference) -> void:
	_layout = layout


func empty() -> bool:
	return _picked.empty()


func has(id: int) -> bool:
	return _picked.has(id)


# All that belongs to it, belts by their machines too.
func ids() -> Array:
	return machines() + belts()


func machines() -> Array:
	var found := []
	for row in _layout.machines:
		if _picked.has(row.id):
			found.append(row.id)
	return found


func belts() -> Array:
	var found := []
	for row in _layout.belts:
		if _picked.has(row.id) or (_picked.has(row.from) and _picked.has(row.to)):
			found.append(row.id)
	return found


# What of it the player may move and remove: without what the level placed.
func own() -> Array:
	var found := []
	for id in ids():
		if not _layout.machine(id).get("fixed", false):
			found.append(id)
	return found


# The machines of it that the player may move; their belts go along.
func movable() -> Array:
	var found := []
	for id in own():
		if not _layout.machine(id).empty():
			found.append(id)
	return found


# The one thing that is selected, or -1.
func only() -> int:
	return _picked.keys()[0] if _picked.size() == 1 else -1


func clear() -> void:
	choose([])


# Exactly these.
func choose(ids: Array) -> void:
	var picked := {}
	for id in ids:
		picked[id] = true
	if picked.hash() != _picked.hash():
		_picked = picked
		emit_signal("changed")


func toggle(id: int) -> void:
	var picked := _picked.duplicate()
	if not picked.erase(id):
		picked[id] = true
	choose(picked.keys())


# Everything that the player has built.
func choose_all() -> void:
	choose(_layout.within(Rect2(Vector2.ZERO, _layout.size)))


# The layout is a new one: forgets what is gone.
func prune() -> void:
	var left := []
	for id in _picked:
		if not _layout.machine(id).empty() or not _layout.belt(id).empty():
			left.append(id)
	if left.size() != _picked.size():
		choose(left)
