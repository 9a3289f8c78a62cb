"""Deducers: every step of a trace follows from what it names, leads somewhere and has its sentence; wrong traces are found.

The checker of steps (solvers/deduce/check.py) replays them against the family's model, which shares no code with the deducers.
What one technique concludes on a grid made for it is in tests/unit/test_deduce_*.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pytest
from pysat.solvers import Solver

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Constraints, Ground, Step
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Rule, Spec
from puzzlemill.generators import families, family_named
from puzzlemill.rules.codes import KINDS
from puzzlemill.solvers.deduce import _module, explain_all, grade
from puzzlemill.solvers.deduce.candidates import FILLED, ITSELF
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.latin_findings import LONGEST
from puzzlemill.transforms import transforms
from strategies import Case, is_forced, unwanted, with_clash

UNTIDY = re.compile(r"  | ,|,,|\w\.\.|[{}\[\]]|\?\d|\B#|(?<!\d)-1\b")


def by_row_and_column(spec: Spec[Any], slot: int) -> str:
    return f"ow {slot // spec.params.cols + 1} column"


def by_cell(spec: Spec[Any], slot: int) -> str:
    return f"r{slot // spec.params.size + 1}c{slot % spec.params.size + 1}"


KINDS_OF_CODES = [prefix + name for kinds in KINDS.values() for name in kinds for prefix in ("", "reordered_")]


@dataclass(frozen=True)
class Deducer:
    """A family whose puzzles are deduced, and the specs that lead through its techniques.

    specs: parameters, then names of rules. seldom: techniques that a few puzzles of each spec may do without. place: how a
    sentence names a slot, where every sentence names all slots that it decides.
    """

    family: str
    specs: tuple[tuple[dict[str, Any], *tuple[str, ...]], ...]
    seldom: str = "search"
    place: Callable[[Spec[Any], int], str] | None = None

    def cases(self) -> list[Case]:
        family = family_named(self.family)
        return [
            Case(family, Spec(replace(family.params(), **params), tuple(Rule(name) for name in rules)))
            for params, *rules in self.specs
        ]


ALL_WAYS = {"one_of_three": True, "implication": True}
DEDUCERS = [
    Deducer(
        "sudoku",
        (
            ({"size": 4},),
            ({"size": 6},),
            ({"size": 9},),
            ({"size": 6}, "zones"),
            ({"size": 6}, "diagonals"),
            ({"size": 6}, "nonconsecutive"),
            ({"size": 6}, "max_box"),
            ({"size": 6}, "diagonals", "max_box"),
            ({"size": 6}, "max_box", "zones"),
        ),
        seldom="xy_chain search hidden_triple naked_quad naked_triple swordfish hidden_quad jellyfish",
        place=by_cell,
    ),
    Deducer(
        "binario",
        (
            ({"rows": 6, "cols": 4},),
            ({"rows": 8, "cols": 8},),
            ({"rows": 8, "cols": 6, "extras": 4},),
            ({"rows": 6, "cols": 6}, "distinct"),
            ({"rows": 10, "cols": 10, "extras": 4}, "distinct"),
        ),
        seldom="line_clue search",
    ),
    Deducer(
        "minesweeper",
        (
            ({"rows": 6, "cols": 6, "mines": 12},),
            ({"rows": 7, "cols": 6, "mines": 14, "opened": 40, "total": True},),
            ({"rows": 6, "cols": 6, "mines": 12, "opened": 50, "total": True}, "clusters"),
            ({"rows": 6, "cols": 6, "mines": 5, "opened": 30, "total": True}, "no_touching_mines"),
            ({"rows": 9, "cols": 9, "mines": 35},),
        ),
        seldom="search total far_look_ahead total_rest deep_look_ahead apart",
        place=by_row_and_column,
    ),
    Deducer(
        "zebra",
        (
            ({"positions": 4, "attributes": 3},),
            ({"positions": 5, "attributes": 4},),
            ({"positions": 3, "attributes": 5, "looser": True},),
            ({"positions": 4, "attributes": 4, "exclusive_or": True},),
            ({"positions": 4, "attributes": 4, **ALL_WAYS},),
        ),
        seldom="search deep_look_ahead same clash",
    ),
    Deducer(
        "ordering",
        (
            ({"persons": 6},),
            ({"persons": 8},),
            ({"persons": 6, "looser": True},),
            ({"persons": 6, "exclusive_or": True},),
        ),
        seldom="search deep_look_ahead long_deep_look_ahead same clash cases",
    ),
    Deducer(
        "logic_grid",
        (
            ({"categories": 3, "items": 4},),
            ({"categories": 4, "items": 5},),
            ({"categories": 3, "items": 5, "scales": 2},),
            ({"categories": 4, "items": 5, "looser": True},),
            ({"categories": 4, "items": 5, "exclusive_or": True},),
            ({"categories": 4, "items": 5, **ALL_WAYS},),
            ({"categories": 4, "items": 4}, "false_clue"),
        ),
        seldom="search cases subset look_ahead long_look_ahead",
    ),
    Deducer(
        "seating",
        (
            ({"persons": 6},),
            ({"shape": "circle", "persons": 8},),
            ({"shape": "circle", "persons": 6, "facing": "found"},),
            ({"shape": "rows", "persons": 8, "attribute": True},),
            ({"shape": "square", "facing": "mixed"},),
            ({"persons": 6, "exclusive_or": True},),
            ({"shape": "circle", "persons": 6, "implication": True},),
        ),
        seldom="search deep_case_split no_half no_person no_seat shared_seats",
    ),
    Deducer(
        "skyscraper",
        (
            ({"size": 4},),
            ({"size": 5},),
            ({"size": 6, "shown": 4},),
            ({"size": 6, "clues": 24},),
            ({"size": 6, "hint": "sum"},),
            ({"size": 5}, "diagonal_hints"),
            ({"size": 7, "shown": 6},),
        ),
        seldom="naked_quad swordfish hidden_quad hidden_triple two_hints search",
    ),
    Deducer(
        "hitori",
        (
            ({"rows": 4, "cols": 4},),
            ({"rows": 5, "cols": 7},),
            ({"rows": 8, "cols": 6},),
            ({"rows": 5, "cols": 4}, "braced"),
            ({"rows": 7, "cols": 6}, "braced"),
        ),
        seldom="deep_look_ahead search crowd look_ahead",
    ),
    Deducer(
        "kakurasu",
        (
            ({"rows": 6, "cols": 6, "hidden": 1},),
            ({"rows": 7, "cols": 6, "hidden": 4}, "blocked_cells"),
            ({"rows": 8, "cols": 8, "hidden": 1},),
            ({"rows": 8, "cols": 8, "hidden": 7},),
        ),
        seldom="all_ways far_look_ahead deep_look_ahead long_far_look_ahead long_all_ways long_deep_look_ahead search",
    ),
    Deducer(
        "crypto",
        (
            ({},),
            ({"layers": 4},),
            ({"segments": 3, "layers": 2},),
            ({"task": "unordered", "layers": 3, "samples": 2},),
            ({"task": "pairs", "samples": 3},),
            ({"task": "pairs", "samples": 2, "rounds": 2},),
            ({"task": "pairs", "samples": 2, "layers": 2, "methods": 6, "keys": 4, "segments": 2},),
        ),
        seldom="search",
    ),
    Deducer(
        "acrostic",
        (
            ({"letters": 50, "spread": 10, "carriers": 1},),
            ({"letters": 60, "spread": 10, "lines": 0, "ambiguous": 100, "carriers": 30},),
            ({"letters": 60, "spread": 10, "revealed": 4, "unclued": 1},),
        ),
        seldom="same_letter supposed no_word search",
    ),
    Deducer(
        "coding",
        (
            ({},),
            ({"decode": True},),
            ({"task": "numbers", "letters": 4, "samples": 3},),
            ({"task": "sums", "samples": 4},),
            ({"task": "sentences", "samples": 4, "decode": True},),
            ({"task": "sentences", "samples": 3, "words": 3},),
            ({"task": "conditions"},),
            ({"task": "conditions", "chained": True, "conditions": 4},),
        ),
        seldom=" ".join(
            [*KINDS_OF_CODES, "shared_words", "conditions"]
        ),  # a technique for each kind of code: tests/unit/test_coding.py has all of them
    ),
    Deducer(
        "crossword",
        (
            ({"size": 5, "vague": 100},),
            ({"size": 7, "vague": 100},),
            ({"size": 5, "style": "checked", "lexicon": "known", "vague": 100},),
            ({"size": 5, "style": "checked", "lexicon": "known", "unclued": 1},),
            ({"size": 9, "lexicon": "rare", "vague": 100},),
        ),
        seldom="search supposed_word taken no_letter crossing wide_clue",
    ),
    Deducer(
        "cryptogram",
        (
            ({"sentences": 1, "listed": True},),
            ({},),
            ({"level": "hard", "lexicon": "rare", "sentences": 1},),
            ({}, "apart"),
        ),
        seldom="many_cases cases search no_word",
    ),
    Deducer(
        "kumo",
        (
            ({"truths": 5, "actions": 8, "told": True},),
            ({"truths": 8, "actions": 10, "told": True, "domain": "invented"},),
            ({"truths": 12, "actions": 14, "told": True, "valid": 2},),
        ),
    ),
]
DEDUCERS = [deducer for deducer in DEDUCERS if deducer.family in families()]
EVERY = [case for deducer in DEDUCERS for case in deducer.cases()]
each_deducer = pytest.mark.parametrize("deducer", DEDUCERS, ids=lambda deducer: deducer.family)


def puzzles(case: Case, numbers: range) -> Iterator[AnyDraft]:
    return chain.from_iterable(with_clash(case, number) for number in numbers)


def steps_of(case: Case, draft: AnyDraft) -> tuple[Step, ...]:
    graded = grade(case.family, draft.puzzle, draft.answer)
    assert graded is not None
    return graded.steps


def check_trace(deducer: Deducer, case: Case, draft: AnyDraft, phrasings: Sequence[int]) -> None:
    """Everything that must hold of one trace, told in the usual words and in these."""
    family, puzzle = case.family, draft.puzzle
    graded = grade(family, puzzle, draft.answer)
    assert graded is not None
    assert graded == grade(family, puzzle, draft.answer), "the same puzzle gave other steps"
    steps = graded.steps
    assert wrong_step(family, puzzle, steps) == ""
    if draft.answer is not None:
        assert steps[-1].sets or steps[-1].claims
        values = every_slot(case, draft)[1]
        set_ = [fact for step in steps for fact in step.sets]
        assert len(set(set_)) == len(set_), "a slot is set twice"
        assert all(values[slot] == value for slot, value in set_)
    else:
        assert not steps[-1].sets and not steps[-1].drops
    used = {use for step in steps for use in step.uses}
    idle = [f"#{k}" for k, step in enumerate(steps[:-1], 1) if not step.sets and step.uses and f"#{k}" not in used]
    assert not idle, "steps that nothing leans on"
    filled = set(family.clues.given_slots(puzzle))
    for step in steps:
        assert {use for part in step.within for use in part.uses} <= set(step.uses), step
        assert filled >= {slot for each in step.grounds or () for (slot, _), way in each.out if way == FILLED}, step
        filled |= {slot for slot, _ in step.sets}
    looks = [
        transform for transform in transforms(family).values() if transform.stage() == 2 and transform.fits(family, case.spec)
    ]
    styles = [puzzle.style]
    for look in looks:
        with suppress(Discarded):  # not every puzzle has what the look shows
            styles.append(look.restyle(family, puzzle, case.rng("look")))
    if any(step.grounds is not None for step in steps):
        styles += [replace(puzzle.style, phrasing=phrasing) for phrasing in phrasings]
    for style in styles:
        for step, text in zip(steps, explain_all(family, replace(puzzle, style=style), steps), strict=True):
            assert re.match(r"[A-Z0-9$\"]|r\d", text) and text.endswith("."), text
            assert not UNTIDY.search(text) and not unwanted(text), text
            if step.grounds is not None:
                check_restated(step, text, by_cell, case.spec, style.symbols)
            if deducer.place is not None and step.technique != "search":
                assert all(deducer.place(puzzle.spec, slot) in text for slot, _ in (*step.sets, *step.drops)), text


def check_restated(
    step: Step, text: str, place: Callable[[Spec[Any], int], str], spec: Spec[Any], symbols: Sequence[str]
) -> None:
    """A sentence stands alone: it names no step, and has the facts of its step with their values; long ones and
    chains, whose links name their units, may have fewer.
    """
    assert not re.search(r"\bsteps? \d", text), text
    assert len(text) <= LONGEST or step.technique == "search", text
    grounds = step.grounds or ()
    if step.technique == "chain" or step.within or len(grounds) + 3 * sum(not ground.holds for ground in grounds) > 12:
        return
    for (slot, value), holds, out, _ in grounds:
        if " filled" in text and {way for _, way in out} <= {ITSELF, FILLED}:
            continue  # cells that hold something else are told together
        assert symbols[value] in text, (step, text)
        # what fills a line is told by its values, and a hint names its line
        assert step.technique == "full_line" or place(spec, slot) in text, (step, text)
        assert holds or " not " in text, text


def techniques_of(deducer: Deducer, numbers: range, first: int, phrasings: int) -> tuple[set[str], set[str]]:
    """All techniques of a deducer, and what traces of these puzzles of each spec had; of each spec the first traces are checked,
    and those that have what none before them had, each in so many of the other four phrasings."""
    every, seen = set[str](), set[str]()
    checked = 0
    for case in deducer.cases():
        for at, draft in enumerate(puzzles(case, numbers)):
            graded = grade(case.family, draft.puzzle, draft.answer)
            assert graded is not None
            had = {graded.band, *[step.technique for step in graded.steps], *(["unsolvable"] if draft.answer is None else [])}
            if at < first or had - seen:
                check_trace(deducer, case, draft, [1 + (checked + more) % 4 for more in range(phrasings)])
                checked += 1
            every |= set(_module(case.family.deduction_table(draft.puzzle)).TECHNIQUES)
            seen |= had
    return every, seen


@each_deducer
def test_traces_hold(deducer: Deducer) -> None:
    """A reason is left out, a technique is unsound or needed by nothing any more, or a sentence is damaged."""
    every, seen = techniques_of(deducer, range(6), 1, 1)
    assert every - seen <= set(deducer.seldom.split())
    assert seen >= {"easy", "medium", "hard", "unsolvable"}


@pytest.mark.slow
@each_deducer
def test_many_traces_hold(deducer: Deducer) -> None:
    """The same of more puzzles."""
    seldom = set(deducer.seldom.split())
    every, seen = techniques_of(deducer, range(6, 14), 3, 4)
    if not every - seen <= seldom:
        seen |= techniques_of(deducer, range(14, 20), 0, 4)[1]
    assert every - seen <= seldom


def changed(steps: Sequence[Step], at: int, **fields: Any) -> list[Step]:
    return [*steps[:at], replace(steps[at], **fields), *steps[at + 1 :]]


def some(steps: Sequence[Step], most: int) -> list[tuple[int, Step]]:
    """Up to so many steps, spread over the whole trace, with their places."""
    return list(enumerate(steps))[:: -(-len(steps) // most)]


def first_trace(case: Case, solvable: bool) -> tuple[AnyPuzzle, list[Step], AnyDraft]:
    draft = next(draft for draft in puzzles(case, range(20)) if (draft.answer is not None) is solvable)
    return draft.puzzle, list(steps_of(case, draft)), draft


def every_slot(case: Case, draft: AnyDraft) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of values and the values in the answer of all slots that steps may speak of, those besides the answer's too."""
    family, spec, board = case.family, draft.puzzle.spec, draft.puzzle.board
    values, model = family.form.values(spec, board, draft.answer), family.model(spec, board)
    sizes = family.form.slots(spec, board)
    if not isinstance(model, Constraints) or not model.also:
        return sizes, values
    for clue in draft.puzzle.clues:  # some have slots of their own
        family.clues.state(model, spec, board, clue)
    with Solver("cadical153", bootstrap_with=[clause for clause, _ in model.clauses]) as solver:
        assert solver.solve(assumptions=[lits[v] for lits, v in zip(model.key, values, strict=True)])
        true = set(solver.get_model())
    more = tuple([next(v for v, lit in enumerate(lits) if lit in true) for lits in model.also])
    return (*sizes, *map(len, model.also)), (*values, *more)


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_wrong_traces_are_found(case: Case) -> None:
    """The checker takes any conclusion, looks only at the first, assumes what a step does not name, or stops too early."""
    family = case.family
    puzzle, steps, draft = first_trace(case, True)
    sizes, values = every_slot(case, draft)

    def wrong(planted: list[Step]) -> str:
        return wrong_step(family, puzzle, planted)

    for at, step in some(steps, 8):
        if step.sets:
            slot, value = step.sets[-1]
            planted = changed(steps, at, sets=(*step.sets[:-1], (slot, (value + 1) % sizes[slot % len(sizes)])))
        elif step.claims:
            continue  # not about slots; tests/unit has wrong ones
        else:
            slot = step.drops[-1][0] % len(values)
            planted = changed(steps, at, drops=(*step.drops, (slot, values[slot])))
        assert wrong(planted[: at + 1]) == f"step {at + 1} ({step.technique}): does not follow from what it uses"
    uses = steps[0].uses
    for label in ("#1", "#0", f"#{len(steps)}"):
        assert "which is no earlier step" in wrong(changed(steps, 0, uses=(*uses, label)))
    assert "which is no clue" in wrong(changed(steps, 0, uses=(*uses, "nothing")))
    own = len(family.form.slots(puzzle.spec, puzzle.board))
    found = [(k, slot, value) for k, step in enumerate(steps) for slot, value in step.sets]
    last = max(k for k, slot, value in found if slot < own and (value or not is_forced(puzzle)))
    assert "left open" in wrong(steps[:last])
    assert "does not follow" in wrong([*steps, Step("contradiction", uses)])
    if family.clues.can_clash(case.spec):
        puzzle, steps, _ = first_trace(case, False)
        assert "but the deduction goes on" in wrong([*steps, steps[-1]])


@pytest.mark.parametrize("case", [case for case in EVERY if case.family.name in ("sudoku", "skyscraper")], ids=str)
def test_what_steps_restate_is_true_and_needed(case: Case) -> None:
    """A fact that is left out of a sentence, or is not so, goes unnoticed."""
    puzzle, steps, _ = first_trace(case, True)
    total = found = 0

    def wrong(at: int, step: Step, grounds: Sequence[Ground]) -> str:
        return wrong_step(case.family, puzzle, changed(steps, at, grounds=tuple(grounds))[: at + 1]).removeprefix(
            f"step {at + 1} ({step.technique}): "
        )

    for at, step in some(steps, 8):
        grounds = list(step.grounds or ())
        for k, ground in enumerate(grounds[:2]):
            found += wrong(at, step, grounds[:k] + grounds[k + 1 :]) == "does not follow from what it restates"
            total += 1
            lie = ground._replace(holds=not ground.holds)
            assert wrong(at, step, [*grounds, lie]) == "restates what does not hold"
    assert found * 4 >= total * 3 > 0


# Of how many labels that steps name one may be unnecessary: a rule stands for all of its lines, and says much of small grids.
NEEDED = {"sudoku-size=9,givens=0": 50, "sudoku-size=6,givens=0-diagonals": 4, "sudoku-size=6,givens=0-nonconsecutive": 4}
NEEDED |= {"hitori-rows=8,cols=6": 40, "hitori-rows=7,cols=6-braced": 20}


@pytest.mark.parametrize("case", [case for case in EVERY if str(case) in NEEDED], ids=str)
def test_what_steps_name_is_needed(case: Case) -> None:
    """A use that is left out goes unnoticed: either the checker assumes it anyway, or steps name more than they lean on."""
    total = idle = 0
    puzzle, steps, _ = first_trace(case, True)
    for at, step in some(steps, 10):
        for gone in step.uses:
            uses = tuple(use for use in step.uses if use != gone)
            idle += "does not follow" not in wrong_step(case.family, puzzle, changed(steps, at, uses=uses)[: at + 1])
            total += 1
    assert idle * NEEDED[str(case)] <= total > 20
