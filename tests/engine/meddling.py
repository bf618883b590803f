"""A player who meddles with a running factory, by chance but repeatably."""

import random
from typing import Any

from factories import LEVEL_1

from engine.units import PS_PER_S


def meddling(seed: int, count: int) -> list[tuple[int, dict[str, Any]]]:
    """Commands at random times, most of them sensible, many refused; some at whole minutes, where checkpoints are."""
    dice = random.Random(seed)
    times = sorted(dice.choice([dice.randrange(0, 200 * PS_PER_S), 60 * PS_PER_S]) for _ in range(count))
    return [(time, any_command(dice)) for time in times]


def any_command(dice: random.Random) -> dict[str, Any]:
    x, y, rot, id = dice.randrange(12), dice.randrange(8), dice.randrange(4), dice.randrange(3, 14)
    if dice.random() < 0.5:
        x, y = dice.choice([(3, 1), (6, 1), (6, 4), (6, 5), (8, 6)])
    choices: list[dict[str, Any]] = [
        {"do": "place", "kind": dice.choice(["prefill_core", "decode_core"]), "x": x, "y": y, "rot": rot},
        {"do": "move", "id": id, "x": x, "y": y, "rot": rot},
        {"do": "remove", "ids": [id]},
        {"do": "set", "id": id, "name": "max_num_seqs", "value": dice.randrange(1, 9)},
        {"do": "layout", "layout": LEVEL_1.reference},
    ]
    return {"v": 1, **dice.choice(choices)}
