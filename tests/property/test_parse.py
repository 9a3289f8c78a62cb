"""Properties of parsing that hold for any layout, answer and text around it."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlemill.core.types import Column, Layout, Rows
from puzzlemill.scoring.parse import BLANKS, parse
from puzzlemill.scoring.prompt import FORMATS, spelled

WORDS = st.text(string.ascii_letters + string.digits + "äß", min_size=1, max_size=6)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    width = draw(st.integers(1, 5))
    columns = []
    for c in range(width):
        tokens = draw(st.lists(WORDS, min_size=2, max_size=5, unique_by=str.casefold))
        columns.append(Column(f"column {c}", tuple(tokens)))
    low = draw(st.integers(1, 3))
    return Layout(tuple(columns), low, low + draw(st.integers(0, 2)), draw(st.booleans()), "Rows.")


@st.composite
def answers(draw: st.DrawFn) -> tuple[Layout, Rows]:
    layout = draw(layouts())
    height = draw(st.integers(layout.min_rows, layout.max_rows))
    return layout, tuple(tuple(draw(st.sampled_from(c.tokens)) for c in layout.columns) for _ in range(height))


@settings(max_examples=60, deadline=None)
@given(answers(), st.sampled_from(FORMATS), st.booleans(), st.text("abc {}[]\"'\\<>:;,.?!\n", max_size=60))
def test_every_spelled_answer_is_read_back_after_any_prose(
    case: tuple[Layout, Rows], reply_format: str, doubt: bool, prose: str
) -> None:
    """A right answer is lost, or changed, in some alphabet, size or format."""
    layout, rows = case
    reading = parse(f"{prose}\n\n{spelled(rows, layout, reply_format, doubt)}", layout, reply_format, doubt)
    assert (reading.rows, reading.blanks) == (rows, 0)


@settings(max_examples=100, deadline=None)
@given(layouts(), st.sampled_from(FORMATS), st.booleans(), st.text(max_size=300))
def test_any_text_is_read_without_an_error_and_only_as_what_the_layout_allows(
    layout: Layout, reply_format: str, doubt: bool, text: str
) -> None:
    """A reply crashes the scorer, or puts a token into an answer that no column has."""
    hostile = text + spelled(((text[:9],) * len(layout.columns),) * layout.min_rows, layout, "table") + text
    for reply in (text, hostile, f"<answer>{text}</answer>", f"\\boxed{{{text}}}", f'{{"answer": [["{text}"]]}}'):
        reading = parse(reply, layout, reply_format, doubt)
        assert not reading.unsolvable or doubt
        for row in reading.rows or ():
            assert len(row) == len(layout.columns)
            assert all(token in column.tokens or token == "" for token, column in zip(row, layout.columns, strict=True))


@settings(max_examples=60, deadline=None)
@given(answers(), st.sampled_from(FORMATS), st.data())
def test_one_changed_token_is_never_read_as_the_answer(case: tuple[Layout, Rows], reply_format: str, data: st.DataObject) -> None:
    """Something that is not the token is taken for it."""
    layout, rows = case
    r = data.draw(st.integers(0, len(rows) - 1))
    c = data.draw(st.integers(0, len(layout.columns) - 1))
    other = data.draw(WORDS.filter(lambda word: word.casefold() != rows[r][c].casefold() and word not in BLANKS))
    changed = [list(row) for row in rows]
    changed[r][c] = other
    if reply_format == "json" and other.isdigit() and str(int(other)) != other:
        return  # spelled() writes integers and would mend it; tests/unit/test_parse.py has these
    reading = parse(spelled(tuple(map(tuple, changed)), layout, reply_format), layout, reply_format, False)
    assert reading.rows != rows
