"""Writes a moving picture as a GIF, in a thread of its own, so that the game's frames do not wait for it."""

import ctypes
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from godot import Node, exposed
from PIL import Image

MOST_BYTES = 3_000_000
WIDTHS = (640, 480, 360)
"""The widths that are tried until the file is small enough."""
CALM, VIVID = 168, 87
"""So many colours are kept for all that is seen, and for the few pixels that are packets and lights."""
VIVID_FROM = 64
"""A pixel is vivid whose strongest and weakest of red, green and blue are this far apart."""
SAMPLES = 6
"""So many of the frames give the colours of all, so that nothing flickers."""


@exposed
class GifWriter(Node):
    """Takes frames, then writes them; the view asks how far it is."""

    def _ready(self) -> None:
        self.frames: list[bytes] = []
        self.thread: threading.Thread | None = None
        self.done = 0.0
        self.failure = ""

    def add(self, frame: Any) -> None:
        """Add a frame: rows of red, green and blue bytes."""
        with frame.raw_access() as access:
            self.frames.append(ctypes.string_at(access.get_address(), len(frame)))

    def write(self, path: str, width: int, height: int, frame_ms: int) -> None:
        """Begin to write the frames that were added."""
        frames, self.frames = self.frames, []
        self.done, self.failure = 0.0, ""
        self.thread = threading.Thread(
            target=self._write, args=(frames, str(path), (int(width), int(height)), int(frame_ms)), daemon=True
        )
        self.thread.start()

    def ended(self) -> bool:
        """Whether the file is written, or could not be."""
        return self.thread is None or not self.thread.is_alive()

    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        return self.done

    def problem(self) -> str:
        """Why the file could not be written; "" if it could."""
        return self.failure

    def _write(self, frames: list[bytes], path: str, size: tuple[int, int], frame_ms: int) -> None:
        try:
            for width in WIDTHS:
                data = self._encoded(frames, size, min(width / size[0], 1.0), frame_ms)
                if len(data) <= MOST_BYTES:
                    break
            Path(path).write_bytes(data)
        except Exception as error:  # told to the player; a thread has nobody else to tell
            self.failure = str(error) or type(error).__name__

    def _encoded(self, frames: list[bytes], size: tuple[int, int], scale: float, frame_ms: int) -> bytes:
        smaller = (round(size[0] * scale), round(size[1] * scale))
        pictures = []
        for frame in frames:
            picture = Image.frombytes("RGB", size, frame)
            pictures.append(picture if smaller == size else picture.resize(smaller))
        step = max(1, len(pictures) // SAMPLES)
        samples = pictures[::step]
        sheet = Image.new("RGB", (smaller[0], smaller[1] * len(samples)))
        for index, picture in enumerate(samples):
            sheet.paste(picture, (0, smaller[1] * index))
        colours = _colours(sheet)
        for index, picture in enumerate(pictures):
            pictures[index] = picture.quantize(palette=colours, dither=Image.Dither.NONE)
            self.done = (index + 1) / len(pictures) * 0.8
        file = BytesIO()
        pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=frame_ms, loop=0)
        self.done = 1.0
        return file.getvalue()


def _colours(sheet: Image.Image) -> Image.Image:
    """A picture whose palette serves all frames of the sheet."""
    palette = sheet.quantize(CALM).getpalette() or []
    pixels = np.asarray(sheet).reshape(-1, 3)
    vivid = pixels[pixels.max(axis=1) - pixels.min(axis=1) > VIVID_FROM]
    if len(vivid):
        strip = Image.frombytes("RGB", (len(vivid), 1), vivid.tobytes())
        palette = palette[: 3 * CALM] + (strip.quantize(VIVID).getpalette() or [])[: 3 * VIVID]
    colours = Image.new("P", (1, 1))
    colours.putpalette(palette)
    return colours
