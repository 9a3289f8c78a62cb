"""The board of a deduction: what is known and why, the steps so far, and looking ahead. The board of every deducer builds on it.

A fact is a slot and a value; a literal is a fact as one number, slot * values + value. A label names what a fact follows from: a
clue, a rule, or a step of the board, "#3". Under a supposition steps are "?3" and the supposition itself is "?0"; under one
within that, "??3" and "??0".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, ClassVar, NamedTuple, Self

from puzzlemill.core.model import Fact, Ground, Slots, Step
from puzzlemill.core.words import listed, pick
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.steps import (
    Contradiction,
    Found,
    Say,
    Search,
    Supposed,
    TakenBack,
    length,
    needed,
    ordered,
    story,
    tale,
)

CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story becomes a step

Story = tuple[list[str], list[Step]]  # labels that a contradiction leans on, and the steps to it
Said = tuple[Found[Any], Found[Any]]
Pick = Callable[[dict[int, None]], int]
# a technique, what it is to look at, and which of that comes first (None: the oldest)
Look = tuple[Callable[[int], bool], dict[int, None], Pick | None]


@dataclass(frozen=True, slots=True)
class Ahead:
    """A way of looking ahead.

    technique: what it finds, made of the fact that was supposed. top: the tiers that are used under the supposition. deep:
    whether that looks ahead too.
    """

    technique: type[Any]
    top: int
    deep: bool = False


class Refuted(NamedTuple):
    """A supposition that ends in a contradiction. size: the smallest becomes a step. story: None if it is found only then."""

    size: tuple[int, ...]
    story: Story | None


class Board(ABC):
    """Known facts of a puzzle, their reasons, and the steps so far.

    rules: those in force, by their labels. mark: what the labels of its steps begin with. probes: suppositions so far, shared
    with the boards made of this one; after `most` the rest is left to search. fresh: for each technique what changed since it
    last looked, oldest first. deep: whether it is small enough to be looked at in depth. values: how many a slot can have.
    """

    AHEAD: ClassVar[tuple[Ahead, ...]]  # the easiest first
    SEARCH: ClassVar[type[Found[Any]]] = Search
    TOP: ClassVar[int] = 4  # the highest tier without suppositions
    SHORT: ClassVar[int] = 0  # a story of so few steps is taken at once
    STAYS: ClassVar[bool] = False  # whether what gave something is looked at again at once
    RETURNS: ClassVar[bool] = False  # whether it is looked at again after the rest

    deep = True
    values = 2

    def __init__(self, ids: Sequence[str], rules: Sequence[str], probes: int, queues: int) -> None:
        self.ids, self.rules = ids, rules
        self.steps: list[Step] = []
        self.mark = "#"
        self.probes, self.most = [0], probes
        self.fresh: list[dict[int, None]] = [{} for _ in range(queues)]

    # ---- what a deducer says of its board

    @property
    @abstractmethod
    def unsolved(self) -> bool:
        """Return whether anything is left to find."""

    @abstractmethod
    def put(self, slot: int, value: int, why: str) -> None:
        """Set a value, and name why."""

    def drop(self, slot: int, value: int, why: str) -> None:
        """Remove a candidate, and name why; boards of two values set the other one."""
        raise NotImplementedError

    def looks(self, top: int) -> Sequence[Look]:
        """The techniques of these tiers, the easiest first."""
        return ()

    @abstractmethod
    def rest(self, answer: Slots) -> list[Fact]:
        """The facts of the answer that are asked and not known yet."""

    def begin(self) -> None:  # noqa: B027 - a board may start with nothing
        """Put in what is given."""

    def own(self) -> None:  # noqa: B027 - nothing, if suppositions are made on something else
        """Copy what put() and drop() change, so that a supposition does not change it."""

    def tidy(self) -> None:  # noqa: B027 - steps may be right as they are
        """Leave out of steps what none of them leans on."""

    def tries(self, answer: Slots | None) -> list[int]:
        """Literals to suppose, the likeliest to fail first; only those that are wrong, if the answer is known."""
        return []

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        """All literals that follow from this in such a supposition, found without steps; None if a contradiction does."""
        raise NotImplementedError

    def wanted(self, step: Step) -> bool:
        """Return whether a step stays even if no other leans on it."""
        return bool(step.sets)

    # ---- steps

    def trace(self, answer: Slots | None) -> list[Step]:
        """The steps to the answer, or to a contradiction, the easiest technique first; see the package."""
        try:
            self.begin()
            self.run(self.TOP)
            while self.unsolved and self.leap(answer):
                self.run(self.TOP)
            if self.unsolved or answer is None:
                self.note(self.SEARCH(), [*self.ids, *self.rules], [] if answer is None else self.rest(answer))
            self.tidy()
            ends = [i for i, step in enumerate(self.steps) if self.wanted(step)]
        except Contradiction:
            if answer is not None:
                raise AssertionError(f"{self.steps[-1].technique}: a contradiction in a puzzle that has an answer") from None
            self.tidy()
            ends = [len(self.steps) - 1]
        return ordered(needed(self.steps, "#", ends), [*self.ids, *self.rules])

    def resume(self, steps: Sequence[Step]) -> None:
        """Put in what is given and what these steps of its trace conclude, without applying any technique."""
        self.begin()
        for number, step in enumerate(steps, 1):
            for slot, value in step.sets:
                self.put(slot, value, f"#{number}")
            for slot, value in step.drops:
                self.drop(slot, value, f"#{number}")

    def finished(self) -> bool:
        """Return whether all that is asked is known, so that no technique needs to be applied."""
        return False

    def leap(self, answer: Slots | None) -> bool:
        """Find something by suppositions, where all else is stuck."""
        return self.look_ahead(answer)

    def note(
        self,
        found: Found[Any],
        uses: Iterable[str],
        sets: Collection[Fact] = (),
        drops: Collection[Fact] = (),
        within: Sequence[Step] = (),
        grounds: tuple[Ground, ...] | None = None,
    ) -> bool:
        """Note a step and do what it concludes. Raises Contradiction if that is nothing."""
        labels = tuple(dict.fromkeys(uses))
        self.steps.append(Step(found.technique, labels, tuple(sets), tuple(drops), tuple(within), found, grounds))
        if not sets and not drops:
            raise Contradiction
        label = f"{self.mark}{len(self.steps)}"
        for slot, value in sets:
            self.put(slot, value, label)
        for slot, value in drops:
            self.drop(slot, value, label)
        return True

    def run(self, top: int) -> None:
        """Apply the techniques of these tiers, the easiest first, until none gives anything."""
        looks = self.looks(top)
        while not self.finished() and any(starmap(self._look, looks)):
            pass

    def _look(self, look: Callable[[int], bool], fresh: dict[int, None], pick: Pick | None = None) -> bool:
        """Let a technique look at what is fresh until it gives something."""
        while fresh:
            which = next(iter(fresh)) if pick is None else pick(fresh)
            if not self.STAYS:
                del fresh[which]
            if look(which):
                if self.RETURNS:
                    fresh[which] = None
                return True
            if self.STAYS:
                del fresh[which]
        return False

    # ---- suppositions

    def supposing(self, facts: Iterable[Fact], **changes: Any) -> Self:
        """A board on which these are known too, without steps. changes: attributes that differ."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        other.steps, other.fresh = [], [{} for _ in self.fresh]
        other.mark = "?" if self.mark == "#" else self.mark + "?"
        other.own()
        for slot, value in facts:
            other.put(slot, value, f"{other.mark}0")
        return other

    def refuted(self, top: int, deep: bool = False) -> Story | None:
        """The story of the contradiction in which techniques of these tiers end; None if they do not. deep: as in Ahead."""
        try:
            self.run(top)
            while deep and self.unsolved and self.look_ahead(None, False):
                self.run(top)
        except Contradiction:
            self.tidy()
            return story(self.steps, self.mark)
        return None

    def others(self, slot: int, value: int) -> Sequence[int]:
        """The values other than this one that a slot might have, by what is known."""
        return [1 - value]

    def trial(self, slot: int, value: int) -> tuple[Step, ...] | None:
        """A value that is tried, what follows from it down to a contradiction by the easiest way of looking ahead, and that it is
        not so, with all that this uses; None if no contradiction is found so.
        """
        found = self.supposing([(slot, value)]).refuted(self.AHEAD[0].top)
        return None if found is None else self.taken_back(slot, value, *found)

    def taken_back(
        self, slot: int, value: int, uses: Iterable[str], within: Sequence[Step], said: Said | None = None
    ) -> tuple[Step, ...]:
        """The steps of a trial. said: the findings of its first and last step."""
        supposed, back = said or (Supposed(), TakenBack(slot, value))
        fact, other = ((slot, value),), ((slot, 1 - value),)
        sets, drops = (other, ()) if self.values == 2 else ((), fact)
        last = Step("supposition", tuple(dict.fromkeys(uses)), sets, drops, found=back)
        return Step("supposition", (), fact, found=supposed), *within, last

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        """A contradiction that follows from this, or literals that are as harmless as it is. None if no more can be supposed."""
        follows = self.quick(literal, ahead)
        return self.confirmed(literal, ahead) if follows is None else follows

    def confirmed(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        """The contradiction that the quick look has seen, with its story."""
        found = self.refutation(literal, ahead)
        if found is None and self.probes[0] < self.most:
            raise AssertionError("the quick look and the steps find the same")
        return found

    def refutation(self, literal: int, ahead: Ahead) -> Refuted | None:
        """The contradiction in which this ends, with its story; None if it does not, or no more can be supposed."""
        tale = self.supposing([divmod(literal, self.values)]).refuted(ahead.top, ahead.deep)
        return None if tale is None else Refuted((length(tale[1]),), tale)

    def harmless(self, ahead: Ahead) -> set[int]:
        """Literals that need not be supposed, since they followed from one that ends in no contradiction."""
        return set()

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        """Note that this is not so, since it ends in a contradiction."""
        uses, within = tale
        return self.note(ahead.technique(slot, value), uses, [(slot, 1 - value)], within=within)

    def choices(self, ahead: Ahead) -> int:
        """How many contradictions are found, of which one becomes a step."""
        return 1 if ahead.deep else CHOICES

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out one fact that ends in a contradiction. False if nothing can be ruled out. deepest: by deep ways too."""
        tries = self.tries(answer)
        for ahead in self.AHEAD:
            if ahead.deep and not (deepest and self.deep):
                break
            harmless, choices = self.harmless(ahead), self.choices(ahead)
            found: list[tuple[Refuted, int]] = []
            for literal in tries:
                if len(found) == choices or self.probes[0] >= self.most:
                    break
                if literal in harmless:
                    continue
                outcome = self.tried(literal, ahead)
                if outcome is None:
                    return False
                if not isinstance(outcome, Refuted):
                    harmless.update(outcome)
                    continue
                found.append((outcome, literal))
                if outcome.size[0] <= self.SHORT:
                    break
            if found:
                refuted, literal = min(found, key=lambda entry: entry[0].size)
                full = refuted if refuted.story else self.refutation(literal, ahead)
                if full is None or full.story is None:
                    raise AssertionError("the quick look and the steps find the same")
                return self.rule_out(ahead, *divmod(literal, self.values), full.story)
        return False


class CellBoard(Board):
    """A board whose cells hold 0 or 1. A cell that does not hold one holds the other, so steps only set. -1: not known."""

    def __init__(self, cells: int, ids: Sequence[str], rules: Sequence[str], probes: int, queues: int) -> None:
        super().__init__(ids, rules, probes, queues)
        self.value = [-1] * cells
        self.why = [""] * cells
        self.open = cells

    def put(self, slot: int, value: int, why: str) -> None:
        self.value[slot] = value
        self.why[slot] = why
        self.open -= 1

    @property
    def unsolved(self) -> bool:
        return self.open > 0

    def own(self) -> None:
        self.value, self.why = list(self.value), list(self.why)

    def rest(self, answer: Slots) -> list[Fact]:
        return [(cell, answer[cell]) for cell, value in enumerate(self.value) if value < 0]

    def tries(self, answer: Slots | None) -> list[int]:
        cells = [cell for cell, value in enumerate(self.value) if value < 0]
        self.sort(cells)
        return [2 * cell + value for cell in cells for value in ((0, 1) if answer is None else (1 - answer[cell],))]

    @abstractmethod
    def sort(self, cells: list[int]) -> None:
        """Put open cells in the order in which they are supposed."""


class LineBoard(CellBoard):
    """Cells in lines: rows count from 0, columns go on from the number of rows.

    ones, zeros: of each line its known cells as bit masks, bit i for its cell i, from the left or from the top. places: the lines
    of each cell, with its bit.
    """

    def __init__(self, rows: int, cols: int, ids: Sequence[str], rules: Sequence[str], probes: int, queues: int) -> None:
        super().__init__(rows * cols, ids, rules, probes, queues)
        self.rows = rows
        self.lines = [list(range(r * cols, r * cols + cols)) for r in range(rows)]
        self.lines += [list(range(c, rows * cols, cols)) for c in range(cols)]
        self.places = [((i // cols, 1 << i % cols), (rows + i % cols, 1 << i // cols)) for i in range(rows * cols)]
        self.ones = [0] * len(self.lines)
        self.zeros = [0] * len(self.lines)

    def own(self) -> None:
        super().own()
        self.ones, self.zeros = list(self.ones), list(self.zeros)

    def fullest(self, fresh: dict[int, None]) -> int:
        """The line with most known cells, which is the easiest to complete."""
        return max(fresh, key=lambda line: (self.ones[line] | self.zeros[line]).bit_count())

    def sort(self, cells: list[int]) -> None:
        """From full lines rather than empty ones."""
        filled = [(ones | zeros).bit_count() for ones, zeros in zip(self.ones, self.zeros, strict=True)]
        cells.sort(key=lambda cell: (-filled[self.places[cell][0][0]] - filled[self.places[cell][1][0]], cell))

    def whys(self, line: int, mask: int) -> list[str]:
        """Why these cells of a line are known."""
        return [self.why[cell] for i, cell in enumerate(self.lines[line]) if mask >> i & 1]

    def facts(self, line: int, ones: int, zeros: int) -> list[Fact]:
        """Masks of a line's cells as facts."""
        cells = self.lines[line]
        return [(cell, ones >> i & 1) for i, cell in enumerate(cells) if (ones | zeros) >> i & 1]

    def agreed(self, line: int, patterns: Iterable[int]) -> tuple[int, int]:
        """Masks of the cells not known so that are one in every pattern, and of those that are zero; all, without patterns."""
        every, some = -1, 0
        for pattern in patterns:
            every &= pattern
            some |= pattern
        full = (1 << len(self.lines[line])) - 1
        return every & ~self.ones[line], full & ~some & ~self.zeros[line]

    def blank(self, line: int) -> int:
        """The open cells of a line."""
        return (1 << len(self.lines[line])) - 1 & ~self.ones[line] & ~self.zeros[line]


def newest(fresh: dict[int, None]) -> int:
    """What changed last, which a person has in view."""
    return next(reversed(fresh))


class LineSay(Say):
    """How findings in lines are described."""

    def __init__(self, rows: int, cols: int, voice: int = 0) -> None:
        self.rows, self.cols, self.voice = rows, cols, voice

    def story(self, steps: Sequence[Step]) -> str:
        return tale(self, steps)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose {supposed}. Then {tale}. That cannot be, so {so}",
            f"imagine that {supposed}. Then {tale}. That is impossible, so {so}",
            f"assume that {supposed}: {tale}. This contradicts the rules, so {so}",
        )

    def name(self, line: int) -> str:
        return f"row {line + 1}" if line < self.rows else f"column {line - self.rows + 1}"

    def length(self, line: int) -> int:
        return self.cols if line < self.rows else self.rows

    def cell(self, cell: int) -> str:
        return f"row {cell // self.cols + 1} column {cell % self.cols + 1}"

    def cells(self, line: int, mask: int) -> list[int]:
        """The cells of a mask of a line."""
        return [line * self.cols + i if line < self.rows else i * self.cols + line - self.rows for i in bits(mask)]

    def number(self, line: int, cell: int) -> int:
        """The number of a cell in its line, from 1."""
        return (cell % self.cols if line < self.rows else cell // self.cols) + 1

    def along(self, line: int, numbers: Sequence[int]) -> str:
        """ "columns 2 and 3"."""
        return f"{'column' if line < self.rows else 'row'}{'s' * (len(numbers) > 1)} {listed([str(n) for n in numbers])}"
