"""What is wrong with a level's words: its tutorial, questions, texts and proofs' bans; and with its hooks."""

from __future__ import annotations

import re

from engine.codex.figures import FIGURES
from engine.floor.kinds import KINDS
from engine.level.goals import METRICS
from engine.level.hook import EVENTS, At, Every, On
from engine.level.lessons import (
    AllOf,
    AnyOf,
    Condition,
    Elapsed,
    GoalMet,
    Linked,
    NotLinked,
    Placed,
    SettingAtLeast,
    SettingIs,
    SettingOfOne,
    Told,
    WayTo,
)
from engine.level.problems import Problems
from engine.level.rules import MAX_OF_A_KIND, MAX_TEXT, OWN_TEXTS, owns
from engine.level.spec import Level

MAX_STEPS = 60
MAX_DEPTH = 4
MAX_QUESTIONS = 20
MAX_ANSWERS = 6
MAX_HINTS = 10
MAX_BANS = 20
MAX_HOOKS = 32
MAX_LANGUAGES = 20
MAX_TEXTS = 500
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?", re.ASCII)
_CODE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_/]+)+", re.ASCII)
_MOST_TILES = 10_000


def check_lessons(level: Level, problems: Problems) -> None:
    """Tutorial, questions, hints, and what proofs leave out."""
    problems.number("hints", level.hints, 0, MAX_HINTS)
    seen: set[str] = set()
    if problems.count("tutorial", level.tutorial, 0, MAX_STEPS):
        for index, step in enumerate(level.tutorial):
            field = f"tutorial[{index}]"
            if problems.name(f"{field}.id", step.id):
                problems.once(f"{field}.id", step.id, seen)
            _check_condition(level, step.done, problems, f"{field}.done", 0)
            for place, name in enumerate(step.params[:20]):
                problems.known(f"{field}.params[{place}]", name, FIGURES)
            problems.count(f"{field}.params", step.params, 0, 20)
    seen = set()
    if problems.count("questions", level.questions, 0, MAX_QUESTIONS):
        for index, question in enumerate(level.questions):
            field = f"questions[{index}]"
            if problems.name(f"{field}.id", question.id):
                problems.once(f"{field}.id", question.id, seen)
            if problems.number(f"{field}.answers", question.answers, 2, MAX_ANSWERS):
                problems.number(f"{field}.right", question.right, 0, question.answers - 1)
    _check_bans(level, problems)


def _check_bans(level: Level, problems: Problems) -> None:
    seen: set[str] = set()
    if not problems.count("bans", level.bans, 0, MAX_BANS):
        return
    for index, ban in enumerate(level.bans):
        field = f"bans[{index}]"
        if problems.name(f"{field}.id", ban.id):
            problems.once(f"{field}.id", ban.id, seen)
        for name, kinds in (("kinds", ban.kinds), ("apart", ban.apart)):
            if problems.count(f"{field}.{name}", kinds, 0, len(KINDS)):
                for place, kind in enumerate(kinds):
                    problems.known(f"{field}.{name}[{place}]", kind, KINDS)
        if ban.apart:
            problems.count(f"{field}.apart", ban.apart, 2, 2)
        problems.number(f"{field}.share", ban.share, 0, 1)
        problems.number(f"{field}.way", ban.way, 0, _MOST_TILES)


def _check_condition(level: Level, condition: Condition, problems: Problems, field: str, depth: int) -> None:
    match condition:
        case AnyOf() | AllOf():
            if depth >= MAX_DEPTH:
                problems.add(field, "check.deep", most=MAX_DEPTH)
            elif problems.count(f"{field}.conditions", condition.conditions, 1, 10):
                for index, one in enumerate(condition.conditions):
                    _check_condition(level, one, problems, f"{field}.conditions[{index}]", depth + 1)
        case Placed():
            problems.known(f"{field}.kind", condition.kind, KINDS)
            problems.one(f"{field}.apart", condition.apart, KINDS)
            problems.one(f"{field}.beside", condition.beside, KINDS)
            problems.number(f"{field}.pad", condition.pad, -1, len(level.pads) - 1)
            problems.number(f"{field}.least", condition.least, 1, MAX_OF_A_KIND)
            _check_at(level, condition.at, problems, field)
        case Linked() | NotLinked():
            problems.known(f"{field}.source", condition.source, KINDS)
            problems.known(f"{field}.target", condition.target, KINDS)
            if isinstance(condition, Linked):
                problems.number(f"{field}.least", condition.least, 1, MAX_OF_A_KIND)
        case SettingAtLeast() | SettingIs() | SettingOfOne():
            if problems.known(f"{field}.kind", condition.kind, level.settings):
                specs = level.settings[condition.kind]
                if problems.known(f"{field}.name", condition.name, specs):
                    spec = specs[condition.name]
                    problems.number(f"{field}.value", condition.value, spec.low, spec.high)
            if isinstance(condition, SettingOfOne):
                _check_at(level, condition.at, problems, field)
        case WayTo():
            problems.known(f"{field}.setting", condition.setting, level.settings.get("router", {}))
            problems.known(f"{field}.target", condition.target, KINDS)
            problems.one(f"{field}.name", condition.name, level.settings.get(condition.target, {}))
            problems.count(f"{field}.values", condition.values, 0, 10)
        case Elapsed():
            problems.number(f"{field}.seconds", condition.seconds, 0, max(level.end_s, 0))
        case GoalMet():
            problems.known(f"{field}.metric", condition.metric, METRICS)
        case Told():
            problems.text(f"{field}.fact", condition.fact, 80)


def _check_at(level: Level, at: tuple[int, int], problems: Problems, field: str) -> None:
    for place, most in enumerate((level.width, level.height)):
        problems.number(f"{field}.at[{place}]", at[place], -1, most - 1)


def check_texts(level: Level, problems: Problems) -> None:
    """The level's own words."""
    if not problems.count("texts", level.texts, 0, MAX_LANGUAGES):
        return
    for language, texts in level.texts.items():
        field = f"texts.{language}"[:40]
        if not _LANGUAGE.fullmatch(language):
            problems.add("texts", "check.language", value=language[:20] if language.isprintable() else "?")
        elif problems.count(field, texts, 0, MAX_TEXTS):
            for code, text in texts.items():
                if len(code) > 120 or not _CODE.fullmatch(code) or not owns(level.id, code):
                    shown = code[:60] if code.isprintable() else "?"
                    problems.add(field, "check.code", value=shown, known=", ".join(OWN_TEXTS), id=level.id[:40])
                else:
                    problems.text(f"{field}.{code}", text, MAX_TEXT)
    title = f"level.{level.id[:40]}.title"
    if level.texts and title not in level.texts.get("en", {}):
        problems.add("texts.en", "check.missing", name=title)


def check_hooks(level: Level, problems: Problems) -> None:
    """When hooks are called, and their names."""
    seen: set[str] = set()
    if not problems.count("hooks", level.hooks, 0, MAX_HOOKS):
        return
    for index, hook in enumerate(level.hooks):
        field = f"hooks[{index}]"
        if problems.name(f"{field}.name", hook.name):
            problems.once(f"{field}.name", hook.name, seen)
        match hook:
            case Every():
                problems.number(f"{field}.seconds", hook.seconds, 1, max(level.end_s, 1))
            case At():
                problems.number(f"{field}.second", hook.second, 0, max(level.end_s, 0))
            case On():
                problems.known(f"{field}.event", hook.event, EVENTS)
