"""Prompts, parsing and scoring; standard library only."""
