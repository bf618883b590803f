"""The game's colours, in one place, and the conversions between display (sRGB) and linear light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rgb = tuple[float, float, float]
Image = NDArray[np.float32]

HEX: dict[str, str] = {
    "prompt": "#40DE80",
    "kv": "#F054B4",
    "token": "#48B0FA",
    "amber": "#FFB040",
    "reject": "#FF5C5C",
    "select": "#406EDC",
    "pad": "#5AB4FF",
    "text": "#E2E8F4",
    "label": "#8A96B2",
}


def display(name: str) -> Rgb:
    """A named colour as display values from 0 to 1."""
    digits = HEX[name].lstrip("#")
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def linear(name: str) -> Rgb:
    """A named colour as linear light, which is what Blender's materials take."""
    red, green, blue = (float(v) for v in to_linear(np.array(display(name), np.float32)))
    return red, green, blue


def to_linear(values: Image) -> Image:
    """sRGB display values to linear light."""
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)


def to_display(values: Image) -> Image:
    """Linear light to sRGB display values, clipped to 0..1 as Blender's Standard view does."""
    clipped = np.clip(values, 0, 1)
    curved = 1.055 * np.power(clipped, 1 / 2.4, dtype=np.float32) - 0.055
    return np.where(clipped <= 0.0031308, clipped * 12.92, curved).astype(np.float32)
