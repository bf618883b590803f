"""A display that nobody sees: Xvfb, and pictures of what it shows."""

from __future__ import annotations

import os
import select
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.paths import LOG, Problem, build_folder

if TYPE_CHECKING:
    from PIL import Image

    from tools.debian_root import Root

WIDTH, HEIGHT = 1280, 720
START_S = 20.0
XWD_VERSION = 7
XWD_COLOUR_BYTES = 12


@dataclass(frozen=True)
class Display:
    """A running virtual display: its X11 name, and the file that holds its pixels."""

    name: str
    pixels: Path

    def picture(self, path: Path) -> None:
        """Save what the display shows now as a picture."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.image().save(path)

    def image(self) -> Image.Image:
        """What the display shows now."""
        from PIL import Image

        dump = self.pixels.read_bytes()
        header = struct.unpack(">25I", dump[:100])
        (size, version, _, depth, width, height, _, order, _, _, _, bits, line) = header[:13]
        colours = header[19]
        if (version, depth, bits) != (XWD_VERSION, 24, 32):
            raise Problem(f"the virtual display has an unexpected format: {version}, {depth} bits in {bits}")
        start = size + colours * XWD_COLOUR_BYTES
        layout = "XRGB" if order else "BGRX"  # the byte order of a pixel, most significant first or last
        return Image.frombytes("RGB", (width, height), dump[start : start + line * height], "raw", layout, line)


@contextmanager
def virtual_display(width: int = WIDTH, height: int = HEIGHT, inside: Root | None = None) -> Iterator[Display]:
    """Run an Xvfb on a free display number for as long as the context lasts; `inside` a Debian root, its own."""
    build_folder()
    read_end, write_end = os.pipe()
    temporary = inside.path / "tmp" if inside else None
    with tempfile.TemporaryDirectory(prefix="factory-display-", dir=temporary) as folder, LOG.open("ab") as log:
        screen = f"{width}x{height}x24"
        pixels = f"/tmp/{Path(folder).name}" if inside else folder
        command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", screen, "-fbdir", pixels, "-nolisten", "tcp"]
        command = inside.command(*command) if inside else command
        try:
            server = subprocess.Popen(command, pass_fds=[write_end], stdout=log, stderr=log)
        except FileNotFoundError:
            os.close(read_end)
            raise Problem("Xvfb is not installed (on Debian: apt-get install xvfb)") from None
        finally:
            os.close(write_end)
        try:
            yield Display(f":{_display_number(read_end)}", Path(folder) / "Xvfb_screen0")
        finally:
            os.close(read_end)
            if inside:
                server.kill()  # what enters the root leaves the milder signal to those in it
            else:
                server.terminate()
            server.wait()


def _display_number(read_end: int) -> int:
    """Return the number that Xvfb writes once it is ready."""
    ready, _, _ = select.select([read_end], [], [], START_S)
    answer = os.read(read_end, 32).strip() if ready else b""
    if not answer:
        raise Problem(f"Xvfb did not start (details in {LOG})")
    return int(answer)
