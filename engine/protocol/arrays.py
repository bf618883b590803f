"""Arrays for the view: Godot's own encoding of a PoolRealArray, which it reads in one native call."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import msgpack
import numpy as np
from numpy.typing import NDArray

REALS_EXTENSION = 1
"""The type of the MessagePack extension."""
_POOL_REAL_ARRAY = 22


def reals(values: Sequence[float] | NDArray[np.float32]) -> msgpack.ExtType:
    """An extension with the values as 32-bit floats."""
    array = np.asarray(values, np.float32)
    return msgpack.ExtType(REALS_EXTENSION, struct.pack("<II", _POOL_REAL_ARRAY, array.size) + array.tobytes())
