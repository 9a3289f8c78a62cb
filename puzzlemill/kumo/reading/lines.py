"""The lines of a book, whoever has written it, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from puzzlemill.core.errors import BadRow

MAX_BOOK = 2_000_000  # characters; a long book has some 80,000
MAX_LINE = 40_000  # an action's paragraph of a whole domain has some 2,000


def lines(text: str, tidied: Callable[[str], str] = str) -> Iterator[tuple[int, str]]:
    """The lines, numbered from 1, each as `tidied` gives it back.

    Raises BadRow for a text that is too long, or that holds signs which cannot be printed.
    """
    if len(text) > MAX_BOOK:
        raise BadRow(f"the book has {len(text)} characters, at most {MAX_BOOK} are read; give it in parts")
    for number, raw in enumerate(text.split("\n"), 1):
        if len(raw) > MAX_LINE:
            raise BadRow(f"line {number}: {len(raw)} characters, at most {MAX_LINE} are read; break it into paragraphs")
        line = tidied(raw)
        if not line.isprintable():
            place = next(i for i, sign in enumerate(line) if not sign.isprintable())
            raise BadRow(f"line {number} column {place + 1}: the sign U+{ord(line[place]):04X} cannot be printed; take it out")
        yield number, line
