"""Right answers in every natural dress are read, as what they say and as nothing else: tests/dresses.py has the dresses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from dresses import DRESSES, FORMS, WITHOUT, Dress, form_of

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Layout, Rows
from puzzlemill.scoring.parse import parse
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import score
from rows import doubted, row_of
from strategies import every_case, minimized

CELLS = 3  # of an answer that are changed, other ones in each dress


@lru_cache(maxsize=32)
def worn(name: str) -> tuple[tuple[AnyFamily, AnyDraft, Layout, Rows], ...]:
    """A small puzzle for each form of answer that a family has."""
    found: dict[str, Any] = {}
    for case in every_case():
        if case.family.name == name:
            draft = minimized(case, 0)
            layout = case.family.form.layout(draft.puzzle)
            found.setdefault(form_of(layout), (case.family, draft, layout, case.family.form.write(draft.puzzle, draft.answer)))
    return tuple(found.values())


def wardrobe(family: AnyFamily, reply_format: str) -> list[tuple[AnyPuzzle, Any, Layout, Rows, Dress]]:
    return [
        (draft.puzzle, draft.answer, layout, rows, dress)
        for _, draft, layout, rows in worn(family.name)
        for dress in DRESSES
        if reply_format in dress.formats and form_of(layout) not in WITHOUT.get(dress.name, ((),))[0]
    ]


def changes(rows: Rows, layout: Layout, first: int) -> list[Rows]:
    """Some of the answers that differ in one value."""
    places = [(r, c) for r, row in enumerate(rows) for c in range(len(row)) if not (layout.fixed and layout.fixed[r][c])]
    found = []
    for k in range(min(CELLS, len(places))):
        r, c = places[(first + k * 7) % len(places)]
        others = [token for token in layout.columns[c].tokens if token != rows[r][c]]
        row = (*rows[r][:c], others[first % len(others)], *rows[r][c + 1 :])
        found.append((*rows[:r], row, *rows[r + 1 :]))
    return found


def test_the_wardrobe_is_large_and_says_what_it_leaves_out() -> None:
    """Dresses are left out without a word, or a name is misspelt."""
    names = [dress.name for dress in DRESSES]
    assert len(names) == len(set(names))
    assert set(WITHOUT) <= set(names)
    assert all(set(forms) < set(FORMS) and why for forms, why in WITHOUT.values())
    forms = {form_of(layout) for case in every_case() for _, _, layout, _ in worn(case.family.name)}
    assert forms == set(FORMS)
    for form in FORMS:
        for reply_format in FORMATS:
            some = [d for d in DRESSES if reply_format in d.formats and form not in WITHOUT.get(d.name, ((),))[0]]
            assert len(some) >= (35 if reply_format == "json" else 45), (form, reply_format, len(some))


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_right_answer_is_paid_in_every_dress_and_a_changed_one_in_none(family: AnyFamily, reply_format: str) -> None:
    """Models that write a right answer as people do score zero, or a wrong one is mended while it is read."""
    for at, (puzzle, answer, layout, rows, dress) in enumerate(wardrobe(family, reply_format)):
        row = row_of(family, puzzle, answer, reply_format)
        reply = dress.make(rows, layout, reply_format)
        assert score(reply, row).solved, (dress.name, reply, score(reply, row))
        for changed in changes(rows, layout, at):
            other = family.form.read(puzzle, changed)
            right = other is not None and score(gold_reply(puzzle, other, reply_format), row).solved
            verdict = score(dress.make(changed, layout, reply_format), row)
            assert verdict.solved == right, (dress.name, changed)
            assert verdict.answer == changed, (dress.name, changed, verdict)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_one_dress_may_be_worn_over_another(family: AnyFamily, reply_format: str) -> None:
    """A numbered list in a quotation, or a table with Windows line ends in a block of code, scores zero."""
    over = [dress for dress in DRESSES if dress.around and reply_format in dress.formats]
    under = [found for found in wardrobe(family, reply_format) if not found[-1].around]
    for at, (_, _, layout, rows, dress) in enumerate(under):
        for step in (0, 11, 22):
            outer = over[(3 * at + step) % len(over)]
            reply = outer.around(dress.make(rows, layout, reply_format)) if outer.around else ""
            assert parse(reply, layout, reply_format, False).rows == rows, (outer.name, dress.name, reply)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_last_answer_counts_in_every_dress(family: AnyFamily, reply_format: str) -> None:
    """A reply with two answers is paid for the better one."""
    for at, (_, _, layout, rows, dress) in enumerate(wardrobe(family, reply_format)):
        (other, *_) = changes(rows, layout, at)
        one, two = (dress.make(each, layout, reply_format) for each in (rows, other))
        for first, last, expected in ((one, two, other), (two, one, rows)):
            assert parse(f"{first}\n\nNo:\n\n{last}", layout, reply_format, False).rows == expected, dress.name


@pytest.mark.parametrize("reply_format", FORMATS)
def test_a_claim_is_read_in_every_dress_that_stands_around_it(family: AnyFamily, reply_format: str) -> None:
    """Saying that there is no solution scores zero for its dress."""
    ((_, draft, layout, _), *_) = worn(family.name)
    claim = gold_reply(doubted(draft.puzzle), None, reply_format)
    for dress in DRESSES:
        if reply_format in dress.formats and dress.around:
            assert parse(dress.around(claim), layout, reply_format, True).unsolvable, dress.name
            assert not parse(dress.around(claim), layout, reply_format, False).unsolvable, dress.name
