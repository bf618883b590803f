"""Files from anywhere: each is refused with a reason, or gives a game that can be played. Nothing else ever happens."""

import base64
import json
import signal
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import attrs
import msgpack
import pytest
from factories import LEVEL_1, LEVELS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import altered, digested, flipped, rewritten
from saving import Saver

from engine.errors import EngineError
from engine.level.load import load
from engine.protocol.codes import CODES
from engine.saves import format as outer
from engine.saves import trust
from engine.saves.migrations import RUN, SAVE
from engine.saves.recording import PREFIX
from engine.serving.trace import read_trace
from engine.units import seconds

FEW, MANY = 150, 10_000
COUNTS = [FEW, pytest.param(MANY, marks=pytest.mark.long)]
LONGEST_S = 30
"""Nothing that is read may take longer; most takes milliseconds."""

cached_load = cache(load)


@contextmanager
def no_hang(what: object) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError(f"{what} takes too long")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Files of the game itself: two saves, one of them of a level that lies in it, and a recording."""
    folder = tmp_path_factory.mktemp("samples")
    mine = attrs.evolve(LEVEL_1, id="mine", texts={"en": {"level.mine.title": "Mine", "level.mine.goal": "Go"}})
    player = Saver(folder, lambda which: mine if which == "that" else load(which))
    player.play("2", 4)
    machines = sorted(player.game.floor.machines)
    player.give(do="set", id=machines[-1], name="max_num_seqs", value=2)
    player.look(1.0)
    player.give(do="rewind", t_ps=seconds(2.5))
    player.look()
    player.give(do="remove", ids=[machines[-1]])
    player.give(do="undo")
    player.look(1.0)
    player.give(do="tab_open")
    player.give(do="start")
    player.look(0.5)
    player.save(1)
    told = player.give(do="recording_export")
    player.play("that", 3)
    player.save(2)
    return {
        "save": (folder / "saves" / "slot-1.save").read_bytes(),
        "level": (folder / "saves" / "slot-2.save").read_bytes(),
        "recording": Path(told["path"]).read_bytes(),
        "key": (folder / "key").read_bytes(),
    }


class Victim:
    """A game that opens whatever it is given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.player = Saver(folder, cached_load)
        self.player.play("1", 1)
        self.outcomes: Counter[str] = Counter()
        self.slowest_s = 0.0

    def open(self, form: outer.Form, content: bytes) -> None:
        """Load it; play on, if it is there."""
        path = self.folder / "hostile"
        path.write_bytes(content)
        start = time.perf_counter()
        told = self.player.give(do="load_file" if form is SAVE else "recording_open", path=str(path))
        self.outcome(told)
        if told["ok"]:
            self.play_on(self.arrive())
        self.slowest_s = max(self.slowest_s, time.perf_counter() - start)

    def arrive(self) -> list[str]:
        while self.player.session._saving.loading is not None:
            shot = dict(msgpack.unpackb(self.player.session.step(0.0)))
        codes = [event["code"] for event in shot["events"]]
        assert all(code in CODES for code in codes), codes
        return codes

    def play_on(self, codes: list[str]) -> None:
        self.outcomes.update(codes)
        if "save.loaded" not in codes:
            return
        player = self.player
        for question in ("timeline", "history", "tabs", "layout", "results", "overlay", "state"):
            self.outcome(player.ask(question))
        self.outcome(player.give(do="undo"))
        self.outcome(player.give(do="redo"))
        self.outcome(player.give(do="branch", index=0))
        player.look()
        player.look(0.2)
        self.outcome(player.give(do="single_step"))
        if len(player.session._tabs) > 1:
            self.outcome(player.give(do="tab", index=1))
            self.outcome(player.give(do="undo"))
            player.look(0.1)
        if self.outcomes["save.loaded"] % 10 == 0:
            self.outcome(player.give(do="save", slot=1, date=""))

    def outcome(self, told: dict[str, Any]) -> None:
        assert told["ok"] or told["code"] in CODES, told
        if not told["ok"]:
            assert set(told["params"]) <= set(CODES[told["code"]]), told
            self.outcomes[told["code"]] += 1


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Victim:
    return Victim(tmp_path_factory.mktemp("victim"))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", ["save", "level", "recording"])
def test_a_mutated_file_is_refused_or_gives_a_game(
    samples: dict[str, bytes], tmp_path: Path, name: str, count: int
) -> None:
    """Bytes flipped; bytes flipped and the digest made right again; values changed and all around them right."""
    form, content = RUN if name == "recording" else SAVE, samples[name]
    victim = Victim(tmp_path)
    share = count if count == FEW else {"save": 5000, "level": 2000, "recording": 3000}[name]
    for number in range(share):
        chance = Random(number)
        with no_hang((name, number)):
            way = number % 10
            if way == 0:
                victim.open(form, flipped(content, chance))
            elif way in (1, 2):
                victim.open(form, digested(flipped(content, chance)))
            else:
                victim.open(form, rewritten(form, content, chance))
    print(f"{share} of {name}: slowest {victim.slowest_s:.2f} s, {dict(victim.outcomes)}")
    assert victim.outcomes["save.loaded"] > share // 20, "the inner checks are reached"
    assert victim.outcomes["save.damaged"] > share // 20


@pytest.mark.parametrize("count", COUNTS)
def test_a_file_with_the_right_seal_and_wrong_values_is_refused_or_gives_a_game(
    samples: dict[str, bytes], tmp_path: Path, count: int
) -> None:
    """Only a fault of the game itself could write such a one; states are left as they are."""
    (tmp_path / "key").write_bytes(samples["key"])
    victim = Victim(tmp_path)
    for number in range(count // 10):
        chance = Random(number)
        parts = outer.read(SAVE, samples["save"], "")
        records = [record for record, _ in outer.records(parts.body, "")]
        places = [place for place, record in enumerate(records) if record[0] != "checkpoint"]
        place = chance.choice(places)
        records[place] = altered(records[place], chance)
        with no_hang(number):
            try:
                whole = outer.write(SAVE, parts.header, records)
            except (ValueError, OverflowError):
                continue
            victim.open(SAVE, outer.sealed(whole, trust.seal(samples["key"], whole)))
    assert victim.outcomes["save.elsewhere"] == 0
    assert victim.outcomes["save.loaded"] > count // 100


@pytest.mark.parametrize("count", COUNTS)
def test_a_mutated_text_of_a_recording_is_refused_or_gives_a_game(
    samples: dict[str, bytes], tmp_path: Path, count: int
) -> None:
    victim = Victim(tmp_path)
    for number in range(count // 10):
        chance = Random(number)
        content = rewritten(RUN, samples["recording"], chance) if number % 2 else samples["recording"]
        text = PREFIX + base64.b64encode(content).decode()
        if number % 3 == 0:
            text = flipped(text.encode(), chance).decode(errors="replace")
        with no_hang(number):
            told = victim.player.give(do="recording_open", text=text)
            victim.outcome(told)
            if told["ok"]:
                victim.play_on(victim.arrive())


SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats()
ANY = st.recursive(
    SCALARS | st.text(max_size=9) | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=6), inner, max_size=5),
    max_leaves=12,
)
NAMES = ["level", "tab", "course", "command", "second", "mark", "checkpoint", "layout", "stacks", "other"]
RECORD = st.builds(lambda name, rest: [name, *rest], st.sampled_from(NAMES), st.lists(ANY, max_size=7))
RECORDS = st.lists(RECORD, max_size=10)


@settings(max_examples=50, deadline=None)
@given(RECORDS, st.dictionaries(st.text(max_size=9), ANY, max_size=5), st.booleans())
def test_any_records_are_refused_or_give_a_game(
    samples: dict[str, bytes], victim: Victim, records: list[list[Any]], header: dict[str, Any], right: bool
) -> None:
    own = outer.read(SAVE, samples["save"], "").header
    with no_hang(records):
        content = outer.write(SAVE, own if right else header, records)
        victim.open(SAVE, outer.sealed(content, outer.NOBODY))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_refused(victim: Victim, content: bytes, with_magic: bool) -> None:
    before = victim.outcomes["save.loaded"]
    for form in (SAVE, RUN):
        with no_hang(content):
            victim.open(form, form.magic + content if with_magic else content)
    assert victim.outcomes["save.loaded"] == before


# -- blueprints and traces ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", COUNTS)
def test_a_mutated_blueprint_is_refused_or_can_be_built(count: int) -> None:
    player = Saver(None, cached_load)
    player.play("3")
    ids = sorted(player.game.floor.machines)
    told = player.ask("blueprint", ids=ids)
    text, data, layout = told["text"], told["blueprint"], player.ask("layout")["layout"]
    origin = {axis: min(machine[axis] for machine in layout["machines"]) for axis in "xy"}
    outcomes: Counter[str] = Counter()
    for number in range(count):
        chance = Random(number)
        changed = altered(data, chance)
        match number % 4:
            case 0:
                given_text = flipped(text.encode(), chance).decode(errors="replace")
            case 1:
                given_text = _json(changed)
            case _:
                given_text = "TF1:" + base64.b64encode(zlib.compress(_json(changed).encode())).decode()
        with no_hang(number):
            told = player.ask("blueprint_read", text=given_text)
            assert told["ok"] or told["code"] in CODES, told
            outcomes[told.get("code", "read")] += 1
            for command in (
                {"do": "paste", "blueprint": changed, **origin, "rot": number % 5 % 4},
                {"do": "layout", "layout": altered(layout, chance)},
            ):
                player.give(do="layout", layout={"version": 1})
                told = player.give(**command)
                assert told["ok"] or told["code"] in CODES, told
                outcomes[told.get("code", "built")] += 1
                player.look()
    assert outcomes["read"] > count // 20
    assert outcomes["built"] > count // 20


def _json(data: Any) -> str:
    return json.dumps(data, default=str)


AZURE = b"arrived_at_s,prompt_tokens,output_tokens\n" + b"0.0,4096,128\n0.25,100,20\n1.5,12,1\n2.0,900,700\n" * 9
MOONCAKE = b"timestamp_ms,input_length,output_length,hash_ids\n" + b'0,10,5,"[1, 2]"\n27,20,6,[3]\n3000,30,7,[]\n' * 9


@pytest.mark.parametrize("count", COUNTS)
def test_a_mutated_trace_is_refused_or_is_one(tmp_path: Path, count: int) -> None:
    path = tmp_path / "trace.csv"
    outcomes: Counter[str] = Counter()
    for number in range(count):
        chance = Random(number)
        path.write_bytes(flipped(AZURE if number % 2 else MOONCAKE, chance, most=2))
        with no_hang(number):
            outcomes[_read(path)] += 1
    assert outcomes["read"] > count // 50
    assert len(outcomes) >= 5, outcomes


def _known(error: EngineError) -> str:
    assert set(error.params) <= set(CODES[error.code])
    return error.code


def _read(path: Path) -> str:
    try:
        trace = read_trace(path)
    except EngineError as error:
        return _known(error)
    requests = list(trace.requests())
    assert requests[0].arrival_ps == 0
    assert all(one.prompt_tokens >= 1 and one.output_tokens >= 1 for one in requests)
    return "read"


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_anything_is_a_trace_or_is_refused(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "trace.csv"
    header = "arrived_at_s,prompt_tokens,output_tokens\n"
    path.write_bytes(content if isinstance(content, bytes) else (header + content).encode(errors="replace"))
    with no_hang(content):
        _read(path)


# -- snapshots ---------------------------------------------------------------------------------------------------------


def test_a_state_that_was_changed_never_ends_a_game(samples: dict[str, bytes], tmp_path: Path) -> None:
    """Such a file has no right seal, so its states are not even unpacked."""
    (tmp_path / "key").write_bytes(samples["key"])
    victim = Victim(tmp_path)
    victim.player.play("1", 31)
    victim.player.save(3)
    content = (tmp_path / "saves" / "slot-3.save").read_bytes()
    parts = outer.read(SAVE, content, "")
    chance = Random(1)
    for _ in range(12):
        records = [record for record, _ in outer.records(parts.body, "")]
        for record in records:
            if record[0] == "checkpoint":
                record[3] = flipped(record[3], chance)
        victim.open(SAVE, outer.sealed(outer.write(SAVE, parts.header, records), parts.seal))
    assert victim.outcomes["save.elsewhere"] == victim.outcomes["save.loaded"] == 12
    assert victim.outcomes["save.differs"] == 0


def test_the_checks_see_what_they_are_for(samples: dict[str, bytes]) -> None:
    chance = Random(1)
    assert digested(samples["save"]) == samples["save"]
    assert flipped(samples["save"], chance) != samples["save"]
    seen: set[Callable[..., Any] | str] = set()
    for number in range(100):
        seen.add(str(altered({"a": [1, {"b": 2}], "c": "x"}, Random(number))))
    assert len(seen) > 30
    assert LEVELS[1].number == 2
