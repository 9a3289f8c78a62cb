"""Deduction on logic grids: techniques on tables made for them, and what sentences restate against the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from puzzlemill.analysis.preview import _after_each
from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import GRID_RELATIONS, GridTable, Step
from puzzlemill.core.pictures import svg_text
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, Spec
from puzzlemill.factory.build import _draw
from puzzlemill.factory.record import trace
from puzzlemill.generators import family_named
from puzzlemill.rules.grids import KINDS, PLAIN, Statement, is_true
from puzzlemill.solvers import sat
from puzzlemill.solvers.deduce import explain_all, grade, grids, supposition
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.grids_claims import Link, LinkSlots, claims
from puzzlemill.solvers.deduce.grids_findings import GridSay, joined
from puzzlemill.solvers.deduce.steps import length
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.lower import lower

FAMILY = family_named("logic_grid")
ENGINES = Engines(FAMILY)
COMPOSITE = {"one_of_three": True, "exclusive_or": True}
SCALE = ((2, (0, 4, 7, 12)),)  # of the tables below: three categories of four items, the last in units


def drawn(size: tuple[int, int], number: int, **params: Any) -> AnyDraft | None:
    spec = Spec(replace(FAMILY.params(), categories=size[0], items=size[1], **params))
    try:
        return _draw(FAMILY, spec, stream("deduce grids", *size, number, *params), ENGINES, False)
    except Discarded:
        return None


def row(kind: str, *items: tuple[int, int], d: int = 0) -> tuple[int, ...]:
    flat = [part for item in items for part in item]
    return (GRID_RELATIONS.index(kind), len(items), *flat, *(0,) * (10 - len(flat)), 0, d)


def composite(kind: str, parts: int, first: int = 0) -> tuple[int, ...]:
    return (GRID_RELATIONS.index(kind), parts, first, *(0,) * 11)


Pairs = set[tuple[tuple[int, int], tuple[int, int]]]


def found(*clues: tuple[int, ...], parts: tuple[tuple[int, ...], ...] = (), top: int = 5) -> list[tuple[str, Pairs, Pairs]]:
    """The technique of each step on a 3x4 table, and the pairs of items that it finds to go together, or not."""
    board = grids._Board(GridTable(3, 4, SCALE, clues, parts), [f"k{i}" for i in range(len(clues))])
    board.run(top)

    def pairs(facts: Sequence[tuple[int, int]]) -> Pairs:
        every = [LinkSlots(3, 4).items(*fact) for fact in facts]
        return {(divmod(x, 4), divmod(y, 4)) for x, y in every}

    return [(step.technique, pairs(step.sets), pairs(step.drops)) for step in board.steps]


def one(technique: str, *clues: tuple[int, ...], **more: Any) -> tuple[Pairs, Pairs]:
    """What the first step by a technique finds."""
    return next((sets, drops) for name, sets, drops in found(*clues, **more) if name == technique)


A, B, C, D = [(0, v) for v in range(4)]
P, Q, R, S = [(1, v) for v in range(4)]
Y0, Y4, Y7, Y12 = [(2, v) for v in range(4)]


def test_cross_off() -> None:
    assert one("cross_off", row("is", A, P)) == ({(A, P)}, set())
    assert one("cross_off", row("neither", A, P, Y0)) == (set(), {(A, P), (A, Y0)})
    assert one("cross_off", row("different", A, P, Y0)) == (set(), {(A, P), (A, Y0), (P, Y0)})
    assert one("cross_off", row("before", A, P)) == (set(), {(A, P)})
    assert one("cross_off", row("either_or", A, P, Q)) == (set(), {(A, R), (A, S)})
    assert one("cross_off", row("either_or", A, P, Y0)) == (set(), {(P, Y0)})
    assert one("cross_off", row("pair", A, B, P, Q)) == (set(), {(A, R), (A, S), (B, R), (B, S), (C, P), (D, P), (C, Q), (D, Q)})


def test_what_is_left_and_what_goes_together() -> None:
    clues = [row("neither", A, P, Q), row("is_not", A, R)]
    assert one("only_left", *clues) == ({(A, S)}, set())
    assert one("transfer", row("is", A, P), row("is", P, Y4)) == ({(A, Y4)}, set())
    assert one("transfer", row("is", A, P), row("is_not", P, Y4)) == (set(), {(A, Y4)})


def test_places_on_a_scale() -> None:
    """The places are at 0, 4, 7 and 12."""
    assert one("ends", row("exactly", A, P, d=3)) == ({(A, Y4), (P, Y7)}, set())
    assert one("ends", row("at_least", A, P, d=7)) == (set(), {(A, Y7), (A, Y12), (P, Y0), (P, Y4)})
    assert one("ends", row("before", A, P)) == (set(), {(A, Y12), (P, Y0)})
    assert one("placed", row("before", A, P), row("is", A, Y7)) == ({(P, Y12)}, set())
    assert one("placed", row("at_least", A, P, d=4), row("is", A, Y4)) == ({(P, Y12)}, set())
    assert one("bounds", row("before", A, P), row("is_not", P, Y12)) == (set(), {(A, Y7)})
    assert one("ends", row("between", A, P, Q)) == (set(), {(A, Y0), (A, Y12)})


def test_one_of_two_ways() -> None:
    assert one("branch", row("either_or", A, P, Y0), row("is_not", A, Y0)) == ({(A, P)}, set())
    # whichever of P and Q goes with Y0, A does not
    assert one("agree", row("either_or", Y0, P, Q), row("neither", A, P, Q)) == (set(), {(A, Y0)})


def test_no_common_partner_and_subsets() -> None:
    clues = [row("neither", A, Y0, Y4), row("neither", P, Y7, Y12)]
    assert one("no_partner", *clues) == (set(), {(A, P)})
    clues = [row("neither", A, P, Q), row("neither", B, P, Q)]
    sets, drops = one("subset", *clues)
    assert (sets, drops) in (
        (set(), {(C, R), (C, S), (D, R), (D, S)}),
        (set(), {(P, C), (P, D)}),
    )


def test_parts_of_composites() -> None:
    parts = (row("is", A, P), row("is", B, Q))
    clues = [composite("either", 2), row("is_not", A, P)]
    assert one("composite", *clues, parts=parts) == ({(B, Q)}, set())
    assert one("composite", composite("if", 2), row("is", A, P), parts=parts) == ({(B, Q)}, set())
    assert one("cross_off", composite("both", 2), parts=parts) == ({(A, P)}, set())
    same = (row("is", A, P), row("is", A, Q))
    assert one("cases", composite("either", 2), parts=same) == (set(), {(A, R), (A, S)})


def test_contradictions_end_a_trace() -> None:
    for clues in (
        [row("is", A, P), row("is", A, Q)],
        [row("exactly", A, P, d=5), row("is_not", A, Y7)],
        [row("either_or", A, P, Y0), row("neither", A, P, Y0)],
        [row("before", A, P), row("before", P, Q), row("before", Q, B), row("before", B, R)],
    ):
        steps = grids.deduce(GridTable(3, 4, SCALE, tuple(clues), ()), [f"k{i}" for i in range(len(clues))], None)
        assert not steps[-1].sets and not steps[-1].drops and steps[-1].technique != "search", clues


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("truth", [True, False])
def test_claims_against_all_places(kind: str, truth: bool) -> None:
    """What a claim says of pairs, and of places on its scale, holds of exactly those arrangements of which it is true."""
    items = (A, P, Q, B, S)[: {"either_or": 3, "neither": 3, "between": 3, "pair": 4, "different": 3}.get(kind, 2)]
    items = (A, B, P, Q) if kind == "pair" else items
    table = GridTable(3, 4, SCALE, (row(kind, *items, d=4),), ())
    claim = claims(table)[0][0][1 - truth]
    said = Statement(kind, tuple(items), 0, 4 if KINDS[kind].number else 0)
    for of in product(range(4), repeat=len(items)):
        where = dict(zip(items, of, strict=True))
        if any(where[x] == where[y] for x in items for y in items if x < y and x[0] == y[0]):
            continue
        right = is_true(said, where.__getitem__, lambda _, e: SCALE[0][1][e]) is truth
        entity = {c * 4 + v: e for (c, v), e in where.items()}
        ways = any(all((entity[x] == entity[y]) is yes for x, y, yes in way) for way in claim.ways)
        places = claim.scale < 0 or tuple(of) in claim.relation.tuples
        assert (ways and places) is right


@pytest.mark.parametrize("params", [{}, {"looser": True}, COMPOSITE, {"scales": 2}])
def test_what_a_step_restates_implies_its_conclusion(params: dict[str, Any]) -> None:
    """A sentence leaves out a fact that its conclusion needs: its clues, rules and the facts in it alone must be enough."""
    for number in range(2):
        draft = drawn((4, 4), number, **params)
        if draft is None:
            continue
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        cnf = lower(FAMILY, draft.puzzle)
        assert graded is not None and cnf is not None
        assert wrong_step(FAMILY, draft.puzzle, graded.steps) == ""
        slots, key = LinkSlots(4, 4), (*cnf.key, *cnf.also)
        with sat.labelled(cnf, 200_000) as ask:
            for step in graded.steps:
                for part in step.within or (step,):
                    labels = [use for use in step.uses if not use.startswith("#")]
                    facts = [_literal(key, slots.fact(x, y), yes) for x, y, yes in part.found.known]
                    wanted = [_literal(key, fact, True) for fact in part.sets] + [
                        _literal(key, fact, False) for fact in part.drops
                    ]
                    for literal in wanted or [0]:
                        assert ask.holds(labels, [*facts, -literal] if literal else facts) is False, part


def _literal(key: Sequence[Sequence[int]], fact: tuple[int, int], holds: bool) -> int:
    return key[fact[0]][fact[1]] * (1 if holds else -1)


def test_a_sentence_quotes_its_clues_and_tells_its_facts() -> None:
    """A step names a clue by another number than the prompt's, speaks of other steps, or leaves out whom it is about."""
    for number in range(4):
        draft = drawn((4, 4), number)
        assert draft is not None
        graded, words = grade(FAMILY, draft.puzzle, draft.answer), FAMILY.words(draft.puzzle)
        assert graded is not None
        numbers = {clue.id: words.number(i) for i, clue in enumerate(draft.puzzle.clues)}
        for step, text in zip(graded.steps, explain_all(FAMILY, draft.puzzle, graded.steps), strict=True):
            assert not re.search(r"\bsteps? \d|#", text) and len(text) < 1500, text
            said = {int(found) for found in re.findall(r"[Cc]lue (\d+)", text)}
            assert said == {numbers[use] for use in step.uses if use in numbers}, text
            for slot, value in step.sets:
                x, y = LinkSlots(4, 4).items(slot, value)
                assert all(words.item(z).casefold() in text.casefold() or words.entry(z) in text for z in (x, y)), text


def test_clauses_about_one_item_are_one_clause() -> None:
    """ "Ana does not own the cat, does not come from Peru and Bo does not come from Peru": whose verb is which?"""
    draft = drawn((3, 4), 1)
    assert draft is not None
    say = GridSay(FAMILY.words(draft.puzzle), FAMILY.table(draft.puzzle))
    apart = [Link(0, 4, False), Link(0, 8, False), Link(4, 8, False)]
    mine, again, other = [say.link(pair) for pair in apart]
    name = say.item(0)
    assert joined(say.links(apart, 0)) == f"{mine} and {again.removeprefix(name + ' ')}, and {other}"


def test_every_technique_has_several_wordings() -> None:
    """One voice or another words a step in three ways at least, suppositions too."""
    told: dict[str, set[str]] = {}
    for number in range(10):
        draft = drawn((4, 4), number, **(COMPOSITE if number % 2 else {}))
        if draft is None:
            continue
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        every = [
            explain_all(FAMILY, replace(draft.puzzle, style=replace(draft.puzzle.style, phrasing=phrasing)), graded.steps)
            for phrasing in range(1, 120, 11)
        ]
        for step, *texts in zip(graded.steps, *every, strict=True):
            if len(set(texts)) > len(told.get(step.technique, ())):
                told[step.technique] = set(texts)
    assert {name: len(texts) for name, texts in told.items() if len(texts) < 3 and name != "search"} == {}
    assert {"only_left", "transfer", "bounds", "branch", "composite"} <= set(told)


def test_stories_are_short() -> None:
    assert [step for step in _far() if step.technique == "far_look_ahead" and length(step.within) > grids.TOLD] == []
    assert any(step.within for step in _far())


def _far() -> list[Step]:
    steps: list[Step] = []
    for number in range(12):
        draft = drawn((4, 5), number, looser=True)
        if draft is not None:
            graded = grade(FAMILY, draft.puzzle, draft.answer)
            assert graded is not None
            steps += graded.steps
    return steps


def test_a_wrong_link_is_tried_and_taken_back() -> None:
    tried = 0
    for number in range(8):
        draft = drawn((4, 5), number)
        assert draft is not None
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        found = supposition(FAMILY, draft.puzzle, graded.steps, stream("supposition", number))
        if found is not None:
            tried += 1
            steps = [*graded.steps[: found.after], found.step]
            assert "left open" in wrong_step(FAMILY, draft.puzzle, steps)
            assert 2 <= len(found.story) <= 5 and found.fact.endswith(".")
    assert tried >= 3


def test_a_picture_after_each_step() -> None:
    """The preview shows the cross table after every step, with more in it each time."""
    draft = drawn((3, 4), 1)
    assert draft is not None
    graded = grade(FAMILY, draft.puzzle, draft.answer)
    assert graded is not None
    pictures = list(_after_each(trace(FAMILY, draft.puzzle, graded.steps), FAMILY, draft.puzzle))
    crosses = [picture.count("l8 8M") for picture in pictures]
    assert len(pictures) == len(graded.steps) and crosses == sorted(crosses) and all("<svg" in each for each in pictures)
    names = [name for each in draft.puzzle.style.names for name in each]
    assert all(svg_text(name) in pictures[-1] for name in names)
    assert FAMILY.draw(draft.puzzle, draft.answer).count("l4 4l8 -10") == 4 * 3
