"""Pictures of mods. What the view opens is drawn anew by the game: of a mod's file, only the pixels are taken over."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from engine.errors import EngineError

MAX_BYTES = 1_000_000
WIDEST, HIGHEST = 1280, 720
"""Pixels."""


def redraw(path: Path, cache: Path) -> Path:
    """A picture as a clean PNG in the cache; EngineError `picture.*`."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise EngineError("picture.large", most=MAX_BYTES)
    from PIL import Image  # only here: without pictures, the game starts sooner

    place = cache / f"{hashlib.sha256(content).hexdigest()}.png"
    if place.is_file():
        return place
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as picture:
            wide, high = picture.size
            if wide > WIDEST or high > HIGHEST:
                raise EngineError("picture.pixels", width=WIDEST, height=HIGHEST)
            pixels = picture.convert("RGBA")
    except EngineError:
        raise
    except Exception as error:  # Pillow raises many kinds for files that are broken
        raise EngineError("picture.broken") from error
    cache.mkdir(parents=True, exist_ok=True)
    temporary = place.with_suffix(".tmp")
    pixels.save(temporary, "PNG", compress_level=1)
    temporary.replace(place)
    return place
