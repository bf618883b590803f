"""Changes to several things at once: undo and redo, paste, moving together, replacing. Whole, or not at all."""

import json
import random
import zlib
from base64 import b64encode
from typing import Any

import pytest
from factories import LEVEL_1, LEVELS, PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, reference, run
from hypothesis import given
from hypothesis import strategies as st
from meddling import any_command

from engine.errors import EngineError
from engine.floor.blueprint import MAX_TEXT, PREFIX, checked, from_text, moved, of, size, to_text, turned
from engine.floor.changes import become
from engine.floor.layout import Layout, layout_from_data, layout_hash, layout_to_data
from engine.protocol.asks import answer
from engine.protocol.undo import Undo
from engine.simulation import Simulation
from engine.units import PS_PER_S

PREFILL, DECODE = 3, 4


def hash_of(game: Simulation) -> str:
    return layout_hash(game.site.layout())


def refused(code: str) -> "pytest.RaisesContext":  # type: ignore[name-defined]
    return pytest.raises(EngineError, match=code.replace(".", r"\.") + r"\b")


# -- undo and redo ------------------------------------------------------------------------------------------------


def changes(dice: random.Random, game: Simulation) -> dict[str, Any]:
    """Any building command, with those that change many things at once."""
    ids = dice.sample(sorted({*game.floor.machines, *game.floor.belts}), 2)
    more: list[dict[str, Any]] = [
        {"do": "shift", "ids": ids, "dx": dice.randrange(-2, 3), "dy": dice.randrange(-2, 3)},
        {"do": "replace", "id": ids[0], "kind": dice.choice(sorted(game.level.allowed))},
        {"do": "paste", "blueprint": game.level.reference, "x": dice.randrange(8), "y": dice.randrange(5), "rot": 0},
        {"do": "remove", "ids": ids},
    ]
    return {"v": 1, **dice.choice(more)} if dice.random() < 0.5 else any_command(dice, game.level)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)
def test_200_random_changes_are_undone_and_redone_to_equal_layouts(level: Any) -> None:
    """In a run under way, every layout on the way back and forth is equal to what it was."""
    dice, game, undo = random.Random(level.number), new(level=level), Undo()
    undo.give(game, {"v": 1, "do": "start"})
    hashes = [hash_of(game)]
    while len(hashes) <= 200:
        game.advance(game.now + PS_PER_S // 20)
        before = hash_of(game)
        try:
            undo.give(game, changes(dice, game))
        except EngineError:
            assert hash_of(game) == before, "a refused command changes nothing"
        if hash_of(game) != before:
            hashes.append(hash_of(game))
    assert undo.undos == 200
    for expected in hashes[-2::-1]:
        game.advance(game.now + PS_PER_S // 20)
        undo.undo(game)
        assert hash_of(game) == expected
    with refused("undo.nothing"):
        undo.undo(game)
    for expected in hashes[1:]:
        undo.redo(game)
        assert hash_of(game) == expected
    with refused("redo.nothing"):
        undo.redo(game)


def test_a_new_change_takes_the_future_away() -> None:
    game, undo = new(), Undo()
    undo.give(game, {"v": 1, "do": "layout", "layout": LEVEL_1.reference})
    undo.undo(game)
    undo.give(game, {"v": 1, "do": "place", "kind": "decode_core", "x": 6, "y": 4, "rot": 0})
    with refused("redo.nothing"):
        undo.redo(game)


def test_a_rewind_takes_undo_back_to_where_it_was() -> None:
    game, undo = new(), Undo()
    undo.give(game, {"v": 1, "do": "layout", "layout": LEVEL_1.reference})
    undo.give(game, {"v": 1, "do": "set", "id": DECODE, "name": "max_num_seqs", "value": 2})
    undo.undo(game)
    assert (undo.undos, undo.redos) == (1, 1)
    assert (undo.cut(2).undos, undo.cut(2).redos) == (2, 0)
    assert (undo.cut(0).undos, undo.cut(0).redos) == (0, 0)
    again = new()
    assert (undo.again(again).undos, undo.again(again).redos) == (1, 1)


def test_what_is_equal_stays_with_its_requests() -> None:
    """Undoing a change elsewhere does not disturb a core at work."""
    game, undo = new(), Undo()
    undo.give(game, {"v": 1, "do": "layout", "layout": LEVEL_1.reference})
    undo.give(game, {"v": 1, "do": "start"})
    game.advance(20 * PS_PER_S)
    undo.give(game, {"v": 1, "do": "place", "kind": "decode_core", "x": 8, "y": 7, "rot": 0})
    game.advance(21 * PS_PER_S)
    core = game.floor.machines[DECODE]
    batch = core.batch_size()
    undo.undo(game)
    assert game.floor.machines[DECODE] is core
    assert core.batch_size() == batch > 0


def test_a_refused_layout_does_not_disturb_a_run() -> None:
    """Refused is refused: what is in flight stays there."""
    games = [new(), new()]
    for game in games:
        reference(game)
        do(game, "start")
        game.advance(20 * PS_PER_S)
    bad = {**LEVEL_1.reference, "machines": [*LEVEL_1.reference["machines"], {"kind": "decode_core", "x": 3, "y": 1}]}
    for command in (
        {"command": "layout", "layout": bad},
        {"command": "paste", "blueprint": LEVEL_1.reference, "x": 3, "y": 1},
        {"command": "shift", "ids": [PREFILL], "dx": 0, "dy": 4},
        {"command": "replace", "id": DECODE, "kind": "page_allocator"},
    ):
        with pytest.raises(EngineError):
            do(games[0], command.pop("command"), **command)
    assert games[0].state_hash() == games[1].state_hash()


# -- moving together, replacing, belts ---------------------------------------------------------------------------


def test_a_selection_moves_with_the_belts_inside_it() -> None:
    game = new()
    reference(game)
    machines = [PREFILL, DECODE]
    inner = next(belt for belt in game.floor.belts.values() if belt.packet == "kv")
    tiles = [(x, y - 1) for x, y in inner.tiles]
    told = do(game, "shift", ids=machines, dx=0, dy=-1)
    assert told["removed"] == []
    assert len(told["relaid"]) == 2  # from and to the docks, which stay
    assert [belt.tiles for belt in game.floor.belts.values() if belt.packet == "kv"] == [tuple(tiles)]
    assert [(game.floor.machines[id].stand.x, game.floor.machines[id].stand.y) for id in machines] == [(3, 0), (6, 3)]


def test_a_selection_may_move_onto_where_it_stood() -> None:
    game = new()
    first, second = place(game, "decode_core", 3, 0), place(game, "decode_core", 4, 0)
    do(game, "shift", ids=[first, second], dx=1, dy=0)
    assert sorted((machine.x, machine.y) for machine in game.site.layout().machines) == [(4, 0), (5, 0)]
    with refused("machine.fixed"):
        do(game, "shift", ids=[PROMPT_DOCK], dx=1, dy=0)


def test_a_machine_is_replaced_with_the_belts_that_fit() -> None:
    game = new(level=LEVELS[2])
    reference(game)
    gate = next(id for id, machine in game.floor.machines.items() if machine.stand.kind.name == "validation_gate")
    belts = len(game.floor.belts)
    told = do(game, "replace", id=gate, kind="decode_core")
    assert game.floor.machines[told["id"]].stand.kind.name == "decode_core"
    assert told["removed"] != []  # a Decode Core takes no tokens
    assert len(game.floor.belts) == belts - len(told["removed"])
    assert [belt.source.machine for belt in game.floor.belts.values() if belt.target.machine == TOKEN_DOCK] == [
        told["id"]
    ]


def test_a_belt_takes_the_place_of_another() -> None:
    game = new()
    reference(game)
    old = next(belt for belt in game.floor.belts.values() if belt.packet == "kv")
    ends = {
        "from": {"machine": old.source.machine, "port": old.source.port},
        "to": {"machine": old.target.machine, "port": old.target.port},
    }
    tiles = [[5, 1], [6, 1], [6, 2], [5, 2], [5, 3], [5, 4]]
    with refused("belt.occupied"):
        do(game, "connect", **ends, tiles=tiles)
    told = do(game, "connect", **ends, tiles=tiles, replace=old.id)
    assert old.id not in game.floor.belts
    assert game.floor.belts[told["id"]].tiles == tuple(map(tuple, tiles))
    with refused("belt.unknown"):
        do(game, "connect", **ends, tiles=tiles, replace=old.id)


# -- blueprints ---------------------------------------------------------------------------------------------------


def test_a_copied_factory_pasted_in_its_place_is_the_same_factory() -> None:
    for level in LEVELS:
        game = new(level=level)
        reference(game)
        before = hash_of(game)
        plan = of(game.site, list(game.floor.machines))
        left = min(machine.x for machine in game.site.layout().machines)
        top = min(machine.y for machine in game.site.layout().machines)
        do(game, "remove", ids=[id for id in game.floor.machines if id not in game.site.fixed])
        told = do(game, "paste", blueprint=layout_to_data(plan), x=left, y=top)
        assert told["dropped"] == 0
        assert hash_of(game) == before


def test_a_paste_elsewhere_leaves_the_belts_to_docks_out() -> None:
    game = new()
    reference(game)
    plan = of(game.site, [PREFILL, DECODE])
    do(game, "remove", ids=[PREFILL, DECODE])
    told = do(game, "paste", blueprint=layout_to_data(plan), x=3, y=0)
    assert told["dropped"] == 2
    assert len(told["ids"]) == 2
    assert len(game.floor.belts) == 1


def test_settings_are_pasted_within_the_level_s_range() -> None:
    game = new()
    plan = {
        "version": 1,
        "machines": [{"kind": "decode_core", "x": 0, "y": 0, "settings": {"max_num_seqs": 99, "a": 1}}],
    }
    id = do(game, "paste", blueprint=plan, x=6, y=4)["ids"][0]
    assert game.floor.machines[id].settings["max_num_seqs"] == LEVEL_1.settings["decode_core"]["max_num_seqs"].high


@given(st.integers(0, 3), st.sampled_from(LEVELS))
def test_turning_a_blueprint_keeps_it_whole(rotation: int, level: Any) -> None:
    plan = checked(layout_from_data(level.reference))
    inner = Layout(plan.machines, [belt for belt in plan.belts if ends(belt) <= {(m.x, m.y) for m in plan.machines}])
    there = turned(inner, rotation)
    assert size(there) == (size(inner) if rotation % 2 == 0 else size(inner)[::-1])
    assert layout_hash(turned(there, (4 - rotation) % 4)) == layout_hash(inner)


def ends(belt: Any) -> set[tuple[int, int]]:
    return {(belt.source.x, belt.source.y), (belt.target.x, belt.target.y)}


def test_blueprint_text_round_trips_and_survives_line_breaks() -> None:
    for level in LEVELS:
        plan = checked(layout_from_data(level.reference))
        text = to_text(plan)
        assert layout_hash(from_text(text)) == layout_hash(plan)
        assert layout_hash(from_text(f"  {text[:20]}\n{text[20:]}\n")) == layout_hash(plan)
        assert layout_hash(from_text(json.dumps(level.reference))) == layout_hash(plan)


def packed(data: Any) -> str:
    plain = data if isinstance(data, bytes) else json.dumps(data).encode()
    return PREFIX + b64encode(zlib.compress(plain)).decode()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "blueprint.empty"),
        ("hello", "blueprint.none"),
        (PREFIX + "!!!", "blueprint.damaged"),
        (PREFIX + "AAAA", "blueprint.damaged"),
        (to_text(moved(layout_from_data(LEVEL_1.reference), 0, 0))[:-8], "blueprint.damaged"),
        ("x" * (MAX_TEXT + 1), "blueprint.too_long"),
        (packed(b"0" * 50_000_000), "blueprint.damaged"),
        (packed([1]), "layout.malformed"),
        (packed({"version": 9}), "layout.version"),
        (packed({"version": 1}), "blueprint.empty"),
        (packed({"version": 1, "machines": [{"kind": "bomb", "x": 0, "y": 0}]}), "place.kind"),
        (packed({"version": 1, "machines": [{"kind": "decode_core", "x": 2**40, "y": 0}]}), "blueprint.too_wide"),
        (
            packed({"version": 1, "machines": [{"kind": "decode_core", "x": 0, "y": 0, "rotation": 7}]}),
            "place.rotation",
        ),
        ("{" * 50_000, "layout.malformed"),
    ],
)
def test_hostile_text_is_refused_with_its_reason(text: str, code: str) -> None:
    with refused(code):
        from_text(text)


@given(st.binary(max_size=200), st.booleans())
def test_any_text_is_a_blueprint_or_is_refused(data: bytes, wrapped: bool) -> None:
    text = packed(data) if wrapped else PREFIX + b64encode(data).decode()
    with pytest.raises(EngineError):
        from_text(text)


def test_become_is_whole_or_nothing() -> None:
    game = new()
    reference(game)
    run(game)
    before = game.state_hash()
    with pytest.raises(EngineError):
        become(game.site, layout_from_data({"version": 1, "machines": [{"kind": "decode_core", "x": 0, "y": 7}]}))
    assert game.state_hash() == before


def test_a_way_goes_over_the_tiles_that_were_asked_for() -> None:
    game = new()
    place(game, "prefill_core", 3, 1)
    place(game, "decode_core", 6, 4)
    told = answer(game, {"v": 1, "ask": "route", "from": [3, 1], "to": [6, 4], "via": [[8, 1], [8, 3]]})
    tiles = [tuple(tile) for tile in told["tiles"]]
    assert {(8, 1), (8, 3)} <= set(tiles)
    assert len(set(tiles)) == len(tiles)
    link(game, PREFILL, DECODE)
