"""The bill of a run: what each card and each API Port has cost, in integer nano-dollars that add up exactly."""

from __future__ import annotations

from attrs import field, frozen

from engine import catalog
from engine.floor.floor import Floor
from engine.floor.machines import ApiPort
from engine.floor.pad import Pad
from engine.level.spec import RENTED
from engine.physics.energy import card_energy_uj
from engine.physics.money import electricity_nusd, purchase_nusd, rent_nusd
from engine.supply.accounts import Accounts
from engine.units import PS_PER_S


@frozen
class PadBill:
    """A card, with the machine around it where it is one's own."""

    pad: int
    way: str
    """How it is paid at present; empty: not at all."""
    purchase: int = 0
    management: int = 0
    electricity: int = 0
    rent: int = 0
    total: int = field(init=False)

    @total.default
    def _total(self) -> int:
        return self.purchase + self.management + self.electricity + self.rent


@frozen
class ApiBill:
    """An API Port."""

    machine: int
    api: str
    """The offer that new prompts go to."""
    total: int


@frozen
class Bill:
    """Nano-dollars."""

    pads: list[PadBill]
    apis: list[ApiBill]
    total: int = field(init=False)

    @total.default
    def _total(self) -> int:
        total = 0
        for pad in self.pads:
            total += pad.total
        for api in self.apis:
            total += api.total
        return total


def bill(floor: Floor, from_ps: int, to_ps: int) -> Bill:
    """What was used from a whole second to now (`to_ps`). Settle before."""
    ports = [machine for machine in floor.machines.values() if isinstance(machine, ApiPort)]
    return Bill(
        [_pad_bill(pad, floor.accounts, from_ps, to_ps) for pad in floor.pads.values()],
        [
            ApiBill(port.id, floor.level.apis[port.offer], port.paid.total(from_ps // PS_PER_S, len(port.paid.buckets)))
            for port in sorted(ports, key=lambda port: port.order)
        ],
    )


def _pad_bill(pad: Pad, accounts: Accounts | None, from_ps: int, to_ps: int) -> PadBill:
    gpu, costs = pad.gpu, catalog.costs()
    if accounts is None:
        return PadBill(pad.id, RENTED, rent=rent_nusd(gpu.rent_usd_per_hour, max(to_ps - from_ps, 0)))
    account = accounts.pads[pad.id]
    rent = rent_nusd(gpu.rent_usd_per_hour, account.rented_ps(from_ps, to_ps))
    owned_ps = account.owned_ps(from_ps, to_ps)
    if not owned_ps:
        return PadBill(pad.id, accounts.way(pad), rent=rent)
    busy_ps = min(pad.busy.total((to_ps - owned_ps) // PS_PER_S, len(pad.busy.buckets)), owned_ps)
    energy = card_energy_uj(gpu, busy_ps, owned_ps)
    return PadBill(
        pad.id,
        accounts.way(pad),
        purchase=purchase_nusd((gpu.price_usd or 0.0) + costs.host_usd, costs.years, owned_ps),
        management=rent_nusd(costs.management_usd_per_hour, owned_ps),
        electricity=electricity_nusd(energy, catalog.place(accounts.supply.place).usd_per_kwh),
        rent=rent,
    )
