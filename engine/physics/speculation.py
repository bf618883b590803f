"""What speculation gains: a draft model proposes g tokens, and one step of the main model checks them all.

Each proposed token is accepted with probability a; the first reject cuts the rest off, and the main model adds a token
of its own. Source: Leviathan et al., Fast Inference from Transformers via Speculative Decoding, ICML 2023.
"""

from __future__ import annotations

MAX_DRAFT_TOKENS = 32


def expected_tokens(acceptance: float, draft_tokens: int) -> float:
    """Tokens per step on average: `(1 - a ** (g + 1)) / (1 - a)`."""
    if acceptance == 1:
        return draft_tokens + 1
    rest: float = acceptance ** (draft_tokens + 1)
    return (1 - rest) / (1 - acceptance)


def speed_up(acceptance: float, draft_tokens: int, draft_cost: float) -> float:
    """How much faster tokens come than without a draft: `E / (g * c + 1)`.

    `draft_cost` c is a draft pass over a step of the main model. Checking is taken to cost one such step, which holds
    only while the step is bound by bandwidth.
    """
    return expected_tokens(acceptance, draft_tokens) / (draft_tokens * draft_cost + 1)


def best_draft_tokens(acceptance: float, draft_cost: float) -> int:
    """The number of draft tokens, 0 to MAX_DRAFT_TOKENS, with the largest speed-up; 0 unless `a > c`."""
    return max(range(MAX_DRAFT_TOKENS + 1), key=lambda tokens: speed_up(acceptance, tokens, draft_cost))


def reported_acceptance(acceptance: float, draft_tokens: int) -> float:
    """What engines report as acceptance rate: accepted over drafted tokens. It is less than `a`, as a cut wastes."""
    return (expected_tokens(acceptance, draft_tokens) - 1) / draft_tokens
