"""Quotations of a wished length from each source, and files of one's own with something wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.lexicon import KNOWN, words
from puzzlemill.vocabulary.quote_files import Quotation, carry, own_name, parse, read, write
from puzzlemill.vocabulary.quotes import COMPOSED, EXAMPLES, check_source, drawn, letters, plain, words_of

LINES = """# mine
The quick brown fox jumps over the lazy dog every morning.\tAda Birdsong
Nothing ventured, nothing gained - so they say — Otto Rainbird

Nobody expects the unexpected until it is too late - Zoë Saltmarsh
"""


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def put(content: str | bytes) -> Path:
        path = tmp_path / "mine.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


@pytest.mark.parametrize(("source", "least", "most"), [(COMPOSED, 60, 80), (COMPOSED, 200, 230), (EXAMPLES, 30, 60)])
def test_a_quotation_has_the_wished_length_and_known_words(source: str, least: int, most: int) -> None:
    known, found = set(words(KNOWN)), []
    for i in range(200):
        one = drawn(source, least, most, stream("tests", "drawn", i), KNOWN)
        text = plain(one.text)
        assert least <= letters(text) <= most and known.issuperset(words_of(text)) and one.author
        found.append(text)
    assert drawn(source, least, most, stream("tests", "drawn", 7), KNOWN).text.upper() == found[7]
    assert len(set(found)) >= 190


def test_a_file_is_read_by_lines(file: Callable[[str], Path]) -> None:
    path = file(LINES)
    assert [one.author for one in read(path)] == ["Ada Birdsong", "Otto Rainbird", "Zoë Saltmarsh"]
    assert read(path)[1].text == "Nothing ventured, nothing gained - so they say"
    assert drawn(str(path), 47, 60, stream("x")).author == "Ada Birdsong"
    assert {drawn(str(path), 1, 400, stream("x", i)).author for i in range(40)} == {one.author for one in read(path)}
    assert parse(write(read(path)), "") == read(path)


def test_signs_have_one_rule() -> None:
    assert plain("Être, c’est “naïve” – Œuvre…") == 'ETRE, C\'EST "NAIVE" - OEUVRE...'
    assert plain("It's 3 o'clock; Straße & Łódź") == "IT'S 3 O'CLOCK; STRASSE AND LODZ"
    assert words_of("IT'S 3 O'CLOCK") == ("it", "s", "o", "clock") and letters("IT'S 3") == 3
    for strange in ("α", "☃", "a\u202eb", "50%", "ш"):
        with pytest.raises(ValueError, match="is no letter A to Z"):
            plain(strange)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Fine words - Ada\n\xff\xfe - Bo\n", r"mine.txt:2: byte 0xff is no UTF-8; save the file as UTF-8"),
        ("Fine words - Ada\nNobody said this\n", r"mine.txt:2: expected a text and its author, got 'Nobody said this'"),
        ("Привет всем - Ада\n", r"mine.txt:1: 'П' is no letter A to Z"),
        ("x" * 1001 + " - Ada\n", r"mine.txt:1: expected at most 1000 characters, got 1007"),
        ("Words - " + "x" * 81, r"mine.txt:1: expected an author of at most 80 characters, got 81"),
        ("123 - Ada\n", r"mine.txt:1: expected letters in the text, got '123'"),
        ("# nothing\n\n", r"mine.txt: expected at least one quotation, got none"),
        ("x" * 500_001, r"mine.txt: the file has more than 500000 bytes"),
    ],
)
def test_defects_of_a_file_are_named_with_their_line(
    file: Callable[[str | bytes], Path], content: str | bytes, message: str
) -> None:
    with pytest.raises(BadFile, match=message) as error:
        read(file(content))
    assert "\n" not in str(error.value)


def test_what_cannot_be_drawn_is_said(file: Callable[[str], Path], tmp_path: Path) -> None:
    path = file(LINES)
    with pytest.raises(BadParams, match=r"mine.txt: the quotations: expected one of 90 to 120 letters"):
        drawn(str(path), 90, 120, stream("x"))
    with pytest.raises(BadFile, match=r"nowhere.txt: No such file or directory; name a file of quotations"):
        drawn(str(tmp_path / "nowhere.txt"), 1, 90, stream("x"))
    with pytest.raises(BadParams, match="each has a word that is not in the lexicon's band 'known', as 'qwx'"):
        drawn(_other(tmp_path), 1, 90, stream("x"), KNOWN)
    with pytest.raises(BadParams, match="its examples: expected one of 390 to 400 letters"):
        drawn(EXAMPLES, 390, 400, stream("x"))
    for least, most in ((401, 500), (80, 60), (1, 10)):
        with pytest.raises(BadParams, match="composed quotations: expected 14 to 400 letters"):
            drawn(COMPOSED, least, most, stream("x"))
    for source in ("", "x" * 401, "a\nb"):
        with pytest.raises(BadParams, match="source: expected composed, examples or a file"):
            check_source(source)


def _other(folder: Path) -> str:
    path = folder / "other.txt"
    path.write_text("It is qwx - Ada\n")
    return str(path)


def test_a_carried_file_is_known_by_its_hash() -> None:
    """A recipe that names other words than it brings along would give other rows under the same key."""
    text = write((Quotation("Plain words are best.", "Ada"),))
    name = own_name("mine", text)
    carry(name, text)
    assert drawn(name, 1, 90, stream("x")) == Quotation("Plain words are best.", "Ada")
    with pytest.raises(BadParams, match="expected the file's name, @ and the start of its text's SHA-256"):
        carry(name, text + "More words.\tAda\n")
