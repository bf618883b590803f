extends Reference
# A file of the player's that is never lost: what cannot be read is put aside, and what is written
# comes whole or not at all.

var path := ""
# The file that a problem is about: this one, or the one that it was put aside as.
var told_path := ""

var _largest := 0
# False while a file lies there that could be neither read nor put aside: it is not written over.
var _may_write := true


# `largest`: a file of more bytes is none of the game's.
func _init(at: String, largest: int) -> void:
	path = at
	told_path = at
	_largest = largest


func exists() -> bool:
	return File.new().file_exists(path)


# The text of the file, or null.
func read():
	_may_write = true
	told_path = path
	var file := File.new()
	if file.open(path, File.READ) != OK:
		return null
	var text = null
	if file.get_len() <= _largest:
		text = file.get_as_text()
	file.close()
	return text


# Out of the way under another name; false where that cannot be done.
func put_aside() -> bool:
	var aside := path + ".broken"
	var number := 2
	var folder := Directory.new()
	while folder.file_exists(aside):
		aside = "%s.broken%d" % [path, number]
		number += 1
	_may_write = folder.rename(path, aside) == OK
	told_path = aside if _may_write else path
	return _may_write


func may_write() -> bool:
	return _may_write


# Into a file beside it, read again to be sure (a full disk says nothing), then in its place.
func write(text: String) -> bool:
	told_path = path
	if not _may_write:
		return false
	var fresh := path + ".new"
	var file := File.new()
	if file.open(fresh, File.WRITE) != OK:
		return false
	file.store_string(text)
	file.close()
	var whole := file.open(fresh, File.READ) == OK and file.get_as_text() == text
	file.close()
	return whole and Directory.new().rename(fresh, path) == OK
