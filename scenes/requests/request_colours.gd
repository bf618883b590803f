extends Reference
# The colour of a request, wherever it is shown: twelve in turns, chosen so that any two differ for
# eyes that lack red, green or blue too, those of neighbours most of all.

const COLOURS := [
	Color("a6bcff"),
	Color("1d735d"),
	Color("b973ff"),
	Color("20bf0a"),
	Color("994599"),
	Color("9fff40"),
	Color("e695b3"),
	Color("5840ff"),
	Color("8c9963"),
	Color("40ffff"),
	Color("e6e695"),
	Color("736506"),
]


static func of(id: int) -> Color:
	return COLOURS[id % COLOURS.size()]
