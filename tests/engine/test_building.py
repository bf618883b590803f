"""Placing, moving, removing, connecting: what is allowed, and the reason when it is not."""

import itertools
import random

import pytest
from factories import LEVEL_1, PROMPT_DOCK, TOKEN_DOCK, do, lay, link, new, place, reference
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.floor.belt import End
from engine.floor.geometry import turned_side, turned_size, turned_tile
from engine.floor.kinds import KINDS, Stand
from engine.floor.layout import layout_hash
from engine.simulation import Simulation


def refused(code: str) -> "pytest.RaisesContext":  # type: ignore[name-defined]
    return pytest.raises(EngineError, match=code.replace(".", r"\.") + r"\b")


@pytest.mark.parametrize(
    ("kind", "x", "y", "rot", "code"),
    [
        ("prefill_core", 11, 0, 0, "place.outside"),
        ("prefill_core", -1, 0, 0, "place.outside"),
        ("decode_core", 0, 1, 0, "place.occupied"),
        ("decode_core", 0, 7, 0, "place.needs_pad"),
        ("prefill_core", 6, 0, 0, "place.across_pads"),
        ("prefill_core", 6, 3, 1, "place.across_pads"),
        ("prompt_dock", 3, 1, 0, "place.not_allowed"),
        ("coffee_machine", 3, 1, 0, "place.kind"),
        ("prefill_core", 3, 1, 4, "place.rotation"),
    ],
)
def test_a_place_is_refused_with_its_reason(kind: str, x: int, y: int, rot: int, code: str) -> None:
    game = new()
    with refused(code):
        place(game, kind, x, y, rot)
    assert game.site.revision == 0


def test_only_as_many_machines_as_the_level_allows() -> None:
    game = new()
    place(game, "decode_core", 3, 0)
    place(game, "decode_core", 4, 0)
    with refused("place.none_left"):
        place(game, "decode_core", 5, 0)
    do(game, "remove", ids=[3])
    place(game, "decode_core", 5, 0)


def test_docks_stay() -> None:
    game = new()
    for command in ({"ids": [PROMPT_DOCK]}, {"ids": [TOKEN_DOCK]}):
        with refused("machine.fixed"):
            do(game, "remove", **command)
    with refused("machine.fixed"):
        do(game, "move", id=PROMPT_DOCK, x=4, y=4, rot=0)


def test_belts_are_refused_with_their_reason() -> None:
    game = new()
    prefill, decode = place(game, "prefill_core", 3, 1), place(game, "decode_core", 6, 4)
    out, into = End(prefill, "e"), End(decode, "n")
    way = [(5, 1), (6, 1), (6, 2), (6, 3)]
    for tiles, code in [
        ([], "belt.empty"),
        (way[:2] + way[3:], "belt.broken"),
        ([(5, 1), (6, 1), (5, 1), (6, 1), (6, 2), (6, 3)], "belt.broken"),
        (way[1:], "belt.start"),
        (way[:3], "belt.end"),
        ([(5, 1), (4, 1), (6, 3)], "belt.occupied"),
        ([(5, 1), (5, 0), (5, -1)], "belt.outside"),
    ]:
        with refused(code):
            lay(game, out, into, tiles)
    with refused("belt.no_output"):
        lay(game, End(prefill, "w"), into, way)
    with refused("belt.no_input"):
        lay(game, out, End(decode, "e"), way)
    with refused("belt.nowhere"):
        lay(game, out, End(99, "n"), way)
    with refused("belt.packet"):
        prompts = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 4), (4, 4), (5, 4), (5, 3), (6, 3)]
        lay(game, End(PROMPT_DOCK, "e0"), into, prompts)
    lay(game, out, into, way)
    with refused("belt.occupied"):  # a port has one tile in front of it: one belt a port
        lay(game, out, End(decode, "w"), [(5, 1), (5, 2), (5, 3), (5, 4)])


def test_a_belt_needs_free_tiles_also_against_other_belts() -> None:
    game = new()
    reference(game)
    with refused("belt.occupied"):
        lay(game, End(PROMPT_DOCK, "e1"), End(3, "n"), [(2, 2), (2, 1)])


def test_moving_a_machine_lays_just_the_belts_anew_that_no_longer_fit() -> None:
    game = new()
    reference(game)
    before = set(game.floor.belts)
    told = do(game, "move", id=4, x=6, y=5, rot=0)
    assert told["removed"] == []
    assert len(told["relaid"]) == 2
    assert set(game.floor.belts) == {*told["relaid"], *(id for id in before if id in game.floor.belts)}
    assert [belt.target for belt in game.floor.belts.values() if belt.packet == "kv"] == [End(4, "w")]
    assert do(game, "move", id=4, x=6, y=5, rot=2)["relaid"] != []


def test_a_machine_moves_along_its_own_belt() -> None:
    game = new()
    reference(game)
    told = do(game, "move", id=4, x=7, y=4, rot=0)
    assert told["removed"] == []
    assert len(game.floor.belts) == 3


def test_a_belt_without_a_way_is_removed_when_its_machine_moves() -> None:
    game = new()
    reference(game)
    told = do(game, "move", id=4, x=9, y=7, rot=3)  # its outputs face the wall and the machine's own input
    assert len(told["removed"]) + len(told["relaid"]) == 2
    assert told["removed"] != []


def test_removing_a_machine_takes_its_belts() -> None:
    game = new()
    reference(game)
    assert len(do(game, "remove", ids=[4])["removed"]) == 3
    assert len(game.floor.belts) == 1


def test_the_same_layout_built_in_another_order_has_the_same_hash() -> None:
    game, other = new(), new()
    reference(game)
    decode = place(other, "decode_core", 3, 0)
    do(other, "remove", ids=[decode])
    decode = place(other, "decode_core", 6, 5)
    do(other, "move", id=decode, x=6, y=4, rot=0)
    prefill = place(other, "prefill_core", 3, 1)
    lay(other, End(decode, "e"), End(TOKEN_DOCK, "w0"), [(7, 4), (8, 4), (9, 4), (9, 5)])
    lay(other, End(prefill, "e"), End(decode, "w"), [(5, 1), (5, 2), (5, 3), (5, 4)])
    assert layout_hash(game.site.layout()) != layout_hash(other.site.layout())
    lay(other, End(PROMPT_DOCK, "e0"), End(prefill, "w"), [(2, 1)])
    assert layout_hash(game.site.layout()) == layout_hash(other.site.layout())


def test_a_layout_that_is_refused_leaves_the_old_one() -> None:
    game = new()
    reference(game)
    before = layout_hash(game.site.layout())
    bad = {**LEVEL_1.reference, "machines": [*LEVEL_1.reference["machines"], {"kind": "decode_core", "x": 3, "y": 1}]}
    with refused("place.occupied"):
        do(game, "layout", layout=bad)
    assert layout_hash(game.site.layout()) == before


def test_a_setting_out_of_range_or_unknown_is_refused() -> None:
    game = new()
    reference(game)
    for value in (0, 9):
        with refused("setting.range"):
            do(game, "set", id=4, name="max_num_seqs", value=value)
    with refused("setting.unknown"):
        do(game, "set", id=4, name="overclock", value=1)


# -- turning -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_turning_four_times_is_not_turning(kind: str) -> None:
    shape = KINDS[kind]
    for name, port in (shape.inputs | shape.outputs).items():
        tiles = [Stand(shape, 5, 5, rotation).port_tile(port) for rotation in range(4)]
        assert len(set(tiles)) == 4, name
        assert turned_tile(port.tile, shape.size, 4) == port.tile
        assert turned_side(port.side, 4) == port.side


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 3))
def test_a_port_is_always_in_front_of_its_machine(kind: str, rotation: int) -> None:
    stand = Stand(KINDS[kind], 5, 5, rotation)
    width, height = turned_size(KINDS[kind].size, rotation)
    for port in (*KINDS[kind].inputs.values(), *KINDS[kind].outputs.values()):
        x, y = stand.port_tile(port)
        outside_x, outside_y = max(5 - x, x - (4 + width), 0), max(5 - y, y - (4 + height), 0)
        assert outside_x + outside_y == 1


def test_turning_clockwise_takes_an_output_from_the_right_to_the_bottom() -> None:
    """x runs down-right on the screen, y down-left: a quarter turn clockwise takes +x to +y."""
    assert [turned_side("e", turns) for turns in range(4)] == ["e", "s", "w", "n"]
    prefill = KINDS["prefill_core"]
    assert Stand(prefill, 5, 5, 0).port_tile(prefill.outputs["e"]) == (7, 5)
    assert Stand(prefill, 5, 5, 1).port_tile(prefill.outputs["e"]) == (5, 7)


# -- finding a way -----------------------------------------------------------------------------------------------


def test_the_way_is_a_shortest_one() -> None:
    game = new()
    prefill, decode = place(game, "prefill_core", 3, 1), place(game, "decode_core", 8, 6)
    length = link(game, prefill, decode)
    assert length == shortest_by_hand(game)


def shortest_by_hand(game: Simulation) -> int:
    prefill, decode = (game.floor.machines[id].stand for id in (3, 4))
    starts = [prefill.port_tile(port) for port in prefill.kind.outputs.values()]
    ends = [decode.port_tile(port) for port in decode.kind.inputs.values()]
    return min(abs(a - c) + abs(b - d) + 1 for (a, b), (c, d) in itertools.product(starts, ends))


def test_every_way_that_is_offered_is_accepted() -> None:
    """What the view previews, the engine takes, on many floors."""
    dice, laid, reasons = random.Random(1), 0, set[str]()
    for _ in range(60):
        game = new()
        spots = {"prefill_core": [(3, 0), (4, 2), (6, 5), (7, 6)], "decode_core": [(3, 3), (6, 0), (9, 4), (8, 7)]}
        ids = [PROMPT_DOCK, TOKEN_DOCK]
        for kind, choices in spots.items():
            for x, y in dice.sample(choices, 2):
                try:
                    ids.append(place(game, kind, x, y, dice.randrange(4)))
                except EngineError:
                    continue
        for source, target in itertools.permutations(ids, 2):
            try:
                link(game, source, target)
                laid += 1
            except EngineError as error:
                reasons.add(error.code)
    assert laid > 100
    assert reasons == {"route.no_output", "route.no_input", "route.no_way"}
