"""Domains of the truth-finding game: what may be true, what can be done to find out, and what that rules out.

domain.py     the types, and a part of a domain (a task is one)
task.py       tasks and the worlds that are hidden in them: drawn, and checked where somebody wrote them
text.py       tasks as lines of text
source.py     domains by the names that recipes give them
files.py      reads and writes domain files (TOML: names and wording), and finds the authored ones in authored/
check.py      the defects of a domain
structure.py  draws which outcomes rule out which truths, in a named graph shape
parts.py      the two parts of a domain whose truths are not all connected
invent.py     domains that never existed: names and structure from a word, in languages of languages.toml
frames.py     the scenes of invented domains and the ways to find out in them, which stand in frames.toml

The books of domains are in kumo/book.
"""
