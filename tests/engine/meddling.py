"""A player who meddles with a running factory, by chance but repeatably."""

import random
from typing import Any

from factories import LEVEL_1

from engine.level.spec import Level
from engine.units import PS_PER_S


def meddling(seed: int, count: int, level: Level = LEVEL_1) -> list[tuple[int, dict[str, Any]]]:
    """Commands at random times, most of them sensible, many refused; some at whole minutes, where checkpoints are."""
    dice, span = random.Random(seed), level.end_s * 5 // 6 * PS_PER_S
    times = sorted(dice.choice([dice.randrange(0, span), 60 * PS_PER_S]) for _ in range(count))
    return [(time, any_command(dice, level)) for time in times]


def any_command(dice: random.Random, level: Level) -> dict[str, Any]:
    x, y, rot, id = dice.randrange(12), dice.randrange(8), dice.randrange(4), dice.randrange(3, 14)
    if dice.random() < 0.5:
        x, y = dice.choice([(3, 1), (6, 1), (6, 4), (6, 5), (8, 6), (4, 3)])
    settings = [(name, spec) for specs in level.settings.values() for name, spec in specs.items()]
    name, spec = dice.choice(settings)
    choices: list[dict[str, Any]] = [
        {"do": "place", "kind": dice.choice(sorted(level.allowed)), "x": x, "y": y, "rot": rot},
        {"do": "move", "id": id, "x": x, "y": y, "rot": rot},
        {"do": "remove", "ids": [id]},
        {"do": "set", "id": id, "name": name, "value": dice.randrange(spec.low, spec.high + 1)},
        {"do": "layout", "layout": level.reference},
        {"do": "reboot", "id": id},
    ]
    return {"v": 1, **dice.choice(choices)}
