"""Every sound of the game: as its script makes it, small, and played by name."""

import re
import wave
from pathlib import Path

import numpy as np
import pytest

from art.sounds.__main__ import samples
from art.sounds.effects import EFFECTS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scenes" / "sound"
MOST_BYTES = 40_000
MOST_BYTES_TOGETHER = 500_000
SLACK = 2  # of 32767: another numpy may round otherwise
PLAYED = re.compile(r'_play\("(\w+)"|"play", "(\w+)"|: "(\w+)",')


def recorded(name: str) -> np.ndarray:
    with wave.open(str(FOLDER / f"{name}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(int)


@pytest.mark.parametrize("name", EFFECTS)
def test_a_sound_is_what_its_script_makes_and_ends_in_silence(name: str) -> None:
    sound = recorded(name)
    made = np.frombuffer(samples(EFFECTS[name]()), "<i2").astype(int)
    assert len(sound) == len(made)
    assert np.abs(sound - made).max() <= SLACK
    assert np.abs(sound[-5:]).max() < 100
    assert 0.05 < (sound / 32768).std() < 0.4


def test_sounds_are_small_and_all_made_by_the_script() -> None:
    sizes = {path.stem: path.stat().st_size for path in FOLDER.glob("*.wav")}
    assert set(sizes) == set(EFFECTS)
    assert max(sizes.values()) < MOST_BYTES
    assert sum(sizes.values()) < MOST_BYTES_TOGETHER


def test_what_the_scenes_play_is_there() -> None:
    text = (ROOT / "scenes/level/responses.gd").read_text("utf-8")
    text += (ROOT / "scenes/theme/button_feel.gd").read_text("utf-8")
    names = {name for match in PLAYED.findall(text) for name in match if name}
    assert len(names) > 12
    assert names <= set(EFFECTS)
