"""./factory screens: play level 1 on a virtual display and keep a picture of it for the README."""

import shutil

from tools import autoplay
from tools.paths import ROOT, Problem
from tools.process import say

PICTURE = ROOT / "docs" / "pictures" / "level_1.png"


def run(arguments: list[str]) -> int:
    """Carry out ./factory screens."""
    if arguments:
        raise Problem("screens takes no arguments", status=2)
    status = autoplay.play()
    if status == 0:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(autoplay.SCREENS / "running.png", PICTURE)
        say(f"kept {PICTURE.relative_to(ROOT)}")
    return status
