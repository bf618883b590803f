"""The packets: a prompt is a cube, activations and KV a spike, a token a ball, a draft a half-filled ball, a reject a
cross.
"""

from __future__ import annotations

import math

from art.kit import Kit, Vec, lamp

KINDS = ("prompt", "kv", "token", "draft", "reject")

TO_CAMERA: Vec = (60, 0, -45)
"""Turns what lies on the floor so that it faces the camera."""


def build(kit: Kit, kind: str, lift: float = 0.0, scale: float = 1.0) -> None:
    """A packet whose middle is `lift` above the floor."""
    if kind == "prompt":
        side = 0.158 * scale
        kit.box((side, side, side), (0, 0, lift - side / 2), lamp("prompt"), 0.012 * scale)
    elif kind == "kv":
        foot, height = 0.112 * scale, 0.27 * scale
        kit.cylinder(foot, height * 0.72, (0, 0, lift - height * 0.22), lamp("kv"), 0.008, top=0.006, sides=4)
        kit.cylinder(0.006, height * 0.28, (0, 0, lift - height / 2), lamp("kv"), 0.004, top=foot, sides=4)
    elif kind == "token":
        kit.ball(0.090 * scale, (0, 0, lift), lamp("token"))
    elif kind == "draft":
        _half_ball(kit, 0.100 * scale, lift)
    elif kind == "reject":
        kit.prism(_cross(0.110 * scale, 0.032 * scale), (-0.02, 0.02), lamp("reject"), 0.008, (0, 0, lift), TO_CAMERA)
    else:
        raise ValueError(f"no packet kind {kind!r}; there are {', '.join(KINDS)}")


def _half_ball(kit: Kit, radius: float, lift: float) -> None:
    """A bowl of light under a thin ring: half of a ball."""
    quarter = [math.radians(90 * i / 12) for i in range(13)]
    bowl = [(radius * math.sin(a), -radius * math.cos(a)) for a in quarter]
    kit.lathe([*bowl, (0.0, 0.0)], (0, 0, lift), lamp("amber"))
    thin = radius * 0.13
    ring = [(radius - thin, -thin), (radius, -thin), (radius, thin), (radius - thin, thin), (radius - thin, -thin)]
    kit.lathe(ring, (0, 0, lift), lamp("amber"), turn=TO_CAMERA)


def _cross(reach: float, half: float) -> list[tuple[float, float]]:
    """The outline of a diagonal cross: arms `reach` long and twice `half` wide."""
    arms = [(reach, half), (half, half), (half, reach)]
    turned: list[tuple[float, float]] = []
    for quarter in range(4):
        for x, y in arms:
            for _ in range(quarter):
                x, y = -y, x
            turned.append((x, y))
    diagonal = math.sqrt(0.5)
    return [((x - y) * diagonal, (x + y) * diagonal) for x, y in turned]
