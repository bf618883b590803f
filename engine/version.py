"""The version of the game, said here and nowhere else: saves name it, mods ask for ranges of it, releases carry it."""

VERSION = "0.1.0"
