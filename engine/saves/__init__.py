"""Games and runs as files: what is saved is there again, to the bit, or it is said what is missing."""
