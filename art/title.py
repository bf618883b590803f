"""The title picture: a small living factory, seen with a long lens; the left third is left free."""

from __future__ import annotations

import math

import bpy
import numpy as np
from mathutils import Vector

from art import darkroom, flat, kit, stage
from art.kit import SIDES, Kit
from art.models import MACHINES, belt, floor, packet, rack
from art.palette import Image, to_display
from art.stage import Frame

WIDTH, DEPTH = 15, 10


def _machine(kind: str, x: float, y: float, rot: int = 0) -> None:
    width, depth = MACHINES[kind].footprint
    if rot % 2:
        width, depth = depth, width
    MACHINES[kind].build(Kit((x + width / 2, y + depth / 2, 0), rot))


def _belt(start: tuple[int, int], enter: str, leaves: str, kind: str, every: float) -> None:
    """A belt from tile to tile, each left through the next side of `leaves`, with packets on it."""
    x, y = start
    gone = 0.3
    opposite = {"e": "w", "w": "e", "n": "s", "s": "n"}
    for leave in leaves:
        belt.build(Kit((x + 0.5, y + 0.5, 0)), enter, leave)
        path = belt.middle_line(enter, leave, 0.0)
        while gone < 1:
            (px, py), _ = belt.along(path, gone)
            packet.build(Kit((x + 0.5 + px, y + 0.5 + py, 0)), kind, lift=0.18)
            gone += every
        gone -= 1
        x, y = x + SIDES[leave][0], y + SIDES[leave][1]
        enter = opposite[leave]


def _pad(x: int, y: int, w: int, h: int) -> None:
    """A GPU pad's outline as a tube of light on the floor."""
    inset, round_ = 0.07, 0.12
    left, top, right, bottom = x + inset, y + inset, x + w - inset, y + h - inset
    path: list[tuple[float, float]] = [((left + right) / 2, top)]
    for cx, cy, begin in ((right, top, -90), (right, bottom, 0), (left, bottom, 90), (left, top, 180)):
        ox = cx - round_ if cx == right else cx + round_
        oy = cy - round_ if cy == bottom else cy + round_
        for step in range(9):
            angle = math.radians(begin + step * 90 / 8)
            path.append((ox + round_ * math.cos(angle), oy + round_ * math.sin(angle)))
    path.append(((left + right) / 2, top))
    Kit().sweep(path, (-0.02, 0.02), (0.0, 0.018), kit.lamp("pad", 0.9), 0.003)


def _factory() -> None:
    parts = Kit()
    for x in range(WIDTH):
        for y in range(DEPTH):
            variant = (0, 0, 0, 0, 1, 0, 0, 2, 0, 0)[(x * 7 + y * 13 + x * y * 3) % 10]
            floor.tile(parts, variant, (x + 0.5, y + 0.5))
    floor.slab(parts, WIDTH, DEPTH, (WIDTH / 2, DEPTH / 2))
    _pad(3, 1, 4, 4)
    _pad(8, 2, 4, 4)
    _machine("prompt_dock", 0, 2)
    _machine("prefill_core", 4, 2)
    _machine("decode_core", 9, 3)
    _machine("token_dock", 12, 6)
    _belt((2, 2), "w", "ee", "prompt", 0.5)
    _belt((6, 2), "w", "esee", "kv", 0.55)
    _belt((10, 3), "w", "essse", "token", 0.5)
    _belt((2, 3), "w", "se", "prompt", 0.6)
    _machine("prefill_core", 3, 4)
    _belt((5, 4), "w", "eee", "kv", 0.6)
    _machine("decode_core", 8, 4)
    _belt((9, 4), "w", "ssseee", "token", 0.55)
    for x, y, variant in ((3, 0, 0), (4, 0, 1), (8, 0, 0), (9, 0, 1), (13, 2, 0), (13, 3, 1)):
        rack.build(Kit((x + 0.5, y + 0.5, 0)), variant)


def _camera(target: tuple[float, float, float], distance: float, lens: float, elevation: float, shift: float) -> None:
    data = bpy.data.cameras.new("camera")
    data.lens = lens
    data.shift_x = shift
    eye = bpy.data.objects.new("camera", data)
    level = distance * math.cos(math.radians(elevation)) / math.sqrt(2)
    centre = Vector((target[0], -target[1], target[2]))
    eye.location = centre + Vector((level, -level, distance * math.sin(math.radians(elevation))))
    eye.rotation_euler = (math.radians(90 - elevation), 0, math.radians(45))
    data.dof.use_dof = True
    data.dof.focus_distance = distance
    data.dof.aperture_fstop = 0.35
    bpy.context.scene.collection.objects.link(eye)
    bpy.context.scene.camera = eye


def background(samples: int, width: int = 1920) -> Image:
    """16:9, opaque, straight RGB."""
    canvas = Frame(width, width * 9 // 16, (0, 0))
    stage.fresh()
    _factory()
    _camera((7.9, 4.9, 0.3), 25, 62, 27, -0.16)
    stage.sun(2.3, (-0.42, 0.58, 0.85), 14, (1.0, 0.97, 0.93))
    stage.sun(0.5, (0.55, -0.75, 0.55), 20, (0.62, 0.75, 1.0))
    stage.sky(0.28)
    kit.set_lamps(stage.LAMP_FULL)
    kit.strengthen_spill(darkroom.SPILL_GAIN)
    shot = stage.shoot(canvas, samples)
    kit.only_lamps()
    for light in [o for o in bpy.data.objects if o.type == "LIGHT"]:
        bpy.data.objects.remove(light)
    stage.night()
    emission = stage.shoot(canvas, max(samples // 2, 8), bounces=0, denoise=False)

    space = flat.backdrop(canvas.width, canvas.height)
    alpha = np.clip(shot[:, :, 3:4], 0, 1)
    x = (np.arange(canvas.width) + 0.5) / canvas.width
    y = (np.arange(canvas.height) + 0.5) / canvas.height
    # The left third sinks into the dark, so that the title stands on calm ground; the corners follow a little.
    shade = 0.10 + 0.90 * np.clip((x - 0.10) / 0.38, 0, 1) ** 1.5
    corner = 1 - 0.45 * np.clip(np.hypot((x[None, :] - 0.62) / 0.75, (y[:, None] - 0.5) / 0.85) - 0.35, 0, 1) ** 1.4
    veil = darkroom.halo(emission[:, :, :3], 1.3 * width / 1920) * 1.0
    light = (shot[:, :, :3] + veil) * (shade[None, :] * corner)[:, :, None]
    return np.clip(to_display(light) + space * (1 - alpha), 0, 1).astype(np.float32)
