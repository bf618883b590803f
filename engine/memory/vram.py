"""The memory of one GPU: weights and overhead take their share, the rest is for KV caches."""

from __future__ import annotations

from attrs import define, field


@define
class Vram:
    """A reservation book in bytes. `held` maps a request's id to what its KV cache has reserved."""

    total_bytes: int
    usable_bytes: int
    """What the server may use of it (vLLM's `gpu_memory_utilization`)."""
    fixed_bytes: int
    """Weights and overhead, once a core stands on the pad."""
    held: dict[int, int] = field(factory=dict)

    @property
    def kv_capacity_bytes(self) -> int:
        """Bytes that KV caches may take together."""
        return max(self.usable_bytes - self.fixed_bytes, 0)

    @property
    def kv_bytes(self) -> int:
        """Bytes that KV caches have reserved."""
        total = 0
        for size in self.held.values():
            total += size
        return total

    def fits(self, request: int, size_bytes: int) -> bool:
        """Whether `request` may hold `size_bytes` in all (what it holds already counts as free for it)."""
        return self.kv_bytes - self.held.get(request, 0) + size_bytes <= self.kv_capacity_bytes

    def hold(self, request: int, size_bytes: int) -> bool:
        """Reserve `size_bytes` in all for `request`; False, and nothing changed, when they do not fit."""
        if not self.fits(request, size_bytes):
            return False
        self.held[request] = size_bytes
        return True

    def free(self, request: int) -> None:
        """Give back what `request` holds, if anything."""
        self.held.pop(request, None)
