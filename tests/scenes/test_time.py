"""Time in the real window: pause, one step, back, the timeline, graphs, and two layouts compared."""

import time
from collections.abc import Iterator

import pytest
from player import Player, playing

from engine.level.load import load
from engine.protocol.commands import give
from engine.simulation import Simulation
from engine.units import PS_PER_S
from tools.autoplay import HASTE, build, reference_layout

pytestmark = [pytest.mark.godot, pytest.mark.follows]

LEVEL = 1


class Game(Player):
    """Level 1 with its reference layout; every frame stands for a quarter of a second."""

    def moment(self, share: float) -> tuple[float, float]:
        """A point of the timeline."""
        self.probe.target("timeline")
        x, y, w, h = self.probe.targets()["timeline"]
        return (x + w * share, y + h / 2)

    def wait_now(self, low_s: float, high_s: float) -> None:
        def there() -> bool:
            event = self.probe.last("clock")
            return event is not None and low_s * PS_PER_S <= event["t_ps"] <= high_s * PS_PER_S

        self.wait(f"time to be from {low_s} to {high_s} s", there)

    def says(self) -> dict[str, object]:
        event = self.probe.last("words")
        return dict(event["time"]) if event else {}

    def wait_marks(self, code: str) -> None:
        self.wait(f"a mark {code}; there are {self.says()}", lambda: code in str(self.says().get("marks")))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with playing(tmp_path_factory.mktemp("time"), LEVEL, options=HASTE, player=Game) as one:
        build(one, reference_layout(LEVEL))
        yield one


# The tests follow each other in one run.


def test_time_stands_in_a_pause_and_goes_on_by_single_steps(game: Game) -> None:
    game.click("time:start")
    game.click("time:8")
    game.wait_now(40, 200)
    game.hand.key("space")
    standing = game.now_ps()
    assert game.now_ps() == standing
    game.hand.key("period")
    one = game.now_ps()
    assert standing < one < standing + PS_PER_S
    game.click("time:single_step")
    assert one < game.now_ps() < one + PS_PER_S


def test_the_graphs_tell_their_figures_and_those_at_the_cursor(game: Game) -> None:
    game.hand.key("g")
    texts = game.probe.panel("graphs", "GiB")
    assert [text.split()[0] for text in texts[1:]] == ["TOKENS", "TTFT", "QUEUE", "VRAM"]
    assert 25 < float(texts[1].split()[-1]) < 45
    assert texts[2].endswith(" s")
    assert texts[4].endswith("GiB")
    now_s = game.now_ps() / PS_PER_S
    x, y, _, h = game.probe.targets()["graph:tps"]
    game.hand.move((x + 8, y + h / 2))
    early = game.probe.panel("graphs", "TOKENS / S 0.0")
    assert early[0] < texts[0]
    game.picture("time_graphs")
    game.hand.click((x + 100, y + h / 2))
    game.wait_now(5, now_s * 0.6)
    assert game.now_ps() % PS_PER_S == 0, "a press in a graph goes to that second"
    game.click("time:ahead")
    game.wait_now(now_s, now_s)


def test_a_mark_says_what_happened_and_a_press_goes_there(game: Game) -> None:
    game.wait_marks("goal.met")
    game.hand.move(game.probe.target("mark:goal.met"))
    game.wait("the words of the mark", lambda: "Goal met" in str(game.says().get("says")))
    game.picture("time_mark")
    game.click("mark:goal.met")
    game.wait_now(22, 25)


def test_the_keys_go_back(game: Game) -> None:
    now = game.now_ps()
    game.hand.key("comma")
    game.wait_now(now / PS_PER_S - 5, now / PS_PER_S - 5)
    game.hand.key("shift+comma")
    game.wait_now(0, 0)


def test_the_timeline_can_be_gone_along_with_keys(game: Game) -> None:
    game.click("time:ahead")
    game.wait_now(40, 200)
    now_s = game.now_ps() / PS_PER_S
    for key in ("F6", "F6", "Right", "Right", "Right", "Right", "Left", "Left", "Left"):
        game.hand.key(key)
    game.wait("the words of a moment", lambda: "press to go there" in str(game.says().get("says")))
    game.hand.key("Return")
    game.picture("time_gone_back")
    game.wait_now(now_s // 1 - 3, now_s // 1 - 3)
    game.hand.key("Escape")


def straight(to_ps: int) -> str:
    """The hash of a game that was played to a moment without going back, its layout built in one piece."""
    game = Simulation(load(str(LEVEL)), 1)
    give(game, {"v": 1, "do": "layout", "layout": reference_layout(LEVEL)})
    give(game, {"v": 1, "do": "start"})
    game.advance(to_ps)
    return game.state_hash()


def test_dragging_the_timeline_goes_back_and_the_run_goes_on_as_if_it_had_not(game: Game) -> None:
    game.click("time:ahead")
    game.wait_now(40, 200)
    game.hand.drag([game.moment(0.14), game.moment(0.12), game.moment(0.1)])
    game.wait_now(23, 25)
    game.click("time:8")
    game.wait_now(30, 200)
    game.hand.key("space")
    game.now_ps()
    state = game.after(lambda: None, "clock")
    assert state["hash"] == straight(state["t_ps"])


@pytest.mark.long
def test_a_run_that_has_ended_is_gone_back_into(game: Game) -> None:
    hash_at_the_end = straight(load(str(LEVEL)).end_s * PS_PER_S)
    if game.now_ps() == 0:  # alone, without the tests before
        game.click("time:start")
    assert game.after(lambda: game.click("time:8"), "result")["hash"] == hash_at_the_end
    game.wait_marks("run.won")
    way = [game.moment(0.98), game.moment(0.97), game.moment(0.95)]
    again = game.after(lambda: game.hand.drag(way), "result")
    assert again["hash"] == hash_at_the_end


def test_a_second_layout_is_compared_with_the_first(game: Game) -> None:
    game.click("tab:open")
    texts = game.probe.panel("compare", "Machines | 2 | 2")
    assert texts[1].endswith(" | 0:00")
    game.click("time:start")
    game.click("time:8")
    game.probe.panel("compare", " | 0:3")
    game.picture("time_compared")
    game.hand.key("Tab")
    game.probe.panel("compare", "You see A")
    game.click("tab:close")
    game.wait("one layout", lambda: "tab:B" not in game.probe.targets())
    time.sleep(0.2)
    assert "panel:compare" not in game.probe.targets()
