"""Mock floors put together from the finished sprites, to judge the pictures: `python -m art.preview [FOLDER]`.

They are drawn in the game's order (floor, pads, belts, packets, machines, light) at the base scale, 1280x720.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image as Pictures

from art import darkroom
from art.palette import Image

ROOT = Path(__file__).resolve().parent.parent
FLOOR = ROOT / "scenes/floor"
SIZE = (2560, 1440)
ORIGIN = (1240, 190)
WIDTH, DEPTH = 14, 9


def at(x: float, y: float) -> tuple[float, float]:
    """Grid to pixels, at twice the base scale."""
    return ORIGIN[0] + (x - y) * 128, ORIGIN[1] + (x + y) * 64


class Mock:
    """A canvas to which sprites are added by their pivot."""

    def __init__(self) -> None:
        ground = Pictures.open(FLOOR / "tiles/backdrop.png").convert("RGB").resize(SIZE)
        self.canvas: Image = np.asarray(ground, np.float32) / 255

    def put(self, path: Path, pivot: tuple[int, int], where: tuple[float, float], add: float | None = None) -> None:
        """Lays a sprite over (or adds it, with a strength) so that its pivot falls on `where`."""
        sprite = darkroom.load(path)
        left, top = round(where[0]) - pivot[0], round(where[1]) - pivot[1]
        height, width = sprite.shape[:2]
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + width, SIZE[0]), min(top + height, SIZE[1])
        if x0 >= x1 or y0 >= y1:
            return
        part = sprite[y0 - top : y1 - top, x0 - left : x1 - left]
        under = self.canvas[y0:y1, x0:x1]
        alpha = part[:, :, 3:4]
        if add is None:
            under *= 1 - alpha
            under += part[:, :, :3] * alpha
        else:
            under += part[:, :, :3] * alpha * add
        np.clip(under, 0, 1, out=under)

    def pad(self, x: int, y: int, w: int, h: int) -> None:
        """A GPU pad's light."""
        for i in range(w):
            for j in range(h):
                name = ("n" if j == 0 else "s" if j == h - 1 else "") + ("w" if i == 0 else "e" if i == w - 1 else "")
                self.put(FLOOR / f"pads/pad_{name or 'c'}.png", (192, 112), at(x + i + 0.5, y + j + 0.5), 1.0)

    def machine(self, kind: str, rot: int, x: int, y: int, w: int, h: int, strength: float) -> None:
        """A machine whose first tile is (x, y), lit by `strength`."""
        stem = FLOOR / "machines" / kind / f"{kind}_{rot}"
        where = at(x + w / 2, y + h / 2)
        self.put(Path(f"{stem}_base.png"), (320, 448), where)
        self.put(Path(f"{stem}_glow.png"), (320, 448), where, strength)

    def belt(self, tiles: list[tuple[int, int, str]]) -> None:
        """Belt pieces as (x, y, piece)."""
        for x, y, piece in tiles:
            self.put(FLOOR / f"tiles/belt_{piece}.png", (128, 112), at(x + 0.5, y + 0.5))

    def packet(self, kind: str, x: float, y: float) -> None:
        """A packet at a point of the floor."""
        px, py = at(x, y)
        self.put(FLOOR / f"packets/{kind}.png", (32, 32), (px, py - 14))


def ground() -> Mock:
    """An empty floor."""
    view = Mock()
    for x in range(WIDTH):
        view.put(FLOOR / "tiles/edge_s.png", (132, 68), at(x + 0.5, DEPTH - 0.5))
    for y in range(DEPTH):
        view.put(FLOOR / "tiles/edge_e.png", (132, 68), at(WIDTH - 0.5, y + 0.5))
    for x in range(WIDTH):
        for y in range(DEPTH):
            variant = (0, 0, 0, 0, 1, 0, 0, 2, 0, 0)[(x * 7 + y * 13 + x * y * 3) % 10]
            view.put(FLOOR / f"tiles/tile_{variant}.png", (132, 68), at(x + 0.5, y + 0.5))
    return view


def picture(view: Mock) -> Pictures.Image:
    """What the game shows of it."""
    whole = Pictures.fromarray(np.round(view.canvas * 255).astype(np.uint8), "RGB")
    return whole.resize((1280, 720), Pictures.Resampling.LANCZOS)


def chapter_one() -> Pictures.Image:
    """Two pads with the machines of chapter one."""
    view = ground()
    view.pad(3, 1, 4, 4)
    view.pad(8, 2, 4, 4)
    view.belt([(2, 2, "w_e"), (3, 2, "w_e"), (6, 2, "w_e"), (7, 2, "w_s"), (7, 3, "n_e"), (8, 3, "w_e")])
    view.belt([(10, 3, "w_e"), (11, 3, "w_s"), (11, 4, "n_s"), (11, 5, "n_s"), (11, 6, "n_e")])
    view.belt([(5, 3, "n_s"), (5, 4, "n_s"), (5, 5, "n_e"), (6, 5, "w_e"), (7, 5, "w_e")])
    for i in range(3):
        view.packet("prompt", 2.3 + i * 0.55, 2.5)
    for spot in ((6.3, 2.5), (7.2, 2.5), (7.5, 3.1), (8.3, 3.5), (5.5, 3.4), (5.5, 4.6), (6.4, 5.5)):
        view.packet("kv", *spot)
    view.packet("draft", 10.4, 2.5)
    view.packet("reject", 11.0, 2.5)
    for spot in ((10.3, 3.5), (11.2, 3.5), (11.5, 4.4), (11.5, 5.2), (11.5, 6.1)):
        view.packet("token", *spot)
    view.put(FLOOR / "decor/rack_0_base.png", (160, 400), at(4.5, 0.5))
    view.put(FLOOR / "decor/rack_0_glow.png", (160, 400), at(4.5, 0.5), 1)
    view.put(FLOOR / "decor/rack_1_base.png", (160, 400), at(5.5, 0.5))
    view.put(FLOOR / "decor/rack_1_glow.png", (160, 400), at(5.5, 0.5), 1)
    view.machine("prompt_dock", 0, 0, 2, 2, 2, 1.0)
    view.machine("prefill_core", 0, 4, 2, 2, 1, 1.0)
    view.machine("decode_core", 0, 9, 3, 1, 1, 1.0)
    view.machine("decode_core", 1, 8, 5, 1, 1, 0.3)
    view.machine("page_allocator", 0, 9, 5, 2, 1, 1.0)
    view.machine("draft_model", 1, 9, 2, 1, 1, 1.0)
    view.machine("validation_gate", 0, 12, 3, 1, 1, 1.0)
    view.machine("token_dock", 0, 12, 6, 2, 2, 1.0)
    for rot in range(4):
        w, h = ((2, 1), (1, 2))[rot % 2]
        view.machine("prefill_core", rot, 0 + rot * 2, 6 + (0 if rot % 2 else 1), w, h, 0.8)
    view.put(FLOOR / "decor/rack_0_base.png", (160, 400), at(9.5, 8.5))
    view.put(FLOOR / "decor/rack_0_glow.png", (160, 400), at(9.5, 8.5), 1)
    return picture(view)


def chapter_two() -> Pictures.Image:
    """Two servers behind a gateway and a router, with the machines of chapter one beside them."""
    view = ground()
    view.pad(6, 0, 5, 4)
    view.pad(6, 5, 5, 4)
    view.belt([(2, 4, "w_e"), (5, 4, "w_n"), (5, 3, "s_n"), (5, 2, "s_e"), (6, 2, "w_e")])
    view.belt([(9, 2, "w_e"), (10, 2, "w_e"), (11, 2, "w_s"), (11, 3, "n_s"), (11, 4, "n_e")])
    for x, y in ((2.3, 4.5), (5.5, 3.6), (5.5, 2.9), (6.3, 2.5)):
        view.packet("prompt", x, y)
    for x, y in ((9.4, 2.5), (10.2, 2.5), (11.5, 2.9), (11.5, 3.8)):
        view.packet("token", x, y)
    for kind, rot, x, y, w, h, strength in (
        ("prompt_dock", 0, 0, 3, 2, 2, 1.0),
        ("gateway", 0, 3, 4, 2, 1, 1.0),
        ("prefix_cache", 0, 7, 0, 2, 1, 1.0),
        ("batcher", 0, 6, 1, 1, 1, 1.0),
        ("chunker", 0, 9, 1, 1, 1, 1.0),
        ("model_server", 0, 7, 2, 2, 2, 1.0),
        ("token_dock", 0, 12, 4, 2, 2, 1.0),
        ("gateway", 1, 0, 6, 1, 2, 0.4),
        ("api_port", 0, 2, 6, 2, 2, 1.0),
        ("router", 1, 4, 6, 1, 1, 0.4),
        ("router", 0, 4, 8, 1, 1, 1.0),
        ("prefix_cache", 1, 6, 6, 1, 2, 0.4),
        ("model_server", 2, 8, 5, 2, 2, 0.4),
        ("batcher", 2, 7, 6, 1, 1, 0.4),
        ("chunker", 1, 7, 7, 1, 1, 0.4),
        ("decode_core", 0, 10, 5, 1, 1, 1.0),
        ("page_allocator", 0, 8, 8, 2, 1, 1.0),
        ("api_port", 2, 11, 7, 2, 2, 0.4),
    ):
        view.machine(kind, rot, x, y, w, h, strength)
    return picture(view)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build"
    folder.mkdir(parents=True, exist_ok=True)
    for number, chapter in enumerate((chapter_one, chapter_two), 1):
        target = folder / f"art_preview_{number}.png"
        chapter().save(target)
        print(f"art: wrote {target}")
