extends Reference
# MessagePack, read and written. Bytes that are cut off, too deep, too long or otherwise wrong give
# `error` a text and the value null: they never hang, crash or ask for more memory than a small
# multiple of their own size.
#
# Extension type 1 is Godot's own encoding of a PoolRealArray. Its type, count and length are
# checked here before the one native call that reads it; bytes2var sees nothing else.

const MAX_DEPTH := 32
const EXT_REALS := 1
const REALS_TYPE := 22
const REALS_HEADER := 8

var error := ""

var _bytes := PoolByteArray()
var _stream := StreamPeerBuffer.new()
var _at := 0
var _size := 0


func _init() -> void:
	_stream.big_endian = true


# The value that `bytes` hold, exactly one. Look at `error` afterwards: "" when all went well.
func decode(bytes: PoolByteArray):
	error = ""
	_bytes = bytes
	_stream.data_array = bytes
	_at = 0
	_size = bytes.size()
	var value = _read(0)
	if error == "" and _at != _size:
		_fail("%d bytes after the end" % (_size - _at))
	_bytes = PoolByteArray()
	_stream.data_array = _bytes
	return value if error == "" else null


# The bytes of `value`: nil, bool, int, float, String, PoolByteArray, Array or Dictionary.
func encode(value) -> PoolByteArray:
	error = ""
	var out := StreamPeerBuffer.new()
	out.big_endian = true
	_write(out, value, 0)
	return out.data_array if error == "" else PoolByteArray()


func _fail(reason: String):
	if error == "":
		error = "MessagePack: %s (at byte %d)" % [reason, _at]
	return null


func _has(count: int) -> bool:
	if count > _size - _at:
		_fail("cut off, %d bytes missing" % (count - (_size - _at)))
		return false
	return true


func _read(depth: int):
	if _at >= _size:
		return _fail("cut off, a value missing")
	var head := _bytes[_at]
	_at += 1
	if head < 0x80:
		return head
	if head >= 0xe0:
		return head - 0x100
	if head < 0x90:
		return _read_map(head & 0x0f, depth)
	if head < 0xa0:
		return _read_array(head & 0x0f, depth)
	if head < 0xc0:
		return _read_string(head & 0x1f)
	if head == 0xc0:
		return null
	if head >= 0xc7 and head < 0xca:
		return _read_extension(_read_length(1 << (head - 0xc7)))
	if head >= 0xc4 and head < 0xc7 or head >= 0xd9:
		return _read_sized(head, depth)
	match head:
		0xc2:
			return false
		0xc3:
			return true
		0xca:
			return _read_real(4)
		0xcb:
			return _read_real(8)
		0xcc, 0xcd, 0xce, 0xcf:
			return _read_unsigned(1 << (head - 0xcc))
		0xd0, 0xd1, 0xd2, 0xd3:
			return _read_signed(1 << (head - 0xd0))
		0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
			return _read_extension(1 << (head - 0xd4))
	return _fail("0x%02x begins no value" % head)


# Values with a length of 1, 2 or 4 bytes in front.
func _read_sized(head: int, depth: int):
	match head:
		0xc4, 0xc5, 0xc6:
			return _read_binary(_read_length(1 << (head - 0xc4)))
		0xd9, 0xda, 0xdb:
			return _read_string(_read_length(1 << (head - 0xd9)))
		0xdc, 0xdd:
			return _read_array(_read_length(2 << (head - 0xdc)), depth)
	return _read_map(_read_length(2 << (head - 0xde)), depth)


# A length, or -1 after an error. What it measures is checked against the bytes left by its reader.
func _read_length(width: int) -> int:
	if not _has(width):
		return -1
	_stream.seek(_at)
	_at += width
	if width == 1:
		return _stream.get_u8()
	return _stream.get_u16() if width == 2 else _stream.get_u32()


func _read_unsigned(width: int):
	if not _has(width):
		return null
	_stream.seek(_at)
	_at += width
	match width:
		1:
			return _stream.get_u8()
		2:
			return _stream.get_u16()
		4:
			return _stream.get_u32()
	var value := _stream.get_64()
	if value < 0:
		return _fail("an integer beyond 64 bits with sign")
	return value


func _read_signed(width: int):
	if not _has(width):
		return null
	_stream.seek(_at)
	_at += width
	match width:
		1:
			return _stream.get_8()
		2:
			return _stream.get_16()
		4:
			return _stream.get_32()
	return _stream.get_64()


func _read_real(width: int):
	if not _has(width):
		return null
	_stream.seek(_at)
	_at += width
	return _stream.get_float() if width == 4 else _stream.get_double()


func _read_binary(length: int):
	if length < 0 or not _has(length):
		return null
	if length == 0:
		return PoolByteArray()
	_at += length
	return _bytes.subarray(_at - length, _at - 1)


func _read_string(length: int):
	if length < 0 or not _has(length):
		return null
	_stream.seek(_at)
	var text := _stream.get_utf8_string(length)
	_at += length
	# Godot reads up to a NUL, and gives "" for bytes that are no UTF-8: compare when in doubt.
	if text.length() != length and text.to_utf8() != _bytes.subarray(_at - length, _at - 1):
		return _fail("a string that is not UTF-8, or holds a NUL")
	return text


func _read_array(count: int, depth: int):
	if count < 0:
		return null
	if depth >= MAX_DEPTH:
		return _fail("nested deeper than %d" % MAX_DEPTH)
	if not _has(count):
		return null
	var values := []
	values.resize(count)
	# Small integers, doubles and words are most of a snapshot: read here, without a call each.
	var bytes := _bytes
	for index in count:
		var left := _size - _at
		var head := bytes[_at] if left > 0 else 0xc1
		if head < 0x80:
			values[index] = head
			_at += 1
		elif head == 0xcb and left >= 9:
			_stream.seek(_at + 1)
			values[index] = _stream.get_double()
			_at += 9
		elif head > 0xa0 and head < 0xc0 and left > head - 0xa0:
			_stream.seek(_at + 1)
			var text := _stream.get_utf8_string(head - 0xa0)
			if text.length() == head - 0xa0:
				values[index] = text
				_at += 1 + head - 0xa0
			else:
				values[index] = _read(depth + 1)
		else:
			values[index] = _read(depth + 1)
		if error != "":
			return null
	return values


func _read_map(count: int, depth: int):
	if count < 0:
		return null
	if depth >= MAX_DEPTH:
		return _fail("nested deeper than %d" % MAX_DEPTH)
	if not _has(2 * count):
		return null
	var values := {}
	var bytes := _bytes
	for _index in count:
		# Keys are short words nearly always: read here, like the values of an array.
		var head := bytes[_at] if _at < _size else 0xc1
		var key
		if head > 0xa0 and head < 0xc0 and _size - _at > head - 0xa0:
			_stream.seek(_at + 1)
			key = _stream.get_utf8_string(head - 0xa0)
		if key != null and key.length() == head - 0xa0:
			_at += 1 + head - 0xa0
		else:
			key = _read(depth + 1)
			if error != "":
				return null
			if not typeof(key) in [TYPE_STRING, TYPE_INT, TYPE_BOOL, TYPE_REAL, TYPE_NIL]:
				return _fail("a map key that is neither a string nor a number")
		head = bytes[_at] if _at < _size else 0xc1
		if head < 0x80:
			values[key] = head
			_at += 1
		elif head == 0xcb and _size - _at >= 9:
			_stream.seek(_at + 1)
			values[key] = _stream.get_double()
			_at += 9
		else:
			values[key] = _read(depth + 1)
			if error != "":
				return null
	return values


# PoolRealArray for type 1; {ext, data} for any other.
func _read_extension(length: int):
	if length < 0 or not _has(length + 1):
		return null
	_stream.seek(_at)
	var type := _stream.get_8()
	_at += 1
	if type != EXT_REALS:
		return {"ext": type, "data": _read_binary(length)}
	if length < REALS_HEADER:
		return _fail("an array of reals without its header")
	_stream.big_endian = false
	var tag := _stream.get_u32()
	var count := _stream.get_u32()
	_stream.big_endian = true
	if tag != REALS_TYPE or REALS_HEADER + 4 * count != length:
		return _fail("an array of reals whose header does not fit it")
	_at += length
	return bytes2var(_bytes.subarray(_at - length, _at - 1))


func _write(out: StreamPeerBuffer, value, depth: int) -> void:
	if depth > MAX_DEPTH:
		_fail("nested deeper than %d" % MAX_DEPTH)
		return
	match typeof(value):
		TYPE_NIL:
			out.put_u8(0xc0)
		TYPE_BOOL:
			out.put_u8(0xc3 if value else 0xc2)
		TYPE_INT:
			_write_int(out, value)
		TYPE_REAL:
			out.put_u8(0xcb)
			out.put_double(value)
		TYPE_STRING:
			var text: PoolByteArray = value.to_utf8()
			_write_head(out, text.size(), [0xa0, 32, 0xd9, 0xda, 0xdb])
			out.put_data(text)
		TYPE_RAW_ARRAY:
			_write_head(out, value.size(), [0, 0, 0xc4, 0xc5, 0xc6])
			out.put_data(value)
		TYPE_ARRAY:
			_write_head(out, value.size(), [0x90, 16, 0, 0xdc, 0xdd])
			for item in value:
				_write(out, item, depth + 1)
		TYPE_DICTIONARY:
			_write_head(out, value.size(), [0x80, 16, 0, 0xde, 0xdf])
			for key in value:
				_write(out, key, depth + 1)
				_write(out, value[key], depth + 1)
		_:
			_fail("a value of Godot type %d cannot be written" % typeof(value))


# `heads`: the short form's first byte and its limit, then the heads for lengths of 1, 2 and 4 bytes
# (0: there is no such form).
func _write_head(out: StreamPeerBuffer, count: int, heads: Array) -> void:
	if count < heads[1]:
		out.put_u8(heads[0] | count)
	elif count < 0x100 and heads[2] != 0:
		out.put_u8(heads[2])
		out.put_u8(count)
	elif count < 0x10000:
		out.put_u8(heads[3])
		out.put_u16(count)
	else:
		out.put_u8(heads[4])
		out.put_u32(count)


func _write_int(out: StreamPeerBuffer, value: int) -> void:
	if value >= -32 and value < 128:
		out.put_8(value)
	elif value >= -0x80 and value < 0x80:
		out.put_u8(0xd0)
		out.put_8(value)
	elif value >= -0x8000 and value < 0x8000:
		out.put_u8(0xd1)
		out.put_16(value)
	elif value >= -0x80000000 and value < 0x80000000:
		out.put_u8(0xd2)
		out.put_32(value)
	else:
		out.put_u8(0xd3)
		out.put_64(value)
