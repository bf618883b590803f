"""The texts of a mod: plain words by code, and only for its own levels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.level.problems import is_plain
from engine.level.rules import MAX_TEXT, OWN_TEXTS
from engine.level.spec import Level
from engine.mods.problem import LoadProblem

FOLDER = "texts"
MOST_TEXTS = 2_000
MAX_BYTES = 200_000
"""Of a file."""
MOST_PROBLEMS = 100
_CODE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")


def language(tongue: str) -> bool:
    """Whether it is a language as Godot names it: `de`, `pt_BR`."""
    return _LANGUAGE.fullmatch(tongue) is not None


def plain(text: str, most: int = MAX_TEXT) -> None:
    """EngineError unless a text is not too long, and all of it can be seen."""
    if len(text) > most:
        raise EngineError("check.long", most=most)
    if not is_plain(text):
        raise EngineError("check.characters")


def owner(code: str) -> str:
    """The level that a code belongs to: `steady` of `tutorial.steady.start`; "" if it has not the form of one."""
    parts = code.split(".")
    return parts[1] if len(parts) >= 3 and parts[0] in OWN_TEXTS else ""


def of_mod(code: str, mod: str) -> str:
    """A code of a mod's level as the game knows it, where its id is `<mod>/<level>`."""
    prefix, level, *rest = code.split(".")
    return ".".join([prefix, f"{mod}/{level}", *rest])


def read_texts(path: Path, levels: list[str]) -> tuple[dict[str, str], list[LoadProblem]]:
    """The texts of a file `texts/<language>.json` by code, and all that is wrong with it."""
    name = f"{FOLDER}/{path.name}"
    if path.suffix != ".json" or not language(path.stem):
        return {}, [LoadProblem(name, 0, "", "text.language", {"language": path.stem[:40]})]
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        return {}, [LoadProblem(name, 0, "", "mod.file_large", {"most": MAX_BYTES, "name": name})]
    data, problems = read_json(content, name)
    if data is not None:
        problems = check_texts(data, levels, name, content.decode())
    return data or {}, problems


def read_json(content: bytes, name: str) -> tuple[dict[str, Any] | None, list[LoadProblem]]:
    """The map that a file holds, or why it holds none."""
    line, detail = 0, "{...}"
    try:
        data = json.loads(content.decode())
        if isinstance(data, dict):
            return data, []
    except json.JSONDecodeError as error:
        line, detail = error.lineno, error.msg
    except UnicodeDecodeError:
        detail = "UTF-8"
    except (ValueError, RecursionError) as error:
        detail = str(error)[:100]
    return None, [LoadProblem(name, line, "", "mod.json", {"detail": detail})]


def check_texts(texts: Mapping[str, Any], levels: list[str], file: str, source: str) -> list[LoadProblem]:
    """All that is wrong with texts by code; `source` is the file's content, to find lines in."""
    if len(texts) > MOST_TEXTS:
        return [LoadProblem(file, 0, "", "mod.count", {"most": MOST_TEXTS})]
    problems = list[LoadProblem]()
    for code, text in texts.items():
        for error in _wrong(code, text, levels):
            at = source.find(json.dumps(code, ensure_ascii=False))
            line = source.count("\n", 0, at) + 1 if at >= 0 else 0
            problems.append(LoadProblem.of(error, file, line, code[:80]))
            if len(problems) == MOST_PROBLEMS:
                return problems
    return problems


def needed(level: Level) -> list[str]:
    """The codes that the game shows of a level, and that have to be there in English."""
    codes = [f"level.{level.id}.title"]
    codes += [f"tutorial.{level.id}.{step.id}" for step in level.tutorial]
    for question in level.questions:
        code = f"question.{level.id}.{question.id}"
        codes += [code, *(f"{code}.{chr(ord('a') + place)}" for place in range(question.answers))]
    return codes + [f"hint.{level.id}.{number}" for number in range(1, level.hints + 1)]


def _wrong(code: str, text: Any, levels: list[str]) -> Iterator[EngineError]:
    if len(code) > 120 or not _CODE.fullmatch(code) or owner(code) not in levels:
        yield EngineError("text.code")
    if not isinstance(text, str):
        yield EngineError("text.kind")
        return
    try:
        plain(text)
    except EngineError as error:
        yield error
