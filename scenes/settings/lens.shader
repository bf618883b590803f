shader_type canvas_item;

// Everything that is drawn, seen with other hues or with more contrast. tests/scenes/test_colours.py
// does the same sums.

uniform sampler2D hues;
uniform bool moves_hues;
uniform bool more_contrast;

// With more contrast: what is darker than DARK becomes darker, what is lighter than BRIGHT lighter,
// and colours paler. How light a colour is, is said by WEIGHTS.
const float DARK = 0.45;
const float DARKER = 0.28;
const float BRIGHT = 0.55;
const float BRIGHTER = 0.75;
const float PALER = 0.8;
const vec3 WEIGHTS = vec3(0.3, 0.59, 0.11);

float hue_of(vec3 colour, float most, float range) {
	if (most == colour.r) {
		return fract((colour.g - colour.b) / range / 6.0 + 1.0);
	}
	if (most == colour.g) {
		return ((colour.b - colour.r) / range + 2.0) / 6.0;
	}
	return ((colour.r - colour.g) / range + 4.0) / 6.0;
}

float contrasted(float light) {
	if (light < DARK) {
		return light / DARK * DARKER;
	}
	if (light < BRIGHT) {
		return DARKER + (light - DARK) / (BRIGHT - DARK) * (BRIGHTER - DARKER);
	}
	return BRIGHTER + (light - BRIGHT) / (1.0 - BRIGHT) * (1.0 - BRIGHTER);
}

void fragment() {
	vec3 colour = textureLod(SCREEN_TEXTURE, SCREEN_UV, 0.0).rgb;
	float most = max(colour.r, max(colour.g, colour.b));
	float range = most - min(colour.r, min(colour.g, colour.b));
	if (moves_hues && range > 0.004) {
		vec3 pure = texture(hues, vec2(hue_of(colour, most, range), 0.5)).rgb;
		colour = vec3(most - range) + range * pure;
	}
	if (more_contrast) {
		float light = dot(colour, WEIGHTS);
		colour = mix(vec3(light), colour, PALER) * contrasted(light) / max(light, 0.004);
	}
	COLOR = vec4(min(colour, vec3(1.0)), 1.0);
}
