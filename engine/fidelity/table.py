"""A table of the page, and what it needs to be computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill

from attrs import field, frozen

Row = tuple[str, ...]


@frozen
class Section:
    """A subject of the page: a few words, a table, and the command that computes it anew."""

    id: str
    title: str
    header: Row
    rows: Callable[[], Sequence[Row]]
    text: str = ""
    data: Sequence[str] = field(factory=tuple)
    """Measured files that it needs, relative to the data folder."""
    commands: Sequence[str] = field(factory=tuple)
    """Further commands that show the same."""

    def markdown(self) -> str:
        """The section as the page has it."""
        lines = [f"## {self.title}", ""]
        if self.text:
            lines += [fill(self.text, 120, break_long_words=False, break_on_hyphens=False), ""]
        lines += [_line(self.header), _line(tuple("---" for _ in self.header))]
        lines += [_line(row) for row in self.rows()]
        commands = [f"python -m engine fidelity --only {self.id}", *self.commands]
        lines += ["", "Computed anew by:", "", *(f"- `{command}`" for command in commands), ""]
        return "\n".join(lines)


def _line(cells: Row) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def percent(ours: float, theirs: float) -> str:
    """The error of ours in per cent of theirs."""
    return f"{(ours / theirs - 1) * 100:+.1f} %"


def share(part: float) -> str:
    """A part of the whole in per cent."""
    return f"{part * 100:.0f} %"


def points(ours: float, theirs: float) -> str:
    """The difference of two shares given in per cent."""
    return f"{ours - theirs:+.1f} points"
