# Runs every check of the plugin in one Godot, and prints what came out as lines of JSON.
extends Node

const COUNTER := preload("res://counter.gd")
const SIX_TYPES := {
	"nil": [null],
	"bool": [true, false],
	"int": [0, -1, 9223372036854775807, -9223372036854775807 - 1],
	"float": [0.0, -0.1, 1e300, INF],
	"str": ["", "plain", "Ünïcödé 漢字 🚀\n\ttab", "%s {name} \\"],
}

var _heard := []
var _python_reference: WeakRef

onready var echo := $Echo


func _ready() -> void:
	_tell_values()
	_tell_bytes()
	_tell_containers()
	_tell_wrong_values()
	_tell_exports()
	_tell_signals()
	_tell_autoload()
	_tell_inheritance()
	_tell_faults()
	_tell_faulty()
	_tell_speech()
	_tell_input()
	_tell_threads()
	_tell_references()
	_tell_freed()
	_tell_scripts_that_do_not_load()
	_tell_memory()
	_tell_speed()
	yield(get_tree(), "idle_frame")
	yield(get_tree(), "idle_frame")
	_tell("reference of Python, let go", _python_reference.get_ref() == null)
	$Faulty.free()
	_tell_life()
	_tell("end", true)
	get_tree().quit()


func same(value):
	return value


func _tell(name: String, value) -> void:
	print("RESULT ", to_json([name, value]))


func _is_same(a, b) -> bool:
	return typeof(a) == typeof(b) and var2str(a) == var2str(b)


func _tell_values() -> void:
	for type in SIX_TYPES:
		var returned := []
		var through := []
		for value in SIX_TYPES[type]:
			returned.append(_is_same(echo.same(value), value))
			through.append(_is_same(echo.through_node(value), value))
		_tell("returned " + type, returned)
		_tell("through node " + type, through)
	for value in [null, true, 3, 0.5, "text", PoolByteArray([1, 2])]:
		_tell("seen %d" % typeof(value), echo.describe(value))
	_tell("nan", is_nan(echo.same(NAN)))
	_tell("plain str", echo.plain_str("text"))
	_tell("arguments", [echo.sum_of(1), echo.sum_of(1, 2.0), echo.sum_of(1, 2.0, 3, 4)])


func _tell_bytes() -> void:
	var returned := []
	var through := []
	for size in [0, 1, 256, 4096, 400000]:
		var sent: PoolByteArray = echo.byte_range(size)
		var right: bool = sent.size() == size
		for i in [0, 1, 255, 4095, 399999]:
			right = right and (i >= size or sent[i] == i % 256)
		returned.append(right and _is_same(echo.same(sent), sent))
		through.append(_is_same(echo.through_node(sent), sent))
	_tell("returned bytes", returned)
	_tell("through node bytes", through)
	_tell("raw access", _is_same(echo.raw_bytes(5000), echo.byte_range(5000)))
	var bytes: PoolByteArray = echo.byte_range(5000)
	_tell("raw access to read", [echo.raw_read(bytes), echo.raw_read(PoolByteArray())])


func _tell_containers() -> void:
	var nested := {"list": [1, [2, {"deep": null}]], 7: "seven", "bytes": PoolByteArray([0, 255])}
	_tell("returned nested", _is_same(echo.same(nested), nested))
	_tell("made nested", var2str(echo.make("nested")))
	_tell("made tuple", var2str(echo.make("tuple")))
	for value in [Vector2(1, -2.5), Rect2(1, 2, 3, 4), Vector3(1, 2, 3), Color(0.5, 0.25, 1, 0)]:
		_tell("returned type %d" % typeof(value), _is_same(echo.same(value), value))
	_tell("returned type 15", _is_same(echo.same(NodePath("a/b:c")), NodePath("a/b:c")))
	_tell("returned object", echo.same(self) == self and echo.through_node(self) == self)
	_tell("pool arrays", echo.same([PoolIntArray([1, 2]), PoolStringArray(["a"])]))
	_tell("made buffers", [Array(echo.make("bytearray")), Array(echo.make("memoryview"))])
	_tell("limits", [str(echo.make("largest")), str(echo.make("smallest"))])
	_tell("numpy", echo.numpy_values())
	var table := {"a": 1}
	_tell("missing key", [echo.keys_after_missing(table), table.keys()])


func _tell_wrong_values() -> void:
	var names := ["huge", "negative_huge", "huge_inside", "object", "function", "set", "zero"]
	for name in names + ["surrogate", "loop"]:
		_tell("wrong " + name, typeof(echo.make_wrong(name)))
	_tell("wrong transform", typeof(echo.same(Transform2D())))
	_tell("wrong passed", echo.pass_wrong())


func _tell_exports() -> void:
	_tell("exports set", $Exports.as_ready_saw())
	_tell("exports default", $Defaults.as_ready_saw())
	_tell("exports own lists", [$Exports.add_item(1), $Defaults.add_item(2)])
	$Exports.number = 11
	$Exports.plain = "changed"
	var unknown = $Exports.get("no such")
	_tell("exports read", [$Exports.number, $Exports.doubled, $Exports.plain, unknown])
	$Exports.doubled = 50
	_tell("exports property", $Exports.number)
	var types := {}
	for property in $Exports.get_property_list():
		if property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			types[property.name] = property.type
	_tell("exports types", types)


func _tell_signals() -> void:
	_tell("signals declared", [$Signals.has_signal("finished"), $Signals.has_signal("other_name")])
	var status: int = $Signals.connect("finished", self, "_on_Signals_finished")
	$Signals.emit_finished(3, "three")
	$Signals.emit_shortly()
	_tell("signals heard by GDScript", [status, _heard])
	_tell("signals heard by Python", $Signals.what_was_heard())


func _on_Signals_finished(number: int, text: String) -> void:
	_heard.append([number, text])


func _tell_autoload() -> void:
	Keeper.add(2)
	_tell("autoload", [Keeper.add(3), get_node("/root/Keeper") == Keeper, Keeper.count])


func _tell_inheritance() -> void:
	var square := $Square
	_tell("inheritance", [square is Node2D, square.get_class(), square.kind(), square.moved()])
	_tell("inheritance position", $Square.position == Vector2(3, 4))
	_tell("inheritance checks", $Square.checks())


func _tell_faults() -> void:
	_tell("fault", typeof(echo.fail()))
	_tell("fault arguments", typeof(echo.sum_of()))
	_tell("fault exit", typeof(echo.exit()))
	_tell("has methods", [echo.has_method("fail"), echo.has_method("nothing")])


func _tell_faulty() -> void:
	var faulty := Node.new()
	faulty.name = "Faulty"
	faulty.set_script(load("res://faulty.py"))
	add_child(faulty)
	faulty.trap = 3
	_tell("faulty", ["was not set", typeof(faulty.trap)])


func _tell_speech() -> void:
	var speech := Node.new()
	speech.set_script(load("res://speech.py"))
	add_child(speech)
	_tell("path setting", speech.where())
	speech.queue_free()


func _call_often(argument: int) -> int:
	var sum := 0
	for _i in 3000:
		sum += echo.same(argument)
	return sum


func _tell_input() -> void:
	var listener := Node.new()
	listener.set_script(load("res://listener.py"))
	add_child(listener)
	for i in 100:
		var event := InputEventKey.new()
		event.scancode = KEY_A + i % 26
		event.pressed = true
		get_tree().input_event(event)
	_tell("input", listener.summary())
	listener.queue_free()


func _tell_threads() -> void:
	var thread := Thread.new()
	var status := thread.start(self, "_call_often", 1)
	assert(status == OK)
	var here := _call_often(1)
	_tell("threads", [here, thread.wait_to_finish()])


# Passing is done in functions of their own: GDScript keeps temporaries until a function ends.
func _pass_and_discard(counter: Reference) -> int:
	for _i in 1000:
		echo.same(counter)
		echo.hold(counter)
		echo.through_node(counter)
	return counter.value


func _pass_around(object: Reference) -> int:
	for _i in 1000:
		object = echo.same(object)
		object = echo.through_node(object)
	return object.value


func _tell_references() -> void:
	var counter = COUNTER.new()
	var watcher = weakref(counter)
	var value := _pass_and_discard(counter)
	counter = null
	_tell("reference held", [value, echo.value_held()])
	echo.drop()
	_tell("reference let go", watcher.get_ref() == null)
	counter = COUNTER.new()
	watcher = weakref(counter)
	_tell("reference passed around", _pass_around(counter))
	counter = null
	_tell("reference passed around, let go", watcher.get_ref() == null)
	counter = load("res://counter.py").new()
	watcher = weakref(counter)
	_tell("reference of Python", _pass_around(counter))
	counter = null
	_python_reference = watcher
	watcher = weakref(echo.make_reference())
	var alive: bool = watcher.get_ref() != null
	echo.drop()
	_tell("reference made in Python", [alive, watcher.get_ref() == null])


func _tell_freed() -> void:
	var node := Node.new()
	echo.hold(node)
	node.free()
	_tell("freed", typeof(echo.value_held()))


func _tell_scripts_that_do_not_load() -> void:
	for name in ["syntax", "import", "unexposed", "base", "exit"]:
		var node := Node.new()
		var script = load("res://broken_%s.py" % name)
		node.set_script(script)
		_tell("broken " + name, [node.has_method("anything"), node.get_class()])
		node.free()


func _memory_of(function: String, argument) -> Array:
	for _i in 2000:
		echo.call(function, argument)
	var pages: int = echo.memory_pages()
	var static_memory := OS.get_static_memory_usage()
	for _i in 20000:
		echo.call(function, argument)
	return [echo.memory_pages() - pages, OS.get_static_memory_usage() - static_memory]


func _tell_memory() -> void:
	_tell("memory counted", OS.get_static_memory_usage())
	_tell("memory float", _memory_of("same", 0.5))
	_tell("memory str", _memory_of("same", "some text that is long enough to be seen"))
	_tell("memory bytes", _memory_of("same", echo.byte_range(4096)))
	_tell("memory raw", _memory_of("raw_bytes", 64))
	_tell("memory nested", _memory_of("same", [1, {"a": [0.5]}]))
	_tell("memory object", _memory_of("same", self))
	_tell("memory reference", _memory_of("same", Reference.new()))
	_tell("memory through node", _memory_of("through_node", "text"))


func _time_of(function: String, argument, count: int) -> float:
	var start := OS.get_ticks_usec()
	for _i in count:
		echo.call(function, argument)
	return (OS.get_ticks_usec() - start) / float(count)


func _tell_speed() -> void:
	var small: PoolByteArray = echo.byte_range(4096)
	var large: PoolByteArray = echo.byte_range(400000)
	_tell("speed of bytes", [_time_of("same", small, 2000), _time_of("same", large, 200)])


func _tell_life() -> void:
	get_tree().paused = true
	get_tree().paused = false
	$Life.free()
	_tell("life", load("res://life_log.py").new().log())
