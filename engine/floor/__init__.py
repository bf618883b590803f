"""The floor: grid, pads, belts and machines. Everything that acts in simulated time is a `process.Process`."""
