"""Renders the game's pictures: `python -m art.render --all`, or one family, or one job of it.

    python -m art.render --list
    python -m art.render machines/decode_core --quality draft
    python -m art.render --all --quality final

Rendering needs PyPI's bpy 4.2.0 (Python 3.11), numpy and Pillow; see art/README.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from art import compose, darkroom, flat

ROOT = Path(__file__).resolve().parent.parent
SCENES = ROOT / "scenes"
PLACED = (
    "prefill_core",
    "decode_core",
    "page_allocator",
    "draft_model",
    "validation_gate",
    "model_server",
    "batcher",
    "chunker",
    "prefix_cache",
    "gateway",
    "router",
    "api_port",
)
"""Machine kinds that a player may place: each has an icon."""
QUALITIES = {"draft": 12, "final": 40}

Job = Callable[[int], None]


def _pair(folder: Path, name: str, make: Callable[[int], tuple[darkroom.Image, darkroom.Image]]) -> Job:
    def job(samples: int) -> None:
        base, glow = make(samples)
        darkroom.save(base, folder / f"{name}_base.png")
        darkroom.save(glow, folder / f"{name}_glow.png")

    return job


def _single(path: Path, make: Callable[[int], darkroom.Image]) -> Job:
    return lambda samples: darkroom.save(make(samples), path)


def rendered_jobs() -> dict[str, Job]:
    """The jobs that need Blender, by name: family/picture."""
    from art import sprites, title
    from art.models import MACHINES, belt, packet

    jobs: dict[str, Job] = {}
    for kind, entry in MACHINES.items():
        for rot in entry.rotations:
            folder = SCENES / "floor/machines" / kind
            jobs[f"machines/{kind}_{rot}"] = _pair(
                folder, f"{kind}_{rot}", lambda n, kind=kind, rot=rot: sprites.machine(kind, rot, n)
            )
    for variant in range(3):
        jobs[f"tiles/tile_{variant}"] = _single(
            SCENES / f"floor/tiles/tile_{variant}.png", lambda n, v=variant: sprites.floor_tile(v, n)
        )
    for side in ("s", "e"):
        jobs[f"tiles/edge_{side}"] = _single(
            SCENES / f"floor/tiles/edge_{side}.png", lambda n, side=side: sprites.floor_edge(side, n)
        )
    for name in belt.piece_names():
        enter, leave = name.split("_")
        jobs[f"tiles/belt_{name}"] = _single(
            SCENES / f"floor/tiles/belt_{name}.png", lambda n, a=enter, b=leave: sprites.belt_piece(a, b, n)
        )
    for kind in packet.KINDS:
        jobs[f"packets/{kind}"] = _single(
            SCENES / f"floor/packets/{kind}.png", lambda n, kind=kind: sprites.packet_sprite(kind, n)
        )
    for variant in range(2):
        jobs[f"decor/rack_{variant}"] = _pair(
            SCENES / "floor/decor", f"rack_{variant}", lambda n, v=variant: sprites.decor_rack(v, n)
        )
    jobs["decor/cooler"] = _pair(SCENES / "floor/decor", "cooler", sprites.decor_cooler)
    for name, end in (("cable", False), ("cable_end", True)):
        jobs[f"decor/{name}"] = _single(
            SCENES / f"floor/decor/{name}.png", lambda n, end=end: sprites.cable_piece(end, n)
        )
    jobs["title/title_background"] = _single(SCENES / "title/title_background.png", title.background)
    return jobs


def drawn_jobs() -> dict[str, Job]:
    """The jobs that need no Blender; those that show a machine use its finished sprite."""
    jobs: dict[str, Job] = {}
    for name, borders in flat.PAD_PIECES.items():
        jobs[f"pads/pad_{name}"] = _single(
            SCENES / f"floor/pads/pad_{name}.png", lambda _n, borders=borders: flat.pad_piece(borders)
        )
    jobs["pads/glow_disc"] = _single(SCENES / "floor/pads/glow_disc.png", lambda _n: flat.soft_disc())
    jobs["tiles/backdrop"] = _single(SCENES / "floor/tiles/backdrop.png", lambda _n: flat.backdrop())

    icons = SCENES / "theme/icons"

    def drawn_icons(_samples: int) -> None:
        for name, picture in flat.icons().items():
            darkroom.save(picture, icons / f"{name}.png")

    def machine_icon(kind: str) -> Job:
        stem = SCENES / "floor/machines" / kind / f"{kind}_0"
        return _single(
            icons / f"{kind}.png",
            lambda _n: compose.tool_icon(Path(f"{stem}_base.png"), Path(f"{stem}_glow.png")),
        )

    jobs["icons/drawn"] = drawn_icons
    for kind in PLACED:
        jobs[f"icons/{kind}"] = machine_icon(kind)
    jobs["icons/belt"] = _single(
        icons / "belt.png", lambda _n: compose.tool_icon(SCENES / "floor/tiles/belt_w_e.png", None)
    )
    eye = SCENES / "floor/machines/decode_core"
    jobs["icons/game"] = _single(
        ROOT / "icon.png",
        lambda _n: compose.game_icon(eye / "decode_core_0_base.png", eye / "decode_core_0_glow.png"),
    )
    jobs["title/splash"] = _single(
        SCENES / "title/splash.png",
        lambda _n: compose.splash(ROOT / "icon.png", SCENES / "theme/fonts/Inter-SemiBold.otf"),
    )
    return jobs


def main(arguments: list[str] | None = None) -> int:
    """The command line. Gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m art.render", description="Renders the game's pictures.")
    parser.add_argument("names", nargs="*", help="jobs or beginnings of job names, such as machines/decode_core")
    parser.add_argument("--all", action="store_true", help="every picture")
    parser.add_argument("--list", action="store_true", help="only list the jobs")
    parser.add_argument("--drawn", action="store_true", help="the pictures that need no Blender")
    parser.add_argument("--quality", choices=QUALITIES, default="final")
    parser.add_argument("--samples", type=int, help="samples a pixel, instead of the quality's")
    chosen = parser.parse_args(arguments)

    jobs = drawn_jobs() if chosen.drawn else {**rendered_jobs(), **drawn_jobs()}
    if chosen.list:
        print("\n".join(jobs))
        return 0
    everything = chosen.all or (chosen.drawn and not chosen.names)
    picked = [n for n in jobs if everything or any(n.startswith(want) for want in chosen.names)]
    if not picked:
        parser.error("no such picture; --list shows the names")
    samples = chosen.samples or QUALITIES[chosen.quality]
    for name in picked:
        begun = time.monotonic()
        jobs[name](samples)
        print(f"art: {name} {time.monotonic() - begun:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
