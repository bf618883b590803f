extends Node
# Shakes what hangs below its parent: a ghost or a preview that was refused.

const SECONDS := 0.22
const FAR := 7.0
const SWINGS := 3.0

var _shaken := []
var _left := 0.0


func _ready() -> void:
	set_process(false)


func shake(nodes: Array) -> void:
	_shaken = nodes
	_left = SECONDS
	_move()
	set_process(true)


func _process(delta: float) -> void:
	_left = max(0.0, _left - delta)
	_move()
	if _left <= 0.0:
		set_process(false)


func _move() -> void:
	var share := _left / SECONDS
	var way := cos((1.0 - share) * TAU * SWINGS) * FAR * share
	for node in _shaken:
		node.position = Vector2(way, 0.0)
