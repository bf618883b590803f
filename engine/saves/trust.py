"""Whether this player's own game wrote a file: only then are the states in it taken as they are.

A state (a checkpoint) goes into the simulation unchecked: to check it would be as much as to simulate it. So a file
that comes from elsewhere is simulated anew from its commands, which are checked one by one.
"""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path

KEY_NAME = "key"
_KEY_BYTES = 32


def key_in(folder: Path) -> bytes:
    """The player's own key, made once: random, of no use but this. Where it cannot be kept, one for this session."""
    path = folder / KEY_NAME
    found = _read(path)
    if found is not None:
        return found
    key = secrets.token_bytes(_KEY_BYTES)
    fresh = folder / f"{KEY_NAME}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
    with suppress(OSError):
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(key)
            if path.exists() and _read(path) is None:  # it is there, and no key: not that of a game that was faster
                fresh.replace(path)
            else:
                path.hardlink_to(fresh)  # unlike a renaming, never over another key
        finally:
            fresh.unlink(missing_ok=True)
    return _read(path) or key


def seal(key: bytes, content: bytes) -> bytes:
    """Says that whoever has `key` wrote `content`."""
    return hmac.digest(key, content, "sha256")


def is_own(key: bytes, content: bytes, found: bytes) -> bool:
    """Whether `found` is the seal of `content`."""
    return hmac.compare_digest(seal(key, content), found)


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            key = file.read(_KEY_BYTES + 1)
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None
