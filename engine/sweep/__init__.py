"""Sweeps: many runs of a layout over a grid of settings, counts, cards and traffic."""
