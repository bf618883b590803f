"""Level 3: every kind of factory has its outcome, for its reason. Figures: a discrete-event model of the same case.

Tokens per second are those that a user sees. Ours lie 2 % below the model's without a draft, as the measured run shows
.88 of the card's bandwidth where the model has .9, and up to 10 % below where much is drafted: a draft pass costs 20 us
for each of its 16 layers here, beside reading the weights and the host's 0.3 ms.
"""

from collections.abc import Callable
from functools import cache

import attrs
import pytest
from factories import PROMPT_DOCK, TOKEN_DOCK, do, link, new, place, reference, run

from engine import catalog
from engine.errors import EngineError
from engine.floor.machines.core import Core
from engine.level.load import load
from engine.level.spec import Level
from engine.physics.roofline import Deployment
from engine.physics.speculation import expected_tokens
from engine.simulation import Simulation
from engine.units import PS_PER_S

LEVEL_3 = load("3")
SEEDS = range(1, 21)
Q4, Q8, BF16, THREE_B = range(4)
TOLERANCE = 0.11
Build = Callable[[Simulation], None]


def deliver(simulation: Simulation, decode: int, gate: bool) -> None:
    """From a Decode Core to the Token Dock, through a gate or straight."""
    if gate:
        checks = place(simulation, "validation_gate", 8, 3)
        link(simulation, decode, checks)
        decode = checks
    link(simulation, decode, TOKEN_DOCK)


def drafting(tokens: int = 5, model: int = Q4, gate: bool = True) -> Build:
    """One card with all of it, as the reference has it."""

    def build(simulation: Simulation) -> None:
        prefill, decode = place(simulation, "prefill_core", 3, 1), place(simulation, "decode_core", 6, 3)
        draft = place(simulation, "draft_model", 6, 1, rot=1)
        do(simulation, "set", id=draft, name="num_speculative_tokens", value=tokens)
        do(simulation, "set", id=draft, name="model", value=model)
        link(simulation, PROMPT_DOCK, prefill)
        link(simulation, prefill, decode)
        link(simulation, draft, decode)
        deliver(simulation, decode, gate)

    return build


def plain(gate: bool = False, slots: int = 1) -> Build:
    """No draft."""

    def build(simulation: Simulation) -> None:
        prefill, decode = place(simulation, "prefill_core", 3, 1), place(simulation, "decode_core", 6, 3)
        do(simulation, "set", id=decode, name="max_num_seqs", value=slots)
        link(simulation, PROMPT_DOCK, prefill)
        link(simulation, prefill, decode)
        deliver(simulation, decode, gate)

    return build


def two_decoders(simulation: Simulation) -> None:
    """As many as find a way to the Token Dock."""
    prefill = place(simulation, "prefill_core", 3, 1)
    link(simulation, PROMPT_DOCK, prefill)
    decoders = [place(simulation, "decode_core", 6, y) for y in (1, 5)]
    for decode in decoders:
        link(simulation, decode, TOKEN_DOCK)
    for decode in decoders:
        link(simulation, prefill, decode)


def user_tps(build: Build, seed: int = 1, level: Level = LEVEL_3) -> float:
    simulation = new(seed, level)
    build(simulation)
    run(simulation)
    (judgement,) = simulation.judge()
    assert judgement.value is not None
    assert simulation.passed == (judgement.value >= 120)
    return judgement.value


def mean(build: Build, level: Level = LEVEL_3) -> float:
    found = [user_tps(build, seed, level) for seed in (1, 2, 3)]
    return sum(found) / len(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_draft_of_five_tokens_wins(seed: int) -> None:
    assert user_tps(reference, seed) == pytest.approx(153, rel=TOLERANCE)


def test_it_is_the_reference_layout() -> None:
    assert user_tps(drafting()) == user_tps(reference)


@cache
def drafted(tokens: int) -> float:
    return mean(drafting(tokens))


@pytest.mark.parametrize(
    ("tokens", "expected"), [(2, 120), (3, 137), (4, 145), (6, 153), (8, 150), (1, None), (10, None)]
)
def test_drafts_that_are_too_short_or_too_long_gain_less(tokens: int, expected: float | None) -> None:
    """Two tokens reach the bar in the model, and miss it by 5 % here; one misses by more."""
    found = drafted(tokens)
    assert (found >= 120) == (tokens > 2)
    if expected is not None:
        assert found == pytest.approx(expected, rel=TOLERANCE)
    assert found < drafted(6) or tokens == 6


CHAT = attrs.evolve(LEVEL_3, acceptance=0.6)
# name: factory, level, the model's figure or None
LOSING: dict[str, tuple[Build, Level, float | None]] = {
    "no draft": (plain(), LEVEL_3, 56.7),
    "bf16 draft": (drafting(model=BF16), LEVEL_3, 110),
    "chat": (drafting(), CHAT, 101),
    "fp8 main model": (plain(), attrs.evolve(LEVEL_3, model="llama-3.1-8b-fp8"), 102),
    # The model's row says "3B draft <= 78" and not in which format. In Q4 ours reaches 105; in 16 bits it does not fit.
    "3B draft in Q4": (drafting(model=THREE_B), LEVEL_3, None),
    # not in the model's table
    "two decoders": (two_decoders, LEVEL_3, None),
    "a gate without a draft": (plain(gate=True), LEVEL_3, None),
    "a draft without a gate": (drafting(gate=False), LEVEL_3, None),
    "eight slots": (plain(slots=8), LEVEL_3, None),
}


@pytest.mark.parametrize("name", LOSING)
def test_other_factories_lose(name: str) -> None:
    build, level, expected = LOSING[name]
    found = mean(build, level)
    assert found < 120
    if expected is not None:
        assert found == pytest.approx(expected, rel=TOLERANCE)


def test_a_larger_draft_in_8_bits_still_wins() -> None:
    assert mean(drafting(model=Q8)) == pytest.approx(136, rel=TOLERANCE)


def test_a_3b_draft_in_16_bits_does_not_fit_beside_the_main_model() -> None:
    with pytest.raises(EngineError, match=r"place\.too_big"):
        user_tps(drafting(), level=attrs.evolve(LEVEL_3, draft_models=["llama-3.2-3b"]))


def test_the_main_models_precision_must_be_fixed() -> None:
    """In Q4 it needs no draft; the player has no setting for it."""
    assert mean(plain(), attrs.evolve(LEVEL_3, model="llama-3.1-8b-q4-k-m")) == pytest.approx(164, rel=TOLERANCE)
    assert LEVEL_3.model == "llama-3.1-8b"
    assert all("model" not in settings for kind, settings in LEVEL_3.settings.items() if kind != "draft_model")


def stream_tps(deployment: Deployment) -> float:
    """Tokens per second of one stream with the level's mean context."""
    return PS_PER_S / deployment.decode(1).steps_ps(1, 640, 1)


def test_no_plain_decoding_on_this_card_could_reach_the_bar() -> None:
    card, model = catalog.gpu("rtx-4090"), catalog.model("llama-3.1-8b")
    ideal = attrs.evolve(card, bandwidth_efficiency=1.0, s_per_layer=0.0, host_s_per_step=0.0, host_s_per_sequence=0.0)
    assert stream_tps(Deployment(ideal, model)) == pytest.approx(66.8, rel=0.01)


@pytest.mark.parametrize("name", ["pcie4", "pcie5"])
def test_two_cards_over_pcie_would_not_do(name: str) -> None:
    """The model has 85 to 95; ours 99, and would have 93 if each all-reduce took its link's latency twice."""
    found = stream_tps(Deployment(catalog.gpu("rtx-4090"), catalog.model("llama-3.1-8b"), 2, catalog.link(name)))
    assert 85 <= found < 95 * (1 + TOLERANCE)


def test_drafting_is_why_tokens_come_several_at_a_time() -> None:
    """Accepted drafts and one token more: 3.69 a step at .8, by theory."""
    simulation = new(1, LEVEL_3)
    drafting()(simulation)
    run(simulation)
    (stepper,) = [
        core.stepper for core in simulation.floor.machines.values() if isinstance(core, Core) and core.decodes
    ]
    assert stepper.accepted / (stepper.drafted / 5) + 1 == pytest.approx(expected_tokens(0.8, 5), rel=0.03)
