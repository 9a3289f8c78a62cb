"""Counts of what was wrong with a source, and where: the table of `puzzlemill import --audit`, and import.json of a release."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemill.core.types import Status
from puzzlemill.factory.imports.proving import MISSING, RIGHT, UNDECIDED, UNREAD, UNREADABLE, WRONG, Proved

UNIQUE, SEVERAL, NONE = "unique", "several", "unsolvable"
EXACT, ALIKE = "exact", "alike"  # duplicates cell by cell, and up to symmetry only
_STATUS = {Status.UNIQUE.value: UNIQUE, Status.OPTIMAL.value: UNIQUE, Status.ANY.value: SEVERAL, Status.UNSOLVABLE.value: NONE}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a puzzle of a file, or the reason why it did not become a row."""

    file: str
    line: int
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {f'({self.name}) ' if self.name else ''}{self.what}"

    def to_json(self) -> dict[str, Any]:
        return {"file": self.file, "line": self.line, "name": self.name, "what": self.what}


@dataclass(slots=True)
class Tally:
    """Counts by file, all problems in the order of the files, and the first puzzle with each key.

    counts: by file, of statuses (UNIQUE, SEVERAL, NONE, UNDECIDED, UNREADABLE), of given solutions ("gold right" and the like)
    and of duplicates (EXACT, ALIKE).
    """

    files: Sequence[str]
    counts: list[Counter[str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    first: dict[str, Proved] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = [Counter() for _ in self.files]

    def add(self, found: Proved) -> bool:
        """Count one item; False for a duplicate of an earlier one, and for what cannot be read."""
        counts = self.counts[found.file]
        status = _STATUS.get(found.status, found.status)
        counts[status] += 1
        counts[f"gold {found.gold}"] += found.status != UNREADABLE
        if found.status in (UNREADABLE, UNDECIDED):
            self.note(found, found.problem if status == UNREADABLE else f"undecided: {found.problem}")
        elif status in (SEVERAL, NONE):
            self.note(found, "several answers" if status == SEVERAL else "no answer")
        if found.gold in (WRONG, UNREAD) and found.status != UNREADABLE:
            self.note(found, f"the given solution {'is wrong' if found.gold == WRONG else 'cannot be read'}: {found.why}")
        if not found.key:
            return False
        one = self.first.setdefault(found.key, found)
        if one is found:
            return True
        kind = EXACT if one.same == found.same else ALIKE
        counts[kind] += 1
        self.note(
            found, f"{'the same' if kind == EXACT else 'up to symmetry the same'} puzzle as {self.files[one.file]}:{one.line}"
        )
        return False

    def note(self, found: Proved, what: str) -> None:
        self.problems.append(Problem(self.files[found.file], found.line, found.name, what))

    def replaces(self, found: Proved) -> bool:
        """Return whether a duplicate takes the place of its first one, which could not be decided."""
        one = self.first.get(found.key)
        if one is None or one.status != UNDECIDED or found.status in (UNDECIDED, UNREADABLE):
            return False
        self.first[found.key] = found
        return True

    def found(self) -> bool:
        """Return whether anything is wrong with the source."""
        return bool(self.problems)

    def rows(self) -> list[tuple[object, ...]]:
        """The lines of the table below HEADER, and a last one with the sums where there are several files."""
        lines = [(name, *_cells(counts)) for name, counts in zip(self.files, self.counts, strict=True)]
        return [*lines, ("all", *_cells(sum(self.counts, Counter())))] if len(lines) > 1 else list(lines)

    def to_json(self) -> dict[str, Any]:
        return {
            "files": [{"file": name, **_named(counts)} for name, counts in zip(self.files, self.counts, strict=True)],
            "problems": [problem.to_json() for problem in self.problems],
        }

    def text(self, more: Mapping[str, Any]) -> str:
        """The text of import.json."""
        return json.dumps({**more, **self.to_json()}, indent=1, ensure_ascii=False) + "\n"


HEADER = (
    "file",
    "puzzles",
    "unique",
    "several",
    "unsolvable",
    "undecided",
    "gold right",
    "gold wrong",
    "gold missing",
    "exact copies",
    "same up to symmetry",
    "unreadable",
)


def _named(counts: Counter[str]) -> dict[str, int]:
    gold = {name: counts[f"gold {name}"] for name in (RIGHT, WRONG, MISSING, UNREAD)}
    statuses = {name: counts[name] for name in (UNIQUE, SEVERAL, NONE, UNDECIDED, UNREADABLE)}
    return {**statuses, **{f"gold_{name}": n for name, n in gold.items()}, "exact_copies": counts[EXACT], "alike": counts[ALIKE]}


def _cells(counts: Counter[str]) -> tuple[int, ...]:
    named = _named(counts)
    read = sum([named[name] for name in (UNIQUE, SEVERAL, NONE, UNDECIDED)])
    wrong = named["gold_wrong"] + named["gold_unread"]
    statuses = [named[name] for name in (UNIQUE, SEVERAL, NONE, UNDECIDED)]
    copies = (named["exact_copies"], named["alike"])
    return (read, *statuses, named["gold_right"], wrong, named["gold_missing"], *copies, named[UNREADABLE])
