shader_type canvas_item;
// One cell a block (or `stride` of them), row by row, each in the colour of its owner. What belongs
// to whom is in a texture, so that ten thousand blocks cost no more than one.

// Two bytes a block: luminance the low, alpha the high one. 0: free, else 1 + the owner's index.
uniform sampler2D owners;
// A pixel an owner, 256 in a row; the first is for free blocks.
uniform sampler2D colours : hint_black;
uniform vec2 owners_size;
uniform vec2 colours_size;
uniform vec2 area;
uniform float cell;
uniform float gap;
uniform float columns;
uniform float cells;
uniform float stride;

vec4 look_up(sampler2D image, float index, vec2 size) {
	float row = floor((index + 0.5) / size.x);
	vec2 at = vec2(index - row * size.x + 0.5, row + 0.5);
	return texture(image, at / size);
}

void fragment() {
	vec2 at = UV * area / cell;
	vec2 place = floor(at);
	vec2 inside = (at - place) * cell;
	float index = place.y * columns + place.x;
	COLOR = vec4(0.0);
	if (place.x < columns && index < cells && inside.x < cell - gap && inside.y < cell - gap) {
		vec4 bytes = look_up(owners, index * stride, owners_size);
		float owner = floor(bytes.r * 255.0 + 0.5) + 256.0 * floor(bytes.a * 255.0 + 0.5);
		COLOR = look_up(colours, owner, colours_size);
	}
}
