"""The memory figures of the PagedAttention paper (Kwon et al., SOSP 2023), from our allocators and scheduler."""

import numpy as np
import pytest

from engine.fidelity.paged_attention import LONGEST, MEAN_OUTPUT, MEAN_PROMPT, PAPER, memory, sharegpt


def check(policy: str, requests: int, seed: int = 1) -> None:
    batched, tokens, external = memory(policy, requests, seed)
    expected = PAPER[policy]
    assert batched == pytest.approx(expected[0], rel=0.15)
    assert tokens == pytest.approx(expected[1], abs=3)
    assert external == pytest.approx(expected[2], abs=5)


@pytest.mark.parametrize("policy", PAPER)
def test_the_papers_memory_figures(policy: str) -> None:
    check(policy, 1_500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("policy", PAPER)
def test_the_papers_memory_figures_on_many_draws(policy: str, seed: int) -> None:
    check(policy, 10_000, seed)


def test_the_lengths_have_the_papers_means() -> None:
    lengths = np.array(sharegpt(10_000, 1))
    assert lengths.mean(axis=0) == pytest.approx([MEAN_PROMPT, MEAN_OUTPUT], rel=0.01)
    assert lengths.sum(axis=1).max() <= LONGEST
