"""Clues of binario: givens and extra constraints, how these are drawn, and which of them are left out. Used by binario alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules.lines import Args, Constraint, constraint
from puzzlemill.rules.lines_draw import drawn, kinds_in, others

BinarioPuzzle = f.Puzzle[Any, Any]
BinarioDraft = f.Draft[Any, Any, Any, Any]

# Puzzles of 4x4 up to symmetry, by the number of givens asked for (from 0) and distinct or not. Enumerated in the tests.
# Under distinct only those count that have several answers without it. With one extra constraint, 2,789 drawn puzzles of 4x4 were
# 2,656 different ones: there are some 30,000.
_CAPACITY_4X4 = {
    False: (9, 9, 9, 9, 9, 17, 72, 183, 345, 384, 340, 193, 104, 31, 13, 2),
    True: (5, 5, 5, 5, 5, 5, 17, 35, 42, 24, 11, 2, 1),
}


# Answers up to symmetry by the shorter side, the longer one and distinct or not, where they are few: by listing all,
# from 6x8 on by capture and recapture (docs/design/answer_spaces.tsv).
_SOLUTIONS = {
    (4, 4, False): 2,
    (4, 4, True): 1,
    (4, 6, False): 7,
    (4, 6, True): 1,
    (4, 8, False): 117,
    (6, 6, False): 45,
    (6, 6, True): 20,
    (6, 8, False): 5_384,
    (6, 8, True): 1_103,
    (6, 10, True): 8_845,
}


def solutions(spec: f.Spec[Any]) -> int | None:
    """The number of answers up to symmetry, if it is small."""
    rows, cols = sorted((spec.params.rows, spec.params.cols))
    return _SOLUTIONS.get((rows, cols, _distinct(spec)))


def capacity(spec: f.Spec[Any]) -> int | None:
    """The number of puzzles up to symmetry, if it is small."""
    if (spec.params.rows, spec.params.cols) != (4, 4) or spec.params.extras:
        return None
    givens: int = spec.params.givens
    return _CAPACITY_4X4[_distinct(spec)][givens]


def _distinct(spec: f.Spec[Any]) -> bool:
    return spec.rule("distinct") is not None


class GivensAndExtras(f.Givens):
    """Givens, by their cells, and extra constraints besides them, x1, x2, ... (rules/lines.py)."""

    def constraint_of(self, spec: f.Spec[Any], clue: f.Clue) -> Constraint:
        """An extra constraint. Raises BadRow for what is none of this grid."""
        rows, cols = spec.params.rows, spec.params.cols
        found = constraint(clue.kind, clue.ints(), cols)
        if found is None or not found.fits(rows, cols):
            raise f.BadRow(
                f"clue {clue.id}: expected a given or an extra constraint that fits {rows} x {cols} cells, "
                f"got {clue.kind[:20]} {str(clue.args)[:60]}"
            )
        return found

    def read(self, puzzle: BinarioPuzzle) -> Sequence[tuple[int, int] | Constraint]:
        """Cell and value of each given, and each extra constraint, in the order of the clues."""
        placed = self.all_placed(puzzle.spec, [clue for clue in puzzle.clues if clue.kind == self.kind])
        if len(placed) == len(puzzle.clues):
            return placed
        givens = iter(placed)
        return [next(givens) if clue.kind == self.kind else self.constraint_of(puzzle.spec, clue) for clue in puzzle.clues]

    def extras(self, puzzle: BinarioPuzzle) -> list[f.Clue]:
        return [clue for clue in puzzle.clues if clue.kind != self.kind]

    def givens(self, puzzle: BinarioPuzzle) -> BinarioPuzzle:
        """The puzzle with its givens alone."""
        return puzzle.with_clues([clue for clue in puzzle.clues if clue.kind == self.kind])

    def shown(self, puzzle: BinarioPuzzle) -> list[int]:
        return super().shown(self.givens(puzzle))

    def given_slots(self, puzzle: BinarioPuzzle) -> tuple[int, ...]:
        return super().given_slots(self.givens(puzzle))

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: f.NoBoard, clue: f.Clue) -> None:
        if clue.kind == self.kind:
            super().state(m, spec, board, clue)
            return
        cols = spec.params.cols
        one = [[lits[1] for lits in m.key[start : start + cols]] for start in range(0, len(m.key), cols)]
        self.constraint_of(spec, clue).state(m, one, clue.id)

    # ---- leaving clues out

    def removal_order(self, draft: BinarioDraft, rng: f.Rng) -> list[int]:
        """Givens first, so that extra constraints take their place.

        Under distinct, three times in four, first of all the givens of four cells that only distinct decides, if there are any.
        Not so in 4x4, of which there are so few that each has to come up.
        """
        puzzle = draft.puzzle
        places = rng.shuffled(range(len(puzzle.clues)))
        small = capacity(puzzle.spec) is not None
        if puzzle.spec.rule("distinct") and not small and draft.answer is not None and rng.child("decide").chance(3, 4):
            decided = rng.child("decided").shuffled(decided_by_distinct(draft.answer))
            first = set(decided[0]) if decided else set()
            places.sort(key=lambda i: puzzle.clues[i].args[0] not in first or puzzle.clues[i].kind != self.kind)
        return sorted(places, key=lambda i: puzzle.clues[i].kind != self.kind)

    def kept(self, spec: f.Spec[Any]) -> int:
        return 0 if spec.params.extras else super().kept(spec)

    def usable(self, draft: BinarioDraft) -> bool:
        """Return whether an extra constraint is left if any were asked for."""
        return not draft.puzzle.spec.params.extras or bool(self.extras(draft.puzzle))

    def finish(self, draft: BinarioDraft, rng: f.Rng, oracle: f.Oracle) -> BinarioDraft:
        """With extra constraints: number them as they stay, and give back givens, up to those asked for, that make none idle."""
        puzzle = draft.puzzle
        if not puzzle.spec.params.extras:
            return draft
        shown = list(self.givens(puzzle).clues)
        extras = [replace(clue, id=f"x{i}") for i, clue in enumerate(self.extras(puzzle), 1)]
        if len(shown) < puzzle.spec.params.givens:
            shown += self._given_back(puzzle, draft.hidden, rng, oracle)[: puzzle.spec.params.givens - len(shown)]
            shown.sort(key=lambda clue: clue.args)
        return replace(draft, puzzle=puzzle.with_clues([*shown, *extras]))

    def _given_back(self, puzzle: BinarioPuzzle, hidden: f.Grid, rng: f.Rng, oracle: f.Oracle) -> list[f.Clue]:
        """Further givens, in random order, that leave each extra constraint an answer to keep out.

        That answer is one that the puzzle has without the constraint: the closest to the hidden one of a dozen drawn.
        """
        right = self.form.values(puzzle.spec, puzzle.board, hidden)
        open_ = set(range(len(right))) - set(self.given_slots(puzzle))
        for extra in self.extras(puzzle):
            free = puzzle.with_clues([clue for clue in puzzle.clues if clue != extra])
            drawn = [oracle.sample(free, rng.child("without", extra.id, i)) for i in range(12)]
            apart = [[i for i, v in enumerate(values) if v != right[i]] for values in drawn if values and values != right]
            if not apart:
                return []
            open_.difference_update(min([(len(cells), cells) for cells in apart])[1])
        return [self.at(puzzle.spec, i, right[i]) for i in rng.child("back").shuffled(sorted(open_))]

    # ---- changing clues

    def strain(self, spec: f.Spec[Any], values: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
        """Givens beside these cells, those of the same digit, and those of it two cells further: runs are short."""
        cols = spec.params.cols
        near = equal = further = 0
        for cell in cells:
            if (digit := values[cell]) != f.BLANK:
                start = cell - cell % cols
                for line, at in ((values[start : start + cols], cell - start), (values[cell % cols :: cols], cell // cols)):
                    beside = [line[i] for i in (at - 1, at + 1) if 0 <= i < len(line)]
                    near += len(beside) - beside.count(f.BLANK)
                    equal += beside.count(digit)
                    further += [line[i] for i in (at - 2, at + 2) if 0 <= i < len(line)].count(digit)
        return near, equal, further

    def deep_odds(self, puzzle: BinarioPuzzle) -> tuple[int, int]:
        """With more than half of the cells given there are none."""
        return (0, 1) if 2 * len(puzzle.clues) > self.form.cells(puzzle.spec) else (2, 3)

    def alternatives(self, puzzle: BinarioPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """The other digit, or an extra constraint changed as little as its kind allows.

        In a minimal puzzle another digit leaves an answer: there is one without the given, and it has that digit.
        """
        if clue.kind == self.kind:
            yield from super().alternatives(puzzle, clue, rng)
            return
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        args = self.constraint_of(puzzle.spec, clue).args(cols)
        for kind, other in rng.shuffled(others(clue.kind, args, rows, cols, _distinct(puzzle.spec))):
            yield f.Clue(clue.id, kind, other)

    def additions(self, puzzle: BinarioPuzzle, rng: f.Rng) -> Iterator[f.Clue]:
        """Givens of open cells; in puzzles with extra constraints, one of these after each fourth given."""
        spec, shown = puzzle.spec, set(self.given_slots(puzzle))
        taken = {clue.id for clue in puzzle.clues}
        name = next(f"x{i}" for i in range(1, len(taken) + 2) if f"x{i}" not in taken)
        stated = {(clue.kind, clue.args) for clue in puzzle.clues}
        for n, cell in enumerate(rng.shuffled([i for i in range(self.form.cells(spec)) if i not in shown])):
            yield from rng.shuffled((self.at(spec, cell, 0), self.at(spec, cell, 1)))
            if n % 2 and spec.params.extras:
                here = rng.child("extra", n)
                kind = here.pick(kinds_in(spec.params.rows, spec.params.cols, _distinct(spec)))
                args = next(drawn(kind, spec.params.rows, spec.params.cols, here.child(kind)), None)
                if args is not None and (kind, args) not in stated:
                    stated.add((kind, args))
                    yield f.Clue(name, kind, args)


# ---- extra constraints --------------------------------------------------------------------------------------------------


def true_extras(spec: f.Spec[Any], hidden: f.Grid, rng: f.Rng) -> list[f.Clue]:
    """Extra constraints that are true of a grid, of all kinds in turn, more than are asked for: some will not be needed.

    Two lines are said to differ where they nearly are the same: anything else hardly ever says something new.
    """
    if not spec.params.extras:
        return []
    across = ["".join(["01"[v] for v in row]) for row in hidden]
    down = ["".join(column) for column in zip(*across, strict=True)]
    found: dict[tuple[str, Args], None] = {}
    wanted = spec.params.extras + (spec.params.extras + 2) // 3
    kinds = rng.child("kinds").shuffled(kinds_in(len(across), len(down), _distinct(spec)))
    for turn in range(4 * wanted):
        kind = kinds[turn % len(kinds)]
        for args in drawn(kind, len(across), len(down), rng.child("statements", turn)):
            stated = constraint(kind, args, len(down))
            if (kind, args) in found or stated is None or stated.broken(across, down):
                continue
            if kind == "lines_differ":
                lines = (across, down)[args[0]]
                if sum(a != b for a, b in zip(lines[args[1]], lines[args[2]], strict=True)) != 2:
                    continue
            found[kind, args] = None
            break
        if len(found) == wanted:
            break
    return [f.Clue(f"x{i}", kind, args) for i, (kind, args) in enumerate(found, 1)]


def decided_by_distinct(grid: f.Grid) -> list[tuple[int, ...]]:
    """Sets of four cells of a legal grid which another legal filling fits too, if the lines need not be distinct.

    Two rows and two columns that cross in 0 1 over 1 0: the other way round nothing is out of balance, but two lines are equal.
    """
    found = set()
    across, down = ([sum([v << n for n, v in enumerate(line)]) for line in lines] for lines in (grid, zip(*grid, strict=True)))
    for lines, crossing in ((across, down), (down, across)):
        for i, j in permutations(range(len(lines)), 2):
            apart = lines[i] ^ lines[j]
            if apart.bit_count() != 2:
                continue
            # line i becomes line j if it swaps a and b with any line k that holds the opposite there
            a, b = (apart & -apart).bit_length() - 1, apart.bit_length() - 1
            for k, line in enumerate(lines):
                if k == i or (line ^ lines[i]) & apart != apart:
                    continue
                if any(_has_run(mask ^ apart, len(crossing)) for mask in (lines[i], line)):
                    continue
                if any(_has_run(crossing[n] ^ (1 << i | 1 << k), len(lines)) for n in (a, b)):
                    continue
                four = [(i, a), (i, b), (k, a), (k, b)]
                found.add(tuple(sorted([one * len(down) + n if lines is across else n * len(down) + one for one, n in four])))
    return sorted(found)


def _has_run(mask: int, size: int) -> bool:
    """Return whether three neighbours of a line are alike."""
    other = mask ^ ((1 << size) - 1)
    return bool(mask & mask >> 1 & mask >> 2 or other & other >> 1 & other >> 2)
