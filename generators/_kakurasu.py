"""Lines of kakurasu: what their hints say, which cells are open, and what a line can add up to. Used by kakurasu alone.

Lines are numbered: rows from 0, columns from the number of rows on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from puzzlemill import family as f
from puzzlemill.core.model import Slots

BLOCKED = "blocked_cells"
MOST = 999  # largest hint that is read; the largest sum there is, is 55
_NEAR = 4  # hints of two lines change together by at most so much
_Edits = tuple[tuple[int, int], ...]  # places of clues and their new sums


# ---- clues --------------------------------------------------------------------------------------------------------------


class Hints(f.Clues[Any, Any]):
    """The sum of the chosen cells of a line. Lines: rows first, then columns."""

    edits = 2  # one alone is refuted by adding up where all hints are shown

    def true(self, spec: f.Spec[Any], values: Slots) -> tuple[f.Clue, ...]:
        """The hints of a grid."""
        rows, cols = spec.params.rows, spec.params.cols
        lines = [values[r * cols : r * cols + cols] for r in range(rows)] + [values[c::cols] for c in range(cols)]
        return tuple([hint_of(line, _sum_of(cells), rows) for line, cells in enumerate(lines)])

    def placed(self, spec: f.Spec[Any], clue: f.Clue) -> tuple[int, int]:
        """Line and sum of a hint. Raises BadRow for what is no hint of this grid."""
        args = clue.args
        if len(args) == 2 and type(args[0]) is int and type(args[1]) is int and 0 <= args[1] <= MOST:
            if clue.kind == "row" and 0 <= args[0] < spec.params.rows:
                return args[0], args[1]
            if clue.kind == "column" and 0 <= args[0] < spec.params.cols:
                return spec.params.rows + args[0], args[1]
        raise f.BadRow(
            f"kakurasu clue {clue.id}: expected row or column, its place from 0, and a sum from 0 to {MOST}, "
            f"got {clue.kind} {args}"
        )

    def texts(self, puzzle: f.Puzzle[Any, Any]) -> list[str]:
        """The hint of each line as text; ? where there is none."""
        texts = ["?"] * (puzzle.spec.params.rows + puzzle.spec.params.cols)
        for clue in puzzle.clues:
            line, total = self.placed(puzzle.spec, clue)
            texts[line] = str(total)
        return texts

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: Any, clue: f.Clue) -> None:
        """A layered graph of partial sums: a node says that the first i cells of the line add up to k.

        Only nodes from which the hint can still be reached, and that can be reached, are variables.
        """
        line, total = self.placed(spec, clue)
        rows, cols = spec.params.rows, spec.params.cols
        cells = range(line * cols, line * cols + cols) if line < rows else range(line - rows, rows * cols, cols)
        chosen = [m.key[cell][1] for cell in cells]
        n = len(chosen)
        reach = [{0}]
        for i in range(n):
            reach.append({k for k in reach[-1] if k <= total} | {k + i + 1 for k in reach[-1] if k + i + 1 <= total})
        live = [set[int]() for _ in range(n + 1)]
        live[n] = {total} & reach[n]
        for i in range(n - 1, -1, -1):
            live[i] = {k for k in reach[i] if k in live[i + 1] or k + i + 1 in live[i + 1]}
        if not live[0]:
            m.require(label=clue.id)
            return
        nodes: list[dict[int, int]] = [{k: m.var() for k in sorted(layer)} for layer in live]
        m.require(nodes[0][0], label=clue.id)
        m.require(nodes[n][total], label=clue.id)
        for i, x in enumerate(chosen):
            for here, there, weight in ((nodes[i], nodes[i + 1], i + 1), (nodes[i + 1], nodes[i], -i - 1)):
                for k, node in here.items():
                    without, with_ = there.get(k), there.get(k + weight)
                    m.require(-node, x, *([without] if without else []), label=clue.id)
                    m.require(-node, -x, *([with_] if with_ else []), label=clue.id)
                    m.require(-node, *[end for end in (without, with_) if end], label=clue.id)

    def given_slots(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, ...]:
        return blocked_cells(puzzle.spec)

    # ---- leaving clues out

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        return rng.shuffled(range(len(draft.puzzle.clues))) if draft.puzzle.spec.params.hidden else []

    def kept(self, spec: f.Spec[Any]) -> int:
        hints: int = spec.params.rows + spec.params.cols - spec.params.hidden
        return hints

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether a hint is left out if any was to be. One always can be, see above."""
        params = draft.puzzle.spec.params
        return not params.hidden or len(draft.puzzle.clues) < params.rows + params.cols

    # ---- changing clues

    def alternatives(self, puzzle: f.Puzzle[Any, Any], clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """Other sums that the line can reach by itself, in random order."""
        line, total = self.placed(puzzle.spec, clue)
        for other in rng.shuffled(reachable(puzzle.spec, line)):
            if other != total:
                yield replace(clue, args=(clue.args[0], other))

    def additions(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Clue]:
        """Hints for lines that have none."""
        shown = {self.placed(puzzle.spec, clue)[0] for clue in puzzle.clues}
        taken = {clue.id for clue in puzzle.clues}
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        bare = [line for line in range(rows + cols) if line not in shown and hint_of(line, 0, rows).id not in taken]
        for place, total in rng.shuffled([(line, total) for line in bare for total in reachable(puzzle.spec, line)]):
            yield hint_of(place, total, rows)

    def deep_odds(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, int]:
        """One in ten has any where all hints are shown."""
        return (1, 1) if len(puzzle.clues) == puzzle.spec.params.rows + puzzle.spec.params.cols else (1, 2)

    def changes(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Puzzle[Any, Any]]:
        """Two hints changed so that the weighted sums of rows and columns still agree (half of the changes), two hints of rows or
        two of columns swapped, or one hint changed or moved. Only sums that each line can reach by itself.

        Where all hints are shown, one changed alone and a swap are refuted by adding up; the first sort is not.
        """
        singles = super().changes(puzzle, rng.child("single"))
        swaps, pairs = self._changed_together(puzzle)
        queues = [iter(rng.child("swaps").shuffled(swaps)), iter(rng.child("pairs").shuffled(pairs))]
        turn = rng.child("turn")
        while queues:
            which = turn.below(4)
            if which == 0:
                single = next(singles, None)
                if single is not None:
                    yield single
                    continue
            queue = queues[0] if which == 1 else queues[-1]
            edits = next(queue, None)
            if edits is None:
                queues.remove(queue)
                continue
            changed = list(puzzle.clues)
            for place, total in edits:
                changed[place] = replace(changed[place], args=(changed[place].args[0], total))
            yield puzzle.with_clues(changed)
        yield from singles

    def _changed_together(self, puzzle: f.Puzzle[Any, Any]) -> tuple[list[_Edits], list[_Edits]]:
        """Swaps of two hints, and changes of two after which the weighted sums of rows and columns agree as before."""
        rows = puzzle.spec.params.rows
        lines = [self.placed(puzzle.spec, clue) for clue in puzzle.clues]
        may = [set(reachable(puzzle.spec, line)) for line, _ in lines]
        swaps: list[_Edits] = []
        pairs: list[_Edits] = []
        for i, (line, total) in enumerate(lines):
            for k in range(i):
                other, there = lines[k]
                alike = (line < rows) == (other < rows)
                if alike and total != there and there in may[i] and total in may[k]:
                    swaps.append(((i, there), (k, total)))
                # the weight of a line in the sums that must agree
                here, across = (x + 1 if x < rows else x - rows + 1 for x in (line, other))
                for step in range(-_NEAR, _NEAR + 1):
                    change = -step * here if alike else step * here
                    if step == 0 or change % across or abs(change // across) > _NEAR:
                        continue
                    new = (total + step, there + change // across)
                    if new[0] in may[i] and new[1] in may[k]:
                        pairs.append(((i, new[0]), (k, new[1])))
        return swaps, pairs


# ---- cells of lines -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def hint_of(line: int, total: int, rows: int) -> f.Clue:
    kind, place = ("row", line) if line < rows else ("column", line - rows)
    return f.Clue(f"{kind[0]}{place + 1}", kind, (place, total))


def ascending(args: tuple[Any, ...], count: int) -> bool:
    """Return whether there is one argument, a list of one or more of so many cells."""
    if len(args) != 1 or type(args[0]) is not tuple or not args[0]:
        return False
    cells = args[0]
    return all(type(cell) is int for cell in cells) and cells == tuple(sorted(set(cells) & set(range(count))))


def all_open(rows: int, cols: int, cells: Collection[int]) -> bool:
    """Return whether every row and every column has a cell that is not among these."""
    open_ = set(range(rows * cols)).difference(cells)
    return len({cell // cols for cell in open_}) == rows and len({cell % cols for cell in open_}) == cols


def blocked_cells(spec: f.Spec[Any]) -> tuple[int, ...]:
    """The blocked cells, ascending. Raises BadRow if they are no cells of this grid."""
    if not spec.rules:
        return ()
    rule = spec.rule(BLOCKED)
    if rule is None or not ascending(rule.args, spec.params.rows * spec.params.cols):
        raise f.BadRow(f"kakurasu.{BLOCKED}: expected a list of cells of the grid, ascending, got {str(spec.rules)[:60]}")
    return rule.args[0]  # type: ignore[return-value]  # _ascending has looked at each


@lru_cache(maxsize=2048)
def _sum_of(line: tuple[int, ...]) -> int:
    return sum([number for number, value in enumerate(line, 1) if value])


def open_weights(spec: f.Spec[Any]) -> list[list[int]]:
    """For every line the numbers of its open cells."""
    rows, cols, blocked = spec.params.rows, spec.params.cols, set(blocked_cells(spec))
    across = [[c + 1 for c in range(cols) if r * cols + c not in blocked] for r in range(rows)]
    return across + [[r + 1 for r in range(rows) if r * cols + c not in blocked] for c in range(cols)]


def reachable(spec: f.Spec[Any], line: int) -> list[int]:
    """The sums that this line can have, ascending."""
    sums = {0}
    for number in open_weights(spec)[line]:
        sums |= {k + number for k in sums}
    return sorted(sums)


def forced_words(weights: Sequence[int], total: int, other: str) -> str:
    """Say what a hint says by itself, where these are the numbers of the line's open cells: what all choices have in common."""
    ways = [{w for i, w in enumerate(weights) if choice >> i & 1} for choice in range(1 << len(weights))]
    ways = [way for way in ways if sum(way) == total]
    if not ways:
        return "which is impossible"
    parts = []
    for word, cells in (("chosen", set.intersection(*ways)), ("not chosen", set(weights).difference(*ways))):
        numbers = [str(w) for w in weights if w in cells]
        if numbers:
            many = len(numbers) > 1
            parts.append(f"{other}{'s' * many} {f.listed(numbers)} {'are' if many else 'is'} {word}")
    return f"so {f.listed(parts)}" if parts else f"which is possible in {len(ways)} ways"


def notation(voice: f.Voice) -> str:
    """The notation of the board: with the sums at its edge, or lists of sums and blocked cells."""
    return voice.notation("lists", "spaces", "table", "json", "sentences") if voice.number else "spaces"


def board(voice: f.Voice, hints: Sequence[str], cells: Sequence[str], rows: int, cols: int) -> str:
    """The sums and the cells, in the notation of this voice."""
    grid, way = [list(cells[r * cols : (r + 1) * cols]) for r in range(rows)], notation(voice)
    if way in ("spaces", "table"):
        edge = voice.says("edges", dot='"."') + "\n" if voice.number else ""
        return edge + (_drawn if way == "spaces" else f.markdown)(hints[:rows], hints[rows:], grid)
    blocked = [f"row {i // cols + 1} column {i % cols + 1}" for i, cell in enumerate(cells) if cell == "x"]
    marks = [voice.says("blocked_list", cells=f.listed(blocked))] if blocked else []
    if way == "sentences":
        lines = [("Row", i) for i in range(1, rows + 1)] + [("Column", i) for i in range(1, cols + 1)]
        sums = [voice.says("sums", line=line, i=i, total=hint) for (line, i), hint in zip(lines, hints, strict=True)]
        return "\n".join([voice.says("sums_heading"), *sums, *marks])
    texts = [hint.replace("?", "null") if way == "json" else hint for hint in hints]
    across, down = [f"[{text}]" if way == "json" else text for text in (", ".join(texts[:rows]), ", ".join(texts[rows:]))]
    return "\n".join([voice.says("lists", across=across, down=down), *marks])


def _drawn(across: Sequence[str], down: Sequence[str], grid: Sequence[Sequence[str]]) -> str:
    wide, front = [len(hint) for hint in down], max(len(hint) for hint in across)
    table = [["", *down], *[[first, *row] for first, row in zip(across, grid, strict=True)]]
    cells = [[text.rjust(w) for text, w in zip(line, (front, *wide), strict=True)] for line in table]
    head, *rows = [" ".join([first, "|", *others]) for first, *others in cells]
    return "\n".join([head, "-" * front + "-+-" + "-" * (sum(wide) + len(wide) - 1), *rows])
