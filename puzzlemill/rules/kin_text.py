"""Families as tables with a row for each person, and puzzles as people write them down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import TextForm
from puzzlemill.core.form import Form, Grid
from puzzlemill.core.model import Slots
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import AnyPuzzle, Column, Layout, Rows, Rule, Spec, Style
from puzzlemill.rules.kin import COUNTED, KINDS, LINKS, SINGLE, TOTALS, WORDS, Statement, related
from puzzlemill.rules.kin_draw import RULE

NOBODY = "-"
GENDERS = ("man", "woman")
_SPELLINGS = (("male", "m", "he", "boy"), ("female", "f", "w", "she", "girl"))
_NONE = ("none", "nobody", "no one", "unknown", "n/a", "not in the family")
_STATEMENT = re.compile(r"\s*([a-z_.]+)\s*\(([^()]*)\)\s*")
_NAME = re.compile(r"[^(),:|#]{1,40}")
PEOPLE = (3, 10)
_MOST_CLUES = 200


class FamilyTable(Form[Any, Any, Grid]):
    """A row for each person: gender, spouse, father and mother; the person itself stands for nobody inside."""

    mixed = True

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        n: int = spec.params.people
        return (2, n, n, n) * n

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Grid:
        return tuple([tuple(values[i : i + 4]) for i in range(0, len(values), 4)])

    def values(self, spec: Spec[Any], board: Any, answer: Grid) -> Slots:
        return tuple([value for row in answer for value in row])

    def entry_of(self, puzzle: AnyPuzzle, slot: int) -> tuple[int, int]:
        person, field = divmod(slot, 4)
        return person, field + 1

    def layout(self, puzzle: AnyPuzzle) -> Layout:
        names = puzzle.style.names[0]
        others = [Column(title, (*names, NOBODY), (*[()] * len(names), _NONE)) for title in ("spouse", "father", "mother")]
        columns = (Column("person", names), Column("gender", GENDERS, _SPELLINGS), *others)
        note = (
            "Give one row per person, in any order. The gender is man or woman, at any age; "
            f"write {NOBODY} where there is no husband or wife, or no father or mother in the family."
        )
        return Layout(columns, len(names), len(names), False, note)

    def write(self, puzzle: AnyPuzzle, answer: Grid) -> Rows:
        names = puzzle.style.names[0]
        return tuple(
            [
                (names[x], GENDERS[row[0]], *[NOBODY if other == x else names[other] for other in row[1:]])
                for x, row in enumerate(answer)
            ]
        )

    def read(self, puzzle: AnyPuzzle, rows: Rows) -> Grid | None:
        """Rows may come in any order, since each names its person; everybody must have one."""
        known = {name.casefold(): x for x, name in enumerate(puzzle.style.names[0])}
        found: dict[int, tuple[int, ...]] = {}
        for row in rows:
            person, gender, *others = [token.casefold() for token in row]
            if person not in known or known[person] in found or gender not in GENDERS or len(others) != 3:
                return None
            x = known[person]
            values = [x if other == NOBODY else known.get(other, -1) for other in others]
            if -1 in values or any(other != NOBODY and value == x for other, value in zip(others, values, strict=True)):
                return None
            found[x] = (GENDERS.index(gender), *values)
        return tuple([found[x] for x in range(len(known))]) if len(found) == len(known) else None


class FamilyText(TextForm[Any, Any]):
    """The people, and a statement on each further line (docs/formats.md)."""

    def parse(self, lines: Sequence[Line]) -> AnyPuzzle:
        options = heading(lines, self.family.name, (RULE,), ("generations",))
        generations = options.get("generations", "3")
        if generations not in ("2", "3", "4"):
            raise lines[0].bad(0, f"expected generations=2, 3 or 4, got {generations[:20]!r}")
        if len(lines) < 2 or not lines[1].text.strip().casefold().startswith("people:"):
            raise lines[0].bad(0, "expected a second line such as `people: Asha, Bo, Chris`")
        names = _names(lines[1])
        if len(lines) - 2 > _MOST_CLUES:
            raise lines[_MOST_CLUES + 2].bad(0, f"at most {_MOST_CLUES} statements are read")
        known = {name.casefold(): x for x, name in enumerate(names)}
        clues = [_statement(line, known).clue(f"k{i}") for i, line in enumerate(lines[2:], 1)]
        spec = Spec(self.family.params(len(names), int(generations)))
        spec = spec.with_rule(Rule(RULE)) if RULE in options else spec
        return replace(self.family.puzzle(spec, clues), style=Style(names=(tuple(names),)))

    def format(self, puzzle: AnyPuzzle) -> str:
        names = puzzle.style.names[0]
        strange = next((name for name in names if not _NAME.fullmatch(name) or name != name.strip()), None)
        if strange is not None:
            raise BadRow(f"{self.family.name}: the text form has no way to write the name {strange!r}")
        rule = f" {RULE}" if puzzle.spec.rule(RULE) else ""
        lines = [f"{self.family.name} generations={puzzle.spec.params.generations}{rule}", f"people: {', '.join(names)}"]
        lines += [spelled(said, names) for said in self.family.clues.all(puzzle)]  # type: ignore[attr-defined]
        return "\n".join(lines) + "\n"


def spelled(said: Statement, names: Sequence[str]) -> str:
    """A statement as the text form has it."""
    numbers = [str(said.number)] if said.kind in COUNTED + TOTALS else []
    return f"{'.'.join(said.words) or said.kind}({', '.join([*[names[x] for x in said.people], *numbers])})"


def _names(line: Line) -> list[str]:
    names = [name.strip() for name in line.text.partition(":")[2].split(",")]
    if not PEOPLE[0] <= len(names) <= PEOPLE[1]:
        raise line.bad(0, f"expected {PEOPLE[0]} to {PEOPLE[1]} people, got {len(names)}")
    for name in names:
        if not _NAME.fullmatch(name) or name == NOBODY or name.casefold() in _NONE:
            raise line.bad(0, f"{name[:40]!r} cannot be a name")
    if len({name.casefold() for name in names}) < len(names):
        raise line.bad(0, "two people have the same name")
    return names


def _statement(line: Line, known: dict[str, int]) -> Statement:
    """The statement of a line."""
    found = _STATEMENT.fullmatch(line.text)
    if not found:
        raise line.bad(0, f"expected a statement such as father(Asha, Bo), got {line.text.strip()[:40]!r}")
    words, args = found[1].split("."), [arg.strip() for arg in found[2].split(",")] if found[2].strip() else []
    kind = "kin" if all(word in WORDS for word in words) else found[1]
    if kind not in KINDS or found[1] == "kin":
        raise line.bad(0, f"unknown statement {found[1][:40]!r}; known: {', '.join([*WORDS, *KINDS[1:]])}")
    many = 2 if kind == "kin" else 0 if kind in TOTALS else 1
    numbers = args[many:]
    if len(args) != many + (kind in COUNTED + TOTALS) or len(words) > LINKS:
        raise line.bad(0, f"{found[1][:40]} takes {many} people{'' if kind == 'kin' or kind in SINGLE else ' and a number'}")
    strange = next((name for name in args[:many] if name.casefold() not in known), None)
    if strange is not None:
        raise line.bad(0, f"{strange[:40]!r} is nobody of this family")
    who = tuple([known[name.casefold()] for name in args[:many]])
    if len(set(who)) < len(who):
        raise line.bad(0, "a statement is about two different people")
    if numbers and not (numbers[0].isascii() and numbers[0].isdigit() and int(numbers[0]) <= len(known)):
        raise line.bad(0, f"expected a number up to {len(known)}, got {numbers[0][:40]!r}")
    return related(words, *who) if kind == "kin" else Statement(kind, who, (), int(numbers[0]) if numbers else 0)
