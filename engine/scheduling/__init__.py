"""Which tokens go into the next step: continuous batching with a token budget, as vLLM v1 schedules."""
