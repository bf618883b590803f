"""Power and money that are the same for all cards."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure

_HOURS_PER_YEAR = 365 * 24


@frozen
class CostFigures:
    """`data/costs.json`."""

    busy_power_share: Figure
    idle_power_share: Figure
    electricity_usd_per_kwh: Figure
    host_usd: Figure
    years: Figure
    management_hours_per_month: Figure
    management_usd_per_hour: Figure


@frozen
class Costs:
    """Shares of a card's peak power; dollars."""

    busy_power_share: float
    idle_power_share: float
    electricity_usd_per_kwh: float
    host_usd: float
    """The rest of a machine around one card."""
    years: float
    """After which a machine is written off."""
    management_usd_per_hour: float
    """What looking after one's own machine costs per hour in which it stands there, busy or idle."""

    @classmethod
    def of(cls, figures: CostFigures) -> Costs:
        """The figures' values."""
        return cls(
            busy_power_share=figures.busy_power_share.value,
            idle_power_share=figures.idle_power_share.value,
            electricity_usd_per_kwh=figures.electricity_usd_per_kwh.value,
            host_usd=figures.host_usd.value,
            years=figures.years.value,
            management_usd_per_hour=figures.management_hours_per_month.value
            * figures.management_usd_per_hour.value
            / (_HOURS_PER_YEAR / 12),
        )

    def owned_usd_per_hour(self, price_usd: float, peak_watts: float) -> float:
        """What an hour of one's own busy card costs: purchase and host over the years, and electricity."""
        electricity = peak_watts * self.busy_power_share / 1e3 * self.electricity_usd_per_kwh
        return (price_usd + self.host_usd) / (self.years * _HOURS_PER_YEAR) + electricity
