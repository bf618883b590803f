"""Debian systems in folders of their own, as debootstrap makes them: to see the game built and run on a bare machine.

A root as debootstrap made it is kept in the user's cache folder; what runs, runs in a copy. Programs in a copy get
name spaces of their own for mounts and processes, so that all of both is gone when the first of them ends, however it
ends.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from tools.paths import LOG, Problem
from tools.process import must, say

MIRROR = "DEBIAN_MIRROR"
NETWORK_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf")
CERTIFICATES = Path("/usr/local/share/ca-certificates")
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games",
    "TERM": "dumb",
}
OWN_NAME_SPACES = ("unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child")
# The words after it: the root, the folder to start in, the environment, the command.
ENTER = """
set -e
root=$1 folder=$2
shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" env -i -C "$folder" "$@"
"""


@dataclass(frozen=True)
class Root:
    """A Debian system in a folder."""

    path: Path

    def command(self, *command: str, folder: str = "/root", env: Mapping[str, str] | None = None) -> list[str]:
        """Return what runs a program in it, in one of its folders; for subprocess, by the system's superuser."""
        variables = {**ENVIRONMENT, **{name: os.environ[name] for name in PROXIES if name in os.environ}, **(env or {})}
        words = [f"{name}={value}" for name, value in variables.items()]
        return [*OWN_NAME_SPACES, "sh", "-c", ENTER, "sh", str(self.path), folder, *words, *command]

    def install(self, *packages: str) -> None:
        """Install packages of its own Debian. Raises Problem if apt-get fails."""
        must(self.command("apt-get", "update"), "apt-get update failed in the Debian root")
        apt = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
        must(self.command(*apt, env={"DEBIAN_FRONTEND": "noninteractive"}), "apt-get failed in the Debian root")


@contextmanager
def fresh(suite: str, purpose: str) -> Iterator[Root]:
    """Give a bare root of a Debian release ("trixie"), which is removed afterwards.

    Two of one purpose do not run at once. Raises Problem with what a person has to do.
    """
    must_be_possible()
    roots = user_cache_path("token-factory") / "roots"
    roots.mkdir(parents=True, exist_ok=True)
    with _alone(roots / f"{suite}.lock"):
        base = _base(roots / suite, suite)
    folder = roots / f"{suite}-{purpose}"
    with _alone(roots / f"{folder.name}.lock"):
        try:
            _remove(folder)  # a copy that an interruption left
            must(["cp", "-a", "--reflink=auto", str(base), str(folder)], "the Debian root could not be copied")
            _connect(folder)
            yield Root(folder)
        finally:
            _remove(folder)


def mirror() -> str:
    """Return the address that this machine's apt-get takes Debian from; DEBIAN_MIRROR=... names another."""
    named = os.environ.get(MIRROR)
    if named:
        return named
    filters = ["--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian", "Label: Debian"]
    answer = subprocess.run(["apt-get", "indextargets", *filters], capture_output=True, text=True, check=False)
    addresses = answer.stdout.split()
    if not addresses:
        raise Problem(f"apt-get knows no Debian mirror; run apt-get update, or name one with {MIRROR}=...")
    return addresses[0]


def must_be_possible() -> None:
    """Raise Problem with what is missing to make and enter a root."""
    if os.geteuid() != 0:
        raise Problem("a Debian root can only be made and entered by root; run this as root (sudo)")
    for program, package in (("debootstrap", "debootstrap"), ("unshare", "util-linux"), ("apt-get", "apt")):
        if not shutil.which(program):
            raise Problem(f"{program} is not installed; on Debian: apt-get install {package}")


def _base(folder: Path, suite: str) -> Path:
    if folder.is_dir():
        return folder
    say(f"making a Debian root ({suite}, by debootstrap; a minute, once)")
    half = folder.with_suffix(".half")
    _remove(half)
    # In name spaces too: debootstrap mounts /proc there, and leaves it so when it is interrupted.
    command = [*OWN_NAME_SPACES, "debootstrap", "--variant=minbase", suite, str(half), mirror()]
    must(command, f"debootstrap could not make {suite}")
    half.rename(folder)
    return folder


def _connect(folder: Path) -> None:
    """Let a root reach what this machine reaches: names, and servers by its certificates."""
    for file in NETWORK_FILES:
        if Path(file).is_file():
            shutil.copyfile(file, folder / file[1:])
    if CERTIFICATES.is_dir():
        shutil.copytree(CERTIFICATES, folder / CERTIFICATES.relative_to("/"), dirs_exist_ok=True)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _remove(folder: Path) -> None:
    """Remove a root, unless something is still mounted in it."""
    mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
    if any(place.startswith(f"{folder}/") for place in mounted):
        raise Problem(f"something is mounted in {folder}; unmount it (details in {LOG})")
    shutil.rmtree(folder, ignore_errors=True)
