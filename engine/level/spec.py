"""A level, declared: floor, hardware, traffic, what may be built, goals, and a layout that wins."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from engine.level.hook import Hook
from engine.level.lessons import Question, Step
from engine.level.versions import INTERFACE
from engine.traffic.kinds import AnyTraffic, as_one

RESERVED = "reserved"
"""A sequence sets aside the memory that it will need in the end, and waits until there is so much."""
CONTIGUOUS = "contiguous"
"""A sequence reserves the longest length in one piece, and a server that has no room for it runs out of memory."""


@frozen
class PadSpec:
    """A GPU of the floor: a card of the catalog on a rectangle of tiles, the first of which is (x, y)."""

    gpu: str
    x: int
    y: int
    width: int
    height: int


OWNED, RENTED = "owned", "rented"
CHOICE = "choice"


@frozen
class Supply:
    """How cards are paid, where a level counts it. One on which nothing stands is neither bought nor rented.

    `OWNED`: from the moment that something stands on it, it is written off and managed for the rest of the run, and
    electricity is paid by its load. `RENTED`: an hourly price while something stands on it, busy or idle. `CHOICE`: the
    setting `supply` of the first machine on it says which, 0 owned and 1 rented.
    """

    pads: list[str]
    """Of each card, in the order of `Level.pads`."""
    place: str = "us-east-north-central"
    """Where electricity is paid, by its name in the catalog."""


@frozen
class Dock:
    """A dock that the level places."""

    kind: str
    x: int
    y: int
    rotation: int = 0


@frozen
class Tenant:
    """One of several users of the same servers: a stream of requests, and what its answers have to keep to count."""

    id: str
    """Small letters, digits and _."""
    traffic: AnyTraffic
    """Its requests, at every Prompt Dock; of a trace, docks take turns."""
    ttft_s: float = 0.0
    """Deadlines: of the first token, in seconds from arrival (0: none) ..."""
    tpot_s: float = 0.0
    """... of the time per token after the first, its mean over the answer ..."""
    e2e_s: float = 0.0
    """... and of the last token, from arrival."""
    prefix_tokens: int = 0
    """All its prompts begin with so many tokens that others of its prompts begin with, too."""
    prefixes: int = 1
    """How many different beginnings there are; which one a prompt has is drawn."""
    benchmark: str = ""
    """What its task is like, by the benchmark's name in the catalog ("": any model will do) ..."""
    quality: float = 0.0
    """... and the least score there that the model must have for an answer to count, in points of 100."""
    share: float = 0.0
    """Part of the capacity that is promised to it."""


@frozen
class Setting:
    """A setting of a machine kind; fixed where `low == high`."""

    value: int
    low: int
    high: int
    choices: list[str] = field(factory=list)
    """Names of the values from `low` on, where a number says nothing."""


@frozen
class Goal:
    """A metric and its bar: `tps`, `user_tps` (tokens per second), `ttft_p95`, `e2e_p95`, `pause_p95`, `pause_p99`
    (seconds), `out_of_memory`, `refused` (counts), `finished` (requests per minute).

    Of levels with tenants, also `on_time` (share of the requests that kept every deadline and were answered well
    enough, of those on which a verdict was due), `worst_on_time` (the same of the tenant with the least), `fairness`
    (Jain's index of the tenants' `on_time`) and `goodput` (such requests per second). `usd_per_task`: all that cards
    and API Ports cost within the window, in dollars, over such requests; without tenants over those that are finished.
    """

    metric: str
    target: float
    at_least: bool = False
    tenant: str = ""
    """Whose requests it is about; "": all."""

    @property
    def name(self) -> str:
        """The metric, and whose it is: unique among the goals of a level."""
        return f"{self.metric} {self.tenant}".strip()


@frozen
class Stars:
    """Bars beyond the goals, reached by good factories with the seed that the game plays (1). A star needs a run that
    meets the goals.

    Metrics: those of goals, and `usd_per_mtok`, `j_per_token`.
    """

    latency: Goal
    cost: Goal


@frozen
class Ban:
    """What a level teaches, taken away: proofs leave out the layouts that use it. The bans of a level are searched one
    by one.
    """

    id: str
    kinds: list[str] = field(factory=list)
    """Machine kinds that may not be placed."""
    apart: list[str] = field(factory=list)
    """Two kinds whose work may not be kept apart: no card may spend its time on the one while another card spends its
    time on the other. What the cards do in a run counts, so a machine that stands there for show makes no difference.
    """
    share: float = 0.9
    """A card spends its time on a kind that takes at least this share of the time that it has for the two."""
    way: int = 0
    """Hand-offs from card to card take at least so many tiles."""


@frozen
class Level:
    """Everything about a level. Texts are codes: `level.<id>.title` and so on in `texts` or the translations."""

    number: int
    """Its place in the campaign; that of a mod's level is its place in the mod, whatever stands here."""
    id: str
    """Small letters, digits and _."""
    width: int
    """Of the floor, in tiles along x ..."""
    height: int
    """... and along y."""
    model: str
    """What is served, by its name in the catalog."""
    link: str
    """What the belts from card to card are."""
    pads: list[PadSpec]
    """The cards. Hooks and conditions name them by their index here."""
    docks: list[Dock]
    """At least a Prompt Dock and a Token Dock."""
    traffic: AnyTraffic | None = field(default=None, kw_only=True)
    """At every Prompt Dock; of a trace, docks take turns. None where `tenants` say what comes."""
    tenants: list[Tenant] = field(factory=list, kw_only=True)
    """Who shares the servers, each with a stream of its own; without any, one nameless stream is `traffic`."""
    models: list[str] = field(factory=list, kw_only=True)
    """Models that a Model Server may serve; its setting `model` is an index into them. Without any, it is `model`."""
    allowed: dict[str, int]
    """How many of each machine kind the player may place."""
    settings: dict[str, dict[str, Setting]]
    """By machine kind and name."""
    goals: list[Goal]
    """All of them have to be met to win; without any, a run is played for its own sake."""
    warmup_s: int
    """Goals are judged from here, in simulated seconds ..."""
    end_s: int
    """... to here, where the run ends."""
    memory_utilization: float = 0.9
    """Share of a card's memory that may be used (vLLM's `gpu_memory_utilization`)."""
    kv_memory: str = RESERVED
    """How KV memory is handed out where no Page Allocator stands: `RESERVED` or `CONTIGUOUS`."""
    max_model_len: int = 0
    """Longest sequence, prompt and answer, in tokens; what a contiguous reservation is made for."""
    admission_reserve: float = 0.0
    """Share of a paged memory that must stay free when a sequence is taken in, for those that grow."""
    draft_models: list[str] = field(factory=list)
    """Models that a Draft Model may run; its setting `model` is an index into them."""
    draft_pass_s: float = 0.0003
    """Host time of a pass of a draft model; 0.1 to 1 ms is reported."""
    acceptance: float = 0.0
    """The probability that the main model accepts a drafted token: a coin per token, by the level's task."""
    apis: list[str] = field(factory=list)
    """Offers by the token, by their names in the catalog; an API Port's setting `offer` is an index into them."""
    supply: Supply | None = None
    """How cards are paid; None: all are rented, whether anything stands on them or not."""
    reference: dict[str, Any] = field(factory=dict)
    """A layout that passes, as data."""
    naive: dict[str, Any] = field(factory=dict)
    """What a newcomer builds, as data: a layout that fails ..."""
    naive_fails: str = ""
    """... for the reason that the level teaches: the metric of a goal, or the state that a machine ends in."""
    bans: list[Ban] = field(factory=list)
    """What cannot be left out."""
    tutorial: list[Step] = field(factory=list)
    """What a newcomer does, one idea at a time, until the level is won."""
    questions: list[Question] = field(factory=list)
    """Put before the level and again after it."""
    hints: int = 0
    """How many hints there are, from mild to plain."""
    stars: Stars | None = None
    """Bars beyond the goals."""
    interface: int = INTERFACE
    """The version of this interface that the script was written for (`engine.level.versions`)."""
    texts: dict[str, dict[str, str]] = field(factory=dict)
    """Language (`en`, `de`, ...) -> code -> text, for levels that bring their words along: `level.<id>.title`,
    `tutorial.<id>.<step>`, `question.<id>.<question>` and `.a`, `.b`, ..., `hint.<id>.<number>`, and
    `message.<id>.<name>` for what hooks say.
    """
    hooks: list[Hook] = field(factory=list)
    """The level's own code, called at whole simulated seconds; those of the same second in this order."""
    script: str = field(default="", eq=False)
    """The file that declares it; no part of its data."""

    @property
    def streams(self) -> list[AnyTraffic]:
        """What comes at every Prompt Dock: a stream of each tenant, or the nameless one."""
        return [tenant.traffic for tenant in self.tenants] or ([] if self.traffic is None else [self.traffic])

    @property
    def offered(self) -> AnyTraffic:
        """All streams as one: the mean time between requests, the shortest and longest lengths."""
        return as_one(self.streams)

    def tenant_index(self, id: str) -> int:
        """The index of a tenant; -1 for ""."""
        return next((index for index, tenant in enumerate(self.tenants) if tenant.id == id), -1)
