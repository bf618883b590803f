"""Every sound effect of the game by its name, as scenes/sound/sounds.gd plays it."""

from __future__ import annotations

from collections.abc import Callable

from art.sounds.tones import BELL, Sound, breath, click, mixed, struck, sweep


def place() -> Sound:
    """Return something heavy set down on the floor."""
    return mixed(
        (0.0, 0.9, sweep(190, 62, 0.16, 0.05)), (0.0, 0.35, click(0.03, 3500, 1)), (0.01, 0.3, struck("D5", 0.16, 0.05))
    )


def turn() -> Sound:
    """Return a ratchet: two knocks, the second higher."""
    return mixed(
        (0.0, 0.5, click(0.025, 2600, 2)),
        (0.045, 0.6, click(0.025, 4200, 3)),
        (0.045, 0.3, struck("A5", 0.07, 0.025)),
    )


def connect() -> Sound:
    """Return a light that runs along a belt: three rising notes over a breath of air."""
    return mixed(
        (0.0, 0.5, struck("D5", 0.2, 0.06)),
        (0.05, 0.55, struck("A5", 0.2, 0.06)),
        (0.1, 0.6, struck("D6", 0.25, 0.08)),
        (0.0, 0.14, breath(0.2, 1200, 6000, 4)),
    )


def remove() -> Sound:
    """Return something taken away: a falling tone and air."""
    return mixed((0.0, 0.7, sweep(420, 110, 0.16, 0.07)), (0.0, 0.2, breath(0.14, 700, 3000, 5)))


def select() -> Sound:
    """Return one soft note."""
    return mixed((0.0, 0.7, struck("A5", 0.1, 0.03)), (0.0, 0.2, click(0.015, 5000, 6)))


def refuse() -> Sound:
    """Return two dull low knocks."""
    knock = mixed((0.0, 0.8, sweep(150, 120, 0.09, 0.03)), (0.0, 0.25, click(0.03, 900, 7)))
    return mixed((0.0, 0.9, knock), (0.09, 1.0, knock))


def undo() -> Sound:
    """Return a step down."""
    return mixed((0.0, 0.6, struck("D6", 0.12, 0.04)), (0.07, 0.7, struck("A5", 0.16, 0.05)))


def redo() -> Sound:
    """Return a step up."""
    return mixed((0.0, 0.6, struck("A5", 0.12, 0.04)), (0.07, 0.7, struck("D6", 0.16, 0.05)))


def copy() -> Sound:
    """Return the same light note twice."""
    return mixed((0.0, 0.5, struck("F#6", 0.08, 0.025)), (0.06, 0.5, struck("F#6", 0.1, 0.03)))


def paste() -> Sound:
    """Return many things set down at once."""
    return mixed(
        (0.0, 0.8, sweep(200, 70, 0.16, 0.05)),
        (0.0, 0.4, struck("D5", 0.2, 0.06)),
        (0.03, 0.4, struck("F#5", 0.2, 0.06)),
        (0.06, 0.4, struck("A5", 0.22, 0.07)),
    )


def start() -> Sound:
    """Return a factory that comes to life: a rising swell with three notes."""
    return mixed(
        (0.0, 0.5, sweep(70, 150, 0.4, 0.3)),
        (0.0, 0.4, struck("D4", 0.5, 0.18)),
        (0.08, 0.45, struck("A4", 0.5, 0.18)),
        (0.16, 0.5, struck("D5", 0.55, 0.2)),
        (0.0, 0.1, breath(0.4, 500, 4000, 8)),
    )


def pause() -> Sound:
    """Return two notes that come to rest."""
    return mixed((0.0, 0.6, struck("A4", 0.16, 0.05)), (0.08, 0.6, struck("D4", 0.24, 0.08)))


def go_on() -> Sound:
    """Return two notes that set off again."""
    return mixed((0.0, 0.6, struck("D4", 0.16, 0.05)), (0.08, 0.6, struck("A4", 0.22, 0.07)))


def step() -> Sound:
    """Return one tooth of a clockwork."""
    return mixed((0.0, 0.6, click(0.03, 3000, 9)), (0.0, 0.5, struck("D5", 0.12, 0.035)))


def tick() -> Sound:
    """Return the tick of a button or a slider."""
    return mixed((0.0, 0.8, click(0.018, 4500, 10)), (0.0, 0.35, struck("B5", 0.04, 0.012)))


def open_panel() -> Sound:
    """Return air that rises to a note."""
    return mixed(
        (0.0, 0.3, breath(0.12, 900, 5000, 11)),
        (0.0, 0.35, sweep(330, 660, 0.1, 0.06)),
        (0.05, 0.4, struck("A5", 0.14, 0.04)),
    )


def close_panel() -> Sound:
    """Return air that falls."""
    return mixed((0.0, 0.3, breath(0.12, 700, 3000, 12)), (0.0, 0.45, sweep(560, 260, 0.12, 0.06)))


def crash() -> Sound:
    """Return a machine that breaks down: a deep fall, debris, and silence."""
    return mixed(
        (0.0, 0.9, sweep(240, 38, 0.7, 0.3)),
        (0.0, 0.55, sweep(361, 57, 0.5, 0.2)),
        (0.0, 0.5, click(0.35, 2200, 13)),
        (0.09, 0.3, click(0.2, 1400, 14)),
    )


def goal_met() -> Sound:
    """Return a small bell, twice."""
    return mixed((0.0, 0.5, struck("A5", 0.5, 0.16, BELL)), (0.09, 0.55, struck("D6", 0.6, 0.2, BELL)))


def win() -> Sound:
    """Return a chord that climbs."""
    notes = ("D5", "F#5", "A5", "D6", "F#6")
    return mixed(
        *((0.085 * at, 0.4, struck(note, 0.85 - 0.085 * at, 0.24, BELL)) for at, note in enumerate(notes)),
        (0.0, 0.4, struck("D4", 0.8, 0.3)),
    )


def lose() -> Sound:
    """Return three notes that fall into the minor."""
    return mixed(
        (0.0, 0.5, struck("A4", 0.4, 0.14)), (0.16, 0.5, struck("F4", 0.45, 0.16)), (0.32, 0.6, struck("D4", 0.55, 0.2))
    )


def deliver() -> Sound:
    """Return a drop that falls into water: tokens reach their user."""
    return mixed((0.0, 0.5, sweep(620, 1180, 0.07, 0.03)), (0.02, 0.35, struck("A6", 0.12, 0.035)))


def reject() -> Sound:
    """Return a dull tap: a draft is thrown away."""
    return mixed((0.0, 0.7, sweep(300, 170, 0.08, 0.03)), (0.0, 0.2, click(0.02, 1800, 15)))


EFFECTS: dict[str, Callable[[], Sound]] = {
    "place": place,
    "turn": turn,
    "connect": connect,
    "remove": remove,
    "select": select,
    "refuse": refuse,
    "undo": undo,
    "redo": redo,
    "copy": copy,
    "paste": paste,
    "start": start,
    "pause": pause,
    "go_on": go_on,
    "step": step,
    "tick": tick,
    "open": open_panel,
    "close": close_panel,
    "crash": crash,
    "goal_met": goal_met,
    "win": win,
    "lose": lose,
    "deliver": deliver,
    "reject": reject,
}
