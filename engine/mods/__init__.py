"""Mods: levels by people the player does not know. Their Python runs in a worker, what they hand over is checked."""
