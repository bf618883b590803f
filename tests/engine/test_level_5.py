"""Level 5: chunks that are too large are felt by the chats, chunks that are too small by the documents."""

import pytest
from factories import do, new, run

from engine.diagnosis.search import Search
from engine.diagnosis.what_if import WhatIf
from engine.floor.layout import layout_from_data
from engine.level.load import load
from engine.simulation import Simulation

LEVEL_5 = load("5")
PAUSE, TTFT = "pause_p95 chat", "ttft_p95 documents"


def ran(chunk: int, seed: int = 1, slots: int = 32) -> Simulation:
    game = new(seed, LEVEL_5)
    do(game, "layout", layout=LEVEL_5.reference)
    for id, machine in game.floor.machines.items():
        if machine.stand.kind.name == "chunker":
            do(game, "set", id=id, name="chunk_tokens", value=chunk)
        if machine.stand.kind.name == "model_server":
            do(game, "set", id=id, name="max_num_seqs", value=slots)
    return run(game)


def missed(game: Simulation) -> list[str]:
    return [judgement.goal.name for judgement in game.judge() if not judgement.met]


@pytest.mark.parametrize(
    ("chunk", "fails"),
    [(2_048, [PAUSE]), (1_024, [PAUSE]), (704, [PAUSE]), (576, []), (512, []), (384, [])],
)
def test_about_512_tokens_win(chunk: int, fails: list[str]) -> None:
    assert missed(ran(chunk)) == fails


@pytest.mark.parametrize("chunk", [128, 224])
def test_small_chunks_let_the_document_wait(chunk: int) -> None:
    assert missed(ran(chunk)) == [TTFT]


def test_few_slots_do_not_help_either() -> None:
    """Who waits for a slot has no token that could pause."""
    assert TTFT in missed(ran(2_048, slots=4))


def test_the_fix_that_is_named_to_a_newcomer_is_a_chunker_of_512() -> None:
    search = Search(WhatIf(LEVEL_5, 1), layout_from_data(LEVEL_5.naive))
    search.work(lambda: False)
    assert search.fix is not None
    assert [(step.code, step.params.get("kind"), step.params.get("value")) for step in search.fix.steps] == [
        ("fix.add", "chunker", None),
        ("fix.set", "chunker", 512),
    ]
    assert search.after is not None
    assert search.after.unmet == ()
