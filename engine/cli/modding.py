"""`modding`: the tables of `docs/modding.md`, out of the code that they describe."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from engine import catalog
from engine.codex.figures import FIGURES
from engine.floor.kinds import KINDS, Port
from engine.floor.machines.base import STATES
from engine.level import check_words, hook, lessons, memory, rules, spec
from engine.level.effects import MOST_EFFECTS
from engine.level.goals import METRICS
from engine.level.versions import INTERFACE
from engine.mods import archive, files, mod, pictures, runner, sandbox_rlimits, texts
from engine.traffic import kinds, trace, traffic

HELP = "write the tables of docs/modding.md anew, out of the code"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "modding.md"
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--write", action="store_true", help="write docs/modding.md instead of printing it")


def command(parsed: argparse.Namespace) -> int:
    """Print or write."""
    page = filled(PAGE.read_text(encoding="utf-8"))
    if parsed.write:
        PAGE.write_text(page, encoding="utf-8")
        print(f"wrote {PAGE.name}")
    else:
        print(page, end="")
    return 0


def filled(page: str) -> str:
    """The page with each table as the code has it."""
    return _TABLE.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}\n{found[3]}", page)


# -- classes -----------------------------------------------------------------------------------------------------------


def _classes(*kinds: type) -> str:
    return "\n\n".join(_class(kind) for kind in kinds)


def _class(kind: type) -> str:
    """A heading, what it is, and a row a field: name, kind, default, and what its docstring says."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    lines = [f"**{kind.__name__}**: {_prose(ast.get_docstring(node) or '')}"]
    rows = list(_fields(node))
    if rows:
        lines += ["", "| field | kind | default | |", "|---|---|---|---|", *rows]
    return "\n".join(lines)


def _fields(node: ast.ClassDef) -> Iterable[str]:
    for place, each in enumerate(node.body):
        if not isinstance(each, ast.AnnAssign) or _hidden(each):
            continue
        after = node.body[place + 1] if place + 1 < len(node.body) else None
        told = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            told = _prose(after.value.value)
        name, kind = ast.unparse(each.target), ast.unparse(each.annotation)
        yield f"| `{name}` | `{kind.replace(' | ', ' or ')}` | {_default(each.value)} | {told} |"


def _hidden(each: ast.AnnAssign) -> bool:
    """Whether a field is worked out, not given."""
    return ast.unparse(each.target) == "script" or (each.value is not None and "init=False" in ast.unparse(each.value))


def _default(value: ast.expr | None) -> str:
    if value is None:
        return ""
    if isinstance(value, ast.Call):
        given = {word.arg: ast.unparse(word.value) for word in value.keywords}
        made = {"list": "[]", "dict": "{}"}.get(given.get("factory", ""), given.get("default", ""))
        return f"`{made}`" if made else ""
    text = ast.unparse(value)
    return f"`{_CONSTANTS.get(text, text)}`"


_CONSTANTS = {
    "RESERVED": repr(spec.RESERVED),
    "INTERFACE": str(INTERFACE),
    "ANY_PAD": str(lessons.ANY_PAD),
}


def _prose(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# -- names and limits --------------------------------------------------------------------------------------------------


def _names() -> str:
    rows = {
        "machine kinds that a player may place": rules.PLACED,
        "docks": rules.DOCKS,
        "cards (`gpu`)": catalog.gpus(),
        "models": catalog.models(),
        "links": catalog.links(),
        "offers by the token (`apis`)": catalog.apis(),
        "places (`Supply.place`)": catalog.places(),
        "benchmarks": catalog.benchmarks(),
        "metrics of goals": METRICS,
        "events of hooks": hook.EVENTS,
        "states of machines": STATES,
        "figures that a step may name in `params`": FIGURES,
    }
    settings = {
        kind: ", ".join(f"`{name}` (to {most:,})" for name, most in one.items()) for kind, one in rules.SETTINGS.items()
    }
    lines = [f"| {what} | {', '.join(f'`{name}`' for name in names)} |" for what, names in rows.items()]
    lines += [f"| settings of `{kind}` | {told} |" for kind, told in settings.items()]
    return "\n".join(["| what | names |", "|---|---|", *lines])


def _ports() -> str:
    lines = ["| kind | tiles | inputs | outputs |", "|---|---|---|---|"]
    for kind in KINDS.values():
        width, height = kind.size
        lines.append(f"| `{kind.name}` | {width} x {height} | {_ends(kind.inputs)} | {_ends(kind.outputs)} |")
    return "\n".join(lines)


def _ends(ports: Mapping[str, Port]) -> str:
    return ", ".join(
        f"`{name}` ({port.tile[0]}, {port.tile[1]}) {port.side}: {' or '.join(port.packets)}"
        for name, port in ports.items()
    )


def _limits() -> str:
    hooks, loading = runner.HOOK, runner.LOAD
    rows: list[tuple[str, str]] = [
        ("sides of the floor", f"{rules.MAX_SIDE} tiles"),
        ("cards, docks", f"{rules.MAX_PADS}, {rules.MAX_DOCKS}"),
        ("machines of a kind", f"{rules.MAX_OF_A_KIND}"),
        ("length of a run", f"{rules.MAX_END_S:,} simulated seconds"),
        ("requests of a run", f"{rules.MAX_REQUESTS:,}, at least {rules.LEAST_INTERVAL_PS // 10**9} ms apart"),
        ("requests of a trace", f"{trace.MAX_ARRIVALS:,}, in {trace.MAX_SPAN_S:,} s; {trace.MAX_BYTES:,} bytes"),
        ("tokens of a prompt or an answer", f"{trace.MAX_TOKENS:,}"),
        ("steps of a tutorial, hints", f"{check_words.MAX_STEPS}, {check_words.MAX_HINTS}"),
        ("questions, answers of one", f"{check_words.MAX_QUESTIONS}, {check_words.MAX_ANSWERS}"),
        ("bans, hooks", f"{check_words.MAX_BANS}, {check_words.MAX_HOOKS}"),
        ("a text", f"{rules.MAX_TEXT:,} characters, nothing in it that cannot be seen"),
        ("texts of a level in a language", f"{check_words.MAX_TEXTS:,}"),
        ("a file `texts/<language>.json`", f"{texts.MOST_TEXTS:,} texts, {texts.MAX_BYTES:,} bytes"),
        ("a picture", f"PNG, {pictures.WIDEST} x {pictures.HIGHEST} pixels, {pictures.MAX_BYTES:,} bytes"),
        ("files of a mod", f"{files.MOST_FILES}, each {files.MAX_FILE_BYTES:,} bytes, together {files.MAX_BYTES:,}"),
        ("a zip", f"no more than {archive.MOST_RATIO} bytes out of one; no links, no encryption"),
        ("levels of a mod, mods that it needs", f"{mod.MOST_LEVELS}, {mod.MOST_NEEDS}"),
        ("running a script", f"{loading.real_s:g} s"),
        ("a call of a hook", f"{hooks.cpu_ms} ms of processor time, {hooks.real_s:g} s in all"),
        ("an answer of a hook", f"{hooks.bytes:,} bytes"),
        ("effects of a call, characters of a hook's memory as JSON", f"{MOST_EFFECTS}, {memory.MOST_MEMORY:,}"),
        ("memory of a worker", f"{sandbox_rlimits.MEMORY_BYTES >> 20} MiB"),
    ]
    return "\n".join(["| what | at most |", "|---|---|", *(f"| {what} | {most} |" for what, most in rows)])


TABLES: dict[str, Callable[[], str]] = {
    "level": lambda: _classes(
        spec.Level, spec.PadSpec, spec.Supply, spec.Dock, spec.Tenant, spec.Setting, spec.Goal, spec.Stars, spec.Ban
    ),
    "traffic": lambda: _classes(*_union(kinds.AnyTraffic), traffic.Lengths),
    "lessons": lambda: _classes(lessons.Step, lessons.Question),
    "conditions": lambda: _classes(*_union(lessons.Condition)),
    "hooks": lambda: _classes(*_union(hook.Hook)),
    "run": lambda: _classes(hook.Run, hook.PadFigures, hook.MachineFigures, hook.GoalFigures, hook.Happened),
    "effects": lambda: _classes(*_union(hook.Effect)),
    "mod": lambda: _class(mod.Mod),
    "names": _names,
    "ports": _ports,
    "limits": _limits,
}


def _union(kinds: Any) -> tuple[type, ...]:
    members: tuple[type, ...] = kinds.__args__
    return members
