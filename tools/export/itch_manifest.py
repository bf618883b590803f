"""What the itch app offers of an exported game: .itch.toml in its folder, and what `butler validate` checks of one."""

import tomllib
from pathlib import Path
from typing import Any

from tools.export.target import TITLE, Target
from tools.paths import Problem

NAME = ".itch.toml"
MANUAL = "docs/manual.html"
OPEN_MODS = "--open-mods"
PLATFORMS = {"linux": "linux", "windows": "windows", "macos": "osx"}
"""Of our names of systems, what itch calls them: also the names of the channels."""
_GERMAN = "Mod-Ordner öffnen"
_ACTION = {"name": str, "path": str, "args": list, "platform": str, "locales": dict, "icon": str, "scope": str}


def program(target: Target) -> str:
    """What is started, from the game's folder: on macOS the bundle."""
    return f"{TITLE}.app" if target.name == "macos" else target.executable


def text(target: Target) -> str:
    """The manifest: play, open the folder for mods, read the manual."""
    platform = PLATFORMS[target.name]
    return f"""[[actions]]
name = "play"
path = "{program(target)}"
platform = "{platform}"

[[actions]]
name = "Open the mods folder"
path = "{program(target)}"
args = ["{OPEN_MODS}"]
platform = "{platform}"

[actions.locales.de]
name = "{_GERMAN}"

[[actions]]
name = "manual"
path = "{MANUAL}"
"""


def write(target: Target, folder: Path) -> None:
    """Write it into the game's folder."""
    (folder / NAME).write_text(text(target), "utf-8")


def check(target: Target, folder: Path) -> None:
    """Check the manifest of a folder that is to be pushed. Raises Problem with all that is wrong."""
    wrong = list(_wrong(target, folder))
    if wrong:
        raise Problem(f"{folder.name}/{NAME}: " + "; ".join(wrong))


def _wrong(target: Target, folder: Path) -> list[str]:
    path = folder / NAME
    if not path.is_file():
        return ["it is missing"]
    try:
        manifest = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"no TOML: {error}"]
    wrong = [f"unknown key {key!r}" for key in manifest if key not in ("actions", "prereqs")]
    actions = manifest.get("actions")
    if not isinstance(actions, list) or not actions:
        return [*wrong, "it has no actions"]
    for action in actions:
        wrong += _wrong_action(action, target, folder)
    if not any(isinstance(action, dict) and action.get("name") == "play" for action in actions):
        wrong.append("no action is called play")
    return wrong


def _wrong_action(action: Any, target: Target, folder: Path) -> list[str]:
    if not isinstance(action, dict):
        return ["an action is no table"]
    name = action.get("name", "?")
    wrong = [f"{name}: unknown key {key!r}" for key in action if key not in _ACTION]
    wrong += [f"{name}: {key} is no {kind.__name__}" for key, kind in _ACTION.items() if not _is(action, key, kind)]
    wrong += [f"{name}: {key} is missing" for key in ("name", "path") if not action.get(key)]
    where = action.get("path")
    if not isinstance(where, str) or where.startswith(("https://", "http://")):
        return wrong
    place = (folder / where).resolve()
    if not place.is_relative_to(folder.resolve()):
        wrong.append(f"{name}: {where} lies outside of the game's folder")
    elif not place.exists():
        wrong.append(f"{name}: there is no {where}")
    elif target.name != "windows" and where == program(target) and place.is_file() and not place.stat().st_mode & 0o100:
        wrong.append(f"{name}: {where} may not be executed")
    if action.get("platform") not in (None, PLATFORMS[target.name]):
        wrong.append(f"{name}: it is for {action['platform']}")
    return wrong


def _is(action: dict[str, Any], key: str, kind: type) -> bool:
    return key not in action or isinstance(action[key], kind)
