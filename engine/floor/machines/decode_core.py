"""Decode Core: one token per sequence per step, one step after another; sequences join and leave between steps.

With a Draft Model on one of its inputs and a Validation Gate on its way out, a step checks several proposed tokens.
Without a Page Allocator on its pad it reserves memory for a whole sequence when a hand-off begins; where the level's
server does not look whether there is room, it runs out of memory and stops until it is restarted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.kinds import DRAFT, KV
from engine.floor.machines.base import BLOCKED, CRASHED, IDLE, UNCONNECTED, WAITING_MEMORY, WAITING_PAD, WORKING
from engine.floor.machines.core import Core
from engine.level.spec import CONTIGUOUS
from engine.metrics.causes import LINK
from engine.scheduling.dump import dump_sequence, load_sequence
from engine.scheduling.sequence import Sequence

if TYPE_CHECKING:
    from engine.floor.pad import Pad

_UNLIMITED_TOKENS = 1 << 20


class DecodeCore(Core):
    """Continuous batching with at most `max_num_seqs` sequences."""

    decodes = True

    def __init__(self, *arguments: Any) -> None:
        self.expected: dict[int, Sequence] = {}
        """Sequences with slot and memory whose KV is on its way."""
        self.crashed = False
        self.report: dict[str, Any] = {}
        """Who held what when it last ran out of memory."""
        self.way_out: list[Belt] = []
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

    def act(self, now: int) -> int | None:
        """End the run that is over, let sequences leave and join, begin the next run."""
        stepper, pad = self.stepper, self.here
        stepper.settle(now)
        if stepper.run is not None and self._must_yield():
            stepper.cut(now)
        if stepper.run is None:
            ready = not self.crashed and not self.is_broken and self.way_out
            if ready and (self.scheduler.running or self.scheduler.waiting):
                self._begin(now)
            else:
                pad.release(self.id, now)
        self.tell_freed()
        return stepper.due_ps(self.floor.step_by_step)

    def connected(self) -> None:
        """Know the way of the tokens; without one a step under way is lost."""
        super().connected()
        self.way_out = self._find_way_out()
        stepper = self.stepper
        stepper.delay_ps = 0
        for belt in self.way_out:
            stepper.delay_ps += belt.latency_ps(BYTES_PER_TOKEN_ID, BYTES_PER_TOKEN_ID)
        if not self.way_out:
            stepper.abort()
        drafter = self._find_drafter()
        before = stepper.drafter
        if stepper.run is not None and stepper.run.drafted and before is not None and before is not drafter:
            stepper.abort()
        stepper.drafter = drafter
        watcher = self.floor.watcher
        stepper.watcher = None if watcher is None or not self.way_out else _BeltWatcher(self)

    def _find_way_out(self) -> list[Belt]:
        """The belts from here to a Token Dock, through gates; the first way, in the order of places."""
        for belt in self.outputs:
            way, machine = [belt], self.floor.machines[belt.target.machine]
            while machine.stand.kind.name == "validation_gate" and machine.outputs and len(way) < len(self.floor.belts):
                way.append(machine.outputs[0])
                machine = self.floor.machines[way[-1].target.machine]
            if machine.stand.kind.name == "token_dock":
                return way
        return []

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


class _BeltWatcher:
    """Tells the floor's watcher of tokens on this core's way out."""

    def __init__(self, core: DecodeCore) -> None:
        self.core = core

    def horizon_ps(self) -> int:
        watcher = self.core.floor.watcher
        assert watcher is not None
        return min(watcher.horizon_ps(belt) for belt in self.core.way_out)

    def made(self, at_ps: int, requests: list[int]) -> None:
        watcher = self.core.floor.watcher
        assert watcher is not None
        for belt in self.core.way_out:
            watcher.made(belt, at_ps, requests)

    def drafted(self, at_ps: int, proposed: list[int]) -> None:
        watcher = self.core.floor.watcher
        assert watcher is not None
        for belt in self.core.inputs:
            if belt.packet == DRAFT:
                watcher.made(belt, at_ps, proposed)

    def rejected(self, at_ps: int, requests: list[int], behind: int) -> None:
        """They get as far as the first gate."""
        watcher = self.core.floor.watcher
        assert watcher is not None
        watcher.rejected(self.core.way_out[0], at_ps, requests, behind)
