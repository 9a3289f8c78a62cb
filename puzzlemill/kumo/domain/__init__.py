"""Domains of the truth-finding game: what may be true, what can be done to find out, and what that rules out.

domain.py     the types, and a part of a domain (a task is one)
files.py      reads a domain file (TOML: names and wording), and finds the authored ones in authored/
check.py      what is wrong with a domain
structure.py  draws which outcomes rule out which truths, in a named graph shape
invent.py     domains that never existed: names and structure from a word
frames.py     the scenes of invented domains, and what can be done in them
book.py       the knowledge book of a domain, in several registers, and its inverse
"""
