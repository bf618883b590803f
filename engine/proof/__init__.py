"""Proving that a level teaches what it says: its reference wins, nothing wins without what it teaches, the naive
layout fails for the reason that it teaches, and speed changes nothing.
"""
