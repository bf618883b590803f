"""Pure functions: what a step costs, what a KV cache takes, what it all costs in money."""
