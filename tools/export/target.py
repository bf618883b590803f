"""The systems that the game is exported for: what things are called there."""

from dataclasses import dataclass
from pathlib import Path

from packaging.tags import mac_platforms

from engine.version import VERSION
from tools.paths import BUILD

GAME = "token-factory"
TITLE = "Token Factory"
EXPORTS = BUILD / "export"
MACOS = (11, 0)
"""The oldest macOS that the game is for; packages for older ones are taken too."""


@dataclass(frozen=True, eq=False)
class Target:
    """A system and a processor."""

    name: str
    architecture: str
    wheel_platforms: tuple[str, ...]
    """Platform tags of the packages that run there, the best first."""
    markers: dict[str, str]
    """What a requirement's marker is told of that system (PEP 508)."""
    zig: str
    """The name of the system for PyPI's ziglang."""
    library: str
    """The plugin's file name there, as in pythonscript.gdnlib."""
    program_suffix: str = ""

    @property
    def folder(self) -> Path:
        """The folder that is made, which is also what the zip unpacks to."""
        return EXPORTS / f"{GAME}-{VERSION}-{self.name}-{self.architecture}"

    @property
    def executable(self) -> str:
        """The file name of the game's program."""
        return GAME + self.program_suffix

    @property
    def launcher(self) -> str:
        """The file name of the program that runs the bundled Python for mods."""
        return "pythonscript-launcher" + self.program_suffix


LINUX = Target(
    name="linux",
    architecture="x86_64",
    wheel_platforms=(*(f"manylinux_2_{minor}_x86_64" for minor in range(28, 16, -1)), "manylinux2014_x86_64"),
    markers={"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
    zig="x86_64-linux-gnu",
    library="libpythonscript.so",
)
WINDOWS = Target(
    name="windows",
    architecture="x86_64",
    wheel_platforms=("win_amd64",),
    markers={"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
    zig="x86_64-windows-gnu",
    library="pythonscript.dll",
    program_suffix=".exe",
)


def _macos(architecture: str, zig: str) -> Target:
    markers = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"}
    return Target(
        name="macos",
        architecture=architecture,
        wheel_platforms=tuple(mac_platforms(MACOS, architecture)),
        markers={**markers, "platform_machine": architecture},
        zig=f"{zig}-macos.{MACOS[0]}.{MACOS[1]}",
        library="libpythonscript.dylib",
    )


MACOS_INTEL = _macos("x86_64", "x86_64")
MACOS_ARM = _macos("arm64", "aarch64")
TARGETS = (LINUX, WINDOWS, MACOS_INTEL, MACOS_ARM)
