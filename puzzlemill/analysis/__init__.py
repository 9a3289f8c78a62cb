"""Measures of rows and replies."""
