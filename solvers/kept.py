"""SAT with solvers that are kept: is this the only answer? Yes, or ask elsewhere.

The clauses of the rules are loaded once for a spec and board. A clue's clauses hold while its literal is assumed, and the clause
that refuses an answer while another is; that one is set for good afterwards, so that nothing of a question holds for the next.
All that a question brings back is "yes", which is a proof whatever the solver learnt before. Answers and figures come from fresh
solvers (sat.answers), which also decide wherever there is no yes.

Rows do not depend on those before them: a kept solver may spend a hundredth of the budget that a fresh one gets. One that says
yes within it, where a fresh one would give up, would have to have learnt the rest of a proof from other puzzles.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from pysat.solvers import Solver

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Slots
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.solvers.lower import Clause, Lowered, Stated, of_clue, rules_of, stated
from puzzlemill.solvers.sat import ENGINE

SHARE = 100  # a kept solver gets the budget's hundredth part
SOLVERS, LITERALS = 8, 2_000_000  # that are kept in one process, and of all their rules
SEEN = 32  # places of which it is known that they were asked for
ASKED, GROWTH = 4_000, 4  # questions to one solver; variables that came since for each of the rules', but GROWN in any case
GROWN = 5_000

Place = tuple[AnyFamily, Spec[Any], Any]


class _Kept:
    """The rules of one spec and board in a solver. size: of their clauses, in literals.

    Clues of one kind that differ in their last argument only (two sums for a line) are rarely in one puzzle, so that they share
    their own variables: else each question would set those of all clues. Where a puzzle has two of them, the second is stated
    once more with variables for a second one.
    """

    def __init__(self, rules: Lowered) -> None:
        self._rules, self._top = rules, rules.top
        self._solver = Solver(name=ENGINE, bootstrap_with=rules.plain)
        self._literals: dict[tuple[Stated, int], tuple[int, ...]] = {}  # of a clue, and which of its likes in the puzzle it is
        self._own: dict[tuple[Stated, int], list[int]] = {}  # variables, by what clues that share them have in common
        self._asked = 0
        self.size = sum(map(len, rules.plain))

    def only(self, family: AnyFamily, puzzle: AnyPuzzle, answers: Sequence[Slots], conflicts: int) -> bool:
        """See only() below."""
        self._asked += 1
        said = self._said(family, puzzle)
        if not answers:
            return self._solve(said, conflicts) is False
        held = [lits[value] for lits, value in zip(self._rules.key, answers[0], strict=True)]
        if not self._solve([*said, *held], conflicts):
            return False
        other = self._guard()
        self._solver.add_clause([*[-lit for lit in held], other])
        shown = self._solve([*said, -other], conflicts) is False
        self._solver.add_clause([other])
        return shown

    def _said(self, family: AnyFamily, puzzle: AnyPuzzle) -> list[int]:
        """The literals that state all clues when they are assumed."""
        said: list[int] = []
        taken: dict[Stated, int] = {}
        for clue, what in zip(puzzle.clues, stated(family, puzzle), strict=True):
            alike = what[0], what[1][:-1], what[2]
            place = taken.get(alike, 0)
            literals = self._literals.get((what, place))
            if literals is None:
                own = self._own.setdefault((alike, place), [])
                literals = self._literals[what, place] = self._taken_in(*of_clue(family, puzzle, clue, self._rules), own)
            if self._own[alike, place]:
                taken[alike] = place + 1
            said += literals
        return list(dict.fromkeys(said))

    def _taken_in(self, clauses: Sequence[Clause], top: int, own: list[int]) -> tuple[int, ...]:
        """Take in a clue's clauses; the literals that state it when they are assumed. own: its variables, added as needed."""
        rules = self._rules.top
        while len(own) < top - rules:
            own.append(self._guard())
        moved = {rules + i: var for i, var in enumerate(own, 1)}
        moved |= {-lit: -var for lit, var in moved.items()}
        units = [clause[0] for clause in clauses if len(clause) == 1]
        longer = [clause for clause in clauses if len(clause) != 1]
        if longer:
            guard = self._guard()
            for clause in longer:
                self._solver.add_clause([*[moved.get(lit, lit) for lit in clause], guard])
            units.append(-guard)
        return tuple([moved.get(lit, lit) for lit in units])

    def _guard(self) -> int:
        """A new variable. True takes its clauses out: CaDiCaL sets to true what nobody asks for, so that they cost nothing."""
        self._top += 1
        return self._top

    def _solve(self, assumptions: Sequence[int] | dict[int, None], conflicts: int) -> bool | None:
        self._solver.conf_budget(conflicts)
        outcome: bool | None = self._solver.solve_limited(assumptions=list(assumptions))
        return outcome

    @property
    def worn(self) -> bool:
        """Return whether it holds so much of other puzzles that a new one is better."""
        return self._asked >= ASKED or self._top > max(GROWN, (1 + GROWTH) * self._rules.top)


_seen: OrderedDict[Place, None] = OrderedDict()  # asked for once
_kept: OrderedDict[Place, _Kept] = OrderedDict()


def only(family: AnyFamily, puzzle: AnyPuzzle, answers: Sequence[Slots], conflicts: int) -> bool:
    """Return whether a kept solver shows that the puzzle has this answer and no other, or none where none is given.

    conflicts: the whole budget. A solver is kept from the second puzzle of the same rules on: most boards that carry a text or
    crossing words have one puzzle only.
    """
    place = family, puzzle.spec, family.rules_board(puzzle.board)
    allowed = conflicts // SHARE
    if not allowed or family.lexical or _first(place):
        return False
    found = _kept.pop(place, None)
    if found is None or found.worn:
        rules = rules_of(*place)
        if rules is None or not all(rules.plain):
            return False
        found = _Kept(rules)
    _kept[place] = found
    while len(_kept) > SOLVERS or (len(_kept) > 1 and sum([each.size for each in _kept.values()]) > LITERALS):
        _kept.popitem(last=False)
    return found.only(family, puzzle, answers, allowed)


def _first(place: Place) -> bool:
    """Return whether the place was not asked for lately, and note it."""
    if place in _kept:
        return False
    first = place not in _seen
    _seen[place] = None
    _seen.move_to_end(place)
    if len(_seen) > SEEN:
        _seen.popitem(last=False)
    return first


def forget() -> None:
    """Keep no solver any longer."""
    _seen.clear()
    _kept.clear()
