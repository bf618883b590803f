"""Decode Core: one token per sequence per step, one step after another; sequences join and leave between steps.

With a Draft Model on one of its inputs and a Validation Gate on its way out, a step checks several proposed tokens.
Without a Page Allocator on its pad it reserves memory for a whole sequence when a hand-off begins; where the level's
server does not look whether there is room, it runs out of memory and stops until it is restarted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.floor.belt import Belt
from engine.floor.kinds import DRAFT, KV
from engine.floor.machines.base import BLOCKED, CRASHED, IDLE, UNCONNECTED, WAITING_MEMORY, WAITING_PAD, WORKING
from engine.floor.machines.token_maker import TokenMaker
from engine.level.spec import CONTIGUOUS
from engine.metrics.causes import LINK
from engine.scheduling.dump import dump_sequence, load_sequence
from engine.scheduling.sequence import Sequence

if TYPE_CHECKING:
    from engine.floor.pad import Pad

_UNLIMITED_TOKENS = 1 << 20


class DecodeCore(TokenMaker):
    """Continuous batching with at most `max_num_seqs` sequences."""

    def __init__(self, *arguments: Any) -> None:
        self.expected: dict[int, Sequence] = {}
        """Sequences with slot and memory whose KV is on its way."""
        self.crashed = False
        self.report: dict[str, Any] = {}
        """Who held what when it last ran out of memory."""
        super().__init__(*arguments)

    def max_num_batched_tokens(self) -> int:
        """Only a preempted sequence is ever prefilled here."""
        return self.settings.get("max_num_batched_tokens", _UNLIMITED_TOKENS)

    # -- taking sequences in ---------------------------------------------------------------------------------------

    def has_room(self, sequence: Sequence, sender: Pad) -> bool:
        """Whether a slot is free, and memory; a server that reserves blindly only looks at its slots."""
        if self.crashed or self.is_broken or self.load_length() >= self.slots():
            return False
        self.here.settle(self.now)
        pool = self.here.pool
        if not pool.grows and self.floor.level.kv_memory == CONTIGUOUS:
            return True
        spare = int(pool.total * self.floor.level.admission_reserve) if pool.grows else 0
        return pool.free - self._missing_blocks(sequence, sender) >= spare

    def reserve(self, sequence: Sequence, sender: Pad) -> None:
        """Set slot and memory aside; out of memory, the core stops."""
        wanted = self._missing_blocks(sequence, sender)
        arriving = Sequence(
            sequence.id, sequence.output_tokens, sequence.known, sequence.known - 1, sequence.made, blocks=wanted
        )
        if self.here is sender:
            arriving.blocks += sequence.blocks
        self.expected[sequence.id] = arriving
        if not self.here.take(wanted, sequence.id):
            arriving.blocks -= wanted
            self._crash(sequence.id, wanted)

    def _missing_blocks(self, sequence: Sequence, sender: Pad) -> int:
        pool = self.here.pool
        tokens = sequence.known if pool.grows else sequence.longest
        return max(pool.blocks(tokens) - (sequence.blocks if self.here is sender else 0), 0)

    def receive(self, request: int, belt: Belt | None) -> None:
        """A sequence's KV has arrived: its sender may forget it."""
        assert belt is not None
        self.floor.requests[request].mark(LINK, self.now)
        self.floor.machines[belt.source.machine].arrived(request)
        sequence = self.expected.pop(request, None)
        if sequence is None:
            return  # the core ran out of memory meanwhile
        if not self.scheduler.waiting:
            self.stepper.settle(self.now)
            self.stepper.cut(self.now)
        self.scheduler.add(sequence)
        self.nudge()

    def cancel(self, request: int) -> None:
        """A hand-off that was under way will not arrive."""
        sequence = self.expected.pop(request, None)
        if sequence is not None:
            self.here.give_back(sequence.blocks, request)

    # -- steps ------------------------------------------------------------------------------------------------------

    def connected(self) -> None:
        """Know the way of the tokens, and whether anybody drafts."""
        super().connected()
        stepper, drafter = self.stepper, self._find_drafter()
        before = stepper.drafter
        if stepper.run is not None and stepper.run.drafted and before is not None and before is not drafter:
            stepper.abort()
        stepper.drafter = drafter

    def ready(self) -> bool:
        """Not while it is out of memory."""
        return super().ready() and not self.crashed

    def _find_drafter(self) -> Any:
        gates = [belt for belt in self.way_out[1:] if belt.source.machine in self.floor.machines]
        for belt in self.inputs:
            if belt.packet == DRAFT and gates and not self.floor.machines[belt.source.machine].is_broken:
                return self.floor.machines[belt.source.machine]
        return None

    # -- running out of memory -------------------------------------------------------------------------------------

    def _crash(self, request: int, wanted: int) -> None:
        """CUDA out of memory: all that is here or on its way is lost, until the player restarts the core."""
        now, pad = self.now, self.here
        self.stepper.settle(now)
        self.crashed, self.report = True, self._memory_report(request, wanted)
        used = pad.pool.used
        lost = self.evict()
        for request in lost:
            self.floor.requests[request].lost_ps = now
        self.floor.ledger.ooms += 1
        pool = pad.pool
        self.floor.event(now, "memory.out", machine=self.id, pad=pad.id, lost=len(lost), pieces=pool.total, used=used)

    def _memory_report(self, request: int, wanted: int) -> dict[str, Any]:
        """Who holds what on the pad, and what was asked for."""
        pad, scheduler = self.here, self.scheduler
        piece = pad.kv_bytes_per_block
        per_token = piece // pad.pool.block_size
        held = []
        for sequence in (
            *scheduler.decoding.values(),
            *scheduler.prefilling,
            *scheduler.waiting,
            *self.expected.values(),
        ):
            if sequence.blocks:
                tokens = sequence.known + (scheduler.counter - sequence.joined if sequence.joined >= 0 else 0)
                held.append([sequence.id, sequence.blocks * piece, tokens * per_token])
        return {
            "t_ps": self.now,
            "request": request,
            "wanted_bytes": wanted * piece,
            "vram_bytes": pad.gpu.vram_bytes,
            "weights_bytes": pad.fixed_bytes - pad.gpu.overhead_bytes,
            "overhead_bytes": pad.gpu.overhead_bytes,
            "kv_bytes": pad.kv_bytes,
            "held": held,
        }

    def reboot(self) -> None:
        """Start again, empty."""
        self.crashed = False
        self.nudge()
        self.here.freed()

    def evict(self) -> list[int]:
        """Forget all requests, give back pad and memory; hand-offs on their way included."""
        requests = self.stepper.evict()
        for id, sequence in self.expected.items():
            self.here.pool.give_back(sequence.blocks, id)
            requests.append(id)
        self.expected = {}
        self.here.release(self.id, self.now)
        self.here.freed()
        return requests

    def holds(self) -> dict[int, int]:
        """Also what is set aside for hand-offs under way."""
        expected = {sequence.id: sequence.blocks for sequence in self.expected.values() if sequence.blocks}
        return {**super().holds(), **expected}

    # -- state -------------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """The core's, and what is expected."""
        expected = [dump_sequence(sequence) for sequence in self.expected.values()]
        return {**super().dump(), "expected": expected, "crashed": self.crashed, "report": self.report}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        super().load(data)
        sequences = [load_sequence(numbers) for numbers in data["expected"]]
        self.expected = {sequence.id: sequence for sequence in sequences}
        self.crashed, self.report = data["crashed"], data["report"]

    # -- what others want to know ----------------------------------------------------------------------------------

    def load_length(self) -> int:
        """Slots that are taken."""
        return len(self.expected) + len(self.scheduler.waiting) + self.scheduler.running

    def slots(self) -> int:
        """Most sequences at a time."""
        return self.settings["max_num_seqs"]

    def doing(self) -> str:
        """What the core does or waits for."""
        if self.crashed:
            return CRASHED
        if self.stepper.run is not None:
            return WORKING
        if not self.way_out or not any(belt.packet == KV for belt in self.inputs):
            return BLOCKED if self.load_length() else UNCONNECTED
        if self.scheduler.running or self.scheduler.waiting:
            return WAITING_PAD if self.id in self.here.state.queue else WAITING_MEMORY
        return IDLE
