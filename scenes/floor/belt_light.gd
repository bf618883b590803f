extends Node2D
# A light that runs along a belt once, when it has been laid.

const Additive := preload("res://scenes/floor/additive.tres")
const Grid := preload("res://scenes/floor/grid.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const PICTURE := preload("res://scenes/floor/pads/glow_disc.png")
const SECONDS := 0.4
const SIZE := Vector2(110, 55)
const TAIL := 4
const TAIL_GAP := 0.07

# Of each light: the points of its way, its colour, how far it is (0 to 1 and its tail).
var _runs := []


func _init() -> void:
	material = Additive
	set_process(false)


func run(belt: Dictionary) -> void:
	var way := PoolVector2Array()
	for tile in belt.tiles:
		way.append(Grid.to_world(tile + Vector2(0.5, 0.5)))
	_runs.append({"way": way, "colour": Palette.PACKETS.get(belt.kind, Palette.TOKEN), "at": 0.0})
	set_process(true)
	update()


func _process(delta: float) -> void:
	for run in _runs.duplicate():
		run.at += delta / SECONDS
		if run.at > 1.0 + TAIL * TAIL_GAP:
			_runs.erase(run)
	set_process(not _runs.empty())
	update()


func _draw() -> void:
	for run in _runs:
		for back in TAIL:
			var at: float = run.at - back * TAIL_GAP
			if at >= 0.0 and at <= 1.0:
				var colour := Palette.faded(run.colour, 0.9 - 0.2 * back)
				var middle := _point(run.way, at)
				draw_texture_rect(PICTURE, Rect2(middle - SIZE / 2, SIZE), false, colour)


# The point at a share of a way.
func _point(way: PoolVector2Array, share: float) -> Vector2:
	var along := share * (way.size() - 1)
	var index := int(min(floor(along), way.size() - 2))
	if index < 0:
		return way[0]
	return way[index].linear_interpolate(way[index + 1], along - index)
