"""Use cases: each module is one, over the ports, the index and the core."""
