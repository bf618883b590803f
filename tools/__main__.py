"""The commands of ./factory. Each one's module is imported only when it is called, so that play starts at once."""

import importlib
import sys

from tools.paths import LOG, Problem, build_folder

COMMANDS = {
    "play": ("tools.play", "play the game; without a display, play level 1 on a virtual one and take pictures"),
    "test": ("tools.testing", "run all tests but the long ones; arguments go to pytest"),
    "test-long": ("tools.testing_long", "run the tests that take minutes"),
    "test-debian13": ("tools.testing_debian13", "run all tests on a bare Debian 13 (by debootstrap, as root)"),
    "setup": ("tools.setup", "install and build all that the others need (they all call it first)"),
    "export": ("tools.export.everything", "build the game for every system, in build/export/"),
    "export-linux": ("tools.export.linux", "build the game for Linux"),
    "export-windows": ("tools.export.windows", "build the game for Windows, from here"),
    "export-macos": ("tools.export.macos", "build the game for macOS, from here"),
    "test-export": ("tools.export.proof", "win level 1 with the game for Linux on a bare Debian 12 and 13 (as root)"),
    "windows-template": ("tools.windows_template", "compile the Godot that a Windows export needs (20 minutes)"),
    "publish": ("tools.publish", "hand the exported games to itch.io; with --dry-run only check them"),
    "bench": ("tools.bench", "measure the budgets: the engine alone, and with the bridge in Godot"),
    "tour": ("tools.tour", "play through every state of the game in three window sizes, and keep pictures"),
    "store-pictures": ("tools.store_pictures", "make the icon and the store page's cover out of the game's art"),
    "screens": ("tools.screens", "play on a virtual display and keep pictures and an animation for the README"),
}


def usage() -> str:
    """Return what ./factory help prints."""
    lines = ["usage: ./factory COMMAND [ARGUMENTS]", ""]
    lines += [f"  {name:16} {text}" for name, (_, text) in COMMANDS.items()]
    lines += ["", "PYTHON=... chooses the Python to build on, GODOT=... the Godot to play with."]
    return "\n".join(lines)


def run(argv: list[str]) -> int:
    """Run one command and return its exit status."""
    if not argv or argv[0] in ("help", "-h", "--help"):
        print(usage())
        return 0
    name, *arguments = argv
    if name not in COMMANDS:
        raise Problem(f"there is no command {name!r}; ./factory help lists them", status=2)
    from tools import setup

    if name != "setup":
        setup.ensure()
    command = importlib.import_module(COMMANDS[name][0])
    status: int = command.run(arguments)
    return status


def main() -> int:
    """Run the command line; a person gets one line about a failure, the log gets the traceback."""
    try:
        return run(sys.argv[1:])
    except Problem as problem:
        print(f"factory: {problem}", file=sys.stderr)
        return problem.status
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        import traceback

        build_folder()
        with LOG.open("a", encoding="utf-8") as log:
            traceback.print_exc(file=log)
        print(f"factory: {type(error).__name__}: {error} (details in {LOG})", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
