"""Statements about persons on seats in words, and the styles that their puzzles have.

A style's names are the persons, the one who is counted from first, and the values of the second attribute; its theme is the title
of that attribute ("" without one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Clue, Style
from puzzlemill.core.words import NUMBERS, Words, capital, listed
from puzzlemill.rules.seats import KINDS, ROW, SEAT, WAY, Item, Plan, Statement, read
from puzzlemill.vocabulary.seats import Attribute, persons
from puzzlemill.vocabulary.wordings import Voice, wordings

NAME = "seating"
NOTATIONS = 6  # of clues
_WITHIN = 3  # of the wordings of a statement, those that read well within another one
_TURNS = (11, 13, 17, 19, 23, 29)  # of phrasings: prime to the number of wordings of every kind
ORDINALS = ("", "immediately", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
ROWS = ("northern", "southern")
_SLOTS = {"left": "step", "right": "step", "left_of": "somewhere", "right_of": "somewhere"}


@dataclass(frozen=True, kw_only=True)
class SeatWords(Words):
    """item: by its number g * seats + v: "Anna", "the person from Rome". entry: its name alone. clue: "clue 3".

    state: a seat, and the way if that is to be found: "in seat 3, facing north". says: a clue, or a part of it, as a clause.
    """

    item: Callable[[int], str]
    entry: Callable[[int], str]
    state: Callable[[Sequence[int]], str]
    says: Callable[[int, int], str]
    first: str


def ways_of(plan: Plan) -> tuple[str, str]:
    """What the two ways are called."""
    return ("the centre", "outwards") if plan.ring else ("north", "south")


def check_names(puzzle: AnyPuzzle, plan: Plan) -> None:
    """Raises BadRow if the style does not name each item, or no attribute."""
    names = puzzle.style.names
    if len(names) != plan.groups or any(len({name.casefold() for name in each}) != plan.seats for each in names):
        raise BadRow(f"{puzzle.family}: style.names must hold {plan.seats} different names for each of {plan.groups} groups")
    if bool(puzzle.style.theme) is not (plan.groups > 1):
        raise BadRow(f"{puzzle.family}: style.theme must be the title of the second attribute, and empty without one")


def spelled(puzzle: AnyPuzzle, plan: Plan, said: Statement) -> str:
    """A statement as the text form has it: left(Anna, Ben, 2)."""
    if said.parts:
        return f"{said.kind}({', '.join([spelled(puzzle, plan, part) for part in said.parts])})"
    every = Counter([name.casefold() for names in puzzle.style.names for name in names])
    words = []
    for g, v in said.items:
        name = puzzle.style.names[g][v]
        titles = ("person", puzzle.style.theme)
        words.append(name if every[name.casefold()] == 1 else f"{titles[g]}={name}")
    number = KINDS[said.kind].number
    if number:
        codes = {SEAT: str(said.number + 1), WAY: ways_codes(plan)[said.number % 2], ROW: ROWS[said.number % 2]}
        words.append(codes.get(number, str(said.number)))
    return f"{said.kind}({', '.join(words)})"


def ways_codes(plan: Plan) -> tuple[str, str]:
    """What the two ways are called in answers and in the text form, in one word."""
    return ("centre", "outwards") if plan.ring else ("north", "south")


def formulas(voice: Voice) -> bool:
    """Return whether this voice writes clues as formulas."""
    return voice.short or (bool(voice.number) and voice.place("clues", NOTATIONS) == 0)


class Wording:
    """The words of one puzzle. Raises BadRow as check_names() does."""

    def __init__(self, puzzle: AnyPuzzle, plan: Plan) -> None:
        check_names(puzzle, plan)
        self.puzzle, self.style, self.plan = puzzle, puzzle.style, plan
        self.attribute: Attribute = persons().attribute(puzzle.style.theme)

    def noun(self, item: Item) -> str:
        """ "Anna", "the person from Rome"."""
        g, v = item
        name = self.style.names[g][v]
        return self.attribute.noun.format(v=name) if g else name

    def values(self, said: Statement) -> dict[str, Any]:
        """What fills the places of a wording of a plain statement."""
        plan, d = self.plan, said.number
        many = f"{NUMBERS[min(d, 20)]} {'person' if d == 1 else 'people'}"
        return {
            **dict(zip("xyz", map(self.noun, said.items), strict=False)),
            "how": ORDINALS[min(d, len(ORDINALS) - 1)],
            "steps": f"{NUMBERS[min(d, 20)]} seat{'s' * (d != 1)}",
            "side": said.kind.removesuffix("_of"),
            "seat": d + 1,
            "row": ROWS[d % 2] if said.kind == "row" else "a row" if plan.shape == "rows" else "the row",
            "way": ways_of(plan)[d % 2],
            "many": many,
            "count": NUMBERS[min(d, 20)],
            "sit": "sits" if d == 1 else "sit",
            "are": "is" if d == 1 else "are",
        }

    def clause(self, said: Statement, choice: int) -> str:
        """A statement as a clause: no capital, no full stop."""
        options = wordings(NAME).say[_SLOTS.get(said.kind, said.kind)]
        text = options[choice % len(options)]
        if said.parts:
            parts = [self.clause(part, (choice + k) % _WITHIN) for k, part in enumerate(said.parts)]
            return text.format(a=parts[0], b=parts[1])
        return text.format(**self.values(said))

    def _choice(self, clue: Clue) -> int:
        return self.style.phrasing + crc32(clue.id.encode())

    def sentence(self, clue: Clue) -> str:
        """A clue in words. Its wording depends on the style and the clue's id alone."""
        return f"{capital(self.clause(read(clue, self.plan), self._choice(clue)))}."

    def remark(self, item: Item, choice: int) -> str:
        """A sentence that says nothing of any seat."""
        options = wordings(NAME).say["aside"]
        return f"{capital(options[choice % len(options)].format(x=self.noun(item)))}."

    def sentences(self) -> list[tuple[str, str]]:
        """The lines of the prompt's list: a clue's id and its sentence, or "" and an aside."""
        found = [(clue.id, self.sentence(clue)) for clue in self.puzzle.clues_in_order()]
        if self.style.asides:
            known = {self.remark(item, k) for item in self._every() for k in range(len(wordings(NAME).say["aside"]))}
            strange = next((aside for _, aside in self.style.asides if aside not in known), None)
            if strange is not None:
                raise BadRow(f"{self.puzzle.family}: style.asides holds no remark of these persons: {strange[:60]!r}")
        for place, aside in reversed(self.style.asides):
            if not 0 <= place <= len(self.puzzle.clues):
                raise BadRow(f"{self.puzzle.family}: style.asides puts one after {place} of {len(self.puzzle.clues)} clues")
            found.insert(place, ("", aside))
        return found

    def kinds(self) -> list[str]:
        """The kinds that the clues and their parts have, in the order of KINDS."""
        every = [read(clue, self.plan) for clue in self.puzzle.clues]
        found = {one.kind for said in every for one in (said, *said.parts)}
        return [kind for kind in KINDS if kind in found]

    def formula(self, label: str) -> str:
        """A clue as the text form has it."""
        clue = self.puzzle.clue(label)
        assert clue is not None
        return spelled(self.puzzle, self.plan, read(clue, self.plan))

    def words(self) -> SeatWords:
        """The nouns of sentences about a deduction; clues are numbered as the prompt lists them."""
        clues, n, turns, ways = self.puzzle.clues, self.plan.seats, self.plan.turns, ways_of(self.plan)
        number = {id_: i for i, (id_, _) in enumerate(self.sentences(), 1)}

        def state(states: Sequence[int]) -> str:
            seats = list(dict.fromkeys([s // turns for s in states]))
            if turns == 1 or len(states) == 2 * len(seats):
                return f"in seat {listed([str(p + 1) for p in seats], 'or')}"
            told = []
            for p in seats:
                here = [s % 2 for s in states if s // 2 == p]
                told.append(f"in seat {p + 1}" + (f" facing {ways[here[0]]}" if len(here) == 1 else ""))
            return listed(told, "or")

        def says(i: int, part: int) -> str:
            said = read(clues[i], self.plan)
            return self.clause(said.parts[part] if part >= 0 and said.parts else said, 0)

        return SeatWords(
            value=lambda x: self.noun(divmod(x, n)),
            clue=lambda i: f"clue {number[clues[i].id]}",
            voice=self.style.phrasing,
            item=lambda x: self.noun(divmod(x, n)),
            entry=lambda x: self.style.names[x // n][x % n],
            state=state,
            says=says,
            first=self.style.names[0][0],
        )

    # ---- other styles

    def with_asides(self, places: Sequence[int], rng: Rng) -> Style:
        """The style with different remarks about different items, each after so many clues."""
        about = rng.sample(self._every(), len(places))
        choices = rng.sample(range(len(wordings(NAME).say["aside"])), len(places))
        found = [(place, self.remark(item, choice)) for place, item, choice in zip(places, about, choices, strict=True)]
        return replace(self.style, asides=tuple(found))

    def named(self, people: Sequence[str], rng: Rng) -> Style:
        """The style with other persons of this pool, with the values of another attribute, and asides with them."""
        n = self.plan.seats
        taken = {name.casefold() for name in self.style.names[0]}
        free = [name for name in people if name.casefold() not in taken]
        if len(free) < n:
            raise Discarded("no_other_names")
        names, theme = [tuple(rng.sample(free, n))], self.style.theme
        if self.plan.groups > 1:
            fits = [title for title, each in persons().attributes.items() if len(each.values) >= n and title != theme]
            theme = rng.pick(fits)
            names.append(tuple(rng.sample(persons().attributes[theme].values, n)))
        other = Wording(replace(self.puzzle, style=replace(self.style, names=tuple(names), theme=theme)), self.plan)
        return other.with_asides([place for place, _ in self.style.asides], rng.child("asides"))

    def _every(self) -> list[Item]:
        return [(g, v) for g in range(self.plan.groups) for v in range(self.plan.seats)]


def draw_style(plan: Plan, rng: Rng) -> Style:
    """Random persons, a second attribute with its values, and a phrasing."""
    known = persons()
    names, theme = [tuple(rng.sample(known.people, plan.seats))], ""
    if plan.groups > 1:
        theme = rng.pick([title for title, each in known.attributes.items() if len(each.values) >= plan.seats])
        names.append(tuple(rng.sample(known.attributes[theme].values, plan.seats)))
    return Style(names=tuple(names), theme=theme, phrasing=rng.below(1000))


def paraphrased(puzzle: AnyPuzzle, rng: Rng) -> Style:
    """A style in which no clue keeps its wording."""
    return replace(puzzle.style, phrasing=puzzle.style.phrasing + rng.pick(_TURNS))
