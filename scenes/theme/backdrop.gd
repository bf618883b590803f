extends Control
# The dark behind everything: a little light in the middle, none at the edges.

const Palette := preload("res://scenes/theme/palette.gd")
const RINGS := 48


func _ready() -> void:
	connect("resized", self, "update")


# A fan of triangles: the light of the middle fades to the edge without a picture.
func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, rect_size), Palette.BACKGROUND)
	var middle := rect_size * Vector2(0.45, 0.5)
	var reach := rect_size * 0.75
	var edge: Color = Palette.faded(Palette.BACKGROUND_LIGHT, 0.0)
	for ring in RINGS:
		var from: float = TAU * ring / RINGS
		var to: float = TAU * (ring + 1) / RINGS
		var points := PoolVector2Array(
			[
				middle,
				middle + Vector2(cos(from), sin(from)) * reach,
				middle + Vector2(cos(to), sin(to)) * reach,
			]
		)
		draw_polygon(points, PoolColorArray([Palette.BACKGROUND_LIGHT, edge, edge]))
