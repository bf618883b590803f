extends Reference
# Every colour of the game, in one place. Colour carries meaning: see the names.

const BACKGROUND := Color("0a0d16")
const PANEL := Color("e0101420")
const PANEL_INSET := Color("1a2134")
const PANEL_HOVER := Color("242d47")
const OUTLINE := Color("344062")
const OUTLINE_SOFT := Color("232b42")
const TEXT := Color("e2e8f4")
const TEXT_SOFT := Color("9ba6c1")
const TEXT_FAINT := Color("8b97b3")

const PROMPT := Color("40de80")
const KV := Color("f054b4")
const TOKEN := Color("48b0fa")
const DRAFT := Color("ffb040")
const REJECT := Color("ff5c5c")
const STAR := Color("ffd86b")
const SELECTION := Color("406edc")

const GOOD := PROMPT
const WARNING := DRAFT
const BAD := REJECT

const PACKETS := {"prompt": PROMPT, "kv": KV, "token": TOKEN, "draft": DRAFT, "reject": REJECT}


static func faded(colour: Color, alpha: float) -> Color:
	return Color(colour.r, colour.g, colour.b, alpha)


# The colour of a machine's state: calm while it works or has nothing to do, amber while it waits.
static func of_state(state: String) -> Color:
	match state:
		"working":
			return GOOD
		"idle":
			return TEXT_SOFT
		"unconnected", "crashed", "broken":
			return BAD
	return WARNING
