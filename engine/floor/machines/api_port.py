"""API Port: prompts leave the factory for somebody else's servers, answers come back, and each token is paid.

The offer says how long the first token takes, whatever the prompt, and how fast the others follow, however many ask at
once: nothing queues here. A provider's limits on requests per minute, and its worse days, are left out.
"""

from __future__ import annotations

from typing import Any

from attrs import astuple, define

from engine import catalog
from engine.catalog.api import Api
from engine.floor.belt import Belt
from engine.floor.floor import BYTES_PER_TOKEN_ID
from engine.floor.machines.base import BLOCKED, IDLE, UNCONNECTED, WORKING, Machine
from engine.metrics.causes import LINK, PREEMPTION
from engine.metrics.seconds import PerSecond
from engine.traffic.request import Request
from engine.units import PS_PER_S


@define
class Call:
    """A request that was sent out."""

    request: int
    offer: int
    asked_ps: int
    before: int
    """Tokens that it had already; they were sent along."""
    made: int = 0
    """Tokens that have come since, and are written down."""


class ApiPort(Machine):
    """Calls under way, and what was paid."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.calls: dict[int, Call] = {}
        self.waiting: list[int] = []
        """Prompts that came while no belt led out."""
        self.paid = PerSecond()
        """Nano-dollars."""
        self.paid_by: dict[int, int] = {}
        """Tenant -> nano-dollars; -1: requests of nobody's."""
        self.tokens_in = self.tokens_out = 0
        """Tokens that were paid."""

    @property
    def offer(self) -> int:
        """Which offer new prompts go to."""
        return self.settings["offer"]

    def api(self, offer: int) -> Api:
        """An offer of the level."""
        return catalog.api(self.floor.level.apis[offer])

    # -- prompts out, tokens in ------------------------------------------------------------------------------------

    def receive(self, request: int, belt: Belt | None) -> None:
        """A prompt arrives, and leaves at once."""
        asked = self.floor.requests[request]
        asked.mark(PREEMPTION if asked.recompute else LINK, self.now)
        self.waiting.append(request)
        self.nudge()

    def act(self, now: int) -> int | None:
        """Write down what has come; ask for what waits."""
        self.settle(now)
        while self.waiting and self.way_out is not None:
            self._ask(self.waiting.pop(0), now)
        return min((self._end_ps(call) for call in self.calls.values()), default=None)

    def _ask(self, id: int, now: int) -> None:
        request, offer = self.floor.requests[id], self.offer
        request.mark(PREEMPTION if request.recompute else LINK, now)
        request.recompute = False
        if request.prefill_start_ps < 0:
            request.prefill_start_ps = now
        request.model = self.api(offer).model
        self.calls[id] = Call(id, offer, now, request.tokens)
        self.tokens_in += request.prompt_tokens + request.tokens
        price = self.api(offer).nusd_per_token_in
        self._pay(request, now // PS_PER_S, (request.prompt_tokens + request.tokens) * price)

    def _pay(self, request: Request, second: int, nusd: int) -> None:
        self.paid.add(second, nusd)
        self.paid_by[request.tenant] = self.paid_by.get(request.tenant, 0) + nusd

    def _end_ps(self, call: Call) -> int:
        return self._made_ps(call, self.floor.requests[call.request].output_tokens - call.before)

    def _made_ps(self, call: Call, count: int) -> int:
        """When the answer's first `count` tokens since the call are there."""
        api = self.api(call.offer)
        return call.asked_ps + api.ttft_ps + (count - 1) * api.tpot_ps

    def settle(self, now: int) -> None:
        """Write down the tokens that have come by `now`."""
        for call in list(self.calls.values()):
            api, request = self.api(call.offer), self.floor.requests[call.request]
            since = now - call.asked_ps - api.ttft_ps
            left = request.output_tokens - call.before
            made = min(since // api.tpot_ps + 1, left) if since >= 0 else 0
            if made > call.made:
                self._take(call, made)
            if made == left:
                del self.calls[call.request]
                request.mark(LINK, self._made_ps(call, left) + self.delay_ps)
                self.floor.ledger.finished(request)

    def _take(self, call: Call, made: int) -> None:
        """The call's tokens up to `made` have come."""
        request, api = self.floor.requests[call.request], self.api(call.offer)
        first_ps = self._made_ps(call, 1) + self.delay_ps
        if not call.made:
            request.prefill_end_ps = self._made_ps(call, 1)
            if not request.tokens:
                request.first_token_ps = first_ps
                self.floor.ledger.started(request)
            else:
                request.longest_pause_ps = max(request.longest_pause_ps, first_ps - request.last_token_ps)
        if made > 1:
            request.longest_pause_ps = max(request.longest_pause_ps, api.tpot_ps)
        self._deliver(call, made, first_ps)
        self.tokens_out += made - call.made
        call.made, request.tokens = made, call.before + made
        request.last_token_ps = self._made_ps(call, made) + self.delay_ps

    def _deliver(self, call: Call, made: int, first_ps: int) -> None:
        """Count and pay the call's tokens up to `made`, second by second of their delivery."""
        api, done = self.api(call.offer), call.made
        while done < made:
            second = (first_ps + done * api.tpot_ps) // PS_PER_S
            by = min(((second + 1) * PS_PER_S - 1 - first_ps) // api.tpot_ps + 1, made)
            self.floor.ledger.delivered.add(second, by - done)
            self._pay(self.floor.requests[call.request], second, (by - done) * api.nusd_per_token_out)
            done = by
        watcher, way = self.floor.watcher, self.way_out
        if watcher is None or way is None:
            return
        for count in range(call.made + 1, made + 1):
            at_ps = self._made_ps(call, count)
            if at_ps > watcher.horizon_ps(way):
                watcher.made(way, at_ps, [call.request])

    # -- belts ---------------------------------------------------------------------------------------------------------

    @property
    def way_out(self) -> Belt | None:
        """The belt that the tokens take."""
        return next(iter(self.outputs), None)

    @property
    def delay_ps(self) -> int:
        """From a token's coming to its delivery."""
        way = self.way_out
        return 0 if way is None else way.latency_ps(BYTES_PER_TOKEN_ID, BYTES_PER_TOKEN_ID)

    def connected(self) -> None:
        """Without a way out answers are lost, and asked for again."""
        if self.way_out is None:
            self.waiting = self.evict()

    def evict(self) -> list[int]:
        """Give up all calls; the requests that were here. What has come is kept and paid."""
        gone = [*self.calls, *self.waiting]
        for id in self.calls:
            self.floor.requests[id].recompute = True
        self.calls, self.waiting = {}, []
        return gone

    # -- state ---------------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Calls, and what was paid."""
        return {
            "calls": [list(astuple(call)) for call in self.calls.values()],
            "waiting": list(self.waiting),
            "paid": self.paid.buckets,
            "paid_by": [[tenant, nusd] for tenant, nusd in self.paid_by.items()],
            "tokens": [self.tokens_in, self.tokens_out],
        }

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `dump` wrote."""
        self.calls = {numbers[0]: Call(*numbers) for numbers in data["calls"]}
        self.waiting, self.paid = data["waiting"], PerSecond(data["paid"])
        self.paid_by = dict(data["paid_by"])
        self.tokens_in, self.tokens_out = data["tokens"]

    # -- what others want to know ----------------------------------------------------------------------------------

    def queue_length(self) -> int:
        """Prompts that cannot leave."""
        return len(self.waiting)

    def batch_size(self) -> int:
        """Calls under way."""
        return len(self.calls)

    def doing(self) -> str:
        """Whether anybody has asked."""
        if not self.inputs or not self.outputs:
            return BLOCKED if self.load_length() else UNCONNECTED
        return WORKING if self.calls else IDLE
