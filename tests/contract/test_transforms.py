"""Every transform keeps its promise on every family that it fits, and clashes are made of ordinary clues."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.types import Family, Pairing, Relation, Status, puzzle_type
from puzzlemill.factory.recipe import Part, TransformCall, Variant
from puzzlemill.transforms import transforms
from strategies import Case, asking, fitting, full, group, is_graph, model_answers, thinned


@pytest.mark.parametrize("name", transforms())
def test_a_transform_declares_itself(name: str) -> None:
    """Recipes, rows and cards quote these; a transform that changes nothing at all would fill a release with copies."""
    transform = transforms()[name]
    assert transform.name == name
    assert getattr(type(transform), "__final__", False)
    assert getattr(transform, "__dict__", {}) == {}
    assert isinstance(transform.relation, Relation)
    assert isinstance(transform.pairing, Pairing)
    if transform.promises is Status.UNSOLVABLE:
        assert transform.pairing is Pairing.GROUP


@pytest.mark.parametrize("name", transforms())
def test_a_transform_keeps_its_promise(case: Case, name: str) -> None:
    """The child's status, answer and clues are what the transform says, for four parents."""
    transform = transforms()[name]
    if name not in fitting(case):
        with pytest.raises(BadParams):
            Part(case.family.name, variants=(Variant(name, (TransformCall(name),)),), counts=(("test", 1),))
        return
    ask, rng = asking(case.family), case.rng("transform", name)
    kept = 0
    for index in range(4):
        parent = thinned(case, index)
        try:
            child = transform.edit(case.family, parent, rng.child("edit", index), ask)
            look = transform.dress(case.family, child.puzzle, rng.child("dress", index))
        except Discarded:
            continue
        kept += 1
        puzzle = replace(child.puzzle, look=look)
        again = transform.edit(case.family, parent, rng.child("edit", index), ask)
        assert again == child, "same stream, same child"
        assert puzzle != parent.puzzle
        if transform.promises is Status.UNSOLVABLE:
            assert child.answer is None
            assert model_answers(case.family, puzzle, 1) == set()
        elif transform.pairing in (Pairing.EXACT, Pairing.SAME_ANSWER):
            assert child.answer == parent.answer
            if not is_graph(case):
                assert len(model_answers(case.family, puzzle, 2)) == 1
            assert case.family.broken_rules(puzzle, child.answer) == []
        if transform.relation is Relation.SURFACE:
            assert replace(puzzle, look=parent.puzzle.look) == parent.puzzle
            assert case.family.render(puzzle) != case.family.render(parent.puzzle)
    assert kept, f"{name} never fits four parents of {case}"


def test_children_say_where_they_come_from(case: Case) -> None:
    """Groups are split, paired and measured by these columns."""
    names = tuple(fitting(case))
    parent, *children = group(case, 0, names)
    assert [child["variant"] for child in children] == list(names)
    assert (parent["variant"], parent["parent_id"], parent["pairing"]) == ("canonical", None, "none")
    for child in children:
        transform = transforms()[child["variant"]]
        assert (child["group_id"], child["parent_id"], child["split"]) == (parent["group_id"], parent["id"], parent["split"])
        assert child["kinds"] == [transform.kind.value]
        assert child["pairing"] == transform.pairing.value
        assert (child["canonical_key"] == parent["canonical_key"]) == (transform.pairing is Pairing.EXACT)
        assert (child["edit"] is not None) == (transform.relation is Relation.EDIT)
    assert len({row["id"] for row in (parent, *children)}) == 1 + len(children)


def test_an_unsolvable_puzzle_is_told_like_a_solvable_one(case: Case) -> None:
    """If only one of the two admits that there may be no answer, the prompt gives the status away."""
    if "clash" not in fitting(case):
        return
    rows = group(case, 0, ("clash",))
    assert {loads(puzzle_type(case.family), row["puzzle"]).question.doubt for row in rows} == {True}
    (alone,) = group(case, 0)
    assert not loads(puzzle_type(case.family), alone["puzzle"]).question.doubt


def test_alternatives_are_ordinary_clues(slot_case: Case) -> None:
    """A changed clue that no solvable puzzle could contain can be told without solving: same id, other content, known kind."""
    family = slot_case.family
    if type(family).alternatives is Family.alternatives:
        return
    drafts = [full(slot_case, index) for index in range(40)]
    kinds = {clue.kind for draft in drafts for clue in draft.puzzle.clues}
    lengths = {(clue.kind, len(clue.args)) for draft in drafts for clue in draft.puzzle.clues}
    puzzle = thinned(slot_case, 0).puzzle
    offered = 0
    for clue in puzzle.clues:
        others = list(family.alternatives(puzzle, clue, slot_case.rng("others", clue.id)))
        assert others == list(family.alternatives(puzzle, clue, slot_case.rng("others", clue.id)))
        assert len(set(others)) == len(others)
        for other in others:
            assert other.id == clue.id
            assert other != clue
            assert other.kind in kinds
            assert (other.kind, len(other.args)) in lengths
            edited = puzzle.with_clues([other if old == clue else old for old in puzzle.clues])
            assert loads(puzzle_type(family), dumps(edited)) == edited
            assert isinstance(family.render(edited), str)
            assert isinstance(family.broken_rules(edited, thinned(slot_case, 0).answer), list)
        offered += len(others)
    assert offered
