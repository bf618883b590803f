"""A request inside one scheduler."""

from __future__ import annotations

from attrs import define


@define(slots=True, eq=False)
class Sequence:
    """`known` tokens are the prompt and the answer so far; `computed` of them have KV in this scheduler's memory.

    While it decodes, `known` and `made` are written down as of step `joined`; what has come since follows from the
    scheduler's step counter, and `computed` is always one less than what is known.
    """

    id: int
    output_tokens: int
    known: int
    computed: int = 0
    made: int = 0
    """Tokens of the answer."""
    blocks: int = 0
    joined: int = -1
    """The step counter when it began to decode; -1: it does not."""
    ends: int = -1
    """The step at which its last token is made."""
    prefix: int = -1
    """What its prompt begins with; -1: nothing that others begin with, too."""
    prefix_tokens: int = 0
    """How long that is."""
    shared: int = 0
    """Of its blocks, the first ones, which it shares."""

    @property
    def longest(self) -> int:
        """Tokens whose KV it will have at the end, prompt and answer; the last token's is not needed any more."""
        return self.known + self.output_tokens - self.made - 1
