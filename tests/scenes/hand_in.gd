# Hands input to a game without a window at once; Godot 3.6 would keep it for a window to fetch.

static func send(event: InputEvent) -> void:
	Input.parse_input_event(event)
	if Input.has_method("flush_buffered_events"):
		Input.call("flush_buffered_events")
