"""Statements about places in words and as text, and answers as tables with one row per place.

A style names a theme (puzzlemill/vocabulary/themes.py) and, by attribute, the values that items have in it. Puzzles in the text
form bring names of their own and no theme: their style's symbols are the attributes' titles, and statements stay as written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.family import TextForm
from puzzlemill.core.form import Form, Grid
from puzzlemill.core.model import BLANK, COMPOSITES, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import AnyPuzzle, Ask, Clue, Column, Layout, Rows, Spec, Style
from puzzlemill.core.words import Words, among, listed
from puzzlemill.rules.items import ItemReader, Token, may_stand
from puzzlemill.rules.positions import (
    DISTANCE,
    KINDS,
    PLACE,
    PLAIN,
    Item,
    Size,
    SizeOf,
    Statement,
    combined,
    read,
    stated,
)
from puzzlemill.vocabulary.themes import Attribute, Theme, orders, themes
from puzzlemill.vocabulary.wordings import Voice

NOTATIONS = 8  # of clues
_TURNS = (1, 7, 11, 13, 17, 19, 23, 29)  # of phrasings: prime to the number of templates of every kind


# ---- wording -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlaceWords(Words):
    """value: an item, by its number a * places + v, as a noun phrase. unit: an attribute's title. clue: "clue 3".

    name: an item in few words ("the tea drinker"). entry: its value alone ("tea"). number: a clue's number in the prompt, by its
    position. turned: which of the statements that the prompt shows a part of a composite is, by both positions. says: a kind of
    statement about items with its number, as a clause in few words; from the second item's side, if so said. who: "person".
    holder: whether an item's name is of what holds the value ("the tea drinker"). rel: "who" or "that", for a holder.
    place, places, at: "house", "houses", "in"; spots: the places' own names, if they have any. stands, stand, stands_not: the
    verb ("lives", "live", "does not live").
    """

    name: Callable[[int], str]
    entry: Callable[[int], str]
    number: Callable[[int], int]
    turned: Callable[[int, int], int]
    says: Callable[[str, Sequence[int], int, bool], str]
    who: str
    holder: Callable[[int], bool]
    rel: str
    place: str
    places: str
    at: str
    stands: str
    stand: str
    stands_not: str
    spots: tuple[str, ...] = ()

    def spot(self, p: int) -> str:
        """A place: "house 2", or its name."""
        return self.spots[p] if self.spots else f"{self.place} {p + 1}"

    def which(self, x: int) -> str:
        """The relative pronoun of an item: "who" or "which"."""
        return "who" if self.rel == "who" and self.holder(x) else "which"

    def standing(self, at: Sequence[tuple[int, int]]) -> str:
        """Items with their places: "the tea drinker is in house 1 and the red hat in house 2"."""
        told, single = [], False
        for p in sorted({p for _, p in at}):
            here = [self.name(x) for x, q in at if q == p]
            verb = (
                " is"
                if len(here) == 1 and not single
                else ""
                if len(here) == 1
                else " are both"
                if len(here) == 2
                else " are all"
            )
            single = len(here) == 1
            told.append(f"{listed(here)}{verb} {self.at} {self.spot(p)}")
        return listed(told)


def vocabulary(puzzle: AnyPuzzle, size: Size) -> tuple[Theme, list[Attribute]]:
    """The puzzle's theme and attributes. Raises BadRow if its style does not come from one theme."""
    style = puzzle.style
    known = orders() if size.attributes == 1 else themes()
    theme = known.get(style.theme)
    if theme is None:
        raise BadRow(f"{puzzle.family}: unknown theme {style.theme[:40]!r}; known: {', '.join(known)}")
    _check_names(puzzle, size)
    attributes = [theme.attribute(names) for names in style.names]
    if len({attribute.title for attribute in attributes}) < len(attributes):
        raise BadRow(f"{puzzle.family}: style.names holds one attribute of the theme twice")
    return theme, attributes


def _check_names(puzzle: AnyPuzzle, size: Size) -> None:
    names = puzzle.style.names
    if len(names) != size.attributes or any(len(set(each)) != size.many or len(each) != size.many for each in names):
        expected = f"{size.many} different names for each of {size.attributes} attributes"
        raise BadRow(f"{puzzle.family}: style.names must hold {expected}")


def formulas(voice: Voice) -> bool:
    """Return whether this voice writes clues as formulas, whose parts stay in their order."""
    return voice.short or (bool(voice.number) and voice.place("clues", NOTATIONS) == 0)


class Wording:
    """The words of one puzzle. Raises BadRow as vocabulary() does."""

    def __init__(self, puzzle: AnyPuzzle, size: Size) -> None:
        self.puzzle, self.style, self.size = puzzle, puzzle.style, size
        self.theme, self.attributes = vocabulary(puzzle, size)

    def _named(self, items: Sequence[Item]) -> list[tuple[Attribute, str]]:
        return [(self.attributes[a], self.style.names[a][v]) for a, v in items]

    def _choice(self, clue: Clue) -> int:
        return self.style.phrasing + crc32(clue.id.encode())

    def sentence(self, clue: Clue) -> str:
        """A clue in words. Its wording depends on the style and the clue's id alone."""
        said = read(clue, self.size)
        if said.parts:
            clauses = [self.clause(clue, k) for k in range(len(said.parts))]
            return self.theme.composite(said.kind, clauses, self._choice(clue))
        return self.theme.sentence(said.kind, self._named(said.items), said.number, self.size.places, self._choice(clue))

    def clause(self, clue: Clue, k: int) -> str:
        """A part of a composite clue in words: no capital, no full stop."""
        part = read(clue, self.size).parts[k]
        return self.theme.clause(part.kind, self._named(part.items), part.number, self.size.places, self._choice(clue) + k)

    def sentences(self) -> list[tuple[str, str]]:
        """The lines of the prompt's list: a clue's id and its sentence, or "" and an aside."""
        found = [(clue.id, self.sentence(clue)) for clue in self.puzzle.clues_in_order()]
        if self.style.asides:
            choices = range(len(self.theme.asides))
            known = {self.theme.aside(item, choice) for item in self._every() for choice in choices}
            found = among(found, self.style.asides, known)
        return found

    def kinds(self) -> list[str]:
        """The kinds that the clues and their parts have, in the order of KINDS."""
        every = [read(clue, self.size) for clue in self.puzzle.clues]
        found = {one.kind for said in every for one in (said, *said.parts)}
        return [kind for kind in KINDS if kind in found]

    def meanings(self) -> list[str]:
        """The exact meanings of the words for the kinds that the clues have."""
        return self.theme.meanings(self.kinds(), self.size.places)

    def formula(self, label: str) -> str:
        """A clue as the text form has it."""
        return spelled(self.puzzle, self.size, read(self.puzzle.clue(label), self.size))

    def words(self) -> PlaceWords:
        """The nouns of sentences about a deduction; clues are numbered as the prompt lists them."""
        clues, theme, n = self.puzzle.clues, self.theme, self.size.many
        number = {id_: i for i, (id_, _) in enumerate(self.sentences(), 1)}
        formal = formulas(Voice(self.puzzle.family, self.style.phrasing))

        def named(items: Sequence[int]) -> list[tuple[Attribute, str]]:
            return self._named([divmod(x, n) for x in items])

        def turned(i: int, k: int) -> int:
            said = read(clues[i], self.size)
            if formal:
                return k
            return (k - theme.start(said.kind, len(said.parts), self._choice(clues[i]))) % len(said.parts)

        return PlaceWords(
            value=lambda x: theme.noun(named([x])[0]),
            unit=lambda a: self.attributes[a].title,
            clue=lambda i: f"clue {number[clues[i].id]}",
            voice=self.style.phrasing,
            name=lambda x: theme.short(named([x])[0]),
            entry=lambda x: self.style.names[x // n][x % n],
            number=lambda i: number[clues[i].id],
            turned=turned,
            says=lambda kind, items, d, turn: theme.brief(kind, named(items), d, n, int(turn)),
            who=theme.who,
            holder=lambda x: theme.holder(named([x])[0]),
            rel=theme.rel,
            place=theme.place,
            places=theme.places,
            at=theme.words.get("booked", theme.at),
            spots=theme.spots,
            stands=theme.stands,
            stand=theme.stand,
            stands_not=theme.stands_not,
        )

    # ---- other styles

    def renamed(self, rng: Rng) -> Style:
        """Other names for all, none of them a name of the puzzle, and asides with them.

        The names are of the same attributes, if these have so many, or of another theme.
        """
        other = Wording(replace(self.puzzle, style=self._renamed(rng)), self.size)
        return other.with_asides([place for place, _ in self.style.asides], rng.child("asides"))

    def _renamed(self, rng: Rng) -> Style:
        style, n = self.style, self.size.places
        taken = {name.casefold() for names in style.names for name in names}

        def spare(attribute: Attribute) -> list[str]:
            return [value for value in attribute.values if value.casefold() not in taken]

        others = rng.shuffled([other for other in themes().values() if other != self.theme])
        if all(len(spare(attribute)) >= n for attribute in self.attributes) and rng.chance(1, 2):
            return replace(style, names=tuple([tuple(rng.sample(spare(attribute), n)) for attribute in self.attributes]))
        for other in others:
            found = [attribute for attribute in other.attributes if len(spare(attribute)) >= n]
            if len(found) >= self.size.attributes:
                chosen = rng.sample(found, self.size.attributes)
                return replace(style, theme=other.name, names=tuple([tuple(rng.sample(spare(each), n)) for each in chosen]))
        raise Discarded("no_other_names")

    def with_asides(self, places: Sequence[int], rng: Rng) -> Style:
        """The style with different remarks about different items, each after so many clues."""
        about, choices = rng.sample(self._every(), len(places)), rng.sample(range(len(self.theme.asides)), len(places))
        found = [(place, self.theme.aside(item, choice)) for place, item, choice in zip(places, about, choices, strict=True)]
        return replace(self.style, asides=tuple(found))

    def _every(self) -> list[tuple[Attribute, str]]:
        return [(attribute, name) for attribute, names in zip(self.attributes, self.style.names, strict=True) for name in names]


def draw_style(size: Size, rng: Rng) -> Style:
    """A random theme, attributes of it, values of each, and a phrasing."""
    theme = themes()[rng.pick(tuple(themes()))]
    attributes = rng.sample(theme.attributes, size.attributes)
    names = tuple([tuple(rng.sample(attribute.values, size.places)) for attribute in attributes])
    return Style(names=names, theme=theme.name, phrasing=rng.below(1000))


def paraphrased(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """A style in which no clue keeps its template."""
    return replace(puzzle.style, phrasing=puzzle.style.phrasing + rng.pick(_TURNS))


def titles(puzzle: AnyPuzzle, size: Size) -> tuple[str, ...]:
    """The titles of the attributes."""
    if puzzle.style.theme:
        return tuple([attribute.title for attribute in vocabulary(puzzle, size)[1]])
    _check_names(puzzle, size)
    if len(puzzle.style.symbols) != size.attributes:
        raise BadRow(f"{puzzle.family}: a style without a theme needs the titles of {size.attributes} attributes as symbols")
    return puzzle.style.symbols


# ---- answers as tables ---------------------------------------------------------------------------------------------------


class PlaceTable(Form[Any, Any, Grid]):
    """One row per place, with a column for its number and one for each attribute; cells[a][p] inside."""

    asks = (Ask.CELL, Ask.NUMBER, Ask.OPTION)

    def __init__(self, size: SizeOf) -> None:
        self.size = size

    def entry_of(self, puzzle: AnyPuzzle, slot: int) -> tuple[int, int]:
        attribute, place = divmod(slot, self.size(puzzle.spec).places)
        return place, attribute + 1

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        m, n, _ = self.size(spec)
        return (n,) * (n * m)

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Grid:
        m, n, _ = self.size(spec)
        return tuple([values[a * n : a * n + n] for a in range(m)])

    def values(self, spec: Spec[Any], board: Any, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def layout(self, puzzle: AnyPuzzle) -> Layout:
        size = self.size(puzzle.spec)
        if puzzle.style.theme:
            theme, attributes = vocabulary(puzzle, size)
            place, order = theme.place, theme.order
            own = [Column(each.title, each.listed(names)) for each, names in zip(attributes, puzzle.style.names, strict=True)]
        else:
            place, order = "place", "from the first to the last"
            own = [Column(title, names) for title, names in zip(titles(puzzle, size), puzzle.style.names, strict=True)]
        numbers = Column(place, tuple([str(p + 1) for p in range(size.places)]))
        return Layout((numbers, *own), size.places, size.places, False, f"Give one row per {place}, {order}.")

    def write(self, puzzle: AnyPuzzle, answer: Grid) -> Rows:
        names = puzzle.style.names
        places = range(self.size(puzzle.spec).places)
        return tuple([(str(p + 1), *[names[a][row[p]] for a, row in enumerate(answer)]) for p in places])

    def read(self, puzzle: AnyPuzzle, rows: Rows) -> Grid | None:
        """Rows may come in any order, since each names its place; every place must have one."""
        n = self.size(puzzle.spec).places
        values = [{name.casefold(): v for v, name in enumerate(names)} for names in puzzle.style.names]
        places = {str(p + 1): p for p in range(n)}
        columns: dict[int, tuple[int, ...]] = {}
        for row in rows:
            if len(row) != len(values) + 1 or row[0] not in places:
                return None
            found = [known.get(token.casefold(), BLANK) for known, token in zip(values, row[1:], strict=True)]
            if BLANK in found or places[row[0]] in columns:
                return None
            columns[places[row[0]]] = tuple(found)
        if len(columns) != n:
            return None
        return tuple([tuple([columns[p][a] for p in range(n)]) for a in range(len(values))])


# ---- the text form -------------------------------------------------------------------------------------------------------

MOST = 8  # attributes, and values of each
_MOST_CLUES = 200
_ALIASES = {"left_of": "left", "next_to": "next", "beside": "next", "just_left_of": "just_left"}
_TURNED = {
    "right": "left",
    "right_of": "left",
    "just_right": "just_left",
    "just_right_of": "just_left",
    "behind": "ahead",
}  # items change places


def spelled(puzzle: AnyPuzzle, size: Size, said: Statement) -> str:
    """A statement as the text form has it: same(England, red)."""
    if said.parts:
        return f"{said.kind}({', '.join([spelled(puzzle, size, part) for part in said.parts])})"
    every = Counter([name.casefold() for names in puzzle.style.names for name in names])
    words = []
    for a, v in said.items:
        name = puzzle.style.names[a][v]
        words.append(name if every[name.casefold()] == 1 else f"{titles(puzzle, size)[a]}={name}")
    number = KINDS[said.kind].number
    if number:
        words.append(str(said.number + 1 if number == PLACE else said.number))
    return f"{said.kind}({', '.join(words)})"


class PlaceText(TextForm[Any, Any]):
    """Attributes with their values, `drink: tea, milk, water`, and a statement on each further line (docs/formats.md).

    spec: the one of a size, the inverse of `size`.
    """

    def __init__(self, size: SizeOf, spec: Callable[[Size], Spec[Any]]) -> None:
        self.size, self.spec = size, spec

    def worded(self, puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
        return puzzle if puzzle.style.theme else replace(puzzle, style=draw_style(self.size(puzzle.spec), rng))

    def parse(self, lines: Sequence[Line]) -> AnyPuzzle:
        heading(lines, self.family.name)
        lists = [line for line in lines[1:] if ":" in line.text.partition("(")[0]]
        rest = [line for line in lines[1:] if line not in lists]
        if not 2 <= len(lists) <= MOST:
            raise lines[0].bad(0, f"expected 2 to {MOST} attributes such as `drink: tea, milk, water`, got {len(lists)}")
        if len(rest) > _MOST_CLUES:
            raise rest[_MOST_CLUES].bad(0, f"at most {_MOST_CLUES} clues are read")
        attributes: dict[str, tuple[str, ...]] = {}
        for line in lists:
            title, names = read_names(line)
            many = len(next(iter(attributes.values()), names))
            if len(names) != many:
                raise line.bad(len(title) + 1, f"expected {many} values, as many as above, got {len(names)}")
            if title.casefold() in [other.casefold() for other in attributes]:
                raise line.bad(0, f"two attributes have the title {title[:40]!r}")
            attributes[title] = names
        style = Style(symbols=tuple(attributes), names=tuple(attributes.values()))
        size = Size(len(attributes), len(style.names[0]))
        reader = Reader(attributes, size.places)
        clues = [reader.statement(line).clue(f"k{i}") for i, line in enumerate(rest, 1)]
        return replace(self.family.puzzle(self.spec(size), clues), style=style)

    def format(self, puzzle: AnyPuzzle) -> str:
        size = self.size(puzzle.spec)
        lines = [self.family.name]
        for title, names in zip(titles(puzzle, size), puzzle.style.names, strict=True):
            strange = next((name for name in (title, *names) if not may_stand(name)), None)
            if strange is not None or ":" in title:
                raise BadRow(f"{self.family.name}: the text form has no way to write the name {strange or title!r}")
            lines.append(f"{title}: {', '.join(names)}")
        rest = [spelled(puzzle, size, read(clue, size)) for clue in puzzle.clues_in_order()]
        return "\n".join([*lines, *rest]) + "\n"


def read_names(line: Line) -> tuple[str, tuple[str, ...]]:
    """The title of an attribute and its values."""
    title, _, values = line.text.partition(":")
    names = tuple([" ".join(value.split()) for value in values.split(",")])
    for name in (title.strip(), *names):
        if not may_stand(name):
            raise line.bad(0, f"expected a name without brackets and = before each comma, got {name[:40]!r}")
    if len({name.casefold() for name in names}) < len(names) or not 2 <= len(names) <= MOST:
        raise line.bad(len(title) + 1, f"expected 2 to {MOST} different values, got {len(names)}")
    return title.strip(), names


class Reader(ItemReader[Statement]):
    """Statements as they are written: kind(item, ..., number), and one_of, if and either of such statements."""

    ITEM, WRITTEN = ("the value of an attribute", "value of any attribute"), "attribute=value"

    def __init__(self, attributes: Mapping[str, Sequence[str]], places: int) -> None:
        super().__init__(list(attributes), list(attributes.values()))
        self.places = places

    def part(self, line: Line, tokens: list[Token], whole: bool) -> tuple[Statement, list[Token]]:
        column, name = tokens[0] if tokens else (len(line.text), "")
        name = name.casefold()
        kind = _ALIASES.get(name) or _TURNED.get(name) or name
        known = (*PLAIN, *COMPOSITES) if whole else PLAIN
        if kind not in known:
            raise line.bad(
                column, f"expected a clue such as same(tea, red) of one of the kinds {', '.join(known)}, got {name[:40]!r}"
            )
        of = KINDS[kind]
        parts, named, rest = self.arguments(line, tokens[1:], bool(of.parts), of.parts or of.items + bool(of.number))
        if parts:
            return combined(kind, parts), rest
        items = [self.item(line, *token) for token in named[: of.items]]
        if len(set(items)) < len(items):
            raise line.bad(column, "names one item twice")
        number = self._number(line, of.number, *named[-1]) if of.number else 0
        return stated(kind, items[::-1] if name in _TURNED else items, number), rest

    def _number(self, line: Line, what: str, column: int, text: str) -> int:
        first, last = (2, self.places - 1) if what == DISTANCE else (1, self.places)
        if not (text.isascii() and text.isdigit() and len(text) < 3 and first <= int(text) <= last):
            raise line.bad(column, f"expected a {what} from {first} to {last}, got {text[:40]!r}")
        return int(text) - (what == PLACE)
