extends Reference
# A picture that a mod brings: a PNG that the engine has checked, shown as nothing but a picture.

const MOST_BYTES := 1048576
const MOST_SIDE := 4096


# The picture at a path; null without one, and where it is none.
static func of(path) -> Texture:
	if typeof(path) != TYPE_STRING or path == "" or path.get_extension().to_lower() != "png":
		return null
	var file := File.new()
	if file.open(path, File.READ) != OK:
		return null
	var bytes := PoolByteArray()
	if file.get_len() <= MOST_BYTES:
		bytes = file.get_buffer(file.get_len())
	file.close()
	if not _has_size(bytes):
		return null
	var image := Image.new()
	if image.load_png_from_buffer(bytes) != OK:
		return null
	var texture := ImageTexture.new()
	texture.create_from_image(image, Texture.FLAG_FILTER)
	return texture


# Whether its head tells of a size that can be shown: a small file may hold a huge picture.
static func _has_size(bytes: PoolByteArray) -> bool:
	if bytes.size() < 33:
		return false
	var head := StreamPeerBuffer.new()
	head.big_endian = true
	head.data_array = bytes.subarray(16, 23)
	var sides := [head.get_u32(), head.get_u32()]
	return min(sides[0], sides[1]) > 0 and max(sides[0], sides[1]) <= MOST_SIDE
