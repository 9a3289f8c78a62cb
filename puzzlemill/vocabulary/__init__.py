"""Vocabularies and word lists, with their sources."""
