"""From linear renders to the PNGs that the game loads: halo, additive glow, clean borders, compression."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures

from art.palette import Image, to_display

# What the floor looks like in daylight (linear): the glow is the difference it makes on this floor.
FLOOR = np.array((0.0276, 0.0335, 0.0545), np.float32)


def blur(picture: Image, sigma: float) -> Image:
    """Gaussian blur over the first two axes, with empty surroundings."""
    pad = int(sigma * 3) + 1
    padded = np.pad(picture, ((pad, pad), (pad, pad), (0, 0)))
    fy = np.fft.fftfreq(padded.shape[0])[:, None, None]
    fx = np.fft.rfftfreq(padded.shape[1])[None, :, None]
    transfer = np.exp(-2 * (np.pi * sigma) ** 2 * (fx * fx + fy * fy))
    blurred = np.fft.irfft2(np.fft.rfft2(padded, axes=(0, 1)) * transfer, s=padded.shape[:2], axes=(0, 1))
    return np.clip(blurred[pad:-pad, pad:-pad], 0, None).astype(np.float32)


def halo(emission: Image, scale: float = 1.0) -> Image:
    """The veil of light around bright parts: a tight, a middle and a wide blur (linear RGB in and out)."""
    return (
        0.16 * blur(emission, 3.0 * scale) + 0.16 * blur(emission, 9.0 * scale) + 0.20 * blur(emission, 26.0 * scale)
    ).astype(np.float32)


def fade_border(shape: tuple[int, int], width: int) -> Image:
    """1 inside, falling smoothly to 0 on the outermost pixels; shape (height, width, 1)."""
    rows, columns = np.arange(shape[0]), np.arange(shape[1])
    rows = np.minimum(rows, shape[0] - 1 - rows)
    columns = np.minimum(columns, shape[1] - 1 - columns)
    depth = np.clip(np.minimum(rows[:, None], columns[None, :]) / width, 0, 1)
    return (depth * depth * (3 - 2 * depth)).astype(np.float32)[:, :, None]


def over(front: Image, floor: Image = FLOOR) -> Image:
    """A premultiplied linear picture laid over the floor's colour; linear RGB."""
    return front[:, :, :3] + (1 - front[:, :, 3:4]) * floor


# The light that falls from lamps on their surroundings is shown stronger than it is: on a dark floor it
# would be missed.
SPILL_GAIN = 2.6


def _filled(spill: Image, lamps: NDArray[np.bool_]) -> Image:
    """The spill with the lamps' own pixels, where it is not known, filled in from around them."""
    known = (blur(lamps.astype(np.float32), 0.8) < 0.02).astype(np.float32)
    around = blur(spill * known, 2.5) / np.maximum(blur(known, 2.5), 0.02)
    return (spill * known + around * (1 - known)).astype(np.float32)


def glow(base: Image, light: Image, emission: Image) -> Image:
    """The additive picture: what the lamps add, on the screen, to the base picture over the floor.

    All linear; `light` (the lamps and what they shine on, without day) at half the size. The answer is straight
    RGBA in display values with rgb * alpha = the light to add, so that `base + glow` is the fully lit machine,
    and half the glow is a half-lit one.
    """
    dark = to_display(over(base))
    lamps = emission[:, :, :3]
    height, width = base.shape[:2]
    small = lamps.reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))
    spill = _filled(np.clip(light[:, :, :3] - small, 0, 0.25), small.max(axis=2, keepdims=True) > 0.01)
    spill = np.dstack(
        [
            np.asarray(Pictures.fromarray(spill[:, :, i]).resize((width, height), Pictures.Resampling.BICUBIC))
            for i in range(3)
        ]
    )
    lit = to_display(over(base) + lamps + spill * SPILL_GAIN + halo(lamps))
    added = np.clip(lit - dark - 0.004, 0, 1) * fade_border(base.shape[:2], 28)
    alpha = added.max(axis=2, keepdims=True)
    colour = np.where(alpha > 0, added / np.maximum(alpha, 1e-6), 0)
    return np.concatenate((colour, alpha), axis=2).astype(np.float32)


def straight(premultiplied: Image) -> Image:
    """Linear premultiplied to straight display values, as PNG keeps them."""
    alpha = np.clip(premultiplied[:, :, 3:4], 0, 1)
    colour = np.where(alpha > 1e-4, premultiplied[:, :, :3] / np.maximum(alpha, 1e-4), 0)
    return np.concatenate((to_display(colour.astype(np.float32)), alpha), axis=2).astype(np.float32)


def clear_border(picture: Image, width: int = 10) -> Image:
    """The picture with its shadow faded to nothing at the canvas edge; what is solid stays."""
    faded = picture.copy()
    keep = fade_border(picture.shape[:2], width)
    solid = np.clip((picture[:, :, 3:4] - 0.85) / 0.1, 0, 1)
    faded[:, :, 3:4] *= keep + (1 - keep) * solid
    return faded


def save(picture: Image, path: Path) -> None:
    """Writes straight display RGBA (0..1) as a PNG; colour under invisible pixels is dropped for size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = np.round(np.clip(picture, 0, 1) * 255).astype(np.uint8)
    if data.shape[2] == 4:
        data[data[:, :, 3] == 0] = 0
    Pictures.fromarray(data, "RGBA" if data.shape[2] == 4 else "RGB").save(path, optimize=True)


def load(path: Path) -> Image:
    """A PNG as straight display RGBA from 0 to 1."""
    return np.asarray(Pictures.open(path).convert("RGBA"), np.float32) / 255
