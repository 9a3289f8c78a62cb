"""Every transform keeps its promise on every family that it fits, and clashes are made of ordinary clues."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.core.clues import Clues
from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import Pairing, Relation, Transform, puzzle_type
from puzzlemill.core.model import Graph
from puzzlemill.core.types import QuestionKind, Status
from puzzlemill.questions import asked
from puzzlemill.transforms import transforms
from strategies import (
    Case,
    built,
    distances,
    fitting,
    full,
    group,
    is_forced,
    is_graph,
    minimized,
    model_answers,
    model_forced,
    recipe_of,
    usual,
)


def test_a_family_declares_its_transforms(case: Case) -> None:
    """Recipes, rows and cards quote these; a transform that holds state would make rows depend on what was made before."""
    for name, transform in transforms(case.family).items():
        assert transform.name == name
        assert getattr(type(transform), "__final__", False)
        assert getattr(transform, "__dict__", {}) == {}
        assert isinstance(transform.relation, Relation)
        assert isinstance(transform.pairing, Pairing)
        assert transform == transform.with_args({arg: getattr(transform, arg) for arg in transform.args})
        if transform.promises is Status.UNSOLVABLE:
            assert transform.pairing is Pairing.GROUP
            assert transform.stage() < 2 and type(transform).edit is not Transform.edit  # may be drawn under another rule first
        with pytest.raises(BadParams, match="no argument"):
            transform.with_args({"surely_not": 1})


def test_a_transform_that_does_not_fit_is_refused(case: Case) -> None:
    """Before anything is drawn, in one sentence."""
    for name in [name for name in transforms(case.family) if name not in fitting(case)]:
        with pytest.raises(BadParams, match=r"does not fit|would be unsolvable"):
            recipe_of(case, (name,), ("json",))


def test_transforms_keep_their_promises(case: Case) -> None:
    """What a child is to its parent and to the model, for every transform that fits, as the factory makes it."""
    known = transforms(case.family)
    for names in (tuple(usual(case)), *[(name,) for name in fitting(case) if name not in usual(case)]):
        made = built(case, 0, names)
        for child in made.rows[1:]:
            _check_child(case, known[child["variant"]], made.rows[0], child)
        kept = {child["variant"] for child in made.rows[1:]}
        # small boards may have no clash of the wanted depth; then the tally says so and nothing else
        if kept != set(names) and (set(names) <= set(usual(case)) or "no_clash" not in str(made.tally)):
            raise AssertionError(f"never made a child of {case}: {set(names) - kept}, {made.tally}")


def _check_child(case: Case, transform: Transform, parent: dict[str, Any], child: dict[str, Any]) -> None:
    family = case.family
    before, after = (loads(puzzle_type(family), row["puzzle"]) for row in (parent, child))
    assert after != before
    assert child["kinds"] == [transform.kind.value]
    assert child["pairing"] == transform.pairing.value
    assert (child["group_id"], child["parent_id"], child["split"]) == (parent["group_id"], parent["id"], parent["split"])
    if transform.promises is not None:
        assert child["status"] == transform.promises.value
    if is_graph(case):
        model = family.model(after.spec, after.board)
        assert isinstance(model, Graph)
        assert distances(model, model.start).get(model.goal) == child["optimum"]
    elif after.question.kind is QuestionKind.PLAY:
        assert child["play"] is not None  # its answer does not follow from what it shows; test_kumo looks into it
    elif is_forced(after):
        right = None if child["answer"] is None else loads(family.answer, child["answer"])
        assert model_forced(family, after) == (None if right is None else family.form.values(after.spec, after.board, right))
    else:
        count = {"unique": 1, "unsolvable": 0}[child["status"]]
        assert len(model_answers(family, after, 2)) == count
    if child["status"] == "unsolvable":
        assert child["answer"] is None
        assert child["proof"]["depth"] in ("shallow", "deep")
        assert len(child["proof"]["sentences"]) == len(child["proof"]["unsat_core"]) > 0
    else:
        answer = loads(family.answer, child["answer"])
        assert asked(after).objections(family, after, answer) == []
        assert child["proof"]["necessary"] == [rule.name for rule in after.spec.rules if not family.rules[rule.name].replaces]
    if transform.pairing in (Pairing.EXACT, Pairing.SAME_ANSWER):
        assert child["answer"] == parent["answer"]
    if transform.name != "counterfactual":  # which gives outcomes each other's rules: the same game by other names
        assert (child["canonical_key"] == parent["canonical_key"]) == (transform.pairing is Pairing.EXACT)
    if transform.stage() == 2:
        assert replace(after, style=before.style, question=before.question) == before  # apart from the doubt, perhaps
        assert family.render(after) != family.render(before)
    if transform.stage() == 1:
        assert child["edit"] is not None
    else:
        assert child["edit"] is None


def test_children_of_one_group(case: Case) -> None:
    """Every transform in one recipe: ids, order and what the recipe asks for."""
    names = tuple(usual(case))
    parent, *children = group(case, 0, names)
    assert [child["variant"] for child in children] == list(names)
    assert (parent["variant"], parent["parent_id"], parent["pairing"]) == ("canonical", None, "none")
    assert len({row["id"] for row in (parent, *children)}) == 1 + len(children)


def test_an_unsolvable_puzzle_is_told_like_a_solvable_one(case: Case) -> None:
    """If only one of the two admits that there may be no answer, the prompt gives the status away."""
    if "clash" not in fitting(case):
        return
    rows = group(case, 0, tuple(usual(case)))
    doubts = {row["variant"]: loads(puzzle_type(case.family), row["puzzle"]).question.may_be_unsolvable for row in rows}
    status = {row["variant"]: row["status"] for row in rows}
    alike = {name: name == "canonical" or status[name] == "unsolvable" for name in doubts}  # the others look otherwise
    assert doubts == alike
    (alone,) = group(case, 0)
    assert not loads(puzzle_type(case.family), alone["puzzle"]).question.may_be_unsolvable


def test_alternatives_are_ordinary_clues(slot_case: Case) -> None:
    """A changed clue that no solvable puzzle could contain can be told without solving: same id, other content, known kind."""
    family = slot_case.family
    if type(family.clues).alternatives is Clues.alternatives:
        return
    drafts = [full(slot_case, index) for index in range(40)]
    kinds = {clue.kind for draft in drafts for clue in draft.puzzle.clues}
    lengths = {(clue.kind, len(clue.args)) for draft in drafts for clue in draft.puzzle.clues}
    puzzle = minimized(slot_case, 0).puzzle
    if not puzzle.clues:
        return  # nothing to put another clue in place of
    offered = 0
    for clue in puzzle.clues:
        others = list(family.clues.alternatives(puzzle, clue, slot_case.rng("others", clue.id)))
        assert others == list(family.clues.alternatives(puzzle, clue, slot_case.rng("others", clue.id)))
        assert len(set(others)) == len(others)
        for other in others:
            assert other.id == clue.id
            assert other != clue
            assert other.kind in kinds
            assert (other.kind, len(other.args)) in lengths
            edited = puzzle.with_clues([other if old == clue else old for old in puzzle.clues])
            assert loads(puzzle_type(family), dumps(edited)) == edited
            assert isinstance(family.render(edited), str)
            assert isinstance(family.broken_rules(edited, minimized(slot_case, 0).answer), list)
        offered += len(others)
    assert offered
