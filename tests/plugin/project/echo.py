"""Gives back what it is given, and says what it saw."""

import ctypes
import sys
from pathlib import Path
from typing import Any

from godot import GDString, Node, PoolByteArray, Reference, exposed


@exposed
class Echo(Node):
    held = None

    def same(self, value: Any) -> Any:
        return value

    def describe(self, value: Any) -> str:
        return f"{type(value).__name__} {value!r}"

    def through_node(self, value: Any) -> Any:
        """Hand a value to the GDScript node above and return its answer."""
        return self.get_node("..").call("same", value)

    def plain_str(self, value: Any) -> bool:
        return type(str(value)) is str and isinstance(value, GDString)

    def sum_of(self, a: int, b: float = 0.5, *rest: int) -> float:
        return a + b + len(rest)

    def byte_range(self, size: int) -> bytes:
        return bytes(i % 256 for i in range(size))

    def raw_read(self, data: Any) -> bool:
        with data.raw_access() as access:
            return ctypes.string_at(access.get_address(), len(data)) == data and isinstance(data, bytes)

    def raw_bytes(self, size: int) -> Any:
        data = bytes(i % 256 for i in range(size))
        array = PoolByteArray()
        array.resize(size)
        assert len(array) == size
        with array.raw_access() as access:
            ctypes.memmove(access.get_address(), data, size)
        assert bytes(array) == data
        return array

    def make(self, what: str) -> Any:
        """Values that only Python can make."""
        return {
            "tuple": (1, "two", b"3"),
            "nested": {"list": [1, [2, {"deep": None}]], 7: b"\x00\xff", "flag": True},
            "bytearray": bytearray(b"abc"),
            "memoryview": memoryview(b"abc"),
            "largest": 2**63 - 1,
            "smallest": -(2**63),
        }[str(what)]

    def make_wrong(self, what: str) -> Any:
        """Values that cannot cross."""
        loop: list[Any] = []
        loop.append(loop)
        return {
            "huge": 2**63,
            "negative_huge": -(2**63) - 1,
            "huge_inside": [1, {"a": 2**64}],
            "object": object(),
            "function": print,
            "set": {1},
            "zero": "a\0b",
            "surrogate": "\ud800",
            "loop": loop,
        }[str(what)]

    def pass_wrong(self) -> Any:
        """A value that cannot cross is an exception here, which a script can catch."""
        try:
            self.get_node("..").call("same", 2**63)
        except OverflowError as error:
            return str(error)

    def numpy_values(self) -> list[Any]:
        import numpy

        return [numpy.int64(-5), numpy.float64(0.25), int(numpy.bool_(True))]

    def keys_after_missing(self, table: dict[str, int]) -> list[Any]:
        return [table.get("missing"), "missing" in table, sorted(table)]

    def make_reference(self) -> Any:
        self.held = Reference.new()
        return self.held

    def hold(self, value: Any) -> None:
        self.held = value

    def value_held(self) -> Any:
        return self.held.get("value")

    def drop(self) -> None:
        self.held = None

    def exit(self) -> None:
        sys.exit(3)

    def fail(self) -> int:
        return self._deeper({})

    def _deeper(self, table: dict[str, int]) -> int:
        return table["no such key"]

    def memory_pages(self) -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])
