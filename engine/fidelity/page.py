"""`docs/fidelity.md`, put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.fidelity import batching, data, kernels, memory, served, simplified, speculation, supply
from engine.fidelity.table import Section

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fidelity.md"
SECTIONS: Sequence[Section] = (
    served.SECTION,
    kernels.SECTION,
    kernels.STREAM_SECTION,
    memory.CAPACITY,
    memory.PAPER_FIGURES,
    memory.SHARED,
    *batching.SECTIONS,
    speculation.SECTION,
    *simplified.SECTIONS,
    *supply.SECTIONS,
)
_HEAD = """# How true the game is

Each rule, how far it is from what was measured or published, and where that comes from. Every number of ours on this
page, and every error, was computed by the engine that the game runs on: `python -m engine fidelity --write` wrote it.
Errors are ours against theirs: +5 % is five per cent too much. Secondary sources quote figures that we have not seen at
their origin.
"""


def files() -> list[str]:
    """The measured files that the whole page needs."""
    return list(dict.fromkeys(name for section in SECTIONS for name in section.data))


def unavailable() -> dict[str, list[str]]:
    """Sections that cannot be computed here, by title, and the files that they lack."""
    return {section.title: lacking for section in SECTIONS if (lacking := data.missing(section.data))}


def page() -> str:
    """The whole page; needs all measured files."""
    made_with = [f"- `{name}` (SHA-256 {data.fingerprint(name)}...)" for name in files()]
    foot = [
        "## Made with",
        "",
        "Measured files, found through `TOKEN_FACTORY_DATA` or in `shared/data`:",
        "",
        *made_with,
    ]
    return "\n".join([_HEAD, *(section.markdown() for section in SECTIONS), *foot, ""])
