"""One file per machine kind; `MACHINES` maps a kind's name to its behaviour."""

from engine.floor.machines.base import Machine
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.prefill_core import PrefillCore
from engine.floor.machines.prompt_dock import PromptDock
from engine.floor.machines.token_dock import TokenDock

MACHINES: dict[str, type[Machine]] = {
    "prompt_dock": PromptDock,
    "prefill_core": PrefillCore,
    "decode_core": DecodeCore,
    "token_dock": TokenDock,
}

__all__ = ["MACHINES", "DecodeCore", "Machine", "PrefillCore", "PromptDock", "TokenDock"]
