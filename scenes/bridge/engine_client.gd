extends Node
# The one way from the view to the engine: three calls, MessagePack both ways (docs/protocol.md).
# Holds the host node, whose script is Python; without it `problem` has the code of what is missing.

# What was asked for, and the answer.
signal commanded(request, answer)
signal asked(request, answer)

const MessagePack := preload("res://scenes/bridge/message_pack.gd")
const HOST_SCRIPT := "res://scripts_py/engine_host.py"
const VERSION := 1

var problem := ""

var _host: Node
var _pack: Reference = MessagePack.new()


# Loads Python and the engine, which takes about half a second. Once, inside the tree.
func start() -> void:
	var script = load(HOST_SCRIPT) if ResourceLoader.exists(HOST_SCRIPT) else null
	if script == null:
		problem = "ENGINE_MISSING"
		push_error("The engine's host %s does not load: is the Python plugin built?" % HOST_SCRIPT)
		return
	_host = Node.new()
	_host.name = "EngineHost"
	_host.set_script(script)
	add_child(_host)
	if not _host.has_method("step"):
		problem = "ENGINE_MISSING"
		push_error("The engine's host did not start; its Python traceback is above.")


# The snapshot after `delta` more seconds of simulated time; {} when there is none.
func step(delta: float) -> Dictionary:
	if problem != "":
		return {}
	return _answer(_host.call("step", delta), "step")


# The answer to a command: {ok: true, ...} or {ok: false, code, params}.
func command(request: Dictionary) -> Dictionary:
	var answer := _request("command", request, "do")
	emit_signal("commanded", request, answer)
	return answer


# The answer to a read-only question, as for commands.
func ask(request: Dictionary) -> Dictionary:
	var answer := _request("ask", request, "ask")
	emit_signal("asked", request, answer)
	return answer


func _request(method: String, request: Dictionary, verb: String) -> Dictionary:
	var refusal := {"ok": false, "code": "ENGINE_ERROR", "params": {}}
	if problem != "":
		return refusal
	request["v"] = VERSION
	var bytes: PoolByteArray = _pack.encode(request)
	if _pack.error != "":
		push_error(_pack.error)
		return refusal
	var answer := _answer(_host.call(method, bytes), "%s %s" % [method, request.get(verb, "?")])
	if not answer.has("ok"):
		return refusal
	if not answer.ok and not answer.has("params"):
		answer["params"] = {}
	return answer


func _answer(bytes, what: String) -> Dictionary:
	if typeof(bytes) != TYPE_RAW_ARRAY:
		push_error("The engine gave no answer to %s; its traceback is above." % what)
		return {}
	var value = _pack.decode(bytes)
	if _pack.error != "" or typeof(value) != TYPE_DICTIONARY:
		push_error("The engine's answer to %s cannot be read. %s" % [what, _pack.error])
		return {}
	return value
