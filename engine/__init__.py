"""The simulation of an LLM serving factory: plain Python, usable without the game.

Rooms: `catalog` (data), `physics` (pure functions), `memory`, `floor` (grid, belts, pads, machines), `traffic`,
`metrics`, `level`, `protocol` (what crosses to the view, checkpoints), `cli`.
"""
