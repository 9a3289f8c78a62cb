"""Answers of logic grids as tables with one row per entity, and puzzles as people write them down."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import TextForm
from puzzlemill.core.form import Form, Grid
from puzzlemill.core.model import BLANK, GRID_COMPOSITES, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import AnyPuzzle, Ask, Column, Layout, Rows, Rule, Spec, Style
from puzzlemill.rules.grids import (
    KINDS,
    LISTING,
    PLAIN,
    Scales,
    Size,
    SizeOf,
    Statement,
    combined,
    describes,
    read,
    size_of,
    stated,
)
from puzzlemill.rules.grids_twice import NAME as TWICE
from puzzlemill.rules.grids_twice import SHARED
from puzzlemill.rules.grids_words import spelled, style_for, titles, units
from puzzlemill.rules.items import ItemReader, Token, may_stand


class EntityTable(Form[Any, Scales, Grid]):
    """One row per entity, with a column for each category; cells[c - 1][e] inside."""

    asks = (Ask.CELL, Ask.OPTION)

    def __init__(self, size: SizeOf) -> None:
        self.size = size

    def entry_of(self, puzzle: AnyPuzzle, slot: int) -> tuple[int, int]:
        row, entity = divmod(slot, self.size(puzzle.spec, puzzle.board).items)
        return entity, row + 1

    def slots(self, spec: Spec[Any], board: Scales) -> tuple[int, ...]:
        size = self.size(spec, board)
        return (size.items,) * (size.items * (size.categories - 1))

    def assemble(self, spec: Spec[Any], board: Scales, values: Slots) -> Grid:
        size = self.size(spec, board)
        n = size.items
        return tuple([values[c * n : c * n + n] for c in range(size.categories - 1)])

    def values(self, spec: Spec[Any], board: Scales, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def layout(self, puzzle: AnyPuzzle) -> Layout:
        size = self.size(puzzle.spec, puzzle.board)
        named = zip(titles(puzzle, size), puzzle.style.names, strict=True)
        columns = tuple([Column(title, names) for title, names in named])
        note = f"Give one row per {columns[0].name}, in any order."
        return Layout(columns, size.items, size.items, False, note)

    def write(self, puzzle: AnyPuzzle, answer: Grid) -> Rows:
        first, *others = puzzle.style.names
        rows = list(zip(answer, others, strict=True))
        return tuple([(name, *[names[row[e]] for row, names in rows]) for e, name in enumerate(first)])

    def read(self, puzzle: AnyPuzzle, rows: Rows) -> Grid | None:
        """Rows may come in any order, since each names its entity; every entity must have one."""
        known = [{name.casefold(): v for v, name in enumerate(names)} for names in puzzle.style.names]
        found: dict[int, list[int]] = {}
        for row in rows:
            if len(row) != len(known):
                return None
            entity, *items = [values.get(token.casefold(), BLANK) for values, token in zip(known, row, strict=True)]
            if entity == BLANK or BLANK in items or entity in found:
                return None
            found[entity] = items
        if len(found) != len(known[0]):
            return None
        return tuple(zip(*[found[e] for e in range(len(found))], strict=True))


# ---- the text form -------------------------------------------------------------------------------------------------------

CATEGORIES, ITEMS, SCALES = (2, 6), (3, 8), 2  # how many of them a text may have; of scales at most
_MOST_CLUES = 200
_LARGEST = 1_000_000  # number of a scale
_CATEGORY = re.compile(r"([^():,]+?)\s*(?:\(([^()]*)\))?\s*:")
_TWICE = re.compile(rf"{TWICE}\(\s*([^(),]+?)\s*\)")
_NUMBER = re.compile(r"[0-9]+")
_TURNED = {"after": "before", "at_most": "at_least"}


class GridText(TextForm[Any, Scales]):
    """Categories with their items, `drink: tea, milk, water`, those with numbers last and with their unit, `year (years): 2001,
    2004`, and a statement on each further line, or `twice(drink)` (docs/formats.md).

    spec: the one of a size, the inverse of `size`.
    """

    def __init__(self, size: SizeOf, spec: Callable[[Size], Spec[Any]]) -> None:
        self.size, self.spec = size, spec

    def worded(self, puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
        return puzzle if puzzle.style.theme else replace(puzzle, style=style_for(self.size(puzzle.spec, puzzle.board), rng))

    def parse(self, lines: Sequence[Line]) -> AnyPuzzle:
        heading(lines, self.family.name)
        lists = [line for line in lines[1:] if _CATEGORY.match(line.text)]
        rest = [line for line in lines[1:] if not _CATEGORY.match(line.text)]
        if not CATEGORIES[0] <= len(lists) <= CATEGORIES[1]:
            expected = f"{CATEGORIES[0]} to {CATEGORIES[1]} categories such as `drink: tea, milk, water`"
            raise lines[0].bad(0, f"expected {expected}, got {len(lists)}")
        if len(rest) > _MOST_CLUES:
            raise rest[_MOST_CLUES].bad(0, f"at most {_MOST_CLUES} clues are read")
        twice = [line for line in rest if _TWICE.fullmatch(line.text)]
        if len(twice) > 1:
            raise twice[1].bad(0, "one category has an item twice, got two such lines")
        rest = [line for line in rest if line not in twice]
        lists = _shared_second(lists, twice[0]) if twice else lists
        headings: list[str] = []
        names: list[tuple[str, ...]] = []
        scales: list[tuple[str, tuple[int, ...]]] = []
        for line in lists:
            title, unit, items, numbers = _category(line)
            if names and len(items) != len(names[0]):
                raise line.bad(len(title), f"expected {len(names[0])} items, as many as above, got {len(items)}")
            if title.casefold() in [other.casefold() for other in headings]:
                raise line.bad(0, f"two categories have the title {title[:40]!r}")
            if scales and not unit:
                raise line.bad(0, "categories with a unit, such as `year (years): 2001, 2004`, stand after all others")
            headings.append(title)
            names.append(items)
            scales += [(unit, numbers)] if unit else []
        if len(scales) == len(lists):
            raise lists[0].bad(0, "expected a first category without a unit, which names the entities")
        if len(scales) > SCALES:
            raise lists[-1].bad(0, f"expected at most {SCALES} categories with units, got {len(scales)}")
        board = Scales(tuple([numbers for _, numbers in scales]))
        style = Style(symbols=(*headings, *[unit for unit, _ in scales]), names=tuple(names))
        if twice and len(names) - len(scales) <= SHARED:
            raise twice[0].bad(0, "expected a category without numbers")
        size = size_of(len(names), len(names[0]), board, SHARED if twice else 0)
        reader = _Reader(headings, names, size)
        clues = [reader.statement(line).clue(f"k{i}") for i, line in enumerate(rest, 1)]
        spec = self.spec(size)
        if any(clue.kind == LISTING for clue in clues):
            spec = spec.with_rule(Rule("false_clue"))
        return replace(self.family.puzzle(spec, clues, board), style=style)

    def format(self, puzzle: AnyPuzzle) -> str:
        size = self.size(puzzle.spec, puzzle.board)
        headings, amounts = titles(puzzle, size), units(puzzle, size)
        lines = [self.family.name]
        for c, (title, names) in enumerate(zip(headings, puzzle.style.names, strict=True)):
            strange = next((name for name in (title, *names) if not may_stand(name)), None)
            if strange is not None or ":" in title:
                raise BadRow(f"{self.family.name}: the text form has no way to write the name {strange or title!r}")
            scale = c - size.categories + len(size.scales)
            if scale < 0:
                lines.append(f"{title}: {', '.join(names)}")
                continue
            numbers = size.scales[scale][1]
            shown = [name if _read_off(names) == numbers else f"{name} = {d}" for name, d in zip(names, numbers, strict=True)]
            lines.append(f"{title} ({amounts[scale]}): {', '.join(shown)}")
        if size.shared:
            lines.append(f"{TWICE}({headings[size.shared]})")
        rest = [spelled(puzzle, size, read(clue, size)) for clue in puzzle.clues_in_order()]
        return "\n".join([*lines, *rest]) + "\n"


def _shared_second(lists: Sequence[Line], twice: Line) -> list[Line]:
    """The lines of the categories, the one of which an item occurs twice after the first."""
    found = _TWICE.fullmatch(twice.text)
    assert found is not None
    wanted = found.group(1).casefold()
    titled = [line for line in lists[1:] if _category(line)[0].casefold() == wanted]
    if not titled:
        raise twice.bad(0, f"expected the title of a category but the first one, got {found.group(1)[:40]!r}")
    return [lists[0], titled[0], *[line for line in lists[1:] if line is not titled[0]]]


def _read_off(names: Sequence[str]) -> tuple[int, ...] | None:
    """What names with a number each measure from the first one on; None if one has none, or two."""
    found = [_NUMBER.findall(name) for name in names]
    if not all(len(each) == 1 and len(each[0]) < 7 for each in found):
        return None
    return tuple([int(each[0]) - int(found[0][0]) for each in found])


def _category(line: Line) -> tuple[str, str, tuple[str, ...], tuple[int, ...]]:
    """A category's title, unit and items, and if it has a unit, its numbers from the first one on."""
    found = _CATEGORY.match(line.text)
    assert found is not None
    title, unit = found.group(1).strip(), (found.group(2) or "").strip()
    texts = line.text[found.end() :].split(",")
    valued = [text.partition("=") for text in texts] if found.group(2) is not None else [(text, "", "") for text in texts]
    names = tuple([" ".join(name.split()) for name, _, _ in valued])
    for name in (title, *names, *([unit] if found.group(2) is not None else [])):
        if not may_stand(name):
            raise line.bad(0, f"expected a name without brackets and = before each comma, got {name[:40]!r}")
    if len({name.casefold() for name in names}) < len(names) or not ITEMS[0] <= len(names) <= ITEMS[1]:
        raise line.bad(found.end(), f"expected {ITEMS[0]} to {ITEMS[1]} different items, got {len(names)}")
    if not unit:
        return title, "", names, ()
    numbers = _read_off(names)
    if any(sign for _, sign, _ in valued):
        given = [number.strip() for _, _, number in valued]
        numbers = _read_off(given) if all(_NUMBER.fullmatch(number) for number in given) else None
    if numbers is None or list(numbers) != sorted(set(numbers)) or numbers[-1] >= _LARGEST:
        way = "a number in each item, or after it as in `7:30 pm = 450`"
        raise line.bad(found.end(), f"expected {way}, each larger than the one before and below {_LARGEST}")
    return title, unit, names, numbers


class _Reader(ItemReader[Statement]):
    """Statements as they are written: kind(item, ..., scale, number), and composites of such statements."""

    def __init__(self, headings: Sequence[str], names: Sequence[Sequence[str]], size: Size) -> None:
        super().__init__(headings, names)
        self.size = size
        first = size.categories - len(size.scales)
        self.scales: Mapping[str, int] = {title.casefold(): k for k, title in enumerate(headings[first:])}

    def part(self, line: Line, tokens: list[Token], whole: bool) -> tuple[Statement, list[Token]]:
        column, name = tokens[0] if tokens else (len(line.text), "")
        name = name.casefold()
        kind = _TURNED.get(name, name)
        known = (*PLAIN, *GRID_COMPOSITES) if whole else PLAIN
        if kind not in known:
            raise line.bad(
                column, f"expected a clue such as is(Ana, tea) of one of the kinds {', '.join(known)}, got {name[:40]!r}"
            )
        parts, named, rest = self.arguments(line, tokens[1:], bool(KINDS[kind].parts))
        if not KINDS[kind].parts:
            return self._plain(line, column, name, kind, named), rest
        least, most = KINDS[kind].parts, max(KINDS[kind].parts, KINDS[kind].most)
        if not least <= len(parts) <= most:
            many = f"{least}" if least == most else f"{least} to {most}"
            raise line.bad(column, f"{kind} is of {many} statements, got {len(parts)}")
        return combined(kind, parts), rest

    def _plain(self, line: Line, column: int, name: str, kind: str, named: list[Token]) -> Statement:
        of, scale, number = KINDS[kind], 0, 0
        if of.number and named:
            at, text = named.pop()
            most = self.size.scales[0][1][-1] if len(self.size.scales) == 1 else _LARGEST
            if not (text.isascii() and text.isdigit() and len(text) < 8 and 0 < int(text) <= most):
                raise line.bad(at, f"expected a difference from 1 to {most}, got {text[:40]!r}")
            number = int(text)
        if of.scale:
            scale = self._scale(line, column, of.most, named)
            if number > self.size.scales[scale][1][-1]:
                raise line.bad(column, f"expected a difference from 1 to {self.size.scales[scale][1][-1]}, got {number}")
        items = [self.item(line, *token) for token in named]
        if not of.items <= len(items) <= of.most:
            many = f"{of.items}" if of.items == of.most else f"{of.items} to {of.most}"
            raise line.bad(column, f"{name} names {many} items, got {len(items)}")
        if len(set(items)) < len(items):
            raise line.bad(column, "names one item twice")
        said = stated(kind, items[::-1] if name in _TURNED else items, scale, number)
        if not describes(said, self.size):
            raise line.bad(
                column, f"{name} speaks of the entity that has an item of the category of {TWICE}, but two may have it"
            )
        return said

    def _scale(self, line: Line, column: int, items: int, named: list[Token]) -> int:
        """The scale that is named after the items; it may be left out where there is one."""
        if len(named) > items:
            at, text = named.pop()
            if text.casefold() not in self.scales:
                raise line.bad(at, f"expected one of {', '.join(self.scales)}, got {text[:40]!r}")
            return self.scales[text.casefold()]
        if len(self.scales) != 1:
            raise line.bad(column, f"expected one of {', '.join(self.scales) or 'no scales'} after the items")
        return 0
