"""Pictures that need no renderer: the pads' lit outline, tool icons, the backdrop. All in display values."""

from __future__ import annotations

import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from art import darkroom, palette
from art.palette import Image

PAD_CANVAS = (384, 224)
PAD_PIVOT = (192, 112)
PAD_INSET = 0.07
PAD_ROUND = 0.10

# Which borders of the pad a piece lies at.
PAD_PIECES: dict[str, str] = {
    "nw": "nw",
    "n": "n",
    "ne": "ne",
    "w": "w",
    "c": "",
    "e": "e",
    "sw": "sw",
    "s": "s",
    "se": "se",
}


def pad_piece(borders: str) -> Image:
    """The additive light of one tile of a pad: a bright line inside the given borders and its spill on the floor.

    A piece lights its own tile and, at a border, the floor up to half a tile outside it; pieces side by side meet
    without overlap. Straight RGBA.
    """
    width, height = PAD_CANVAS
    cols = (np.arange(width) + 0.5 - PAD_PIVOT[0]) / 256
    rows = (np.arange(height) + 0.5 - PAD_PIVOT[1]) / 128
    x = cols[None, :] + rows[:, None]  # grid axes, the tile is -0.5 .. 0.5
    y = rows[:, None] - cols[None, :]
    far = np.full_like(x, 9.0)
    reach = 0.5 - PAD_INSET
    # Signed distance to the pad's inset outline: negative inside. A side without border is far away.
    dx = np.maximum(x - reach if "e" in borders else -far, -x - reach if "w" in borders else -far)
    dy = np.maximum(y - reach if "s" in borders else -far, -y - reach if "n" in borders else -far)
    qx, qy = dx + PAD_ROUND, dy + PAD_ROUND
    distance = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - PAD_ROUND
    own = (
        (x >= (-1.0 if "w" in borders else -0.5))
        & (x < (1.0 if "e" in borders else 0.5))
        & (y >= (-1.0 if "n" in borders else -0.5))
        & (y < (1.0 if "s" in borders else 0.5))
    )
    line = np.clip((0.020 - np.abs(distance)) / 0.008 + 0.5, 0, 1)
    near = np.exp(-np.abs(distance) / 0.035) * 0.34
    spill = np.where(distance < 0, np.exp(distance / 0.26) * 0.20, np.exp(-distance / 0.10) * 0.20)
    inside = np.where(distance < 0, 0.030, 0)
    outer = np.clip((0.42 - distance) / 0.3, 0, 1)
    light = np.clip(line * 0.92 + (near + spill) * outer * (1 - line) + inside, 0, 1) * own
    core = np.clip(line, 0, 1)[:, :, None]
    tint = np.array(palette.display("pad"), np.float32)
    colour = tint * (1 - core) + np.minimum(tint * 1.0 + 0.16, 1) * core
    piece = np.concatenate((colour, light[:, :, None]), axis=2).astype(np.float32)
    piece[:, :, 3:4] *= darkroom.fade_border(piece.shape[:2], 4)
    return piece


def soft_disc(size: int = 128) -> Image:
    """A white disc of light that falls off smoothly: for any additive glow that the view tints."""
    axis = (np.arange(size) + 0.5) / size * 2 - 1
    r = np.hypot(axis[None, :], axis[:, None])
    light = np.clip(1 - r * 1.03, 0, 1) ** 2.2
    return np.dstack((np.ones((size, size, 3), np.float32), light)).astype(np.float32)


def backdrop(width: int = 1280, height: int = 720) -> Image:
    """The dark space behind the floor: a faint bluish glow in the middle, dithered against banding. Opaque RGB."""
    x = (np.arange(width) + 0.5) / width * 2 - 1
    y = (np.arange(height) + 0.5) / height * 2 - 1
    r = np.clip(np.hypot(x[None, :] * 0.95, (y[:, None] + 0.05) * 0.9), 0, 1)[:, :, None]
    near, rim = np.array((26, 32, 50)) / 255, np.array((8, 10, 16)) / 255
    mix = (1 - r) ** 1.6
    noise = np.random.default_rng(3).uniform(-0.5, 0.5, (height, width, 1)) / 255
    return np.clip(rim + (near - rim) * mix + noise, 0, 1).astype(np.float32)


ICON = 64
_SCALE = 8


def _icon_sheet() -> tuple[Pictures.Image, ImageDraw.ImageDraw]:
    sheet = Pictures.new("L", (ICON * _SCALE, ICON * _SCALE), 0)
    return sheet, ImageDraw.Draw(sheet)


def _icon(sheet: Pictures.Image, colour: str = "text") -> Image:
    small = np.asarray(sheet.resize((ICON, ICON), Pictures.Resampling.LANCZOS), np.float32) / 255
    tint = np.array(palette.display(colour), np.float32)
    return np.dstack((np.broadcast_to(tint, (ICON, ICON, 3)), small)).astype(np.float32)


def _line(draw: ImageDraw.ImageDraw, points: list[tuple[float, float]], width: float = 5) -> None:
    """A stroke with round ends and joints, in icon pixels."""
    scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
    draw.line(scaled, fill=255, width=int(width * _SCALE), joint="curve")
    r = width * _SCALE / 2
    for x, y in (scaled[0], scaled[-1]):
        draw.ellipse((x - r, y - r, x + r, y + r), fill=255)


def icons() -> dict[str, Image]:
    """The drawn icons, by name."""
    made: dict[str, Image] = {}

    sheet, draw = _icon_sheet()
    for left in (18, 36):
        draw.rounded_rectangle([v * _SCALE for v in (left, 14, left + 10, 50)], 3 * _SCALE, fill=255)
    made["pause"] = _icon(sheet)

    sheet, draw = _icon_sheet()
    outline = [(22, 15), (22, 49), (49, 32)]
    draw.polygon([(x * _SCALE, y * _SCALE) for x, y in outline], fill=255)
    _line(draw, [*outline, outline[0]], 5)
    made["play"] = _icon(sheet)

    sheet, draw = _icon_sheet()
    _line(draw, [(14, 19), (50, 19)])
    _line(draw, [(25, 19), (27, 12), (37, 12), (39, 19)])
    _line(draw, [(18, 20), (21, 52), (43, 52), (46, 20)])
    for x in (27, 37):
        _line(draw, [(x, 28), (x, 43)], 4)
    made["delete"] = _icon(sheet)

    sheet, draw = _icon_sheet()
    box = [v * _SCALE for v in (13, 13, 51, 51)]
    draw.arc(box, -45, 240, fill=255, width=5 * _SCALE)
    end = (32 + 16.5 * np.cos(np.radians(240)), 32 + 16.5 * np.sin(np.radians(240)))
    start = (32 + 16.5 * np.cos(np.radians(-45)), 32 + 16.5 * np.sin(np.radians(-45)))
    r = 2.5
    draw.ellipse([v * _SCALE for v in (start[0] - r, start[1] - r, start[0] + r, start[1] + r)], fill=255)
    tangent = (-np.sin(np.radians(240)), np.cos(np.radians(240)))
    head = [
        (end[0] + tangent[0] * a - tangent[1] * b, end[1] + tangent[1] * a + tangent[0] * b)
        for a, b in ((12, 0), (-2, 9), (-2, -9))
    ]
    draw.polygon([(x * _SCALE, y * _SCALE) for x, y in head], fill=255)
    made["rotate"] = _icon(sheet)

    sheet, draw = _icon_sheet()
    arrow = [(18, 11), (18, 49), (27.5, 40.5), (33.5, 54), (40, 51), (34, 38), (46, 37.5)]
    draw.polygon([(x * _SCALE, y * _SCALE) for x, y in arrow], fill=255)
    _line(draw, [*arrow, arrow[0]], 2.5)
    made["select"] = _icon(sheet)
    return made
