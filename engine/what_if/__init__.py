"""What if: a layout under other settings, on other cards, or under a trace, asked from a terminal."""
