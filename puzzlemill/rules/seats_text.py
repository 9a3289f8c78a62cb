"""Seatings as text: answers as tables with a row for each seat, and puzzles as people write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import TextForm
from puzzlemill.core.form import Form, Grid
from puzzlemill.core.model import BLANK, Slots
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import AnyPuzzle, Column, Layout, Rows, Spec, Style
from puzzlemill.rules.items import ItemReader, Token
from puzzlemill.rules.seats import (
    CORNERS,
    KINDS,
    LEAST,
    MOST,
    PARTS,
    PLAIN,
    ROW,
    SEAT,
    SHAPES,
    WAY,
    Places,
    Plan,
    PlanOf,
    Statement,
    combined,
    numbers_of,
    read,
    stated,
)
from puzzlemill.rules.seats_words import ROWS, check_names, spelled, ways_codes

_MOST_CLUES = 200


class SeatTable(Form[Any, Any, Grid]):
    """A row for each seat: its number, the person, the value of a second attribute, the way; rows[g][p] inside."""

    def __init__(self, plan: PlanOf) -> None:
        self.plan = plan

    def entry_of(self, puzzle: AnyPuzzle, slot: int) -> tuple[int, int]:
        group, seat = divmod(slot, self.plan(puzzle.spec, puzzle.board).seats)
        return seat, group + 1

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        plan = self.plan(spec, board)
        n = plan.seats
        return (n,) * (n * plan.groups) + (2,) * (0 if plan.ways else n)

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Grid:
        n = self.plan(spec, board).seats
        return tuple([values[start : start + n] for start in range(0, len(values), n)])

    def values(self, spec: Spec[Any], board: Any, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def layout(self, puzzle: AnyPuzzle) -> Layout:
        plan = self.plan(puzzle.spec, puzzle.board)
        check_names(puzzle, plan)
        n, names = plan.seats, puzzle.style.names
        columns = [Column("seat", tuple([str(p + 1) for p in range(n)])), Column("person", tuple(sorted(names[0])))]
        columns += [Column(puzzle.style.theme, tuple(sorted(each))) for each in names[1:]]
        if not plan.ways:
            also = (("the centre", "in", "inward", "inwards"), ("outward", "out")) if plan.ring else ((), ())
            columns.append(Column("faces", ways_codes(plan), also))
        note = "Give one entry per seat, from seat 1 to the last."
        if not plan.ways:
            note = f"{note.removesuffix('.')}, with {' or '.join(ways_codes(plan))} for the way that the person faces."
        return Layout(tuple(columns), n, n, False, note)

    def _tokens(self, puzzle: AnyPuzzle, plan: Plan) -> list[Sequence[str]]:
        return [*puzzle.style.names, *[ways_codes(plan)] * (not plan.ways)]

    def write(self, puzzle: AnyPuzzle, answer: Grid) -> Rows:
        plan = self.plan(puzzle.spec, puzzle.board)
        tokens = self._tokens(puzzle, plan)
        seats = range(plan.seats)
        return tuple([(str(p + 1), *[each[row[p]] for each, row in zip(tokens, answer, strict=True)]) for p in seats])

    def read(self, puzzle: AnyPuzzle, rows: Rows) -> Grid | None:
        """Rows may come in any order, since each names its seat; every seat must have one."""
        plan = self.plan(puzzle.spec, puzzle.board)
        known = [{token.casefold(): v for v, token in enumerate(each)} for each in self._tokens(puzzle, plan)]
        seats = {str(p + 1): p for p in range(plan.seats)}
        found: dict[int, tuple[int, ...]] = {}
        for row in rows:
            if len(row) != len(known) + 1 or row[0] not in seats or seats[row[0]] in found:
                return None
            here = tuple([values.get(token.casefold(), BLANK) for values, token in zip(known, row[1:], strict=True)])
            if BLANK in here:
                return None
            found[seats[row[0]]] = here
        if len(found) != plan.seats:
            return None
        return tuple([tuple([found[p][k] for p in range(plan.seats)]) for k in range(len(known))])


# ---- the text form -------------------------------------------------------------------------------------------------------


class SeatText(TextForm[Any, Any]):
    """What shape the seats have, who sits there and how they face, then a statement on each further line (docs/formats.md).

    spec: the one of a plan.
    """

    def __init__(self, plan: PlanOf, spec: Callable[[Plan], Spec[Any]]) -> None:
        self.plan, self.spec = plan, spec

    def parse(self, lines: Sequence[Line]) -> AnyPuzzle:
        heading(lines, self.family.name)
        heads: dict[str, Line] = {}
        rest = list(lines[1:])
        while rest and ":" in rest[0].text.partition("(")[0]:
            title = rest[0].text.partition(":")[0].strip().casefold()
            if title in heads:
                raise rest[0].bad(0, f"a second line with the title {title[:40]!r}")
            heads[title] = rest.pop(0)
        if len(rest) > _MOST_CLUES:
            raise rest[_MOST_CLUES].bad(0, f"at most {_MOST_CLUES} clues are read")
        for title in ("shape", "persons", "facing"):
            if title not in heads:
                raise lines[0].bad(
                    0, f"expected the lines `shape: circle`, `persons: Ana, Ben, ...` and `facing: centre`, no {title}"
                )
        shape = heads["shape"].text.partition(":")[2].strip().casefold()
        if shape not in SHAPES:
            raise heads["shape"].bad(6, f"expected one of {', '.join(SHAPES)}, got {shape[:40]!r}")
        names = [_names(heads["persons"])]
        n = len(names[0])
        whole = {"rows": 2, "square": CORNERS}.get(shape, 1)
        if not LEAST <= n <= MOST or n % whole or (shape == "square" and n < 2 * CORNERS):
            raise heads["persons"].bad(8, f"expected {LEAST} to {MOST} persons who fill a {shape}, got {n}")
        further = [title for title in heads if title not in ("shape", "persons", "facing", "corners")]
        if len(further) > 1:
            raise heads[further[1]].bad(0, "expected one second attribute at most")
        theme = heads[further[0]].text.partition(":")[0].strip() if further else ""
        if further:
            names.append(_names(heads[further[0]]))
            if len(names[1]) != n or not _may_stand(theme):
                raise heads[further[0]].bad(len(theme) + 1, f"expected {n} values, as many as persons, got {len(names[1])}")
        ways = _ways(heads["facing"], shape, n)
        if not ways and further:
            raise heads["facing"].bad(0, "expected known ways where there is a second attribute")
        plan = Plan(shape, n, len(names), ways, _corner(heads, shape, n))
        style = Style(names=tuple(names), theme=theme)
        reader = _Reader(plan, theme, names)
        clues = [reader.statement(line).clue(f"k{i}") for i, line in enumerate(rest, 1)]
        return replace(self.family.puzzle(self.spec(plan), clues, Places(plan.ways, plan.corner)), style=style)

    def format(self, puzzle: AnyPuzzle) -> str:
        plan = self.plan(puzzle.spec, puzzle.board)
        check_names(puzzle, plan)
        strange = next(
            (name for names in puzzle.style.names for name in (*names, puzzle.style.theme or "x") if not _may_stand(name)), None
        )
        if strange is not None or puzzle.style.theme.casefold() in ("shape", "persons", "facing", "corners"):
            raise BadRow(f"{self.family.name}: the text form has no way to write the name {strange or puzzle.style.theme!r}")
        codes = ways_codes(plan)
        ways = [codes[way] for way in plan.ways] or ["?"]
        lines = [self.family.name, f"shape: {plan.shape}", f"persons: {', '.join(puzzle.style.names[0])}"]
        lines += [f"{puzzle.style.theme}: {', '.join(each)}" for each in puzzle.style.names[1:]]
        lines.append(f"facing: {', '.join(ways[: 1 if len(set(ways)) == 1 else None])}")
        if plan.shape == "square":
            lines.append(f"corners: {', '.join([str(p + 1) for p in range(plan.seats) if plan.is_corner(p)])}")
        rest = [spelled(puzzle, plan, read(clue, plan)) for clue in puzzle.clues_in_order()]
        return "\n".join([*lines, *rest]) + "\n"


def _names(line: Line) -> tuple[str, ...]:
    title, _, text = line.text.partition(":")
    names = tuple([" ".join(name.split()) for name in text.split(",")])
    for name in names:
        if not _may_stand(name):
            raise line.bad(len(title) + 1, f"expected a name without brackets, colons and = before each comma, got {name[:40]!r}")
    if len({name.casefold() for name in names}) < len(names):
        raise line.bad(len(title) + 1, "expected different names")
    return names


def _may_stand(name: str) -> bool:
    return bool(name) and name == " ".join(name.split()) and not any(sign in "(),=#:{}" for sign in name)


def _ways(line: Line, shape: str, n: int) -> tuple[int, ...]:
    """The ways of seats; () for ?"""
    text = line.text.partition(":")[2].strip().casefold()
    codes = ways_codes(Plan(shape, n, 1, ()))
    if text == "?" and shape != "rows":
        return ()
    words = [word.strip() for word in text.split(",")]
    if len(words) not in (1, n) or any(word not in codes for word in words):
        raise line.bad(7, f"expected {codes[0]}, {codes[1]} or ?, or one of them for each of {n} seats, got {text[:40]!r}")
    ways = tuple([codes.index(word) for word in words]) * (n // len(words))
    if shape == "rows" and ways != (1,) * (n // 2) + (0,) * (n // 2):
        raise line.bad(7, f"expected {n // 2} times south and {n // 2} times north, since two rows face each other")
    return ways


def _corner(heads: dict[str, Line], shape: str, n: int) -> int:
    """The first corner of a square table, whose corners are listed."""
    line = heads.get("corners")
    if line is None or shape != "square":
        if line is not None or shape == "square":
            raise (line or heads["shape"]).bad(
                0, "expected a line such as `corners: 1, 3, 5, 7` for a square table and for no other"
            )
        return 0
    text = line.text.partition(":")[2]
    for corner in range(n // CORNERS):
        if [word.strip() for word in text.split(",")] == [str(corner + 1 + k * n // CORNERS) for k in range(CORNERS)]:
            return corner
    raise line.bad(8, f"expected {CORNERS} corners, every {n // CORNERS} seats one, got {text.strip()[:40]!r}")


class _Reader(ItemReader[Statement]):
    """Statements as they are written: kind(item, ..., number), and composites of such statements."""

    ITEM, WRITTEN = ("a person or a value", "person or value here"), "person=name"

    def __init__(self, plan: Plan, theme: str, names: Sequence[Sequence[str]]) -> None:
        super().__init__(("person", theme)[: len(names)], names)
        self.plan = plan

    def part(self, line: Line, tokens: list[Token], whole: bool) -> tuple[Statement, list[Token]]:
        column, kind = tokens[0] if tokens else (len(line.text), "")
        kind, numbers = kind.casefold(), numbers_of(self.plan)
        known = [each for each in KINDS if (each in numbers if each in PLAIN else whole) and (whole or each in PARTS)]
        if kind not in known:
            raise line.bad(column, f"expected a clue such as next(Ana, Ben) of one of {', '.join(known)}, got {kind[:40]!r}")
        of = KINDS[kind]
        parts, named, rest = self.arguments(line, tokens[1:], bool(of.parts), of.parts or of.items + bool(of.number))
        if parts:
            return combined(kind, parts), rest
        items = [self.item(line, *token) for token in named[: of.items]]
        if len(set(items)) < len(items):
            raise line.bad(column, "names one item twice")
        return stated(kind, items, self._number(line, kind, *named[-1]) if of.number else 0), rest

    def _number(self, line: Line, kind: str, column: int, text: str) -> int:
        what, numbers = KINDS[kind].number, numbers_of(self.plan)[kind]
        codes = {WAY: ways_codes(self.plan), ROW: ROWS}.get(what)
        if codes is not None:
            if text.casefold() not in codes:
                raise line.bad(column, f"expected one of {', '.join(codes)}, got {text[:40]!r}")
            return codes.index(text.casefold())
        more = what == SEAT
        if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) - more in numbers):
            raise line.bad(column, f"expected a number from {numbers[0] + more} to {numbers[-1] + more}, got {text[:40]!r}")
        return int(text) - more
