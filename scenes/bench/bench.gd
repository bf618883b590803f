extends Node
# Measures a frame of the bridge: step, the engine's bytes read, packets handed to their
# MultiMeshes. Prints a line of JSON for each level, and quits. The processor's time is what counts
# where other programs run at the same time.

const EngineClient := preload("res://scenes/bridge/engine_client.gd")
const Grid := preload("res://scenes/floor/grid.gd")
const Packets := preload("res://scenes/floor/packets.gd")
const CASES := [["bench", 4.0], [1, 0.5]]
const FRAME_S := 1.0 / 60.0
const WARM_UP_S := 30.0
const FRAMES := 900

var _client: Node
var _packets: Node2D
var _clock := Node.new()


func _ready() -> void:
	_client = EngineClient.new()
	add_child(_client)
	_client.start()
	_clock.set_script(load("res://scripts_py/processor_clock.py"))
	add_child(_clock)
	_packets = Packets.new()
	add_child(_packets)
	var failed := false
	for case in CASES:
		failed = not _measure(case[0], case[1]) or failed
	get_tree().quit(1 if failed else 0)


# Builds a level's own layout, lets traffic fill it, then times `FRAMES` frames. False when it
# can't.
func _measure(level, budget_ms: float) -> bool:
	if not _prepare(level):
		return false
	var snapshot := {}
	while snapshot.get("t_ps", 0) < WARM_UP_S * 1e12:
		snapshot = _client.step(0.1)
		if snapshot.empty():
			return false
	var times := []
	var processor_times := []
	var most_packets := 0
	for _frame in FRAMES:
		var processor_start: float = _clock.now_ms()
		var start := OS.get_ticks_usec()
		snapshot = _client.step(FRAME_S)
		_packets.show_packets(snapshot.packets)
		times.append((OS.get_ticks_usec() - start) / 1000.0)
		processor_times.append(_clock.now_ms() - processor_start)
		most_packets = int(max(most_packets, _count(snapshot.packets)))
	times.sort()
	processor_times.sort()
	var told := {
		"level": level,
		"machines": snapshot.machines.state.size(),
		"packets": most_packets,
		"frames": FRAMES,
		"p50_ms": _rounded(times[FRAMES / 2]),
		"p99_ms": _rounded(times[FRAMES * 99 / 100]),
		"processor_p50_ms": _rounded(processor_times[FRAMES / 2]),
		"processor_p99_ms": _rounded(processor_times[FRAMES * 99 / 100]),
		"budget_p99_ms": budget_ms,
	}
	print(to_json(told))
	return true


func _prepare(level) -> bool:
	var basis := {
		"do": "view",
		"xx": Grid.PACKET_X.x,
		"yx": Grid.PACKET_Y.x,
		"xy": Grid.PACKET_X.y,
		"yy": Grid.PACKET_Y.y,
	}
	if not _done({"do": "open", "level": level, "seed": 1}) or not _done(basis):
		return false
	var reference: Dictionary = _client.ask({"ask": "reference"})
	return _done({"do": "layout", "layout": reference.get("layout")}) and _done({"do": "start"})


func _done(command: Dictionary) -> bool:
	var answer: Dictionary = _client.command(command)
	if not answer.ok:
		push_error("The command %s was refused: %s %s" % [command.do, answer.code, answer.params])
	return answer.ok


func _count(packets: Dictionary) -> int:
	var count := 0
	for kind in packets:
		count += packets[kind][0]
	return count


func _rounded(milliseconds: float) -> float:
	return stepify(milliseconds, 0.001)
