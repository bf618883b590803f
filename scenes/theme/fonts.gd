extends Reference
# Inter in the weights and sizes that the game uses, and JetBrains Mono for what is typed.

const FOLDER := "res://scenes/theme/fonts/"
const REGULAR := "Inter-Regular.otf"
const MEDIUM := "Inter-Medium.otf"
const SEMI_BOLD := "Inter-SemiBold.otf"
const MONO := "JetBrainsMono-Regular.ttf"


static func body(size: int = 14) -> DynamicFont:
	return make(REGULAR, size)


static func medium(size: int = 14) -> DynamicFont:
	return make(MEDIUM, size)


static func strong(size: int = 14) -> DynamicFont:
	return make(SEMI_BOLD, size)


static func mono(size: int = 12) -> DynamicFont:
	return make(MONO, size)


static func make(file: String, size: int) -> DynamicFont:
	var font := DynamicFont.new()
	font.font_data = load(FOLDER + file)
	font.size = size
	font.use_filter = true
	return font
