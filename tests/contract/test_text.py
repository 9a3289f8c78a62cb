"""Prompts, answers as text, and pictures: what people and models see of a puzzle."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import pytest

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyPuzzle, Rows
from puzzlemill.scoring.parse import parse
from puzzlemill.scoring.prompt import FORMATS, gold_reply, prompt
from strategies import Case, every_case, full, minimized


def doubtful(puzzle: AnyPuzzle) -> AnyPuzzle:
    """The same puzzle, asked in a way that admits that there may be no answer."""
    return replace(puzzle, question=replace(puzzle.question, may_be_unsolvable=True))


def test_the_gold_reply_is_read_back_in_every_format(case: Case) -> None:
    """A format in which a right answer cannot be given scores every model at zero."""
    for index, reply_format, doubt in product(range(4), FORMATS, (False, True)):
        draft = minimized(case, index)
        puzzle = doubtful(draft.puzzle) if doubt else draft.puzzle
        reply = gold_reply(puzzle, draft.answer, reply_format)
        reading = parse(reply, case.family.form.layout(puzzle), reply_format, doubt)
        assert reading.rows is not None, (reply_format, doubt)
        assert case.family.form.read(puzzle, reading.rows) == draft.answer, (reply_format, doubt)


def test_saying_that_there_is_no_answer_is_understood_only_when_asked(case: Case) -> None:
    """ "unsolvable" is a reply where the prompt allows it, and never an answer where it does not."""
    puzzle = doubtful(minimized(case, 0).puzzle)
    layout = case.family.form.layout(puzzle)
    for reply_format in FORMATS:
        reply = gold_reply(puzzle, None, reply_format)
        asked = parse(reply, layout, reply_format, True)
        assert (asked.unsolvable, asked.rows) == (True, None), reply_format
        unasked = parse(reply, layout, reply_format, False)
        assert (unasked.unsolvable, unasked.rows) == (False, None), reply_format


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\s|,]+", text)


def tells_rows(text: str, rows: Rows) -> bool:
    """Whether a text spells the answer's rows one after the other, however they are separated."""
    told = " ".join(words_of(text.casefold()))
    return " ".join(token.casefold() for row in rows for token in row) in told


def test_the_prompt_does_not_tell_the_answer(case: Case) -> None:
    """An answer that stands in the prompt is copied, not found."""
    for index, reply_format in product(range(4), FORMATS):
        draft = minimized(case, index)
        rows = case.family.form.write(draft.puzzle, draft.answer)
        if sum(len(row) for row in rows) < 3:
            continue  # one or two tokens stand in any prompt by chance
        assert not tells_rows(prompt(draft.puzzle, reply_format), rows), (
            f"{reply_format}: the prompt shows the whole answer; make the least size greater"
        )


def test_every_active_rule_is_told(family: AnyFamily) -> None:
    """A rule that is in force but not in the prompt makes the puzzle unfair; each one must change the words."""
    specs = [case.spec for case in every_case() if case.family is family]
    plain = {replace(spec, rules=()): spec for spec in specs if not spec.rules}
    for spec in specs:
        if spec.rules and (base := plain.get(replace(spec, rules=()))):
            with_rule, without = (full(Case(family, s), 0).puzzle for s in (spec, base))
            told = family.render(with_rule.with_clues(()))
            assert told != family.render(without.with_clues(()))
            assert told != family.render(replace(with_rule.with_clues(()), spec=base))


def test_every_clue_is_told(case: Case) -> None:
    """A clue that the prompt leaves out is one the solver cannot use: each must change the text."""
    if case.family.model(case.spec, full(case, 0).puzzle.board).__class__.__name__ == "Graph":
        return
    puzzle = minimized(case, 0).puzzle
    whole = case.family.render(puzzle)
    for clue in puzzle.clues:
        fewer = case.family.render(puzzle.with_clues([other for other in puzzle.clues if other != clue]))
        assert fewer != whole, f"clue {clue.id} is not in the text"


def test_the_text_is_plain_and_tidy(case: Case) -> None:
    """Trailing blanks, tabs, template fields or Python objects in a prompt are bugs that models see first."""
    for index in range(3):
        text = case.family.render(minimized(case, index).puzzle)
        assert text == text.strip()
        assert not re.search(r"[ \t]+$", text, re.MULTILINE)
        assert not re.search(r"\t|\{|\}|<class|object at|\bNone\b(?! of)|\b(?:True|False)\b(?! \w)|\(\)|  +\n|\n{3,}", text)
        assert text.isprintable() or set(re.findall(r"[^\x20-\x7e]", text)) <= set("\n—–·×→’“”°²³")


def test_the_layout_says_nothing_about_the_answer(case: Case) -> None:
    """The layout is shown to every model: it may depend on the puzzle, never on what solves it."""
    draft = minimized(case, 0)
    layout = case.family.form.layout(draft.puzzle)
    assert layout.note.endswith(".")
    assert 1 <= layout.min_rows <= layout.max_rows or layout.min_rows == 0
    for column in layout.columns:
        assert len({token.casefold() for token in column.tokens}) == len(column.tokens) >= 2
        apart = r"[\s|]" if layout.grid else r"[\n|]"  # what separates the tokens of a row
        assert all(token and token == token.strip() and not re.search(apart, token) for token in column.tokens)
    # Two puzzles of one spec whose answers differ in length share their bounds: the bounds do not follow the answer.
    lengths: dict[tuple[int, int], set[int]] = {}
    for index in range(6):
        other = minimized(case, index)
        bounds = case.family.form.layout(other.puzzle)
        lengths.setdefault((bounds.min_rows, bounds.max_rows), set()).add(len(case.family.form.write(other.puzzle, other.answer)))
    if any(low != high for low, high in lengths):
        for (low, high), written in lengths.items():
            assert not (low == high and written == {low}), "the number of rows asked for is the optimal one"


def test_rows_that_fit_the_layout_never_raise(case: Case) -> None:
    """Any reply that passes the parser reaches read() and broken_rules(): neither may raise, whatever it says."""
    rng = case.rng("rows")
    for index in range(4):
        puzzle = minimized(case, index).puzzle
        layout = case.family.form.layout(puzzle)
        for _ in range(100):
            height = min(rng.between(layout.min_rows, layout.max_rows), 200)
            rows = tuple(tuple(rng.pick(column.tokens) for column in layout.columns) for _ in range(height))
            answer = case.family.form.read(puzzle, rows)
            if answer is not None:
                assert isinstance(case.family.broken_rules(puzzle, answer), list)
                assert case.family.form.read(puzzle, case.family.form.write(puzzle, answer)) == answer


@pytest.mark.parametrize("marked", [False, True])
def test_the_picture_is_well_formed(case: Case, marked: bool) -> None:
    """A picture with an unescaped name or a missing tag does not open; one without the answer must not show it."""
    draft = minimized(case, 0)
    text = case.family.draw(draft.puzzle, draft.answer if marked else None)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox") or (root.get("width") and root.get("height"))
    assert not re.search(r"<script|href|on\w+=", text)
    assert (case.family.draw(draft.puzzle) == text) is not marked
