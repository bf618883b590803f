"""One request on its way through the factory."""

from __future__ import annotations

from attrs import define, field

from engine.metrics.causes import none


@define
class Request:
    """A prompt and the answer that it gets. Times are picoseconds; -1 means: not yet.

    `first_token_ps` and `last_token_ps` are when a token reached the Token Dock.
    """

    id: int
    prompt_tokens: int
    output_tokens: int
    arrival_ps: int
    dock: int
    """The Prompt Dock at which it arrived."""
    prefill_start_ps: int = -1
    prefill_end_ps: int = -1
    first_token_ps: int = -1
    last_token_ps: int = -1
    longest_pause_ps: int = 0
    """The longest gap between two of its tokens so far."""
    tokens: int = 0
    """Tokens made so far."""
    causes: list[int] = field(factory=none)
    """Its waterfall: picoseconds per cause (`engine.metrics.causes`), from arrival to its last token in the end."""
    marked_ps: int = -1
    """Up to when the time since arrival is accounted for."""
    refused: bool = False
    """Whether it was too long for the server."""
    lost_ps: int = -1
    """When the core that held it ran out of memory."""
    recompute: bool = False
    """Whether it has lost its KV and has to compute it anew."""
    tenant: int = -1
    """Whose it is, an index into the level's tenants; -1: it has none."""
    model: str = ""
    """Which model answers, by its name in the catalog; "": the level's, or nobody has it yet."""
    prefix: int = -1
    """What its prompt begins with, by number, where others begin so, too; -1: they do not."""
    prefix_tokens: int = 0
    """How long that beginning is."""

    def __attrs_post_init__(self) -> None:
        if self.marked_ps < 0:
            self.marked_ps = self.arrival_ps

    def mark(self, cause: int, now: int) -> None:
        """The time since the last mark had this cause."""
        self.causes[cause] += now - self.marked_ps
        self.marked_ps = now

    @property
    def done(self) -> bool:
        """Whether every token has been made."""
        return self.tokens >= self.output_tokens

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it: it is done, was refused, or was lost."""
        return self.done or self.refused or self.lost_ps >= 0

    @property
    def context_tokens(self) -> int:
        """Tokens whose KV the next step reads: the prompt and what has been made so far."""
        return self.prompt_tokens + self.tokens
