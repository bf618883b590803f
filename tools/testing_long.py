"""./factory test-long: the tests that take minutes."""

from tools import testing


def run(arguments: list[str]) -> int:
    """Run the long tests; pytest's arguments are handed on."""
    return testing.run(arguments, selection="long")
