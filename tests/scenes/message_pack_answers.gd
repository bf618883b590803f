extends SceneTree
# For test_message_pack.py: reads each line of INPUT (bytes in hex) and writes a line to OUTPUT: the
# error, or the value packed anew, in hex.

const MessagePack := preload("res://scenes/bridge/message_pack.gd")


func _init() -> void:
	var pack: Reference = MessagePack.new()
	var input := File.new()
	var output := File.new()
	if input.open(OS.get_environment("INPUT"), File.READ) != OK:
		quit(1)
		return
	if output.open(OS.get_environment("OUTPUT"), File.WRITE) != OK:
		quit(1)
		return
	while not input.eof_reached():
		output.store_line(_answer(pack, _bytes(input.get_line())))
	output.close()
	quit()


func _answer(pack: Reference, bytes: PoolByteArray) -> String:
	var value = pack.decode(bytes)
	if pack.error != "":
		return "error " + pack.error
	var again: PoolByteArray = pack.encode(_plain(value))
	return "value " + again.hex_encode() if pack.error == "" else "unwritable " + pack.error


# Packed rows as an array, which the writer knows.
func _plain(value):
	if typeof(value) == TYPE_REAL_ARRAY:
		return Array(value)
	if typeof(value) == TYPE_ARRAY:
		for index in value.size():
			value[index] = _plain(value[index])
	elif typeof(value) == TYPE_DICTIONARY:
		for key in value:
			value[key] = _plain(value[key])
	return value


func _bytes(line: String) -> PoolByteArray:
	var bytes := PoolByteArray()
	bytes.resize(line.length() / 2)
	for index in bytes.size():
		bytes[index] = ("0x" + line.substr(2 * index, 2)).hex_to_int()
	return bytes
