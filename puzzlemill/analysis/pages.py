"""Files that are one page for a browser: no server, nothing loaded from elsewhere, no script but the gallery's own.

Pages are made from the templates in this folder, which escape all that they are given. A page is a list of sections, a
section of parts, and a part names the macro of parts.html that draws it; small pictures in cells name theirs in marks.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from jinja2 import Environment, PackageLoader, StrictUndefined

from puzzlemill.core.errors import BadParams
from puzzlemill.core.text import visible
from puzzlemill.factory.files import whole


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its interval, drawn on an axis from `least` to 1; what leads beyond is cut.

    guess: where guessing stands, for a mark. shade: half the width of a shade around 0.
    """

    macro: ClassVar[str] = "interval"
    wide: ClassVar[int] = 110
    value: float
    low: float
    high: float
    colour: str
    least: float = -1.0
    guess: float | None = None
    shade: float = 0.0

    def x(self, value: float) -> str:
        """The place of a value, in pixels."""
        return f"{4 + (self.wide - 8) * (max(self.least, min(1.0, value)) - self.least) / (1 - self.least):.1f}"

    def across(self, distance: float) -> str:
        """A distance on the axis, in pixels."""
        return f"{(self.wide - 8) * distance / (1 - self.least):.1f}"


@dataclass(frozen=True, slots=True)
class Box:
    """The least, the quartiles and the greatest of some values, and a mark for another median; places from 0 to 1."""

    macro: ClassVar[str] = "box"
    wide: ClassVar[int] = 96
    places: Sequence[float]
    mark: float | None

    def x(self, place: float) -> str:
        """A place, in pixels."""
        return f"{3 + (self.wide - 6) * place:.1f}"

    def across(self, distance: float) -> str:
        """A distance, in pixels, at least 1."""
        return f"{max(1.0, (self.wide - 6) * distance):.1f}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, or some words of a sentence: drawing, bold, text and small words, in this order.

    kind: "n" for numbers, "none" for what there is not, "in" for lines below another, "m" for models' names with a dot of the
    colour. link: the anchor of another place on the page.
    """

    text: object = ""
    kind: str = ""
    bold: str = ""
    small: str = ""
    colour: str = ""
    link: str = ""
    drawing: Interval | Box | None = None


Content = object  # a Cell or several in a tuple, a number, or text


@dataclass(frozen=True, slots=True)
class Table:
    """style: "figures" for one with drawings, else "plain". empty: what stands in place of a table without rows."""

    macro: ClassVar[str] = "table"
    heads: Sequence[Content]
    rows: Sequence[Sequence[Content]]
    style: str = "plain"
    title: Content = ""
    empty: str = "nothing to show"


@dataclass(frozen=True, slots=True)
class Words:
    """Paragraphs, or a list. kind: "none" for a remark that there is nothing."""

    macro: ClassVar[str] = "words"
    sentences: Sequence[Content]
    title: Content = ""
    listed: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """A template of text, with the values that it needs."""

    macro: ClassVar[str] = "prose"
    template: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Replies:
    """Rows that went wrong, each with its prompt, a reply and the verdict."""

    macro: ClassVar[str] = "replies"
    rows: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    intro: str
    parts: Sequence[Table | Words | Prose | Replies]


def number(value: object) -> Cell:
    """A figure, to stand to the right."""
    return Cell(value, "n")


def nothing(text: str = "-") -> Cell:
    """A cell for what there is not."""
    return Cell(text, "none")


def page(title: str, head: Table, notes: Sequence[str], sections: Sequence[Section]) -> str:
    """A page of sections; head and notes stand before them."""
    return render("page.html", title=title, head=head, notes=notes, sections=sections)


def render(template: str, package: str = "puzzlemill.analysis", **values: Any) -> str:
    """A template of this package, or of another one, filled in."""
    return _environment(package).get_template(template).render(values)


@cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _visible(content: object) -> object:
    """Text as `visible` leaves it; markup as it is, of which pictures have passed their texts through it too."""
    return content if hasattr(content, "__html__") else visible(str(content))


def write_page(content: str, out: Path, option: str = "--out") -> None:
    """Write the page; an existing file is replaced only once the new one is whole. option: what named the file, for the error."""
    if not out.name:
        raise BadParams(f"{option}: names no file; write {option} FILE")
    try:
        if out.exists() and not out.is_file() and not out.is_dir():  # a device is not to be replaced by a file
            raise OSError(0, "it is no file")
        out.parent.mkdir(parents=True, exist_ok=True)
        with whole(out) as aside:
            aside.write_text(content, encoding="utf-8")
    except OSError as error:
        raise BadParams(f"{option}: {out} cannot be written ({error.strerror})") from None
