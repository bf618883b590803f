"""What crosses the bridge: documented, typed, and safe against anything."""

import ast
import re
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from factories import LEVEL_1, LEVELS
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.words import words
from engine.errors import EngineError
from engine.floor.layout import layout_from_data, layout_from_json, layout_hash, layout_to_data
from engine.level.load import campaign
from engine.protocol import commands
from engine.protocol import session as session_commands
from engine.protocol.codes import CODES
from engine.protocol.session import Session

ROOT = Path(__file__).resolve().parents[2]


def packed(**message: Any) -> bytes:
    return bytes(msgpack.packb({"v": 1, **message}))


def give(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.command(packed(**message))))


def ask(session: Session, **message: Any) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.ask(packed(**message))))


def look(session: Session, delta_s: float = 0.0) -> dict[str, Any]:
    return dict(msgpack.unpackb(session.step(delta_s)))


@pytest.fixture
def session() -> Session:
    opened = Session()
    assert give(opened, do="open", level="1", seed=1)["ok"]
    return opened


@pytest.fixture
def running(session: Session) -> Session:
    assert give(session, do="layout", layout=LEVEL_1.reference)["ok"]
    assert give(session, do="start")["ok"]
    return session


def test_before_a_level_is_open_there_is_nothing_to_see() -> None:
    empty = Session()
    assert look(empty) == {"v": 1}
    assert give(empty, do="start")["code"] == "level.none_open"
    assert ask(empty, ask="layout")["code"] == "level.none_open"
    assert ask(empty, ask="levels")["levels"] == [{"number": level.number, "id": level.id} for level in campaign()]


def test_structure_comes_only_when_the_player_has_built(session: Session) -> None:
    assert "structure" in look(session)
    assert "structure" not in look(session)
    give(session, do="place", kind="decode_core", x=3, y=0, rot=0)
    structure = look(session)["structure"]
    assert structure["machines"]["kind"] == ["prompt_dock", "token_dock", "decode_core"]
    assert structure["palette"] == {"kind": ["prefill_core", "decode_core"], "left": [2, 1]}
    assert "structure" not in look(session)


def test_columns_of_the_snapshot_are_aligned_with_its_structure(running: Session) -> None:
    shot = look(running, 5.0)
    assert shot["structure"]["states"][shot["machines"]["state"][0]] in ("idle", "working")
    for part in ("machines", "pads"):
        here = [read(column) if isinstance(column, msgpack.ExtType) else column for column in shot[part].values()]
        lengths = {len(column) for column in (*shot["structure"][part].values(), *here)}
        assert len(lengths) == 1
    belts = shot["structure"]["belts"]
    assert sum(belts["length"]) == len(shot["structure"]["tiles_x"]) == len(shot["structure"]["tiles_y"])


def test_the_snapshot_has_just_the_keys_that_are_documented(running: Session) -> None:
    page = (ROOT / "docs" / "protocol.md").read_text()
    block = page.split("## Snapshot")[1].split("```")[1]
    top = [line.split()[0] for line in block.splitlines() if line and not line.startswith(" ")]
    assert set(look(running, 1.0)) == set(top)


def test_the_documented_commands_are_the_ones_there_are() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text()
    block = page.split("## Commands")[1].split("```")[1]
    documented = {line.split()[0] for line in block.splitlines() if line.strip() and not line.startswith(" ")}
    assert documented == set(commands.schema()) | set(session_commands.schema())


def test_time_stands_still_until_the_run_starts(session: Session) -> None:
    assert look(session, 3.0)["t_ps"] == 0
    give(session, do="start")
    assert look(session, 3.0)["t_ps"] == 3 * 10**12


def test_a_run_is_won_and_tells_its_hash(running: Session) -> None:
    for _ in range(30):
        shot = look(running, 8.0)
    assert shot["phase"] == "ended"
    assert shot["result"]["passed"]
    assert re.fullmatch("[0-9a-f]{32}", shot["result"]["hash"])
    assert give(running, do="remove", ids=[3])["code"] == "run.ended"
    assert give(running, do="restart")["ok"]
    again = look(running)
    assert (again["phase"], again["t_ps"]) == ("build", 0)
    assert len(again["structure"]["machines"]["id"]) == 4, "restart keeps what was built"


def test_a_frame_that_takes_too_long_slows_the_simulation_and_says_so(running: Session) -> None:
    calls = iter(range(100))
    shot = msgpack.unpackb(running.step(1.0, lambda: next(calls) >= 10))
    assert shot["lag"]
    assert 0 < shot["t_ps"] < 10**12
    assert not look(running, 0.1)["lag"]


def test_questions_never_change_the_hash(running: Session) -> None:
    look(running, 20.0)
    assert running.simulation is not None
    before = running.simulation.state_hash()
    for question in (
        {"ask": "levels"},
        {"ask": "can_place", "kind": "decode_core", "x": 3, "y": 0, "rot": 0},
        {"ask": "can_place", "kind": "decode_core", "x": 0, "y": 0, "rot": 0},
        {"ask": "route", "from": [0, 1], "to": [9, 7]},
        {"ask": "machine", "id": 3},
        {"ask": "machine", "id": 4},
        {"ask": "layout"},
        {"ask": "reference"},
        {"ask": "timeline"},
        {"ask": "history"},
        {"ask": "tabs"},
        {"ask": "state"},
        {"ask": "tutorial", "facts": ["panel:graphs"]},
        {"ask": "results"},
    ):
        ask(running, **question)
    assert running.simulation.state_hash() == before


def test_the_preview_of_a_belt_tells_its_latency(session: Session) -> None:
    """A hand-off of 512 MiB at .58 GB/s, and 29 ms a tile: figures of the level's link."""
    give(session, do="place", kind="prefill_core", x=3, y=1, rot=0)
    give(session, do="place", kind="decode_core", x=6, y=4, rot=0)
    route = ask(session, ask="route", **{"from": [3, 1], "to": [6, 4]})
    assert (route["ok"], route["kind"], route["length"]) == (True, "kv", 4)
    assert route["latency_ps"] / 1e12 == pytest.approx(0.926 + 4 * 0.029, rel=0.01)
    connected = give(session, do="connect", tiles=route["tiles"], **{"from": route["from"], "to": route["to"]})
    assert connected["ok"]
    assert ask(session, ask="route", **{"from": [3, 1], "to": [9, 0]})["to"] is None


# -- packets ---------------------------------------------------------------------------------------------------------


def read(reals: msgpack.ExtType) -> np.ndarray:
    assert reals.code == 1
    kind, length = struct.unpack_from("<II", reals.data)
    assert kind == 22
    array = np.frombuffer(reals.data, np.float32, offset=8)
    assert len(array) == length
    return array


def rows(packets: list[Any]) -> np.ndarray:
    count, reals = packets
    table = read(reals).reshape(-1, 8)
    assert len(table) >= count
    assert len(table) & (len(table) - 1) == 0, "padded to a power of two"
    return table[:count]


def test_packets_lie_on_their_belts_in_the_rows_of_a_multimesh(running: Session) -> None:
    give(running, do="view", xx=0.5, yx=0.25, xy=-0.5, yy=0.125)
    seen = dict.fromkeys(("prompt", "kv", "token", "draft", "reject"), 0)
    for _ in range(600):
        shot = look(running, 1 / 60)
        for kind, packets in shot["packets"].items():
            table = rows(packets)
            seen[kind] = max(seen[kind], len(table))
            if len(table):
                assert (table[:, [0, 1, 4, 5]] == np.array([0.5, 0.25, -0.5, 0.125], np.float32)).all()
                assert (table[:, [2, 6]] == 0).all()
                on_belt = {"prompt": [(2, 1)], "kv": [(5, 1), (5, 2), (5, 3), (5, 4)]}
                on_belt["token"] = [(7, 4), (8, 4), (9, 4), (9, 5)]
                for x, y in table[:, [3, 7]]:
                    assert any(a - 1e-4 <= x <= a + 1.0001 and b - 1e-4 <= y <= b + 1.0001 for a, b in on_belt[kind])
    assert seen["draft"] == seen["reject"] == 0
    assert seen["prompt"] >= 1
    assert seen["kv"] >= 4
    assert seen["token"] >= 10


def test_drafts_go_from_the_draft_model_to_the_core_that_checks_them() -> None:
    session = Session()
    give(session, do="open", level="3", seed=1)
    give(session, do="layout", layout=LEVELS[2].reference)
    give(session, do="start")
    most, working = 0, 0.0
    for _ in range(200):
        shot = look(session, 1 / 10)
        table = rows(shot["packets"]["draft"])
        most = max(most, len(table))
        working = max(working, float(read(shot["machines"]["busy"])[3]))
        assert all(6 <= x <= 7 and 2 <= y <= 3 for x, y in table[:, [3, 7]])
    assert most >= 5
    assert working > 0


def test_packets_move_towards_their_target(running: Session) -> None:
    look(running, 4.2)
    way = []
    for _ in range(20):
        table = rows(look(running, 1 / 60)["packets"]["token"])
        if len(table):
            way.append(float(table[:, 3].max() + table[:, 7].max()))
    assert way == sorted(way)
    assert way[-1] > way[0]


def test_a_queue_backs_up_on_its_belt(session: Session) -> None:
    give(session, do="layout", layout=LEVEL_1.reference)
    give(session, do="set", id=4, name="max_num_seqs", value=1)
    give(session, do="start")
    for _ in range(20):
        shot = look(session, 3.0)
    assert read(shot["machines"]["queue"])[2] > 5
    table = rows(shot["packets"]["prompt"])
    assert len(table) == 3, "three a tile, on a belt of one tile"


def test_taking_a_belt_away_takes_its_packets(running: Session) -> None:
    look(running, 20.0)
    assert look(running)["packets"]["token"][0] > 0
    give(running, do="remove", ids=[4])
    assert look(running)["packets"]["token"][0] == 0


# -- codes and words -------------------------------------------------------------------------------------------------


def raised() -> dict[str, set[str]]:
    """Code -> parameters, of every EngineError in the engine's sources."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "EngineError":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found[str(first.value)] = {str(keyword.arg) for keyword in node.keywords}
    return found


def test_every_code_that_is_raised_is_in_the_catalogue_with_its_parameters() -> None:
    codes = raised()
    assert len(codes) > 30
    for code, params in codes.items():
        assert params == set(CODES[code]), code


def test_every_code_has_words_with_just_its_parameters() -> None:
    for code, params in CODES.items():
        text = words(code, {name: f"<{name}>" for name in params})
        assert not text.startswith(code), f"{code} has no words"
        assert set(re.findall("<([a-z]+)>", text)) <= set(params)
        assert "{" not in text


# -- nothing from outside is trusted ----------------------------------------------------------------------------------


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
QUESTIONS = ["levels", "can_place", "route", "machine", "memory", "request", "requests", "pick", "whereabouts"]
QUESTIONS += ["tutorial", "hint", "codex", "codex_page", "questions", "progress", "results"]
TIME = ["timeline", "history", "tabs", "state"]
NAMES = st.sampled_from([*session_commands.schema(), *TIME, *commands.schema(), *QUESTIONS])
FIELDS = st.dictionaries(
    st.sampled_from(
        [
            "level",
            "seed",
            "kind",
            "x",
            "y",
            "rot",
            "id",
            "ids",
            "tiles",
            "from",
            "to",
            "layout",
            "name",
            "value",
            "xx",
            "v",
            "t_ps",
            "index",
            "from_s",
        ]
    ),
    ANY,
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    session = Session()
    for call in (session.command, session.ask):
        assert msgpack.unpackb(call(data))["ok"] is False


@settings(max_examples=400, deadline=None)
@given(NAMES, FIELDS)
def test_any_message_gets_an_answer(name: str, fields: dict[str, Any]) -> None:
    session = Session()
    give(session, do="open", level="1", seed=1)
    for key, call in (("do", session.command), ("ask", session.ask)):
        reply = msgpack.unpackb(call(msgpack.packb({"v": 1, **fields, key: name})))
        assert reply["ok"] in (True, False)
        if not reply["ok"]:
            assert reply["code"] in CODES
    assert look(session)["v"] == 1


@settings(max_examples=300, deadline=None)
@given(ANY)
def test_any_data_is_a_layout_or_is_refused(data: Any) -> None:
    with_version = {"version": 1, "machines": [data], "belts": [data]}
    for attempt in (data, with_version):
        with suppress(EngineError):
            layout = layout_from_data(attempt)
            assert layout_hash(layout_from_data(layout_to_data(layout))) == layout_hash(layout)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "layout.malformed"),
        ("[1, 2", "layout.malformed"),
        ("[" * 100_000, "layout.malformed"),
        ("7", "layout.malformed"),
        ("{}", "layout.version"),
        ('{"version": 2}', "layout.version"),
        ('{"version": 1, "machines": 3}', "layout.malformed"),
        ('{"version": 1, "machines": [{"kind": "decode_core", "x": 1.5, "y": 2}]}', "layout.malformed"),
        ('{"version": 1, "machines": [{"kind": "decode_core", "x": true, "y": 2}]}', "layout.malformed"),
        ('{"version": 1, "machines": [], "belts": [], "gold": 7}', "layout.malformed"),
        ('{"version": 1, "belts": [{"tiles": [[1]], "from": {"x": 0, "y": 0, "port": "e"}, '
         '"to": {"x": 0, "y": 0, "port": "w"}}]}', "layout.malformed"),
        (" " * 1_000_001, "layout.too_large"),
        ('{"version": 1, "machines": [' + ",".join(["0"] * 501) + "]}", "layout.too_large"),
    ],
)  # fmt: skip
def test_bad_layouts_are_refused_with_their_reason(text: str, code: str) -> None:
    with pytest.raises(EngineError) as refused:
        layout_from_json(text)
    assert refused.value.code == code


def test_undo_and_redo_over_the_bridge_also_after_a_restart(running: Session) -> None:
    before = ask(running, ask="layout")["layout_hash"]
    assert give(running, do="remove", ids=[3])["ok"]
    assert look(running)["structure"]["undo"] == 2  # the layout, and this
    after = ask(running, ask="layout")["layout_hash"]
    assert give(running, do="undo")["ok"]
    assert (ask(running, ask="layout")["layout_hash"], look(running)["structure"]["redo"]) == (before, 1)
    assert give(running, do="restart")["ok"]
    assert give(running, do="redo")["ok"]
    assert ask(running, ask="layout")["layout_hash"] == after
    assert give(running, do="redo")["code"] == "redo.nothing"


def test_a_snapshot_tells_once_where_packets_have_come_to(running: Session) -> None:
    machines = look(running, 0.0)["structure"]["machines"]
    kinds = dict(zip(machines["id"], machines["kind"], strict=True))
    arrived: dict[str, set[str]] = {}
    for _ in range(200):
        for kind, ids in look(running, 0.1)["landed"].items():
            arrived.setdefault(kind, set()).update(kinds[machine] for machine in ids)
    assert look(running)["landed"] == {}
    assert arrived == {"prompt": {"prefill_core"}, "kv": {"decode_core"}, "token": {"token_dock"}}
