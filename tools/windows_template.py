"""./factory windows-template: Godot's program for Windows, compiled here out of the source of this Debian's Godot.

An export needs Godot's export template, a program that plays a pack. Where the official one cannot be had, this makes
one with MinGW-w64, for 64 bits, with only the modules that the game uses. It takes 20 minutes of one core.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools import debian_root, system_packages
from tools.export import godot_pack
from tools.paths import BUILD, Problem, build_folder
from tools.process import must, say

FOLDER = BUILD / "windows-template"
TEMPLATES = FOLDER / "templates"  # for ./factory export-windows --templates; named as Godot's own archive names them
TEMPLATE = TEMPLATES / "windows_64_release.exe"
LOG = FOLDER / "scons.log"
PREFIX = "x86_64-w64-mingw32-"
NEEDED = {
    "dpkg-dev": "dpkg-source",
    "scons": "scons",
    "g++-mingw-w64-x86-64-win32": f"{PREFIX}g++-win32",
}
MODULES = frozenset(
    {
        "freetype",
        "gdnative",
        "gdscript",
        "regex",
        "stb_vorbis",
        "webrtc",  # the game has no use for it, but gdnative does not compile without
        "webp",  # pictures in the pack
    }
)
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
HOURS = 4


def run(arguments: list[str]) -> int:
    """Carry out ./factory windows-template."""
    parser = argparse.ArgumentParser(prog="./factory windows-template", description="Compile Godot for Windows.")
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--jobs", type=int, default=cores, help="compilers at once; the default is one for each core")
    jobs = parser.parse_args(arguments).jobs
    system_packages.install(NEEDED)
    source = _source()
    say(f"compiling Godot for Windows (20 minutes of one core; {LOG.relative_to(BUILD.parent)})")
    _compile(source, jobs)
    say(f"made {TEMPLATE.relative_to(BUILD.parent)}; now: ./factory export-windows --templates {TEMPLATES}")
    return 0


def _source() -> Path:
    """Unpack the source of the Godot that is installed, as its project released it, and return its folder."""
    name, version = _source_package()
    folder = build_folder("windows-template") / f"{name}-{version}"
    if folder.is_dir():
        return folder
    say(f"fetching the source of Debian's {name} {version}")
    with tempfile.TemporaryDirectory(dir=FOLDER) as scratch:
        _fetch(f"{name}={version}", Path(scratch))
        archives = list(Path(scratch).glob("*.orig.tar.*"))
        if not archives:
            raise Problem(f"apt-get brought no archive of {name} {version}")
        unpacked = Path(scratch, "unpacked")
        unpacked.mkdir()
        must(["tar", "-xf", str(archives[0]), "-C", str(unpacked)], f"{archives[0].name} could not be unpacked")
        (unpacked,) = unpacked.iterdir()
        unpacked.rename(folder)
    return folder


def _source_package() -> tuple[str, str]:
    """Return the name and version of the source of the Godot that packs the game, as it must be the same."""
    command = ["dpkg-query", "-W", "-f=${source:Package} ${source:Version}", "godot3-server"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    except FileNotFoundError:
        answer = []
    if len(answer) != 2:
        raise Problem("this needs Debian's Godot: apt-get install godot3-server")
    return answer[0], answer[1]


def _fetch(package: str, folder: Path) -> None:
    """Fetch a source package with a configuration of apt-get's own, which leaves the system's as it is."""
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True)
    release = next(
        line.partition("=")[2].strip('"\n ')
        for line in Path("/etc/os-release").read_text("utf-8").splitlines()
        if line.startswith("VERSION_CODENAME=")
    )
    (folder / "sources.list").write_text(
        f"deb-src [signed-by={KEYRING}] {debian_root.mirror()} {release} main\n", "utf-8"
    )
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": folder / "none",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", *(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))]
    must([*apt, "update"], "apt-get could not look for sources")
    in_folder = ["env", "-C", str(folder)]
    must([*in_folder, *apt, "source", "--download-only", package], f"apt-get has no source of {package}")


def _compile(source: Path, jobs: int) -> None:
    unused = sorted(path.name for path in (source / "modules").iterdir() if path.is_dir() and path.name not in MODULES)
    options = ["platform=windows", "bits=64", "target=release", "tools=no"]
    options += ["debug_symbols=no", "progress=no", "warnings=no"]
    options += [f"module_{name}_enabled=no" for name in unused]
    # scons takes up what it had compiled before an interruption.
    command = ["nice", "-n", "19", "scons", "-C", str(source), f"-j{jobs}", *options]
    must(command, "Godot does not compile for Windows", LOG, timeout_s=HOURS * 3600)
    program = source / "bin" / "godot.windows.opt.64.exe"
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    stripped = TEMPLATE.with_suffix(".new")
    must([f"{PREFIX}strip", "-o", str(stripped), str(program)], "the template could not be stripped")
    (TEMPLATES / "version.txt").write_text(godot_pack.version().replace("-", ".") + "\n", "utf-8")
    shutil.copyfile(source / "COPYRIGHT.txt", TEMPLATES / "COPYRIGHT.txt")
    stripped.replace(TEMPLATE)
