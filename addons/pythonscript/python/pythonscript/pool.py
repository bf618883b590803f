"""PoolByteArray: how bytes cross, by copies of whole blocks of memory."""

import ctypes

from . import api
from .layout import Opaque


class GDBytes(bytes):
    """A PoolByteArray that came from Godot. It is a `bytes`; it also has the `raw_access` of upstream's plugin."""

    def raw_access(self) -> "ReadAccess":
        """Use as `with data.raw_access() as access: ctypes.string_at(access.get_address(), len(data))`."""
        return ReadAccess(self)


class ReadAccess:
    """The memory of a GDBytes, to be read only."""

    def __init__(self, data: GDBytes) -> None:
        self._data = data

    def __enter__(self) -> "ReadAccess":
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def get_address(self) -> int:
        """The address of the first byte."""
        return ctypes.cast(ctypes.c_char_p(self._data), ctypes.c_void_p).value or 0


def read_bytes(variant: int) -> GDBytes:
    """The bytes of the Variant at an address, which holds a PoolByteArray."""
    array = api.variant_as_pool_byte_array(variant)  # shares Godot's memory
    reference = ctypes.byref(array)
    size = api.pool_byte_array_size(reference)
    data = b""
    if size:
        access = api.pool_byte_array_read(reference)
        data = ctypes.string_at(api.pool_byte_array_read_access_ptr(access), size)
        api.pool_byte_array_read_access_destroy(access)
    api.pool_byte_array_destroy(reference)
    return GDBytes(data)


def write_bytes(data: bytes, variant: int) -> None:
    """Make the Variant at an uninitialised address a PoolByteArray with these bytes."""
    array = Opaque()
    reference = ctypes.byref(array)
    api.pool_byte_array_new(reference)
    size = len(data)
    if size:
        api.pool_byte_array_resize(reference, size)
        access = api.pool_byte_array_write(reference)
        ctypes.memmove(api.pool_byte_array_write_access_ptr(access), data, size)
        api.pool_byte_array_write_access_destroy(access)
    api.variant_new_pool_byte_array(variant, reference)
    api.pool_byte_array_destroy(reference)


class WriteAccess:
    """The memory of a PoolByteArray, for as long as the `with` block lasts."""

    def __init__(self, array: "PoolByteArray") -> None:
        self._array = array
        self._access = 0

    def __enter__(self) -> "WriteAccess":
        self._access = api.pool_byte_array_write(self._array.reference)
        return self

    def __exit__(self, *_exception: object) -> None:
        api.pool_byte_array_write_access_destroy(self._access)
        self._access = 0

    def get_address(self) -> int:
        """The address of the first byte. Raises ValueError outside the `with` block."""
        if not self._access:
            raise ValueError("raw_access is over: take the address inside the with block")
        return int(api.pool_byte_array_write_access_ptr(self._access) or 0)


class PoolByteArray:
    """Bytes in Godot's memory, to be filled in place and returned. What arrives from Godot arrives as `GDBytes`."""

    __slots__ = ("_array", "reference")

    def __init__(self, data: bytes = b"") -> None:
        self._array = Opaque()
        self.reference = ctypes.byref(self._array)
        api.pool_byte_array_new(self.reference)
        if data:
            self.resize(len(data))
            with self.raw_access() as access:
                ctypes.memmove(access.get_address(), data, len(data))

    def resize(self, size: int) -> None:
        """Set the number of bytes; new ones have no defined value."""
        if size < 0 or size >= 2**31:
            raise ValueError(f"a PoolByteArray cannot have {size} bytes")
        api.pool_byte_array_resize(self.reference, size)

    def raw_access(self) -> WriteAccess:
        """Use as `with array.raw_access() as access: ctypes.memmove(access.get_address(), ...)`."""
        return WriteAccess(self)

    def __len__(self) -> int:
        return int(api.pool_byte_array_size(self.reference))

    def __bytes__(self) -> bytes:
        with self.raw_access() as access:
            return ctypes.string_at(access.get_address(), len(self))

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, (PoolByteArray, bytes)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __del__(self) -> None:
        api.pool_byte_array_destroy(self.reference)


def write_pool_byte_array(array: PoolByteArray, variant: int) -> None:
    """Make the Variant at an uninitialised address share this array's memory."""
    api.variant_new_pool_byte_array(variant, array.reference)
