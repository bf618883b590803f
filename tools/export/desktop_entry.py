"""The script in the game's folder for Linux that puts the game into the desktop's menu, with its icon."""

from pathlib import Path

from tools.export.target import GAME, TITLE

NAME = "add-to-menu.sh"
SCRIPT = rf"""#!/bin/sh
# Puts {TITLE} into the desktop's menu, as it lies here now; with --remove, takes it out again.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
menu=${{XDG_DATA_HOME:-$HOME/.local/share}}/applications
entry=$menu/{GAME}.desktop
if [ "${{1:-}}" = --remove ]; then
	rm -f -- "$entry"
	exit 0
fi
# A backslash is doubled in any line, and in the quotes of an Exec line doubled once more.
program=$(printf '%s' "$here/{GAME}" | sed 's/\\/\\\\\\\\/g; s/["`$]/\\\\&/g; s/%/%%/g')
icon=$(printf '%s' "$here/{GAME}.png" | sed 's/\\/\\\\/g')
mkdir -p -- "$menu"
cat >"$entry" <<END
[Desktop Entry]
Type=Application
Name={TITLE}
Comment=Build a factory that serves a large language model
Comment[de]=Bau eine Fabrik, die ein großes Sprachmodell bedient
Exec="$program"
Icon=$icon
Terminal=false
Categories=Game;Simulation;
Keywords=llm;inference;gpu;factory;
END
printf '%s\n' "$entry"
"""


def write(folder: Path) -> None:
    """Write the script."""
    path = folder / NAME
    path.write_text(SCRIPT, "utf-8")
    path.chmod(0o755)
