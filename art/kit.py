"""The box of parts: materials and rounded shapes that every model is made of.

Models are built in grid units: one tile is 1. Grid x is Blender's +x, grid y is Blender's -y, up is +z, and the
machine's footprint is centred on the origin at floor height. `Kit` hides the flip: it takes grid coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import bmesh
import bpy

from art import palette

Vec = tuple[float, float, float]

LAMP_PREFIX = "lamp:"


@dataclass(frozen=True)
class Surface:
    """How a plain material looks: linear colour, roughness, metal and a clear coat from 0 to 1."""

    colour: Vec
    roughness: float
    metallic: float = 0.0
    coat: float = 0.0


SURFACES: dict[str, Surface] = {
    "body": Surface((0.63, 0.645, 0.69), 0.40, coat=0.3),
    "body_low": Surface((0.36, 0.38, 0.43), 0.5),
    "dark": Surface((0.022, 0.025, 0.034), 0.38, coat=0.2),
    "plinth": Surface((0.017, 0.019, 0.026), 0.55),
    "black": Surface((0.004, 0.004, 0.006), 0.7),
    "metal": Surface((0.30, 0.32, 0.37), 0.33, metallic=0.9),
    "rail": Surface((0.125, 0.140, 0.185), 0.34, metallic=0.55),
    "bed": Surface((0.012, 0.013, 0.018), 0.5),
    "mark": Surface((0.11, 0.125, 0.17), 0.6),
    "floor": Surface((0.0130, 0.0150, 0.0245), 0.44),
    "floor_inlay": Surface((0.0095, 0.0112, 0.0185), 0.5),
    "groove": Surface((0.003, 0.0035, 0.005), 0.8),
    "slab": Surface((0.022, 0.025, 0.034), 0.6),
    "rack": Surface((0.024, 0.027, 0.037), 0.42, coat=0.15),
    "gold": Surface((0.86, 0.54, 0.17), 0.30, metallic=0.85),
    "cloud": Surface((0.60, 0.63, 0.70), 0.75),
}


def _principled(name: str) -> tuple[Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    return material, material.node_tree.nodes["Principled BSDF"]


def surface(name: str) -> Any:
    """The plain material of that name, made on first use."""
    found = bpy.data.materials.get(name)
    if found is not None:
        return found
    look = SURFACES[name]
    material, shader = _principled(name)
    shader.inputs["Base Color"].default_value = (*look.colour, 1)
    shader.inputs["Roughness"].default_value = look.roughness
    shader.inputs["Metallic"].default_value = look.metallic
    shader.inputs["Coat Weight"].default_value = look.coat
    shader.inputs["Coat Roughness"].default_value = 0.2
    return material


def lamp(colour: str, gain: float = 1.0, lens: bool = False) -> Any:
    """A light-emitting material. `gain` scales it against the scene's common lamp strength (`set_lamps`).

    A `lens` keeps its round shape: it is deep in colour at its rim and bright where it faces the camera.
    """
    name = f"{LAMP_PREFIX}{colour}{'-lens' if lens else ''}:{gain:g}"
    found = bpy.data.materials.get(name)
    if found is not None:
        return found
    material, shader = _principled(name)
    light = palette.linear(colour)
    shader.inputs["Base Color"].default_value = (*(v * 0.35 for v in light), 1)
    shader.inputs["Roughness"].default_value = 0.3
    shader.inputs["Emission Color"].default_value = (*light, 1)
    if lens:
        nodes, links = material.node_tree.nodes, material.node_tree.links
        facing = nodes.new("ShaderNodeLayerWeight")
        facing.inputs["Blend"].default_value = 0.5
        ramp = nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.elements[0].color = (*(v * 1.0 for v in light), 1)
        ramp.color_ramp.elements[1].position = 0.85
        ramp.color_ramp.elements[1].color = (*(v**1.3 * 0.30 for v in light), 1)
        links.new(facing.outputs["Facing"], ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], shader.inputs["Emission Color"])
    return material


def set_lamps(strength: float) -> None:
    """Sets how strongly every lamp of the scene shines (1.7 keeps its colour; more clips to white)."""
    for material in bpy.data.materials:
        if material.name.startswith(LAMP_PREFIX):
            gain = float(material.name.rsplit(":", 1)[1])
            shader = material.node_tree.nodes["Principled BSDF"]
            shader.inputs["Emission Strength"].default_value = strength * gain


class Kit:
    """Adds parts to one model. All parts hang on `root`, which places and turns the model as a whole."""

    def __init__(self, at: Vec = (0, 0, 0), rot: int = 0) -> None:
        self.root: Any = bpy.data.objects.new("root", None)
        self.root.location = (at[0], -at[1], at[2])
        # Clockwise on the screen (e -> s -> w -> n) is a negative turn about Blender's +z.
        self.root.rotation_euler = (0, 0, -rot * math.pi / 2)
        bpy.context.scene.collection.objects.link(self.root)

    def mesh(self, shape: Any, material: Any, at: Vec, bevel: float = 0.0, turn: Vec = (0, 0, 0)) -> Any:
        """Places a bmesh (freed here). `turn` is in degrees; about z it is clockwise, as on the screen."""
        data = bpy.data.meshes.new("part")
        shape.to_mesh(data)
        shape.free()
        for polygon in data.polygons:
            polygon.use_smooth = True
        data.materials.append(material)
        part = bpy.data.objects.new("part", data)
        part.location = (at[0], -at[1], at[2])
        part.rotation_euler = (math.radians(turn[0]), math.radians(turn[1]), -math.radians(turn[2]))
        part.parent = self.root
        bpy.context.scene.collection.objects.link(part)
        modifier = part.modifiers.new("bevel", "BEVEL")
        modifier.width = max(bevel, 0.002)
        modifier.segments = 4
        modifier.limit_method = "ANGLE"
        modifier.angle_limit = math.radians(35)
        modifier.harden_normals = True
        return part

    def box(self, size: Vec, at: Vec, material: Any, bevel: float = 0.02, turn: Vec = (0, 0, 0)) -> Any:
        """A rounded box; `at` is the centre of its underside."""
        shape = bmesh.new()
        bmesh.ops.create_cube(shape, size=1)
        bmesh.ops.scale(shape, vec=size, verts=shape.verts)
        bmesh.ops.translate(shape, vec=(0, 0, size[2] / 2), verts=shape.verts)
        return self.mesh(shape, material, at, bevel, turn)

    def pillow(self, size: Vec, at: Vec, material: Any, corner: float, bevel: float = 0.02) -> Any:
        """A box whose upright edges are rounded with radius `corner` and whose rims with `bevel`."""
        shape = bmesh.new()
        w, d, h = size
        ring: list[Any] = []
        steps = 8
        for quadrant, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
            for step in range(steps + 1):
                angle = math.pi / 2 * (quadrant + step / steps)
                x = sx * (w / 2 - corner) + corner * math.cos(angle)
                y = sy * (d / 2 - corner) + corner * math.sin(angle)
                ring.append(shape.verts.new((x, y, 0)))
        face = shape.faces.new(ring)
        extruded = bmesh.ops.extrude_face_region(shape, geom=[face])
        tops = [g for g in extruded["geom"] if isinstance(g, bmesh.types.BMVert)]
        bmesh.ops.translate(shape, vec=(0, 0, h), verts=tops)
        bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
        return self.mesh(shape, material, at, bevel)

    def cylinder(
        self,
        radius: float,
        height: float,
        at: Vec,
        material: Any,
        bevel: float = 0.02,
        top: float | None = None,
        turn: Vec = (0, 0, 0),
        sides: int = 72,
    ) -> Any:
        """An upright cylinder, or a cone frustum when `top` (its upper radius) is given."""
        shape = bmesh.new()
        bmesh.ops.create_cone(
            shape, cap_ends=True, segments=sides, radius1=radius, radius2=radius if top is None else top, depth=height
        )
        bmesh.ops.translate(shape, vec=(0, 0, height / 2), verts=shape.verts)
        return self.mesh(shape, material, at, bevel, turn)

    def ball(self, radius: float, at: Vec, material: Any, squash: float = 1.0) -> Any:
        """A sphere around `at`; `squash` scales its height."""
        shape = bmesh.new()
        bmesh.ops.create_uvsphere(shape, u_segments=40, v_segments=24, radius=radius)
        bmesh.ops.scale(shape, vec=(1, 1, squash), verts=shape.verts)
        return self.mesh(shape, material, at)

    def lathe(self, profile: Sequence[tuple[float, float]], at: Vec, material: Any, turn: Vec = (0, 0, 0)) -> Any:
        """A body of revolution from (radius, height) pairs, bottom to top or around a wall."""
        shape = bmesh.new()
        sides = 72
        rings = [
            [
                shape.verts.new((r * math.cos(2 * math.pi * i / sides), r * math.sin(2 * math.pi * i / sides), z))
                for i in range(sides)
            ]
            for r, z in profile
        ]
        for lower, upper in pairwise(rings):
            for i in range(sides):
                j = (i + 1) % sides
                shape.faces.new((lower[i], lower[j], upper[j], upper[i]))
        bmesh.ops.remove_doubles(shape, verts=shape.verts, dist=1e-5)
        return self.mesh(shape, material, at, 0.004, turn)

    def sweep(
        self,
        path: Sequence[tuple[float, float]],
        across: tuple[float, float],
        height: tuple[float, float],
        material: Any,
        bevel: float = 0.01,
    ) -> Any:
        """A bar that follows `path` (grid x, y), from offset across[0] to across[1] right of it.

        A path that ends where it began makes a closed ring.
        """
        closed = path[0] == path[-1]
        if closed:
            path = path[:-1]
        shape = bmesh.new()
        rings: list[list[Any]] = []
        for i, (x, y) in enumerate(path):
            ax, ay = path[i - 1] if closed else path[max(i - 1, 0)]
            bx, by = path[(i + 1) % len(path)] if closed else path[min(i + 1, len(path) - 1)]
            length = math.hypot(bx - ax, by - ay)
            # Right of the way one goes, in grid axes (x right-down, y left-down, so the turn is clockwise).
            nx, ny = -(by - ay) / length, (bx - ax) / length
            corners = ((across[0], height[0]), (across[1], height[0]), (across[1], height[1]), (across[0], height[1]))
            rings.append([shape.verts.new((x + nx * u, -(y + ny * u), z)) for u, z in corners])
        for lower, upper in zip(rings, [*rings[1:], rings[0]] if closed else rings[1:], strict=False):
            for i in range(4):
                j = (i + 1) % 4
                shape.faces.new((lower[i], lower[j], upper[j], upper[i]))
        if not closed:
            shape.faces.new(rings[0])
            shape.faces.new(rings[-1])
        bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
        return self.mesh(shape, material, (0, 0, 0), bevel)

    def prism(
        self,
        outline: Sequence[tuple[float, float]],
        height: tuple[float, float],
        material: Any,
        bevel: float = 0.003,
        at: Vec = (0, 0, 0),
        turn: Vec = (0, 0, 0),
    ) -> Any:
        """A flat plate: an outline in grid x, y, from height[0] to height[1]; `at` and `turn` as for `mesh`."""
        shape = bmesh.new()
        face = shape.faces.new([shape.verts.new((x, -y, height[0])) for x, y in outline])
        extruded = bmesh.ops.extrude_face_region(shape, geom=[face])
        tops = [g for g in extruded["geom"] if isinstance(g, bmesh.types.BMVert)]
        bmesh.ops.translate(shape, vec=(0, 0, height[1] - height[0]), verts=tops)
        bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
        return self.mesh(shape, material, at, bevel, turn)


UPRIGHT: dict[str, Vec] = {"x": (90, 0, 0), "y": (90, 0, 90)}
"""Turns a prism's outline (a, -height) upright: a then runs along grid x or y, and its thickness across."""

SIDES: dict[str, tuple[int, int]] = {"e": (1, 0), "s": (0, 1), "w": (-1, 0), "n": (0, -1)}


def arrow_head(at: tuple[float, float], heading: tuple[float, float], size: float) -> list[tuple[float, float]]:
    """The outline of a filled flow arrow, centred at `at`, pointing along the unit vector `heading`."""
    hx, hy = heading
    points = ((size / 2, 0.0), (-size / 2, size * 0.42), (-size * 0.22, 0.0), (-size / 2, -size * 0.42))
    return [(at[0] + hx * a - hy * b, at[1] + hy * a + hx * b) for a, b in points]


def chevron(
    at: tuple[float, float], heading: tuple[float, float], size: float, thick: float
) -> list[tuple[float, float]]:
    """The outline of a flow arrow ('>'), centred at `at`, pointing along the unit vector `heading`."""
    hx, hy = heading
    points = (
        (size / 2, 0.0),
        (-size / 2 + thick / 2, size),
        (-size / 2 - thick / 2, size),
        (size / 2 - thick, 0.0),
        (-size / 2 - thick / 2, -size),
        (-size / 2 + thick / 2, -size),
    )
    return [(at[0] + hx * a - hy * b, at[1] + hy * a + hx * b) for a, b in points]


def strengthen_spill(gain: float) -> None:
    """Makes lamps light their surroundings `gain` times as strongly as they look. After `set_lamps`."""
    for material in bpy.data.materials:
        if not material.name.startswith(LAMP_PREFIX):
            continue
        nodes, links = material.node_tree.nodes, material.node_tree.links
        strength = nodes["Principled BSDF"].inputs["Emission Strength"]
        seen = nodes.new("ShaderNodeLightPath")
        mix = nodes.new("ShaderNodeMapRange")
        mix.inputs["To Min"].default_value = strength.default_value * gain
        mix.inputs["To Max"].default_value = strength.default_value
        links.new(seen.outputs["Is Camera Ray"], mix.inputs["Value"])
        links.new(mix.outputs["Result"], strength)


def only_lamps() -> None:
    """Makes everything but the lamps perfectly black, so that a render shows the lamps alone."""
    for material in bpy.data.materials:
        if material.name.startswith(LAMP_PREFIX):
            continue
        nodes, links = material.node_tree.nodes, material.node_tree.links
        black = nodes.new("ShaderNodeEmission")
        black.inputs["Strength"].default_value = 0
        links.new(black.outputs[0], nodes["Material Output"].inputs["Surface"])
