"""JSON to values: what is no text."""

from __future__ import annotations

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadRow


@pytest.mark.parametrize("text", ['["\\ud800"]', '["a \\uDFFF b"]', '["\ud800"]', '["\\ud800\\u0041"]'])
def test_half_of_a_surrogate_pair_is_no_text(text: str) -> None:
    """A puzzle with one is read, and the page, the export or the answer that it goes into cannot be written."""
    with pytest.raises(BadRow, match=r"puzzle: holds half of a surrogate pair, '\\ud[8f][0f]{2}', which is no text"):
        loads(tuple[str, ...], text, "puzzle")


def test_any_text_is_read_as_it_was_written() -> None:
    words = ("é", "😀", "\u202e", "a\nb", "\\ud800", "\0")
    assert loads(tuple[str, ...], dumps(words)) == words
    assert loads(tuple[str, ...], '["\\ud83d\\ude00"]') == ("😀",)
