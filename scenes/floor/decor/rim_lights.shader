shader_type canvas_item;
render_mode blend_add;
// Rows of lights that glow and fade slowly, each in its own time.

uniform float rows = 22.0;
uniform float least = 0.4;
// 0: they do not move.
uniform float sway = 1.0;

varying float own;

void vertex() {
	own = COLOR.r;
	COLOR = vec4(1.0);
}

void fragment() {
	vec4 colour = texture(TEXTURE, UV);
	// Rows follow the slant of the face that they are on.
	float row = floor((UV.y - UV.x * 0.333) * rows);
	float pace = 0.5 + 1.1 * fract(row * 0.713 + own * 3.1);
	float glow = 0.5 + 0.5 * sin(TIME * pace * sway + row * 2.4 + own * 20.0);
	colour.a *= mix(least, 0.95, glow);
	COLOR = colour;
}
