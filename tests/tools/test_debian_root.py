"""A Debian system in a folder: what it lacks is said in a line, and nothing of it stays mounted or running."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tools import debian_root, testing_debian13
from tools.paths import Problem


def test_who_is_not_root_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(Problem, match="run this as root"):
        testing_debian13.run([])


def test_a_machine_without_debootstrap_is_told_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "debootstrap" else f"/usr/bin/{name}")
    with pytest.raises(Problem, match="apt-get install debootstrap"):
        testing_debian13.run([])


def test_the_mirror_is_the_machines_own_unless_one_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "apt-get").write_text("#!/bin/sh\necho http://debian.example/debian/\n")
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv(debian_root.MIRROR, raising=False)
    assert debian_root.mirror() == "http://debian.example/debian/"
    monkeypatch.setenv(debian_root.MIRROR, "http://other.example/debian")
    assert debian_root.mirror() == "http://other.example/debian"
    monkeypatch.delenv(debian_root.MIRROR)
    (tmp_path / "apt-get").write_text("#!/bin/sh\n")
    with pytest.raises(Problem, match=debian_root.MIRROR):
        debian_root.mirror()


def test_variables_and_words_arrive_as_they_are() -> None:
    command = debian_root.Root(Path("/a root")).command("echo", "$HOME; 'x'", folder="/a b", env={"WORD": "two words"})
    assert command[-2:] == ["echo", "$HOME; 'x'"]
    assert "WORD=two words" in command
    assert command[command.index("/a root") + 1] == "/a b"


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("debootstrap"), reason="needs root and debootstrap")
def test_nothing_of_it_stays_mounted_running_or_lying_about() -> None:
    with debian_root.fresh("trixie", "try") as root:
        asked = "cat /etc/debian_version; test -c /dev/null && test -d /proc/self && exit 7"
        answer = subprocess.run(root.command("sh", "-c", asked), capture_output=True, text=True, check=False)
        assert (answer.stdout[:3], answer.returncode) == ("13.", 7)
        root.install("hello")
        assert (root.path / "usr/bin/hello").is_file()

        sleeper = subprocess.Popen(root.command("sh", "-c", "sleep 4321 & echo on; wait"), stdout=subprocess.PIPE)
        assert sleeper.stdout
        assert sleeper.stdout.readline() == b"on\n"
        sleeper.kill()
        sleeper.communicate()
        time.sleep(0.5)
        assert subprocess.run(["pgrep", "-f", "sleep 4321"], check=False, capture_output=True).returncode == 1
        assert str(root.path) not in Path("/proc/self/mountinfo").read_text("utf-8")
    assert not root.path.exists()
