"""One file per machine kind that does something; `MACHINES` maps a kind's name to its behaviour."""

from engine.floor.machines.base import Machine
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.draft_model import DraftModel
from engine.floor.machines.passive import PageAllocator, TokenDock, ValidationGate
from engine.floor.machines.prefill_core import PrefillCore
from engine.floor.machines.prompt_dock import PromptDock

MACHINES: dict[str, type[Machine]] = {
    "prompt_dock": PromptDock,
    "prefill_core": PrefillCore,
    "decode_core": DecodeCore,
    "page_allocator": PageAllocator,
    "draft_model": DraftModel,
    "validation_gate": ValidationGate,
    "token_dock": TokenDock,
}

__all__ = ["MACHINES", "DecodeCore", "DraftModel", "Machine", "PrefillCore", "PromptDock"]
