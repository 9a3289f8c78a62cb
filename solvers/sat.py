"""PySAT on a puzzle's clauses. Each question gets a solver of its own, so no answer or budget depends on what was asked before;
but for unit propagation, which does not depend on it, and has no budget.

Budgets are conflicts. A solver that is stopped by its budget answers "unknown", which is never taken for a proof.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pysat.solvers import Minicard, Solver

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Common, Finding, Slots
from puzzlemill.core.types import AnyPuzzle, Clue, Spec
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.lower import Clause, Counted, Lowered, Stated, counted, lower, of_clue, rules_of, stated

ENGINE = "cadical153"
PROPAGATING = "minisat22"  # which tells what follows by unit propagation
REMEMBERED, PLACES = 2_000, 2  # clues that a solver of rules holds; rules that have one
RECALLED = 200  # questions to a clue by itself whose answers are kept
# what the search for a clash of fewer clues may take: conflicts, clauses read (questions times clauses), steps for one set
FEWER, READ, HITS = 2_000, 10_000_000, 5_000
COUNTING = 2_000  # conflicts that a solver which takes counts as they are may spend on what clauses may decide sooner


def _contradict(solver: Any) -> None:
    """State the empty clause, which PySAT does not accept."""
    solver.add_clause([1])
    solver.add_clause([-1])


@contextmanager
def _solver(clauses: Sequence[Clause]) -> Iterator[Any]:
    with Solver(name=ENGINE, bootstrap_with=[clause for clause in clauses if clause]) as solver:
        if not all(clauses):
            _contradict(solver)
        yield solver


def _effort(solver: Any) -> dict[str, int]:
    stats = solver.accum_stats()
    return {"sat_decisions": stats["decisions"], "sat_conflicts": stats["conflicts"]}


class _Budget:
    """A number of conflicts shared by several calls of one solver."""

    def __init__(self, solver: Any, conflicts: int) -> None:
        self._solver, self._left, self._spent = solver, conflicts, solver.accum_stats()["conflicts"]

    def solve(self, assumptions: Sequence[int] = ()) -> bool | None:
        """True, False, or None if the budget ran out."""
        if self._left <= 0:
            return None
        self._solver.conf_budget(self._left)
        outcome: bool | None = self._solver.solve_limited(assumptions=list(assumptions))
        spent = self._solver.accum_stats()["conflicts"]
        self._left -= spent - self._spent
        self._spent = spent
        return outcome

    def answer(self) -> set[int]:
        """The true literals of the answer that was found last."""
        return set(self._solver.get_model())


def answers(cnf: Lowered, limit: int, conflicts: int) -> tuple[Finding, dict[str, int]]:
    """Up to `limit` answers that differ in the key, and the effort (decisions, conflicts) of the whole search.

    Finding.nodes is the number of decisions.
    """
    found: list[Slots] = []
    with _solver(cnf.narrowed()) as solver:
        budget = _Budget(solver, conflicts)
        exhausted = False
        while len(found) < limit:
            outcome = budget.solve()
            if outcome is None:
                break
            if not outcome:
                exhausted = True
                break
            values = cnf.read(set(solver.get_model()))
            found.append(values)
            solver.add_clause([-lits[v] for lits, v in zip(cnf.key, values, strict=True)])
        effort = _effort(solver)
    return Finding(tuple(found), exhausted, effort["sat_decisions"]), effort


Shared = tuple[Common, list[Slots], dict[str, int]]  # with the answers that show where they differ, and the effort


def shared(family: AnyFamily, puzzle: AnyPuzzle, conflicts: int) -> Shared | None:
    """The backbone of all answers; None if the family's model is no matter of clauses.

    Counts are given to a solver that takes them as they are, which is some ten times faster than clauses for them; what takes it
    more than COUNTING conflicts is left to the clauses. Efforts are added up.
    """
    first: dict[str, int] = {}
    counts = counted(family, puzzle)
    if counts is not None:
        found = by_counting(counts, min(conflicts, COUNTING))
        if found[0].decided:
            return found
        first = found[2]
    cnf = lower(family, puzzle)
    if cnf is None:
        return None
    agreed, witnesses, effort = common(cnf, conflicts)
    return agreed, witnesses, {name: value + first.get(name, 0) for name, value in effort.items()}


def by_counting(stated: Counted, conflicts: int) -> Shared:
    """The same as `common` on clauses and counts. After each answer the solver prefers the other value of all that is
    shared, so that few answers are needed to show what is not.
    """
    witnesses: list[Slots] = []
    agreed: set[int] = set()  # literals of all answers so far
    with Minicard() as solver:
        for clause in stated.clauses:
            if clause:
                solver.add_clause(clause)
            else:
                _contradict(solver)
        for lits, bound in stated.counts:
            solver.add_atmost(lits, bound)
        top = len(stated.key)
        solver.add_clause([top, -top])  # says nothing, but lets the solver know how many variables there are
        solver.conf_budget(max(1, conflicts))  # for all questions together
        while outcome := solver.solve_limited():
            model = solver.get_model()
            agreed = agreed.intersection(model) if witnesses else set(model)
            witnesses.append(tuple([int(lit > 0) for lit in model]))
            if not agreed:
                break
            others = [-lit for lit in agreed]
            solver.add_clause(others)
            solver.set_phases(others)
        effort = _effort(solver)
    decided = outcome is not None
    values = tuple([1 if slot in agreed else 0 if -slot in agreed else BLANK for slot in range(1, top + 1)])
    return Common(values if decided and witnesses else None, decided, effort["sat_decisions"]), witnesses, effort


def common(cnf: Lowered, conflicts: int) -> Shared:
    """The backbone of all answers, the answers that show where they differ, and the effort (decisions, conflicts).

    Intersects answers: each next one must differ somewhere from what is shared so far, until none does. What it must differ in
    only gets less, so that each such clause says more than those before it, and the last refusal is about every slot at once.
    """
    witnesses: list[Slots] = []
    shared: dict[int, int] = {}  # slot: the value that all answers so far have there
    with _solver(cnf.narrowed()) as solver:
        budget = _Budget(solver, conflicts)
        while outcome := budget.solve():
            values = cnf.read(set(solver.get_model()))
            shared = {s: v for s, v in shared.items() if values[s] == v} if witnesses else dict(enumerate(values))
            witnesses.append(values)
            if not shared:
                break
            solver.add_clause([-cnf.key[s][v] for s, v in shared.items()])
        effort = _effort(solver)
    decided = outcome is not None
    found = tuple([shared.get(s, BLANK) for s in range(len(cnf.key))]) if decided and witnesses else None
    return Common(found, decided, effort["sat_decisions"]), witnesses, effort


def backbone(cnf: Lowered, conflicts: int) -> Slots | None:
    """The value of each slot that is the same in every answer, BLANK where answers differ.

    None if the budget ran out; a puzzle without an answer has no backbone and raises ValueError.
    """
    found, _, _ = common(cnf, conflicts)
    if found.decided and found.values is None:
        raise ValueError("an unsolvable puzzle has no backbone; ask for its answers first")
    return found.values


def _selected(cnf: Lowered) -> tuple[list[Clause], dict[str, int]]:
    """The clauses with one selector per label: a labelled clause holds while its selector is assumed."""
    selectors: dict[str, int] = {}
    clauses: list[Clause] = []
    for clause, label in (*cnf.rules, *cnf.clues):
        if not label:
            clauses.append(clause)
            continue
        selector = selectors.setdefault(label, cnf.top + 1 + len(selectors))
        clauses.append((*clause, -selector))
    return clauses, selectors


class Labelled:
    """Questions about chosen clues and rules. labels: those there are."""

    def __init__(self, budget: _Budget, selectors: dict[str, int]) -> None:
        self._budget, self._selectors = budget, selectors
        self.labels = frozenset(selectors)

    def holds(self, labels: Sequence[str], literals: Sequence[int]) -> bool | None:
        """Return whether these clues and rules (with what is always in force) can hold with the literals; None: budget spent."""
        return self._budget.solve([*[self._selectors[label] for label in labels], *literals])


@contextmanager
def labelled(cnf: Lowered, conflicts: int) -> Iterator[Labelled]:
    """One solver for many questions about parts of a puzzle; the budget is for all of them together."""
    clauses, selectors = _selected(cnf)
    with _solver(clauses) as solver:
        yield Labelled(_Budget(solver, conflicts), selectors)


class _Alone:
    """A clue by itself. literals: that a slot has a value, and that it has not, of each slot that the clue is about."""

    def __init__(self, clauses: Sequence[Clause], cells: Sequence[int]) -> None:
        self._solver = Solver(name=PROPAGATING, bootstrap_with=clauses)
        self.literals = [lit for cell in cells for lit in (cell, -cell)]
        self._found: dict[tuple[int, ...], list[int] | None] = {}  # most puzzles that share a clue ask the same of it

    def implies(self, said: tuple[int, ...]) -> list[int] | None:
        """What else follows from these literals, None if they contradict the clue."""
        if said not in self._found:
            if len(self._found) == RECALLED:
                self._found.clear()
            decided = {abs(lit) for lit in said}
            loose = [lit for lit in self.literals if abs(lit) not in decided]
            sound = self._solver.solve(list(said))
            self._found[said] = [-lit for lit in loose if not self._solver.solve([*said, lit])] if sound else None
        return self._found[said]


class _Propagation:
    """Unit propagation on puzzles with the same rules, spec and board.

    The clauses of a clue hold while its selector is assumed, so that puzzles which have it share them. What propagates from
    given literals does not depend on what was asked before.
    """

    def __init__(self, rules: Lowered) -> None:
        self._rules, self._top = rules, rules.top + 1
        self._always = self._top  # what follows without an assumption is not told by propagate()
        self._solver = Solver(name=PROPAGATING, bootstrap_with=[(*clause, -self._always) for clause in rules.plain])
        self._slots = {abs(lit) for lits in rules.key for lit in lits}
        self._clues: dict[Stated, tuple[int, _Alone | None]] = {}

    def _clue(self, family: AnyFamily, puzzle: AnyPuzzle, clue: Clue, place: Stated) -> tuple[int, _Alone | None]:
        """The selector of a clue; if it has variables of its own, the clue by itself too."""
        if place not in self._clues:
            clauses, top = of_clue(family, puzzle, clue, self._rules)
            own, selector = self._top - self._rules.top, self._top + 1
            for clause in clauses:
                lits = [lit if abs(lit) <= self._rules.top else lit + own + 1 if lit > 0 else lit - own - 1 for lit in clause]
                self._solver.add_clause([*lits, -selector])
            self._top = max(selector, top + own + 1)
            alone = None
            if top > self._rules.top:
                alone = _Alone(clauses, sorted(self._slots & {abs(lit) for clause in clauses for lit in clause}))
            self._clues[place] = selector, alone
        return self._clues[place]

    def refutes(self, family: AnyFamily, puzzle: AnyPuzzle) -> bool:
        """Return whether a contradiction follows; see refuted()."""
        if not all(self._rules.plain):
            return True
        places = stated(family, puzzle)
        clues = [self._clue(family, puzzle, clue, place) for clue, place in zip(puzzle.clues, places, strict=True)]
        known = [self._always, *dict.fromkeys([selector for selector, _ in clues])]
        while True:
            consistent, followed = self._solver.propagate(known)
            if not consistent:
                return True
            true, before = set(followed), len(known)
            for _, alone in clues:
                if alone is None:
                    continue
                implied = alone.implies(tuple([lit for lit in alone.literals if lit in true]))
                if implied is None:
                    return True
                known += implied
                true.update(implied)
            if len(known) == before:
                return False

    @property
    def full(self) -> bool:
        """Return whether it holds many clues, most of which no later puzzle has."""
        return len(self._clues) > REMEMBERED


_propagations: OrderedDict[tuple[AnyFamily, Spec[Any], Any], _Propagation] = OrderedDict()


def refuted(family: AnyFamily, puzzle: AnyPuzzle) -> bool | None:
    """Return whether unit propagation ends in a contradiction, from the clauses as they stand or from stronger ones.

    In the stronger encoding a clue that has variables of its own is stated by all clauses over the slots that follow from it, so
    that propagation finds each value that the clue by itself leaves no room for. They are too many to be written down; a solver
    that is given this clue only is asked instead. None if the family's model is no matter of clauses.
    """
    rules = rules_of(family, puzzle.spec, family.rules_board(puzzle.board))
    if rules is None:
        return None
    place = family, puzzle.spec, family.rules_board(puzzle.board)
    found = _propagations.pop(place, None)
    if found is None or found.full:
        found = _Propagation(rules)
    _propagations[place] = found
    while len(_propagations) > (1 if family.lexical else PLACES):
        _propagations.popitem(last=False)
    return found.refutes(family, puzzle)


def unsat_core(cnf: Lowered, conflicts: int) -> tuple[str, ...] | None:
    """A minimal set of labels that has no answer: leaving out any one of them gives an answer. Few clues rather than few rules.

    All rules are taken for granted while clues are left out; a bounded search then looks for a set of fewer clues, and rules are
    left out last. Where the search runs out, the set has no clue too many, but another one may have fewer.
    Labels in the order in which the model states them. None if the budget ran out; ValueError if the puzzle has an answer.
    """
    clauses, selectors = _selected(cnf)
    names = {selector: label for label, selector in selectors.items()}
    rules = [selectors[label] for label in dict.fromkeys(label for _, label in cnf.rules) if label]
    clues = sorted(set(selectors.values()).difference(rules))
    with _solver(clauses) as solver:
        budget = _Budget(solver, conflicts)
        outcome = budget.solve([*rules, *clues])
        if outcome is None:
            return None
        if outcome:
            raise ValueError("a puzzle with an answer has no unsat core")
        if cnf.spare:
            fewer = [selector for selector in rules if names[selector] not in cnf.spare]
            if budget.solve([*fewer, *clues]) is False:
                rules = fewer
            elif budget.solve([*rules, *clues]) is None:
                return None
        found = _needed(solver, budget, rules, set(clues).intersection(solver.get_core() or []))
        if found is None:
            return None
        stated: dict[int, list[Clause]] = {}
        for clause, label in cnf.clues:
            if label:
                stated.setdefault(selectors[label], []).append(clause)
        found = _fewer(_Budget(solver, min(conflicts, FEWER)), rules, clues, stated, found, READ // len(clauses))
        needed = _needed(solver, budget, found, rules)
        if needed is None:
            return None
    return tuple(names[selector] for selector in sorted([*found, *needed]))


def _needed(solver: Any, budget: _Budget, given: Sequence[int], members: Collection[int]) -> list[int] | None:
    """The members that are left when one after the other is left out that the clash with all that is given does not need."""
    needed: list[int] = []
    left = sorted(members)
    while left:  # deletion: a member is needed if the rest has an answer
        trial = left.pop()
        outcome = budget.solve([*given, *needed, *left])
        if outcome is None:
            return None
        if outcome:
            needed.append(trial)
        else:
            kept = set(solver.get_core() or [])
            left = [selector for selector in left if selector in kept]
    return needed


def _fewer(
    budget: _Budget,
    rules: Sequence[int],
    clues: Sequence[int],
    stated: Mapping[int, Sequence[Clause]],
    found: list[int],
    questions: int,
) -> list[int]:
    """The fewest clues that clash with the rules, or `found`, which do, where the search for them is cut short.

    What is left out of a largest set of clues that can be met has a member in every clash. So a least set with a member in each
    of such rests is the least clash, or it can be met, and what a largest set around it leaves out is another such rest
    (A. Ignatiev et al., "Smallest MUS extraction with minimal hitting set dualization", CP 2015). questions: to the solver.
    stated: the clauses of each clue. One that the last answer meets anyway needs no question.
    """
    rests: list[frozenset[int]] = []
    while questions > 0:
        least = _least_hitting(rests, len(found) - 1)
        outcome = None if least is None else budget.solve([*rules, *least])
        if least is None or outcome is None:
            return found
        if not outcome:
            return least
        kept = list(least)
        rest: list[int] = []
        true = budget.answer()
        for clue in clues:
            if clue not in least:
                if any(true.isdisjoint(clause) for clause in stated.get(clue, ())):
                    outcome = budget.solve([*rules, *kept, clue])
                    if outcome is None:
                        return found
                    if not outcome:
                        rest.append(clue)
                        continue
                    true = budget.answer()
                kept.append(clue)
        questions -= 1 + len(clues) - len(least)
        rests.append(frozenset(rest))
    return found


def _least_hitting(rests: Sequence[frozenset[int]], most: int) -> list[int] | None:
    """A least set with a member in each of these; None if it has more than `most` members, or was not found in HITS steps."""
    left = HITS
    members = sorted(set[int]().union(*rests))
    place = {member: i for i, member in enumerate(members)}
    masks = [sum([1 << place[member] for member in rest]) for rest in rests]
    for size in range(most + 1):
        stack: list[tuple[list[int], list[int]]] = [([], masks)]
        while stack:
            taken, missed = stack.pop()
            left -= 1
            if not missed or left < 0:
                return [members[i] for i in taken] if left >= 0 else None
            fewest = min(missed, key=int.bit_count)
            if len(taken) + 1 < size:
                stack += [([*taken, i], [mask for mask in missed if not mask >> i & 1]) for i in reversed(list(bits(fewest)))]
            elif size:  # the last one must be in all that is missed; each before the first of these is a step
                shared = fewest
                for mask in missed:
                    shared &= mask
                first = shared & -shared
                left -= (fewest & first - 1).bit_count() + 1 if first else fewest.bit_count()
                if left < 0:
                    return None
                if first:
                    return [members[i] for i in (*taken, first.bit_length() - 1)]
    return None


def not_an_unsat_core(cnf: Lowered, labels: Sequence[str], conflicts: int) -> str | None:
    """Why these labels are no minimal unsat core, "" if they are one; None if the budget ran out."""
    clauses, selectors = _selected(cnf)
    unknown = [label for label in labels if label not in selectors]
    if unknown:
        return f"{unknown[0]!r} is no clue or rule of this puzzle"
    if len(set(labels)) < len(labels):
        return "one of them stands twice"
    members = [selectors[label] for label in labels]
    with _solver(clauses) as solver:
        budget = _Budget(solver, conflicts)
        outcome = budget.solve(members)
        if outcome is None or outcome:
            return None if outcome is None else "they can be met together"
        for i, label in enumerate(labels):
            outcome = budget.solve([*members[:i], *members[i + 1 :]])
            if outcome is None:
                return None
            if not outcome:
                return f"the others clash without {label}"
    return ""


def minimize(cnf: Lowered, ids: Sequence[str], order: Sequence[int], keep: int, conflicts: int) -> tuple[int, ...] | None:
    """Leave out clues (positions in `ids`) in this order while one answer remains, down to `keep`; None if the budget ran out.

    The puzzle must have exactly one answer. A clue may go if no other answer exists without it.
    """
    clauses, selectors = _selected(cnf)
    rules = [selectors[label] for label in dict.fromkeys(label for _, label in cnf.rules) if label]
    with _solver(clauses) as solver:
        budget = _Budget(solver, conflicts)
        if not budget.solve(list(selectors.values())):
            raise ValueError("only a puzzle with an answer can be minimized")
        values = cnf.read(set(solver.get_model()))
        solver.add_clause([-lits[v] for lits, v in zip(cnf.key, values, strict=True)])  # from here on: other answers
        kept = dict.fromkeys(range(len(ids)))
        for position in order:
            if len(kept) <= keep:
                break
            trial = [selectors[ids[i]] for i in kept if i != position and ids[i] in selectors]
            outcome = budget.solve([*rules, *trial])
            if outcome is None:
                return None
            if not outcome:
                del kept[position]
    return tuple(sorted(kept))
