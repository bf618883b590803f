"""Files as somebody else, a bad disk or a bad copy might leave them: bytes flipped, cut and doubled; values changed."""

import hashlib
import math
from copy import deepcopy
from random import Random
from typing import Any

from engine.saves import format as outer
from engine.saves.format import Form

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**64 - 1,
    -(2**63),
    1.5,
    -0.0,
    1e308,
    math.nan,
    math.inf,
    "",
    "x",
    "x" * 300,
    "\n\x00",
    "../../etc/passwd",
    "place",
    "start",
    "level",
    b"",
    b"\x78\x9c\x03\x00\x00\x00\x00\x01",
    bytes(64),
    [],
    {},
    [[]],
    {"": None},
    [0, 0],
    [-1] * 5,
]


def flipped(content: bytes, chance: Random, most: int = 4) -> bytes:
    """With one place changed, or up to `most`."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, most)):
        if not changed:
            return bytes(changed)
        place, length = chance.randrange(len(changed)), chance.choice([1, 1, 2, 8, 100])
        match chance.randrange(6):
            case 0:
                changed[place] ^= 1 << chance.randrange(8)
            case 1:
                changed[place] = chance.randrange(256)
            case 2:
                del changed[place : place + length]
            case 3:
                changed[place:place] = chance.randbytes(length)
            case 4:
                changed[place:place] = changed[place : place + length]
            case 5:
                del changed[place:]
    return bytes(changed)


def digested(content: bytes) -> bytes:
    """With the digest made right again."""
    whole = content[: -outer.DIGEST_BYTES]
    return whole + hashlib.sha256(whole).digest()


def altered(data: Any, chance: Random) -> Any:
    """Plain data with one value of it changed, lost, doubled or in another place."""
    changed = deepcopy(data)
    places = [place for place in _places(changed) if place[1] is not None]
    if not places:
        return chance.choice(ODD)
    holder, key = chance.choice(places)
    match chance.randrange(6):
        case 0 | 1:
            holder[key] = deepcopy(chance.choice(ODD))
        case 2:
            value = holder[key]
            is_number = type(value) in (int, float)
            holder[key] = value + chance.choice([-1, 1, 1000, -(10**12)]) if is_number else chance.choice(ODD)
        case 3:
            del holder[key]
        case 4:
            other, place = chance.choice(places)
            holder[key] = deepcopy(other[place])
        case 5:
            if isinstance(holder, list):
                holder.insert(key, deepcopy(holder[key]))
            else:
                holder[chance.choice(["", "x", "do", "v", "id"])] = holder[key]
    return changed


def _places(data: Any) -> list[tuple[Any, Any]]:
    found = []
    todo = [data]
    while todo:
        holder = todo.pop()
        if isinstance(holder, dict | list):
            items = holder.items() if isinstance(holder, dict) else enumerate(holder)
            for key, value in list(items):
                found.append((holder, key))
                todo.append(value)
    return found


def rewritten(form: Form, content: bytes, chance: Random) -> bytes:
    """A save or a recording with header or records altered, and all around them right."""
    parts = outer.read(form, content, "")
    header, records = parts.header, [record for record, _ in outer.records(parts.body, "")]
    for _ in range(chance.randint(1, 3)):
        kind = chance.randrange(8)
        place = chance.randrange(len(records))
        if kind == 0:
            header = altered(header, chance)
        elif kind == 1:
            del records[place]
        elif kind == 2:
            records.insert(chance.randrange(len(records) + 1), records[place])
        elif kind == 3:
            records[place : place + 2] = reversed(records[place : place + 2])
        elif kind == 4:
            records[place] = altered(records[place], chance)
        else:  # what is played is what matters most
            commands = [record for record in records if record[0] == "command" and len(record) == 3]
            record = chance.choice(commands) if commands else records[place]
            record[2:] = [altered(record[2], chance)] if len(record) == 3 else []
        if not records or not isinstance(header, dict):
            break
    try:
        return outer.sealed(outer.write(form, header, records), outer.NOBODY)
    except (ValueError, OverflowError, TypeError):  # what no file can hold
        return content
