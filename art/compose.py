"""Puts finished sprites together: icons of machines and belts, and the game's own icon."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from art import darkroom
from art.palette import Image


def lit(base: Path, glow: Path, strength: float = 1.0) -> Image:
    """A machine with its glow added, as premultiplied display values."""
    body, light = darkroom.load(base), darkroom.load(glow)
    added = light[:, :, :3] * light[:, :, 3:4] * strength
    colour = body[:, :, :3] * body[:, :, 3:4] + added
    alpha = np.clip(np.maximum(body[:, :, 3:4], added.max(axis=2, keepdims=True)), 0, 1)
    return np.concatenate((np.clip(colour, 0, 1), alpha), axis=2).astype(np.float32)


def straight(premultiplied: Image) -> Image:
    """Premultiplied display values to straight ones."""
    alpha = premultiplied[:, :, 3:4]
    colour = np.clip(premultiplied[:, :, :3] / np.maximum(alpha, 1e-4), 0, 1)
    return np.concatenate((colour, alpha), axis=2).astype(np.float32)


def fit(premultiplied: Image, size: int, margin: int, threshold: float = 0.62) -> Image:
    """Crops to the solid part, scales it into a square of `size` with a margin; premultiplied in and out."""
    rows, columns = np.nonzero(premultiplied[:, :, 3] > threshold)
    middle_y, middle_x = (rows.min() + rows.max() + 1) / 2, (columns.min() + columns.max() + 1) / 2
    half = max(np.ptp(rows), np.ptp(columns)) / 2 * size / (size - 2 * margin)
    box = (middle_x - half, middle_y - half, middle_x + half, middle_y + half)
    planes = [
        np.asarray(
            Pictures.fromarray(premultiplied[:, :, i])
            .transform((size * 4, size * 4), Pictures.Transform.EXTENT, box, Pictures.Resampling.BICUBIC)
            .resize((size, size), Pictures.Resampling.BOX)
        )
        for i in range(4)
    ]
    return np.clip(np.dstack(planes), 0, 1).astype(np.float32)


def tool_icon(base: Path, glow: Path | None, size: int = 64) -> Image:
    """A tool's icon from its sprite: the shadow is dropped, the light stays."""
    if glow is not None:
        whole = lit(base, glow, 0.9)
    else:
        body = darkroom.load(base)
        whole = np.concatenate((body[:, :, :3] * body[:, :, 3:4], body[:, :, 3:4]), axis=2)
        whole[:, :, :3] *= 1.7
    solid = np.clip((darkroom.load(base)[:, :, 3:4] - 0.72) / 0.25, 0, 1)
    light = whole[:, :, :3].max(axis=2, keepdims=True) * (1 - solid)
    cut = np.concatenate((whole[:, :, :3] * np.maximum(solid, 0.75), np.clip(solid + light * 0.8, 0, 1)), axis=2)
    small = fit(cut.astype(np.float32), size, 3)
    small *= darkroom.fade_border((size, size), 3)
    return straight(small)


def game_icon(base: Path, glow: Path, size: int = 256) -> Image:
    """The application's icon: a machine, lit, on a dark rounded square."""
    scale = 4
    mask = Pictures.new("L", (size * scale, size * scale), 0)
    edge = 4 * scale
    ImageDraw.Draw(mask).rounded_rectangle((edge, edge, size * scale - edge, size * scale - edge), 52 * scale, fill=255)
    shape = np.asarray(mask.resize((size, size), Pictures.Resampling.LANCZOS), np.float32)[:, :, None] / 255
    down = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
    ground = (1 - down) * np.array((46, 54, 78)) / 255 + down * np.array((15, 18, 28)) / 255
    ground = np.broadcast_to(ground, (size, size, 3))
    figure = fit(lit(base, glow, 1.0), size, 26, 0.95)
    colour = figure[:, :, :3] + ground * (1 - np.clip(figure[:, :, 3:4], 0, 1))
    return np.concatenate((np.clip(colour, 0, 1), shape), axis=2).astype(np.float32)


# The colour behind it is the project's `boot_splash/bg_color`.
SPLASH_GROUND = (10, 13, 22)
SPLASH_SIZE = (480, 320)


def splash(icon: Path, font: Path, name: str = "Token Factory") -> Image:
    """What is seen until the first frame: the game's icon and its name. Opaque."""
    sheet = Pictures.new("RGB", SPLASH_SIZE, SPLASH_GROUND)
    width, height = SPLASH_SIZE
    small = Pictures.open(icon).convert("RGBA").resize((144, 144), Pictures.Resampling.LANCZOS)
    sheet.paste(small, ((width - 144) // 2, 48), small)
    letters = ImageFont.truetype(str(font), 34)
    ImageDraw.Draw(sheet).text((width / 2, height - 76), name, font=letters, fill=(226, 232, 244), anchor="mm")
    return np.asarray(sheet, np.float32) / 255
