"""Logic grids in other forms: clues woven into an account, and a table that shows what is known of single entities.

A style's symbols name the form. Neither changes any clue: an account has a sentence for each, in their order, and a table shows
those that say of one entity, by its name, what it has or has not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from zlib import crc32

from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Style
from puzzlemill.core.words import listed
from puzzlemill.rules.grids import Statement
from puzzlemill.vocabulary.load import record

STORY, TABLE = "story", "table"
_BLANK = "?"
_TABLED = ("is", "is_not", "neither")  # kinds that a table can show
_PARAGRAPH = 3, 5  # sentences, at least and at most
# Words at the beginning of a sentence that lose their capital letter after a connective; and what does not go with "that".
_SMALL = re.compile(
    r"(?:The|A|An|Of|Either|Neither|It|No|One|Exactly|If|Both|In|Between|There|By|Two|Three|All|Among"
    r"|Rule|Take|Suppose|Should|Listed|We|Compared|As) "
)
_OPEN = re.compile(r"(?:Rule|Take|Suppose|Should|Listed|We|Compared|As|It is certain|There is no doubt) |.*[:;(]")


def formed(form: str) -> Callable[[AnyPuzzle, Rng], Style]:
    """The restyling into a form. Discarded("empty_table") where no clue says what an entity has or has not."""

    def restyle(puzzle: AnyPuzzle, _: Rng) -> Style:
        if form == TABLE and not any(clue.kind in _TABLED and clue.args[0] == 0 for clue in puzzle.clues):
            raise Discarded("empty_table", "no clue is about one item of one entity")
        return replace(puzzle.style, symbols=(form,))

    return restyle


def form_of(style: Style) -> str:
    """The form of a puzzle that has a world; "" for a list of clues."""
    return style.symbols[0] if style.theme and style.symbols else ""


# ---- an account ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Links:
    """grid_story.toml. first, then, last: of an account; {S}: a sentence without its full stop, {s}: with a small letter."""

    first: tuple[str, ...]
    then: tuple[str, ...]
    last: tuple[str, ...]


@cache
def _links() -> _Links:
    read: _Links = record(_Links, "puzzlemill.vocabulary", "grid_story.toml")
    return read


def one_sentence(text: str) -> str:
    """A clue of several sentences as one of them."""
    return re.sub(r"\. (.)", lambda found: f"; {found[1].lower()}", text)


def account(sentences: Sequence[str], names: Sequence[str], phrasing: int) -> str:
    """Paragraphs that say these sentences in their order, most of them after a connective; the phrasing alone chooses them.

    names: a sentence that begins with one keeps the letter that the name has.
    """
    links, many = _links(), len(sentences)
    decks = {part: _deck(getattr(links, part), part, phrasing) for part in ("first", "then", "last")}
    told = []
    for i, sentence in enumerate(sentences):
        part = "first" if i == 0 else "last" if i == many - 1 else "then"
        bare = part == "then" and _drawn(f"bare {i}", phrasing) % 5 < 2
        told.append(sentence if bare else _joined(sentence, decks[part], names))
    paragraphs: list[str] = []
    while told:
        least, most = _PARAGRAPH
        size = least + _drawn(f"paragraph {len(paragraphs)}", phrasing) % (most - least + 1)
        size = len(told) if len(told) - size < least and len(told) <= most + 1 else size
        paragraphs.append(" ".join(told[:size]))
        told = told[size:]
    return "\n\n".join(paragraphs)


def _drawn(what: str, phrasing: int) -> int:
    return (crc32(f"{phrasing} {what}".encode()) * 0x9E3779B1 & 0xFFFFFFFF) >> 8


def _deck(links: Sequence[str], part: str, phrasing: int) -> list[str]:
    return sorted(links, key=lambda link: _drawn(f"{part} {link}", phrasing))


def _joined(sentence: str, deck: list[str], names: Sequence[str]) -> str:
    """A sentence after the next connective that suits it, which goes to the end of the deck."""
    text = sentence.removesuffix(".")
    lower = text[0].lower() + text[1:]
    if _named(text, names) or not (_SMALL.match(text) or _named(lower, names)):
        lower = text
    awkward = _OPEN.match(text) is not None or text.startswith('"')
    again = "As " if text.startswith("As ") else " "  # "as it happens, as for the two" says as twice
    k = next(
        k
        for k, link in enumerate(deck)
        if not (awkward and (" that {s}" in link or ": {s}" in link)) and not link.startswith(again)
    )
    link = deck.pop(k)
    deck.append(link)
    return f"{link.format(S=text, s=lower)}."


def _named(text: str, names: Sequence[str]) -> bool:
    """Return whether a text begins with one of these names."""
    return any(text.startswith(name) and not text[len(name) : len(name) + 1].isalnum() for name in names)


# ---- a table -------------------------------------------------------------------------------------------------------------


def tabled(every: Sequence[tuple[str, Statement]]) -> list[tuple[str, Statement]]:
    """Those that a table can show: what an entity has or has not. A place with an item has nothing else in it."""
    found: list[tuple[str, Statement]] = []
    sure: set[tuple[int, int]] = set()
    noted: set[tuple[int, int]] = set()
    for label, said in every:
        if said.kind in _TABLED and said.items[0][0] == 0:
            places = [(said.items[0][1], c) for c, _ in said.items[1:]]
            if sure.isdisjoint(places) and (said.kind != "is" or noted.isdisjoint(places)):
                (sure if said.kind == "is" else noted).update(places)
                found.append((label, said))
    return found


def shown(known: Sequence[Statement], names: Sequence[Sequence[str]], order: Sequence[int]) -> list[list[str]]:
    """The rows of a table, one for each entity in this order: its name, and what is known to be in each further column or not."""
    sure: dict[tuple[int, int], str] = {}
    never: dict[tuple[int, int], list[str]] = {}
    for said in known:
        (_, e), *items = said.items
        for c, v in items:
            if said.kind == "is":
                sure[e, c] = names[c][v]
            else:
                never.setdefault((e, c), []).append(names[c][v])
    texts: Mapping[tuple[int, int], str] = {place: f"not {listed(each, 'or')}" for place, each in never.items()} | sure
    return [[names[0][e], *[texts.get((e, c), _BLANK) for c in range(1, len(names))]] for e in order]
