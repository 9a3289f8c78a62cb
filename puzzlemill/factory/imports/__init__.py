"""Puzzles from elsewhere as a release: a file's form -> items -> proofs -> rows. docs/import.md describes the forms.

origin    what a recipe says of imported puzzles
forms     the frame: what a form is, the register, and how a file is opened
tables, lines, tatham    the forms
proving   what is proved of one item, and what its given solution is worth
run       the release
"""
