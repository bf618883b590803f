extends Reference
# Palettes for eyes that lack red, green or blue: what each colour with a meaning becomes. A palette
# moves hues, and with them everything that has one: panels, packets, light, pictures. Greys stay.
# Chosen so that the five kinds of packets differ as much as they can for such eyes
# (tests/scenes/test_colours.py measures it) and keep their names as far as that goes.

const Palette := preload("res://scenes/theme/palette.gd")
const PALETTES := {
	"protan":
	{"prompt": "6bdeae", "kv": "f055d9", "token": "75c3fa", "draft": "ffdc40", "reject": "ff5e5d"},
	"deutan":
	{"prompt": "80deb1", "kv": "d974a9", "token": "69c0fa", "draft": "fdfc40", "reject": "fe625c"},
	"tritan":
	{"prompt": "40de80", "kv": "c770f0", "token": "7894d6", "draft": "ffc24f", "reject": "ff5e5e"},
}
# Steps of the circle of hues.
const STEPS := 256


# Where each hue goes, around the circle: pure colours, for scenes/settings/lens.shader.
static func circle(palette: String) -> ImageTexture:
	var stops := _stops(palette)
	var image := Image.new()
	image.create(STEPS, 1, false, Image.FORMAT_RGB8)
	image.lock()
	for step in STEPS:
		image.set_pixel(step, 0, _at(stops, (step + 0.5) / STEPS))
	image.unlock()
	var texture := ImageTexture.new()
	texture.create_from_image(image, Texture.FLAG_FILTER | Texture.FLAG_REPEAT)
	return texture


# [hue, pure colour] of each colour with a meaning, by hue.
static func _stops(palette: String) -> Array:
	var stops := [_stop(Palette.SELECTION, Palette.SELECTION)]
	for kind in PALETTES[palette]:
		stops.append(_stop(Palette.PACKETS[kind], Color(PALETTES[palette][kind])))
	stops.sort_custom(load("res://scenes/theme/hues.gd"), "_is_before")
	return stops


static func _is_before(a: Array, b: Array) -> bool:
	return a[0] < b[0]


# A colour is its brightness times a mixture of white and the pure colour of its hue. The pure
# colour that turns `from` into `to`:
static func _stop(from: Color, to: Color) -> Array:
	var grey := 1.0 - from.s
	var pure := Color.black
	for part in 3:
		pure[part] = clamp((to[part] / from.v - grey) / from.s, 0.0, 1.0)
	return [from.h, pure]


static func _at(stops: Array, hue: float) -> Color:
	var before: Array = stops.back()
	var span_start: float = before[0] - 1.0
	for stop in stops:
		if hue <= stop[0]:
			return before[1].linear_interpolate(
				stop[1], (hue - span_start) / (stop[0] - span_start)
			)
		before = stop
		span_start = stop[0]
	var first: Array = stops[0]
	return before[1].linear_interpolate(
		first[1], (hue - span_start) / (first[0] + 1.0 - span_start)
	)
