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
from puzzlemill.solvers.deduce import _deduced, explain, explain_all, grade, moves, routes
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.steps import UNTOLD
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
                assert len(text) <= 780, text
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
        told_only = step.technique == "park"  # a plan of the moves that follow
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
        planted += refused(at, open=(*found.open, (0, 1)))
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
    planted += refused(len(steps) - 1, open=(*last.open, (0, 1)))
    planted += refused(len(steps) - 1, lengths=(last.lengths[0] + 1, *last.lengths[1:]))
    assert planted > 15


def test_a_small_map_in_words() -> None:
    """Each sentence states what it uses: what is open, what every path gives, and why no other route is shorter."""
    kinds = "kinds: school bank\nplaces: A=school B=school C=school D=bank E=bank\nway: A bank"
    paths = "A -> B 9\nA -> C 2\nC -> B 3\nC -> D 8\nB -> D 1\nB -> A 1\nD -> E 1"
    puzzle, texts = told(ROADS, f"navigation\n{kinds}\n{paths}")
    assert texts == [
        "Find the least distances from A, the nearest place first. A place is open once some route to it is known, and settled "
        "once its least distance is certain. At each step the nearest open place can be settled, because any other route to "
        "it goes through an open place that is no nearer. A itself is settled at 0. From A paths lead to C (2) and B (9).",
        "Now the open places are C (2) and B (9). C is the nearest, so it is settled at 2, straight from A. From C paths "
        "lead to B (2 + 3 = 5, down from 9) and the bank D (2 + 8 = 10).",
        "Now the open places are B (5) and D (10). B is the nearest, so it is settled at 5, by way of C (2 + 3). From B a "
        "path leads to the bank D (5 + 1 = 6, down from 10). B also leads to A, which is settled already.",
        "Now only the bank D is open, at 6, so no route to a bank is shorter. The route is A -> C -> B -> D: 2 + 3 + 1 = 6.",
    ]
    assert ROADS.describe(puzzle, "place 1") == "From A paths lead to B and C only."


def test_no_way_in_words() -> None:
    """The places that can be reached, where their paths lead, and that none of them is wanted."""
    kinds = "kinds: school bank park\nplaces: A=school B=school C=park D=bank E=bank\nway: A bank\n"
    _, texts = told(ROADS, f"navigation\n{kinds}A -> B 1\nB -> A 2\nB -> C 1\nD -> E 1")
    assert texts == [
        "The route starts at A. From A a path leads only to B; from B only to C and A; no path leads away from C. So only A, "
        "B and C can be reached, and none of these is a bank. So there is no answer."
    ]


def test_visits_in_words() -> None:
    """A place is told apart from the same place after a visit, and nothing is said of other routes that one of them belies."""
    kinds = "kinds: school bank park\nplaces: A=school B=park C=school D=bank E=park\nway: A bank"
    paths = "A -> B 1\nA -> E 2\nB -> A 2\nB -> C 3\nC -> D 1\nE -> C 2\nA -> C 1"
    _, texts = told(ROADS, f"navigation via=park\n{kinds}\n{paths}")
    assert texts == [
        "Find the least distances from A, the nearest place first. A place is open once some route to it is known, and settled "
        "once its least distance is certain. At each step the nearest open place can be settled, because any other route to "
        "it goes through an open place that is no nearer. Each place counts twice, as A before a park is visited and as "
        "A* after that. A itself is settled at 0. From A paths lead to the park B* (1), C (1) and the park E* (2).",
        "Now the open places are C (1), B* (1) and E* (2). None is nearer than C, so it is settled at 1, straight from A. "
        "From C a path leads to D (1 + 1 = 2).",
        "Now the open places are B* (1), D (2) and E* (2). B* is the nearest, so it is settled at 1, straight from A. From "
        "B* paths lead to A* (1 + 2 = 3) and C* (1 + 3 = 4).",
        "Now the open places are D (2), E* (2), A* (3) and C* (4). None is nearer than D, so it is settled at 2, by way of C "
        "(1 + 1). No path leads away from D.",
        "Now the open places are E* (2), A* (3) and C* (4). E* is the nearest, so it is settled at 2, straight from A. By "
        "way of E*, C* would be 2 + 2 = 4: no better than the 4 found before.",
        "Now the open places are A* (3) and C* (4). A* is the nearest, so it is settled at 3, by way of B* (1 + 2). By way "
        "of A*, C* would be 3 + 1 = 4: no better than the 4 found before. A* also leads to B* and E*, which are settled already.",
        "Now only C* is open, so it is settled at 4, by way of B* (1 + 3). From C* a path leads to the bank D* (4 + 1 = 5).",
        "Now only the bank D* is open, at 5, so no route to a bank is shorter. The route is A -> B -> C -> D: 1 + 3 + 1 = 5.",
    ]
    _, texts = told(ROADS, f"navigation via=park\n{kinds}\nA -> C 1\nC -> B 1\nB -> A 1\nD -> C 1\nC -> E 1")
    assert texts == [
        "The route starts at A. See where it can go before a park is visited. From A a path leads only to C; from C only to "
        "B and E. So only A and C can be reached before a park is visited, and from there the parks B and E.",
        "Next, see where the route can go after a park has been visited. Begin at B and E. From B a path leads only to A; no "
        "path leads away from E; from A only to C; from C only to B and E. So after a park has been visited, only B, E, A and "
        "C can be reached, and none of these is a bank. So there is no answer.",
    ]


def test_the_largest_disk_goes_over_the_third_peg_where_that_is_shorter() -> None:
    """Both ways are counted: the smaller disks stand on its goal and have to end where it starts."""
    puzzle, texts = told(TOWERS, "hanoi\nstart\nA: 4\nB:\nC: 3 2 1\ngoal\nA: 3 2 1\nB:\nC: 4")
    assert texts[5] == (
        "Straight to C, disk 4 moves once, with 7 moves before and 7 after: 7 + 1 + 7 = 15. By way of B it moves twice: disks "
        "1, 2 and 3 are on C at first, go on to A in between (7 moves) and are then in place. With its own two moves: 0 + 1 + 7 "
        "+ 1 + 0 = 9. If it moved three times or more, disks 1, 2 and 3 would have to go to another peg as a tower (7 moves) "
        "after each move but the last, to let it go on; if it only went back instead, both moves could be left out. With its "
        "three moves that is at least 3 + 2 * 7 = 17. So the way by B is best, and no list has fewer than 9 moves."
    )
    assert texts[-1].endswith("after 9 moves: A: 3 2 1; B: empty; C: 4.")
    assert Engines(TOWERS).shortest_route(puzzle).length == 9


def test_a_way_that_costs_too_much_at_once_is_not_counted_to_its_end() -> None:
    """Both ways are counted to their ends, though what is known of one is more than the other already."""
    _, texts = told(TOWERS, "hanoi\nstart\nA: 4 3 2\nB: 1\nC:\ngoal\nA:\nB: 1\nC: 4 3 2")
    assert "Disk 1 is on B already" in texts[1]
    assert "Disk 1 stays on B" in texts[2]
    assert "at least 7 + 1 + 7 + 1 = 16. If it moved three times" in texts[4]


def test_a_whole_tower_on_three_pegs_has_the_proof_of_the_books() -> None:
    """Four counts that are all alike."""
    puzzle, texts = told(TOWERS, "hanoi\nstart\nA: 4 3 2 1\nB:\nC:\ngoal\nA:\nB:\nC: 4 3 2 1")
    assert texts[0].endswith("From 1 to 4 disks that is 1, 3, 7 and 15, so no list has fewer than 15 moves.")
    graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
    assert graded is not None
    assert wrong_step(TOWERS, puzzle, [replace(graded.steps[0], sets=((4, 14),)), *graded.steps[1:]])


def test_short_proofs_in_words() -> None:
    """A reply appeals to a search where each disk's own moves say it, or a circle of these, or where disks have to wait."""
    _, texts = told(TOWERS, "hanoi\nstart\nA: 1\nB: 3\nC: 2\nD: 4\ngoal\nA: 2 1\nB: 3\nC:\nD: 4")
    assert texts[0] == (
        "Count the fewest moves that each disk needs. Disk 2 is out of place: at least 1 move. Disk 1 stands on A, where "
        "disk 2 has to come below it, and ends there too. So disk 1 has to go away and come back: at least 2 moves. Together "
        "1 + 2 = 3: no list has fewer than 3 moves."
    )
    _, texts = told(TOWERS, "hanoi\nstart\nA: 3\nB:\nC: 2 1\ngoal\nA: 2 1\nB:\nC: 3")
    assert texts[1] == (
        "But that is not enough, since disks 2 and 3 cannot both move only once. Disk 2 stands on C, where the larger disk 3 "
        "must come, so 2 would move before 3; disk 3 must leave A, where disk 2 must end and would lie on it, so 3 would move "
        "before 2. Both cannot be true, so one of them moves once more: no list has fewer than 5 moves."
    )
    _, texts = told(TOWERS, "hanoi\nstart\nA: 4 3 2 1\nB:\nC:\nD:\ngoal\nA:\nB:\nC:\nD: 4 3 2 1")
    assert texts[0] == (
        "When disk 4 first leaves A, disks 1, 2 and 3 must stand on the 2 pegs other than A and its target. Only 2 of them "
        "can be the lowest on their peg, so at least 1 of them rests on another of these disks. Such a disk has moved at "
        "least twice: it lay above that other one on A too, so it left A first and came onto it later. The rest have moved at "
        "least once. That makes 3 + 1 = 4 moves before disk 4 moves. In the same way at least 4 come after its last move. "
        "With its own: 4 + 1 + 4 = 9, so no list has fewer than 9 moves."
    )


def test_the_number_of_moves_of_a_plan_is_made_of_its_parts() -> None:
    """A plan states a number that nothing derives, or one of other parts."""
    nine = "+ 3 * 2 = 8 moves. Move 9 is that of disk 6, and as many moves bring the others onto it: 8 + 1 + 8 = 17."
    known = (
        "4 smallest can go to C in 9 moves. That leaves 3 pegs for disks 5 and 6, so these can then go to B in 2^2 - 1 = 3: 9 +"
    )
    for disks, told_so in ((6, nine), (7, known)):
        tower = " ".join([str(disk) for disk in range(disks, 0, -1)])
        puzzle, texts = told(TOWERS, f"hanoi\nstart\nA: {tower}\nB:\nC:\nD:\ngoal\nA:\nB:\nC:\nD: {tower}")
        assert told_so in texts[1]
        graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
        assert graded is not None
        first, park, *rest = graded.steps
        found = park.found
        assert isinstance(found, moves.Park)
        assert wrong_step(TOWERS, puzzle, graded.steps) == ""
        changes: dict[str, Any] = {"each": (*found.each[:-1], 5), "split": found.split + 1}
        changes["moves"] = (found.moves[0], found.moves[1] + 1)
        if found.split:
            changes["mixed"] = not found.mixed
        for name, value in changes.items():
            planted = replace(park, found=replace(found, **{name: value}))
            assert wrong_step(TOWERS, puzzle, [first, planted, *rest]), name
    _, texts = told(TOWERS, "hanoi\nstart\nA: 5 4 3 2 1\nB:\nC:\ngoal\nA:\nB:\nC: 5 4 3 2 1")
    assert "the 4 smaller disks go to B, which takes 2^4 - 1 = 15 moves, and disk 5 goes from A to C on move 16." in texts[1]


def test_a_number_that_is_not_derived_is_said_to_be_known() -> None:
    """No proof is claimed, and none is said not to exist."""
    seven, five = "7 6 5 4 3 2 1", "5 4 3 2 1"
    for start, goal, known, technique in (
        (seven, f"A:\nB:\nC:\nD: {seven}", "known to be 1, 3, 5, 9, 13, 17 and 25.", "known"),
        (five, "A: 5 3 2\nB:\nC: 1\nD: 4", "is not proved here", "unproved"),
    ):
        puzzle, texts = told(TOWERS, f"hanoi\nstart\nA: {start}\nB:\nC:\nD:\ngoal\n{goal}")
        graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
        assert graded is not None
        assert graded.steps[0].technique == technique
        assert (technique in UNTOLD) == (technique == "unproved")
        assert known in texts[0]
        assert not re.search("no short argument|no list has fewer", " ".join(texts))
    towers = [1, 3, 5, 9, 13, 17, 25, 33, 41, 49, 65, 81]  # as in the generator's table, found by search
    assert [moves.of_tower(disks) for disks in range(1, 13)] == towers


@pytest.mark.parametrize(
    "text",
    [
        "A: 3\nB:\nC: 2 1\ngoal\nA: 2 1\nB:\nC: 3",
        "A: 4 3 2 1\nB:\nC:\nD:\ngoal\nA:\nB:\nC:\nD: 4 3 2 1",
    ],
)
def test_short_proofs_are_checked_by_what_they_say(text: str) -> None:
    """A disk is counted twice that need not be, a circle is open, or disks wait where there is no tower."""
    puzzle = TOWERS.text.parse(lines_of(f"hanoi\nstart\n{text}"))
    graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
    assert graded is not None
    steps, planted = graded.steps, 0
    assert wrong_step(TOWERS, puzzle, steps) == ""
    for at, step in enumerate(steps):
        found = step.found
        changes: dict[str, Any] = {}
        if isinstance(found, moves.Count):
            changes = {"once": found.once[1:], "twice": ((2, (0, 1)),), "final": not found.final}
        if isinstance(found, moves.Circle):
            changes = {"once": found.once[1:], "order": found.order[1:], "final": not found.final}
        if isinstance(found, moves.Wait):
            changes = {"disk": 2, "both": False, "away": 1}
        for name, value in changes.items():
            other = replace(step, found=replace(found, **{name: value}))
            assert wrong_step(TOWERS, puzzle, [*steps[:at], other, *steps[at + 1 :]]), (step.technique, name)
            planted += 1
    assert planted >= 3


def test_why_a_disk_moves_on_the_way_is_checked() -> None:
    """A disk is said to free another one, or one that does not move then; one in the way is said to move for later."""
    puzzle, texts = told(TOWERS, "hanoi\nstart\nA: 7 6 5 4 3 2 1\nB:\nC:\nD:\nE:\ngoal\nA:\nB:\nC:\nD:\nE: 7 6 5 4 3 2 1")
    assert any("irst disk 1 leaves disk 2 free to move later; then disk 6 goes to E (moves 11 and 12)" in text for text in texts)
    graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
    assert graded is not None
    steps = graded.steps
    at = next(at for at, step in enumerate(steps) if step.technique == "carry" and step.found.asides)
    ((disk, other, peg, later),) = steps[at].found.asides
    for wrong in ((disk, other + 1, peg, later), (disk, other, 0, later), (disk, other, peg, not later), (5, 6, peg, later)):
        planted = replace(steps[at], found=replace(steps[at].found, asides=(wrong,)))
        assert wrong_step(TOWERS, puzzle, [*steps[:at], planted, *steps[at + 1 :]]), wrong


def test_a_second_move_on_the_way_is_not_given_as_the_reason_for_the_first() -> None:
    """Disk 3 leaves D for another disk's sake; that it later goes off disk 4 was told, and the checker refused it."""
    start, goal = "A:\nB: 7\nC:\nD: 3\nE: 2 1\nF: 6 5 4", "A: 6 5 4\nB:\nC:\nD: 2 1\nE: 3\nF: 7"
    puzzle, texts = told(TOWERS, f"hanoi\nstart\n{start}\ngoal\n{goal}")
    assert texts[-1].startswith(
        "First disk 1 leaves disk 2 free to move and disk 2 makes room on E for disk 3; then disk 4 goes to A"
    )
    graded = grade(TOWERS, puzzle, asked(puzzle).candidate(Engines(TOWERS), puzzle))
    assert graded is not None
    assert wrong_step(TOWERS, puzzle, graded.steps) == ""


def test_long_traces_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row without reasoning rather than one with a piece of it."""
    family, puzzle, steps = first("roads")
    answer = next(drawn("roads", 1)).answer
    monkeypatch.setattr(routes, "MOST", 100)
    _deduced.cache_clear()
    graded = grade(family, puzzle, answer)
    assert steps
    assert graded is not None
    assert graded.steps == ()
    family, puzzle, _ = first("tower")
    monkeypatch.setattr(moves, "MOST", 100)
    _deduced.cache_clear()
    graded = grade(family, puzzle, next(drawn("tower", 1)).answer)
    assert graded is not None
    assert graded.steps == ()
    assert wrong_step(family, puzzle, ()) == ""
    _deduced.cache_clear()  # what follows here is of no other test


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
    assert set(wordings) >= {"settle", "arrive", "reach", "largest", "gather", "compare", "unproved", "carry", "leftward", "few"}
