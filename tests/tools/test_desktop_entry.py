"""The game gets into the desktop's menu from wherever it lies, and out of it again."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.export import desktop_entry


@pytest.mark.parametrize("name", ["games", "my games", "100 %", 'a "b" $c `d` \\e'])
def test_it_starts_the_game_where_it_lies(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    desktop_entry.write(folder)
    (folder / "token-factory").write_text("#!/bin/sh\n")
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    script = str(folder / desktop_entry.NAME)
    subprocess.run([script], env=environment, check=True, capture_output=True)
    entry = tmp_path / "data" / "applications" / "token-factory.desktop"
    keys = dict(line.split("=", 1) for line in entry.read_text("utf-8").splitlines()[1:])
    assert started(keys["Exec"]) == str(folder / "token-factory")
    assert unescaped(keys["Icon"]) == str(folder / "token-factory.png")
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", str(entry)], check=True)
    subprocess.run([script, "--remove"], env=environment, check=True)
    assert not entry.exists()


def started(line: str) -> str:
    """The program that an Exec line starts, as the Desktop Entry Specification has it: the escapes of all values, then
    quoting, then the codes behind %.
    """
    value = unescaped(line)
    assert value[0] == value[-1] == '"'
    inside, program = value[1:-1], ""
    while inside:
        step = 2 if inside[0] == "\\" else 1
        program += inside[step - 1]
        inside = inside[step:]
    return program.replace("%%", "%")


def unescaped(value: str) -> str:
    """A value without the escapes of its line; it has none but doubled backslashes."""
    return value.replace("\\\\", "\\")
