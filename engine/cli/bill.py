"""`bill`: own, rented or by the token: from which load on a card beats an API, for a task with its deadline."""

from __future__ import annotations

import argparse
import json
from typing import Any

from engine import catalog
from engine.errors import EngineError
from engine.serving.settings import deploy
from engine.supply.capacity import Work
from engine.supply.compare import compare

HELP = "own, rent or pay by the token: from which load on a card beats an API"
_MOST = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--gpu", default="rtx-4090", metavar="ID", help="a card of the catalog (default: rtx-4090)")
    parser.add_argument("--model", default="llama-3.1-8b", metavar="ID", help="a model (default: llama-3.1-8b)")
    parser.add_argument(
        "--prompt", type=int, default=857, metavar="N", help="mean prompt, half to one and a half of it (default: 857)"
    )
    parser.add_argument("--output", type=int, default=652, metavar="N", help="mean answer in tokens (default: 652)")
    parser.add_argument(
        "--ttft", type=float, default=2.0, metavar="S", help="first token within S seconds, 0: no matter (default: 2)"
    )
    parser.add_argument(
        "--e2e", type=float, default=0.0, metavar="S", help="whole answer within S seconds, 0: no matter (default)"
    )
    parser.add_argument(
        "--place", default="us-east-north-central", metavar="ID", help="where electricity is paid (catalog places)"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Compute and print."""
    for name in ("prompt", "output"):
        if not 1 <= getattr(parsed, name) <= _MOST:
            raise EngineError("serving.range", name=name, low=1, high=_MOST)
    for name in ("ttft", "e2e"):
        if not 0 <= getattr(parsed, name) <= _MOST:
            raise EngineError("serving.range", name=name, low=0, high=_MOST)
    place = catalog.place(parsed.place)
    work = Work.of_mean(parsed.prompt, parsed.output, parsed.ttft, parsed.e2e)
    found = compare(deploy(parsed.gpu, parsed.model), work, list(catalog.apis().values()), place.usd_per_kwh)
    print(json.dumps(found, indent=2) if parsed.json else _text(found, work, place.name))
    return 0


def _text(found: dict[str, Any], work: Work, place: str) -> str:
    limits = [f"{name} <= {limit:g} s" for name, limit in (("TTFT", work.ttft_s), ("E2E", work.e2e_s)) if limit]
    kept = " and ".join(limits) or "no deadline"
    lines = [
        f"{found['model']} on {found['gpu']}, {work.prompt_tokens:.0f} tokens in and {work.output_tokens:.0f} out on "
        f"average, {kept}: {found['requests_per_s']:.2f} tasks/s, {found['output_tokens_per_s']:,.0f} tokens/s",
        "  an hour at full load: "
        + ", ".join(f"${usd:.2f} {way}" for way, usd in found["usd_per_hour"].items())
        + f" (electricity: {place})",
    ]
    ways = list(found["usd_per_hour"])
    lines.append(f"  {'offer':12}{'$/h for it':>12}" + "".join(f"{'vs ' + way:>12}" for way in ways))
    for offer in found["offers"]:
        shown = "".join(f"{_share(offer['break_even'][way]):>12}" for way in ways)
        late = "" if offer["possible"] else "   misses the deadline itself"
        lines.append(f"  {offer['api']:12}{offer['usd_per_hour']:12.2f}{shown}{late}")
    lines.append("Per cent: the share of this load from which on the card costs no more than the offer.")
    return "\n".join(lines)


def _share(utilisation: float | None) -> str:
    return "never" if utilisation is None else f"{utilisation:.0%}"
