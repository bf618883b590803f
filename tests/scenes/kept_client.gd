extends Node
# For tests of what the view does with what the engine keeps: hands over what is kept, and
# remembers what was to be kept.

# What the engine would have read; null: nothing.
var data = null
# The code of a refusal ("": what is written is taken).
var refusal := ""
var written = null


func ask(_request: Dictionary) -> Dictionary:
	return {"ok": true, "data": data, "notes": []}


func command(request: Dictionary) -> Dictionary:
	if refusal != "":
		return {"ok": false, "code": refusal, "params": {"file": "the file", "detail": "full"}}
	written = request.data.duplicate(true)
	return {"ok": true, "merged": false, "data": request.data}
