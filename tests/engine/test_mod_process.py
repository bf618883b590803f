"""A mod's process: what it is given, what happens when it or the game ends, and how it is on systems without walls."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hostile_mods import GOOD
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.words import words
from engine.errors import EngineError
from engine.level.data import level_to_data, run_to_data
from engine.level.figures import figures
from engine.level.load import load as load_level_of_the_game
from engine.metrics.first_tokens import FirstTokens
from engine.mods import kernel, process, runner, sandbox, sandbox_seccomp, wire
from engine.mods.interpreter import NAMED_BY
from engine.mods.runner import Failed, Loaded, Loading, WorkerHooks, load_level
from engine.simulation import Simulation
from tools import build_plugin
from tools.paths import ROOT

walled = pytest.mark.skipif(bool(sandbox.missing()), reason="this system lacks walls")


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    folder = tmp_path / "mod"
    folder.mkdir()
    return folder


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    end = time.monotonic() + 5
    while list(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.01)
    assert list(folder.iterdir()) == [], "its folder is removed when it has ended"


def wait(loading: Loading) -> Loaded | Failed:
    end = time.monotonic() + 40
    while (result := loading.poll()) is None:
        assert time.monotonic() < end
        time.sleep(0.002)
    return result


def load(folder: Path, source: str, scratch: Path) -> Loaded | Failed:
    (folder / "level.py").write_text(source, "utf-8")
    return wait(load_level(folder, ["level.py"], scratch))


def answers(hooks: WorkerHooks, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    hooks.ask(calls)
    end = time.monotonic() + 40
    while (told := hooks.answer()) is None:
        assert time.monotonic() < end
        time.sleep(0.001)
    return told


def call(level: Any) -> dict[str, Any]:
    simulation = Simulation(level, 1)
    return {"name": "hook", "run": run_to_data(figures(simulation, FirstTokens(), []))}


def good(hook: str = "def hook(run): return []") -> str:
    return GOOD.replace("@HOOK@", hook)


def code(result: Loaded | Failed) -> str:
    assert isinstance(result, Failed), "it was believed"
    return result.problems[0].code


# -- what it is given --------------------------------------------------------------------------------------------------


USES = """
import csv, dataclasses, datetime, decimal, hashlib, json, math, random, re, statistics, tempfile
from pathlib import Path
import numpy
import helper
numpy.random.default_rng(1).normal(size=10)
assert float((numpy.ones((50, 50)) @ numpy.ones((50, 50))).sum()) == 125_000
with tempfile.TemporaryFile() as file:
    file.write(b"scratch")
Path("note").write_text("a")
Path("note").write_text("b")
assert Path("note").read_text() == "b"
Path("note").rename("other")
Path("other").unlink()
assert (Path(__file__).parent / "data.csv").read_text() == "1,2"
assert Path(__file__).resolve() == Path(__file__)
assert hashlib.sha256(b"").hexdigest().startswith("e3b0")
assert statistics.mean([1, 2, 3]) == decimal.Decimal(2)
assert helper.NUMBER == 7
"""


def test_a_script_may_use_python_numpy_its_own_files_and_a_scratch_folder(mod: Path, scratch: Path) -> None:
    (mod / "helper.py").write_text("NUMBER = 7\n")
    (mod / "data.csv").write_text("1,2")
    result = load(mod, USES + good(), scratch)
    assert isinstance(result, Loaded), result
    assert result.levels[0].id == "hostile"
    assert sorted(path.name for path in mod.iterdir()) == ["data.csv", "helper.py", "level.py"], "no bytecode either"


@walled
def test_a_single_script_sees_only_scripts_and_tables_beside_it(mod: Path, scratch: Path) -> None:
    (mod / "data.csv").write_text("1,2")
    (mod / "diary.txt").write_text("secret")
    script = mod / "level.py"
    here = "from pathlib import Path\nhere = Path(__file__).parent\n"
    script.write_text(here + "(here / 'data.csv').read_text()\n" + good())
    assert isinstance(wait(load_level(script, [], scratch)), Loaded)
    script.write_text(here + "(here / 'diary.txt').read_text()\n" + good())
    failed = wait(load_level(script, [], scratch))
    assert isinstance(failed, Failed)
    assert failed.problems[0].params["error"] == "PermissionError"
    assert (failed.problems[0].file, failed.problems[0].line) == ("level.py", 3)


def test_what_is_wrong_is_told_with_its_line(mod: Path, scratch: Path) -> None:
    result = load(mod, good().replace('"l4", 6', '"l5", 6'), scratch)
    assert isinstance(result, Failed)
    (problem,) = result.problems
    assert (problem.file, problem.field, problem.code) == ("level.py", "pads[1].gpu", "check.unknown")
    assert "PadSpec" in (mod / "level.py").read_text().splitlines()[problem.line - 1]


def test_levels_come_in_the_order_of_their_scripts_and_all_that_fail_are_told(mod: Path, scratch: Path) -> None:
    for name in ("b", "a"):
        (mod / f"{name}.py").write_text(good().replace('id="hostile"', f'id="{name}"'))
    for name in ("broken", "worse"):
        (mod / f"{name}.py").write_text("1 / 0")
    loaded = wait(load_level(mod, ["b.py", "a.py"], scratch))
    assert isinstance(loaded, Loaded)
    assert [level.id for level in loaded.levels] == ["b", "a"]
    failed = wait(load_level(mod, ["b.py", "broken.py", "a.py", "worse.py"], scratch))
    assert isinstance(failed, Failed)
    assert [problem.file for problem in failed.problems] == ["broken.py", "worse.py"]


# -- how it ends -------------------------------------------------------------------------------------------------------


def children() -> set[int]:
    return {int(word) for task in Path("/proc/self/task").iterdir() for word in (task / "children").read_text().split()}


def gone(pid: int) -> bool:
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_stopped_half_way_nothing_is_left(mod: Path, scratch: Path) -> None:
    (mod / "level.py").write_text("while True: pass")
    before = children()
    loading = load_level(mod, ["level.py"], scratch)
    while not children() - before and loading.poll() is None:
        time.sleep(0.001)
    started = children() - before
    loading.stop()
    assert started
    assert all(gone(pid) for pid in started)
    assert code(wait(loading)) == "worker.stopped"


GAME = """
import os, signal, sys, time
from pathlib import Path
from engine.mods.runner import load_level
loading = load_level(Path(sys.argv[1]), ["level.py"], Path(sys.argv[2]))
while loading.poll() is None:
    if list(Path(sys.argv[2]).glob("mod-*/alive")):
        print(Path(f"/proc/self/task/{loading._process._thread.native_id}/children").read_text(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.005)
"""


def test_a_game_that_is_killed_takes_its_mods_with_it(mod: Path, tmp_path: Path) -> None:
    (tmp_path / "left").mkdir()
    (mod / "level.py").write_text("open('alive', 'x').close()\nwhile True: pass")
    command = [sys.executable, "-c", GAME, str(mod), str(tmp_path / "left")]
    game = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert game.returncode == -signal.SIGKILL
    (pid,) = map(int, game.stdout.split())
    assert gone(pid)


NO_SIGPIPE = """
import signal, sys, time
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
from pathlib import Path
from engine.mods.runner import WorkerHooks
hooks = WorkerHooks(Path(sys.argv[1]), "level.py", Path(sys.argv[2]))
for _ in range(2):
    hooks.ask([{"name": "hook", "run": {}}] * 5)
    while (told := hooks.answer()) is None:
        time.sleep(0.002)
print(told[0]["code"])
"""


def test_a_pipe_that_breaks_does_not_end_a_game_that_ends_by_it(mod: Path, scratch: Path) -> None:
    """Godot leaves SIGPIPE deadly."""
    (mod / "level.py").write_text("import os; os._exit(0)")
    command = [sys.executable, "-c", NO_SIGPIPE, str(mod), str(scratch)]
    game = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (game.returncode, game.stdout.strip()) == (0, "worker.ended"), game.stderr


def test_a_process_that_is_gone_answers_each_time_why(mod: Path, scratch: Path) -> None:
    result = load(mod, good("import os\ndef hook(run): os._exit(3)"), scratch)
    assert isinstance(result, Loaded)
    hooks = WorkerHooks(mod, "level.py", scratch)
    for _ in range(3):
        (told,) = answers(hooks, [call(result.levels[0])] * 2)
        assert (told["name"], told["code"], told["params"]) == ("hook", "worker.ended", {"detail": "3"})
    hooks.close()


# -- which Python runs it ----------------------------------------------------------------------------------------------


def test_the_launcher_runs_mods_inside_the_walls(mod: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_plugin.build()
    monkeypatch.setenv(NAMED_BY, str(build_plugin.LAUNCHER))
    result = load(mod, USES.replace("import helper\n", "").replace("assert helper.NUMBER == 7\n", "").replace(
        "assert (Path(__file__).parent / \"data.csv\").read_text() == \"1,2\"\n", ""
    ) + good(), scratch)  # fmt: skip
    assert isinstance(result, Loaded), result


def test_without_a_python_it_is_told(mod: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAMED_BY, raising=False)
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(EngineError) as refused:
        load_level(mod, ["level.py"], scratch)
    assert refused.value.code == "worker.no_python"


def test_a_python_that_is_none_is_told(mod: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAMED_BY, "/bin/false")
    assert code(load(mod, good(), scratch)) == "worker.start"


# -- without walls -----------------------------------------------------------------------------------------------------


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system that has no walls, and tells of no processor time."""
    monkeypatch.setattr(sandbox, "enforced", lambda: ())
    monkeypatch.setattr(kernel, "cpu_clock", lambda _: None)


def test_what_is_missing_has_words(bare: None) -> None:
    assert sandbox.missing() == sandbox.WALLS
    for wall in sandbox.missing():
        assert words(wall, {}) != wall


def test_without_walls_levels_load_and_hooks_answer(bare: None, mod: Path, scratch: Path) -> None:
    result = load(mod, good("def hook(run):\n    run.memory['n'] = 1\n    return []"), scratch)
    assert isinstance(result, Loaded), result
    hooks = WorkerHooks(mod, "level.py", scratch)
    assert answers(hooks, [call(result.levels[0])]) == [{"name": "hook", "effects": [], "memory": {"n": 1}}]
    hooks.close()


BRANCHES = """
import os, time
if os.fork() == 0:
    open("child", "x").write(str(os.getpid()))
    time.sleep(1000)
while True: pass
"""


def test_without_walls_time_still_runs_out_for_it_and_for_what_it_started(bare: None, mod: Path, scratch: Path) -> None:
    (mod / "level.py").write_text(BRANCHES)
    loading = load_level(mod, ["level.py"], scratch)
    pids: list[int] = []
    while loading.poll() is None:
        with suppress(IndexError, ValueError):
            pids = pids or [int(next(iter(scratch.glob("mod-*/child")), Path("/dev/null")).read_text())]
        time.sleep(0.01)
    if os.geteuid() == 0:
        assert code(wait(loading)) == "worker.slow"
        assert pids
        assert gone(pids[0])
    else:  # who is not root may start no process at all, by a limit
        assert code(wait(loading)) == "worker.raised"


def test_without_a_clock_of_its_processor_a_hook_has_a_second(bare: None, mod: Path, scratch: Path) -> None:
    result = load(mod, good("def hook(run):\n    while True: pass"), scratch)
    assert isinstance(result, Loaded)
    hooks = WorkerHooks(mod, "level.py", scratch)
    (told,) = answers(hooks, [call(result.levels[0])])
    assert (told["code"], told["params"]) == ("worker.slow", {"seconds": 1})


THREAD = "import threading, time; threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); "


@walled
def test_a_wall_that_cannot_be_put_up_lets_nothing_run(
    mod: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_BOOT", THREAD + process._BOOT)
    result = load(mod, good(), scratch)
    assert code(result) == "worker.start"
    assert isinstance(result, Failed)
    assert result.problems[0].params == {"detail": "the walls would stand round one thread of several"}


# -- the filter, call by call ------------------------------------------------------------------------------------------


def judged(machine: str, number: int, arguments: tuple[int, ...] = (), arch: int = 0) -> int:
    """What the filter says of a call: run here as the kernel would run it."""
    told = {0: number, 4: arch or sandbox_seccomp._MACHINES[machine]}
    for place, value in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        told[16 + 8 * place], told[20 + 8 * place] = value & 0xFFFFFFFF, value >> 32
    steps = list(sandbox_seccomp._filter(machine))
    at, held = 0, 0
    tests: dict[int, Callable[[int, int], bool]] = {
        0x15: lambda a, b: a == b,
        0x35: lambda a, b: a >= b,
        0x45: lambda a, b: bool(a & b),
    }
    while True:
        what, yes, no, value = steps[at]
        at += 1
        if what == 0x06:
            return value
        if what == 0x20:
            held = told[value]
        elif what == 0x54:
            held &= value
        else:
            at += yes if tests[what](held, value) else no


ALLOW, KILL, EPERM, ENOTTY = 0x7FFF0000, 0x80000000, 0x50001, 0x50019


@pytest.mark.parametrize("machine", sandbox_seccomp.NUMBERS)
def test_the_filter_lets_only_the_few_calls_through(machine: str) -> None:
    numbers = sandbox_seccomp.NUMBERS[machine]
    free = {number for name, number in numbers.items() if name not in sandbox_seccomp._JUDGED}
    for number in range(1000):
        if number not in numbers.values():
            assert judged(machine, number) == EPERM, number
        elif number in free:
            assert judged(machine, number) == ALLOW, number
    assert judged(machine, numbers["ioctl"], (0, 0x5412)) == ENOTTY
    for name, place in (("open", 1), ("openat", 2)):
        for flags, verdict in {
            0: ALLOW,
            0o101: ALLOW,
            0o1101: ALLOW,
            0o1102: ALLOW,
            0o1000: EPERM,
            0o1003: EPERM,
        }.items():
            if name in numbers:
                assert judged(machine, numbers[name], (0,) * place + (flags,)) == verdict, (name, flags)
    for command, verdict in {
        0: EPERM,
        1: ALLOW,
        2: ALLOW,
        3: ALLOW,
        4: EPERM,
        8: EPERM,
        10: EPERM,
        1030: EPERM,
    }.items():
        assert judged(machine, numbers["fcntl"], (3, command)) == verdict, command
    for advice, verdict in {0: ALLOW, 4: ALLOW, 25: ALLOW, 26: EPERM, 100: EPERM, 101: EPERM}.items():
        assert judged(machine, numbers["madvise"], (0, 0, advice)) == verdict, advice
    limits = numbers["prlimit64"]
    assert judged(machine, limits, (0, 7, 0, 1 << 40)) == ALLOW
    assert judged(machine, limits, (0, 7, 1 << 40, 0)) == EPERM
    assert judged(machine, limits, (0, 7, 1, 0)) == EPERM
    assert judged(machine, numbers["read"], arch=0x40000003) == KILL


def test_the_other_interface_of_x86_ends_a_process() -> None:
    assert judged("x86_64", 0x40000000) == KILL
    assert judged("x86_64", 0x40000000 + 39) == KILL


SWEEP = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
allowed = @NUMBERS@
wrong = []
for number in range(1000):
    if number not in allowed and (libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6) != -1
            or ctypes.get_errno() != errno.EPERM):
        wrong.append(number)
raise ValueError(str(wrong))
"""


@walled
def test_the_kernel_refuses_every_other_call(mod: Path, scratch: Path) -> None:
    probes = (335, 336)  # of x86-64: the kernel answers them before any filter, with a signal that ends the caller
    numbers = sorted({*sandbox_seccomp.NUMBERS[kernel.machine()].values(), *probes})
    result = load(mod, SWEEP.replace("@NUMBERS@", str(numbers)), scratch)
    assert isinstance(result, Failed)
    assert result.problems[0].params == {"error": "ValueError", "detail": "[]"}, result


# -- what comes through the pipe ---------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_message_or_are_refused(data: bytes) -> None:
    with suppress(EngineError):
        assert type(wire.unpack(data)) is dict


ODD: list[Any] = [None, True, -1, 10**9, -(2**63), float("nan"), float("inf"), "", "\n\u202e", "../..", [], {}, [[]]]
ODD += [{"a": 1}, "x" * 5000, {"is": "Traffic"}, {"is": "Message"}, [None] * 50]


def parts(data: Any) -> Iterator[tuple[Any, Any]]:
    """Each map and list in data, with each of its keys."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(inside):
        yield data, key
        yield from parts(value)


def test_whatever_a_mod_says_of_its_level_is_right_or_is_refused() -> None:
    chance = random.Random(1)
    for number in "123":
        whole = msgpack.packb(level_to_data(load_level_of_the_game(number)))
        for _ in range(100):
            level = msgpack.unpackb(whole)
            for _ in range(chance.randrange(1, 4)):
                holder, key = chance.choice(list(parts(level)))
                holder[key] = chance.choice(ODD)
            with suppress(EngineError):
                read = runner._read("level.py", wire.unpack(msgpack.packb({"level": level, "lines": level})))
                assert (read.level is None) == bool(read.problems)


def test_a_message_comes_out_as_it_went_in() -> None:
    source, target = os.pipe()
    message = {"a": [1, -1, 2**63, 1.5, None, True, "ä", {"b": []}], "long": "x" * 30_000}
    wire.write(target, message)
    assert wire.read(source) == message
    os.write(target, (5).to_bytes(4, "big") + b"half")
    os.close(target)
    with pytest.raises(wire.Closed):
        wire.read(source)
    os.close(source)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93\x01\x02\x03",
        b"\x81\x01\x02",
        b"\x81\xa1a\xc4\x01x",
        b"\x81\xa1a\xd6\xff\x00\x00\x00\x00",
        b"\x81\xa1a" + b"\x91" * 60 + b"\xc0",
        b"\x81\xa1a" + b"\x91" * 5000 + b"\xc0",
        b"\x81\xa1a\xdd\xff\xff\xff\xff",
        b"\x81\xa1a\xdd" + (300_000).to_bytes(4, "big") + b"\x01" * 300_000,
        b"\x81\xa1a\xdd" + (300_000).to_bytes(4, "big") + b"\x90" * 300_000,
    ],
)
def test_odd_messages_are_refused_soon(data: bytes) -> None:
    start = time.process_time()
    with pytest.raises(EngineError) as refused:
        wire.unpack(data)
    assert refused.value.code == "worker.message"
    assert time.process_time() - start < 0.3


def test_what_is_too_long_is_not_even_read() -> None:
    source, target = os.pipe()
    os.write(target, (wire.MAX_BYTES + 1).to_bytes(4, "big") + b"x")
    with pytest.raises(EngineError, match=r"worker.message"):
        wire.read(source)
    with pytest.raises(EngineError, match=r"worker.message"):
        wire.write(target, {"a": "x" * wire.MAX_BYTES})
    os.close(source)
    with pytest.raises(wire.Closed):
        wire.write(target, {})
    os.close(target)
    assert msgpack.unpackb(msgpack.packb({})) == {}
