"""Plays a recording or a saved game again without showing it, as `python -m engine replay` does: for support."""

from typing import Any

from godot import Node, exposed

from engine.cli.main import main


@exposed
class HeadlessReplay(Node):
    """Prints what comes out; the status is 0 only if it is what the file says."""

    def run(self, path: Any) -> int:
        """Replay the file at `path`."""
        return main(["replay", str(path)])
