"""What every family declares: names, versions, parameters, specs and clues that the middle can rely on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from math import isfinite
from typing import Any, get_type_hints

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK, Space
from puzzlemill.core.types import AnyPuzzle, Spec
from strategies import Case, full, meaning, minimized


def test_a_family_is_final_and_holds_no_state(family: AnyFamily) -> None:
    """A family with state gives other output on its second use; a subclass may break what the parent promised."""
    assert getattr(type(family), "__final__", False), f"mark {type(family).__name__} @final"
    assert getattr(family, "__dict__", {}) == {}


def test_names_and_versions_are_usable_in_ids_and_paths(family: AnyFamily) -> None:
    """The name becomes a folder, a dataset configuration and a part of every id."""
    assert re.fullmatch(r"[a-z][a-z0-9_]{1,30}", family.name)
    assert family.version >= 1
    assert family.title and family.source


def test_parameters_are_plain_and_have_defaults(family: AnyFamily) -> None:
    """Recipes set parameters by name from YAML; one without a default cannot be left out."""
    params: Any = family.params
    family.validate(Spec(params()))
    assert is_dataclass(params)
    hints = get_type_hints(params)
    for field in fields(params):
        assert hints[field.name] in (int, bool, str), f"{family.name}.{field.name} is {hints[field.name]}"
        assert field.default is not MISSING, f"{family.name}.{field.name} has no default"


def test_bad_parameters_are_refused_by_field_name(family: AnyFamily) -> None:
    """A recipe error must surface when the recipe is read, with the field and the remedy in one line."""
    refused = 0
    for field in fields(family.params):
        if type(field.default) is int:
            for bad in (-1, 10**6):
                spec = Spec(replace(family.params(), **{field.name: bad}))
                with pytest.raises(BadParams, match=rf"{family.name}\.{field.name}\b") as caught:
                    family.validate(spec)
                assert "\n" not in str(caught.value)
                refused += 1
    assert refused or not fields(family.params)


def test_smallest_has_every_optional_rule(family: AnyFamily) -> None:
    """A rule that is in no small spec is compared between model, table and checker nowhere."""
    specs = family.smallest
    assert specs
    seen = {rule.name for spec in specs for rule in spec.rules}
    assert seen == set(family.rules)
    for spec in specs:
        family.validate(spec)
        assert list(spec.rules) == sorted(spec.rules, key=lambda rule: rule.name)


def test_clue_ids_are_unique_and_readable(case: Case) -> None:
    """A clash, a broken rule and a trace name clues by id; two of a name cannot be told apart."""
    for draft in (full(case, 0), minimized(case, 0)):
        ids = [clue.id for clue in draft.puzzle.clues]
        assert len(ids) == len(set(ids))
        assert all(re.fullmatch(r"[A-Za-z0-9_.:+-]{1,40}", name) for name in ids)


def test_slots_and_answers_agree(slot_case: Case) -> None:
    """Engines speak in slots and scorers in answers: assemble and slot_values must be inverse, in the same order as the model."""
    family, spec = slot_case.family, slot_case.spec
    draft = full(slot_case, 0)
    board = draft.puzzle.board
    sizes = family.form.slots(spec, board)
    values = family.form.values(spec, board, draft.answer)
    assert len(values) == len(sizes)
    assert all(0 <= v < n for v, n in zip(values, sizes, strict=True))
    assert family.form.assemble(spec, board, values) == draft.answer
    model: Any = family.model(spec, board)
    if isinstance(model, Space):
        outputs = [model.output(part, each) for part in range(model.parts()) for each in model.hypotheses(part)]
        assert all(0 <= v < max(sizes) for output in outputs if output is not None for v in output)
        return
    assert tuple(len(lits) for lits in model.key) == sizes


def test_given_slots_are_those_the_puzzle_shows(slot_case: Case) -> None:
    """Partial credit counts the other slots only: a shown slot that is not listed is free credit."""
    family = slot_case.family
    for index in range(3):
        puzzle = minimized(slot_case, index).puzzle
        given = family.clues.given_slots(puzzle)
        assert len(set(given)) == len(given)
        assert set(given) <= set(range(len(family.form.slots(puzzle.spec, puzzle.board))))
        if puzzle.clues:
            assert len(given) < len(family.form.slots(puzzle.spec, puzzle.board)), "nothing is left to solve"
    whole = full(slot_case, 0).puzzle
    for clue in whole.clues:
        alone = whole.with_clues([clue])
        shown = family.clues.given_slots(alone)
        assert not shown or fixed_slots(slot_case, alone, shown) == list(shown), f"{clue.id} shows no such slot"


def fixed_slots(case: Case, puzzle: AnyPuzzle, slots: Sequence[int]) -> list[int]:
    """Those of these slots for which the model leaves one value."""
    sizes = case.family.form.slots(puzzle.spec, puzzle.board)
    with meaning(case.family, puzzle) as reference:

        def values_of(slot: int) -> int:
            only = [(BLANK,) * slot + (v,) + (BLANK,) * (len(sizes) - slot - 1) for v in range(sizes[slot])]
            return sum(reference.allows(values) for values in only)

        return [slot for slot in slots if values_of(slot) == 1]


def test_search_space_is_finite_and_shrinks_with_clues(case: Case) -> None:
    """The size of the search space is reported per row; it must be a number, and clues never enlarge it."""
    more, fewer = full(case, 0).puzzle, minimized(case, 0).puzzle
    for puzzle in (more, fewer):
        assert isfinite(case.family.search_space_log10(puzzle))
    assert 0 <= case.family.search_space_log10(more) <= case.family.search_space_log10(fewer)


def test_the_model_is_built_anew(slot_case: Case) -> None:
    """Clues are stated on top of a model: a shared, mutable one would carry the last puzzle's clues into the next."""
    family, spec = slot_case.family, slot_case.spec
    board = full(slot_case, 0).puzzle.board
    one, two = family.model(spec, board), family.model(spec, board)
    assert one == two
    assert one is not two


def test_puzzles_and_answers_survive_json(case: Case) -> None:
    """A row stores the puzzle and the answer as text; what is read back must be equal, and damage must be named."""
    family = case.family
    for index in range(3):
        draft = minimized(case, index)
        text = dumps(draft.puzzle)
        again = loads(puzzle_type(family), text)
        assert again == draft.puzzle
        assert dumps(again) == text
        assert loads(family.answer, dumps(draft.answer)) == draft.answer
    for damaged in (
        text[:-1],
        text.replace('"version":', '"verzion":'),
        "[]",
        "null",
        text.replace('"params":{', '"params":{"x":1,'),
    ):
        with pytest.raises(BadRow):
            loads(puzzle_type(family), damaged)


def test_the_same_path_gives_the_same_puzzle(case: Case) -> None:
    """Same recipe, same bytes: nothing but the generator handed in may decide."""
    for index in (2, 1, 0):
        assert full.__wrapped__(case, index) == full(case, index)
        assert dumps(minimized.__wrapped__(case, index).puzzle) == dumps(minimized(case, index).puzzle)
