"""Knowledge books read: those that kumo/book has written, exactly, and those of other authors, with findings (docs/books.md).

parse.py  reads back what kumo/book has written
audit.py  reads a book that anyone else has written, with matching.py (names and outcomes) and verdicts.py (judgements)
"""

from puzzlemill.kumo.reading.audit import Finding, audit_book
from puzzlemill.kumo.reading.parse import parse_book

__all__ = ["Finding", "audit_book", "parse_book"]
