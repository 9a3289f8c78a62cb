"""Operators that turn a puzzle into a rarer one."""
