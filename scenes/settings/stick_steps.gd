extends Reference
# A stick tells its way many times; leaning it is one step.

signal stepped(action)

const DEADZONE := 0.5
const AXES := {JOY_AXIS_0: ["ui_left", "ui_right"], JOY_AXIS_1: ["ui_up", "ui_down"]}

var _leaning := {}


# Takes an event; whether it was one of the stick.
func take(event: InputEvent) -> bool:
	if not event is InputEventJoypadMotion or not AXES.has(event.axis):
		return false
	var way := int(sign(event.axis_value)) if abs(event.axis_value) > DEADZONE else 0
	if way != _leaning.get(event.axis, 0):
		_leaning[event.axis] = way
		if way != 0:
			emit_signal("stepped", AXES[event.axis][0 if way < 0 else 1])
	return true
