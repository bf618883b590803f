"""The music is as full as the goal is near, and only a drone while a core is out of memory."""

import json
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.godot


def test_layers_follow_the_share_of_the_target(run_script: Callable[..., str]) -> None:
    told = json.loads(next(line for line in run_script("music_follows.gd").splitlines() if line.startswith("{")))
    heard = {share: {name for name, loud in layers.items() if loud > 0} for share, layers in told.items()}
    assert heard == {
        "0": {"ground"},
        "0.4": {"ground", "pulse"},
        "0.7": {"ground", "pulse", "steps"},
        "1.1": {"ground", "pulse", "steps", "shine"},
        "stopped": {"ground", "drone"},
    }
