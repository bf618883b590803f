shader_type canvas_item;
// Takes the colour from the part of the tray that lies beyond `edge`.

uniform vec2 pivot;
uniform float scale;
uniform float lift;
uniform vec2 way;
uniform float edge;

void fragment() {
	vec2 at = (UV / TEXTURE_PIXEL_SIZE - pivot) * scale + vec2(0.0, lift);
	vec2 tile = vec2(at.x / 128.0 + at.y / 64.0, at.y / 64.0 - at.x / 128.0);
	vec4 colour = texture(TEXTURE, UV);
	if (dot(tile, way) > edge) {
		colour.rgb = vec3(dot(colour.rgb, vec3(0.35, 0.4, 0.25))) * vec3(0.92, 0.95, 1.05);
	}
	COLOR = colour;
}
