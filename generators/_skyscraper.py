"""Skyscrapers' private library: its clues, which are hints around the grid and cells that are shown, and its text form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules import sight

SkyscraperPuzzle = f.Puzzle[Any, f.NoBoard]

SIZES = (4, 5, 6, 7, 8)

# Cells that must be allowed to be shown, so that a puzzle is found soon: by the hint and the size.
LEAST_SHOWN = {("count", 7): 4, ("count", 8): 8}

FORM = f.SquareGrid("size", "Give the complete grid of heights, row by row, without the hints around it.")
GIVENS = f.Givens(FORM)


class SightClues(f.Clues[Any, f.NoBoard]):
    """Hints (line, number) and givens (cell, value). A *place* is a cell, or n * n and a line."""

    edits = 2

    def placed(self, spec: f.Spec[Any], clue: f.Clue) -> tuple[int, int]:
        """Place and number of a clue. Raises BadRow for one that this board cannot have."""
        if clue.kind != "hint":
            return GIVENS.placed(spec, clue)
        n, args = spec.params.size, clue.ints()
        most = n * (n + 1) // 2
        if len(args) != 2 or not (0 <= args[0] < 4 * n + 4 and 1 <= args[1] <= most):
            raise f.BadRow(
                f"clue {clue.id}: expected a hint with a line below {4 * n + 4} and a number, 1 to {most}, got {str(args)[:60]}"
            )
        return n * n + args[0], args[1]

    def all_placed(self, puzzle: f.Puzzle[Any, Any]) -> list[tuple[int, int]]:
        return [self.placed(puzzle.spec, clue) for clue in puzzle.clues]

    def numbers(self, spec: f.Spec[Any]) -> range:
        """The numbers that hints can have; the tallest building is always seen."""
        n = spec.params.size
        return range(n, n * (n + 1) // 2 + 1) if spec.params.hint == "sum" else range(1, n + 1)

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: f.NoBoard, clue: f.Clue) -> None:
        if clue.kind != "hint":
            GIVENS.state(m, spec, board, clue)
            return
        n, name, (place, k) = spec.params.size, clue.id, self.placed(spec, clue)
        line = place - n * n
        if line >= 4 * n and not spec.rule("diagonal_hints"):
            return
        # one literal for each way in which a look so far can have gone: the tallest building and what is seen
        states = _states(n, spec.params.hint, k, line >= 4 * n)
        here = {(f.BLANK, 0): 0}
        for cell, after in zip(sight.cells_of(n, line), states, strict=True):
            holds = m.key[cell]
            there = {state: m.var() for state in sorted(after)}
            into: dict[int, list[int]] = {at: [] for at in there.values()}
            for (top, seen), at in here.items():
                for v in range(n):
                    to = there.get(_look_at(top, seen, v, spec.params.hint))
                    m.require(-holds[v], *[-at for _ in (1,) if at], *[to for _ in (1,) if to], label=name)
                    if to:
                        into[to].append(at)
            m.require(*there.values(), label=name)
            for to, froms in into.items():
                if 0 not in froms:
                    m.require(-to, *froms, label=name)
            for v in range(n):  # what no look that can still come right has here
                if not any(_look_at(top, seen, v, spec.params.hint) in after for top, seen in here):
                    m.require(-holds[v], label=name)
            here = there

    def given_slots(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, ...]:
        return GIVENS.given_slots(_givens_of(puzzle))

    def in_sight(self, puzzle: f.Puzzle[Any, Any]) -> Sequence[int]:
        return GIVENS.shown(_givens_of(puzzle))

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        # cells that are shown come first and corners last, so that as much as possible follows from the rarer clue
        n = draft.puzzle.spec.params.size
        groups: list[list[int]] = [[], [], []]
        for i, (place, _) in enumerate(self.all_placed(draft.puzzle)):
            groups[(place >= n * n) + (place >= n * n + 4 * n)].append(i)
        return [i for group in groups for i in rng.shuffled(group)]

    def kept(self, spec: f.Spec[Any]) -> int:
        kept: int = spec.params.clues
        return kept

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        return bool(len(_givens_of(draft.puzzle).clues) <= draft.puzzle.spec.params.shown)

    def alternatives(self, puzzle: f.Puzzle[Any, Any], clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        place, value = clue.ints()
        choices = self.numbers(puzzle.spec) if clue.kind == "hint" else range(puzzle.spec.params.size)
        for other in rng.shuffled(choices):
            if other != value:
                yield replace(clue, args=(place, other))

    def additions(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Clue]:
        n, taken = puzzle.spec.params.size, {place for place, _ in self.all_placed(puzzle)}
        lines = range(4 * n + 4 if puzzle.spec.rule("diagonal_hints") else 4 * n)
        for line in rng.shuffled([line for line in lines if n * n + line not in taken]):
            for k in rng.shuffled(self.numbers(puzzle.spec)):
                yield _hint(n, line, k)
        givens = _givens_of(puzzle)
        if givens.clues:
            yield from GIVENS.additions(givens, rng)

    def deep_odds(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, int]:
        """Where all sums are shown there are none."""
        params = puzzle.spec.params
        return (0, 1) if params.hint == "sum" and len(puzzle.clues) >= 4 * params.size else (1, 2)

    def exchanges(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Puzzle[Any, Any]]:
        """Two lines exchange their hints, of which one may be that there is none; so do two cells the heights that they show.

        Only so that the hints of each side could be right if there were no others, and those of each line: where all are shown, a
        side has exactly one hint that says that the tallest comes first, and a side with none or two would give the puzzle away.
        """
        n, summed, givens = puzzle.spec.params.size, puzzle.spec.params.hint == "sum", _givens_of(puzzle)
        at = {clue.ints()[0]: place for place, clue in enumerate(puzzle.clues) if clue.kind == "hint"}
        said = {line: puzzle.clues[place].ints()[1] for line, place in at.items()}
        groups = [range(4 * n), range(4 * n, 4 * n + 4 if puzzle.spec.rule("diagonal_hints") else 4 * n)]
        pairs = [(one, two) for lines in groups for two in lines for one in lines if one < two and said.get(one) != said.get(two)]
        for one, two in rng.child("lines").shuffled(pairs):
            after: dict[int, int | None] = {**said, one: said.get(two), two: said.get(one)}
            if one < 4 * n and not all(_agree(after, n, line, summed) for line in (one, two)):
                continue
            changed = list(puzzle.clues)
            for line, other in ((one, two), (two, one)):
                if (k := said.get(other)) is not None:  # a hint keeps its place in the list if its line has one before and after
                    changed[at.get(line, at[other])] = _hint(n, line, k)
            yield puzzle.with_clues(changed)
        hints = [clue for clue in puzzle.clues if clue.kind == "hint"]
        for moved in GIVENS.exchanges(givens, rng.child("cells")) if givens.clues else ():
            yield puzzle.with_clues([*hints, *moved.clues])


CLUES = SightClues()


def _agree(said: Mapping[int, int | None], n: int, line: int, summed: bool) -> bool:
    """Return whether the hint of a line could be right beside that of its other end, and beside the others of its side."""
    side, other = line // n, said.get(line + n if line // n % 2 == 0 else line - n)
    here = said.get(line)
    if here is not None and other is not None and (here, other) not in sight.facing(n, summed):
        return False
    hints = [k for k in [said.get(n * side + i) for i in range(n)] if k is not None]
    return sight.side_by_side(n, tuple(sorted(hints)), summed)


@lru_cache(maxsize=4096)
def _hint(n: int, line: int, k: int) -> f.Clue:
    return f.Clue(sight.label(n, line), "hint", (line, k))


def _givens_of(puzzle: f.Puzzle[Any, Any]) -> f.Puzzle[Any, Any]:
    """The puzzle with its givens only."""
    return puzzle.with_clues([clue for clue in puzzle.clues if clue.kind != "hint"])


def true_hints(spec: f.Spec[Any], values: f.Slots) -> list[f.Clue]:
    """Count what is seen from every end of every line; of diagonals, which come last, under their rule only."""
    n, clues = spec.params.size, []
    for line in range(4 * n + 4 * len(spec.rules)):
        top, total = f.BLANK, 0
        for cell in sight.cells_of(n, line):
            if values[cell] > top:
                top = values[cell]
                total += top + 1 if spec.params.hint == "sum" else 1
        clues.append(_hint(n, line, total))
    return clues


@lru_cache(maxsize=1024)
def _states(n: int, hint: str, k: int, diagonal: bool) -> tuple[frozenset[tuple[int, int]], ...]:
    """After each cell of a line: tallest building and what is seen, as far as k is seen in the end and, unless it is a diagonal,
    the last that is seen has height n; nothing is said of heights that repeat."""
    before = [{(f.BLANK, 0)}]
    for _ in range(n):
        before.append({_look_at(top, seen, v, hint) for top, seen in before[-1] for v in range(n)})
    after = {(top, seen) for top, seen in before[n] if seen == k and (diagonal or top == n - 1)}
    found = []
    for p in range(n - 1, -1, -1):
        found.append(frozenset(after))
        after = {state for state in before[p] if any(_look_at(*state, v, hint) in after for v in range(n))}
    return tuple(found[::-1])


def _look_at(top: int, seen: int, v: int, hint: str) -> tuple[int, int]:
    return (top, seen) if v <= top else (v, seen + (v + 1 if hint == "sum" else 1))


# ---- text form ----------------------------------------------------------------------------------------------------------

_EMPTY = (".", "-", "_", "0", "-1")


class Text(f.TextForm[Any, f.NoBoard]):
    """The grid with its hints around it, corners too: numbers, and dots where there is nothing."""

    def parse(self, lines: Sequence[f.Line]) -> SkyscraperPuzzle:
        options = f.heading(lines, "skyscraper", ("sums", "diagonal_hints"))
        if len(options) == 2:
            raise lines[0].bad(0, "diagonal_hints count buildings and do not go with sums")
        rows = lines[1:]
        n = len(rows) - 2
        if n not in SIZES:
            wanted = f"{SIZES[0] + 2} to {SIZES[-1] + 2}"
            raise lines[0].bad(0, f"expected {wanted} rows below this line, the grid with its hints around it, got {len(rows)}")
        hint = "sum" if "sums" in options else "count"
        spec = f.Spec(self.family.params(n, hint, shown=LEAST_SHOWN.get((hint, n), 0)))
        spec = spec.with_rule(f.Rule("diagonal_hints")) if "diagonal_hints" in options else spec
        spots = {sight.spot(n, line): line for line in range(4 * n + 4)}
        clues = []
        for r, row in enumerate(rows):
            words = row.words
            if len(words) != n + 2:
                raise row.bad(0, f"expected {n + 2} numbers or dots, a row with a hint at either end, got {len(words)}")
            for c, word in enumerate(words):
                if word.text in _EMPTY:
                    continue
                line = spots.get((r, c))
                top = n if line is None else CLUES.numbers(spec)[-1]
                if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 3 and 1 <= int(word.text) <= top):
                    raise row.bad(word.column, f"expected 1 to {top}, or . where there is nothing, got {word.text[:20]!r}")
                number = int(word.text)
                if line is None:
                    clues.append(GIVENS.at(spec, n * (r - 1) + c - 1, number - 1))
                elif line >= 4 * n and not spec.rules:
                    raise row.bad(word.column, "a hint at a corner needs the option diagonal_hints")
                else:
                    clues.append(_hint(n, line, number))
        return self.family.puzzle(spec, clues)

    def format(self, puzzle: SkyscraperPuzzle) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        table = [["."] * (n + 2) for _ in range(n + 2)]
        for clue, (place, number) in zip(puzzle.clues, CLUES.all_placed(puzzle), strict=True):
            r, c = spot(n, place)
            text = str(number if place >= n * n else number + 1)
            if table[r][c] not in (".", text):
                raise f.BadRow(f"skyscraper: the text form has no way to write two numbers in one place, {clue.id}")
            if place >= n * n + 4 * n and not spec.rules:
                raise f.BadRow(f"skyscraper: the text form has no hint at a corner without diagonal_hints, {clue.id}")
            table[r][c] = text
        words = ["skyscraper", *["sums" for _ in (1,) if spec.params.hint == "sum"], *[rule.name for rule in spec.rules]]
        return "\n".join([" ".join(words), f.grid_text([text for row in table for text in row], n + 2)]) + "\n"


def spot(n: int, place: int) -> tuple[int, int]:
    """Row and column of a place in a square of n + 2, in which the grid stands in the middle."""
    return sight.spot(n, place - n * n) if place >= n * n else (place // n + 1, place % n + 1)
