"""Which step of a level's tutorial is due, and where it leads the player."""
