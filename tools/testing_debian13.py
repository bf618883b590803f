"""./factory test-debian13: the tests on a bare Debian 13, with its CPython 3.13 and its Godot 3.6.

The committed state is cloned into a root of its own, where ./factory test installs all that it needs.
"""

import subprocess

from tools import debian_root
from tools.paths import ROOT
from tools.process import must, say

SUITE = "trixie"
CLONE = "/root/token-factory"


def run(arguments: list[str]) -> int:
    """Run the tests there and return their exit status; pytest's arguments are handed on."""
    with debian_root.fresh(SUITE, "test") as root:
        root.install("ca-certificates", "git")  # what the README asks for
        must(["git", "clone", "--quiet", str(ROOT), f"{root.path}{CLONE}"], "the project could not be cloned")
        say("testing what is committed, on Debian 13")
        return subprocess.run(root.command("./factory", "test", *arguments, folder=CLONE), check=False).returncode
