"""The game's sounds, synthesised."""
