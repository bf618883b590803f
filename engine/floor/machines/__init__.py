"""One file per machine kind that does something; `MACHINES` maps a kind's name to its behaviour."""

from engine.floor.machines.api_port import ApiPort
from engine.floor.machines.base import Machine
from engine.floor.machines.decode_core import DecodeCore
from engine.floor.machines.draft_model import DraftModel
from engine.floor.machines.gateway import Gateway
from engine.floor.machines.model_server import ModelServer
from engine.floor.machines.passive import Batcher, Chunker, PageAllocator, PrefixCache, TokenDock, ValidationGate
from engine.floor.machines.prefill_core import PrefillCore
from engine.floor.machines.prompt_dock import PromptDock
from engine.floor.machines.router import Router

MACHINES: dict[str, type[Machine]] = {
    "prompt_dock": PromptDock,
    "prefill_core": PrefillCore,
    "decode_core": DecodeCore,
    "page_allocator": PageAllocator,
    "draft_model": DraftModel,
    "validation_gate": ValidationGate,
    "model_server": ModelServer,
    "batcher": Batcher,
    "chunker": Chunker,
    "prefix_cache": PrefixCache,
    "gateway": Gateway,
    "router": Router,
    "api_port": ApiPort,
    "token_dock": TokenDock,
}

__all__ = [
    "MACHINES",
    "ApiPort",
    "DecodeCore",
    "DraftModel",
    "Gateway",
    "Machine",
    "ModelServer",
    "PrefillCore",
    "PromptDock",
    "Router",
]
