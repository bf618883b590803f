"""docs/modding.md says what the code does."""

import re
from pathlib import Path

import pytest

from engine.cli import modding
from engine.cli.main import main

PAGE = modding.PAGE.read_text("utf-8")


def test_the_tables_are_those_of_the_code() -> None:
    assert modding.filled(PAGE) == PAGE, "run python -m engine modding --write"
    assert set(re.findall(r"<!-- table: (\w+) -->", PAGE)) == set(modding.TABLES)


def test_the_level_in_ten_lines_has_ten_lines_and_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source,) = re.findall(r"## A level in ten lines\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in source.splitlines() if line]) <= 10
    script = tmp_path / "steady.py"
    script.write_text(source)
    assert main(["check", str(script)]) == 0, capsys.readouterr().out


def test_the_files_it_links_to_are_there() -> None:
    for name in re.findall(r"\]\(([\w/.]+\.md)\)", PAGE):
        assert (modding.PAGE.parent / name).is_file(), name
