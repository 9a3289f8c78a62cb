"""Logic grids: which items belong together, as in puzzle magazines.

There are some categories of as many items each. Every entity (an item of the first category) has one item of every other one:
  once      every item belongs to exactly one entity;
  clues     every clue is true of the items that it names: a statement as puzzlemill/rules/grids.py lists them.
The last categories are scales: their items are numbers in a unit, and clues compare them.
Source: known to magazines since the 1960s. Seen in GridPuzzle (2407.14790) and LR2Bench (2502.17848). broken_rules returns
"once" or the ids of clues, and "malformed" for what is no table.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed; `spare` more than these stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import product
from math import factorial, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import GridTable
from puzzlemill.rules import grids, grids_draw, grids_model, grids_text, grids_words
from puzzlemill.rules.grids import Scales

GridPuzzle = f.Puzzle["Params", Scales]
GridDraft = f.Draft["Params", Scales, f.Grid, f.Grid]  # grid[c - 1][e]: the item of category c of entity e

_ASKED = {"one_of_three": "one_of", "implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
_FEWEST = 2  # clues of a kind that is asked for

# How many clues of a kind are drawn for every 8 places of the answer. Of two clues, the one that says more is more often needed
# in the end, so these are not the shares in finished puzzles. Every "is" of an entity is drawn too, so that there is one answer.
_SHARES = {
    "is": 2,
    "is_not": 8,
    "either_or": 5,
    "neither": 4,
    "pair": 4,
    "different": 2,
    "before": 6,
    "exactly": 4,
    "apart": 3,
    "at_least": 3,
    "between": 2,
}
_TWO_UNITS = 2  # comparisons on two scales at once
# Of 16 parts of composites so many are of a kind: those that read well inside a sentence.
_PART_SHARES = {"is": 7, "is_not": 1, "before": 4, "exactly": 2, "at_least": 2}


@f.params
class Params:
    """categories: with the first, which names the entities, and the scales. spare: clues that stay beyond those that are needed.

    one_of_three, implication, exclusive_or: at least two clues of this sort.
    """

    categories: int = f.Param(4, least=2, most=6)
    items: int = f.Param(5, least=3, most=8)
    scales: int = f.Param(1, least=0, most=2)
    spare: int = f.Param(0, least=0, most=8)
    one_of_three: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


def _size(spec: f.Spec[Any], board: Scales) -> grids.Size:
    return grids.size_of(spec.params.categories, spec.params.items, board)


def _spec(size: grids.Size) -> f.Spec[Params]:
    return f.Spec(Params(size.categories, size.items, len(size.scales)))


class GridClues(grids_model.Statements):
    """The order in which clues are left out."""

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        """What an entity has goes first, composites last."""
        first, rest, last = [], [], []
        for i, said in enumerate(self.all(draft.puzzle)):
            if said.parts and said.kind in draft.puzzle.spec.params.asked():
                last.append(i)
            elif said.kind == "is" and said.items[0][0] == 0:
                first.append(i)
            else:
                rest.append(i)
        return rng.shuffled(first) + rng.shuffled(rest) + rng.shuffled(last)

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether enough composites of every sort that is asked for are needed."""
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        return all(kinds[kind] >= _FEWEST for kind in draft.puzzle.spec.params.asked())


@final
class LogicGrid(f.Family[Params, Scales, f.Grid, f.Grid]):
    """Slot (c - 1) * items + e holds the item of category c that entity e has."""

    name, version, title = "logic_grid", 1, "Logic grid puzzle"
    source = "logic problems of puzzle magazines"
    params, board, answer = Params, Scales, f.Grid
    form = grids_text.EntityTable(_size)
    clues = GridClues(_size)
    text = grids_text.GridText(_size, _spec)
    smallest = (
        f.Spec(Params(2, 3)),
        f.Spec(Params(3, 3)),
        f.Spec(Params(3, 4, 2)),
        f.Spec(Params(4, 3)),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        params = spec.params
        if params.scales >= params.categories:
            raise f.BadParams(
                f"logic_grid.scales must be below categories ({params.categories}), since the first one has names; "
                "set family.params.scales"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        return tuple([tuple(rng.shuffled(range(spec.params.items))) for _ in range(spec.params.categories - 1)])

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> GridDraft:
        params = spec.params
        style, board = grids_words.draw_style(params.categories, params.items, params.scales, rng.child("style"))
        size = _size(spec, board)
        seen = grids_draw.Hidden(size, hidden)
        drawn = grids_draw.true_statements(seen, grids_draw.kinds_by(_SHARES, size), rng.child("clues"))
        true = [*grids_draw.links(seen), *drawn]
        both = rng.child("both")
        true += [said for said in [grids_draw.two_comparisons(seen, both) for _ in range(_TWO_UNITS)] if said is not None]
        if params.asked():
            true += grids_draw.composites(seen, params.asked(), _PART_SHARES, _FEWEST + 2, rng.child("composites"))
        order = rng.child("order").shuffled(list(dict.fromkeys(true)))
        clues = [said.clue(f"k{i}") for i, said in enumerate(order, 1)]
        return f.Draft(replace(self.puzzle(spec, clues, board), style=style), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more item in each category."""
        params = spec.params
        return replace(spec, params=replace(params, items=params.items + 1)) if params.items < 8 else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Scales) -> f.Constraints:
        return grids_model.bare(_size(spec, board))

    def table(self, puzzle: GridPuzzle) -> GridTable:
        return grids_model.table(_size(puzzle.spec, puzzle.board), self.clues.all(puzzle))

    def broken_rules(self, puzzle: GridPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        n, m = puzzle.spec.params.items, puzzle.spec.params.categories
        if type(answer) is not tuple or len(answer) != m - 1:
            return [f.MALFORMED]
        for row in answer:
            if type(row) is not tuple or len(row) != n:
                return [f.MALFORMED]
            for value in row:
                if type(value) is not int or not (0 <= value < n or (partial and value == f.BLANK)):
                    return [f.MALFORMED]
        # spots[c][v]: the entities that may have the item: its own, or all whose place is blank; none if it stands twice
        spots = [[[e] for e in range(n)]]
        broken: list[str] = []
        for row in answer:
            blank = [e for e in range(n) if row[e] == f.BLANK]
            places = [[e for e in range(n) if row[e] == v] for v in range(n)]
            if any(len(found) > 1 for found in places) or sum(not found for found in places) > len(blank):
                broken = ["once"]
            spots.append([found if len(found) == 1 else [] if found else blank for found in places])
        size = _size(puzzle.spec, puzzle.board)
        said = zip(puzzle.clues, self.clues.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if not _may_hold(statement, spots, answer, size)]

    def search_space_log10(self, puzzle: GridPuzzle) -> float:
        """(N!)**(M - 1)."""
        return (puzzle.spec.params.categories - 1) * log10(factorial(puzzle.spec.params.items))

    def symmetry(self, puzzle: GridPuzzle) -> f.ColouredGraph:
        return grids_model.symmetry(_size(puzzle.spec, puzzle.board), self.clues.all(puzzle))

    # ---- text

    def render(self, puzzle: GridPuzzle) -> str:
        size = _size(puzzle.spec, puzzle.board)
        lists = zip(grids_words.titles(puzzle, size), puzzle.style.names, strict=True)
        lines = [f"{title}: {', '.join(names)}" for title, names in lists]
        told = [grids_words.spelled(puzzle, size, said) for said in self.clues.all(puzzle)]
        return "\n".join([*lines, "", *[f"{i}. {line}" for i, line in enumerate(told, 1)]])

    def describe(self, puzzle: GridPuzzle, label: str) -> str:
        clue, size = puzzle.clue(label), _size(puzzle.spec, puzzle.board)
        if clue is None and label != "once":
            raise f.BadRow(f"logic_grid: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, or once")
        if clue is None:
            return "Every item belongs to exactly one row."
        return grids_words.spelled(puzzle, size, grids.read(clue, size))

    def draw(self, puzzle: GridPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        return f.Board(1, 1).svg()


# ---- the plain checker's, of answers with blanks -------------------------------------------------------------------------

_Spots = list[list[list[int]]]


def _may_hold(said: grids.Statement, spots: _Spots, answer: f.Grid, size: grids.Size) -> bool:
    """Return whether a statement may be true of items that each belong to one of their spots."""
    outcomes = [_outcomes(part, spots, answer, size) for part in said.parts or (said,)]
    if not said.parts:
        return True in outcomes[0]
    for truths in product(*outcomes):
        if said.kind == "both":
            right = all(truths)
        elif said.kind == "if":
            right = not truths[0] or truths[1]
        else:
            right = sum(truths) == 1
        if right:
            return True
    return False


def _outcomes(part: grids.Statement, spots: _Spots, answer: f.Grid, size: grids.Size) -> list[bool]:
    """Whether a plain statement may be true, and whether it may be false: the truths that it may have."""
    choices = [spots[c][v] for c, v in part.items]
    if grids.KINDS[part.kind].scale:
        category, numbers = size.scales[part.scale]
        row = answer[category - 1]
        left = [numbers[v] for v in range(size.items) if v not in row]
        choices = [
            [numbers[v]]
            if c == category
            else sorted({d for e in spots[c][v] for d in ([numbers[row[e]]] if row[e] >= 0 else left)})
            for c, v in part.items
        ]
    found: list[bool] = []
    place = {item: k for k, item in enumerate(part.items)}
    for chosen in product(*choices):
        if grids.KINDS[part.kind].scale:
            truth = grids.is_true(part, place.__getitem__, lambda _, k: chosen[k])  # noqa: B023
        else:
            truth = grids.is_true(part, lambda item: chosen[place[item]], lambda _, e: e)  # noqa: B023
        if truth not in found:
            found.append(truth)
            if len(found) == 2:
                break
    return found


FAMILY = LogicGrid()
