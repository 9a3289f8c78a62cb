"""Procedural puzzles, proved; datasets of them, versioned; scoring that needs nothing else."""
