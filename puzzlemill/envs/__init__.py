"""Environments in which puzzles are played: models, players, people at a terminal, and the tools of others."""
