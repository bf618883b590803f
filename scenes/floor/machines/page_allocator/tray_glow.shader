shader_type canvas_item;
render_mode blend_add;
// Takes the light from the part of the tray that lies beyond `edge`.

uniform vec2 pivot;
uniform float scale;
uniform float lift;
uniform vec2 way;
uniform float edge;

void fragment() {
	vec2 at = (UV / TEXTURE_PIXEL_SIZE - pivot) * scale + vec2(0.0, lift);
	vec2 tile = vec2(at.x / 128.0 + at.y / 64.0, at.y / 64.0 - at.x / 128.0);
	vec4 colour = texture(TEXTURE, UV);
	colour.a *= 1.0 - step(edge, dot(tile, way));
	COLOR = colour;
}
