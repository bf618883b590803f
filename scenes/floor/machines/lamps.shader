shader_type canvas_item;
render_mode blend_add;
// The lamps of a machine while it works: they light up one after the other along its way, and its
// spot (an eye, a cap, an antenna) wakes up. What reaches it colours all of them for a moment.

uniform vec2 pivot;
uniform float scale;
uniform float lift;
// The way on the grid, how many lights run along a tile, and how many pass in a second.
uniform vec2 way;
uniform float lights;
uniform float pace;
// How many lights run around the machine's middle.
uniform float turning;
// The spot, in pixels from the pivot; how bright it is at rest.
uniform vec2 spot_at;
uniform vec2 spot_size;
uniform float spot_rest;
// 1: what is red is dark; -1: it shines, and what is green is dim.
uniform float signal;
// 0 at rest to 1 at work.
uniform float work;
uniform vec4 flash : hint_color;

void fragment() {
	vec4 colour = texture(TEXTURE, UV);
	vec2 at = (UV / TEXTURE_PIXEL_SIZE - pivot) * scale;
	vec2 raised = at + vec2(0.0, lift);
	vec2 tile = vec2(raised.x / 128.0 + raised.y / 64.0, raised.y / 64.0 - raised.x / 128.0);
	float round = turning * atan(tile.y, tile.x + 0.0001);
	float wave = 0.5 + 0.5 * cos(6.2832 * (lights * dot(tile, way) - pace * TIME) + round);
	float run = 1.0 + work * step(0.01, lights + turning) * (wave * wave * 1.0 - 0.5);
	float beat = 0.5 + 0.5 * sin(6.2832 * pace * TIME);
	float awake = mix(spot_rest, 1.0 + 0.35 * beat, work);
	float spot = 1.0 - smoothstep(0.85, 1.3, length((at - spot_at) / spot_size));
	colour.a *= mix(run, awake, spot);
	float red = clamp((colour.r - colour.g) * 2.0, 0.0, 1.0);
	float stop = signal < 0.0 ? mix(0.5, 2.2, red) : mix(1.0, 0.12, red);
	colour.a *= mix(1.0, stop, abs(signal));
	float grey = dot(colour.rgb, vec3(0.4, 0.4, 0.4));
	colour.rgb = mix(colour.rgb, flash.rgb * (0.35 + grey), flash.a);
	colour.a *= 1.0 + flash.a;
	COLOR = colour;
}
