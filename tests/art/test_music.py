"""The music's layers loop together, are small, and are all that the scenes play."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from art.sounds import music

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scenes" / "sound" / "music"
MOST_BYTES = 2_500_000


def samples_and_rate(path: Path) -> tuple[int, int]:
    """The length of an Ogg Vorbis file, as its last page tells it, and its rate."""
    data = path.read_bytes()
    start = data.index(b"\x01vorbis")
    (rate,) = struct.unpack_from("<I", data, start + 12)
    (position,) = struct.unpack_from("<q", data, data.rindex(b"OggS") + 6)
    return position, rate


@pytest.mark.parametrize("name", music.LAYERS)
def test_a_layer_has_the_common_length_to_the_sample(name: str) -> None:
    assert samples_and_rate(FOLDER / f"{name}.ogg") == (music.LENGTH, music.RATE)


def test_layers_are_small_and_all_made_and_played() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.ogg")}
    assert set(files) == set(music.LAYERS)
    assert sum(files.values()) < MOST_BYTES
    played = (ROOT / "scenes/sound/music.gd").read_text("utf-8").split("const LAYERS := {")[1].split("\n}")[0]
    assert set(re.findall(r'^\t"(\w+)"', played, re.MULTILINE)) == set(music.LAYERS)


def test_what_sounds_over_the_end_goes_on_at_the_beginning() -> None:
    layer = music.empty()
    music.put(layer, music.LENGTH / music.RATE - 0.1, np.ones(round(0.3 * music.RATE)), 1.0)
    assert layer[:100].min() == 1.0
    assert layer[-100:].min() == 1.0
    assert layer.sum() == 2 * round(0.3 * music.RATE)


def test_sounds_and_layers_are_described_with_what_is_seen() -> None:
    page = (ROOT / "docs" / "sounds.md").read_text("utf-8")
    for path in (ROOT / "scenes" / "sound").rglob("*"):
        if path.suffix in (".wav", ".ogg"):
            assert re.search(rf"\b{path.stem}\b", page), path.stem
