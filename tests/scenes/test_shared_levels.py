"""Levels that several tenants share, and that have a bill, as their player sees them. One game for all."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import pytest
from player import Player, playing, user_folder

from engine.level.load import load
from engine.protocol.session import Session
from engine.units import PS_PER_S

pytestmark = [pytest.mark.godot, pytest.mark.long]

SETTINGS = '{"version": 1, "reduced_motion": true}'
UNTIL_S = 60


def saved(folder: Path, slot: int, level: str) -> None:
    """A game in which the reference layout runs."""
    session = Session()

    def give(**message: Any) -> None:
        assert msgpack.unpackb(session.command(msgpack.packb({"v": 1, **message})))["ok"], message

    give(do="player_folder", folder=str(folder))
    give(do="open", level=level)
    give(do="layout", layout=load(level).reference)
    give(do="start")
    while session.simulation is not None and session.simulation.now < UNTIL_S * PS_PER_S:
        session.step(5.0)
    give(do="save", slot=slot, date="2026-12-01 00:00")
    session.close()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    folder = tmp_path_factory.mktemp("shared")
    kept = user_folder(folder)
    (kept / "settings.json").write_text(SETTINGS)
    for slot, level in ((1, "shared_server"), (2, "the_bill")):
        saved(kept, slot, level)
    with playing(folder, None) as game:
        yield game


def open_save(game: Player, slot: int) -> None:
    game.hand.key("F8")
    game.after(lambda: game.click(f"save:{slot}:load"), "screen")
    game.probe.wait_screen("level")
    game.settle()


def machine(game: Player, level: str, kind: str) -> tuple[float, float]:
    """Where the first machine of a kind stands, in the window."""
    found = next(row for row in load(level).reference["machines"] if row["kind"] == kind)
    return game.tile(found["x"], found["y"])


def panel(game: Player, name: str, part: str) -> list[str]:
    """What a panel says, once it says a part."""
    game.wait(f"{part!r} in {name}", lambda: any(part in text for text in texts(game, name)))
    return texts(game, name)


def texts(game: Player, name: str) -> list[str]:
    told = game.probe.last("panel")
    return [str(text) for text in told["texts"]] if told and told["name"] == name else []


def after(game: Player, act: Callable[[], None]) -> None:
    """Do something that changes the layout's settings."""
    game.change(act)


def test_a_panel_tells_how_each_tenant_is_served(game: Player) -> None:
    game.probe.target("title:play")
    open_save(game, 1)
    game.hand.key("shift+t")
    said = panel(game, "tenants", "waiting")
    assert {"Assistant", "Documents", "Code"} <= set(said)
    assert sum(text.endswith("¢") for text in said) >= 3
    assert any(text.endswith("%") for text in said)


def test_a_gateway_is_set_by_the_names_of_tenants(game: Player) -> None:
    game.hand.click(machine(game, "shared_server", "gateway"))
    game.click("dock:details")
    game.picture("gateway")
    after(game, lambda: game.click("setting:quota_0:more"))
    after(game, lambda: game.click("setting:priority_1:more"))


def test_the_bill_is_told_with_its_break_even(game: Player) -> None:
    open_save(game, 2)
    game.hand.key("shift+b")
    said = panel(game, "bill", "owned")
    assert said[0].endswith("¢")
    assert any("Electricity: " in text for text in said)
    said = panel(game, "bill", "DeepInfra")
    assert "never · never" in said, "against the cheapest API no card pays"
    assert any("%" in text and "never" not in text for text in said), "against others it does"
    game.picture("bill")
