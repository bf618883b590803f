"""The texts of a mod: plain words by code, and only for its own levels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.level.spec import Level
from engine.mods.problem import LoadProblem

FOLDER = "texts"
MOST_TEXT = 2_000
"""Characters of a text."""
MOST_TEXTS = 2_000
MAX_BYTES = 500_000
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
PREFIXES = ("level", "tutorial", "question", "hint", "message")
"""What the codes of a level begin with, before its id."""


def language(tongue: str) -> bool:
    """Whether it is a language as Godot names it: `de`, `pt_BR`."""
    return _LANGUAGE.fullmatch(tongue) is not None


def plain(text: str, most: int = MOST_TEXT) -> None:
    """EngineError unless a text is not too long and has nothing but what prints, and line ends."""
    if len(text) > most:
        raise EngineError("text.long", most=most)
    if not all(sign.isprintable() or sign == "\n" for sign in text):
        raise EngineError("text.control")


def owner(code: str) -> str:
    """The level that a code belongs to: `steady` of `tutorial.steady.start`; "" if it has not the form of one."""
    parts = code.split(".")
    return parts[1] if len(parts) >= 2 and parts[0] in PREFIXES else ""


def of_mod(code: str, mod: str) -> str:
    """A code of a mod's level as the game knows it, where its id is `<mod>/<level>`."""
    prefix, level, *rest = code.split(".")
    return ".".join([prefix, f"{mod}/{level}", *rest])


def read_texts(folder: Path, levels: list[str]) -> tuple[dict[str, dict[str, str]], list[LoadProblem]]:
    """Texts by language and code, of the files `texts/<language>.json`, and all that is wrong with them."""
    texts, problems = dict[str, dict[str, str]](), list[LoadProblem]()
    for path in sorted((folder / FOLDER).glob("*")):
        name = f"{FOLDER}/{path.name}"
        if path.suffix != ".json" or not language(path.stem):
            problems.append(LoadProblem(name, 0, "", "text.language", {"language": path.stem[:40]}))
            continue
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        try:
            if len(content) > MAX_BYTES:
                raise EngineError("mod.file_large", most=MAX_BYTES, name=name)
            data = json.loads(content.decode())
            if not isinstance(data, dict):
                raise EngineError("mod.json", detail="{...}")
        except EngineError as error:
            problems.append(LoadProblem.of(error, name))
        except json.JSONDecodeError as error:
            problems.append(LoadProblem(name, error.lineno, "", "mod.json", {"detail": error.msg}))
        except (ValueError, RecursionError) as error:
            problems.append(LoadProblem(name, 0, "", "mod.json", {"detail": str(error)[:100]}))
        else:
            problems += check_texts(data, levels, name, content.decode())
            texts[path.stem] = data
    return texts, problems


def check_texts(texts: Mapping[Any, Any], levels: list[str], file: str, source: str = "") -> list[LoadProblem]:
    """All that is wrong with texts by code; `source` is the file's content, to find lines in."""
    if len(texts) > MOST_TEXTS:
        return [LoadProblem(file, 0, "", "mod.count", {"most": MOST_TEXTS})]
    problems = []
    for code, text in texts.items():
        for error in _wrong(code, text, levels):
            at = source.find(json.dumps(code, ensure_ascii=False))
            line = source.count("\n", 0, at) + 1 if at >= 0 and source else 0
            problems.append(LoadProblem.of(error, file, line, str(code)[:80]))
    return problems


def _wrong(code: Any, text: Any, levels: list[str]) -> Iterator[EngineError]:
    if not isinstance(code, str) or len(code) > 120 or owner(code) not in levels:
        yield EngineError("text.code")
    if not isinstance(text, str):
        yield EngineError("text.kind")
        return
    try:
        plain(text)
    except EngineError as error:
        yield error


def level_texts(level: Level, mod: str) -> dict[str, dict[str, str]]:
    """A level's own texts by language, with the codes that the game knows them by."""
    return {tongue: {of_mod(code, mod): text for code, text in told.items()} for tongue, told in level.texts.items()}
