"""The worst that can happen while files are written: nothing is lost but the last moment that was not saved yet."""

import contextlib
import json
import os
import random
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from saving import DAY, Saver

from engine.player.player import Player
from engine.player.whole_file import previous
from engine.protocol.loading import Loading, Source
from engine.results.attempts import Attempt
from engine.saves import trust
from engine.saves.migrations import SAVE
from engine.saves.slots import Slots, parts_of
from engine.units import seconds

HERE = Path(__file__).resolve().parent


def attempt(run: str) -> Attempt:
    return Attempt("pages", 1, "layout", run, DAY[:10], True, ["goal"], 1, 5.3, 0.09, 4.06, 31.9)


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """A process of its own that works, telling on a pipe; its id and the pipe's end."""
    told, tells = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        with contextlib.suppress(BaseException):
            os.close(told)
            work(tells)
            status = 0
        os._exit(status)
    os.close(tells)
    return child, told


def numbers(told: int) -> list[int]:
    """All that was told until the other end was closed."""
    content = b""
    while chunk := os.read(told, 65_536):
        content += chunk
    os.close(told)
    return [int(line) for line in content.split(b"\n")[:-1]]


# -- killed ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kills", [12, pytest.param(200, marks=pytest.mark.long)])
def test_a_game_that_is_killed_while_it_saves_loses_only_the_last_moment(tmp_path: Path, kills: int) -> None:
    """By SIGKILL, at random moments; autosave, stars and settings are written in turns."""
    chance = random.Random(7)
    player = Saver(tmp_path)
    player.play("1", 5)
    known, left = 0, 0
    for kill in range(kills):

        def work(tells: int, begin: int = known) -> None:
            number = begin
            while True:
                number += 1
                player.look(0.01)
                player.save()
                told = player.give(do="kept_write", name="settings", data={"version": 1, "number": number})
                assert told["ok"]
                Player(str(tmp_path)).keep(attempt(str(number)))
                os.write(tells, f"{number}\n{player.game.now}\n".encode())

        child, told = forked(work)
        select.select([told], [], [])  # it has saved once
        time.sleep(chance.random() * 0.06)
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        saved = numbers(told)
        numbers_told, times = saved[::2], saved[1::2]
        known, now = numbers_told[len(times) - 1], times[-1]
        left += len(list(tmp_path.rglob("*.tmp")))
        other = Saver(tmp_path)
        assert not list(tmp_path.rglob("*.tmp")), "swept"
        row = other.ask("saves")["saves"][0]
        assert (row["code"], row["previous"]) == (None, False), kill
        assert row["t_ps"] - now in (0, seconds(0.01)), "the last one that was told of, or the one after it"
        settings = other.ask("kept", name="settings")
        assert settings["notes"] == []
        assert settings["data"]["number"] - known in (0, 1)
        keeper = other.session._keeping.player
        assert keeper is not None
        assert keeper.notes == []
        assert int(keeper.attempts[-1].run) - known in (0, 1)
        if kill % 10 == 0:
            assert other.load() == ["save.loaded"]
        known += 1
    print(f"{kills} kills, {left} unfinished files")


# -- no room -----------------------------------------------------------------------------------------------------------


def test_a_write_that_stops_halfway_leaves_what_was_there(tmp_path: Path) -> None:
    """The system itself ends it: no file of this process may be longer than 600 bytes."""
    player = Saver(tmp_path)
    player.play("1", 5)
    player.save()
    Player(str(tmp_path)).keep(attempt("a"))
    before = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    player.look(1.0)

    def work(tells: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
        told = player.give(do="save", slot=1, date=DAY)
        assert told["code"] == "player.not_saved", told
        assert told["params"]["detail"] == os.strerror(27)
        big = {"version": 1, "text": "x" * 5000}
        assert player.give(do="kept_write", name="settings", data=big)["code"] == "player.not_saved"
        assert player.give(do="recording_export")["code"] == "player.not_saved"
        os.write(tells, b"1\n")

    child, told = forked(work)
    assert numbers(told) == [1]
    assert os.waitpid(child, 0)[1] == 0
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("where", ["open", "write", "fsync"])
def test_a_full_disk_is_told_and_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """The error is made up: at whichever call it comes, the outcome is the same."""
    player = Saver(tmp_path)
    player.play("1", 5)
    player.save()
    before = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    class Full:
        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def write(self, _: bytes) -> int:
            raise full()

    def full(*_: Any) -> OSError:
        return OSError(28, os.strerror(28))

    def fail(*_: Any) -> Any:
        raise full()

    real = Path.open

    def opened(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if mode != "wb":
            return real(path, mode, *rest, **more)
        return fail() if where == "open" else Full()

    with monkeypatch.context() as patch:
        if where == "fsync":
            patch.setattr(os, "fsync", fail)
        else:
            patch.setattr(Path, "open", opened)
        for told in (
            player.give(do="save", slot=1, date=DAY),
            player.give(do="kept_write", name="settings", data={"version": 1}),
        ):
            assert (told["code"], told["params"]["detail"]) == ("player.not_saved", "No space left on device")
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    player.save()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, where this system lets us have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("no file system may be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=False)


def test_a_disk_that_fills_up_keeps_the_last_save_that_fitted(small_disk: Path) -> None:
    player = Saver(small_disk)
    player.play("1", 30)
    saved, refused = [], None
    for slot in (1, 2, 3, 4, 5, 6, 7, 8, 9) * 4:
        player.look(15.0)
        told = player.give(do="save", slot=slot, date=DAY)
        if told["ok"]:
            saved.append((slot, player.game.now))
        else:
            refused = told
            break
    assert refused is not None
    assert (refused["code"], refused["params"]["detail"]) == ("player.not_saved", "No space left on device")
    other = Saver(small_disk)
    told = other.ask("saves")["saves"]
    assert {row["slot"]: row["t_ps"] for row in told} == dict(saved)
    assert other.load(saved[-1][0]) == ["save.loaded"]
    assert other.game.now == saved[-1][1]
    (small_disk / "saves" / "slot-1.save").unlink()


# -- a folder that may not be written ----------------------------------------------------------------------------------


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder with a save, mounted so that nobody may write there; where that cannot be done, without the right to
    write, which root does not heed.
    """
    folder = tmp_path / "folder"
    player = Saver(folder)
    player.play("1", 12)
    player.save()
    player.give(do="kept_write", name="settings", data={"version": 1, "palette": "normal"})
    assert player.session._keeping.player is not None
    player.session._keeping.player.keep(attempt("a"))
    mounted = False
    with contextlib.suppress(OSError):
        bind = ["mount", "--bind", str(folder), str(folder)]
        if subprocess.run(bind, capture_output=True, check=False).returncode == 0:
            remount = ["mount", "-o", "remount,ro,bind", str(folder)]
            mounted = subprocess.run(remount, capture_output=True, check=False).returncode == 0
            if not mounted:
                subprocess.run(["umount", "-l", str(folder)], check=False)
    if not mounted:
        if os.geteuid() == 0:
            pytest.skip("root writes anywhere, and nothing may be mounted here")
        for path in (folder, folder / "saves"):
            path.chmod(0o555)
    yield folder
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=False)
    else:
        for path in (folder, folder / "saves"):
            path.chmod(0o755)


def test_a_folder_that_may_only_be_read_is_read_and_what_cannot_be_saved_is_told(read_only: Path) -> None:
    start = time.monotonic()
    player = Saver(read_only)
    assert player.load() == ["save.loaded"]
    assert player.ask("kept", name="settings")["data"] == {"version": 1, "palette": "normal"}
    assert player.ask("progress")["levels"][1]["stars"] == ["goal"]
    for told in (
        player.give(do="save", slot=2, date=DAY),
        player.give(do="save", slot=1, date=DAY),
        player.give(do="save_delete", slot=1),
        player.give(do="kept_write", name="settings", data={"version": 1}),
        player.give(do="recording_export"),
        player.give(do="answers_export"),
    ):
        assert told["code"] == "player.not_saved", told
    assert player.load() == ["save.loaded"]
    assert time.monotonic() - start < 10, "nobody waits for a lock that cannot be had"


@pytest.mark.parametrize("name", ["saves", "recordings", "key", "settings.json", "attempts.json", ".lock"])
def test_something_else_in_the_place_of_a_file_or_folder_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name in ("saves", "recordings"):
        path.write_text("no folder")
    else:
        path.mkdir()
    player = Saver(tmp_path)
    player.play("1", 2)
    answers = [
        player.give(do="save", slot=1, date=DAY),
        player.give(do="kept_write", name="settings", data={"version": 1}),
        player.give(do="recording_export"),
        player.ask("kept", name="settings"),
        player.ask("saves"),
    ]
    for told in answers:
        assert told["ok"] or told["code"] in ("player.not_saved", "player.locked"), told
    if name == "key":
        assert answers[0]["ok"], "a save without a key of one's own is simulated anew"
        assert player.load() == ["save.loaded", "save.elsewhere"]


# -- two games at once -------------------------------------------------------------------------------------------------


def test_two_games_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each keeps attempts, answers, settings and blueprints of its own, and saves into the same slots."""
    each = 12
    script = f"""
import sys
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parents[1])!r}]
from pathlib import Path
from saving import Saver, DAY
from test_saves_hard import attempt
me, folder = sys.argv[1], Path(sys.argv[2])
player = Saver(folder)
player.play("1", 3)
player.ask("kept", name="settings"), player.ask("kept", name="blueprints")
keeper = player.session._keeping.player
mine, settings = [], {{"version": 1}}
sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
for number in range({each}):
    keeper.keep(attempt(f"{{me}}{{number}}"))
    player.look(0.1)
    player.save(1 + number % 2)
    settings[f"{{me}}{{number}}"] = number
    told = player.give(do="kept_write", name="settings", data=settings)
    assert told["ok"], told
    settings = told["data"]
    mine.append({{"name": f"{{me}}{{number}}", "text": "TF1:"}})
    told = player.give(do="kept_write", name="blueprints", data={{"version": 1, "blueprints": mine}})
    assert told["ok"], told
    mine = told["data"]["blueprints"]
"""
    games = [
        subprocess.Popen(
            [sys.executable, "-c", script, name, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "ab"
    ]
    for game in games:
        assert game.stdout is not None
        assert game.stdout.readline() == "ready\n", game.stderr and game.stderr.read()
    for game in games:
        assert game.stdin is not None
        game.stdin.write("go\n")
        game.stdin.flush()
    for game in games:
        _, errors = game.communicate(timeout=120)
        assert game.returncode == 0, errors
    everything = {f"{name}{number}" for name in "ab" for number in range(each)}
    player = Saver(tmp_path)
    keeper = player.session._keeping.player
    assert keeper is not None
    assert keeper.notes == []
    assert {one.run for one in keeper.attempts} == everything
    assert len(keeper.attempts) == 2 * each
    settings = player.ask("kept", name="settings")["data"]
    assert set(settings) == everything | {"version"}
    blueprints = player.ask("kept", name="blueprints")["data"]["blueprints"]
    assert sorted(one["name"] for one in blueprints) == sorted(everything)
    for slot in (1, 2):
        for path in (Slots(tmp_path).path(slot), previous(Slots(tmp_path).path(slot))):
            loading = Loading(SAVE, [Source(path.name, parts_of(path))], trust.key_in(tmp_path), _levels)
            assert loading.work(lambda: False)
            assert loading.equal
    assert json.loads((tmp_path / "attempts.json").read_text())["version"] == 1
    assert not list(tmp_path.rglob("*.tmp"))


def _levels(which: str) -> Any:
    from engine.level.load import load

    return load(which)


def test_of_two_games_that_start_at_once_both_have_the_same_key(tmp_path: Path) -> None:
    def work(tells: int) -> None:
        os.write(tells, f"{int.from_bytes(trust.key_in(tmp_path), 'big')}\n".encode())

    keys = set()
    children = [forked(work) for _ in range(8)]
    for child, told in children:
        keys.update(numbers(told))
        assert os.waitpid(child, 0)[1] == 0
    assert len(keys) == 1
    assert not list(tmp_path.glob("*.tmp"))


def test_who_holds_the_lock_for_too_long_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    monkeypatch.setattr("engine.player.whole_file.LOCK_S", 0.05)
    player = Saver(tmp_path)
    with FileLock(tmp_path / ".lock"):
        told = player.give(do="kept_write", name="settings", data={"version": 1})
        assert (told["code"], told["params"]) == ("player.busy", {"file": "settings.json"})
        assert player.ask("kept", name="settings")["ok"], "reading needs no lock"
    assert player.give(do="kept_write", name="settings", data={"version": 1})["ok"]
