"""`run`: a level with a layout, from start to end."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from engine.cli.authored import HELP as AUTHORED
from engine.cli.authored import opened
from engine.cli.report_text import show
from engine.cli.what_if import add_changes, assignments, numbers, read_layout
from engine.errors import EngineError
from engine.floor.layout import layout_from_data
from engine.player.whole_file import write_whole
from engine.protocol.play import SPEEDS, play
from engine.simulation import MAX_SEED
from engine.units import MIB, NUSD_PER_USD, PS_PER_S
from engine.what_if.changes import Changes, changed
from engine.what_if.extra import package
from engine.what_if.figures import figures
from engine.what_if.page import report_page
from engine.what_if.play import Watch, run_traced
from engine.what_if.plots import EXTRA
from engine.what_if.traced import read_recorded, traced

HELP = "run a level to its end and judge its goals"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """LEVEL and the options."""
    parser.add_argument("level", metavar="LEVEL", help=AUTHORED)
    parser.add_argument("--layout", metavar="FILE", help="a layout as JSON (default: the level's reference layout)")
    parser.add_argument("--seed", default="1", metavar="N", help=f"0 to {MAX_SEED} (default: 1)")
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="requests as they once came, instead of the level's and without its goals: a CSV file "
        "(arrival, prompt_tokens, output_tokens; tenant, prefix, prefix_tokens), or a vLLM run (.jsonl)",
    )
    add_changes(parser)
    parser.add_argument(
        "--speed",
        default="max",
        choices=SPEEDS,
        help="frames of 1/60 s at this speed, every step an event, or no frames (default: max); same result",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots as well")


def command(parsed: argparse.Namespace) -> int:
    """Run and print; status 0 only if every goal was met, or there is none."""
    seed, changes = seed_of(parsed.seed), _changes(parsed)
    recorded = None if parsed.trace is None else read_recorded(Path(parsed.trace))
    if parsed.html is not None:
        package("plotly", EXTRA)  # it says what is missing before the run
    watch = Watch()
    with opened(parsed.level) as (level, callers):
        layout = layout_from_data(level.reference) if parsed.layout is None else read_layout(Path(parsed.layout))
        level = level if recorded is None else traced(level, recorded)
        level, layout = changed(level, layout, changes)
        if recorded is not None:
            simulation = run_traced(level, seed, layout, watch)
        else:
            caller = callers(level)
            try:
                simulation = play(level, seed, layout, parsed.speed, watch.look, caller, checkpoints=False)
            finally:
                if caller is not None:
                    caller.close()
    result = figures(simulation, layout, watch, changes, recorded)
    if parsed.html is not None:
        write_whole(Path(parsed.html), report_page(result, simulation, watch).encode())
    if parsed.json:
        print(json.dumps(result, indent=2))
    elif recorded is not None or changes != Changes():
        show(result)
    else:
        print(_text(result, bool(level.goals)))
    return 0 if simulation.passed or not level.goals else 1


def _changes(parsed: argparse.Namespace) -> Changes:
    """What is to be different, with one value each."""
    axes = [assignments(parsed.set), assignments(parsed.count, counts=True)]
    for axis in axes:
        for name, values in axis.items():
            if len(values) != 1:
                raise EngineError("what_if.one", name=name[:80])
    settings, counts = ({name: values[0] for name, values in axis.items()} for axis in axes)
    rates = numbers("--rate", parsed.rate)
    if len(rates) > 1:
        raise EngineError("what_if.one", name="--rate")
    return Changes(
        settings, counts, parsed.gpu or "", parsed.model or "", parsed.link or "", rates[0] if rates else 0.0
    )


def seed_of(text: str) -> int:
    """A seed; EngineError `seed.range`."""
    if not (text.isascii() and text.isdigit()):
        raise EngineError("seed.range", most=MAX_SEED)
    return int(text[:20])


def _text(result: dict[str, Any], has_goals: bool) -> str:
    verdict = "passed" if result["passed"] else "not passed" if has_goals else "no goals"
    lines = [f"{result['level']}, seed {result['seed']}: {verdict}"]
    names = {
        "tps": "tokens per second",
        "user_tps": "and per user",
        "ttft_p95": "TTFT p95",
        "pause_p95": "pause p95",
        "tpot_mean": "TPOT mean",
        "e2e_p95": "end to end p95",
    }
    for name, label in names.items():
        plain = name.endswith("tps")
        value = result[name if plain else f"{name}_s"]
        shown = "-" if value is None else f"{value:.2f}{'' if plain else ' s'}"
        lines.append(f"  {label:18} {shown:>10}{'   missed' if name in result['failed'] else ''}")
    for name in ("out_of_memory", "refused"):
        if result[name]:
            lines.append(
                f"  {name.replace('_', ' '):18} {result[name]:>10}{'   missed' if name in result['failed'] else ''}"
            )
    lines += _goals(result["goals"], names) + _memory(result)
    lines += [_goodput(result), *_waterfall(result), *_kv(result), *_speculation(result), _cost(result), *_bill(result)]
    for machine in result["machines"]:
        if machine["kind"].endswith("_core"):
            place = f"{machine['kind']} at {machine['x']},{machine['y']}"
            lines.append(f"  {place:26} busy {machine['busy']:.0%}, {machine['queue']} waiting, {machine['state']}")
    lines.append(f"  {result['finished']} of {result['requests']} requests finished, hash {result['hash']}")
    return "\n".join(lines)


def _goals(goals: list[dict[str, Any]], above: Collection[str]) -> list[str]:
    """Those that are not above, with their bars."""
    lines = []
    for goal in goals:
        if goal["metric"] not in above or goal["tenant"]:
            value = "-" if goal["value"] is None else f"{goal['value']:.4g}"
            bar = f"{'at least' if goal['at_least'] else 'at most'} {goal['target']:g}"
            name = f"{goal['metric']} {goal['tenant']}".strip()
            lines.append(f"  {name:18} {value:>10}   {bar}{'' if goal['met'] else ', missed'}")
    return lines


def _memory(result: dict[str, Any]) -> list[str]:
    """Who held what when a core ran out of memory."""
    lines = []
    for told in result["out_of_memory_reports"]:
        held = ", ".join(
            f"request {request} {size // MIB} MiB ({used // MIB} in use)" for request, size, used in told["held"]
        )
        taken = f"weights {told['weights_bytes'] // MIB}, driver and activations {told['overhead_bytes'] // MIB}"
        where = f"{told['t_ps'] / PS_PER_S:.1f} s, decode_core at {told['x']},{told['y']}"
        wanted = f"request {told['request']} wanted {told['wanted_bytes'] // MIB} MiB of {told['vram_bytes'] // MIB}"
        lines.append(f"  CUDA out of memory at {where}: {wanted}; {taken}; {held}")
    return lines


def _goodput(result: dict[str, Any]) -> str:
    good, waiting = result["goodput"], result["waiting_s"]
    limits = ", ".join(f"{name} <= {limit:.3g} s" for name, limit in good["limits_s"].items())
    share = "" if good["share_of_finished"] is None else f", {good['share_of_finished']:.0%} of those finished"
    waited = "-" if waiting["mean"] is None else f"{waiting['mean']:.2f} s, p95 {waiting['p95']:.2f} s"
    kept = limits or ("each tenant's deadlines" if result.get("by_tenant") else "no deadline")
    goodput = f"{good['requests_per_s'] or 0:.3f} requests/s with {kept}"
    return f"  goodput {goodput}{share}; waiting {waited}"


def _waterfall(result: dict[str, Any]) -> list[str]:
    """The causes that take at least a hundredth of the time."""
    fall = result["waterfall"]
    total = fall["e2e_total_ps"]
    parts = [f"{name} {ps / total:.0%}" for name, ps in fall["total_ps"].items() if total and ps * 100 >= total]
    return [f"  time of a request: {', '.join(parts)}"] if parts else []


def _kv(result: dict[str, Any]) -> list[str]:
    kv = result["kv"]
    if kv is None:
        return []
    return [
        f"  KV: {kv['sequences']:.2f} sequences, each with room for {kv['taken_per_sequence']:,.0f} tokens on average, "
        f"{kv['saving']:.1%} less than {kv['max_model_len']:,}; {result['preemptions']} preemptions"
    ]


def _speculation(result: dict[str, Any]) -> list[str]:
    draft = result["speculation"]
    if draft["acceptance"] is None:
        return []
    return [
        f"  drafts: {draft['accepted']:,} of {draft['drafted']:,} accepted ({draft['acceptance']:.0%}), "
        f"{draft['tokens_per_step']:.2f} tokens a step"
    ]


def _cost(result: dict[str, Any]) -> str:
    rented, owned = result["cost"]["rented"], result["cost"]["owned"]
    parts = []
    if rented["listed"]:
        parts.append(f"${rented['usd_per_mtok'] or 0:.2f} rented")
    if owned is not None:
        parts.append(f"${owned['usd_per_mtok'] or 0:.2f} owned (card, host, electricity)")
    energy = result["energy"]
    if energy["j_per_token"] is None:
        return f"  no tokens; {energy['total_j'] / 1e3:.0f} kJ"
    return f"  a million tokens costs {', '.join(parts)}; {energy['j_per_token']:.1f} J a token"


def _bill(result: dict[str, Any]) -> list[str]:
    """Who was paid what, and from which load on cards beat each offer; nothing where all cards are simply rented."""
    bill = result["bill"]
    if not bill["apis"] and not result["break_even"]:
        return []
    parts = [f"{pad['gpu']} {pad['way']} ${pad['total_nusd'] / NUSD_PER_USD:.4f}" for pad in bill["pads"] if pad["way"]]
    parts += [f"{api['api']} ${api['total_nusd'] / NUSD_PER_USD:.4f}" for api in bill["apis"]]
    lines = [f"  bill ${bill['usd']:.4f}: {', '.join(parts) or 'nothing'}"]
    return [*lines, *(line for task in result["break_even"] for line in _beaten(task))]


def _beaten(task: dict[str, Any]) -> list[str]:
    """A line for each way of having a card."""
    name = f"{task['tenant']}: " if task["tenant"] else ""
    if not task.get("offers"):
        return [f"  {name}no offer is good enough to be compared"]
    lines = []
    for way in task["usd_per_hour"]:
        shares = {offer["api"]: offer["break_even"][way] for offer in task["offers"]}
        beaten = [f"{api} from {share:.0%}" for api, share in shares.items() if share is not None]
        never = [api for api, share in shares.items() if share is None]
        parts = [f"beats {', '.join(beaten)} of its load"] if beaten else []
        parts += [f"never beats {', '.join(never)}"] if never else []
        lines.append(f"  {name}{task['model']} on {task['gpu']}, {way}, {'; '.join(parts)}")
    return lines
