"""Chains about logic grids in other forms: an account, a table to complete, a false clue, an item that occurs twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from puzzlemill.chains.judge import NC, RR, RW, SUPPOSED, UNKNOWN, WRONG, Judge
from puzzlemill.chains.scene import Scene, scene_of
from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, Rule, Spec
from puzzlemill.factory import build
from puzzlemill.generators.logic_grid import FAMILY, Params
from puzzlemill.rules.grids_forms import STORY, TABLE, formed
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.engines import Engines


def drawn(index: int, form: str = "", *rules: str) -> AnyDraft:
    spec = Spec(Params(3 + index % 2, 4), tuple([Rule(name) for name in rules]))
    draft = build._draw(FAMILY, spec, stream("tests", "chains", form, index), Engines(FAMILY), False)
    if not form:
        return draft
    return replace(draft, puzzle=replace(draft.puzzle, style=formed(form)(draft.puzzle, stream("tests"))))


def judged(draft: AnyDraft, counts: Counter[str]) -> Scene:
    """Count the labels of the puzzle's own trace."""
    graded = grade(FAMILY, draft.puzzle, draft.answer)
    assert graded is not None
    scene = scene_of(FAMILY, draft.puzzle, draft.answer)
    told = explain_all(FAMILY, draft.puzzle, graded.steps)
    labels = Judge(scene).judge("\n".join([f"{k}. {text}" for k, text in enumerate(told, 1)])).labels
    counts.update([label.category for label in labels])
    counts.update([f"strict {label.strict}" for label in labels if label.strict])
    return scene


@pytest.mark.parametrize("form", [STORY, TABLE, "false_clue"])
def test_own_traces_are_understood_in_every_form(form: str) -> None:
    """ "Sentence 3", "the table" and "clue 3 is the false one" name clues, as "clue 3" does."""
    counts: Counter[str] = Counter()
    for index in range(10):
        try:
            draft = drawn(index, "", form) if form == "false_clue" else drawn(index, form)
        except Discarded:  # an empty table
            continue
        judged(draft, counts)
    labels = [counts[name] for name in (RR, NC, SUPPOSED, UNKNOWN)]
    every = sum(labels)
    assert every > 30
    assert sum(labels) == sum(many for name, many in counts.items() if not name.startswith("strict"))
    assert counts[UNKNOWN] <= 0.04 * every
    assert counts["strict follows"] >= 0.95 * sum(many for name, many in counts.items() if name.startswith("strict"))


def test_what_a_table_shows_is_cited() -> None:
    """A conclusion from the table that "does not follow", since the table is no clue of the list."""
    for index in range(40):
        try:
            draft = drawn(index, TABLE)
        except Discarded:
            continue
        scene = scene_of(FAMILY, draft.puzzle, draft.answer)
        if scene.clues[0].kind == "is_not":
            x, y = scene.clues[0].items
            names = scene.names[x[0]][x[1]], scene.names[y[0]][y[1]]
            (label,) = Judge(scene).judge(f"By the table, {names[0]} does not have {names[1]}.").labels
            assert label.category in (NC, RR)
            return
    raise AssertionError("no table says what one entity has not")


def test_a_clue_is_called_false_or_true() -> None:
    scene = scene_of(FAMILY, (draft := drawn(0, "", "false_clue")).puzzle, draft.answer)
    false = scene.false
    true = next(k for k in scene.clues if k != false)
    judge = Judge(scene)
    for text, category in (
        (f"So clue {false} is false.", RR),
        (f"Therefore, the false clue is clue {false}.", RR),
        (f"So clue {false} must be the false one.", RR),
        (f"So clue {true} is the false one.", RW),
        (f"So clue {true} is true.", RR),
        (f"Hence clue {false} is true.", RW),
        (f"Suppose clue {true} is the false one. That cannot be. So clue {true} is true.", RR),
    ):
        label = judge.judge(text).labels[-1]
        assert (label.category, label.strict == WRONG) == (category, category == RW), text
    story = judge.judge(f"Suppose that clue {true} is the false one. That is impossible, so clue {true} is true.")
    assert story.labels[0].category == SUPPOSED


def test_chains_about_an_item_that_occurs_twice_are_refused() -> None:
    draft = drawn(0, "", "twice")
    with pytest.raises(BadParams, match="where an item occurs twice"):
        scene_of(FAMILY, draft.puzzle, draft.answer)
