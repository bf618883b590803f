"""The outer form of saves and recordings, the same for both:

    magic (8 bytes)  version (u16)  length of the header (u32)  header  body  seal (32)  SHA-256 of all that (32)

The header is MessagePack and can be read alone. The body is a row of MessagePack records, compressed with zlib; it is
read record by record, so that a small file cannot ask for much memory. The seal says whether this player's own game
wrote the file (`engine.saves.trust`); zeros are nobody's.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgpack
from attrs import frozen

from engine.errors import EngineError

MAX_FILE_BYTES = 64_000_000
MAX_HEADER_BYTES = 64_000
MAX_BODY_BYTES = 400_000_000
"""Unpacked, all records together."""
MAX_RECORD_BYTES = 50_000_000
SEAL_BYTES = DIGEST_BYTES = 32
NOBODY = bytes(SEAL_BYTES)
_HEAD = struct.Struct("<8sHI")
_CHUNK = 65_536


@frozen
class Form:
    """A kind of file."""

    magic: bytes
    version: int
    """What this version of the game writes."""
    oldest: int = 1
    """What it still reads, by migrations."""


@frozen
class Parts:
    """What lies in a file that is whole."""

    version: int
    header: dict[str, Any]
    body: bytes
    """Still packed."""
    sealed: bytes
    """All that the seal covers."""
    seal: bytes


def write(form: Form, header: dict[str, Any], records: Iterable[Any]) -> bytes:
    """A file without a seal: `sealed` adds it."""
    packed = msgpack.packb(header, use_bin_type=True)
    if len(packed) > MAX_HEADER_BYTES:
        raise EngineError("save.too_large")
    pieces, packer, stream = [_HEAD.pack(form.magic, form.version, len(packed)), packed], msgpack.Packer(), _deflate()
    for record in records:
        pieces.append(stream.compress(packer.pack(record)))
    pieces.append(stream.flush())
    return b"".join(pieces)


def sealed(content: bytes, seal: bytes) -> bytes:
    """The whole file."""
    whole = content + seal
    if len(whole) + DIGEST_BYTES > MAX_FILE_BYTES:
        raise EngineError("save.too_large")
    return whole + hashlib.sha256(whole).digest()


def read(form: Form, content: bytes, file: str) -> Parts:
    """The parts of a file; EngineError `save.*` when it is not whole, of another kind or of a version that is not
    known. `file` names it in errors.
    """
    if len(content) > MAX_FILE_BYTES:
        raise EngineError("save.too_large")
    if len(content) < _HEAD.size + SEAL_BYTES + DIGEST_BYTES:
        raise EngineError("save.damaged", file=file)
    magic, version, length = _HEAD.unpack_from(content)
    if magic != form.magic:
        raise EngineError("save.damaged", file=file)
    if version > form.version:  # before the digest, whose place a newer version may have changed
        raise EngineError("save.newer", file=file, version=version, known=form.version)
    covered = content[:-DIGEST_BYTES]
    end = _HEAD.size + length
    if hashlib.sha256(covered).digest() != content[-DIGEST_BYTES:] or version < form.oldest:
        raise EngineError("save.damaged", file=file)
    if length > MAX_HEADER_BYTES or end > len(covered) - SEAL_BYTES:
        raise EngineError("save.damaged", file=file)
    header = unpacked(content[_HEAD.size : end], file)
    body, sealed = content[end : -DIGEST_BYTES - SEAL_BYTES], covered[:-SEAL_BYTES]
    return Parts(version, header, body, sealed, covered[-SEAL_BYTES:])


def unpacked(packed: bytes, file: str) -> dict[str, Any]:
    """A map with texts as keys."""
    try:
        data = msgpack.unpackb(packed, strict_map_key=True)
    except Exception as error:  # msgpack raises many kinds
        raise EngineError("save.damaged", file=file) from error
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise EngineError("save.damaged", file=file)
    return data


def records(body: bytes, file: str) -> Iterator[tuple[list[Any], float]]:
    """The records of a body, each a list that begins with its name, and how much of the body has been read."""
    stream, unpacker = zlib.decompressobj(), _unpacker()
    done = size = 0
    rest = b""
    try:
        while not stream.eof:
            if not rest:
                rest = body[done : done + _CHUNK]
                if not rest:
                    raise EngineError("save.damaged", file=file)
                done += len(rest)
            plain = stream.decompress(rest, _CHUNK)
            rest = stream.unconsumed_tail
            size += len(plain)
            if size > MAX_BODY_BYTES:
                raise EngineError("save.damaged", file=file)
            unpacker.feed(plain)
            for record in unpacker:
                if not isinstance(record, list) or not record or not isinstance(record[0], str):
                    raise EngineError("save.damaged", file=file)
                yield record, done / len(body)
    except EngineError:
        raise
    except Exception as error:  # zlib's and msgpack's
        raise EngineError("save.damaged", file=file) from error
    if stream.unused_data or done < len(body) or unpacker.tell() != size:
        raise EngineError("save.damaged", file=file)


def _deflate() -> Any:
    return zlib.compressobj(6)


def _unpacker() -> Any:
    return msgpack.Unpacker(strict_map_key=True, max_buffer_size=MAX_RECORD_BYTES)
