"""Python packages: requirements.txt into the virtual environment."""

import re
import sys
from importlib import metadata

from tools.paths import BUILD, ROOT
from tools.process import must, say

REQUIREMENTS = ROOT / "requirements.txt"
PIP_LOG = BUILD / "pip.log"  # its own, since apt-get writes at the same time


def pins() -> dict[str, str]:
    """Return package -> version, as requirements.txt says for this Python."""
    lines = (line.split("#")[0] for line in REQUIREMENTS.read_text("utf-8").splitlines())
    wanted = (line.split(";")[0].strip() for line in lines if not _is_for_older(line))
    return {name: version for name, _, version in (line.partition("==") for line in wanted if line)}


def _is_for_older(line: str) -> bool:
    """Return whether a line is for Pythons before this one; what reads markers is not installed yet."""
    below = re.search(r"python_(?:full_)?version < '(\d+)\.(\d+)'", line)
    return below is not None and sys.version_info >= (int(below[1]), int(below[2]))


def installed_version(name: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def install() -> None:
    """Install what differs from requirements.txt; does nothing when all is there."""
    wanted = pins()
    missing = [name for name, version in wanted.items() if installed_version(name) != version]
    if not missing:
        return
    say(f"installing {len(missing)} Python packages (pip; a minute the first time)")
    must([sys.executable, "-m", "ensurepip"], "could not add pip to the virtual environment", PIP_LOG)
    pip_install("-r", str(REQUIREMENTS))


def pip_install(*arguments: str) -> None:
    """Install packages into the virtual environment."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    must([*command, *arguments], "pip could not install the Python packages", PIP_LOG)
