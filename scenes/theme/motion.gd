extends Reference
# Whether the player wants little to move: lights that run, shaking, fades between screens.

const NAME := "reduced_motion"


static func reduce(wanted: bool) -> void:
	Engine.set_meta(NAME, wanted)


static func reduced() -> bool:
	return Engine.has_meta(NAME) and Engine.get_meta(NAME)
