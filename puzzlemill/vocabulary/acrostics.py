"""Lines that the first letters of an acrostic spell: an author, or an author and a title that nobody has written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import printable
from puzzlemill.vocabulary.load import record
from puzzlemill.vocabulary.quote_files import of_source
from puzzlemill.vocabulary.quotes import COMPOSED, letters, plain, quotation

_DRAWS = 400  # tries at a line of so many letters


@dataclass(frozen=True, slots=True)
class _Lists:
    """acrostics.toml as it is written."""

    titles: tuple[str, ...]
    look: tuple[str, ...]
    thing: tuple[str, ...]
    place: tuple[str, ...]
    credits: tuple[str, ...]
    remarks: tuple[str, ...]


@cache
def _lists() -> _Lists:
    read: _Lists = record(_Lists, __package__, "acrostics.toml")
    return read


def remark(name: str, rng: Rng) -> str:
    """A remark about a clue that says nothing of its word."""
    return rng.pick(_lists().remarks).format(A=name)


def remarks() -> tuple[str, ...]:
    """Every remark, {A} for the clue."""
    return _lists().remarks


def _title(rng: Rng) -> str:
    found = _lists()
    return rng.pick(found.titles).format(rng.pick(found.look), rng.pick(found.thing), rng.pick(found.place))


def _lines(source: str, author: str, rng: Rng) -> list[str]:
    """Ways to name an author, in random order: by a name or both, with a title or without."""
    if source != COMPOSED:
        return [credit.format(author=author) for credit in rng.shuffled(_lists().credits)]
    titled = [f"{author}: {_title(rng.child(turn))}" for turn in range(12)]
    return rng.child("ways").shuffled([author, *author.split(), *titled])


def lines(source: str, author: str, text: str, least: int, most: int, rng: Rng) -> Iterator[str]:
    """Lines of `least` to `most` letters that the text has too. The author is another one each time if nobody said the text."""
    there = Counter(text)
    for turn in range(_DRAWS):
        here = rng.child(turn)
        name = quotation(1, here.child("author")).author if turn and source == COMPOSED else author
        ways = _lines(source, name, here.child("line"))
        yield from [each for each in ways if least <= letters(plain(each)) <= most and Counter(letters_of(each)) <= there][:1]


def check_authors(source: str, fewest: int, longest: int, counts: Callable[[int], tuple[int, int]]) -> None:
    """Raise BadParams if no quotation of a user's file, of so many letters, has the letters of a line that names its author.

    counts: the fewest and the most letters of a line for a text of so many.
    """
    wanting = ""
    for number, one in enumerate(of_source(source), 1):
        text = letters_of(one.text)
        if not fewest <= len(text) <= longest:
            continue
        least, most = counts(len(text))
        ways = [letters_of(credit.format(author=one.author)) for credit in _lists().credits]
        long_enough = [way for way in ways if least <= len(way) <= most]
        if any(Counter(way) <= Counter(text) for way in long_enough):
            return
        if not wanting:
            why = f"a name or credit of {least} to {most} letters"
            if long_enough:
                lacking = "".join(sorted((Counter(long_enough[0]) - Counter(text)).elements()))
                why = f"the letters of its author, who has {lacking} more"
            wanting = f"quotation {number}, {one.text[:40]!r} by {one.author[:40]!r}, lacks {why}"
    if wanting:
        raise BadParams(
            f"{printable(source)}: the first letters of an acrostic's words spell who said it, and no quotation of {fewest} to "
            f"{longest} letters can do so: {wanting}; give another form of the author's name, or longer quotations"
        )


def others(source: str, given: str, count: int, rng: Rng) -> list[str]:
    """So many other lines of as many letters that name other authors; fewer if no more are found."""
    wanted, found = letters(plain(given)), [given]
    for turn in range(_DRAWS):
        if len(found) > count:
            break
        here = rng.child(turn)
        author = quotation(1, here.child("author")).author
        made = next((each for each in _lines(source, author, here.child("line")) if letters(plain(each)) == wanted), None)
        if made is not None and all(letters_of(made) != letters_of(known) for known in found):
            found.append(made)
    return found[1:]


def letters_of(text: str) -> str:
    """The letters of a line, in capitals."""
    return "".join([sign for sign in plain(text) if "A" <= sign <= "Z"])
