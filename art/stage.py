"""The photographer: camera, sun, sky and Cycles, the same for every sprite.

The camera is orthographic, 30 degrees above the floor and 45 degrees around (2:1 dimetric). One tile is a diamond of
256 x 128 pixels: its diagonal, sqrt(2) units, spans 256 pixels.
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from art import kit, palette

TILE_PX = 256
PX_PER_UNIT = TILE_PX / math.sqrt(2)
PX_PER_HEIGHT = PX_PER_UNIT * math.cos(math.radians(30))

LAMP_FULL = 1.7  # brighter clips to white and loses its colour
LAMP_IDLE = 0.32


@dataclass(frozen=True)
class Frame:
    """A canvas: its size and the pixel on which the footprint's centre at floor height lies."""

    width: int
    height: int
    pivot: tuple[int, int]


def fresh() -> None:
    """Empties Blender."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def sky(strength: float, colour: palette.Rgb = (0.50, 0.62, 0.95)) -> None:
    """The bluish light from all around."""
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*colour, 1)
    background.inputs[1].default_value = strength
    bpy.context.scene.world = world


def sun(strength: float, towards: tuple[float, float, float], angle: float, colour: palette.Rgb) -> Any:
    """A sun that stands in the direction `towards` (grid axes), `angle` degrees wide."""
    data = bpy.data.lights.new("sun", "SUN")
    data.energy = strength
    data.angle = math.radians(angle)
    data.color = colour
    light = bpy.data.objects.new("sun", data)
    from mathutils import Vector

    light.rotation_euler = Vector((towards[0], -towards[1], towards[2])).to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(light)
    return light


def daylight() -> None:
    """A soft key from the upper left, a cool rim from behind, and the sky."""
    sun(2.2, (-0.42, 0.58, 0.85), 14, (1.0, 0.97, 0.93))
    sun(0.55, (0.55, -0.75, 0.55), 20, (0.62, 0.75, 1.0))
    sky(0.42)


def night() -> None:
    """No light but the lamps."""
    sky(0.0)


def camera(frame: Frame, zoom: float = 1.0) -> None:
    """The game's camera, with the origin on the frame's pivot. `zoom` scales the picture (1: sprites)."""
    data = bpy.data.cameras.new("camera")
    data.type = "ORTHO"
    longer = max(frame.width, frame.height)
    data.ortho_scale = longer / PX_PER_UNIT / zoom
    data.shift_x = (frame.width / 2 - frame.pivot[0]) / longer
    data.shift_y = (frame.pivot[1] - frame.height / 2) / longer
    eye = bpy.data.objects.new("camera", data)
    far = 20.0
    level = far * math.cos(math.radians(30)) / math.sqrt(2)
    eye.location = (level, -level, far * math.sin(math.radians(30)))
    eye.rotation_euler = (math.radians(60), 0, math.radians(45))
    bpy.context.scene.collection.objects.link(eye)
    bpy.context.scene.camera = eye


def ground(size: tuple[float, float], catcher: bool, at: tuple[float, float] = (0, 0)) -> Any:
    """A floor plane: an invisible one that only takes shadows, or a dark one that light falls on."""
    import bmesh

    shape = bmesh.new()
    bmesh.ops.create_grid(shape, x_segments=1, y_segments=1, size=0.5)
    bmesh.ops.scale(shape, vec=(size[0], size[1], 1), verts=shape.verts)
    data = bpy.data.meshes.new("ground")
    shape.to_mesh(data)
    shape.free()
    data.materials.append(kit.surface("floor"))
    plane = bpy.data.objects.new("ground", data)
    plane.location = (at[0], -at[1], 0)
    plane.is_shadow_catcher = catcher
    bpy.context.scene.collection.objects.link(plane)
    return plane


def shoot(
    frame: Frame,
    samples: int,
    *,
    transparent: bool = True,
    bounces: int = 4,
    denoise: bool = True,
    region: tuple[int, int, int, int] | None = None,
) -> palette.Image:
    """Renders; gives linear light, premultiplied, shape (height, width, 4), top row first.

    `region` (left, top, right, bottom, in pixels) renders only a part; the rest stays empty.
    """
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.02
    scene.cycles.use_denoising = denoise
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.max_bounces = bounces
    scene.cycles.diffuse_bounces = min(bounces, 3)
    scene.cycles.glossy_bounces = min(bounces, 3)
    scene.cycles.sample_clamp_indirect = 3.0
    scene.cycles.caustics_reflective = False
    scene.cycles.caustics_refractive = False
    scene.cycles.seed = 7
    scene.cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    scene.cycles.filter_width = 1.3
    scene.render.film_transparent = transparent
    scene.render.resolution_x = frame.width
    scene.render.resolution_y = frame.height
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    scene.render.use_border = region is not None
    scene.render.use_crop_to_border = False
    if region is not None:
        left, top, right, bottom = region
        scene.render.border_min_x = left / frame.width
        scene.render.border_max_x = right / frame.width
        scene.render.border_min_y = 1 - bottom / frame.height
        scene.render.border_max_y = 1 - top / frame.height
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.image_settings.color_depth = "32"
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "shot.exr")
        bpy.ops.render.render(write_still=True)
        loaded = bpy.data.images.load(scene.render.filepath)
        flat = np.empty(frame.width * frame.height * 4, np.float32)
        loaded.pixels.foreach_get(flat)
        bpy.data.images.remove(loaded)
    return np.ascontiguousarray(flat.reshape(frame.height, frame.width, 4)[::-1])
