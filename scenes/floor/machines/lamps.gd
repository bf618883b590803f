extends Reference
# The lamps of one machine: what they do while it works, and when something reaches it. The movement
# itself is the shader's, so that a machine costs nothing between two changes.

const Grid := preload("res://scenes/floor/grid.gd")
const MachineArt := preload("res://scenes/floor/machines/machine_art.gd")
const LampsShader := preload("res://scenes/floor/machines/lamps.shader")
# The machine's way at each rotation, as steps on the grid.
const WAYS := [Vector2(1, 0), Vector2(0, 1), Vector2(-1, 0), Vector2(0, -1)]
const STILL := {"lights": 0.0, "pace": 0.6, "spot": Rect2(0, 0, 1, 1), "rest": 1.0}
# How far above the floor the lights run, in pixels.
const LIFT := 36.0
# Of each kind: lights a tile and their pace; the spot in pixels from the pivot (art/models) and how
# bright it is at rest; where the spot's foot is not the pivot, `foot` in tiles from there;
# `turning`: lights that run around the middle instead. Ribs light up one after the other in a
# Prefill Core, a Decode Core opens its eye, a Draft Model's cap glows, docks use their antennas. A
# Model Server does as both cores do, a Chunker's slices move on, a Batcher and a Router turn, a
# Gateway has signals, an API Port uses its dish.
const KINDS := {
	"prefill_core": {"lights": 0.9, "pace": 1.1, "spot": Rect2(0, 0, 1, 1), "rest": 1.0},
	"decode_core": {"lights": 0.0, "pace": 0.7, "spot": Rect2(0, -55, 22, 14), "rest": 0.3},
	"draft_model": {"lights": 0.0, "pace": 0.9, "spot": Rect2(0, -36, 19, 15), "rest": 0.3},
	"validation_gate": {"lights": 0.7, "pace": 1.1, "spot": Rect2(0, 0, 1, 1), "rest": 1.0},
	"prompt_dock": {"lights": 0.6, "pace": 0.5, "spot": Rect2(-3, -124, 12, 13), "rest": 0.4},
	"token_dock": {"lights": 0.0, "pace": 0.5, "spot": Rect2(74, -93, 30, 26), "rest": 0.4},
	"model_server":
	{
		"lights": 0.9,
		"pace": 1.1,
		"spot": Rect2(0, -90, 25, 18),
		"rest": 0.3,
		"foot": Vector2(0.4, 0),
	},
	"batcher": {"lights": 0.0, "pace": 0.8, "spot": Rect2(0, 0, 1, 1), "rest": 1.0, "turning": 2.0},
	"chunker": {"lights": 1.8, "pace": 1.4, "spot": Rect2(0, 0, 1, 1), "rest": 1.0},
	"prefix_cache": {"lights": 0.7, "pace": 0.6, "spot": Rect2(0, 0, 1, 1), "rest": 1.0},
	"gateway":
	{"lights": 0.8, "pace": 0.9, "spot": Rect2(0, 0, 1, 1), "rest": 1.0, "signals": true},
	"router": {"lights": 0.0, "pace": 0.8, "spot": Rect2(0, 0, 1, 1), "rest": 1.0, "turning": 2.0},
	"api_port":
	{
		"lights": 0.7,
		"pace": 0.6,
		"spot": Rect2(0, -132, 40, 34),
		"rest": 0.4,
		"foot": Vector2(-0.12, -0.02),
	},
}

# What a Gateway's signals say: 1 go on, -1 wait.
const SIGNALS := {"working": 1.0, "blocked": -1.0}

var material := ShaderMaterial.new()

var _has_signals := false


func _init(kind: String, rot: int) -> void:
	var lamps: Dictionary = KINDS.get(kind, STILL)
	material.shader = LampsShader
	_has_signals = lamps.get("signals", false)
	var foot := Grid.to_world(lamps.get("foot", Vector2.ZERO).rotated(rot * PI / 2))
	var values := {
		"pivot": MachineArt.PIVOT,
		"scale": MachineArt.SCALE,
		"lift": LIFT,
		"way": WAYS[rot],
		"lights": lamps.lights,
		"pace": lamps.pace,
		"turning": lamps.get("turning", 0.0),
		"spot_at": foot + lamps.spot.position,
		"spot_size": lamps.spot.size,
		"spot_rest": lamps.rest,
		"work": 0.0,
		"flash": Color(0, 0, 0, 0),
	}
	for name in values:
		material.set_shader_param(name, values[name])


# `share`: 0 at rest to 1 at work.
func show_work(share: float) -> void:
	material.set_shader_param("work", share)


# Green or red, where there are signals.
func show_state(state: String) -> void:
	if _has_signals:
		material.set_shader_param("signal", SIGNALS.get(state, 0.0))


# All lamps in one colour, as far as its alpha says.
func show_flash(colour: Color) -> void:
	material.set_shader_param("flash", colour)
