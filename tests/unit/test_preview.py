"""The gallery: what it shows of a release, and that hostile rows stay text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.analysis import preview as gallery
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.factory.make import make
from puzzlemill.factory.read import Release

RELEASE = Release(Path("nowhere"), {"release": "tiny <b>"}, {})


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [
        make("sudoku", size=4),
        make("sudoku", size=4, index=1),
        make("sudoku", size=6, transforms=["clash"]),
        make("binario", rows=6, cols=8),
        make("zebra", positions=3, attributes=3),
        make("hanoi", disks=3),
    ]


@pytest.fixture
def page(rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(gallery, "rows", lambda release: iter(rows))
    return gallery.preview(RELEASE, 1)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Tags()
    parser.feed(page)
    return parser.opened


def test_the_page_opens_on_boards(page: str) -> None:
    """Twenty families of histograms stand before the first board."""
    folds = [attrs for tag, attrs in tags(page) if tag == "details"]
    assert [("open" in attrs) for attrs in folds if attrs.get("class") == "histograms"] == [False]
    assert "histograms: difficulty and effort of all rows" in page


def test_each_variant_has_as_many_rows_as_asked_for(page: str) -> None:
    """A variant is missing, or one family fills the page."""
    shown = [attrs for tag, attrs in tags(page) if tag == "article"]
    assert [(a["data-family"], a["data-variant"]) for a in shown] == [
        ("binario", "canonical"),
        ("hanoi", "canonical"),
        ("sudoku", "canonical"),
        ("sudoku", "made"),
        ("zebra", "canonical"),
    ]
    assert {a["data-status"] for a in shown} == {"unique", "optimal", "unsolvable"}


def test_a_row_shows_its_boards_its_clash_and_its_deduction(page: str, rows: list[dict[str, Any]]) -> None:
    unsolvable = rows[2]
    for sentence in unsolvable["proof"]["sentences"]:
        assert sentence in unescape(page)
    assert page.count("<figcaption>answer</figcaption>") == 4
    assert "puzzle, the unsat core marked" in page
    steps = sum(len(row["trace"]) for row in rows if row is not rows[1])
    assert page.count("<li><b>") == steps > 20


def test_a_stage_of_the_deduction_keeps_the_givens(rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A board after a step has lost its givens, or the numbers of steps stand beside it as if they were rules."""
    monkeypatch.setattr(gallery, "rows", lambda release: iter(rows[:1]))
    figures = re.findall("<figure.*?</figure>", gallery.preview(RELEASE, 1))
    stages = [figure for figure in figures if "after step" in figure]
    assert stages and not [figure for figure in stages if ">#" in figure]
    given = re.findall(r'<text [^>]*font-weight="bold">.</text>', figures[0])
    assert given and all(text in figure for figure in stages for text in given)


def test_histograms_count_every_row(page: str) -> None:
    """Of two sudokus one is shown, and both are counted."""
    part = page.split("<h2>sudoku</h2>")[1].split("<h2>")[0]
    chart = part.split("tier of the hardest technique needed")[1].split("</svg>")[0]
    assert sum(map(int, re.findall(r">(\d+)</text>", chart))) == 3


def test_nothing_is_loaded_and_only_our_script_runs(page: str) -> None:
    """A page that is sent around would call home."""
    opened = tags(page)
    assert [tag for tag, _ in opened].count("script") == 1
    assert not any(name in ("src", "href") or name.startswith("on") for _, attrs in opened for name in attrs)
    policy = next(attrs["content"] for tag, attrs in opened if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    script = page.split("<script>")[1].split("</script>")[0]
    assert policy.endswith(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'")
    assert "tiny &lt;b&gt;" in page


def test_hostile_texts_stay_texts(rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A release from elsewhere would run its script in the reader's browser."""
    obeyed = "\u202e\u2066\u200f\u061c\u2028\x00\x1b\x9b\ud800"
    evil = f'"><script>alert(1)</script>{obeyed}'
    bad = {**rows[0], "prompt": evil, "variant": evil, "gold_reply": evil, "rules": evil, "id": evil}
    bad["trace"] = [{**step, "text": evil, "technique": evil} for step in bad["trace"]]
    monkeypatch.setattr(gallery, "rows", lambda release: iter([bad]))
    page = gallery.preview(RELEASE, 1)
    assert "<script>alert" not in page and not set(obeyed) & set(page)
    assert [tag for tag, _ in tags(page)].count("script") == 1


@pytest.mark.parametrize("change", [{"puzzle": "[]"}, {"difficulty": None}, {"answer": "[[1]]"}, {"family": "nothing"}])
def test_a_row_that_cannot_be_shown_is_named(
    change: dict[str, Any], rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "rows", lambda release: iter([{**rows[0], **change}]))
    with pytest.raises(BadRow, match=f"row {rows[0]['id']}"):
        gallery.preview(RELEASE, 1)


def test_a_file_is_written_whole_or_not_at_all(
    rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(gallery, "rows", lambda release: iter(rows))
    gallery.write_preview(RELEASE, tmp_path / "deep" / "page.html", 1)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["page.html"]
    with pytest.raises(BadParams, match="--out"):
        gallery.write_preview(RELEASE, tmp_path / "deep" / "page.html" / "below.html", 1)
    with pytest.raises(BadParams, match="--rows"):
        gallery.preview(RELEASE, 0)


@pytest.mark.parametrize(("own", "shown"), [(100, gallery.NARROWEST), (720, round(720 * gallery.SCALE)), (9_000, gallery.WIDEST)])
def test_a_picture_is_as_wide_as_it_needs(own: int, shown: int) -> None:
    """Sentences under a board cannot be read, or a large board breaks the page."""
    assert gallery._width(f'<svg viewBox="0 0 {own} 60"></svg>') == shown


def test_the_page_gives_every_picture_its_width(page: str) -> None:
    widths = [attrs["style"] for tag, attrs in tags(page) if tag == "figure"]
    assert len(widths) > 5 and all(re.fullmatch(r"width:[3-7]\d\dpx", str(width)) for width in widths)
