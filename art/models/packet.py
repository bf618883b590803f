"""The packets: a prompt is a cube, activations and KV a spike, a token a ball."""

from __future__ import annotations

from art.kit import Kit, lamp

KINDS = ("prompt", "kv", "token")


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
    else:
        raise ValueError(f"no packet kind {kind!r}; there are {', '.join(KINDS)}")
