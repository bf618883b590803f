"""The MessagePack reader of the view: every type, and bytes that are cut off or hostile."""

import math
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest

from engine.level.load import load
from engine.protocol.session import Session
from tests.engine.mutations import flipped

pytestmark = pytest.mark.godot

Read = Callable[[list[bytes]], list[Any]]
REALS = 1
POOL_REAL_ARRAY = 22


class Refused:
    """What the reader says of bytes that it does not read."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


@pytest.fixture(scope="module")
def read(run_script: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Reads messages in Godot; each answer is the value, packed anew there and unpacked here, or Refused."""
    folder: Path = tmp_path_factory.mktemp("messages")

    def run(messages: list[bytes]) -> list[Any]:
        given, answered = folder / "input", folder / "output"
        given.write_text("\n".join(message.hex() for message in messages), "ascii")
        run_script("message_pack_answers.gd", INPUT=str(given), OUTPUT=str(answered))
        lines = answered.read_text("utf-8").splitlines()
        assert len(lines) == len(messages)
        return [_value(line) for line in lines]

    return run


def _value(line: str) -> Any:
    how, _, rest = line.partition(" ")
    if how != "value":
        return Refused(rest)
    return _unpack(bytes.fromhex(rest))


def _unpack(message: bytes) -> Any:
    return msgpack.unpackb(message, strict_map_key=False, ext_hook=lambda kind, data: {"ext": kind, "data": data})


def reals(*values: float) -> bytes:
    """Godot's encoding of a PoolRealArray."""
    return struct.pack(f"<II{len(values)}f", POOL_REAL_ARRAY, len(values), *values)


def sample() -> dict[str, Any]:
    """A message like a snapshot."""
    return {
        "v": 1,
        "t_ps": 12_345_678_901_234,
        "phase": "running",
        "lag": False,
        "machines": {"state": ["idle", "working"], "busy": [0.25, 1.0], "queue": [0, 300], "batch": [-1, -70_000]},
        "hud": {"tps": None, "cost": 12.5, "word": "Größe"},
        "packets": {"kv": [2, msgpack.ExtType(REALS, reals(*range(16)))]},
        "raw": b"\x00\xff",
    }


INTEGERS = [
    value
    for edge in (0, 2**5, 2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**53, 2**63)
    for near in (edge - 1, edge, edge + 1)
    for value in (near, -near)
    if -(2**63) <= value < 2**63
]
TEXTS = ["", "a", "a" * 31, "a" * 32, "b" * 255, "c" * 256, "d" * 65_535, "e" * 65_536, "Größe", "中文", "😀 ok"]
LENGTHS = (0, 1, 15, 16, 255, 256, 65_535, 65_536)


def test_every_type_is_read_and_written(read: Read) -> None:
    values = [
        None,
        True,
        False,
        *INTEGERS,
        *(0.0, 1.5, -2.25, 1e300, math.inf, -math.inf),
        *TEXTS,
        *(bytes([7]) * length for length in LENGTHS),
        *([1] * length for length in LENGTHS),
        *({str(key): key for key in range(length)} for length in (0, 1, 15, 16, 65_536)),
        {7: "int", True: "bool", 2.5: "float", None: "nil"},
        [[], {}, [[1.5, "x", b"y", None]]],
    ]
    assert read([msgpack.packb(value) for value in values]) == values


def test_short_floats_are_read(read: Read) -> None:
    values = [0.5, -1024.0, math.inf]
    assert read([msgpack.packb(value, use_single_float=True) for value in values]) == values


def test_every_width_of_integer_and_length_is_read(read: Read) -> None:
    messages = {
        bytes.fromhex("cc05"): 5,
        bytes.fromhex("cd0005"): 5,
        bytes.fromhex("ce00000005"): 5,
        bytes.fromhex("cf0000000000000005"): 5,
        bytes.fromhex("d0fb"): -5,
        bytes.fromhex("d1fffb"): -5,
        bytes.fromhex("d2fffffffb"): -5,
        bytes.fromhex("d3fffffffffffffffb"): -5,
        bytes.fromhex("d90161"): "a",
        bytes.fromhex("da000161"): "a",
        bytes.fromhex("db0000000161"): "a",
        bytes.fromhex("c40161"): b"a",
        bytes.fromhex("c5000161"): b"a",
        bytes.fromhex("c60000000161"): b"a",
        bytes.fromhex("dc0001c0"): [None],
        bytes.fromhex("dd00000001c0"): [None],
        bytes.fromhex("de000101c0"): {1: None},
        bytes.fromhex("df0000000101c0"): {1: None},
    }
    assert read(list(messages)) == list(messages.values())


def test_packet_rows_become_an_array_of_reals(read: Read) -> None:
    rows = [[], [1.0], [0.5] * 8, [float(value) for value in range(512)]]
    messages = [msgpack.packb(msgpack.ExtType(REALS, reals(*row))) for row in rows]
    assert read(messages) == rows


def test_other_extensions_are_handed_on_as_bytes(read: Read) -> None:
    extensions = [msgpack.ExtType(5, b"x" * length) for length in (0, 1, 2, 3, 4, 8, 16, 17, 256, 65_536)]
    answers = read([msgpack.packb(extension) for extension in extensions])
    assert answers == [{"ext": 5, "data": extension.data} for extension in extensions]


def test_rows_whose_header_does_not_fit_are_refused(read: Read) -> None:
    whole = reals(1.0, 2.0)
    wrong = [
        b"",
        whole[:4],
        struct.pack("<I", 23) + whole[4:],
        whole[:4] + struct.pack("<I", 3) + whole[8:],
        whole[:4] + struct.pack("<I", 2**31) + whole[8:],
        whole + b"\x00",
        whole[:-1],
    ]
    answers = read([msgpack.packb(msgpack.ExtType(REALS, data)) for data in wrong])
    assert all(isinstance(answer, Refused) for answer in answers)


def test_an_integer_beyond_godots_is_refused(read: Read) -> None:
    answers = read([msgpack.packb(2**63), msgpack.packb(2**64 - 1), msgpack.packb([1, 2**63])])
    assert all(isinstance(answer, Refused) for answer in answers)


def test_every_cut_off_message_is_refused(read: Read) -> None:
    whole = msgpack.packb(sample())
    answers = read([whole[:length] for length in range(len(whole))])
    assert all(isinstance(answer, Refused) for answer in answers)


def test_bytes_after_the_end_are_refused(read: Read) -> None:
    whole = msgpack.packb(sample())
    answers = read([whole + b"\xc0", whole + whole, b"\x01\x02"])
    assert all(isinstance(answer, Refused) for answer in answers)


def test_nesting_is_read_to_a_limit_and_refused_beyond(read: Read) -> None:
    within, beyond, bomb, maps = read(
        [b"\x91" * 32 + b"\xc0", b"\x91" * 33 + b"\xc0", b"\x91" * 200_000 + b"\xc0", b"\x81\x01" * 100_000 + b"\xc0"]
    )
    assert isinstance(within, list)
    assert all(isinstance(answer, Refused) for answer in (beyond, bomb, maps))


@pytest.mark.parametrize("head", ["dd", "df", "c6", "db", "c9"])
def test_a_length_beyond_the_message_takes_no_memory(read: Read, head: str) -> None:
    lengths = ("ffffffff", "7fffffff", "80000000", "00100000")
    messages = [bytes.fromhex(head + length) + b"\x01" * 20 for length in lengths]
    messages += [b"\xdd\x00\x00\x00\x14" + message for message in messages]
    assert all(isinstance(answer, Refused) for answer in read(messages))


def test_bytes_that_are_no_message_are_refused(read: Read) -> None:
    messages = [
        b"",
        b"\xc1",
        b"\x91\xc1",
        b"\xa2\xc3\x28",
        b"\xa1\xff",
        b"\xa3a\x00b",
        b"\x81\x90\x01",
        b"\x81\x80\x01",
    ]
    assert all(isinstance(answer, Refused) for answer in read(messages))


def test_changed_messages_are_read_as_python_reads_them_or_refused(read: Read) -> None:
    dice = random.Random(7)
    plain = sample()
    del plain["packets"]  # Python takes some extensions for times; rows have a test of their own
    whole = msgpack.packb(plain)
    messages = []
    for _ in range(1500):
        changed = bytearray(whole)
        for _ in range(dice.randint(1, 3)):
            changed[dice.randrange(len(changed))] = dice.choice((dice.randrange(0x80), 0xC1, 0xDC, 0xDD, 0xFF))
        messages.append(bytes(changed))
    answers = read(messages)
    readable = [(message, answer) for message, answer in zip(messages, answers, strict=True) if type(answer) is dict]
    assert 100 < len(readable) < len(messages) - 100
    for message, answer in readable:
        assert repr(answer) == repr(_unpack(message))


def snapshots() -> list[bytes]:
    """What the engine sends: all of it to begin with, and then the news of a frame."""
    session = Session()
    for message in (
        {"do": "open", "level": "1"},
        {"do": "layout", "layout": load("1").reference},
        {"do": "start"},
    ):
        assert msgpack.unpackb(session.command(msgpack.packb({"v": 1, **message})))["ok"]
    session.step(20.0)
    frames = [dict(msgpack.unpackb(session.step(delta))) for delta in (0.5, 0.1)]
    for frame in frames:  # one kind of packets has all that the others have
        frame["packets"] = {"token": [frame["packets"]["token"][0], msgpack.ExtType(REALS, reals(*range(16)))]}
    return [msgpack.packb(frame) for frame in frames]


def test_a_mutated_snapshot_is_read_or_refused(read: Read) -> None:
    """Bytes flipped, cut, doubled: the reader never ends, hangs or breaks off."""
    whole = snapshots()
    for begin in range(0, 10_000, 2000):
        numbers = range(begin, begin + 2000)
        answers = read([flipped(whole[number % len(whole)], random.Random(number)) for number in numbers])
        refused = sum(isinstance(answer, Refused) for answer in answers)
        assert len(answers) // 4 < refused < len(answers), "some can still be read"
