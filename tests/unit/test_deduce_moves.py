"""Reasoning about least moves, on boards made for it: distances in their order, the largest disk first, no way at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Step
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Rule, Spec
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.solvers.deduce import explain, explain_all, grade, moves, routes
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.transforms import transforms

ROADS, TOWERS = family_named("navigation"), family_named("hanoi")
RANDOM = {"start": "random", "goal": "random"}
# family, parameters, rules, the transform that takes away every way
KINDS: dict[str, tuple[AnyFamily, dict[str, Any], tuple[str, ...], str]] = {
    "roads": (ROADS, {"places": 12, "paths": 28}, (), ""),
    "roads via": (ROADS, {"places": 10, "paths": 28}, ("via",), ""),
    "roads via two": (ROADS, {"places": 10, "paths": 28, "visits": 2}, ("via",), ""),
    "cut": (ROADS, {"places": 14, "paths": 28}, (), "cut"),
    "via cut": (ROADS, {"places": 12, "paths": 28, "visits": 2}, ("via",), "cut"),
    "tower": (TOWERS, {"pegs": 3, "disks": 5}, (), ""),
    "three pegs": (TOWERS, {"pegs": 3, "disks": 5, **RANDOM}, (), ""),
    "four pegs": (TOWERS, {"pegs": 4, "disks": 5, **RANDOM}, (), ""),
    "right only": (TOWERS, {"pegs": 4, "disks": 4, **RANDOM}, ("right_only",), ""),
    "one way": (TOWERS, {"pegs": 4, "disks": 5, **RANDOM}, ("right_only",), "one_way"),
    "deep one way": (TOWERS, {"pegs": 4, "disks": 4, **RANDOM}, ("right_only",), "deep_one_way"),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def drawn(kind: str, number: int) -> Iterator[AnyDraft]:
    """So many puzzles of a kind; a change that does not come about is left out."""
    family, params, rules, change = KINDS[kind]
    spec, engines = Spec(replace(family.params(), **params), tuple([Rule(name) for name in rules])), Engines(family)
    index = 0
    while number:
        rng = stream("tests", "deduce moves", kind, index)
        index += 1
        draft = family.make_puzzle(spec, family.sample_solution(spec, rng.child("fill"), engines), rng.child("pose"))
        try:
            yield transforms(family)[change].edit(family, draft, rng.child("edit"), engines) if change else draft
        except Discarded:
            continue
        number -= 1


@cache
def first(kind: str) -> tuple[AnyFamily, AnyPuzzle, tuple[Step, ...]]:
    family, draft = KINDS[kind][0], next(drawn(kind, 1))
    graded = grade(family, draft.puzzle, draft.answer)
    assert graded is not None
    return family, draft.puzzle, graded.steps


def told(family: AnyFamily, text: str) -> tuple[AnyPuzzle, list[str]]:
    """A puzzle from its text form, with its reasoning in the plainest words."""
    puzzle = family.text.parse(lines_of(text))
    engines = Engines(family)
    answer = asked(puzzle).candidate(engines, puzzle)
    graded = grade(family, puzzle, answer)
    assert graded is not None
    return puzzle, explain_all(family, puzzle, graded.steps)


@each_kind
def test_every_step_holds(kind: str) -> None:
    """A distance, a sum, a count, a move or an arrangement is wrong or missing, or a sentence is damaged."""
    family = KINDS[kind][0]
    for draft in drawn(kind, 1 if kind == "tower" else 5):
        graded = grade(family, draft.puzzle, draft.answer)
        assert graded is not None
        assert graded.steps
        assert graded == grade(family, draft.puzzle, draft.answer)
        assert wrong_step(family, draft.puzzle, graded.steps) == ""
        assert (graded.steps[-1].sets == ()) == (draft.answer is None)
        for phrasing in (0, 1, 8, 15):
            puzzle = replace(draft.puzzle, style=replace(draft.puzzle.style, phrasing=phrasing))
            texts = explain_all(family, puzzle, graded.steps)
            assert sum(map(len, texts)) <= 16_000
            for text in texts:
                assert re.match("[A-Z0-9]", text) and text.endswith("."), text
                assert not re.search(r"  | ,|,,|\w\.\.|[{}\[\]?]|\B#|-1\b|\bsteps? \d", text), text
                assert len(text) <= 600, text
            assert texts[-1].endswith("So there is no answer.") == (draft.answer is None)


@each_kind
def test_the_band_is_that_of_the_work(kind: str) -> None:
    """Reasoning must not change how hard a row is said to be."""
    family, puzzle, _ = first(kind)
    draft = next(drawn(kind, 1))
    graded = grade(family, puzzle, draft.answer)
    difficulty = [asked(puzzle).difficulty(family, puzzle, draft.answer, each, None) for each in (graded, None)]
    assert difficulty[0] == difficulty[1]
    assert difficulty[0]["tier"] is None


@each_kind
def test_wrong_steps_are_found(kind: str) -> None:
    """The checker believes a number, a place where a disk stands, or that nothing was left out."""
    family, puzzle, steps = first(kind)

    def wrong(planted: list[Step]) -> str:
        return wrong_step(family, puzzle, planted)

    for at, step in enumerate(steps):
        if step.sets:
            slot, value = step.sets[-1]
            assert wrong([*steps[:at], replace(step, sets=(*step.sets[:-1], (slot, value + 1))), *steps[at + 1 :]])
        told_only = step.technique == "largest" and puzzle.spec.params.pegs > 3  # leads over to the plan, proves nothing
        if len(steps) > 1 and not told_only:
            assert wrong([*steps[:at], *steps[at + 1 :]]), f"nobody misses {explain(family, puzzle, step)}"
    assert "no earlier step" in wrong([replace(steps[0], uses=("#1",)), *steps[1:]])
    assert "no part of this puzzle" in wrong([replace(steps[0], uses=("disk 99",)), *steps[1:]])
    assert "no such technique" in wrong([replace(steps[0], technique="search"), *steps[1:]])


@pytest.mark.parametrize("kind", ["roads", "roads via"])
def test_findings_are_checked_and_not_only_conclusions(kind: str) -> None:
    """A path is left out, a sum or a comparison is made up, or the route is another one than the distances say."""
    family, puzzle, steps = first(kind)
    planted = 0

    def refused(at: int, **fields: Any) -> int:
        found = replace(steps[at].found, **fields)
        assert wrong_step(family, puzzle, [*steps[:at], replace(steps[at], found=found), *steps[at + 1 :]]), fields
        return 1

    for at, step in enumerate(steps[:-1]):
        found = step.found
        assert isinstance(found, routes.Settle)
        planted += refused(at, rival=found.rival + 1)
        if found.labels:
            state, total = found.labels[0]
            planted += refused(at, labels=found.labels[1:])
            planted += refused(at, labels=((state, total + 1), *found.labels[1:]))
        if found.longer:
            state, total, best, own = found.longer[0]
            planted += refused(at, longer=((state, total, best + 1, own), *found.longer[1:]))
        if found.behind:
            planted += refused(at, behind=found.behind[1:])
    last = steps[-1].found
    planted += refused(len(steps) - 1, route=(*last.route[:-2], last.route[-1]))
    planted += refused(len(steps) - 1, rival=last.rival + 1)
    planted += refused(len(steps) - 1, lengths=(last.lengths[0] + 1, *last.lengths[1:]))
    assert planted > 15


def test_a_small_map_in_words() -> None:
    """Each sentence states what it uses: what is open, what every path gives, and why no other route is shorter."""
    kinds = "kinds: school bank\nplaces: A=school B=school C=school D=bank E=bank\nway: A bank"
    paths = "A -> B 9\nA -> C 2\nC -> B 3\nC -> D 8\nB -> D 1\nB -> A 1\nD -> E 1"
    puzzle, texts = told(ROADS, f"navigation\n{kinds}\n{paths}")
    assert texts == [
        "The route starts at A. From A paths lead to C (2) and to B (9). A place that is reached is open until it is settled. "
        "The nearest open place can always be settled: by way of another one it would be no nearer.",
        "The nearest open place is C, 2 away (by way of A); every other open place is at least 9 away. "
        "From C paths lead to B (2 + 3 = 5, less than 9) and to D, a bank (2 + 8 = 10).",
        "The nearest open place is B, 5 away (by way of C: 2 + 3); every other open place is at least 10 away. "
        "From B a path leads to D, a bank (5 + 1 = 6, less than 10). B also leads to A, which is settled already.",
        "Only D, a bank, is open, at 6, so no route is shorter. The route is A -> C -> B -> D: 2 + 3 + 1 = 6.",
    ]
    assert ROADS.describe(puzzle, "place 1") == "From A paths lead to B and C only."


def test_no_way_in_words() -> None:
    """The places that can be reached, where their paths lead, and that none of them is wanted."""
    kinds = "kinds: school bank park\nplaces: A=school B=school C=park D=bank E=bank\nway: A bank\n"
    _, texts = told(ROADS, f"navigation\n{kinds}A -> B 1\nB -> A 2\nB -> C 1\nD -> E 1")
    assert texts == [
        "The route starts at A: from A a path leads to B only; from B paths lead to C and A only; no path leads away from C. "
        "So only A, B and C can be reached, and none of these is a bank. So there is no answer."
    ]


def test_visits_in_words() -> None:
    """A place is told apart from the same place after a visit, and nothing is said of other routes that one of them belies."""
    kinds = "kinds: school bank park\nplaces: A=school B=park C=school D=bank E=park\nway: A bank"
    paths = "A -> B 1\nA -> E 2\nB -> A 2\nB -> C 3\nC -> D 1\nE -> C 2\nA -> C 1"
    _, texts = told(ROADS, f"navigation via=park\n{kinds}\n{paths}")
    assert texts[0].startswith(
        "The route starts at A. From A paths lead to B*, a park (1), to C (1) and to E*, a park (2). "
        "Once a park is visited, places count anew and have a star: A* is A after that. "
    )
    assert texts[1:] == [
        "The nearest open place is C, 1 away (by way of A); every other open place is at least 1 away. "
        "From C a path leads to D (1 + 1 = 2).",
        "The nearest open place is B*, 1 away (by way of A); every other open place is at least 2 away. "
        "From B* paths lead to A* (1 + 2 = 3) and to C* (1 + 3 = 4).",
        "The nearest open place is D, 2 away (by way of C: 1 + 1); every other open place is at least 2 away. "
        "No path leads away from D.",
        "The nearest open place is E*, 2 away (by way of A); every other open place is at least 3 away. "
        "By way of E*, C* would be 4, no better than its 4.",
        "The nearest open place is A*, 3 away (by way of B*: 1 + 2); every other open place is at least 4 away. "
        "By way of A*, C* would be 4, no better than its 4. A* also leads to B* and E*, which are settled already.",
        "Only C* is open, at 4 (by way of B*: 1 + 3). From C* a path leads to D*, a bank (4 + 1 = 5).",
        "Only D*, a bank, is open, at 5, so no route is shorter. The route is A -> B -> C -> D: 1 + 3 + 1 = 5.",
    ]
    _, texts = told(ROADS, f"navigation via=park\n{kinds}\nA -> C 1\nC -> B 1\nB -> A 1\nD -> C 1\nC -> E 1")
    assert texts == [
        "Before a park is visited, the route starts at A: from A a path leads to C only; from C paths lead to B and E only. "
        "So before a park is visited, only A and C can be reached, and from there the parks B and E.",
        "With a park visited, one is at B or E: from B a path leads to A only; no path leads away from E; from A a path leads "
        "to C only; from C paths lead to B and E only. So with a park visited, only B, E, A and C can be reached, and none of "
        "these is a bank. So there is no answer.",
    ]


def test_the_largest_disk_goes_over_the_third_peg_where_that_is_shorter() -> None:
    """Both ways are counted: the smaller disks stand on its goal and have to end where it starts."""
    puzzle, texts = told(TOWERS, "hanoi\nstart\nA: 3\nB:\nC: 2 1\ngoal\nA: 2 1\nB:\nC: 3")
    assert texts[5] == (
        "Disk 3 moves once or twice (more often never pays): straight to C, 3 + 1 + 3 = 7 moves; over B, with disks 1 and 2 on C "
        "first and then carried to A, 0 + 1 + 3 + 1 + 0 = 5. So it goes over B, and no list has fewer than 5 moves."
    )
    assert texts[-1].endswith("after 5 moves: A: 2 1; B: empty; C: 3.")
    assert Engines(TOWERS).shortest_route(puzzle).length == 5


def test_long_traces_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row without reasoning rather than one with a piece of it."""
    family, puzzle, steps = first("roads")
    answer = next(drawn("roads", 1)).answer
    monkeypatch.setattr(routes, "MOST", 100)
    graded = grade(family, puzzle, answer)
    assert steps
    assert graded is not None
    assert graded.steps == ()
    family, puzzle, _ = first("tower")
    monkeypatch.setattr(moves, "MOST", 100)
    graded = grade(family, puzzle, next(drawn("tower", 1)).answer)
    assert graded is not None
    assert graded.steps == ()
    assert wrong_step(family, puzzle, ()) == ""


def test_each_technique_has_several_wordings() -> None:
    """Voices say the same in one way only."""
    wordings: dict[str, dict[str, None]] = {}
    for kind in KINDS:
        family, puzzle, steps = first(kind)
        for phrasing in range(24):
            other = replace(puzzle, style=replace(puzzle.style, phrasing=phrasing))
            for step, text in zip(steps, explain_all(family, other, steps), strict=True):
                words = [word for word in re.findall("[a-z]+", text.lower()) if len(word) > 2]
                wordings.setdefault(step.technique, {})[" ".join(words[:4])] = None
    few = {technique for technique, each in wordings.items() if len(each) < 3}
    assert few <= {"blocked"}
    assert set(wordings) >= {"settle", "arrive", "reach", "largest", "gather", "compare", "park", "carry", "leftward", "few"}
