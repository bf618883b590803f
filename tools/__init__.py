"""What ./factory calls: set-up, play, tests and exports. Nothing here is part of the game."""
