"""The one catalogue of codes that the engine sends, each with the names of its parameters. Words are in `i18n/`."""

from __future__ import annotations

CODES: dict[str, tuple[str, ...]] = {
    # asking for things that are not there
    "catalog.gpu": ("id", "known"),
    "catalog.model": ("id", "known"),
    "catalog.link": ("id", "known"),
    "level.unknown": ("level", "known"),
    "level.missing": ("path",),
    "level.broken": ("path", "detail"),
    "level.none_open": (),
    "seed.range": ("most",),
    "checkpoint.other": (),
    # messages that do not fit the protocol
    "message.malformed": ("detail",),
    "message.version": ("version", "known"),
    "message.unknown": ("name",),
    # placing machines
    "place.kind": ("kind",),
    "place.rotation": ("rotation",),
    "place.outside": ("kind",),
    "place.occupied": ("kind", "x", "y"),
    "place.needs_pad": ("kind",),
    "place.across_pads": ("kind",),
    "place.none_left": ("kind", "most"),
    "place.not_allowed": ("kind", "most"),
    "machine.unknown": ("id",),
    "machine.fixed": ("kind",),
    "setting.unknown": ("kind", "name"),
    "setting.range": ("name", "low", "high"),
    # laying belts
    "belt.empty": (),
    "belt.outside": ("x", "y"),
    "belt.occupied": ("x", "y"),
    "belt.broken": (),
    "belt.nowhere": (),
    "belt.no_output": ("kind", "port"),
    "belt.no_input": ("kind", "port"),
    "belt.start": ("kind",),
    "belt.end": ("kind",),
    "belt.packet": ("kind", "packet"),
    "route.no_output": (),
    "route.no_input": ("packet",),
    "route.no_way": (),
    # layouts
    "layout.malformed": ("detail",),
    "layout.version": ("version", "known"),
    "layout.too_large": ("machines", "belts"),
    "layout.missing": ("path", "detail"),
    # running
    "run.started": (),
    "run.ended": (),
    "run.won": (),
    "run.lost": (),
}
