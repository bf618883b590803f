"""What sounds are made of: plucked bars, knocks, breaths and sweeps, as arrays of samples from -1 to 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RATE = 22050
Sound = NDArray[np.float64]

# Concert pitch, in Hz. All sounds share one key (D major), so that they go together.
NOTES = {
    "D3": 146.83,
    "A3": 220.0,
    "D4": 293.66,
    "F4": 349.23,
    "A4": 440.0,
    "B4": 493.88,
    "D5": 587.33,
    "E5": 659.26,
    "F#5": 739.99,
    "A5": 880.0,
    "B5": 987.77,
    "D6": 1174.66,
    "F#6": 1479.98,
    "A6": 1760.0,
}
# Partials of a struck bar: times the lowest, loudness, how much sooner they die away.
BAR = ((1.0, 1.0, 1.0), (3.93, 0.28, 3.0), (9.2, 0.08, 7.0))
BELL = ((1.0, 1.0, 1.0), (2.0, 0.45, 1.4), (2.99, 0.3, 2.0), (5.4, 0.12, 4.0))


def times(seconds: float) -> Sound:
    """Return the time of each sample."""
    return np.arange(round(seconds * RATE)) / RATE


def struck(note: str, seconds: float, fade: float, partials: tuple[tuple[float, float, float], ...] = BAR) -> Sound:
    """Return a note that is struck and dies away; `fade`: the seconds in which it falls to a third."""
    t = times(seconds)
    wave = np.zeros_like(t)
    for ratio, loudness, sooner in partials:
        wave += loudness * np.sin(2 * np.pi * NOTES[note] * ratio * t) * np.exp(-t * sooner / fade)
    return wave * np.minimum(1.0, t / 0.002)


def sweep(start_hz: float, end_hz: float, seconds: float, fade: float) -> Sound:
    """Return a tone that glides from one pitch to another while it dies away."""
    t = times(seconds)
    pitch = start_hz * (end_hz / start_hz) ** (t / seconds)
    return np.sin(2 * np.pi * np.cumsum(pitch) / RATE) * np.exp(-t / fade) * np.minimum(1.0, t / 0.002)


def noise(seconds: float, low_hz: float, high_hz: float, seed: int) -> Sound:
    """Return a hiss between two pitches."""
    count = round(seconds * RATE)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    pitch = np.fft.rfftfreq(count, 1 / RATE)
    spectrum *= 1 / (1 + (pitch / high_hz) ** 4) * (pitch / low_hz) ** 2 / (1 + (pitch / low_hz) ** 2)
    wave = np.fft.irfft(spectrum, count)
    whole: Sound = wave / np.abs(wave).max()
    return whole


def click(seconds: float, high_hz: float, seed: int) -> Sound:
    """Return a short dry knock."""
    fade: Sound = np.exp(-times(seconds) * 5 / seconds)
    knock: Sound = noise(seconds, 300.0, high_hz, seed) * fade
    return knock


def breath(seconds: float, low_hz: float, high_hz: float, seed: int) -> Sound:
    """Return a soft rush of air that comes and goes."""
    air: Sound = noise(seconds, low_hz, high_hz, seed) * np.sin(np.pi * times(seconds) / seconds) ** 2
    return air


def mixed(*parts: tuple[float, float, Sound]) -> Sound:
    """Lay sounds over each other: the second at which each begins, its loudness, itself."""
    length = max(round(start * RATE) + len(sound) for start, _, sound in parts)
    whole = np.zeros(length)
    for start, loudness, sound in parts:
        first = round(start * RATE)
        whole[first : first + len(sound)] += loudness * sound
    return whole
