"""A request inside one scheduler."""

from __future__ import annotations

from attrs import define


@define(slots=True, eq=False)
class Sequence:
    """`known` tokens are the prompt and the answer so far; `computed` of them have KV in this scheduler's memory.

    While it decodes, `known` and `blocks` are written down as of step `joined`, and follow from the step counter.
    """

    id: int
    output_tokens: int
    known: int
    computed: int = 0
    made: int = 0
    """Tokens of the answer made so far."""
    blocks: int = 0
    joined: int = -1
    """The scheduler's step counter when it began to decode; -1: it does not."""
    ends: int = -1
    """The step at which its last token is made."""
