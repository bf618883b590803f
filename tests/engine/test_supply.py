"""Own, rented or by the token: break-evens are computed from what cards do and what things cost."""

import json

import pytest

from engine import catalog
from engine.cli.main import main
from engine.errors import EngineError
from engine.physics.money import rent_nusd
from engine.serving.settings import Settings, deploy
from engine.supply.break_even import HOUR_PS, Flow, OwnedHour, break_even
from engine.supply.capacity import Work, capacity, served
from engine.supply.compare import compare, keeps
from engine.units import NUSD_PER_USD

CARD = catalog.gpu("rtx-4090")
SATURATED = Flow.per_second(1_401, 1_066)
"""What the measured run of Llama-3.1-8B takes in and gives out a second."""
LONG_ANSWERS = Work.of_mean(857, 652, ttft_s=2)


def test_a_saturated_card_is_worth_what_apis_ask_for_its_tokens() -> None:
    worth = {id: SATURATED.at(api) / NUSD_PER_USD for id, api in catalog.apis().items()}
    assert worth == pytest.approx({"deepinfra": 0.25, "groq": 0.56, "together": 1.60, "bedrock": 1.95}, abs=0.006)


def test_an_own_card_never_beats_the_cheapest_offer_and_a_rented_one_beats_a_dear_one_from_38_per_cent() -> None:
    own = OwnedHour.of(CARD, catalog.costs(), usd_per_kwh=0.14)
    assert own.nusd(1.0) / NUSD_PER_USD == pytest.approx(0.31, abs=0.02)
    offers = {id: SATURATED.at(api) for id, api in catalog.apis().items()}
    rent = rent_nusd(CARD.rent_usd_per_hour, HOUR_PS)
    assert break_even(offers["deepinfra"], own.nusd) is None
    assert break_even(offers["deepinfra"], lambda share: rent) is None
    assert break_even(offers["together"], lambda share: rent) == pytest.approx(0.375, abs=0.005)
    own_share = break_even(offers["together"], own.nusd)
    assert own_share is not None
    assert own_share == pytest.approx(0.18, abs=0.02)
    assert own.nusd(own_share) == pytest.approx(own_share * offers["together"], rel=1e-6)


def test_a_deadline_costs_capacity() -> None:
    deployment, settings = deploy("rtx-4090", "llama-3.1-8b"), Settings()
    saturated = capacity(deployment, settings, Work.of_mean(857, 652))
    within = capacity(deployment, settings, LONG_ANSWERS)
    assert saturated.flow.output_tokens / 3600 == pytest.approx(1_066, rel=0.03), "as it was measured"
    assert 0.7 < within.requests_per_s / saturated.requests_per_s < 0.97
    assert served(deployment, settings, LONG_ANSWERS, saturated.requests_per_s).on_time < 0.5
    with pytest.raises(EngineError) as refused:
        capacity(deployment, settings, Work.of_mean(857, 652, e2e_s=5))
    assert refused.value.code == "supply.too_slow"


def test_a_card_with_little_to_do_is_busy_beyond_its_share() -> None:
    deployment, settings = deploy("rtx-4090", "llama-3.1-8b"), Settings()
    tenth = capacity(deployment, settings, LONG_ANSWERS).requests_per_s / 10
    assert served(deployment, settings, LONG_ANSWERS, tenth).busy > 0.5, "a step reads all weights for one sequence"


def test_the_break_even_lies_where_the_curves_cross() -> None:
    found = compare(deploy("rtx-4090", "llama-3.1-8b"), LONG_ANSWERS, list(catalog.apis().values()), 0.128)
    offers = {offer["api"]: offer for offer in found["offers"]}
    assert offers["deepinfra"]["break_even"] == {"owned": None, "rented": None, "spot": None}
    assert offers["together"]["break_even"]["owned"] < offers["together"]["break_even"]["spot"] < 0.3
    assert offers["bedrock"]["break_even"]["owned"] < offers["together"]["break_even"]["owned"]
    curve = found["curve"]
    for offer in found["offers"]:
        share = offer["break_even"]["owned"]
        for point in curve:
            below = point["owned"] <= point["utilisation"] * offer["usd_per_hour"] * (1 + 1e-9)
            assert below is (share is not None and point["utilisation"] >= share)


def test_an_offer_may_itself_be_too_slow() -> None:
    deepinfra = catalog.api("deepinfra")
    assert keeps(deepinfra, Work.of_mean(900, 100, ttft_s=0.5))
    assert not keeps(deepinfra, Work.of_mean(900, 100, ttft_s=0.4))
    assert not keeps(deepinfra, Work.of_mean(900, 600, e2e_s=8))
    assert keeps(catalog.api("groq"), Work.of_mean(900, 600, e2e_s=8))


def test_a_card_without_a_price_can_only_be_rented() -> None:
    with pytest.raises(EngineError) as refused:
        OwnedHour.of(catalog.gpu("l4"), catalog.costs(), 0.1)
    assert refused.value.code == "supply.no_price"
    assert set(compare(deploy("l4", "llama-3.2-3b"), LONG_ANSWERS, [], 0.1)["usd_per_hour"]) == {"rented", "spot"}


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bill"]) == 0
    rows = {line.split()[0]: line.split()[2:] for line in capsys.readouterr().out.splitlines()[3:-1]}
    assert rows["deepinfra"] == ["never"] * 3
    assert all(share.endswith("%") for share in rows["together"])
    assert main(["bill", "--json", "--gpu", "l4", "--model", "llama-3.2-3b", "--place", "eu", "--e2e", "60"]) == 0
    assert json.loads(capsys.readouterr().out)["gpu"] == "l4"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--gpu", "abacus"],
        ["--place", "moon"],
        ["--prompt", "0"],
        ["--ttft", "-1"],
        ["--ttft", "0.01"],
        ["--ttft", "nan"],
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bill", *arguments]) == 2
    assert "error" in capsys.readouterr().err
