"""What goes through the pipes of a mod's process: MessagePack behind its length in four bytes. Whoever reads it trusts
nothing of it.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn

import msgpack

from engine.errors import EngineError

MAX_BYTES = 1_000_000
"""Of a message."""
MAX_VALUES = 200_000
"""In a message, containers included."""
MAX_CONTAINERS = 150_000
"""Bytes that may begin a list or a map: a megabyte of empty lists would take longer to make than a frame lasts."""
DEEPEST = 40
_LENGTH = 4
_MOST_AT_ONCE = 65_536
_CONTAINERS = bytes((*range(0x80, 0xA0), *range(0xDC, 0xE0)))
_PLAIN = (type(None), bool, int, float, str)


class Closed(Exception):
    """The other side has closed its end, or never finished what it began."""


def write(pipe: int, message: dict[str, Any]) -> None:
    """Write a message; EngineError `worker.message` for one that is too long, Closed when nobody reads."""
    content: bytes = msgpack.packb(message, use_bin_type=True)
    if len(content) > MAX_BYTES:
        _refuse(f"{len(content)} bytes, more than {MAX_BYTES}")
    data = memoryview(len(content).to_bytes(_LENGTH, "big") + content)
    try:
        while data:
            data = data[os.write(pipe, data) :]
    except OSError as error:
        raise Closed from error


def read(pipe: int, most: int = MAX_BYTES) -> dict[str, Any]:
    """Wait for a message of at most so many bytes; EngineError `worker.message` for what is none, Closed when none can
    come any more.
    """
    length = int.from_bytes(_exactly(pipe, _LENGTH), "big")
    if length > most:
        _refuse(f"{length} bytes, more than {most}")
    return unpack(_exactly(pipe, length))


def unpack(content: bytes) -> dict[str, Any]:
    """A message: a map, and in it None, bool, int, float, str, lists and maps by str; EngineError `worker.message`."""
    if len(content) - len(content.translate(None, _CONTAINERS)) > MAX_CONTAINERS:
        _refuse(f"more than {MAX_CONTAINERS} lists and maps")
    try:
        message = msgpack.unpackb(content, strict_map_key=True, raw=False, max_ext_len=0, max_bin_len=0)
    except Exception as error:  # of many kinds
        raise EngineError("worker.message", detail=f"no MessagePack: {type(error).__name__}") from error
    if type(message) is not dict:
        _refuse("no map")
    _check(message)
    return message


def _check(message: Any) -> None:
    level, depth, values = [message], 0, 0
    while level:
        depth += 1
        if depth > DEEPEST:
            _refuse("nested too deep")
        below: list[Any] = []
        for one in level:
            if type(one) is dict:
                if not all(type(key) is str for key in one):
                    _refuse("a key is no text")
                below.extend(one.values())
            elif type(one) is list:
                below.extend(one)
            elif type(one) not in _PLAIN:
                _refuse(f"a value of kind {type(one).__name__}")
        values += len(level)
        if values > MAX_VALUES:
            _refuse(f"more than {MAX_VALUES} values")
        level = below


def _refuse(detail: str) -> NoReturn:
    raise EngineError("worker.message", detail=detail)


def _exactly(pipe: int, length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        try:
            more = os.read(pipe, min(length - len(data), _MOST_AT_ONCE))
        except OSError as error:
            raise Closed from error
        if not more:
            raise Closed
        data += more
    return bytes(data)
