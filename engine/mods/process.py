"""A mod's process from outside: started, asked, watched, and ended. Nothing here waits for it.

A thread of its own writes what is asked and reads what is answered, since pipes that never block are not to be had on
every system. Whoever has a process looks at it often (`watch`), each frame: that is when it is stopped for being slow.
"""

from __future__ import annotations

import atexit
import functools
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from attrs import define, field, frozen

import engine
from engine.errors import EngineError
from engine.mods import kernel, sandbox, wire
from engine.mods.interpreter import interpreter

START_S = 30
"""Until the walls stand: reading the interpreter and numpy from a slow disk is nobody's fault."""
MOST_FILES = 64
"""In the scratch folder."""
LONGEST_GAP_S = 0.1
"""Between two looks, more than this is time in which the game itself stood still."""
STALE_S = 86_400.0
_BOOT = "import sys; sys.path += sys.argv[1:]; from engine.mods.worker import main; main()"
_PACKAGES = ("numpy", "attr", "attrs", "cattrs", "msgpack", "simpy", "typing_extensions")
"""What the level interface is made of, and numpy, which a script may import."""
_ROOT = Path(engine.__file__).resolve().parents[1]


@frozen
class Limits:
    """What one request may take."""

    real_s: float
    """Of real time, as far as somebody watched."""
    cpu_ms: int = 0
    """Of processor time, counted from the answer before; 0: not limited."""
    bytes: int = wire.MAX_BYTES
    """Of the answer."""


@define(eq=False)
class Exchange:
    """A request, and its answer once it is there."""

    request: dict[str, Any]
    limits: Limits
    understand: Callable[[dict[str, Any]], Any]
    """Makes of an answer what it means; whatever it raises ends the process."""
    answer: Any = None
    ready: threading.Event = field(factory=threading.Event)
    """Set when the answer is there, or none will come."""
    done: bool = False


class Process:
    """Runs scripts of a folder, inside the walls that this system has.

    EngineError `worker.no_python` when there is nothing to run it. Everything that fails later is in `failure`, and the
    process is gone then.
    """

    def __init__(self, folder: Path, readable: Iterable[Path], scratch: Path) -> None:
        self.failure: EngineError | None = None
        packages = _packages()
        folders = dict.fromkeys([_ROOT, *(path.parent for path in packages)])
        self._command = [interpreter(), "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, *map(str, folders)]
        self._readable = [str(path) for path in (*readable, _ROOT / "engine", *packages)]
        self._folder, self._place = folder, scratch
        self._scratch: Path | None = None
        self._scratch_seen = 0
        self._running: subprocess.Popen[bytes] | None = None
        self._clock: int | None = None
        self._cpu_s = 0.0
        self._queue: SimpleQueue[Exchange | None] = SimpleQueue()
        self._current: Exchange | None = None
        self._watched: Exchange | None = None
        self._watched_s = self._looked_s = 0.0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._serve, name="mod", daemon=True)
        self._thread.start()
        _alive.add(self)

    def ask(self, request: dict[str, Any], limits: Limits, understand: Callable[[dict[str, Any]], Any]) -> Exchange:
        """Ask for something, after all that was asked before."""
        exchange = Exchange(request, limits, understand)
        self._queue.put(exchange)
        return exchange

    def watch(self) -> None:
        """Look whether it keeps to its limits, and end it if not."""
        current, now = self._current, time.monotonic()
        if current is not self._watched:
            self._watched, self._watched_s = current, 0.0
        else:
            self._watched_s += min(now - self._looked_s, LONGEST_GAP_S)
        self._looked_s = now
        if current is None or current.done:
            return
        limits = current.limits
        if self._watched_s > limits.real_s:
            self._fail(EngineError("worker.slow", seconds=limits.real_s))
        elif limits.cpu_ms and self._used_ms() > limits.cpu_ms:
            self._fail(EngineError("worker.busy", ms=limits.cpu_ms))
        elif self._scratch is not None and self._is_full(self._scratch):
            self._fail(EngineError("worker.scratch", most=MOST_FILES))

    def stop(self, wait_s: float = 0.0) -> None:
        """End it. It is reaped, and its scratch folder removed, soon after, or before this returns."""
        self._fail(EngineError("worker.stopped"))
        self._queue.put(None)
        if wait_s:
            self._thread.join(wait_s)

    # -- what it uses ------------------------------------------------------------------------------------------------

    def _used_ms(self) -> float:
        return (self._cpu() - self._cpu_s) * 1000

    def _cpu(self) -> float:
        """Processor time that it has used, in seconds; 0 on systems that do not tell."""
        if self._clock is None or sys.platform == "win32":
            return 0.0
        try:
            return time.clock_gettime(self._clock)
        except OSError:  # it has ended
            return self._cpu_s

    def _is_full(self, scratch: Path) -> bool:
        """Each file is limited by the kernel; their number is not."""
        try:
            seen = scratch.stat().st_mtime_ns
            if seen == self._scratch_seen:
                return False
            self._scratch_seen = seen
            with os.scandir(scratch) as entries:
                return any(number >= MOST_FILES for number, _ in enumerate(entries))
        except OSError:
            return False

    # -- the thread --------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        if sys.platform != "win32":  # Godot leaves this signal deadly
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
        try:
            self._run()
        except wire.Closed:
            self._fail(EngineError("worker.ended", detail=_ending(self._running)))
        except EngineError as error:
            self._fail(error)
        except Exception as error:
            self._fail(EngineError("worker.start", detail=f"{type(error).__name__}: {error}"[:200]))
        finally:
            self._end()

    def _run(self) -> None:
        _sweep(self._place)
        scratch = Path(tempfile.mkdtemp(prefix="mod-", dir=self._place)).resolve()
        self._scratch = scratch
        setup = {
            "parent": os.getpid(),
            "folder": str(self._folder),
            "readable": self._readable,
            "scratch": str(scratch),
            "walls": list(sandbox.enforced()),
        }
        running = self._started(scratch)
        try:
            self._exchange(running, Exchange(setup, Limits(START_S), _checked_walls))
        except wire.Closed:
            raise EngineError("worker.start", detail=_ending(running)) from None
        while (exchange := self._queue.get()) is not None:
            self._exchange(running, exchange)

    def _started(self, scratch: Path) -> subprocess.Popen[bytes]:
        on_windows = {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")} if sys.platform == "win32" else {}
        running = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=scratch,
            env=on_windows,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        with self._lock:
            self._running = running
            self._clock = kernel.cpu_clock(running.pid)
            if self.failure is not None:  # stopped meanwhile
                _kill(running)
        return running

    def _exchange(self, running: subprocess.Popen[bytes], exchange: Exchange) -> None:
        assert running.stdin is not None
        assert running.stdout is not None
        self._current = exchange
        wire.write(running.stdin.fileno(), exchange.request)
        answer = wire.read(running.stdout.fileno(), exchange.limits.bytes)
        used_ms = self._used_ms()
        self._cpu_s = self._cpu()
        if exchange.limits.cpu_ms and used_ms > exchange.limits.cpu_ms:
            raise EngineError("worker.busy", ms=exchange.limits.cpu_ms)
        self._current = None  # what checking takes is not the mod's time
        exchange.answer = exchange.understand(answer)
        exchange.done = True
        exchange.ready.set()

    def _fail(self, error: EngineError) -> None:
        """End it for a reason; the first one stays."""
        with self._lock:
            if self.failure is None:
                self.failure = error
                if self._running is not None:
                    _kill(self._running)

    def _end(self) -> None:
        running = self._running
        if running is not None:
            running.wait()
            for pipe in (running.stdin, running.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
        if self._current is not None:
            self._current.ready.set()


_alive: weakref.WeakSet[Process] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for process in list(_alive):
        process.stop(wait_s=2.0)


@functools.cache
def _packages() -> list[Path]:
    """Folders and files of the packages."""
    found = []
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin:
            path = Path(spec.origin).resolve()
            path = path.parent if path.stem == "__init__" else path
            found += [path, path.with_name(f"{path.name}.libs")]  # where numpy has libraries of its own
    return [path for path in found if path.exists()]


def _checked_walls(answer: dict[str, Any]) -> None:
    if answer != {"walls": list(sandbox.enforced())}:
        raise EngineError("worker.start", detail=str(answer.get("walls"))[:200])


def _ending(running: subprocess.Popen[bytes] | None) -> str:
    """How a process ended that has closed its pipe; "-": it has not."""
    if running is None:
        return "-"
    try:
        status = running.wait(0.2)
    except subprocess.TimeoutExpired:
        return "-"
    if status < 0:
        with suppress(ValueError):
            return signal.Signals(-status).name
    return str(status)


def _kill(running: subprocess.Popen[bytes]) -> None:
    """End a process and, where walls are missing, those that it has started."""
    if running.poll() is None:
        with suppress(OSError):
            if sys.platform == "win32":
                running.kill()
            else:
                os.killpg(running.pid, signal.SIGKILL)


def _sweep(place: Path) -> None:
    """Remove scratch folders that a game left behind which ended without a word."""
    with suppress(OSError):
        for entry in place.iterdir():
            if entry.name.startswith("mod-") and time.time() - entry.lstat().st_mtime > STALE_S:
                shutil.rmtree(entry, ignore_errors=True)
