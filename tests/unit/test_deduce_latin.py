"""Deduction in Latin grids: techniques are what they are called, by plain sets of candidates. That steps follow from what they
name is in tests/contract/test_deduce.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from puzzlemill.core.model import Ground, LatinTable, Step
from puzzlemill.core.types import NoBoard, Puzzle, Rule, Spec
from puzzlemill.core.words import capital
from puzzlemill.generators.sudoku import FAMILY, Params
from puzzlemill.solvers.deduce import Grade, explain, grade, latin
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.check import wrong_step
from strategies import Case, drawn, with_clash

Sudokus = Puzzle[Params, NoBoard]


def spec_of(size: int, *rules: str) -> Spec[Params]:
    return Spec(Params(size), tuple(Rule(name) for name in sorted(rules)))


def traced(spec: Spec[Params], number: int, solvable: bool = True) -> tuple[Sudokus, Grade]:
    """A puzzle as the factory keeps it, or a clash made from it, and its deduction."""
    case = Case(FAMILY, spec)
    numbers = range(number, number + 2_000, 100)
    some = (drawn(case, n) if solvable else (*with_clash(case, n), None, None)[1] for n in numbers)
    draft = next(draft for draft in some if draft is not None)
    graded = grade(FAMILY, draft.puzzle, draft.answer)
    assert graded is not None
    return draft.puzzle, graded


SPECS = [spec_of(4), spec_of(6), spec_of(9)]
SPECS += [spec_of(6, rule) for rule in ("zones", "diagonals", "nonconsecutive", "max_box")]
SPECS += [spec_of(6, "diagonals", "max_box"), spec_of(6, "max_box", "zones")]


def named(spec: Spec[Params]) -> str:
    return " ".join([str(spec.params.size), *[rule.name for rule in spec.rules]])


# ---- traces hold --------------------------------------------------------------------------------------------------------


def test_without_a_budget_the_answer_is_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stuck techniques must end in `search`, not in an endless loop or an open grid."""
    monkeypatch.setattr(latin, "CHAIN_NODES", 0)
    monkeypatch.setattr(latin, "LOOK_CELLS", 0)
    for number in range(40):
        puzzle, graded = traced(spec_of(9), number)
        assert wrong_step(FAMILY, puzzle, graded.steps) == ""
        if graded.steps[-1].technique == "search":
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
                within = [set(self.units[u]) for u in found.units]
                if not all(cells <= unit for unit in within) or not losers <= set().union(*within):
                    return False
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


def traces(spec: Spec[Params], many: int) -> Iterator[tuple[Sudokus, Grade]]:
    yield from (traced(spec, number) for number in range(many))


@pytest.mark.parametrize("spec", [spec_of(9), spec_of(6, "zones"), spec_of(6, "diagonals")], ids=named)
def test_steps_are_what_they_are_called(spec: Spec[Params]) -> None:
    """An x-wing that is none, or a harder technique although a cell could be filled."""
    met: Counter[str] = Counter()
    for puzzle, graded in traces(spec, 60):
        plain = Plain(FAMILY.table(puzzle))
        for step in graded.steps:
            assert plain.fits(step), step
            if latin.TECHNIQUES[step.technique] > 1:
                assert not plain.singles(), step
            met[step.technique] += 1
            plain.apply(step)
    if spec == spec_of(9):
        assert set(met) >= {
            "locked_set",
            "naked_pair",
            "hidden_pair",
            "hidden_triple",
            "x_wing",
            "xy_wing",
            "w_wing",
            "x_chain",
            "chain",
        }
    else:
        assert met["common_peer"]


@pytest.mark.slow
def test_rare_techniques_are_what_they_are_called() -> None:
    """The same for those that minimal 9x9 puzzles need once in a hundred."""
    met: Counter[str] = Counter()
    for puzzle, graded in traces(spec_of(9), 400):
        plain = Plain(FAMILY.table(puzzle))
        for step in graded.steps:
            assert plain.fits(step), step
            met[step.technique] += 1
            plain.apply(step)
    assert {"naked_triple", "swordfish", "xyz_wing", "xy_chain", "look_ahead"} <= set(met)


def test_more_clues_make_easier_puzzles() -> None:
    """Tiers must mean something: with ten clues more, hardly any puzzle needs more than singles and locked sets."""
    minimal, generous = ([graded.tier for _, graded in traces(spec, 20)] for spec in (spec_of(9), Spec(Params(9, 36))))
    assert sum(t >= latin.HARD for t in minimal) >= 2
    assert sum(t > 2 for t in generous) <= 1


def test_bands() -> None:
    """easy: singles; medium: up to wings; hard: from chains on."""
    bands = set()
    for _, graded in traces(spec_of(9), 25):
        assert graded.tier == max(latin.TECHNIQUES[step.technique] for step in graded.steps)
        assert graded.band == ("easy" if graded.tier == 1 else "medium" if graded.tier <= 4 else "hard")
        bands.add(graded.band)
    assert bands == {"easy", "medium", "hard"}


# ---- words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS, ids=named)
def test_every_step_is_told(spec: Spec[Params]) -> None:
    """A sentence leaves out what a step concludes, or shows numbers where the puzzle has letters."""
    n = spec.params.size
    for number in range(4):
        for shown, graded in (traced(spec, number), traced(spec, number, solvable=False)):
            letters = replace(shown, style=replace(shown.style, symbols=tuple("QWERTZUIO"[:n])))
            for step in graded.steps:
                for i, _ in (*step.sets, *step.drops):
                    assert f"r{i // n + 1}c{i % n + 1}" in explain(FAMILY, shown, step)
                if not any(rule.name in ("nonconsecutive", "max_box") for rule in spec.rules):
                    told = explain(FAMILY, letters, step)
                    for _, v in step.sets:
                        assert "QWERTZUIO"[v] in told


def test_units_have_the_names_of_the_text() -> None:
    """A step speaks of a zone by another name than the puzzle's map."""
    puzzle, _ = traced(spec_of(6, "zones"), 0)
    others = tuple(Ground((v, v)) for v in range(1, 6))
    line = Step("full_line", (), ((0, 0),), found=findings.FullLine(12), grounds=others)
    assert explain(FAMILY, puzzle, line) == "Zone A has 2, 3, 4, 5 and 6 already, so r1c1, its last empty cell, is 1."
    puzzle, _ = traced(spec_of(6, "diagonals"), 0)
    names = {2: "row 3", 9: "column 4", 12: "box 1", 17: "box 6", 18: "the diagonal from the top left corner"}
    names[19] = "the diagonal from the top right corner"
    for unit, name in names.items():
        assert explain(FAMILY, puzzle, replace(line, found=findings.FullLine(unit))).startswith(f"{capital(name)} has 2, 3,")


def test_a_place_is_told_by_what_rules_out_the_others_each_once() -> None:
    """One cell is given as two reasons, or the reader learns in the last words what it is all about."""
    told = 0
    for puzzle, graded in traces(spec_of(9, "diagonals"), 3):
        for step in graded.steps:
            if step.technique == "hidden_single":
                text = explain(FAMILY, puzzle, step)
                ((i, v),) = step.sets
                cell, causes = f"r{i // 9 + 1}c{i % 9 + 1}", re.findall(r"the \d at (r\dc\d) rules", text)
                assert len(causes) == len(set(causes)), text
                assert f" the {v + 1} can only go to {cell}: " in text, text
                told += bool(causes)
    assert told > 20
