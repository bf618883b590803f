"""The sandbox: a floor of the player's choice, with every machine and no goal, and the levels that he keeps of it."""
