"""What the back ends that speak SQL have in common: statements that each of them takes."""
