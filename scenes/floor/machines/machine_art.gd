extends Reference
# The pictures of each machine kind: their footprint, height and pivot, and where the files lie.

const Palette := preload("res://scenes/theme/palette.gd")
const FOLDER := "res://scenes/floor/machines/"
const SCALE := 0.5
const PIVOT := Vector2(320, 448)

# Tiles at rotation 0, height above the floor in pixels at the base scale, whether it
# turns, and the light that it casts.
const KINDS := {
	"prompt_dock": {"size": Vector2(2, 2), "height": 100, "turns": false, "light": Palette.PROMPT},
	"prefill_core": {"size": Vector2(2, 1), "height": 86, "turns": true, "light": Palette.PROMPT},
	"decode_core": {"size": Vector2(1, 1), "height": 66, "turns": true, "light": Palette.TOKEN},
	"page_allocator": {"size": Vector2(2, 1), "height": 44, "turns": true, "light": Palette.KV},
	"draft_model": {"size": Vector2(1, 1), "height": 56, "turns": true, "light": Palette.DRAFT},
	"validation_gate": {"size": Vector2(1, 1), "height": 70, "turns": true, "light": Palette.TOKEN},
	"token_dock": {"size": Vector2(2, 2), "height": 100, "turns": false, "light": Palette.TOKEN},
	"model_server": {"size": Vector2(2, 2), "height": 106, "turns": true, "light": Palette.TOKEN},
	"batcher": {"size": Vector2(1, 1), "height": 60, "turns": true, "light": Palette.TOKEN},
	"chunker": {"size": Vector2(1, 1), "height": 80, "turns": true, "light": Palette.PROMPT},
	"prefix_cache": {"size": Vector2(2, 1), "height": 66, "turns": true, "light": Palette.KV},
	"gateway": {"size": Vector2(2, 1), "height": 78, "turns": true, "light": Palette.PROMPT},
	"router": {"size": Vector2(1, 1), "height": 94, "turns": true, "light": Palette.PROMPT},
	"api_port": {"size": Vector2(2, 2), "height": 160, "turns": true, "light": Palette.TOKEN},
}


static func size_of(kind: String, rot: int) -> Vector2:
	var size: Vector2 = KINDS[kind].size
	return size if rot % 2 == 0 else Vector2(size.y, size.x)


static func height_of(kind: String) -> float:
	return float(KINDS[kind].height)


static func picture(kind: String, rot: int, layer: String) -> Texture:
	var shown := rot if KINDS[kind].turns else 0
	return load("%s%s/%s_%d_%s.png" % [FOLDER, kind, kind, shown, layer]) as Texture


static func sprite(texture: Texture) -> Sprite:
	var node := Sprite.new()
	node.texture = texture
	node.centered = false
	node.offset = -PIVOT
	node.scale = Vector2(SCALE, SCALE)
	return node
