"""Cuts a reply into sentences and lines: numbered steps, bullets, bold text, tables, final answers.

Bounded: of a longer reply only the beginning and the end are read, and no more than so many sentences.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MOST = 400_000  # characters that are read of a reply: a third of them at its end
MOST_SENTENCES = 4_000
LONGEST = 1_200  # characters of a sentence; what is longer is cut, and not understood

TEXT, CELLS, CODE = "text", "cells", "code"
_MARKS = re.compile(r"\*\*|__|`|\*(?=\S)|(?<=\S)\*|~~|\\[()\[\]]|\$(?!\d)|<[a-z/][^<>\n]{0,40}>")
_HEAD = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:(?:[-*+\u2022\u25e6\u2013\u2014>][ \t]+)*)(?:\[[ xX]\][ \t]+)?"
    r"(?:(?P<step>(?:(?:step|deduction|inference|stage)[ \t]*#?\d{1,3}|\(?\d{1,3}[.)]|\[\d{1,3}\]|[ivx]{1,5}\)|[a-h]\)|\d{1,3}:)"
    r"[ \t]*[.:)\u2013\u2014-]?)[ \t]*)?(?:[-*+\u2022][ \t]+)?",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])[\"'\u201d\u2019)\]]*[ \t]+(?=[\"'\u201c(\[]?[A-Z0-9\u201c])|(?<=[.!?])$")
_SHORT = re.compile(r"(?:^|[\s(])(?:mr|mrs|ms|dr|st|no|nos|vs|e\.g|i\.e|etc|approx|prof|jr|sr|a\.m|p\.m)\.$", re.IGNORECASE)
_PRIVATE = re.compile("[\ue000-\uf8ff]")  # characters that stand for names (signs.py)
_RULER = re.compile(r"[\s|+:=\-\u2013\u2014_]*$")


class Sentence(NamedTuple):
    """step: the number of the paragraph or list entry that it belongs to. kind: text, cells (of a table line) or code."""

    text: str
    step: int
    kind: str = TEXT
    cells: tuple[str, ...] = ()


class Cut(NamedTuple):
    """whole: whether all of the reply was read."""

    sentences: tuple[Sentence, ...]
    whole: bool


def cut(reply: str) -> Cut:
    """The sentences of a reply, in order."""
    whole = len(reply) <= MOST
    if not whole:
        reply = f"{reply[: MOST * 2 // 3]}\n\n{reply[-MOST // 3 :]}"
    reply = _PRIVATE.sub("", reply)
    found: list[Sentence] = []
    step, fenced, blank = 0, False, True
    for line in reply.translate(_PLAIN).splitlines():
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fenced = not fenced
            continue
        if not bare:
            blank = True
            continue
        if _RULER.match(bare):
            continue
        plain = _MARKS.sub("", line)
        head = _HEAD.match(plain)
        if blank or (head is not None and head["step"]):
            step += 1
        blank = False
        rows = _rows(bare)
        if rows:
            step += 1
            found += [Sentence(" | ".join(row), step, CELLS, row) for row in rows]
            continue
        cells = _cells(bare)
        told = [cell for cell in cells if cell.count(" ") > 4 or (cell.endswith(".") and cell.count(" ") > 1)]
        if told:
            step += 1
            found += [Sentence(one, step) for cell in told for one in _sentences(cell)]
        elif cells:
            found.append(Sentence(bare[:LONGEST], step, CELLS, cells))
        elif fenced and _is_code(bare):
            found.append(Sentence(bare[:LONGEST], step, CODE))
        else:
            text = plain[head.end() :] if head is not None else plain
            found += [Sentence(one, step) for one in _sentences(text.strip())]
        if len(found) >= MOST_SENTENCES:
            return Cut(tuple(found[:MOST_SENTENCES]), False)
    return Cut(tuple(found), whole)


_PLAIN = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2011": "-", "\u2502": "|", "\t": "|"}
)


_ROW = re.compile(r"\[([^][]{1,400})\]")
_BOXED = re.compile(r"boxed\{([^{}]{1,4000})\}?")


def _rows(bare: str) -> list[tuple[str, ...]]:
    """The rows of an answer in one line: a list of lists, or a box with rows between semicolons."""
    boxed = _BOXED.search(bare)
    if boxed is not None:
        parts = [row.split("|") for row in boxed[1].split(";")]
    else:
        parts = [row.split(",") for row in _ROW.findall(bare[:8_000])] if "[[" in bare.replace(" ", "") else []
    return [tuple([cell.strip(" \"'*\\") for cell in row[:16]]) for row in parts[:32] if len(row) > 1]


_DASH = re.compile(r"\s[\u2013\u2014-]\s")
_TOLD = re.compile(r"[:;.|<>=]")


def _cells(bare: str) -> tuple[str, ...]:
    """The cells of a line of a table, or of a row of JSON; () for a line of text."""
    if bare.count("|") >= 2 or (bare.count("|") == 1 and bare.startswith("|") is False and len(bare) < 80):
        parts = bare.strip("|").split("|")
    elif bare[0] == "[" and bare.rstrip(",").endswith("]") and bare.count(",") >= 1:
        parts = bare.rstrip(",").strip("[]").split(",")
    elif len(bare) < 300 and not _TOLD.search(bare) and _DASH.search(bare):
        parts = _DASH.split(bare)
        return tuple([_MARKS.sub("", part).strip(" \"'*") for part in parts]) if max(map(len, parts)) <= 40 else ()
    else:
        return ()
    if len(parts) < 2 or (bare.count("|") < 2 and any(len(part) > 60 for part in parts)):
        return ()
    return tuple([_MARKS.sub("", part).strip(" \"'*") for part in parts[:16]])


def _is_code(bare: str) -> bool:
    return bool(re.match(r"(?:def|import|from|for|while|if|print|return|class|assert)\b.*[:()=]|\w+(?:\[.*\])?[ ]?=[ ]?\S", bare))


def _sentences(text: str) -> list[str]:
    found, start = [], 0
    for end in _END.finditer(text):
        if _SHORT.search(text[max(0, end.start() - 8) : end.start()]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [one[: LONGEST + 1] for one in found if one]
