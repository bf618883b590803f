"""Goodput: what counts as answered in time, and on what there is a verdict."""

import attrs
import pytest

from engine.level.goals import measured
from engine.level.spec import Tenant
from engine.metrics.deadlines import Terms
from engine.metrics.ledger import Ledger
from engine.traffic.request import Request
from engine.traffic.traffic import Lengths, PoissonTraffic
from engine.units import seconds

TRAFFIC = PoissonTraffic(1, Lengths(1, 1), Lengths(1, 1))
CHAT = Tenant("chat", TRAFFIC, ttft_s=1, tpot_s=0.1)
BATCH = Tenant("batch", TRAFFIC, e2e_s=20)
ANY = Tenant("any", TRAFFIC)


def request(id: int, tenant: int, at: float = 0, first: float = -1, last: float = -1, tokens: int = 11) -> Request:
    """With its first and last token so many seconds after its arrival; -1: not yet."""
    found = Request(id, 100, tokens, seconds(at), 1, tenant=tenant)
    if first >= 0:
        found.tokens, found.first_token_ps = 1, seconds(at + first)
    if last >= 0:
        found.tokens, found.last_token_ps = tokens, seconds(at + last)
    return found


def book(*tenants: Tenant, warmup_s: int = 0) -> Ledger:
    return Ledger(seconds(warmup_s), {tenant.id: Terms.of(tenant, "llama-3.1-8b") for tenant in tenants})


def told(ledger: Ledger, *requests: Request) -> Ledger:
    for one in requests:
        ledger.arrived(one)
        if one.tokens:
            ledger.started(one)
        if one.done:
            ledger.finished(one)
    return ledger


@pytest.mark.parametrize(
    ("first", "last", "kept"), [(1, 2, 1), (0.5, 1.5, 1), (1.1, 1.5, 0), (0.5, 1.6, 0), (0.5, -1, 0), (-1, -1, 0)]
)
def test_an_answer_is_on_time_when_every_deadline_is_kept(first: float, last: float, kept: int) -> None:
    score = told(book(CHAT), request(1, 0, 0, first, last)).score(seconds(2))
    assert (score.judged, score.kept) == (1, kept)


def test_a_verdict_comes_when_it_is_due_and_not_when_it_is_easy() -> None:
    ledger = told(book(BATCH), request(1, 0, 0, 1, 5), request(2, 0, 2))
    assert measured("on_time", ledger.score(seconds(19))) is None, "a quick answer does not count before its time"
    assert measured("on_time", ledger.score(seconds(20))) == 1
    assert measured("on_time", ledger.score(seconds(22))) == 0.5, "what is not answered by then has missed"


def test_requests_of_the_warm_up_do_not_count() -> None:
    assert told(book(BATCH, warmup_s=10), request(1, 0, 9, 1, 2)).score(seconds(60)).judged == 0


def test_a_refused_request_has_missed() -> None:
    for tenant in (CHAT, ANY):
        ledger = told(book(tenant), request(1, 0))
        refused = attrs.evolve(request(1, 0), refused=True)
        ledger.refused(refused)
        score = ledger.score(seconds(60))
        assert (score.judged, score.kept, score.tenants[tenant.id].refused) == (1, 0, 1)


def test_without_a_deadline_an_answer_counts_when_it_is_there() -> None:
    score = told(book(ANY), request(1, 0, 0, 30, 50), request(2, 0, 0, 30)).score(seconds(60))
    assert (score.judged, score.kept) == (1, 1)
    waits_for_first = attrs.evolve(ANY, ttft_s=1)
    score = told(book(waits_for_first), request(1, 0, 0, 0.5), request(2, 0, 0, 2), request(3, 0)).score(seconds(60))
    assert (score.judged, score.kept) == (2, 0), "the first may still come to an end"


def test_a_model_that_is_not_good_enough_for_the_task_does_not_count() -> None:
    code = Tenant("code", TRAFFIC, e2e_s=20, benchmark="humaneval", quality=72)
    answers = [request(id, 0, 0, 1, 2) for id in (1, 2, 3)]
    answers[1].model, answers[2].model = "llama-3.1-8b-w4a16", "llama-3.2-1b"
    score = told(book(code), *answers).score(seconds(20))
    assert (score.judged, score.kept) == (3, 2), "the small model has no score there"


def test_the_worst_tenant_and_all_of_them() -> None:
    late = [request(id, 0, 0, 2, 3) for id in (1, 2, 3)]
    score = told(book(CHAT, BATCH), *late, request(4, 0, 0, 0.5, 1), request(5, 1, 0, 1, 2)).score(seconds(60))
    assert measured("worst_on_time", score) == 0.25
    assert measured("on_time", score) == 0.4
    assert measured("goodput", score) == pytest.approx(2 / 60)
    assert measured("finished", score) == 5
    assert measured("fairness", score) == pytest.approx(1.25**2 / (2 * (1 + 0.0625)))
    assert measured("on_time", score.tenants["batch"]) == 1
