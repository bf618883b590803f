"""The floor behind the title: the first chapter's machines stand there and work, and no level of the campaign is it."""

from engine.level.load import campaign, load
from engine.level.rules import DOCKS
from engine.protocol.session import Session
from tests.engine.test_protocol import ask, give, look

ALL_AT_WORK_S = 30


FIRST_CHAPTER = {kind for level in campaign() if level.number <= 3 for kind in level.allowed}


def test_every_machine_of_the_first_chapter_stands_behind_the_title_and_packets_of_every_kind_move() -> None:
    session = Session()
    assert give(session, do="open", level="title", seed=1)["ok"]
    assert give(session, do="layout", layout=ask(session, ask="reference")["layout"])["ok"]
    assert give(session, do="start")["ok"]
    first = look(session)
    assert set(first["structure"]["machines"]["kind"]) == {*FIRST_CHAPTER, *DOCKS}
    seen: set[str] = set()
    for _ in range(ALL_AT_WORK_S * 2):
        shot = look(session, 0.5)
        seen |= {kind for kind, (count, _) in shot["packets"].items() if count}
        assert not [event for event in shot["events"] if event["code"] == "memory.out"]
    assert seen == {"prompt", "kv", "token", "draft", "reject"}
    assert shot["hud"]["tps"] > 50


def test_the_title_is_no_level_of_the_campaign() -> None:
    assert load("title").id not in [level.id for level in campaign()]
