extends ScrollContainer
# The levels to play: the campaign's map first, then the player's own and those of each mod beneath
# its name. Scrolls where there are more than fit.

signal level_picked(level)

const CampaignMap := preload("res://scenes/title/campaign_map.gd")
const Fonts := preload("res://scenes/theme/fonts.gd")
const LevelCard := preload("res://scenes/title/level_card.gd")
const LevelWords := preload("res://scenes/theme/level_words.gd")
const Palette := preload("res://scenes/theme/palette.gd")
const Ui := preload("res://scenes/theme/ui.gd")
const HEADING := 32.0
# Between the cards and the scroll bar.
const AIR := 4

var levels := []
# The level to play next: the first of the campaign that has not been won, or its last one.
var due := {}

var _cards := VBoxContainer.new()
var _map: Control
# Level -> its button.
var _buttons := {}


func _init() -> void:
	scroll_horizontal_enabled = false
	follow_focus = true
	size_flags_horizontal = SIZE_EXPAND_FILL
	_cards.size_flags_horizontal = SIZE_EXPAND_FILL
	var beside_bar := MarginContainer.new()
	beside_bar.size_flags_horizontal = SIZE_EXPAND_FILL
	beside_bar.add_constant_override("margin_right", AIR)
	beside_bar.add_child(_cards)
	add_child(beside_bar)


# `rows`: as the engine lists them; `mods`: id -> {title, pictures {level: Texture}}.
func show_levels(rows: Array, mods: Dictionary) -> void:
	levels = rows
	due = _due_of(rows)
	for child in _cards.get_children():
		_cards.remove_child(child)
		child.queue_free()
	_map = CampaignMap.new()
	_map.connect("level_picked", self, "_on_picked")
	_map.show_levels(_campaign(rows), due)
	_cards.add_child(_map)
	_buttons = _map.buttons.duplicate()
	var mod := ""
	var place := 0
	for level in rows:
		var whose: String = LevelWords.mod_of(level)
		if whose == "":
			continue
		place = place + 1 if whose == mod else 1
		if whose != mod:
			mod = whose
			var own := LevelWords.is_own(level)
			var title: String = mods.get(mod, {}).get("title", mod)
			_cards.add_child(_heading(tr("TITLE_OWN_LEVELS") if own else title))
		var card := LevelCard.new()
		var key = LevelWords.key_of(level)
		var pictures: Dictionary = mods.get(mod, {}).get("pictures", {})
		card.show_level(level, false, str(place), pictures.get(key))
		card.connect("pressed", self, "_on_picked", [key])
		_cards.add_child(card)
		_buttons[key] = card


# How high the cards are and the tiles of the map, and how high the list may be; whether all of it
# is in sight.
func fit(card_height: float, tile_height: float, room: float) -> bool:
	for button in _buttons.values():
		button.rect_min_size.y = card_height
	if _map != null:
		_map.fit(tile_height)
	var whole := _cards.get_combined_minimum_size().y
	rect_min_size.y = max(card_height, min(whole, room))
	return whole <= room


# Where the cards are that can be seen whole.
func targets() -> Dictionary:
	var rects := {}
	var seen := get_global_rect().grow(1)
	for key in _buttons:
		var rect: Rect2 = _buttons[key].get_global_rect()
		if seen.encloses(rect):
			rects["title:level_%s" % key] = rect
	return rects


func _on_picked(level) -> void:
	emit_signal("level_picked", level)


func _campaign(rows: Array) -> Array:
	var found := []
	for level in rows:
		if LevelWords.is_campaign(level):
			found.append(level)
	return found


func _heading(text: String) -> Control:
	var label := Ui.label(text, Fonts.medium(13), Palette.TEXT_SOFT)
	label.rect_min_size.y = HEADING
	label.valign = Label.VALIGN_BOTTOM
	label.clip_text = true
	return label


func _due_of(rows: Array) -> Dictionary:
	var last := {}
	for level in rows:
		if LevelWords.is_campaign(level):
			last = level
			if not "goal" in level.stars:
				break
	return last
