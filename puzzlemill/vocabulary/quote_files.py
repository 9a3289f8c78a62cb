"""Quotations of a file of one's own: a line each, the text, a tab or " - ", and the author; docs/design/words.md says more.

A recipe brings the file's text along under a name that holds a hash of it, so that a release needs the file no more.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import printable

MAX_BYTES = 500_000
MAX_LINE = 1_000  # characters
MAX_AUTHOR = 80
MAX_NAME = 400  # of a source: a path, or a file's name and hash
SIGNS = " .,;:!?'\"()-0123456789"  # what stands beside letters; everything else becomes one of these, a letter, or an error
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict(zip("\u2026\u00a0\t[]&", ("...", " ", " ", "(", ")", " and "), strict=True)),
        **dict(zip("\u00e6\u00c6\u0153\u0152\u00f8\u00d8\u00df", ("ae", "AE", "oe", "OE", "o", "O", "ss"), strict=True)),
        **dict(zip("\u0142\u0141\u0111\u0110\u00f0\u00d0\u00fe\u00de", ("l", "L", "d", "D", "d", "D", "th", "TH"), strict=True)),
    }
)
_PLAIN = re.compile(rf"[A-Z{re.escape(SIGNS)}]*")
_LETTERS = dict.fromkeys(range(ord("A"), ord("Z") + 1))
_DASH = re.compile(r"\s+[-\u2013\u2014]\s+(?!.*\s[-\u2013\u2014]\s)")  # the last one of a line
_FORMAT = 'write the text, a tab or " - ", and its author on one line'


class Quotation(NamedTuple):
    """text: its sentences with their signs. author: who says them."""

    text: str
    author: str


def plain(text: str) -> str:
    """The text in A to Z, digits, blanks and signs of SIGNS: how a family of texts writes a quotation.

    Accents fall away and letters that are two become two (é: E, ß: SS, æ: AE). Apostrophes, quotation marks and dashes of all
    kinds become ' " and -; an ellipsis is three dots. Digits and signs stay where they are: they are shown, never sought.
    Raises ValueError for any other sign, which it names.
    """
    taken = text.translate(_ALIKE)
    if not taken.isascii():
        taken = unicodedata.normalize("NFKD", taken).translate(_ALIKE)
        taken = "".join([sign for sign in taken if not unicodedata.combining(sign)])
    shown = " ".join(taken.upper().split())
    if _PLAIN.fullmatch(shown):
        return shown
    strange = next((sign for sign in shown if not ("A" <= sign <= "Z" or sign in SIGNS)), None)
    if strange is not None:
        raise ValueError(f"{strange!r} is no letter A to Z, no digit and none of {SIGNS[1:11]}")
    return shown


def letters(text: str) -> int:
    """The number of letters A to Z of a plain text."""
    return len(text) - len(text.translate(_LETTERS))


def read(path: Path) -> tuple[Quotation, ...]:
    """The quotations of a file. Raises BadFile, which names the file and the line, for the first thing that is wrong with it."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadFile(f"{printable(str(path))}: {why}; name a file of quotations (UTF-8) that can be read") from None
    if len(raw) > MAX_BYTES:
        raise BadFile(f"{path}: the file has more than {MAX_BYTES} bytes; take some of its lines")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadFile(f"{path}:{line}: byte 0x{raw[error.start]:02x} is no UTF-8; save the file as UTF-8") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> tuple[Quotation, ...]:
    """The quotations of a file's text, each once. Empty lines, and those that begin with #, say nothing. Raises as read()."""
    found: dict[str, Quotation] = {}
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line and not line.startswith("#"):
            try:
                one = _quotation(line)
            except ValueError as error:
                raise BadFile(f"{name}:{number}: {printable(str(error))}") from None
            found.setdefault(plain(one.text), one)
    if not found:
        raise BadFile(f"{name}: expected at least one quotation, got none; {_FORMAT}")
    return tuple(found.values())


def _quotation(line: str) -> Quotation:
    if len(line) > MAX_LINE:
        raise ValueError(f"expected at most {MAX_LINE} characters, got {len(line)}; {_FORMAT}")
    said, *author = [part.strip() for part in (line.split("\t", 1) if "\t" in line else _DASH.split(line, maxsplit=1))]
    if not author or not author[0]:
        raise ValueError(f"expected a text and its author, got {line[:40]!r}; {_FORMAT}")
    if len(author[0]) > MAX_AUTHOR:
        raise ValueError(f"expected an author of at most {MAX_AUTHOR} characters, got {len(author[0])}; {_FORMAT}")
    for what, part in (("text", said), ("author", author[0])):
        if not letters(plain(part)):
            raise ValueError(f"expected letters in the {what}, got {part[:40]!r}; {_FORMAT}")
    return Quotation(" ".join(said.split()), " ".join(author[0].split()))


# ---- what a recipe brings along -------------------------------------------------------------------------------------------

_carried: dict[str, tuple[Quotation, ...]] = {}  # by its name, which holds a hash of the text: it can mean one file only


def write(quotations: tuple[Quotation, ...]) -> str:
    """The text of a file in its one form; parse() reads it."""
    return "".join([f"{one.text}\t{one.author}\n" for one in quotations])


def own_name(name: str, text: str) -> str:
    """The name of a file that a recipe brings along: its own, and a hash of its text."""
    return f"{name}@{sha256(text.encode()).hexdigest()[:16]}"


def carry(name: str, text: str) -> None:
    """Take up a file's text, so that of_source() finds it in this process. name: as own_name gives it.

    Raises BadParams for another name, BadFile for a text with defects.
    """
    stem, text = name.rpartition("@")[0], text[: MAX_BYTES + 1].encode(errors="replace").decode()  # JSON can hold half a sign
    if len(text.encode()) > MAX_BYTES:
        raise BadParams(f"a file of quotations has at most {MAX_BYTES} bytes; take some of its lines")
    if name != own_name(stem, text):
        raise BadParams(
            f"expected the file's name, @ and the start of its text's SHA-256, as in {own_name('quotes', text)}, "
            f"got {printable(name[:80])!r}; put the text back as it was, or name it anew"
        )
    if name not in _carried:
        _carried[name] = parse(text, stem)


def of_source(source: str) -> tuple[Quotation, ...]:
    """The quotations of a file that was carried here, or of the file at this path. Raises BadFile."""
    return _carried[source] if source in _carried else _at(source)


@lru_cache(maxsize=16)
def _at(source: str) -> tuple[Quotation, ...]:
    return read(Path(source))
