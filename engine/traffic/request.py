"""One request on its way through the factory."""

from __future__ import annotations

from attrs import define


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
    joined_ps: int = -1
    """When it joined the batch of a Decode Core."""
    first_token_ps: int = -1
    last_token_ps: int = -1
    longest_pause_ps: int = 0
    """The longest gap between two of its tokens so far."""
    tokens: int = 0
    """Tokens made so far."""

    @property
    def done(self) -> bool:
        """Whether every token has been made."""
        return self.tokens >= self.output_tokens

    @property
    def context_tokens(self) -> int:
        """Tokens whose KV the next step reads: the prompt and what has been made so far."""
        return self.prompt_tokens + self.tokens
