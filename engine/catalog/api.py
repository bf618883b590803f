"""An offer of a model by the token: somebody else's servers, at a price per million tokens."""

from __future__ import annotations

from attrs import frozen

from engine.catalog.figure import Figure
from engine.units import NUSD_PER_USD, PS_PER_S

_MILLION = 10**6


@frozen
class ApiFigures:
    """One entry of `data/apis.json`."""

    name: str
    model: str
    """What answers, by its name among the models."""
    usd_per_mtok_in: Figure
    usd_per_mtok_out: Figure
    ttft_s: Figure
    tokens_per_s: Figure


@frozen
class Api:
    """An offer in base units. Prices are whole nano-dollars a token: dollars a million times a thousand."""

    id: str
    name: str
    model: str
    nusd_per_token_in: int
    nusd_per_token_out: int
    ttft_ps: int
    """From the arrival of a prompt, of whatever length, to the first token."""
    tpot_ps: int
    """From one token of an answer to the next."""

    @classmethod
    def of(cls, id: str, figures: ApiFigures) -> Api:
        """The offer in base units."""
        return cls(
            id=id,
            name=figures.name,
            model=figures.model,
            nusd_per_token_in=_per_token(figures.usd_per_mtok_in),
            nusd_per_token_out=_per_token(figures.usd_per_mtok_out),
            ttft_ps=round(figures.ttft_s.value * PS_PER_S),
            tpot_ps=round(PS_PER_S / figures.tokens_per_s.value),
        )

    def nusd(self, prompt_tokens: int, output_tokens: int) -> int:
        """Nano-dollars of so many tokens in and out."""
        return prompt_tokens * self.nusd_per_token_in + output_tokens * self.nusd_per_token_out


def _per_token(usd_per_mtok: Figure) -> int:
    return round(usd_per_mtok.value * NUSD_PER_USD / _MILLION)
