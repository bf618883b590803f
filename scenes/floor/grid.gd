extends Reference
# Where the grid lies on the screen: x runs down-right, y down-left, a tile is 128x64.

const TILE := Vector2(128, 64)
const X_AXIS := Vector2(64, 32)
const Y_AXIS := Vector2(-64, 32)

# The basis of a packet's row: what the grid's axes turn back into an upright picture.
const PACKET_X := Vector2(1.0 / 128.0, -1.0 / 128.0)
const PACKET_Y := Vector2(1.0 / 64.0, 1.0 / 64.0)

# Sides of a tile and the way they face.
const SIDES := {
	"e": Vector2(1, 0),
	"s": Vector2(0, 1),
	"w": Vector2(-1, 0),
	"n": Vector2(0, -1),
}


static func to_world(point: Vector2) -> Vector2:
	return X_AXIS * point.x + Y_AXIS * point.y


static func from_world(point: Vector2) -> Vector2:
	return Vector2(point.x / TILE.x + point.y / TILE.y, point.y / TILE.y - point.x / TILE.x)


static func tile_at(point: Vector2) -> Vector2:
	return from_world(point).floor()


# The four corners of a rectangle of tiles, moved inwards by `inset` tiles.
static func outline(area: Rect2, inset: float = 0.0) -> PoolVector2Array:
	var box := area.grow(-inset)
	return PoolVector2Array(
		[
			to_world(box.position),
			to_world(box.position + Vector2(box.size.x, 0)),
			to_world(box.end),
			to_world(box.position + Vector2(0, box.size.y)),
		]
	)


# The side of a tile that faces `step`, a vector to its neighbour.
static func side_facing(step: Vector2) -> String:
	for side in SIDES:
		if SIDES[side] == step:
			return side
	return ""
