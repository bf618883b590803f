"""Where things lie, and the one kind of failure a person is told about."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOG = BUILD / "factory.log"


class Problem(Exception):
    """Something a person can mend. Its text is one line that says how; ./factory prints it and ends with `status`."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


def build_folder(name: str = "") -> Path:
    """Make and return a folder under build/, which Godot is told not to look into."""
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    (BUILD / ".gdignore").touch()
    return folder
