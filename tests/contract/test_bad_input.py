"""Parameters, rules, clues, texts and answers that make no puzzle are refused by name: bad_input.toml lists them by family."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Clue, Rule, Spec
from puzzlemill.generators import families, family_named
from strategies import Case, full, minimized

BAD = tomllib.loads(Path(__file__).with_name("bad_input.toml").read_text(encoding="utf-8"))


def listed(kind: str) -> list[Any]:
    return [
        pytest.param(family_named(name), *entry, id=f"{name}-{i}")
        for name, told in BAD.items()
        if name in families()
        for i, entry in enumerate(told.get(kind, ()))
    ]


def frozen(args: Any) -> Any:
    return tuple([frozen(each) for each in args]) if isinstance(args, list) else args


@pytest.mark.parametrize(("family", "params", "rules", "says"), listed("specs"))
def test_impossible_specs_are_named(family: AnyFamily, params: dict[str, Any], rules: list[Any], says: str) -> None:
    """A recipe that asks for the impossible must fail when it is read, with the field and the remedy in one line."""
    spec = Spec(replace(family.params(), **params), tuple(Rule(name, frozen(args)) for name, *args in rules))
    with pytest.raises(BadParams, match=says) as caught:
        family.validate(spec)
    assert "\n" not in str(caught.value)


def test_declared_bounds_are_kept(family: AnyFamily) -> None:
    """A value next to the bounds that a parameter declares, and one of another sort, is refused with what is expected."""
    for field in fields(family.params):
        bounds = field.metadata.get("bounds")
        if bounds is None:
            continue
        ends = [end(family.params()) if callable(end) else end for end in (bounds.least, bounds.most)]
        outside = {end + step for end, step in zip(ends, (-1, 1), strict=True) if end is not None}
        if bounds.among:
            outside = {"surely_not"} if isinstance(field.default, str) else {max(bounds.among) + 1}
        for bad in outside - {bounds.unset}:
            with pytest.raises(BadParams, match=rf"^{family.name}\.{field.name} .*; set family\.params\.") as caught:
                family.validate(Spec(replace(family.params(), **{field.name: bad})))
            assert f"got {bad}" in str(caught.value)


@pytest.mark.parametrize(("family", "kind", "args"), listed("clues"))
def test_stored_clues_that_say_nothing_are_refused(family: AnyFamily, kind: str, args: list[Any]) -> None:
    """Rows come from files: a damaged clue must be named by everything that reads it, not crash or reach compiled code."""
    draft = full(Case(family, Spec(replace(family.params(), **BAD[family.name]["on"]))), 0)
    puzzle = draft.puzzle.with_clues([Clue("x9", kind, frozen(args))])
    uses = (family.table, family.render, family.symmetry, family.draw, lambda bad: family.broken_rules(bad, draft.answer))
    for use in uses:
        with pytest.raises(BadRow, match="clue x9"):
            use(puzzle)


@pytest.mark.parametrize(("family", "text", "says"), listed("texts"))
def test_damaged_texts_are_refused(family: AnyFamily, text: str, says: str) -> None:
    """The place of the damage is named."""
    with pytest.raises(BadRow, match=says):
        family.text.parse(lines_of(text))


def misshapen(answer: Any) -> Iterator[Any]:
    """Answers of another size or with other values than this one's."""
    yield from ((), ((),), ((0,),))
    if isinstance(answer, tuple):
        yield from (answer[:-1], (*answer, answer[0]))
        if isinstance(row := answer[0], tuple):
            rows = [row[:-1], (*row, row[0]), *[(value, *row[1:]) for value in (99_999, -7)]]
            yield from ((wrong, *answer[1:]) for wrong in rows)
            yield tuple((*line, 0) for line in answer)
        else:
            yield from ((value, *answer[1:]) for value in (99_999, -7))


def test_answers_of_a_wrong_shape_are_malformed(slot_case: Case) -> None:
    """Anything may come in a reply: an answer of another size or with other values is refused, and nothing raises."""
    draft = minimized(slot_case, 0)
    for wrong in misshapen(draft.answer):
        assert slot_case.family.broken_rules(draft.puzzle, wrong) == ["malformed"], wrong
