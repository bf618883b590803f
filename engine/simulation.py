"""One game: a level, a seed, and what the player does. Advances in simulated time, and can be stopped and restarted
anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs
import cattrs
import msgpack
import simpy
from attrs import frozen
from numpy.random import PCG64, Generator, SeedSequence

from engine.errors import EngineError
from engine.floor.belt import Belt, BeltState, End
from engine.floor.floor import Floor
from engine.floor.geometry import order_of
from engine.floor.grid import stand
from engine.floor.layout import canonical_hash
from engine.floor.machines import DraftModel, Machine, PromptDock
from engine.floor.pad import NOBODY, PadState
from engine.floor.site import Site
from engine.level.data import traffic_from_data, traffic_to_data
from engine.level.goals import Judgement, judge
from engine.level.hook import GOAL_LOST, GOAL_MET, On
from engine.level.memory import HookState
from engine.level.spec import Level
from engine.metrics.deadlines import Terms
from engine.metrics.ledger import Ledger, Score
from engine.metrics.seconds import PerSecond
from engine.supply.bill import Bill, bill
from engine.traffic.kinds import AnyTraffic, ByChance
from engine.traffic.request import Request
from engine.units import PS_PER_S

if TYPE_CHECKING:
    from engine.level.hooks import HookRunner
    from engine.metrics.history import Recorder

BUILD, RUNNING, ENDED = "build", "running", "ended"
CHECKPOINT_PS = 30 * PS_PER_S
"""So that 200 machines are simulated from one to the next, and to what a player sees of a moment, within a second."""
CHECKPOINT_VERSION = 1
MAX_SEED = 2**32 - 1


@frozen
class Checkpoint:
    """The whole state at a time, before anything that happens at that time."""

    seed: int
    time_ps: int
    commands: int
    """How many commands had been given."""
    packed: bytes


class Simulation:
    """A level being built and run. `advance` asks for time; commands (`engine.protocol.commands`) change `site`."""

    def __init__(self, level: Level, seed: int, checkpoint: Checkpoint | None = None) -> None:
        if not 0 <= seed <= MAX_SEED:
            raise EngineError("seed.range", most=MAX_SEED)
        self.level, self.seed = level, seed
        self.phase = BUILD
        self.env = simpy.Environment(initial_time=checkpoint.time_ps if checkpoint else 0)
        terms = {tenant.id: Terms.of(tenant, level.model) for tenant in level.tenants}
        ledger = Ledger(level.warmup_s * PS_PER_S, terms)
        self.floor = Floor(level, ledger)
        self.site = Site(level, self.floor, self.env)
        self.commands: list[tuple[int, dict[str, Any]]] = []
        self.checkpoints: list[Checkpoint] = []
        self.keeps_checkpoints = True
        """Whether there is a way back; without it a run of many requests takes a fraction of the time."""
        self.recorder: Recorder | None = None
        """Somebody who keeps how the run went; the simulation is the same with and without one."""
        self.hooks: HookRunner | None = None
        """Who calls the level's hooks while somebody plays; in a replay, what they answered is among the commands."""
        self.hook_state = HookState()
        self._tells_goals = any(isinstance(hook, On) and hook.event in (GOAL_MET, GOAL_LOST) for hook in level.hooks)
        self.site.prepare = self._prepare
        for machine in self.floor.machines.values():
            self._prepare(machine)
        if checkpoint is None:
            self.floor.fit_memory()  # as after each change: an empty floor is the same, whatever stood there
        due = self._load(checkpoint) if checkpoint else {}
        self.floor.connect()
        for process in (*self.floor.machines.values(), *self.floor.belts.values()):
            process.start(self.env, due.get(process.id))

    # -- time --------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Simulated time in ps."""
        return int(self.env.now)

    @property
    def end_ps(self) -> int:
        """When the run ends."""
        return self.level.end_s * PS_PER_S

    def start(self) -> None:
        """Let the requests come: from building to running."""
        if self.phase != BUILD:
            raise EngineError("run.started")
        self.phase = RUNNING
        for machine in self.floor.machines.values():
            if isinstance(machine, PromptDock):
                machine.open()

    def advance(self, to_ps: int) -> None:
        """Simulate until `to_ps`, or to the end of the run. Events at that very time are still to come.

        Time stands while a hook thinks (`waits`): call again.
        """
        to_ps = min(to_ps, self.end_ps)
        while self.phase == RUNNING and (self.hooks is None or self.hooks.work(self)):
            if self.now == self.end_ps:
                self._end()
            elif self.now < to_ps:
                self._go_on(to_ps)
            else:
                break
        self.settle()

    @property
    def waits(self) -> bool:
        """Whether time stands because a hook thinks."""
        return self.phase == RUNNING and self.hooks is not None and self.hooks.thinks

    def _go_on(self, to_ps: int) -> None:
        """To `to_ps`, or to where somebody wants to look before."""
        boundary = (self.now // CHECKPOINT_PS + 1) * CHECKPOINT_PS
        second = (self.now // PS_PER_S + 1) * PS_PER_S
        stops = [to_ps, boundary]
        look = self.recorder.next_ps(self.now) if self.recorder else boundary
        if self.hooks is not None or self._tells_goals:
            stops.append(second)
        self.env.run(until=min(*stops, look))
        if self.now == second and self._tells_goals:
            self._watch_goals()
        if self.now == boundary and boundary < self.end_ps and self.keeps_checkpoints:
            self.checkpoints.append(self.checkpoint())
        if self.recorder and self.now == look < self.end_ps:
            self.settle()
            self.recorder.look(self)

    def _end(self) -> None:
        self.phase = ENDED
        if self.recorder:
            self.settle()
            self.recorder.look(self)

    def _watch_goals(self) -> None:
        """See which goals are met by now, for the hooks that want to know."""
        if self.now < self.level.warmup_s * PS_PER_S:
            return
        self.settle()
        state = self.hook_state
        state.turned = []
        for judgement in self.judge():
            metric = judgement.goal.name
            if judgement.value is not None and judgement.met != state.met.get(metric, False):
                state.met[metric] = judgement.met
                state.turned.append(metric)

    def settle(self) -> None:
        """Write down all that has happened by now."""
        now = self.now
        for machine in self.floor.machines.values():
            machine.settle(now)

    def write(self) -> None:
        """Write into the requests under way what they have reached."""
        for machine in self.floor.machines.values():
            machine.write()

    # -- results -----------------------------------------------------------------------------------------------------

    def score(self) -> Score:
        """What was achieved from the end of the warm-up until now."""
        self.write()
        cost_nusd = self.bill(self.level.warmup_s * PS_PER_S).total
        return attrs.evolve(self.floor.ledger.score(self.now), cost_nusd=cost_nusd)

    def judge(self) -> list[Judgement]:
        """How the level's goals stand."""
        return judge(self.level.goals, self.score())

    @property
    def passed(self) -> bool:
        """Whether the run has ended with every goal met; where there is none, nothing is won."""
        judged = self.judge() if self.phase == ENDED else []
        return bool(judged) and all(judgement.met for judgement in judged)

    @property
    def end_code(self) -> str:
        """How the end of the run is called."""
        if not self.level.goals:
            return "run.over"
        return "run.won" if self.passed else "run.lost"

    def cost_nusd(self) -> int:
        """What all cards and API Ports have cost so far."""
        return self.bill().total

    def bill(self, from_ps: int = 0) -> Bill:
        """What cards and API Ports have cost since a whole second."""
        self.settle()
        return bill(self.floor, from_ps, self.now)

    def tokens(self) -> int:
        """Tokens delivered so far."""
        delivered = self.floor.ledger.delivered
        return delivered.total(0, len(delivered.buckets))

    def state_hash(self) -> str:
        """Equal whenever the same has happened, at whatever speed, to equal layouts, however they were built."""
        self.settle()
        processes = sorted((*self.floor.machines.values(), *self.floor.belts.values()), key=lambda one: one.order)
        places = {process.id: place for place, process in enumerate(processes)}
        state = self._dump({**places, NOBODY: NOBODY})
        for part in ("machines", "belts"):
            state[part].sort(key=lambda entry: entry["id"])
        return canonical_hash({key: value for key, value in state.items() if key not in ("due", "next_id")})

    # -- checkpoints -------------------------------------------------------------------------------------------------

    def checkpoint(self) -> Checkpoint:
        """The whole state, from which `restore` goes on."""
        self.settle()
        return Checkpoint(self.seed, self.now, len(self.commands), msgpack.packb(self._dump(), use_bin_type=True))

    @classmethod
    def restore(cls, level: Level, checkpoint: Checkpoint) -> Simulation:
        """A simulation that goes on from `checkpoint` with processes of its own."""
        return cls(level, checkpoint.seed, checkpoint)

    def _dump(self, names: Mapping[int, int] | None = None) -> dict[str, Any]:
        """Everything, as plain data; `names` may give machines and belts other names than their ids."""
        floor = self.floor
        self.write()
        name = dict(names or {id: id for id in (*floor.machines, *floor.belts, NOBODY)})
        return {
            "version": CHECKPOINT_VERSION,
            "level": self.level.id,
            "seed": self.seed,
            "time_ps": self.now,
            "phase": self.phase,
            "next_id": self.site.next_id,
            "machines": [
                {
                    "id": name[machine.id],
                    "kind": machine.stand.kind.name,
                    "x": machine.stand.x,
                    "y": machine.stand.y,
                    "rotation": machine.stand.rotation,
                    "settings": dict(machine.settings),
                    "state": machine.dump(),
                    "random": self._dump_randoms(machine),
                }
                for machine in floor.machines.values()
            ],
            "belts": [
                {
                    "id": name[belt.id],
                    "packet": belt.packet,
                    "source": {"machine": name[belt.source.machine], "port": belt.source.port},
                    "target": {"machine": name[belt.target.machine], "port": belt.target.port},
                    "tiles": [list(tile) for tile in belt.tiles],
                    "state": cattrs.unstructure(belt.state),
                }
                for belt in floor.belts.values()
            ],
            "pads": [
                {
                    **cattrs.unstructure(pad.state),
                    "holder": name[pad.state.holder],
                    "queue": [name[id] for id in pad.state.queue],
                    "busy": pad.busy.buckets,
                    "pool": cattrs.unstructure(pad.pool),
                }
                for pad in floor.pads.values()
            ],
            "requests": [{**_dump_request(request), "dock": name[request.dock]} for request in floor.requests.values()],
            "delivered": floor.ledger.delivered.buckets,
            "out_of_memory": floor.ledger.ooms,
            "due": {process.id: process.due_ps for process in (*floor.machines.values(), *floor.belts.values())},
            **self._dump_changes(),
        }

    def _dump_changes(self) -> dict[str, Any]:
        """What hooks have changed, and what only some levels have; nothing without, so that a hash is what it was."""
        changes: dict[str, Any] = {
            "hooks": self.hook_state.dump(),
            "broken": [pad.id for pad in self.floor.pads.values() if pad.broken],
            "allowed": dict(self.site.allowed) if self.site.allowed != self.level.allowed else {},
            "supply": [] if self.floor.accounts is None else self.floor.accounts.dump(),
            **self._dump_traffic(),
        }
        return {name: change for name, change in changes.items() if change}

    def _dump_traffic(self) -> dict[str, Any]:
        """The streams that have changed, by tenant, or the nameless one."""
        streams = enumerate(zip(self.floor.streams, self.level.streams, strict=True))
        changed = {str(index): _dump_stream(now) for index, (now, before) in streams if now is not before}
        return {"streams": changed} if self.level.tenants else {"traffic": changed.get("0", {})}

    def _load(self, checkpoint: Checkpoint) -> dict[int, int | None]:
        """Take over the state; when each process is due next."""
        data: dict[str, Any] = msgpack.unpackb(checkpoint.packed, strict_map_key=False)
        if data["version"] != CHECKPOINT_VERSION or data["level"] != self.level.id:
            raise EngineError("checkpoint.other")
        floor, site = self.floor, self.site
        self.phase, site.next_id = data["phase"], data["next_id"]
        self.hook_state.load(data.get("hooks", {}))
        for id in data.get("broken", []):
            floor.pads[id].broken = True
        site.allowed = data.get("allowed") or site.allowed
        if floor.accounts is not None:
            floor.accounts.load(data["supply"])
        changed = {"0": data["traffic"]} if "traffic" in data else data.get("streams", {})
        for index, traffic in changed.items():
            floor.streams[int(index)] = traffic_from_data(json.loads(traffic) if type(traffic) is str else traffic)
        requests = [cattrs.structure(entry, Request) for entry in data["requests"]]
        floor.requests.update({request.id: request for request in requests})
        floor.ledger.restore(requests, PerSecond(data["delivered"]), data["out_of_memory"])
        for entry in data["machines"]:
            if entry["id"] not in floor.machines:
                where = stand(entry["kind"], entry["x"], entry["y"], entry["rotation"])
                site.add_machine(entry["id"], where, entry["settings"])
        for entry in data["belts"]:
            source, target = cattrs.structure(entry["source"], End), cattrs.structure(entry["target"], End)
            tiles = tuple((tile[0], tile[1]) for tile in entry["tiles"])
            belt = Belt(entry["id"], floor, entry["packet"], source, target, tiles)
            site.add_belt(belt)
        floor.fit_memory()
        for entry in data["belts"]:
            floor.belts[entry["id"]].state = cattrs.structure(entry["state"], BeltState)
        for pad, entry in zip(floor.pads.values(), data["pads"], strict=True):
            pad.state = PadState(entry["holder"], entry["queue"], entry["granted_ps"])
            pad.busy.buckets = entry["busy"]
            pad.pool = cattrs.structure(entry["pool"], type(pad.pool))
        for machine in floor.machines.values():
            machine.fit()
        for entry in data["machines"]:
            machine = floor.machines[entry["id"]]
            machine.load(entry["state"])
            several = entry["random"] if self._is_shared(machine) else [entry["random"]]
            for random, numbers in zip(_randoms(machine), several, strict=False):
                random.bit_generator.state = _load_random(numbers)
        due: dict[int, int | None] = data["due"]
        return due

    def _prepare(self, machine: Machine) -> None:
        """What only the game knows about a machine: its turn, and its own source of chance, by its place."""
        if isinstance(machine, DraftModel):
            machine.random = self._random(machine.order)
        if isinstance(machine, PromptDock):
            tenants = range(len(self.level.tenants))
            machine.randoms = [self._random(machine.order, tenant) for tenant in tenants] or [
                self._random(machine.order)
            ]
            orders = [order_of((dock.x, dock.y)) for dock in self.level.docks if dock.kind == "prompt_dock"]
            machine.turn = sorted(orders).index(machine.order), len(orders)

    def _random(self, *key: int) -> Generator:
        return Generator(PCG64(SeedSequence(self.seed, spawn_key=key)))

    def _is_shared(self, machine: Machine) -> bool:
        """Whether it has a source of chance for each tenant."""
        return bool(self.level.tenants) and isinstance(machine, PromptDock)

    def _dump_randoms(self, machine: Machine) -> Any:
        states = [_dump_random(random) for random in _randoms(machine)]
        return states if self._is_shared(machine) else next(iter(states), None)


def _randoms(machine: Machine) -> list[Generator]:
    """A machine's sources of chance."""
    if isinstance(machine, PromptDock):
        return machine.randoms
    return [machine.random] if isinstance(machine, DraftModel) else []


def _dump_stream(traffic: AnyTraffic) -> dict[str, Any] | str:
    """As text where there are rates in it: a hash has no place for them. 5 and 5.0 are the same rate."""
    data = traffic_to_data(traffic)
    if not isinstance(traffic, ByChance):
        return data
    return json.dumps(traffic_to_data(traffic_from_data(data)), sort_keys=True)


def _dump_request(request: Request) -> dict[str, Any]:
    """What it has not, it need not say."""
    data: dict[str, Any] = cattrs.unstructure(request)
    for name in ("tenant", "prefix"):
        if data[name] < 0:
            del data[name]
    for name in ("prefix_tokens", "model"):
        if not data[name]:
            del data[name]
    return data


def _dump_random(random: Generator) -> list[str]:
    state: dict[str, Any] = dict(random.bit_generator.state)
    inner = state["state"]
    return [str(inner["state"]), str(inner["inc"]), str(state["has_uint32"]), str(state["uinteger"])]


def _load_random(numbers: list[str]) -> dict[str, Any]:
    state, inc, has_uint32, uinteger = (int(number) for number in numbers)
    return {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": inc},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
