"""One file per model. `MACHINES` names each machine kind with its builder, its footprint and its rotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from art.kit import Kit
from art.models import (
    api_port,
    batcher,
    chunker,
    decode_core,
    draft_model,
    gateway,
    model_server,
    page_allocator,
    prefill_core,
    prefix_cache,
    prompt_dock,
    router,
    token_dock,
    validation_gate,
)


@dataclass(frozen=True)
class Machine:
    """A machine kind: what builds it (at rotation 0, centred on the origin), its footprint, its rotations, and the
    height of all that is in the picture.
    """

    build: Callable[[Kit], None]
    footprint: tuple[int, int]
    rotations: tuple[int, ...]
    height: float = 0.85


MACHINES: dict[str, Machine] = {
    "prompt_dock": Machine(prompt_dock.build, (2, 2), (0,), 1.35),
    "prefill_core": Machine(prefill_core.build, (2, 1), (0, 1, 2, 3)),
    "decode_core": Machine(decode_core.build, (1, 1), (0, 1, 2, 3)),
    "page_allocator": Machine(page_allocator.build, (2, 1), (0, 1, 2, 3)),
    "draft_model": Machine(draft_model.build, (1, 1), (0, 1, 2, 3)),
    "validation_gate": Machine(validation_gate.build, (1, 1), (0, 1, 2, 3)),
    "token_dock": Machine(token_dock.build, (2, 2), (0,), 1.35),
    "model_server": Machine(model_server.build, (2, 2), (0, 1, 2, 3), 1.35),
    "batcher": Machine(batcher.build, (1, 1), (0, 1, 2, 3)),
    "chunker": Machine(chunker.build, (1, 1), (0, 1, 2, 3), 1.0),
    "prefix_cache": Machine(prefix_cache.build, (2, 1), (0, 1, 2, 3)),
    "gateway": Machine(gateway.build, (2, 1), (0, 1, 2, 3), 1.0),
    "router": Machine(router.build, (1, 1), (0, 1, 2, 3), 1.2),
    "api_port": Machine(api_port.build, (2, 2), (0, 1, 2, 3), 1.9),
}
