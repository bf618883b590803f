"""Mods that mean harm: each ends with a clear message, the game goes on, and no file was touched."""

import hashlib
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import msgpack
import pytest
from hostile_mods import ENDED, GOOD, HOOKS, LIES, REFUSED

from engine.cli.words import words
from engine.level.hooks import HookRunner
from engine.level.load import load
from engine.level.spec import Level
from engine.mods import runner, sandbox
from engine.mods.problem import LoadProblem
from engine.mods.runner import Failed, Loaded, Loading, WorkerHooks, load_level
from engine.protocol.codes import CODES
from engine.protocol.commands import give, replay
from engine.protocol.session import Session
from engine.simulation import ENDED as RUN_ENDED
from engine.simulation import Simulation

AT_ONCE = 4
SHORT, LONG = (attrs.evolve(runner.LOAD, real_s=real_s) for real_s in (1, 20))
"""For those that never end, but for one, and for all others: how busy this computer is, is another matter."""

pytestmark = pytest.mark.skipif(bool(sandbox.missing()), reason="this system lacks walls")


class Ground:
    """Where it all happens: mods, and what they may not touch. A game is played meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.canary = folder, folder / "canary"
        self.mods, self.scratch, self.other = folder / "mods", folder / "scratch", folder / "other"
        for each in (self.canary / "saves", self.mods, self.scratch, self.other):
            each.mkdir(parents=True)
        (self.canary / "player.json").write_text('{"stars": 3}')
        (self.canary / "saves" / "slot-1.save").write_bytes(b"saved")
        (self.other / "secret.py").write_text("SECRET = 1\n")
        (self.mods / "link").symlink_to(self.canary / "player.json")
        (self.mods / "linked").symlink_to(self.canary)
        self.servers = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)]
        self.servers[1].bind(str(self.canary / "socket"))
        self.servers.append(socket.socket(socket.AF_UNIX))
        self.abstract = f"hostile-{os.getpid()}"
        self.servers[2].bind(f"\0{self.abstract}")
        for server in self.servers:
            server.listen()
            server.setblocking(False)
        self.session = Session()
        self.looks_s: list[float] = []
        for message in ({"do": "open", "level": "1"}, {"do": "layout", "layout": load("1").reference}, {"do": "start"}):
            assert msgpack.unpackb(self.session.command(msgpack.packb({"v": 1, **message})))["ok"]

    def write(self, name: str, source: str) -> str:
        puts = {
            "GOOD": GOOD,
            "HOOK": "",
            "CANARY": self.canary,
            "OTHER": self.other,
            "PARENT": os.getpid(),
            "PORT": self.servers[0].getsockname()[1],
            "ABSTRACT": self.abstract,
        }
        for key, value in puts.items():
            source = source.replace(f"@{key}@", str(value))
        (self.mods / name).write_bytes(source.encode("utf-8", "surrogatepass"))
        return name

    def look(self, look: Callable[[], Any]) -> Any:
        """What somebody sees who looks in a frame."""
        start = time.perf_counter()
        seen = look()
        self.looks_s.append(time.perf_counter() - start)
        return seen

    def frame(self) -> None:
        """The game goes on meanwhile."""
        self.session.step(1 / 60)
        time.sleep(0.004)

    def wait(self, loadings: dict[str, Loading]) -> dict[str, Loaded | Failed]:
        results: dict[str, Loaded | Failed] = {}
        end = time.monotonic() + 60
        while len(results) < len(loadings):
            assert time.monotonic() < end, sorted(set(loadings) - set(results))
            for name, loading in loadings.items():
                if name not in results and (result := self.look(loading.poll)) is not None:
                    results[name] = result
            self.frame()
        return results

    def untouched(self) -> str:
        """A hash of everything a mod could have touched."""
        digest = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            if self.scratch in path.parents or path == self.scratch:
                continue
            status = path.lstat()
            facts = (str(path), status.st_mode, status.st_uid, status.st_size, status.st_mtime_ns)
            digest.update(repr(facts).encode())
            if path.is_file() and not path.is_symlink():
                digest.update(path.read_bytes())
        return digest.hexdigest()

    def visited(self) -> bool:
        """Whether somebody came to one of the servers."""
        for server in self.servers:
            with suppress(BlockingIOError):
                server.accept()
                return True
        return False


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    made = Ground(tmp_path_factory.mktemp("hostile"))
    yield made
    for server in made.servers:
        server.close()


@pytest.fixture(scope="module")
def refused(ground: Ground) -> dict[str, list[LoadProblem]]:
    """What each of REFUSED ended with; all were tried in one process."""
    scripts = [ground.write(f"refused_{name}.py", source) for name, (source, _) in REFUSED.items()]
    return one_process(ground, scripts)


@pytest.fixture(scope="module")
def lies(ground: Ground) -> dict[str, list[LoadProblem]]:
    """What was found wrong with each of LIES."""
    change = "import attrs\nLOOP = {{}}\nLOOP['x'] = LOOP\nLEVEL = attrs.evolve(LEVEL, {})\n"
    scripts = [ground.write(f"lies_{name}.py", GOOD + change.format(lie)) for name, (lie, _, _) in LIES.items()]
    return one_process(ground, scripts)


def one_process(ground: Ground, scripts: list[str]) -> dict[str, list[LoadProblem]]:
    before = ground.untouched()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "LOAD", LONG)
        result = ground.wait({"all": load_level(ground.mods, scripts, ground.scratch)})["all"]
    assert isinstance(result, Failed)
    assert ground.untouched() == before
    assert not ground.visited()
    assert result.problems[-1].code != "worker.ended", result.problems[-1]
    return {script: [one for one in result.problems if one.file == script] for script in scripts}


@pytest.fixture(scope="module")
def ended(ground: Ground) -> dict[str, Loaded | Failed]:
    """What came of each of ENDED, some of them at once."""
    results: dict[str, Loaded | Failed] = {}
    names = list(ENDED)
    scripts = {name: ground.write(f"ended_{name}.py", ENDED[name][0]) for name in names}
    before = ground.untouched()
    with pytest.MonkeyPatch.context() as patch:
        for at in range(0, len(names), AT_ONCE):
            loadings = {}
            for name in names[at : at + AT_ONCE]:
                patch.setattr(runner, "LOAD", limits(name))
                loadings[name] = load_level(ground.mods, [scripts[name]], ground.scratch)
            results.update(ground.wait(loadings))
    assert ground.untouched() == before
    assert not ground.visited()
    return results


TWO_SECONDS = runner.LOAD


def limits(name: str) -> runner.Limits:
    if name == "loops":
        return TWO_SECONDS
    return SHORT if "worker.slow" in ENDED[name][1] else LONG


def assert_clear(problem: LoadProblem) -> None:
    """It can be shown: words for the code, in one line, that nobody can use to deceive."""
    told = problem.to_data()
    assert set(told["params"]) == set(CODES[problem.code])
    text = words(problem.code, told["params"])
    assert text != problem.code
    assert text.isprintable()
    assert len(text) < 1000


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_mod_may_not_is_refused(refused: dict[str, list[LoadProblem]], name: str) -> None:
    problems = refused[f"refused_{name}.py"]
    assert problems, "it went through"
    (problem,) = problems
    expected = REFUSED[name][1]
    codes = {"": "worker.no_level", "MemoryError": "worker.memory", "SyntaxError": "worker.syntax"}
    got = next((error for error, code in codes.items() if code == problem.code), problem.params.get("error", ""))
    assert re.match(f"(?:{expected})", got) if expected else got == "", problem
    assert problem.line or got in ("", "SyntaxError", "MemoryError", "UnicodeDecodeError", "ValueError"), problem
    assert_clear(problem)


@pytest.mark.parametrize("name", LIES)
def test_what_cannot_be_is_refused_with_its_field(lies: dict[str, list[LoadProblem]], name: str) -> None:
    _, field, code = LIES[name]
    problems = lies[f"lies_{name}.py"]
    assert problems, "it was believed"
    found = [(problem.field, problem.code) for problem in problems]
    pattern = re.compile(field if re.search(r"\*|\|", field) else re.escape(field))
    assert any(pattern.fullmatch(where) and what == code for where, what in found), found
    for problem in problems:
        assert_clear(problem)


@pytest.mark.parametrize("name", ENDED)
def test_who_does_not_behave_is_ended_with_a_reason(ended: dict[str, Loaded | Failed], name: str) -> None:
    result = ended[name]
    assert isinstance(result, Failed), "it was believed"
    assert re.fullmatch(ENDED[name][1], result.problems[0].code), result.problems[0]
    assert result.problems[0].file == f"ended_{name}.py"
    for problem in result.problems:
        assert_clear(problem)


# -- hooks -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(ground: Ground) -> dict[str, Simulation]:
    """The games in which each of HOOKS was called, played to their end."""
    names = list(HOOKS)
    scripts = {name: ground.write(f"hook_{name}.py", GOOD.replace("@HOOK@", HOOKS[name][0])) for name in names}
    level = good_level(ground)
    before = ground.untouched()
    games: dict[str, Simulation] = {}
    for at in range(0, len(names), AT_ONCE):
        batch = {name: Simulation(level, 1) for name in names[at : at + AT_ONCE]}
        callers = [WorkerHooks(ground.mods, scripts[name], ground.scratch) for name in batch]
        for game, caller in zip(batch.values(), callers, strict=True):
            give(game, {"v": 1, "do": "layout", "layout": load("1").reference})
            HookRunner(caller).attach(game)
            give(game, {"v": 1, "do": "start"})
        end = time.monotonic() + 60
        while any(game.phase != RUN_ENDED for game in batch.values()):
            assert time.monotonic() < end, [name for name, game in batch.items() if game.phase != RUN_ENDED]
            for game in batch.values():
                ground.look(lambda game=game: game.advance(game.end_ps))  # type: ignore[misc]
            ground.frame()
        for caller in callers:
            caller.close()
        games.update(batch)
    assert ground.untouched() == before
    return games


def good_level(ground: Ground) -> Level:
    result = ground.wait({"": load_level(ground.mods, [ground.write("good.py", GOOD)], ground.scratch)})[""]
    assert isinstance(result, Loaded), result
    return result.levels[0]


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_that_does_not_behave_is_stopped_and_the_game_goes_on(played: dict[str, Simulation], name: str) -> None:
    game = played[name]
    stopped = [message for _, message in game.commands if message["do"] == "hook_stopped"]
    assert len(stopped) == 1, [message for _, message in game.commands]
    assert stopped[0]["name"] == "hook"
    assert re.fullmatch(HOOKS[name][1], stopped[0]["code"]), stopped[0]
    assert_clear(LoadProblem("", 0, "", stopped[0]["code"], stopped[0]["params"]))
    assert game.passed
    again = replay(game.level, game.seed, game.commands, game.end_ps)
    assert again.state_hash() == game.state_hash()


# -- the game meanwhile ----------------------------------------------------------------------------------------------


def test_no_frame_waited_and_the_game_went_on(
    ground: Ground, refused: object, lies: object, ended: object, played: object
) -> None:
    assert len(ground.looks_s) > 200
    looks = sorted(ground.looks_s)
    assert looks[len(looks) * 95 // 100] < 0.02
    game = ground.session.simulation
    assert game is not None
    assert game.now > 0
    alone = replay(game.level, game.seed, game.commands, game.now)
    assert alone.state_hash() == game.state_hash()


def test_nothing_is_left_behind(ground: Ground, refused: object, lies: object, ended: object, played: object) -> None:
    end = time.monotonic() + 5
    while list(ground.scratch.iterdir()) and time.monotonic() < end:
        time.sleep(0.01)
    assert list(ground.scratch.iterdir()) == []
    children = [one for task in Path("/proc/self/task").iterdir() for one in (task / "children").read_text().split()]
    running = [Path(f"/proc/{child}/cmdline").read_text() for child in children]
    assert not any("engine.mods.worker" in command for command in running)
