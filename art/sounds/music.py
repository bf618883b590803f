"""The music: layers of one length that loop together, so that any of them may be heard with any other.

    python -m art.sounds.music        # writes scenes/sound/music/*.ogg; needs numpy and soundfile

Sixteen bars in D at a walking pace. What sounds over the end goes on at the beginning, so there is no seam.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).resolve().parents[2] / "scenes" / "sound" / "music"
RATE = 32_000
BEAT_S = 0.75
BARS, BEATS = 16, 4
LENGTH = round(BARS * BEATS * BEAT_S * RATE)
# Compression of the Ogg Vorbis files, from 0 (largest) to 1.
COMPRESSION = 0.75
PEAK = 0.7

Layer = NDArray[np.float64]  # (LENGTH, 2)

# Two bars each, as MIDI notes: D add 9, B minor 7, G major 7, A suspended; F sharp minor 7, B minor 7, E minor 9, A 7.
CHORDS = (
    (50, 57, 62, 64, 66),
    (47, 54, 57, 62, 66),
    (43, 50, 55, 59, 66),
    (45, 52, 57, 59, 64),
    (42, 49, 57, 61, 64),
    (47, 54, 57, 62, 66),
    (40, 47, 55, 59, 66),
    (45, 52, 57, 61, 67),
)
SCALE = (62, 64, 66, 69, 71, 74, 76, 78)


def hz(note: float) -> float:
    """The pitch of a MIDI note."""
    return float(440.0 * 2 ** ((note - 69) / 12))


def seconds(count: float) -> Layer:
    """The times of so many seconds of samples."""
    return np.arange(round(count * RATE)) / RATE


def empty() -> Layer:
    """Silence."""
    return np.zeros((LENGTH, 2))


def put(layer: Layer, at_s: float, sound: Layer, loudness: float, side: float = 0.0) -> None:
    """Add a mono sound at a time, from the left (-1) to the right (1); past the end it goes on at the beginning."""
    places = (round(at_s * RATE) + np.arange(len(sound))) % LENGTH
    for channel, share in ((0, 1 - max(side, 0)), (1, 1 + min(side, 0))):
        np.add.at(layer[:, channel], places, sound * loudness * share)


def room(layer: Layer, length_s: float, wet: float, seed: int) -> Layer:
    """The layer in a soft room: its echo is a circular one, so it crosses the seam."""
    t = seconds(length_s)
    draw = np.random.default_rng(seed)
    spectrum = np.fft.rfft(layer, axis=0)
    pitch = np.fft.rfftfreq(LENGTH, 1 / RATE)
    dull = 1 / (1 + (pitch / 2600) ** 2)
    result = layer.copy()
    for channel in (0, 1):
        tail = draw.standard_normal(len(t)) * np.exp(-t * 5 / length_s) * np.minimum(1, t / 0.03)
        tail /= np.sqrt((tail**2).sum())
        answer = np.fft.rfft(tail, LENGTH)
        result[:, channel] += wet * np.fft.irfft(spectrum[:, channel] * answer * dull, LENGTH)
    return result


def soft_tone(note: float, length_s: float, rise_s: float, fall_s: float, brightness: float, seed: int) -> Layer:
    """A held note of a few partials, slightly out of tune with itself, that swells and goes."""
    t = seconds(length_s)
    draw = np.random.default_rng(seed)
    wave = np.zeros_like(t)
    for cents in (-6, 0, 5):
        base = hz(note + cents / 100)
        for partial in range(1, 7):
            loud = brightness ** (partial - 1) / partial
            wave += loud * np.sin(2 * np.pi * base * partial * t + draw.uniform(0, 2 * np.pi))
    shape = np.minimum(1, t / rise_s) * np.minimum(1, (length_s - t) / fall_s)
    smooth: Layer = wave * np.sin(np.clip(shape, 0, 1) * np.pi / 2) ** 2
    return smooth


def plucked(note: float, length_s: float, fade_s: float, brightness: float) -> Layer:
    """A note that is struck and dies away."""
    t = seconds(length_s)
    wave = np.zeros_like(t)
    for partial, loud, sooner in ((1, 1.0, 1.0), (2, 0.35, 1.8), (3, 0.12, 2.6), (4.02, 0.10 * brightness, 4.0)):
        wave += loud * np.sin(2 * np.pi * hz(note) * partial * t) * np.exp(-t * sooner / fade_s)
    return wave * np.minimum(1, t / 0.006) * np.minimum(1, (length_s - t) / 0.05)


def chord_at(bar: int) -> tuple[int, ...]:
    """The chord of a bar."""
    return CHORDS[bar // 2 % len(CHORDS)]


def ground() -> Layer:
    """Slow chords, always there."""
    layer = empty()
    for at, chord in enumerate(CHORDS):
        for index, note in enumerate(chord):
            tone = soft_tone(note, 2 * BEATS * BEAT_S + 2.4, 2.2, 2.4, 0.42, 10 * at + index)
            put(layer, at * 2 * BEATS * BEAT_S, tone, 0.5 if index else 0.8, (index - 2) * 0.3)
    return room(layer, 2.5, 0.5, 1)


def pulse() -> Layer:
    """The floor begins to work: a low pulse on the beats."""
    layer = empty()
    for bar in range(BARS):
        root = chord_at(bar)[0] - (12 if chord_at(bar)[0] > 45 else 0)
        for step, loud in ((0, 1.0), (1.5, 0.55), (2, 0.8), (3.5, 0.5)):
            put(layer, (bar * BEATS + step) * BEAT_S, plucked(root, 0.9, 0.28, 0.3), loud)
        for step in range(BEATS):
            t = seconds(0.16)
            knock = np.sin(2 * np.pi * (52 * t + 3.2 * (1 - np.exp(-t * 38)))) * np.exp(-t * 22)
            put(layer, (bar * BEATS + step) * BEAT_S, knock, 0.8)
    return room(layer, 0.7, 0.12, 2)


def steps() -> Layer:
    """Tokens run: a plucked figure over the chord, from side to side, with its echo."""
    layer = empty()
    figure = (0, 2, 1, 3, 2, 4, 3, 1)
    for bar in range(BARS):
        chord = chord_at(bar)
        for eighth, degree in enumerate(figure):
            note = chord[degree] + (12 if chord[degree] < 60 else 0)
            loud = 0.75 if eighth % 2 else 1.0
            at = (bar * BEATS + eighth / 2) * BEAT_S
            for echo, share in ((0, 1.0), (0.75 * BEAT_S, 0.38), (1.5 * BEAT_S, 0.16)):
                side = 0.45 if (eighth + round(echo * 4)) % 2 else -0.45
                put(layer, at + echo, plucked(note, 0.8, 0.17, 0.8), loud * share, side)
    return room(layer, 1.6, 0.25, 3)


def shine() -> Layer:
    """The target is reached: a quiet melody of bells over a light shaker."""
    layer = empty()
    # Beat and degree of the scale.
    melody: tuple[tuple[float, int], ...] = (
        *((0, 5), (1.5, 4), (3, 3), (6, 4), (8, 3), (9.5, 2), (11, 1), (14, 2)),
        *((16, 4), (17.5, 6), (19, 5), (22, 4), (24, 3), (25.5, 4), (27, 6), (30, 5)),
        *((33, 6), (34.5, 5), (38, 4), (41, 3), (42.5, 5), (46, 4), (49, 2), (51, 4), (54, 6), (58, 5), (61, 2)),
    )
    for beat, degree in melody:
        put(layer, beat * BEAT_S, plucked(SCALE[degree] + 12, 2.4, 0.7, 1.0), 0.9, 0.25 if degree % 2 else -0.25)
    draw = np.random.default_rng(9)
    for sixteenth in range(BARS * BEATS * 4):
        t = seconds(0.07)
        hiss = np.diff(draw.standard_normal(len(t) + 1)) * np.exp(-t * 70)
        loud = (0.06, 0.022, 0.042, 0.022)[sixteenth % 4]
        put(layer, sixteenth / 4 * BEAT_S, hiss, loud, 0.2)
    return room(layer, 2.2, 0.4, 4)


def drone() -> Layer:
    """Out of memory: two low notes that rub against each other."""
    layer = empty()
    t = np.arange(LENGTH) / RATE
    turn = LENGTH / RATE
    for cycles, loud, side in (
        (round(36.7 * turn), 1.0, 0.0),
        (round(38.9 * turn), 0.8, 0.4),
        (round(73.4 * turn), 0.35, -0.4),
    ):
        swell = 0.75 + 0.25 * np.sin(2 * np.pi * 4 * t / turn + side * 4)
        wave = np.zeros(LENGTH)
        for partial in range(1, 6):
            wave += np.sin(2 * np.pi * cycles * partial * t / turn) * 0.5 ** (partial - 1)
        put(layer, 0.0, wave * swell, loud, side)
    return room(layer, 2.0, 0.3, 5)


LAYERS: dict[str, Callable[[], Layer]] = {
    "ground": ground,
    "pulse": pulse,
    "steps": steps,
    "shine": shine,
    "drone": drone,
}


def made(name: str) -> Layer:
    """A layer at the common peak."""
    layer = LAYERS[name]()
    scaled: Layer = layer / np.abs(layer).max() * PEAK
    return scaled


def write(name: str, folder: Path = FOLDER) -> Path:
    """Synthesise one layer and write it."""
    import soundfile

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.ogg"
    soundfile.write(path, made(name), RATE, "VORBIS", format="OGG", compression_level=COMPRESSION)
    return path


if __name__ == "__main__":
    for each in LAYERS:
        file = write(each)
        print(f"{file.name}: {file.stat().st_size} bytes")
