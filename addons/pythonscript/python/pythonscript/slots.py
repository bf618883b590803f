"""The functions of Godot's API tables that the plugin uses, as data.

Each entry is `name: (slot, result, parameters)`, with one letter a type:

    v nothing   b bool   i 32-bit int   l 64-bit int   d double   p pointer   z char *
    O eight opaque bytes by value (String, Array, ...)   V Variant by value
    2 Vector2   R Rect2   3 Vector3   C Color, by value

The tables are the same in every Godot from 3.2.3 to 3.6.
"""

CORE_1_0: dict[str, tuple[int, str, str]] = {
    "pool_byte_array_new": (155, "v", "p"),
    "pool_byte_array_new_copy": (156, "v", "pp"),
    "pool_byte_array_resize": (164, "v", "pi"),
    "pool_byte_array_read": (165, "p", "p"),
    "pool_byte_array_write": (166, "p", "p"),
    "pool_byte_array_size": (169, "i", "p"),
    "pool_byte_array_destroy": (170, "v", "p"),
    "pool_byte_array_read_access_ptr": (268, "p", "p"),
    "pool_byte_array_read_access_destroy": (270, "v", "p"),
    "pool_byte_array_write_access_ptr": (296, "p", "p"),
    "pool_byte_array_write_access_destroy": (298, "v", "p"),
    "array_new": (323, "v", "p"),
    "array_operator_index_const": (335, "p", "pi"),
    "array_append": (336, "v", "pp"),
    "array_size": (356, "i", "p"),
    "array_destroy": (361, "v", "p"),
    "dictionary_new": (362, "v", "p"),
    "dictionary_destroy": (364, "v", "p"),
    "dictionary_set": (375, "v", "ppp"),
    "dictionary_operator_index_const": (377, "p", "pp"),
    "dictionary_next": (378, "p", "pp"),
    "node_path_new": (381, "v", "pp"),
    "node_path_destroy": (383, "v", "p"),
    "node_path_as_string": (384, "O", "p"),
    "variant_get_type": (507, "i", "p"),
    "variant_new_copy": (508, "v", "pp"),
    "variant_new_nil": (509, "v", "p"),
    "variant_new_bool": (510, "v", "pb"),
    "variant_new_int": (512, "v", "pl"),
    "variant_new_real": (513, "v", "pd"),
    "variant_new_string": (514, "v", "pp"),
    "variant_new_vector2": (515, "v", "pp"),
    "variant_new_rect2": (516, "v", "pp"),
    "variant_new_vector3": (517, "v", "pp"),
    "variant_new_color": (524, "v", "pp"),
    "variant_new_node_path": (525, "v", "pp"),
    "variant_new_object": (527, "v", "pp"),
    "variant_new_dictionary": (528, "v", "pp"),
    "variant_new_array": (529, "v", "pp"),
    "variant_new_pool_byte_array": (530, "v", "pp"),
    "variant_as_bool": (537, "b", "p"),
    "variant_as_int": (539, "l", "p"),
    "variant_as_real": (540, "d", "p"),
    "variant_as_string": (541, "O", "p"),
    "variant_as_vector2": (542, "2", "p"),
    "variant_as_rect2": (543, "R", "p"),
    "variant_as_vector3": (544, "3", "p"),
    "variant_as_color": (551, "C", "p"),
    "variant_as_node_path": (552, "O", "p"),
    "variant_as_object": (554, "p", "p"),
    "variant_as_dictionary": (555, "O", "p"),
    "variant_as_array": (556, "O", "p"),
    "variant_as_pool_byte_array": (557, "O", "p"),
    "variant_destroy": (570, "v", "p"),
    "string_new_with_wide_string": (576, "v", "ppi"),
    "string_wide_str": (579, "p", "p"),
    "string_length": (583, "i", "p"),
    "string_destroy": (721, "v", "p"),
    "string_name_new": (722, "v", "pp"),
    "string_name_get_name": (724, "O", "p"),
    "string_name_destroy": (729, "v", "p"),
    "object_destroy": (730, "v", "p"),
    "global_get_singleton": (731, "p", "z"),
    "method_bind_get_method": (732, "p", "zz"),
    "method_bind_call": (734, "V", "pppip"),
    "get_class_constructor": (735, "p", "z"),
    "print_error": (741, "v", "zzzi"),
    "print_warning": (742, "v", "zzzi"),
    "print": (743, "v", "p"),
}

CORE_1_1: dict[str, tuple[int, str, str]] = {
    "is_instance_valid": (29, "b", "p"),
}

CORE_1_2: dict[str, tuple[int, str, str]] = {
    "instance_from_id": (17, "p", "i"),
}

# These can run other scripts or wait for another thread, so Python's lock is released during the call.
RELEASES_LOCK = frozenset({"method_bind_call", "object_destroy", "print_error", "print_warning", "print"})
