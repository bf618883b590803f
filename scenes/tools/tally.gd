extends Reference
# Machines and belts counted in words, and what differs between two layouts.


# "2 machines, 1 belt".
static func things(machines: int, belts: int) -> String:
	var parts := PoolStringArray()
	if machines > 0 or belts == 0:
		parts.append(_count("COUNT_MACHINE" if machines == 1 else "COUNT_MACHINES", machines))
	if belts > 0:
		parts.append(_count("COUNT_BELT" if belts == 1 else "COUNT_BELTS", belts))
	return parts.join(", ")


# What a layout is, to be compared with a later one: {machines: {place: kind}, belts: {tiles: id}}.
static func of(layout: Reference) -> Dictionary:
	var machines := {}
	for row in layout.machines:
		machines["%s %d %d %d" % [row.kind, row.x, row.y, row.rot]] = row.kind
	var belts := {}
	for row in layout.belts:
		belts[str(row.tiles)] = row.id
	return {"machines": machines, "belts": belts}


# How `after` differs from `before`: "+ Decode Core, − 2 belts". Where nothing moved, a setting did.
static func difference(before: Dictionary, after: Dictionary) -> String:
	var parts := []
	var came := _missing(after.machines, before.machines)
	var gone := _missing(before.machines, after.machines)
	var moved := []
	for kind in came.duplicate():
		if kind in gone:
			came.erase(kind)
			gone.erase(kind)
			moved.append(kind)
	_add(parts, "DIFFERENCE_MOVED", _machines(moved))
	_add(parts, "DIFFERENCE_CAME", _machines(came))
	_add(parts, "DIFFERENCE_GONE", _machines(gone))
	var more: int = _missing(after.belts, before.belts).size()
	var less: int = _missing(before.belts, after.belts).size()
	var anew := int(min(more, less))
	if moved.empty():
		_add(parts, "DIFFERENCE_ANEW", _belts(anew))
	_add(parts, "DIFFERENCE_CAME", _belts(more - anew))
	_add(parts, "DIFFERENCE_GONE", _belts(less - anew))
	if parts.empty():
		return TranslationServer.translate("DIFFERENCE_SETTING")
	return PoolStringArray(parts).join(", ")


# The values of keys in `one` that `other` lacks.
static func _missing(one: Dictionary, other: Dictionary) -> Array:
	var values := []
	for key in one:
		if not other.has(key):
			values.append(one[key])
	return values


static func _machines(kinds: Array) -> String:
	if kinds.empty():
		return ""
	if kinds.size() == 1:
		return TranslationServer.translate("KIND_" + kinds[0].to_upper())
	return _count("COUNT_MACHINES", kinds.size())


static func _belts(count: int) -> String:
	return things(0, count) if count > 0 else ""


static func _add(parts: Array, key: String, what: String) -> void:
	if what != "":
		parts.append(TranslationServer.translate(key).format({"what": what}))


static func _count(key: String, count: int) -> String:
	return TranslationServer.translate(key).format({"count": count})
