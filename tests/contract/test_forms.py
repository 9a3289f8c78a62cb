"""Every family's puzzles can be written down as text and read back: docs/formats.md tells the forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.questions import asked
from strategies import Case, full, group, minimized, usual


def again(family: AnyFamily, puzzle: AnyPuzzle) -> AnyPuzzle:
    return family.text.parse(lines_of(family.text.format(puzzle)))


def said(puzzle: AnyPuzzle) -> list[str]:
    return sorted(str((clue.kind, clue.args)) for clue in puzzle.clues)


def same(family: AnyFamily, puzzle: AnyPuzzle) -> None:
    """The text says everything but the look, the ids, what the puzzle was made from and the words of a proved answer."""
    back = again(family, puzzle)
    shown = not family.lexical or getattr(puzzle.spec.params, "listed", False)  # words that are a list which the puzzle shows
    board = puzzle.board if shown else replace(puzzle.board, words=())
    assert (back.family, back.version, back.board, back.spec.rules) == (
        puzzle.family,
        puzzle.version,
        board,
        puzzle.spec.rules,
    )
    assert family.form.slots(back.spec, back.board) == family.form.slots(puzzle.spec, puzzle.board)
    assert replace(back.question, may_be_unsolvable=puzzle.question.may_be_unsolvable) == puzzle.question
    assert said(back) == said(puzzle)
    assert canonical_key(family, back) == canonical_key(family, puzzle)
    assert again(family, back) == back, "what was read is written as it was read"


def test_puzzles_survive_the_text_form(case: Case) -> None:
    """`puzzlemill check` must prove the puzzle that was written down and no other."""
    for draft in (full(case, 0), minimized(case, 0), minimized(case, 1)):
        same(case.family, draft.puzzle)


def test_every_transform_survives_the_text_form(case: Case) -> None:
    """A variant that the form tells wrongly would be refuted as another puzzle."""
    for row in group(case, 0, tuple(usual(case)))[1:]:
        same(case.family, loads(puzzle_type(case.family), row["puzzle"]))


def test_worked_examples_survive_the_text_form(family: AnyFamily) -> None:
    """Published puzzles are what people check first."""
    for example in family.examples():
        same(family, example.puzzle)
        back = again(family, example.puzzle)
        assert asked(back).objections(family, back, example.answer) == []


def test_damaged_texts_are_refused_with_their_line(case: Case) -> None:
    """A text that is nearly a puzzle must be told as damaged, with the line, or be another puzzle: nothing else may happen."""
    text = case.family.text.format(minimized(case, 0).puzzle)
    refused = []
    places = range(0, len(text), 1 + len(text) // 400)
    for at in places:
        for damaged in (text[:at] + text[at + 1 :], text[:at] + "§" + text[at + 1 :], text[:at] + "1(" + text[at:], text[:at]):
            try:
                case.family.text.parse(lines_of(damaged))
            except BadRow as error:
                refused.append(str(error))
    assert len(refused) > len(places)
    assert [error for error in refused if not error.startswith("line ")] == []


def test_an_unknown_option_is_refused(family: AnyFamily) -> None:
    """A rule that is overlooked changes what is proved."""
    text = family.text.format(family.examples()[0].puzzle)
    with pytest.raises(BadInput, match=r"line 1 column \d+: \w+ has no option 'sideways'"):
        family.text.parse(lines_of(text.replace("\n", " sideways\n", 1)))
