"""PySAT, Z3 and the checker-driven search against brute force, on random puzzles of a family made for this test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, ClassVar, final

import pytest

from puzzlemill.core.clues import Clues
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import Family
from puzzlemill.core.form import Form
from puzzlemill.core.model import BLANK, Constraints, Finding, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import Clue, Layout, NoBoard, Puzzle, Question, Rows, Spec, Status, Style
from puzzlemill.solvers import sat
from puzzlemill.solvers.certify import certify, recheck
from puzzlemill.solvers.engines import Budget, Engines, finding
from puzzlemill.solvers.lower import lower


@dataclass(frozen=True, slots=True)
class Params:
    switches: int = 6


Toy = Family[Params, NoBoard, Slots, Slots]
ToyPuzzle = Puzzle[Params, NoBoard]


class SwitchForm(Form[Params, NoBoard, Slots]):
    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * spec.params.switches + (3,)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Slots:
        return values

    def values(self, spec: Spec[Params], board: NoBoard, answer: Slots) -> Slots:
        return answer

    def layout(self, puzzle: ToyPuzzle) -> Layout:
        return Layout((), 1, 1, True, "")

    def write(self, puzzle: ToyPuzzle, answer: Slots) -> Rows:
        return ()

    def read(self, puzzle: ToyPuzzle, rows: Rows) -> Slots | None:
        return None


class SwitchClues(Clues[Params, NoBoard]):
    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        numbers = clue.ints()
        if clue.kind == "or":
            m.require(*(m.key[abs(n) - 1][int(n > 0)] for n in numbers), label=clue.id)
        elif clue.kind == "dial":
            m.require(m.key[-1][numbers[0]], label=clue.id)
        else:
            m.at_most([m.key[abs(n) - 1][int(n > 0)] for n in numbers[1:]], numbers[0], label=clue.id)


@final
class Switches(Toy):
    """Switches are on or off; a dial holds 0, 1 or 2. A clue is a clause over signed switch numbers ("or"),
    "at most k of these" ("most"), or the dial's value ("dial").

    ends      the first and the last switch are not both on.
    dial      the dial is not 1 while the first switch is on.
    """

    name: ClassVar[str] = "switches"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Switches"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Slots
    source: ClassVar[str] = "made up for this test"
    liar: ClassVar[bool] = False
    form: ClassVar[Any] = SwitchForm()
    clues: ClassVar[Any] = SwitchClues()

    def validate(self, spec: Spec[Params]) -> None: ...

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = Constraints()
        on = [m.slot(2)[1] for _ in range(spec.params.switches)]
        dial = m.slot(3)
        m.require(-on[0], -on[-1], label="ends")
        m.require(-on[0], -dial[1], label="dial")
        return m

    def broken_rules(self, puzzle: ToyPuzzle, answer: Slots, partial: bool = False) -> list[str]:
        on, dial = answer[:-1], answer[-1]
        broken = [name for name, bad in (("ends", on[0] == on[-1] == 1), ("dial", on[0] == 1 and dial == 1)) if bad]
        for clue in puzzle.clues:
            numbers = clue.ints()
            if clue.kind == "dial":
                broken += [clue.id] if dial not in (numbers[0], BLANK) else []
                continue
            signed = numbers if clue.kind == "or" else numbers[1:]
            true = sum(on[abs(n) - 1] == int(n > 0) for n in signed)
            unknown = sum(on[abs(n) - 1] == BLANK for n in signed)
            if (clue.kind == "or" and true + unknown == 0) or (clue.kind != "or" and true > numbers[0]):
                broken.append(clue.id)
        return broken

    def search_space_log10(self, puzzle: ToyPuzzle) -> float:
        return 0.0

    def symmetry(self, puzzle: ToyPuzzle) -> str:
        return ""

    def render(self, puzzle: ToyPuzzle) -> str:
        return ""


TOY = Switches()


def random_puzzle(rng: Rng) -> ToyPuzzle:
    clues = []
    if rng.below(3):
        clues.append(Clue("d", "dial", (rng.below(3),)))
    for i in range(rng.between(0, 14)):
        numbers = [n if rng.below(2) else -n for n in rng.sample(range(1, 7), rng.between(1, 4))]
        if rng.below(3):
            clues.append(Clue(f"k{i}", "or", tuple(numbers)))
        else:
            clues.append(Clue(f"k{i}", "most", (rng.below(len(numbers)), *numbers)))
    return Puzzle("switches", 1, Spec(Params()), NoBoard(), tuple(clues), Question(), Style())


def brute(puzzle: ToyPuzzle) -> set[Slots]:
    return {v for v in product(*map(range, TOY.form.slots(puzzle.spec, puzzle.board))) if not TOY.broken_rules(puzzle, v)}


def test_every_engine_finds_the_answers_that_brute_force_finds() -> None:
    """A wrong lowering (cardinality, label, key) would certify wrong puzzles."""
    seen = set()
    for i in range(50):
        puzzle = random_puzzle(stream("engines", i))
        expected = brute(puzzle)
        seen.add(min(len(expected), 2))
        for engine in ("sat", "smt", "checker"):
            found = finding(TOY, puzzle, engine, 1000, Budget())
            assert isinstance(found, Finding)
            assert found.exhausted
            assert set(found.answers) == expected, (engine, puzzle.clues)
            assert len(found.answers) == len(expected)
            assert Engines(TOY).count(puzzle, 2) == min(2, len(expected))
    assert seen == {0, 1, 2}  # the sample holds all three kinds of puzzle


def test_the_backbone_is_what_all_answers_share() -> None:
    """A backbone that asks one cell too few calls an open cell forced."""
    for i in range(60):
        puzzle = random_puzzle(stream("backbone", i))
        expected = brute(puzzle)
        cnf = lower(TOY, puzzle)
        assert cnf is not None
        if not expected:
            with pytest.raises(ValueError, match="no backbone"):
                sat.backbone(cnf, 1000)
            continue
        columns = list(zip(*expected, strict=True))
        assert sat.backbone(cnf, 1000) == tuple(c[0] if len(set(c)) == 1 else BLANK for c in columns)


def test_a_clash_is_unsolvable_and_minimal() -> None:
    """A clash with a spare member misleads who reads it; one that is solvable is wrong."""
    checked = 0
    for i in range(200):
        puzzle = random_puzzle(stream("clash", i))
        if brute(puzzle):
            continue
        members = Engines(TOY).unsat_core(puzzle)
        checked += 1
        assert len(set(members)) == len(members)

        def solvable(names: tuple[str, ...], puzzle: ToyPuzzle = puzzle) -> bool:
            rest = puzzle.with_clues([clue for clue in puzzle.clues if clue.id in names])
            everything = product(*map(range, TOY.form.slots(rest.spec, rest.board)))
            return any(not {"ends", "dial", *names} & set(names) & set(TOY.broken_rules(rest, v)) for v in everything)

        assert not solvable(members)
        for left_out in members:
            assert solvable(tuple(m for m in members if m != left_out))
    assert checked > 20


def test_a_clash_has_as_few_clues_as_can_be() -> None:
    """A reader compares three clues where two say it already, since a rule was left out instead of the third clue."""
    checked = 0
    for i in range(50):
        puzzle = random_puzzle(stream("few clues", i))
        if brute(puzzle):
            continue
        cnf = lower(TOY, puzzle)
        members = sat.unsat_core(cnf, 1_000) if cnf else None
        assert cnf and members and sat.not_an_unsat_core(cnf, members, 1_000) == ""
        clues = [clue for clue in puzzle.clues if clue.id in members]
        if len(clues) > 1:
            checked += 1
            assert all(brute(puzzle.with_clues(fewer)) for fewer in combinations(puzzle.clues, len(clues) - 1))
    assert checked > 4


def test_a_search_for_fewer_clues_that_is_cut_short_leaves_a_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget of the search would be taken for a proof, or leave no clash at all."""
    for name in ("FEWER", "READ", "HITS"):
        monkeypatch.setattr(sat, name, 0)
        for i in range(60):
            puzzle = random_puzzle(stream("few clues", i))
            cnf = lower(TOY, puzzle)
            if cnf and not brute(puzzle):
                members = sat.unsat_core(cnf, 1_000)
                assert members and sat.not_an_unsat_core(cnf, members, 1_000) == ""
        monkeypatch.undo()


def test_thinning_keeps_one_answer_and_nothing_more_can_go() -> None:
    """Thinning that forgets a clue leaves two answers; one that stops early leaves clues nobody needs."""
    checked = 0
    for i in range(300):
        puzzle = random_puzzle(stream("thin", i))
        if len(brute(puzzle)) != 1:
            continue
        checked += 1
        order = stream("thin", i, "order").shuffled(range(len(puzzle.clues)))
        kept = Engines(TOY).minimize(puzzle, order, 0)
        minimized = puzzle.with_clues([puzzle.clues[k] for k in kept])
        assert brute(minimized) == brute(puzzle)
        for k in kept:
            assert len(brute(puzzle.with_clues([puzzle.clues[j] for j in kept if j != k]))) > 1
        enough = Engines(TOY).minimize(puzzle, order, len(puzzle.clues) - 1)
        assert len(enough) >= len(puzzle.clues) - 1
    assert checked > 5


def test_a_spent_budget_is_unknown_and_never_a_proof() -> None:
    """UNKNOWN taken for UNSAT would call ambiguous puzzles unique."""
    puzzle = random_puzzle(stream("budget", 1)).with_clues(())
    found = finding(TOY, puzzle, "checker", 2, Budget(checks=3))
    assert isinstance(found, Finding)
    assert not found.decided(2)
    assert not found.exhausted
    with pytest.raises(Discarded, match="budget"):
        certify(TOY, puzzle, None, Budget(conflicts=0))
    assert recheck(TOY, puzzle, Status.UNSOLVABLE, None, None, "checker", Budget(checks=3)).decided is False


def test_a_disagreement_stops_with_the_puzzle_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that says too much must not get past the second formulation."""
    unsound = Switches.model

    def model(self: Switches, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = unsound(self, spec, board)
        m.require(m.key[1][1])  # not a rule
        return m

    puzzle = next(p for p in (random_puzzle(stream("d", i)) for i in range(999)) if [v[1] for v in brute(p)] == [0])
    answer = next(iter(brute(puzzle)))
    assert certify(TOY, puzzle, answer, Budget()).status is Status.UNIQUE
    monkeypatch.setattr(Switches, "model", model)
    other = replace(puzzle, spec=Spec(Params(6), ()))
    from puzzlemill.solvers import lower as module

    module._rules_of.cache_clear()
    with pytest.raises(EnginesDisagree, match=r"model:sat says 0 answers.*checker:search says 1 answers") as caught:
        certify(TOY, other, answer, Budget())
    assert '"family":"switches"' in caught.value.puzzle
    module._rules_of.cache_clear()


def test_recheck_names_what_is_wrong_with_a_row() -> None:
    """`verify` must not pass a row whose answer or status was swapped."""
    puzzle = next(p for p in (random_puzzle(stream("r", i)) for i in range(999)) if len(brute(p)) == 1)
    answer = next(iter(brute(puzzle)))
    wrong = (1 - answer[0], *answer[1:])
    for engine in ("sat", "smt", "checker"):
        assert recheck(TOY, puzzle, Status.UNIQUE, answer, None, engine, Budget()).problem == ""
        assert "breaks" in recheck(TOY, puzzle, Status.UNIQUE, wrong, None, engine, Budget()).problem
        assert "finds one answer" in recheck(TOY, puzzle, Status.UNSOLVABLE, None, None, engine, Budget()).problem.replace(
            "(s)", ""
        )
        bare = puzzle.with_clues(())
        assert "two or more" in recheck(TOY, bare, Status.UNIQUE, next(iter(brute(bare))), None, engine, Budget()).problem
    assert not recheck(TOY, puzzle, Status.UNIQUE, answer, None, "kernel", Budget()).decided
