"""README.txt of an exported folder, for whoever unpacks it."""

from engine.version import VERSION
from tools.export.target import TITLE, Target

START = {
    "linux": (
        "Start token-factory, from wherever you like. It needs a 64-bit Linux of 2022 or newer with a desktop. "
        "add-to-menu.sh puts it into the desktop's menu, and takes it out again with --remove."
    ),
    "windows": "Start token-factory.exe. It needs 64-bit Windows 10 or newer.",
    "macos": (
        "Open Token Factory. It is not signed: the first time, choose Open from its context menu. It needs macOS 11 or "
        "newer."
    ),
}
PLAYER = {
    "linux": "~/.local/share/TokenFactory",
    "windows": "%APPDATA%\\TokenFactory",
    "macos": "~/Library/Application Support/TokenFactory",
}


def readme(target: Target) -> str:
    """Return its text."""
    lines = [
        f"{TITLE} {VERSION}",
        "",
        START[target.name],
        "Nothing has to be installed: Python and all that it needs lie in this folder, and no other Python is touched.",
        "",
        f"Your progress, saved games and mods are in {PLAYER[target.name]}.",
        "docs/manual.html is the manual.",
        "licences/ holds the licences of all that lies here; manifest.json says what it is made of.",
    ]
    return "\n".join([*lines, ""])
