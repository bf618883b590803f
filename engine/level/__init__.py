"""What a level script declares, finding and loading levels, and judging goals. A level script imports from here."""

from engine.level.spec import CONTIGUOUS, RESERVED, Ban, Dock, Goal, Level, PadSpec, Setting
from engine.traffic.arrivals import Lengths, Traffic

__all__ = ["CONTIGUOUS", "RESERVED", "Ban", "Dock", "Goal", "Lengths", "Level", "PadSpec", "Setting", "Traffic"]
