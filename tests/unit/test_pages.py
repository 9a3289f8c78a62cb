"""Pages from templates: cells, drawings and parts, and that nothing in them is read as markup."""

from __future__ import annotations

import re

import pytest
from jinja2 import UndefinedError

from puzzlemill.analysis.extras import needing
from puzzlemill.analysis.pages import Box, Cell, Interval, Prose, Section, Table, Words, nothing, number, page
from puzzlemill.analysis.tables import to_json
from puzzlemill.core.errors import BadInput
from puzzlemill.core.pictures import Board, Drawing, text_picture
from puzzlemill.scoring.metrics import Decisions, Estimate

OBEYED = "\u202e\u2066\u200f\u061c\u2028\ufeff\u200b\U000e0041\x00\x1b\x9b\r\ud800"
EVIL = "<b>\"'&" + OBEYED + "é\u200d\t."
SAFE = "&lt;b&gt;&#34;&#39;&amp;é\u200d\t."


def cells(*row: object) -> list[str]:
    text = page("t", Table(["h"], [row]), [], [])
    return re.findall(r"<td(.*?)</td>", text, re.DOTALL)


def test_every_place_for_text_is_escaped() -> None:
    """One place of the templates lets a model's name through as markup."""
    everywhere = Cell(EVIL, "m", EVIL, EVIL, EVIL, EVIL)
    table = Table([EVIL, everywhere], [[EVIL, Cell(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL), nothing(EVIL)]], "plain", EVIL)
    sections = [Section(EVIL, EVIL, [table, Words([EVIL, Cell(EVIL, bold=EVIL)], EVIL), Words([EVIL], listed=True)])]
    text = page(EVIL, table, [EVIL], sections)
    assert '<b>"' not in text and not set(OBEYED) & set(text)
    assert text.count(SAFE) > 20


def test_pictures_show_what_pages_show() -> None:
    """A picture stands in a page as it is, so that its texts are not looked through again."""
    board, drawing = Board(1, 1), Drawing()
    board.text(0, EVIL)
    board.caption(EVIL)
    drawing.text(0, 0, EVIL, rim=True)
    for picture in (board.svg(), drawing.svg(9, 9), text_picture([(EVIL, "")])):
        assert "&lt;b&gt;" in picture and not set(OBEYED) & set(picture)


def test_cells_of_all_kinds() -> None:
    """A number stands to the left, or a zero is taken for nothing."""
    assert cells("a", 0, number("1.5"), nothing()) == [">a", ' class="n">0', ' class="n">1.5', ' class="none">-']
    assert cells(Cell("v", "in", bold="f", small="s")) == [' class="in"><b>f</b> v <small>s</small>']
    assert cells((Cell("a", colour="red"), Cell("b"))) == ['><span style="color:red">a</span> b ']
    assert cells(Cell("id", link="m0r1")) == ['><a href="#m0r1">id</a>']
    assert '<p class="none">nothing to show</p>' in page("t", Table(["h"], []), [], [])


def test_intervals_are_drawn_to_scale_and_cut_at_the_ends() -> None:
    (drawn,) = cells(Cell(drawing=Interval(0.5, -3.0, 0.75, "#123", guess=0.25, shade=0.1)))
    lines = re.findall(r'<line x1="([\d.]+)" y1="\d+" x2="([\d.]+)"', drawn)
    assert lines == [("4.0", "106.0"), ("55.0", "55.0"), ("67.8", "67.8"), ("4.0", "93.2")]  # axis, 0, guess, interval
    assert '<circle cx="80.5"' in drawn and '<rect x="49.9" y="1" width="10.2"' in drawn
    (plain,) = cells(Cell(drawing=Interval(0.5, 0.0, 1.0, "#123", least=0.0)))
    assert '<circle cx="55.0"' in plain and "<rect" not in plain and plain.count("<line") == 2


def test_boxes_are_drawn_to_scale() -> None:
    (drawn,) = cells(Cell(drawing=Box((0.0, 0.25, 0.5, 0.5, 1.0), 0.75)))
    assert '<rect x="25.5" y="4" width="22.5"' in drawn and '<line x1="3.0" y1="9" x2="93.0"' in drawn
    assert drawn.count('"70.5"') == 2  # the other median
    (flat,) = cells(Cell(drawing=Box((0.5,) * 5, None)))
    assert 'width="1.0"' in flat and "stroke-dasharray" not in flat


def test_a_template_that_is_given_too_little_fails() -> None:
    """A value that is missing leaves a gap in a page."""
    with pytest.raises(UndefinedError, match="no attribute 'negligible'"):
        page("t", Table([], []), [], [Section("s", "", [Prose("complexity_method.html", {})])])


def test_figures_as_json() -> None:
    """A small p-value is written as 0, or counts come as a list without names."""
    told = to_json({"p": 1.23456e-9, "large": 123.456789, "half": Estimate(0.123456, -0.5, 1.0, 3, "x"), "n": Decisions(1, 2, 3)})
    assert told == {
        "p": 1.235e-9,
        "large": 123.4568,
        "half": {"value": 0.1235, "low": -0.5, "high": 1.0, "n": 3, "method": "x"},
        "n": {"claimed": 1, "answered": 2, "silent": 3},
    }


def test_a_missing_package_is_named_with_its_remedy() -> None:
    with pytest.raises(BadInput, match=r"^x needs the package nowhere_at_all: pip install 'puzzlemill\[y\]'$"), needing("x", "y"):
        __import__("nowhere_at_all.below")
