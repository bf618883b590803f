extends Reference
# The actions in the order in which people look for them, by where they do something.

const KeyMap := preload("res://scenes/settings/key_map.gd")
const GROUPS := {
	"floor":
	[
		"confirm",
		"cancel",
		"add",
		"cursor_up",
		"cursor_down",
		"cursor_left",
		"cursor_right",
		"rotate",
		"delete",
		"delete_selection",
		"pipette",
		"undo",
		"redo",
		"copy",
		"cut",
		"paste",
		"select_all",
	],
	"tools":
	[
		"tool_select",
		"tool_belt",
		"tool_prefill_core",
		"tool_decode_core",
		"tool_page_allocator",
		"tool_draft_model",
		"tool_validation_gate",
		"tool_model_server",
		"tool_batcher",
		"tool_chunker",
		"tool_prefix_cache",
		"tool_gateway",
		"tool_router",
		"tool_api_port",
		"tool_delete",
		"tool_next",
		"tool_previous",
		"blueprints",
	],
	"time":
	[
		"pause",
		"speed_1",
		"speed_2",
		"speed_4",
		"speed_8",
		"single_step",
		"back",
		"back_far",
		"tab_next",
	],
	"view":
	[
		"pan_up",
		"pan_down",
		"pan_left",
		"pan_right",
		"pan_drag",
		"zoom_in",
		"zoom_out",
		"frame_floor",
		"fullscreen",
	],
	"panels":
	[
		"focus_next",
		"focus_previous",
		"panel_details",
		"panel_graphs",
		"panel_memory",
		"panel_requests",
		"panel_compare",
		"panel_messages",
		"panel_tenants",
		"panel_bill",
		"request_next",
		"request_previous",
		"overlay",
		"saves",
		"keep_level",
		"mods",
		"settings",
		"help_card",
	],
}
const LAST := "panels"


# group -> its actions; what is in no group above stands in the last one, so that none is missing.
static func grouped() -> Dictionary:
	var left := KeyMap.actions()
	var found := {}
	for group in GROUPS:
		found[group] = []
		for action in GROUPS[group]:
			if action in left:
				found[group].append(action)
				left.erase(action)
	found[LAST] += left
	return found


static func name_of(action: String) -> String:
	return TranslationServer.translate("ACTION_" + action.to_upper())
