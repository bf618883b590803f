"""python -m art.sounds: writes every sound effect into scenes/sound/, as 16-bit mono."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np

from art.sounds.effects import EFFECTS
from art.sounds.tones import RATE, Sound

FOLDER = Path(__file__).resolve().parents[2] / "scenes" / "sound"
# All sounds reach the same peak; how loud each is played is the game's.
PEAK = 0.8
FADE_OUT_S = 0.012


def samples(sound: Sound) -> bytes:
    """Return a sound as 16-bit samples, at the common peak, its end faded out."""
    fade = min(len(sound), round(FADE_OUT_S * RATE))
    shape = np.ones(len(sound))
    shape[len(sound) - fade :] = np.linspace(1.0, 0.0, fade)
    shaped = sound * shape
    return bytes(np.round(shaped / np.abs(shaped).max() * PEAK * 32767).astype("<i2").tobytes())


def write(name: str, folder: Path = FOLDER) -> Path:
    """Synthesise one sound and write it."""
    path = folder / f"{name}.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples(EFFECTS[name]()))
    return path


if __name__ == "__main__":
    for each in EFFECTS:
        made = write(each)
        print(f"{made.name}: {made.stat().st_size} bytes")
