"""`run`: a level with a layout, from start to end."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.floor.layout import MAX_JSON_BYTES, Layout, layout_from_data, layout_from_json, layout_hash
from engine.level.load import load
from engine.physics.money import usd_per_million_tokens
from engine.protocol.play import SPEEDS, play
from engine.simulation import MAX_SEED, Simulation
from engine.units import as_seconds

HELP = "run a level to its end and judge its goals"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LEVEL and the options."""
    parser.add_argument("level", metavar="LEVEL", help="a number, a name or a level script")
    parser.add_argument("--layout", metavar="FILE", help="a layout as JSON (default: the level's reference layout)")
    parser.add_argument("--seed", default="1", metavar="N", help=f"0 to {MAX_SEED} (default: 1)")
    parser.add_argument(
        "--speed",
        default="max",
        choices=SPEEDS,
        help="frames of 1/60 s at this speed, every step an event, or no frames (default: max); same result",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def command(parsed: argparse.Namespace) -> int:
    """Run and print; status 0 only if every goal was met."""
    level = load(parsed.level)
    layout = layout_from_data(level.reference) if parsed.layout is None else _read(Path(parsed.layout))
    simulation = play(level, _seed(parsed.seed), layout, parsed.speed)
    result = report(simulation)
    print(json.dumps(result, indent=2) if parsed.json else _text(result))
    return 0 if simulation.passed else 1


def report(simulation: Simulation) -> dict[str, Any]:
    """What a run achieved, in the units of the field."""
    score, end = simulation.score(), simulation.now
    return {
        "level": simulation.level.id,
        "seed": simulation.seed,
        "passed": simulation.passed,
        "failed": [judgement.goal.metric for judgement in simulation.judge() if not judgement.met],
        "tps": score.tps,
        "ttft_p50_s": _seconds(score.ttft_p50_ps),
        "ttft_p95_s": _seconds(score.ttft_p95_ps),
        "pause_p95_s": _seconds(score.pause_p95_ps),
        "tpot_mean_s": _seconds(score.tpot_mean_ps),
        "e2e_p95_s": _seconds(score.e2e_p95_ps),
        "requests": score.requests,
        "finished": score.finished,
        "tokens": score.tokens,
        "usd_per_mtok": usd_per_million_tokens(simulation.cost_nusd(), simulation.tokens()),
        "machines": [
            {
                "kind": machine.stand.kind.name,
                "x": machine.stand.x,
                "y": machine.stand.y,
                "busy": machine.busy_ps(0, end) / end if end else 0.0,
                "queue": machine.queue_length(),
                "state": machine.status(),
            }
            for machine in simulation.floor.machines.values()
        ],
        "sim_seconds": as_seconds(end),
        "layout_hash": layout_hash(simulation.site.layout()),
        "hash": simulation.state_hash(),
    }


def _seconds(ps: int | None) -> float | None:
    return None if ps is None else as_seconds(ps)


def _read(path: Path) -> Layout:
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise EngineError("layout.malformed", detail=f"larger than {MAX_JSON_BYTES} bytes")
        return layout_from_json(path.read_bytes())
    except OSError as error:
        raise EngineError("layout.missing", path=str(path), detail=error.strerror or "") from error


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise EngineError("seed.range", most=MAX_SEED)
    return int(text[:20])


def _text(result: dict[str, Any]) -> str:
    lines = [f"{result['level']}, seed {result['seed']}: {'passed' if result['passed'] else 'not passed'}"]
    names = {
        "tps": "tokens per second",
        "ttft_p95": "TTFT p95",
        "pause_p95": "pause p95",
        "tpot_mean": "TPOT mean",
        "e2e_p95": "end to end p95",
    }
    for name, label in names.items():
        value = result["tps"] if name == "tps" else result[f"{name}_s"]
        shown = "-" if value is None else f"{value:.2f}{'' if name == 'tps' else ' s'}"
        lines.append(f"  {label:18} {shown:>10}{'   missed' if name in result['failed'] else ''}")
    for machine in result["machines"]:
        if machine["kind"].endswith("_core"):
            place = f"{machine['kind']} at {machine['x']},{machine['y']}"
            lines.append(f"  {place:26} busy {machine['busy']:.0%}, {machine['queue']} waiting, {machine['state']}")
    lines.append(f"  {result['finished']} of {result['requests']} requests finished, hash {result['hash']}")
    return "\n".join(lines)
