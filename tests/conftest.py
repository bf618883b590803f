"""How the tests are shared out among workers; `./factory test` starts one for each core."""

from collections.abc import Iterator

import pytest
from xdist.scheduler import LoadScopeScheduling

# Folder -> the group that one worker runs in a row; elsewhere, a file is a group.
GROUPS = {
    "tests/scenes": "scenes",  # a window at a time, since drawing takes more than one core
    "tests/tools": "tools",  # they write to build/
    "tests/plugin": "plugin",  # most read the results of one run of Godot
}


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home for each worker: Godot's editor keeps its settings and half-made exports there, under fixed names.

    The game speaks English there, whatever the tester's language.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LANG", raising=False)
        for kind in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"XDG_{kind}_HOME", str(tmp_path_factory.mktemp(kind.lower())))
        yield


class Groups(LoadScopeScheduling):
    """Hands out groups in the order in which they were collected."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """Name the group of a test."""
    path = nodeid.partition("::")[0]
    return GROUPS.get(path.rpartition("/")[0], path)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Groups:
    config.option.loadscopereorder = False
    return Groups(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The groups above, which take longest, come first and in their order."""
    names = list(GROUPS.values())
    items.sort(key=lambda item: [group(item.nodeid) != name for name in names])
    if config.option.markexpr == "long":
        bring_along(items)


def bring_along(items: list[pytest.Item]) -> None:
    """Long tests bring along those that they follow in one game."""
    wanted = set()
    for item in reversed(items):
        if item.get_closest_marker("long"):
            wanted.add(item.path)
        elif item.path in wanted and item.get_closest_marker("follows"):
            item.add_marker("long")
