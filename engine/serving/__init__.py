"""One engine behind one queue, without a floor: for replaying measured runs and traces.

It uses the scheduler, the memory and the step costs of the machines on the floor.
"""
