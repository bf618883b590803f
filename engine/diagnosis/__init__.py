"""What limits the factory: each machine, the whole, and the smallest change that would help. Nothing here has any
effect on a run.
"""
