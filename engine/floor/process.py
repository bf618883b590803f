"""How things on the floor act in simulated time.

Each sleeps until a simpy event wakes it, when it is due or is nudged, then does all that its state says is due (`act`),
and tells when it is due next. It has no other state, as a generator would: so it can be stopped and started afresh at
any moment.

Events at the same time happen in the order of their owners' places on the floor, whatever order they were scheduled in:
a run taken in one jump and the same run taken step by step give the same result to the bit, and so do equal layouts,
however they were built.
"""

from __future__ import annotations

from abc import abstractmethod

import simpy
from simpy.events import EventPriority

_FIRST_PRIORITY = 2  # simpy itself uses 0 (urgent, the end of a run) and 1 (normal)


class _Wake(simpy.Event):
    """An event that happens at a given time, with its owner's priority."""

    def __init__(self, env: simpy.Environment, owner: Process, at_ps: int) -> None:
        super().__init__(env)
        self._ok = True
        self._value = None
        self.callbacks.append(owner._ring)
        env.schedule(self, priority=EventPriority(owner.order + _FIRST_PRIORITY), delay=at_ps - int(env.now))


class Process:
    """Something that acts in time. `id` is unique among all that share an environment.

    No `ABC`, though methods are abstract: whether something is an instance of one takes Python five times as long.
    """

    def __init__(self, id: int) -> None:
        self.id = id
        self.due_ps: int | None = None
        self._env: simpy.Environment | None = None
        self._wake: _Wake | None = None

    @property
    def now(self) -> int:
        """The present simulated time in ps."""
        assert self._env is not None
        return int(self._env.now)

    @property
    @abstractmethod
    def order(self) -> int:
        """Who goes first when several are due at the same time; unique, and known from the layout alone."""

    @abstractmethod
    def act(self, now: int) -> int | None:
        """Do what is due at `now`; return when something is due next (ps), or None to sleep until nudged.

        May be called at any time, also when nothing is due.
        """

    def start(self, env: simpy.Environment, due_ps: int | None) -> None:
        """Begin to live in `env`; first due at `due_ps`."""
        self._env = env
        if due_ps is not None:
            self._schedule(due_ps)

    def stop(self) -> None:
        """Never act again."""
        self._wake = self.due_ps = self._env = None

    def nudge(self) -> None:
        """Something changed that may concern this process: act now."""
        if self._env is not None:
            self._schedule(int(self._env.now))

    def _schedule(self, at_ps: int) -> None:
        assert self._env is not None
        if self.due_ps is None or at_ps < self.due_ps:
            self.due_ps = at_ps
            self._wake = _Wake(self._env, self, at_ps)

    def _ring(self, event: simpy.Event) -> None:
        if event is not self._wake or self._env is None:
            return  # overtaken by an earlier wake, or gone
        self._wake = self.due_ps = None
        due = self.act(self.now)
        if due is not None and self._env is not None:
            self._schedule(due)
