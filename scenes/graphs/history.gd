extends Reference
# What the engine has recorded of the run, a value a second (docs/protocol.md, `history`): asks only
# for the seconds that are not here yet.

const PS_PER_S := 1000000000000
const SERIES := ["tps", "ttft", "queue", "acceptance"]

var client: Node
# How many seconds are here, and how often that has changed.
var count := 0
var version := 0
var tps := PoolRealArray()
var ttft := PoolRealArray()
var queue := PoolRealArray()
var acceptance := PoolRealArray()
# By the index of the pad.
var vram := []
var targets := {}


# The picture has jumped: another moment, another layout.
func clear() -> void:
	count = 0
	version += 1
	for name in SERIES:
		set(name, PoolRealArray())
	vram = []


# Takes in the seconds up to a moment; whether there were any.
func follow(now_ps: int) -> bool:
	var seconds := int(now_ps / PS_PER_S)
	if seconds < count:
		clear()
	if seconds == count:
		return false
	var told: Dictionary = client.ask({"ask": "history", "from_s": count + 1})
	if not told.ok or told.count == 0:
		return false
	targets = told.targets
	for name in SERIES:
		var values: PoolRealArray = get(name)
		values.append_array(told[name])
		set(name, values)
	for index in told.vram.id.size():
		if index == vram.size():
			vram.append(PoolRealArray())
		var bytes: PoolRealArray = vram[index]
		bytes.append_array(told.vram.bytes[index])
		vram[index] = bytes
	count += told.count
	version += 1
	return true
