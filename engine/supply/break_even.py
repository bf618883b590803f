"""From which load on an own or a rented card costs no more than an API.

A card costs by the hour, whatever it does; an API costs by the token. So the load decides: `utilisation` is the share
of the traffic that the card could serve within the deadline. An own card's hour is

    purchase / hours until it is written off + management + electricity(busy share)

and the busy share follows from the load, though not in proportion: a decode step reads all weights for one sequence as
for twenty.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from engine.catalog.api import Api
from engine.catalog.costs import Costs
from engine.catalog.gpu import Gpu
from engine.errors import EngineError
from engine.physics.energy import card_energy_uj
from engine.physics.money import electricity_nusd, purchase_nusd, rent_nusd
from engine.units import PS_PER_S

HOUR_PS = 3600 * PS_PER_S
_STEPS = 40


@frozen
class Flow:
    """Tokens per hour, in and out."""

    prompt_tokens: float
    output_tokens: float

    @classmethod
    def per_second(cls, prompt_tokens: float, output_tokens: float) -> Flow:
        """So many tokens a second, for an hour."""
        return cls(prompt_tokens * 3600, output_tokens * 3600)

    def at(self, api: Api) -> float:
        """Nano-dollars an hour that an API asks for it."""
        return self.prompt_tokens * api.nusd_per_token_in + self.output_tokens * api.nusd_per_token_out


@frozen
class OwnedHour:
    """Nano-dollars of an hour of one's own card, with the machine around it."""

    purchase: int
    management: int
    electricity_idle: int
    electricity_busy: int
    """When it is busy all the time."""

    @classmethod
    def of(cls, gpu: Gpu, costs: Costs, usd_per_kwh: float) -> OwnedHour:
        """What a card costs; EngineError `supply.no_price` where its price is not known."""
        if gpu.price_usd is None:
            raise EngineError("supply.no_price", gpu=gpu.name)
        idle, busy = (card_energy_uj(gpu, busy_ps, HOUR_PS) for busy_ps in (0, HOUR_PS))
        return cls(
            purchase=purchase_nusd(gpu.price_usd + costs.host_usd, costs.years, HOUR_PS),
            management=rent_nusd(costs.management_usd_per_hour, HOUR_PS),
            electricity_idle=electricity_nusd(idle, usd_per_kwh),
            electricity_busy=electricity_nusd(busy, usd_per_kwh),
        )

    def nusd(self, busy_share: float) -> float:
        """All of it, with the card busy for a share of the hour."""
        electricity = self.electricity_idle + busy_share * (self.electricity_busy - self.electricity_idle)
        return self.purchase + self.management + electricity


def break_even(api_nusd: float, card_nusd: Callable[[float], float]) -> float | None:
    """The least utilisation at which a card's hour costs no more than an API does for the same work; None: never.

    `api_nusd` is what an hour of the card's whole capacity costs there, `card_nusd` the card's hour by utilisation.
    """
    if card_nusd(1.0) > api_nusd:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if card_nusd(middle) > middle * api_nusd:
            low = middle
        else:
            high = middle
    return high
