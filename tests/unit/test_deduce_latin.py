"""Deduction in Latin grids, and the checker of steps: a trace that does not hold teaches a model to reason wrongly.

Puzzles are drawn here with PySAT alone, so that neither kernels nor tables decide what the deducer is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from puzzlemill.core.model import LatinTable, Slots, Step
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import Clue, NoBoard, Puzzle, Question, Rule, Spec
from puzzlemill.generators.sudoku import FAMILY, Params
from puzzlemill.solvers import sat
from puzzlemill.solvers.deduce import explain, grade, latin
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.lower import lower

Sudokus = Puzzle[Params, NoBoard]
CONFLICTS = 200_000


def spec_of(size: int, *rules: str) -> Spec[Params]:
    return Spec(Params(size), tuple(Rule(name) for name in sorted(rules)))


def answers(puzzle: Sudokus, limit: int) -> tuple[Slots, ...]:
    cnf = lower(FAMILY, puzzle)
    assert cnf is not None
    found, _ = sat.answers(cnf, limit, CONFLICTS)
    assert found.decided(limit)
    return found.answers


@cache
def drawn(spec: Spec[Params], number: int, more: int = 0) -> tuple[Sudokus, Slots]:
    """A puzzle with a minimal set of clues and `more` beside, and its answer."""
    drawing = stream("deduce", spec.params.size, *[rule.name for rule in spec.rules], number)
    n = spec.params.size
    for attempt in count(1):  # some zones leave no answer
        rng = drawing.child("attempt", attempt)
        settled = FAMILY.resolve_rules(spec, rng)
        clues: list[Clue] = []
        puzzle = Puzzle(FAMILY.name, 1, settled, NoBoard(), (), Question(), FAMILY.examples()[0].puzzle.style)
        puzzle = replace(puzzle, style=replace(puzzle.style, symbols=tuple(str(v + 1) for v in range(n))))
        for i in rng.shuffled(range(n * n))[:n]:
            clue = Clue(f"r{i // n + 1}c{i % n + 1}", "given", (i, rng.below(n)))
            if answers(puzzle.with_clues([*clues, clue]), 1):
                clues.append(clue)
        found = answers(puzzle.with_clues(clues), 1)
        if found:
            break
    values = found[0]
    full = puzzle.with_clues([Clue(f"r{i // n + 1}c{i % n + 1}", "given", (i, v)) for i, v in enumerate(values)])
    cnf = lower(FAMILY, full)
    assert cnf is not None
    order = rng.shuffled(range(n * n))
    kept = sat.minimize(cnf, [clue.id for clue in full.clues], order, 0, CONFLICTS)
    assert kept is not None
    kept = tuple(sorted({*kept, *[i for i in order if i not in kept][:more]}))
    return full.with_clues([full.clues[i] for i in kept]), values


def spoilt(puzzle: Sudokus, rng: Rng) -> Sudokus:
    """The puzzle with one clue changed so that it has no answer."""
    return next(changed for changed in FAMILY.clues.changes(puzzle, rng) if not answers(changed, 1))


def deduced(puzzle: Sudokus, values: Slots | None) -> list[Step]:
    return latin.deduce(FAMILY.table(puzzle), [clue.id for clue in puzzle.clues], values)


def tier(steps: Sequence[Step]) -> int:
    return max(latin.TECHNIQUES[step.technique] for step in steps)


SPECS = [spec_of(4), spec_of(6), spec_of(9)]
SPECS += [spec_of(6, rule) for rule in ("zones", "diagonals", "nonconsecutive", "max_box")]
SPECS += [spec_of(6, "diagonals", "max_box"), spec_of(6, "max_box", "zones")]


def named(spec: Spec[Params]) -> str:
    return " ".join([str(spec.params.size), *[rule.name for rule in spec.rules]])


# ---- traces hold --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_every_step_follows_from_what_it_uses(spec: Spec[Params]) -> None:
    """A reason is left out, a technique is unsound, or steps are numbered wrongly."""
    for number in range(4):
        puzzle, values = drawn(spec, number)
        assert wrong_step(FAMILY, puzzle, deduced(puzzle, values)) == ""
        bad = spoilt(puzzle, stream("spoilt", named(spec), number))
        steps = deduced(bad, None)
        assert not steps[-1].sets and not steps[-1].drops
        assert wrong_step(FAMILY, bad, steps) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "many"),
    [(spec_of(9), 200), (spec_of(6), 300), *[(spec, 40) for spec in SPECS[3:]], (spec_of(9, "zones"), 10), (spec_of(12), 10)],
    ids=str,
)
def test_a_thousand_traces_hold(spec: Spec[Params], many: int) -> None:
    """The same, often enough to meet the rarer techniques."""
    for number in range(many):
        puzzle, values = drawn(spec, number)
        assert wrong_step(FAMILY, puzzle, deduced(puzzle, values)) == ""
        if number % 3 == 0:
            bad = spoilt(puzzle, stream("spoilt", named(spec), number))
            assert wrong_step(FAMILY, bad, deduced(bad, None)) == ""


def test_steps_set_every_blank_cell_once() -> None:
    """A trace ends early or places twice."""
    for number in range(3):
        puzzle, values = drawn(spec_of(9), number)
        sets = [fact for step in deduced(puzzle, values) for fact in step.sets]
        given = set(FAMILY.clues.given_slots(puzzle))
        assert sorted(sets) == [(i, v) for i, v in enumerate(values) if i not in given]


def test_steps_that_nothing_needs_are_left_out() -> None:
    """A trace tells eliminations that lead nowhere, and a puzzle counts as harder than it is."""
    for number in range(12):
        puzzle, values = drawn(spec_of(9), number)
        steps = deduced(puzzle, values)
        used = {use for step in steps for use in step.uses}
        assert [k for k, step in enumerate(steps, 1) if step.drops and f"#{k}" not in used] == []
        if steps[-1].technique != "search":
            assert tier(steps) <= 6


def test_without_a_budget_the_answer_is_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stuck techniques must end in `search`, not in an endless loop or an open grid."""
    monkeypatch.setattr(latin, "CHAIN_NODES", 0)
    monkeypatch.setattr(latin, "LOOK_CELLS", 0)
    for number in range(40):
        puzzle, values = drawn(spec_of(9), number)
        steps = deduced(puzzle, values)
        assert wrong_step(FAMILY, puzzle, steps) == ""
        if steps[-1].technique == "search":
            break
    else:
        raise AssertionError("none of these puzzles needs more than wings")


# ---- techniques, by plain candidate sets ----------------------------------------------------------------------------------


class Plain:
    """Candidates as sets, from a table and the conclusions of steps: shares nothing with the deducer but its numbering."""

    def __init__(self, table: LatinTable) -> None:
        n = self.n = table.n
        self.units = [[n * r + c for c in range(n)] for r in range(n)] + [[n * r + c for r in range(n)] for c in range(n)]
        self.units += [list(unit) for unit in table.units]
        self.sees = [{j for unit in self.units if i in unit for j in unit} - {i} for i in range(n * n)]
        self.open = [set(range(n)) for _ in range(n * n)]
        self.held: dict[int, int] = {}
        for i, v in table.clues:
            self.place(i, v)

    def place(self, i: int, v: int) -> None:
        self.held[i] = v
        self.open[i] = {v}
        for j in self.sees[i]:
            self.open[j].discard(v)

    def apply(self, step: Step) -> None:
        for i, v in step.sets:
            self.place(i, v)
        for i, v in step.drops:
            self.open[i].discard(v)

    def places(self, u: int, v: int) -> set[int]:
        return {i for i in self.units[u] if v in self.open[i]}

    def singles(self) -> bool:
        naked = any(len(self.open[i]) == 1 for i in range(self.n**2) if i not in self.held)
        return naked or any(
            len(self.places(u, v)) == 1 and not self.places(u, v) & set(self.held)
            for u in range(len(self.units))
            for v in range(self.n)
        )

    def fits(self, step: Step) -> bool:
        """Whether the pattern that the step names is there."""
        found, n = step.found, self.n
        lost = {v for _, v in step.drops}
        losers = {i for i, _ in step.drops}
        if isinstance(found, findings.FullLine | findings.HiddenSingle):
            ((i, v),) = step.sets
            last = len([j for j in self.units[found.unit] if j not in self.held]) == 1
            return self.places(found.unit, v) == {i} and last is isinstance(found, findings.FullLine)
        if isinstance(found, findings.NakedSingle):
            return [self.open[i] for i, _ in step.sets] == [{v} for _, v in step.sets]
        if isinstance(found, findings.LockedSet):
            other = set(self.units[found.other])
            return lost == {found.value} and self.places(found.unit, found.value) <= other and losers <= other
        if isinstance(found, findings.CommonPeer):
            places = self.places(found.unit, found.value)
            return all(lost == {found.value} and i in self.sees[j] for i in losers for j in places)
        if isinstance(found, findings.NakedPair | findings.HiddenPair):
            cells, values = set(found.cells), set(found.values)
            if not (len(cells) == len(values) == {"pair": 2, "triple": 3, "quad": 4}[found.technique.split("_")[1]]):
                return False
            if isinstance(found, findings.NakedPair):
                return set().union(*[self.open[i] for i in cells]) == values >= lost and not losers & cells
            return set().union(*[self.places(found.unit, v) for v in values]) == cells >= losers and not lost & values
        if isinstance(found, findings.XWing):
            size = {"x_wing": 2, "swordfish": 3, "jellyfish": 4}[found.technique]
            v, across = found.value, int(found.across)
            held = set().union(*[self.places(n * across + line, v) for line in found.base])
            crossing = set().union(*[self.units[n * (1 - across) + line] for line in found.cover])
            same = len(found.base) == len(found.cover) == size
            return same and held <= crossing and losers <= crossing - held and lost == {v}
        if isinstance(found, findings.XYWing):
            three = isinstance(found, findings.XYZWing)
            pivot, pincers, v = found.pivot, found.pincers, found.value
            ends = {*pincers} | ({pivot} if three else set())
            rest = [self.open[i] - {v} for i in pincers]
            return (
                {*pincers} <= self.sees[pivot]
                and all(len(self.open[i]) == 2 for i in pincers)
                and self.open[pivot] - {v} == rest[0] | rest[1]
                and (v in self.open[pivot]) is three
                and all(ends <= self.sees[i] for i in losers)
            )
        if isinstance(found, findings.WWing):
            (i, j), (a, b) = found.cells, found.values
            two = self.places(found.unit, a)
            return (
                self.open[i] == self.open[j] == {a, b}
                and lost == {b}
                and all(two & self.sees[k] for k in (i, j))
                and two <= self.sees[i] | self.sees[j]
                and all({i, j} <= self.sees[k] for k in losers)
            )
        if isinstance(found, findings.Chain):
            facts = found.facts
            links = list(zip(facts, facts[1:], strict=False))
            return all(self.either(a, b) if k % 2 == 0 else self.not_both(a, b) for k, (a, b) in enumerate(links)) and all(
                self.not_both(fact, end) for fact in step.drops for end in (facts[0], facts[-1])
            )
        return True

    def either(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """One of the two is true: a cell's last candidates, or a unit's last places."""
        if a[0] == b[0]:
            return self.open[a[0]] == {a[1], b[1]}
        return a[1] == b[1] and any(self.places(u, a[1]) == {a[0], b[0]} for u in range(len(self.units)))

    def not_both(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return a != b and (a[0] == b[0] or (a[1] == b[1] and b[0] in self.sees[a[0]]))


def traces(spec: Spec[Params], many: int) -> Iterator[tuple[Sudokus, Slots, list[Step]]]:
    for number in range(many):
        puzzle, values = drawn(spec, number)
        yield puzzle, values, deduced(puzzle, values)


@pytest.mark.parametrize("spec", [spec_of(9), spec_of(6, "zones"), spec_of(6, "diagonals")], ids=named)
def test_steps_are_what_they_are_called(spec: Spec[Params]) -> None:
    """An x-wing that is none, or a harder technique although a cell could be filled."""
    met: Counter[str] = Counter()
    for puzzle, _, steps in traces(spec, 40):
        plain = Plain(FAMILY.table(puzzle))
        for step in steps:
            assert plain.fits(step), step
            if latin.TECHNIQUES[step.technique] > 1:
                assert not plain.singles(), step
            met[step.technique] += 1
            plain.apply(step)
    if spec == spec_of(9):
        assert {"locked_set", "naked_pair", "hidden_pair", "naked_triple", "xy_wing", "w_wing", "x_chain", "chain"} <= set(met)
    else:
        assert met["common_peer"]


@pytest.mark.slow
def test_rare_techniques_are_what_they_are_called() -> None:
    """The same for those that minimal 9x9 puzzles need once in a hundred."""
    met: Counter[str] = Counter()
    for puzzle, _, steps in traces(spec_of(9), 400):
        plain = Plain(FAMILY.table(puzzle))
        for step in steps:
            assert plain.fits(step), step
            met[step.technique] += 1
            plain.apply(step)
    assert {"x_wing", "swordfish", "xyz_wing", "hidden_triple", "xy_chain", "look_ahead"} <= set(met)


def test_more_clues_make_easier_puzzles() -> None:
    """Tiers must mean something: with ten clues more, hardly any puzzle needs more than singles and locked sets."""
    minimal, generous = ([tier(deduced(*drawn(spec_of(9), number, more))) for number in range(12)] for more in (0, 10))
    assert sum(t >= latin.HARD for t in minimal) >= 2
    assert sum(t > 2 for t in generous) <= 1


def test_bands() -> None:
    """easy: singles; medium: up to wings; hard: from chains on."""
    bands = set()
    for puzzle, values, steps in traces(spec_of(9), 25):
        graded = grade(FAMILY, puzzle, FAMILY.form.assemble(puzzle.spec, NoBoard(), values))
        assert graded is not None and graded.steps == tuple(steps) and graded.tier == tier(steps)
        assert graded.band == ("easy" if graded.tier == 1 else "medium" if graded.tier <= 4 else "hard")
        bands.add(graded.band)
    assert bands == {"easy", "medium", "hard"}


# ---- the checker of steps -------------------------------------------------------------------------------------------------


def changed(steps: list[Step], at: int, **fields: object) -> list[Step]:
    return [*steps[:at], replace(steps[at], **fields), *steps[at + 1 :]]  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", [spec_of(9), spec_of(6, "nonconsecutive"), spec_of(6, "max_box")], ids=named)
def test_wrong_conclusions_are_found(spec: Spec[Params]) -> None:
    """The checker takes any conclusion, or only looks at the first."""
    puzzle, values = drawn(spec, 2)
    steps = deduced(puzzle, values)
    n = spec.params.size
    for at, step in enumerate(steps):
        if step.sets:
            i, v = step.sets[-1]
            planted = changed(steps, at, sets=(*step.sets[:-1], (i, (v + 1) % n)))
        else:
            i = step.drops[-1][0]
            planted = changed(steps, at, drops=(*step.drops, (i, values[i])))
        assert wrong_step(FAMILY, puzzle, planted) == f"step {at + 1} ({step.technique}): does not follow from what it uses"


@pytest.mark.parametrize(
    ("spec", "share"), [(spec_of(9), 50), (spec_of(6, "diagonals"), 4), (spec_of(6, "nonconsecutive"), 4)], ids=str
)
def test_uses_are_needed(spec: Spec[Params], share: int) -> None:
    """A use that is left out goes unnoticed: either the checker assumes it anyway, or steps name more than they lean on.

    At most one in `share` may: a rule stands for all of its lines, and they alone say much of small grids.
    """
    puzzle, values = drawn(spec, 2)
    steps = deduced(puzzle, values)
    missed = total = 0
    for at, step in list(enumerate(steps))[:: 2 if spec == spec_of(9) else 1]:
        for gone in step.uses:
            uses = tuple(use for use in step.uses if use != gone)
            missed += "does not follow" not in wrong_step(FAMILY, puzzle, changed(steps, at, uses=uses)[: at + 1])
            total += 1
    assert total > 80
    assert missed <= total // share


def test_other_wrong_traces_are_found() -> None:
    """Steps that lean on later steps or on nothing known, early ends, and contradictions that are none."""
    puzzle, values = drawn(spec_of(6), 0)
    steps = deduced(puzzle, values)
    first = steps[0]
    assert "which is no earlier step" in wrong_step(FAMILY, puzzle, changed(steps, 0, uses=(*first.uses, "#1")))
    assert "which is no earlier step" in wrong_step(FAMILY, puzzle, changed(steps, 0, uses=(*first.uses, f"#{len(steps)}")))
    assert "which is no earlier step" in wrong_step(FAMILY, puzzle, changed(steps, 0, uses=(*first.uses, "#0")))
    assert "which is no clue or rule" in wrong_step(FAMILY, puzzle, changed(steps, 0, uses=(*first.uses, "diagonals")))
    assert wrong_step(FAMILY, puzzle, steps[:-2]) == "2 slots are left open"
    contradiction = Step("contradiction", first.uses)
    assert "does not follow" in wrong_step(FAMILY, puzzle, [*steps, contradiction])
    swapped = [*steps[:-1], replace(steps[-1], uses=("row",))]
    assert "does not follow" in wrong_step(FAMILY, puzzle, swapped)
    bad = spoilt(puzzle, stream("other"))
    wrong = deduced(bad, None)
    assert "but the deduction goes on" in wrong_step(FAMILY, bad, [*wrong, wrong[-1]])


# ---- words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_every_step_is_told(spec: Spec[Params]) -> None:
    """A sentence leaves out what a step uses or concludes, or shows numbers where the puzzle has letters."""
    n = spec.params.size
    for number in range(4):
        puzzle, values = drawn(spec, number)
        bad = spoilt(puzzle, stream("spoilt", named(spec), number))
        for shown, steps in ((puzzle, deduced(puzzle, values)), (bad, deduced(bad, None))):
            letters = replace(shown, style=replace(shown.style, symbols=tuple("QWERTZUIO"[:n])))
            for step in steps:
                text = explain(FAMILY, shown, step)
                assert text[0] in "r" or text[0].isupper() or text[0].isdigit()
                assert text.endswith(".") and "  " not in text
                for i, _ in (*step.sets, *step.drops):
                    assert f"r{i // n + 1}c{i % n + 1}" in text
                if step.technique not in ("full_line", "search"):
                    clues = {clue.id for clue in shown.clues}
                    for use in step.uses:
                        assert use not in clues or use in text
                        assert not use.startswith("#") or f"step {use[1:]}" in text
                if not any(rule.name in ("nonconsecutive", "max_box") for rule in spec.rules):
                    told = explain(FAMILY, letters, step)
                    for _, v in step.sets:
                        assert "QWERTZUIO"[v] in told


def test_units_have_the_names_of_the_text() -> None:
    """A step speaks of a zone by another name than the puzzle's map."""
    puzzle, _ = drawn(spec_of(6, "zones"), 0)
    line = Step("full_line", (), ((0, 0),), found=findings.FullLine(12))
    assert explain(FAMILY, puzzle, line) == "r1c1 is the last empty cell of zone A, so it holds 1."
    puzzle, _ = drawn(spec_of(6, "diagonals"), 0)
    names = {2: "row 3", 9: "column 4", 12: "box 1", 17: "box 6", 18: "the diagonal from the top left corner"}
    names[19] = "the diagonal from the top right corner"
    for unit, name in names.items():
        assert f"the last empty cell of {name}, so" in explain(FAMILY, puzzle, replace(line, found=findings.FullLine(unit)))
