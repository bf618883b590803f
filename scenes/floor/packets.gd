extends Node2D
# The packets on the belts: one MultiMesh per kind, filled straight from the snapshot's rows.

const Grid := preload("res://scenes/floor/grid.gd")
# Sizes in pixels at the base scale: tokens are many and small.
const SIZES := {"prompt": 26.0, "kv": 30.0, "token": 13.0, "draft": 17.0, "reject": 16.0}
const LIFT := 6.0
const ROW := 8
const EVERYWHERE := Rect2(-1000, -1000, 3000, 3000)

var _meshes := {}


func _ready() -> void:
	# Whole, because setting a position on its own would lose the slant.
	transform = Transform2D(Grid.X_AXIS, Grid.Y_AXIS, Vector2(0, -LIFT))
	for kind in SIZES:
		_meshes[kind] = _add(kind)


# `packets`: kind -> [count, rows]; rows are padded to a capacity, `count` of them are seen.
func show_packets(packets: Dictionary) -> void:
	for kind in packets:
		var multimesh: MultiMesh = _meshes[kind]
		var count: int = packets[kind][0]
		var rows: PoolRealArray = packets[kind][1]
		var capacity := rows.size() / ROW
		if count > 0 and capacity != multimesh.instance_count:
			multimesh.instance_count = capacity
		if count > 0:
			multimesh.set_as_bulk_array(rows)
		multimesh.visible_instance_count = count


func _add(kind: String) -> MultiMesh:
	var quad := QuadMesh.new()
	quad.size = Vector2(SIZES[kind], -SIZES[kind])
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_2D
	multimesh.mesh = quad
	var node := MultiMeshInstance2D.new()
	node.name = kind
	node.multimesh = multimesh
	node.texture = load("res://scenes/floor/packets/%s.png" % kind)
	add_child(node)
	# Godot works out once where the node lies, from the first rows, and would leave it out when
	# that place is not in sight. Packets are anywhere.
	VisualServer.canvas_item_set_custom_rect(node.get_canvas_item(), true, EVERYWHERE)
	return multimesh
