"""Kinds of clues: what each one says, which ones could stand in its place, and which of them may be left out.

A clue is a removable statement (core/types.py: Clue): a given, a hint, a sentence. A family declares its kind of clues once;
minimizing, transforms and unsat cores then work on them without knowing the family.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice, product
from typing import Any, ClassVar, Generic, TypeVar

from puzzlemill.core.errors import BadRow
from puzzlemill.core.form import CellForm
from puzzlemill.core.model import BLANK, Constraints
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, Clue, Oracle, Puzzle, Spec

P = TypeVar("P")
B = TypeVar("B")
ADDITIONS_TRIED = 40  # in one clue's place, of additions()
EXCHANGES = 500  # of values between cells, and as many moves of one
SORTED = 100  # exchanges that are put in order by their strain at once


class Clues(ABC, Generic[P, B]):
    """The clues of a family; this class for those whose puzzles have none.

    lists_clues: the prompt lists them as sentences, in the order of puzzle.clues_in_order(). edits: the most clues that one of
    changes() changes: two where they exchange what they say.
    """

    lists_clues: bool = False
    shallow: bool = True  # clashes may show by setting what is forced
    edits: ClassVar[int] = 1

    def listed(self, spec: Spec[P]) -> bool:
        """Return whether the prompts of such puzzles list them one by one."""
        return self.lists_clues

    def state(self, m: Constraints, spec: Spec[P], board: B, clue: Clue) -> None:
        """Add what one clue says, every constraint labelled with clue.id."""
        raise TypeError(f"{type(self).__name__}: there are no clues to state")

    def given_slots(self, puzzle: Puzzle[P, B]) -> tuple[int, ...]:
        """Slots whose value the puzzle shows outright: never counted in partial credit."""
        return ()

    def in_sight(self, puzzle: Puzzle[P, B]) -> Sequence[int] | None:
        """Values of all slots as far as the puzzle shows them outright, BLANK elsewhere; None where it shows none.

        A clash of these alone is seen at a glance (transforms/clash.py).
        """
        return None

    # ---- leaving clues out

    def removal_order(self, draft: AnyDraft, rng: Rng) -> list[int]:
        """Positions of clues in the order in which leaving them out is tried; one that is absent always stays."""
        return rng.shuffled(range(len(draft.puzzle.clues)))

    def kept(self, spec: Spec[P]) -> int:
        """Stop leaving out clues at this many; 0 makes the clue set minimal."""
        return 0

    def usable(self, draft: AnyDraft) -> bool:
        """Return whether the parameters get what they ask for after clues were left out; if not, the draft is drawn again."""
        return True

    def finish(self, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        """The last touch to a usable draft: its answer stays, and is the only one."""
        return draft

    # ---- changing clues

    def exchanges(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[Puzzle[P, B]]:
        """Changes that keep what can be counted, in random order: two clues exchange what they say, or one says it elsewhere.

        Unsolvable children are made of these first: else whoever counts knows them from their parents.
        """
        return iter(())

    def alternatives(self, puzzle: Puzzle[P, B], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Other clues with the same id that could stand in its place: minimal changes, for edits and unsolvable children."""
        return iter(())

    def additions(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[Clue]:
        """Clues with new ids that could be added to the present ones, true or not."""
        return iter(())

    def changes(self, puzzle: Puzzle[P, B], rng: Rng) -> Iterator[Puzzle[P, B]]:
        """Minimal changes of a puzzle, in random order: one clue is replaced by an alternative, or by one about something else.

        Where one clue follows from the others, more of them may change at once; `edits` says how many. Families without clues
        change one thing of the board; `edit` in a row then holds the board before and after.
        """
        clues = puzzle.clues
        for place in rng.shuffled(range(len(clues))):
            here = rng.child("place", place)
            ways = [
                self.alternatives(puzzle, clues[place], here.child("change")),
                islice(self.additions(puzzle, here.child("move")), ADDITIONS_TRIED),
            ]
            for clue in chain(*(ways[::-1] if here.chance(1, 4) else ways)):
                yield replace(puzzle, clues=(*clues[:place], clue, *clues[place + 1 :]))

    def deep_odds(self, puzzle: Puzzle[P, B]) -> tuple[int, int]:
        """How often a deep clash of this puzzle is sought where either depth will do, as (times, of so many).

        Half of the time; more often where some puzzles have none within reach, so that half of all clashes come out deep, and
        never where hardly any has one. docs/design/transforms.md has the shares.
        """
        return 1, 2

    def can_clash(self, spec: Spec[P]) -> bool:
        """Return whether some change of this spec's puzzles can leave no answer; by default, if there are any changes at all."""
        own = type(self)
        return own.alternatives is not Clues.alternatives or own.changes is not Clues.changes


@dataclass(frozen=True)
class CellClues(Clues[Any, Any]):
    """Clues that say the value of one cell: r3c7 shows 5. Ids are places ("r3c7"), arguments (cell, value).

    kind: of the clues, as rows store it. removable: whether they may be left out. clashing: whether changing one can leave no
    answer. A subclass says by state() what they mean.
    """

    form: CellForm[Any]
    kind: str = "given"
    removable: bool = True
    clashing: bool = True
    edits: ClassVar[int] = 2

    def can_clash(self, spec: Spec[Any]) -> bool:
        return self.clashing

    def most(self, spec: Spec[Any]) -> int:
        """The number of values that a clue can have; theirs are below it. By default as many as the cells have."""
        return self.form.holds(spec)

    def choices(self, spec: Spec[Any], cell: int) -> Sequence[int]:
        """The values that a changed clue about this cell may have."""
        return range(self.most(spec))

    def at(self, spec: Spec[Any], cell: int, value: int) -> Clue:
        """The clue that this cell shows this value; shared, since stating a grid is on the path of every puzzle."""
        return _clue(self.form.place(spec, cell), self.kind, cell, value)

    def true(self, spec: Spec[Any], values: Sequence[int]) -> tuple[Clue, ...]:
        """One clue for each cell that is not blank; values: of all cells."""
        places, kind = _places(self.form, spec), self.kind
        return tuple([_clue(places[cell], kind, cell, value) for cell, value in enumerate(values) if value != BLANK])

    def placed(self, spec: Spec[Any], clue: Clue) -> tuple[int, int]:
        """Cell and value of a clue. Raises BadRow for one that this board cannot have."""
        return self.all_placed(spec, (clue,))[0]

    def all_placed(self, spec: Spec[Any], clues: Sequence[Clue]) -> list[tuple[int, int]]:
        """Cell and value of every clue, at once since this is on the path of every puzzle. Raises BadRow as placed() does."""
        cells, most = self.form.cells(spec), self.most(spec)
        found = []
        for clue in clues:
            if clue.kind == self.kind and len(clue.args) == 2:
                cell, value = clue.args
                if type(cell) is int and type(value) is int and 0 <= cell < cells and 0 <= value < most:
                    found.append((cell, value))
                    continue
            raise BadRow(
                f"clue {clue.id}: expected a {self.kind}, its cell below {cells} and its value below {most}, "
                f"got {clue.kind} {str(clue.args)[:60]}"
            )
        return found

    def shown(self, puzzle: Puzzle[Any, Any]) -> list[int]:
        """The value that each cell shows, in order; BLANK where no clue says any."""
        values = [BLANK] * self.form.cells(puzzle.spec)
        for cell, value in self.all_placed(puzzle.spec, puzzle.clues):
            values[cell] = value
        return values

    def texts(self, puzzle: Puzzle[Any, Any], blank: str = ".") -> list[str]:
        """The text of each cell, in the symbols of the style."""
        return [blank if value == BLANK else puzzle.style.symbols[value] for value in self.shown(puzzle)]

    def removal_order(self, draft: AnyDraft, rng: Rng) -> list[int]:
        return rng.shuffled(range(len(draft.puzzle.clues))) if self.removable else []

    def alternatives(self, puzzle: Puzzle[Any, Any], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The other values of that cell."""
        cell, value = self.placed(puzzle.spec, clue)
        for other in rng.shuffled(self.choices(puzzle.spec, cell)):
            if other != value:
                yield Clue(clue.id, clue.kind, (cell, other))

    def additions(self, puzzle: Puzzle[Any, Any], rng: Rng) -> Iterator[Clue]:
        """Further cells, with any value."""
        spec = puzzle.spec
        taken = {cell for cell, _ in self.all_placed(spec, puzzle.clues)}
        for cell in rng.shuffled([cell for cell in range(self.form.cells(spec)) if cell not in taken]):
            for value in rng.shuffled(self.choices(spec, cell)):
                yield self.at(spec, cell, value)

    def strain(self, spec: Spec[Any], values: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
        """Counts that solvable puzzles keep low or high and that a change mostly shifts, as far as these cells are in them.

        values: of all cells. Exchanges that keep these counts come first.
        """
        return ()

    def jars(self, spec: Spec[Any], values: Sequence[int], cell: int) -> bool:
        """Return whether this cell's value plainly breaks a rule beside the others that are shown.

        Exchanges after which one does come last. Not every such case need be told: broken_rules() is asked in the end.
        """
        return False

    def exchanges(self, puzzle: Puzzle[Any, Any], rng: Rng) -> Iterator[Puzzle[Any, Any]]:
        """Two cells exchange the values that they show, or one moves to a cell that shows none, where clues may be left out."""
        spec, clues, cells = puzzle.spec, puzzle.clues, range(self.form.cells(puzzle.spec))
        mine = [place for place, clue in enumerate(clues) if clue.kind == self.kind]
        at = [(place, *placed) for place, placed in zip(mine, self.all_placed(spec, [clues[i] for i in mine]), strict=True)]
        values = [BLANK] * len(cells)
        for _, cell, value in at:
            values[cell] = value
        swaps = [(one, two) for k, two in enumerate(at) for one in at[:k] if one[2] != two[2]]
        free = [(BLANK, cell, BLANK) for cell in cells if values[cell] == BLANK] if self.removable else []
        moves = list(product(at, free))
        ways = [way for some in (swaps, moves) for way in rng.sample(some, min(len(some), len(swaps), EXCHANGES))]
        ways = rng.shuffled(ways)
        if type(self).jars is not CellClues.jars:
            ways = sorted(ways, key=lambda way: self._jarring(spec, values, way))
        for start in range(0, len(ways), SORTED):
            for one, two in sorted(ways[start : start + SORTED], key=lambda way: self._strained(spec, values, way)):
                changed = list(clues)
                for place, cell, value in ((one[0], one[1], two[2]), (two[0], two[1], one[2])):
                    if value != BLANK:  # a value that moves keeps its clue's place in the list
                        changed[place if place != BLANK else one[0]] = self.at(spec, cell, value)
                yield puzzle.with_clues(changed)

    def _jarring(self, spec: Spec[Any], values: list[int], way: tuple[tuple[int, int, int], tuple[int, int, int]]) -> bool:
        (_, one, left), (_, two, right) = way
        values[one], values[two] = right, left
        jarring = self.jars(spec, values, one) or self.jars(spec, values, two)
        values[one], values[two] = left, right
        return jarring

    def _strained(self, spec: Spec[Any], values: list[int], way: tuple[tuple[int, int, int], tuple[int, int, int]]) -> int:
        """How far an exchange changes the strain."""
        (_, one, left), (_, two, right) = way
        before = self.strain(spec, values, (one, two))
        values[one], values[two] = right, left
        after = self.strain(spec, values, (one, two))
        values[one], values[two] = left, right
        return sum([abs(now - then) for now, then in zip(after, before, strict=True)])


@dataclass(frozen=True)
class Givens(CellClues):
    """Cells that are filled in already and stay as they are. field: the parameter that says how many are kept, "" for none."""

    field: str = ""

    def kept(self, spec: Spec[Any]) -> int:
        return getattr(spec.params, self.field) if self.field else 0

    def state(self, m: Constraints, spec: Spec[Any], board: Any, clue: Clue) -> None:
        cell, value = self.placed(spec, clue)
        m.require(m.key[cell][value], label=clue.id)

    def given_slots(self, puzzle: Puzzle[Any, Any]) -> tuple[int, ...]:
        return tuple([cell for cell, _ in self.all_placed(puzzle.spec, puzzle.clues)])

    def in_sight(self, puzzle: Puzzle[Any, Any]) -> Sequence[int] | None:
        return self.shown(puzzle)

    def broken(self, puzzle: Puzzle[Any, Any], values: Sequence[int]) -> list[str]:
        """Ids of the givens that an answer with these values of all cells changes; for plain checkers."""
        placed = zip(puzzle.clues, self.all_placed(puzzle.spec, puzzle.clues), strict=True)
        return [clue.id for clue, (cell, value) in placed if values[cell] not in (value, BLANK)]


@lru_cache(maxsize=65_536)
def _clue(place: str, kind: str, cell: int, value: int) -> Clue:
    return Clue(place, kind, (cell, value))


@lru_cache(maxsize=256)
def _places(form: CellForm[Any], spec: Spec[Any]) -> tuple[str, ...]:
    return tuple([form.place(spec, cell) for cell in range(form.cells(spec))])
