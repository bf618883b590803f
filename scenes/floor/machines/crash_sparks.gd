extends CPUParticles2D
# Sparks of a machine that has run out of memory or whose card is broken, for as long as it stands
# still.

const Additive := preload("res://scenes/floor/additive.tres")
const Palette := preload("res://scenes/theme/palette.gd")
const PICTURE := "res://scenes/floor/pads/glow_disc.png"

# How many sparks fly at a time.
const MANY := 22
const FEW := 4


func _init(many: bool) -> void:
	texture = load(PICTURE)
	material = Additive
	amount = MANY if many else FEW
	lifetime = 0.8
	preprocess = 0.8
	randomness = 0.8
	emission_shape = EMISSION_SHAPE_SPHERE
	emission_sphere_radius = 16.0
	direction = Vector2(0, -1)
	spread = 75.0
	gravity = Vector2(0, 240)
	initial_velocity = 130.0
	initial_velocity_random = 0.6
	scale_amount = 0.055
	scale_amount_random = 0.6
	var cooling := Gradient.new()
	cooling.set_color(0, Palette.DRAFT)
	cooling.add_point(0.35, Palette.BAD)
	cooling.set_color(1, Palette.faded(Palette.BAD, 0.0))
	color_ramp = cooling
