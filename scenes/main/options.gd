extends Reference
# What stands on the command line, as `./factory play` and the exported game take it.

const ABOUT := "--about"
const HEADLESS_REPLAY := "--headless-replay"
const LEVEL := "--level"
const OPEN_MODS := "--open-mods"
const PROBE := "--probe"
# Without mods, and with the settings as the game brings them; what is kept stays as it is.
const SAFE_MODE := "--safe-mode"


# Whether a word is there.
static func has(option: String) -> bool:
	return option in OS.get_cmdline_args()


# What follows an option; "" without it.
static func value(option: String) -> String:
	var arguments := OS.get_cmdline_args()
	for index in arguments.size() - 1:
		if arguments[index] == option:
			return arguments[index + 1]
	return ""
