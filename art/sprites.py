"""One function per family of sprites: builds the model, photographs it, develops the pictures."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np

from art import darkroom, kit, stage
from art.kit import SIDES, Kit
from art.models import MACHINES, belt, cable, cooler, floor, packet, rack
from art.palette import Image, to_display
from art.stage import Frame

MACHINE = Frame(640, 640, (320, 448))
DECOR = Frame(320, 480, (160, 400))
BELT = Frame(256, 192, (128, 112))
TILE = Frame(264, 136, (132, 68))
EDGE = Frame(264, 200, (132, 68))
PACKET = Frame(64, 64, (32, 32))

Region = tuple[int, int, int, int]


def _region(frame: Frame, footprint: tuple[int, int], height: float, margin: int) -> Region:
    """The part of the canvas that a body of this footprint and height, and the light around it, can reach."""
    spread = sum(footprint) / 2
    left = int(frame.pivot[0] - spread * 128) - margin
    right = int(frame.pivot[0] + spread * 128) + margin
    top = int(frame.pivot[1] - spread * 64 - height * stage.PX_PER_HEIGHT) - margin
    bottom = int(frame.pivot[1] + spread * 64) + margin
    return max(left, 0), max(top, 0), min(right, frame.width), min(bottom, frame.height)


def _lit(build: Callable[[Kit], None], rot: int, frame: Frame, region: Region, samples: int) -> tuple[Image, Image]:
    """The base picture (idle lamps, soft shadow) and the additive glow of one model."""
    stage.fresh()
    build(Kit(rot=rot))
    stage.camera(frame)
    stage.daylight()
    ground = stage.ground((12, 12), catcher=True)
    kit.set_lamps(stage.LAMP_IDLE)
    base = stage.shoot(frame, samples, region=region)

    for thing in [o for o in bpy.data.objects if o.type == "LIGHT"]:
        bpy.data.objects.remove(thing)
    stage.night()
    ground.is_shadow_catcher = False
    kit.set_lamps(stage.LAMP_FULL - stage.LAMP_IDLE)
    # Light on surroundings is soft: half the resolution shows all of it.
    half = Frame(frame.width // 2, frame.height // 2, (frame.pivot[0] // 2, frame.pivot[1] // 2))
    bpy.data.objects.remove(bpy.context.scene.camera)
    stage.camera(half, zoom=0.5)
    light = stage.shoot(half, samples, transparent=False)
    bpy.data.objects.remove(bpy.context.scene.camera)
    stage.camera(frame)

    bpy.data.objects.remove(ground)
    kit.only_lamps()
    emission = stage.shoot(frame, 48, bounces=0, denoise=False, region=region)
    left, top, right, bottom = region
    part = darkroom.straight(base)
    part[top:bottom, left:right] = darkroom.clear_border(part[top:bottom, left:right], 56)
    return part, darkroom.glow(base, light, emission)


def machine(kind: str, rot: int, samples: int) -> tuple[Image, Image]:
    """Base and glow of a machine at a rotation."""
    entry = MACHINES[kind]
    return _lit(entry.build, rot, MACHINE, _region(MACHINE, entry.footprint, entry.height, 64), samples)


def decor_rack(variant: int, samples: int) -> tuple[Image, Image]:
    """Base and glow of a server rack."""
    return _lit(lambda k: rack.build(k, variant), 0, DECOR, (0, 0, DECOR.width, DECOR.height), samples)


def decor_cooler(samples: int) -> tuple[Image, Image]:
    """Base and glow of a cooling unit."""
    return _lit(cooler.build, 0, DECOR, (0, 0, DECOR.width, DECOR.height), samples)


def cable_piece(end: bool, samples: int) -> Image:
    """One tile of the cables from a rack to a GPU, with their contact shadow."""
    stage.fresh()
    cable.build(Kit(), end)
    stage.camera(BELT)
    stage.daylight()
    stage.ground((1, 1), catcher=True)
    return darkroom.clear_border(darkroom.straight(stage.shoot(BELT, samples)), 3)


def _screen(frame: Frame) -> tuple[Image, Image]:
    """The offset of each pixel's centre from the pivot, in pixels."""
    x = np.arange(frame.width, dtype=np.float32) + 0.5 - frame.pivot[0]
    y = np.arange(frame.height, dtype=np.float32) + 0.5 - frame.pivot[1]
    return np.broadcast_to(x[None, :], (frame.height, frame.width)), np.broadcast_to(
        y[:, None], (frame.height, frame.width)
    )


def _slab_scene(frame: Frame, variant: int, south_end: int, east_end: int) -> None:
    stage.fresh()
    parts = Kit()
    for x in range(-2, east_end + 1):
        for y in range(-2, south_end + 1):
            floor.tile(parts, variant if (x, y) == (0, 0) else 0, (x, y))
    width, depth = east_end + 3, south_end + 3
    floor.slab(parts, width, depth, ((east_end - 2) / 2, (south_end - 2) / 2))
    stage.camera(frame)
    stage.daylight()


def floor_tile(variant: int, samples: int) -> Image:
    """A floor tile: opaque over its diamond and 1.5 px beyond, so that neighbours leave no seam."""
    _slab_scene(TILE, variant, 2, 2)
    shot = darkroom.straight(stage.shoot(TILE, samples * 2))
    x, y = _screen(TILE)
    shot[:, :, 3] = np.where(np.abs(x) / 131 + np.abs(y) / 65.5 <= 1, 1.0, 0.0)
    return shot


def floor_edge(side: str, samples: int) -> Image:
    """The slab's wall under a border tile (`s` or `e`), on the tile's own pivot."""
    _slab_scene(EDGE, 0, 0 if side == "s" else 2, 0 if side == "e" else 2)
    shot = darkroom.straight(stage.shoot(EDGE, samples * 2))
    x, y = _screen(EDGE)
    across = -x if side == "s" else x  # 0 at the tile's lower corner, 128 at its outer one
    rim = 64 - across / 2
    drop = floor.THICK * stage.PX_PER_HEIGHT
    depth = np.clip((y - rim) / drop, 0, 1)
    shot[:, :, :3] *= (1 - 0.55 * depth)[:, :, None]
    inside = (across >= -0.6) & (across <= 129) & (y >= rim - 1.5) & (y <= rim + drop)
    shot[:, :, 3] = np.where(inside, shot[:, :, 3], 0.0)
    return shot


def belt_piece(enter: str, leave: str, samples: int) -> Image:
    """One belt tile with its contact shadow. The belts it joins are there for the light, unseen."""
    stage.fresh()
    for side in (enter, leave):
        dx, dy = SIDES[side]
        neighbour = Kit((dx, dy, 0))
        opposite = next(s for s, v in SIDES.items() if v == (-dx, -dy))
        belt.build(neighbour, opposite, side)
        for part in neighbour.root.children:
            part.visible_camera = False
    belt.build(Kit(), enter, leave)
    stage.camera(BELT)
    stage.daylight()
    stage.ground((1, 1), catcher=True)
    kit.set_lamps(1.0)
    return darkroom.clear_border(darkroom.straight(stage.shoot(BELT, samples)), 3)


def packet_sprite(kind: str, samples: int) -> Image:
    """A packet, lit by day and from within, with a slight halo that stays inside the canvas."""
    stage.fresh()
    packet.build(Kit(), kind, scale=1.28)
    stage.camera(PACKET)
    stage.daylight()
    kit.set_lamps(0.70)
    shot = stage.shoot(PACKET, samples * 2, denoise=False)
    x, y = _screen(PACKET)
    veil = darkroom.halo(shot[:, :, :3], 0.42) * 1.5 * np.clip(1.15 - np.hypot(x, y) / 26, 0, 1)[:, :, None]
    alpha = np.clip(shot[:, :, 3:4], 0, 1)
    solid = to_display(shot[:, :, :3] / np.maximum(alpha, 1e-4)) * alpha
    haze = to_display(veil) * 0.55
    veil_alpha = haze.max(axis=2, keepdims=True)
    total = alpha + (1 - alpha) * veil_alpha
    colour = (solid + haze * (1 - alpha)) / np.maximum(total, 1e-4)
    return np.concatenate((np.clip(colour, 0, 1), total), axis=2).astype(np.float32)
