"""Puzzles, answers and edits that several drawers of tests use.

case      a family and one of its smallest specs; the contract suite runs over all of them
reference the family's model, lowered here once more with PySAT's own cardinality encodings (the library's lowering is not used)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import combinations, islice, permutations, product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Constraints, Graph, Heavier, Move, Slots, Space, State
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Oracle, QuestionKind, Rule, Spec, rules_text
from puzzlemill.factory.build import GroupResult, _draw, build_group
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant
from puzzlemill.generators import families
from puzzlemill.generators._template import FAMILY as TEMPLATE
from puzzlemill.rules.seats import KINDS, ROW, SEAT, WAY, stated
from puzzlemill.solvers import kernels, search
from puzzlemill.solvers.engines import Engines
from puzzlemill.transforms import transforms
from puzzlemill.transforms.clash import Clash

NODES = 100_000  # of a kernel in one question: what takes more is thrown away, and another one drawn
UNWANTED = tuple((Path(__file__).parent / "unit" / "phrases.txt").read_text().splitlines())
BOUND = 1 << 16  # the size of an answer space up to which every assignment is tried


def unwanted(text: str) -> list[str]:
    """The phrases of tests/unit/phrases.txt that occur in a text."""
    return [phrase for phrase in UNWANTED if re.search(phrase, text)]


def every_family() -> list[AnyFamily]:
    """The template first: what holds for the file to copy must hold for its copies."""
    return [TEMPLATE, *families().values()]


@dataclass(frozen=True)
class Case:
    """One family and one of its smallest specs."""

    family: AnyFamily
    spec: Spec[Any]

    def __str__(self) -> str:
        params = dumps(self.spec.params).replace('"', "").strip("{}").replace(":", "=")
        return f"{self.family.name}-{params}" + (f"-{rules_text(self.spec)}" if self.spec.rules else "")

    def rng(self, *path: str | int) -> Rng:
        return stream("tests", str(self), *path)


def every_case() -> list[Case]:
    """What the rules of a spec leave open is drawn here, once."""
    return [
        Case(family, resolved(family.rules, spec, stream("tests", "settle", family.name, i)))
        for family in every_family()
        for i, spec in enumerate(family.smallest)
    ]


def slot_cases() -> list[Case]:
    """The cases whose answers are slot values, and which are asked for them at once."""
    return [case for case in every_case() if not is_graph(case) and not is_dialogue(case)]


def graph_cases() -> list[Case]:
    """The cases whose answers are routes."""
    return [case for case in every_case() if is_graph(case)]


def is_graph(case: Case) -> bool:
    puzzle = full(case, 0).puzzle
    return isinstance(case.family.model(puzzle.spec, puzzle.board), Graph)


def is_dialogue(case: Case) -> bool:
    return case.family.question(case.spec).kind is QuestionKind.PLAY


def is_forced(puzzle: AnyPuzzle) -> bool:
    return puzzle.question.kind is QuestionKind.FORCED


def model_forced(family: AnyFamily, puzzle: AnyPuzzle) -> Slots | None:
    """The answer to a FORCED question by the tests' own solver, slot by slot; None if no assignment fits."""
    blank = (BLANK,) * len(family.form.slots(puzzle.spec, puzzle.board))
    with Reference(family, puzzle) as reference:
        if not reference.allows(blank):
            return None
        return tuple(int(not reference.allows((*blank[:s], 0, *blank[s + 1 :]))) for s in range(len(blank)))


def asking(family: AnyFamily) -> Oracle:
    return Engines(family)


@lru_cache(maxsize=256)
def full(case: Case, index: int) -> AnyDraft:
    """A draft that states every true clue."""
    rng = case.rng("full", index)
    case.family.validate(case.spec)
    hidden = case.family.sample_solution(case.spec, rng.child("fill"), asking(case.family))
    return case.family.make_puzzle(case.spec, hidden, rng.child("pose"))


@lru_cache(maxsize=256)
def minimized(case: Case, index: int) -> AnyDraft:
    """The same draft with as many clues left out as its family allows; its answer is still the only one.

    Of a FORCED question the full draft's answer is an assignment, and this one's is what the clues that stay force.
    """
    draft = full(case, index)
    if is_graph(case):
        return draft
    order = case.family.clues.removal_order(draft, case.rng("thin", index))
    keep = case.family.clues.kept(case.spec)
    stay = asking(case.family).minimize(draft.puzzle, order, keep)
    puzzle = draft.puzzle.with_clues([draft.puzzle.clues[i] for i in stay])
    if is_forced(puzzle):
        forced = asking(case.family).backbone(puzzle)
        assert forced is not None
        return type(draft)(puzzle, draft.hidden, case.family.form.assemble(puzzle.spec, puzzle.board, forced))
    return type(draft)(puzzle, draft.hidden, draft.answer)


@lru_cache(maxsize=64)
def group(case: Case, index: int, transforms: tuple[str, ...] = (), reply_format: str = "json") -> tuple[dict[str, Any], ...]:
    """The rows of one group as the factory makes them: the parent, then a child per transform."""
    made = built(case, index, transforms, reply_format)
    assert made.rows, f"group {index} of {case} was given up: {made.tally}"
    return made.rows


@lru_cache(maxsize=64)
def built(case: Case, index: int, transforms: tuple[str, ...], reply_format: str = "json") -> GroupResult:
    """The same, where it may be given up."""
    recipe, part = recipe_of(case, transforms, (reply_format,))
    return build_group(recipe, part, "test", index)


def recipe_of(case: Case, transforms: tuple[str, ...], reply_formats: tuple[str, ...]) -> tuple[Recipe, Stratum]:
    params = tuple((f.name, (getattr(case.spec.params, f.name),)) for f in fields(case.spec.params))
    variants = tuple(Variant(name, (TransformCall(name),)) for name in transforms)
    clashing = sum(variant.promises_unsolvable(case.family) for variant in variants)
    share = 50 if 2 * clashing > len(variants) + 1 else 0  # several unsolvable variants take turns
    part = Stratum(
        case.family.name, params, case.spec.rules, variants, (("test", 1),), reply_formats, unsolvable=share, lopsided=True
    )
    # the smallest may have no clash of a given depth, and looking for one is long
    attempts = 12 if set(transforms) & {"deep_clash", "shallow_clash"} else 40
    return Recipe("contract", "tests", (part,), attempts=attempts, nodes=NODES), part


def fitting(case: Case) -> list[str]:
    """The transforms that fit this case, by name."""
    return [name for name, transform in transforms(case.family).items() if transform.fits(case.family, case.spec)]


def usual(case: Case) -> list[str]:
    """Those of them that every puzzle of the case can be put through: the smallest may have no clash of a given depth."""
    return [name for name in fitting(case) if name not in ("deep_clash", "shallow_clash")]


def drawn(case: Case, index: int) -> AnyDraft | None:
    """A draft as the factory keeps it, proof aside; None if it throws the draft away."""
    try:
        return _draw(case.family, case.spec, case.rng("drawn", index), Engines(case.family), False)
    except Discarded:
        return None


def kept(family: AnyFamily, spec: Spec[Any], count: int) -> list[AnyDraft]:
    """The first drafts of a spec that the factory keeps."""
    made = (drawn(Case(family, spec), index) for index in range(20 * count))
    found = list(islice((draft for draft in made if draft is not None), count))
    assert len(found) == count, f"fewer than {count} drafts of {spec} in {20 * count}"
    return found


@lru_cache(maxsize=512)
def with_clash(case: Case, index: int) -> tuple[AnyDraft, ...]:
    """The same draft, and a clash that is made from it where there is one; nothing if the draft is thrown away."""
    draft = drawn(case, index)
    if draft is None:
        return ()
    with suppress(Discarded):
        return draft, Clash().edit(case.family, draft, case.rng("clash", index), asking(case.family))
    return (draft,)


def bare(case: Case) -> AnyPuzzle:
    """The first draft's puzzle without any clue: every legal answer of its board solves it."""
    return full(case, 0).puzzle.with_clues(())


# ---- constraint puzzles --------------------------------------------------------------------------------------------


class Reference:
    """What the family's model means for one puzzle, through one SAT solver that is only used by the tests."""

    def __init__(self, family: AnyFamily, puzzle: AnyPuzzle) -> None:
        stated = family.model(puzzle.spec, puzzle.board)
        assert isinstance(stated, Constraints)
        m = replace(stated, clauses=list(stated.clauses), cardinalities=list(stated.cardinalities), key=list(stated.key))
        for clue in puzzle.clues:
            family.clues.state(m, puzzle.spec, puzzle.board, clue)
        self.key = m.key
        self.solver = Solver(name="glucose4", bootstrap_with=[list(lits) for lits, _ in m.clauses])
        weighed, top = _weighed(tuple(m.weighings), m.top)
        self.solver.add_clause([m.top, -m.top])  # variables that no clause names are in its answers too
        self.solver.append_formula([list(clause) for clause in weighed])
        for rule in m.cardinalities:
            if rule.bound < 0:
                self.solver.add_clause([])
            elif rule.bound < len(rule.lits):
                cnf = CardEnc.atmost(list(rule.lits), rule.bound, top_id=top, encoding=EncType.seqcounter)
                top = max(top, cnf.nv)
                self.solver.append_formula(cnf.clauses)

    def __enter__(self) -> Reference:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.delete()

    def allows(self, values: Slots) -> bool:
        """Whether these slot values (BLANK: any) can be completed."""
        return bool(self.solver.solve(assumptions=[self.key[s][v] for s, v in enumerate(values) if v != BLANK]))

    def answers(self, limit: int) -> set[Slots]:
        """Up to `limit` different answers. Each is blocked afterwards: ask nothing else of this object later."""
        found: set[Slots] = set()
        while len(found) < limit and self.solver.solve():
            true = set(self.solver.get_model())
            values = tuple(next(v for v, lit in enumerate(lits) if lit in true) for lits in self.key)
            assert values not in found
            found.add(values)
            self.solver.add_clause([-self.key[s][v] for s, v in enumerate(values)])
        return found


class Listed:
    """The same for a class of hypotheses: the answers of all those that fit every clue, listed part by part."""

    def __init__(self, space: Space, puzzle: AnyPuzzle) -> None:
        found: list[set[Slots]] = []
        for part in range(space.parts()):
            hypotheses = list(space.hypotheses(part))
            assert len(set(hypotheses)) == len(hypotheses) == space.size(part)
            for clue in puzzle.clues:
                hypotheses = [each for each in hypotheses if space.fits(part, each, clue.kind, clue.args)]
            outputs = [space.output(part, each) for each in hypotheses]
            found.append({output for output in outputs if output is not None})
        self.all = {sum(parts, ()) for parts in product(*found)}

    def __enter__(self) -> Listed:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def allows(self, values: Slots) -> bool:
        return any(all(v in (BLANK, own) for v, own in zip(values, each, strict=True)) for each in self.all)

    def answers(self, limit: int) -> set[Slots]:
        return set(sorted(self.all)[:limit])


def meaning(family: AnyFamily, puzzle: AnyPuzzle) -> Reference | Listed:
    """What the family's model means for one puzzle."""
    stated = family.model(puzzle.spec, puzzle.board)
    return Listed(stated, puzzle) if isinstance(stated, Space) else Reference(family, puzzle)


@lru_cache(maxsize=16)
def _weighed(weighings: tuple[Heavier, ...], top: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Clauses for comparisons of weights: a variable for every difference that the groups so far can come to."""
    clauses: list[tuple[int, ...]] = []
    for weighing in weighings:
        groups = [*weighing.left, *[tuple((lit, -weight) for lit, weight in group) for group in weighing.right]]
        still = [sum(min(weight for _, weight in group) for group in groups[i:]) for i in range(len(groups) + 1)]
        reached: dict[int, tuple[int, ...]] = {0: ()}  # difference: what says that it is not so
        for i, group in enumerate(groups):
            after: dict[int, tuple[int, ...]] = {}
            for sofar, unless in reached.items():
                for lit, weight in group:
                    total = sofar + weight
                    if total + still[i + 1] > 0:
                        continue  # whatever comes, the left side is heavier
                    if total not in after:
                        top += 1
                        after[total] = (-top,)
                    clauses.append((*unless, -lit, -after[total][0]))
            reached = after
        clauses += [unless for total, unless in reached.items() if total <= 0]
    return tuple(clauses), top


def model_answers(family: AnyFamily, puzzle: AnyPuzzle, limit: int) -> set[Slots]:
    with meaning(family, puzzle) as reference:
        return reference.answers(limit)


def count_answers(family: AnyFamily, puzzle: AnyPuzzle, most: int) -> int:
    """How many answers there are, up to `most`: by the kernel where there is one, which test_agreement holds to the model."""
    table = family.table(puzzle)
    if table is None:
        return len(model_answers(family, puzzle, most))
    finding = kernels.answers(table, most, 50_000_000)
    assert finding.decided(most)
    return len(finding.answers)


def loosest(case: Case, index: int, most: int) -> tuple[AnyPuzzle, set[Slots]]:
    """A puzzle with as few clues, in random order, as leave at most `most` answers; with its answers by the model."""
    whole = full(case, index).puzzle
    clues = case.rng("loosest", index).shuffled(whole.clues)
    low, high = 0, len(clues)  # more clues never give more answers
    while low < high:
        middle = (low + high) // 2
        if count_answers(case.family, whole.with_clues(clues[:middle]), most + 1) <= most:
            high = middle
        else:
            low = middle + 1
    puzzle = whole.with_clues(clues[:high])
    return puzzle, model_answers(case.family, puzzle, most + 1)


def checker_answers(family: AnyFamily, puzzle: AnyPuzzle, most: int, bound: int = BOUND) -> set[Slots]:
    """Every answer that broken_rules accepts, fewer than `most`. Up to `bound` assignments are all tried; else by the search that
    knows nothing but broken_rules(partial=True), which test_agreement checks on its own.
    """
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    if prod(sizes) <= bound:
        return {
            values
            for values in product(*(range(n) for n in sizes))
            if not family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
        }
    finding = search.answers(family, puzzle, most, 10_000_000)
    assert finding.exhausted
    return set(finding.answers)


_MANY = 256  # values of a slot


def edits(values: Slots, sizes: Sequence[int], slots: int) -> Iterator[Slots]:
    """Every vector that differs from this one in exactly `slots` slots; of a slot with many values, some of them."""

    def tried(s: int) -> Iterable[int]:
        few = sizes[s] <= _MANY
        return (
            range(sizes[s])
            if few
            else sorted({*range(0, sizes[s], sizes[s] // _MANY), *range(max(0, values[s] - 9), values[s] + 9)})
        )

    for chosen in combinations(range(len(values)), slots):
        others = [[v for v in tried(s) if v != values[s] and v < sizes[s]] for s in chosen]
        for new in product(*others):
            changed = list(values)
            for s, v in zip(chosen, new, strict=True):
                changed[s] = v
            yield tuple(changed)


def random_values(sizes: Sequence[int], rng: Rng) -> Slots:
    return tuple(rng.below(n) for n in sizes)


def shaken(values: Slots, sizes: Sequence[int], rng: Rng) -> Slots:
    """A right answer with 1 to 6 slots drawn again: near misses, which even draws never are."""
    changed = list(values)
    for s in rng.sample(range(len(sizes)), min(len(sizes), rng.between(1, 6))):
        changed[s] = rng.below(sizes[s])
    return tuple(changed)


def subset(puzzle: AnyPuzzle, rng: Rng, keep: int, of: int) -> AnyPuzzle:
    """The puzzle with each clue kept with probability keep/of."""
    clues: list[Clue] = [clue for clue in puzzle.clues if rng.chance(keep, of)]
    return puzzle.with_clues(clues)


# ---- move puzzles --------------------------------------------------------------------------------------------------


def distances(graph: Graph, start: State, bound: int = 200_000) -> dict[State, int]:
    """Least costs from `start` to every state that can be reached, by repeated relaxation where moves have costs."""
    if graph.cost is not None:
        return _costs(graph, graph.cost, start, bound)
    seen = {start: 0}
    layer = [start]
    while layer:
        after = []
        for state in layer:
            for _, other in graph.moves(state):
                if other not in seen:
                    seen[other] = seen[state] + 1
                    after.append(other)
        layer = after
        assert len(seen) <= bound, "smallest() should be small: the tests walk through every state"
    return seen


def _costs(graph: Graph, cost: Callable[[Move], int], start: State, bound: int) -> dict[State, int]:
    seen = {start: 0}
    changed = True
    while changed:
        changed = False
        for state in list(seen):
            for move, other in graph.moves(state):
                if seen[state] + cost(move) < seen.get(other, 1 << 60):
                    seen[other] = seen[state] + cost(move)
                    changed = True
        assert len(seen) <= bound, "smallest() should be small: the tests walk through every state"
    return seen


def routes(graph: Graph, length: int) -> Iterator[tuple[Move, ...]]:
    """Every list of legal moves from start to goal that costs `length` in all."""
    work: list[tuple[State, tuple[Move, ...], int]] = [(graph.start, (), 0)]
    while work:
        state, moves, spent = work.pop()
        if spent == length:
            if state == graph.goal:
                yield moves
            continue
        for move, other in graph.moves(state):
            after = spent + (1 if graph.cost is None else graph.cost(move))
            if after <= length:
                work.append((other, (*moves, move), after))


def walk(graph: Graph, moves: Sequence[Move]) -> State | None:
    """Where these moves lead from the start; None as soon as one is not legal."""
    state = graph.start
    for move in moves:
        legal = dict(graph.moves(state))
        if move not in legal:
            return None
        state = legal[move]
    return state


# ---- symmetries ----------------------------------------------------------------------------------------------------


def scrambled(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """The same puzzle up to a random symmetry of its rules, its clues in another order and under other ids."""
    carry = SYMMETRIES.get(puzzle.family)
    moved = puzzle if carry is None else carry(puzzle, rng)
    clues = rng.shuffled(moved.clues)
    return moved.with_clues([replace(clue, id=f"x{i}") for i, clue in enumerate(clues)])


def _turn(rows: int, cols: int, rng: Rng) -> tuple[list[int], list[int], bool]:
    """Turn or mirror a grid at random: where its rows and columns go, and whether rows become columns (of square grids only)."""
    row, column = ([*range(count)][:: 1 - 2 * rng.below(2)] for count in (rows, cols))
    return row, column, rows == cols and rng.chance(1, 2)


def _carried(row: Sequence[int], column: Sequence[int], over: bool) -> Callable[[int], int]:
    """The number of the cell that a cell becomes if rows and columns go there, then perhaps over the diagonal."""

    def moved(cell: int) -> int:
        r, c = row[cell // len(column)], column[cell % len(column)]
        return c * len(row) + r if over else r * len(column) + c

    return moved


def _coin(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Turn the row around; swap the sides."""
    n, around, swap = puzzle.spec.params.coins, rng.chance(1, 2), rng.below(2)
    shown = [clue.ints() for clue in puzzle.clues]
    return puzzle.with_clues([Clue("", "given", (n - 1 - i if around else i, v ^ swap)) for i, v in shown])


def _hanoi(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename the pegs, unless their order counts."""
    if puzzle.spec.rule("right_only") is not None:
        return puzzle
    peg = rng.shuffled(range(puzzle.spec.params.pegs))
    board = puzzle.board
    return replace(puzzle, board=replace(board, start=tuple(peg[p] for p in board.start), goal=tuple(peg[p] for p in board.goal)))


def _navigation(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename places and kinds, list the paths in another order, and deal anew the landmarks that nobody asks for."""
    board = puzzle.board
    number = rng.shuffled(range(len(board.kinds)))
    name = rng.shuffled(range(puzzle.spec.params.kinds))
    asked = {board.goal, *(board.via if puzzle.spec.rules else ())}
    idle = [kind for kind in range(puzzle.spec.params.kinds) if kind not in asked]
    kinds = [0] * len(number)
    for place, kind in enumerate(board.kinds):
        kinds[number[place]] = name[kind if kind in asked else rng.pick(idle)]
    moved = replace(
        board,
        kinds=tuple(kinds),
        paths=tuple(rng.shuffled([(number[source], number[target], length) for source, target, length in board.paths])),
        start=number[board.start],
        goal=name[board.goal],
        via=tuple(rng.shuffled([name[kind] for kind in board.via])),
    )
    return replace(puzzle, board=moved)


def _zebra(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename attributes and values, look at the row from behind, and name equal partners in either order."""
    n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
    return _placed(puzzle, n, rng.shuffled(range(m)), [rng.shuffled(range(n)) for _ in range(m)], rng)


def _ordering(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename everybody, and tell the order from the other end."""
    params = puzzle.spec.params
    return _placed(puzzle, params.persons - params.ties, [0], [rng.shuffled(range(params.persons))], rng)


def _placed(puzzle: AnyPuzzle, n: int, attribute: list[int], value: list[list[int]], rng: Rng) -> AnyPuzzle:
    """Clues about n places with other names, from the front or from behind."""
    behind = rng.chance(1, 2)

    def moved(clue: Clue) -> Clue:
        if clue.kind in ("one_of", "if", "either"):
            parts = [moved(Clue("", part[0], part[1:])) for part in clue.args]
            told = [(part.kind, *part.args) for part in parts]
            return Clue("", clue.kind, tuple(told if clue.kind == "if" else rng.shuffled(told)))
        numbers = clue.ints()
        pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
        last = numbers[2 * len(pairs) :]
        items = [(attribute[a], value[a][v]) for a, v in pairs]
        if clue.kind in ("same", "not_same", "next", "apart", "far"):
            items = rng.shuffled(items)
        elif clue.kind == "between":
            items = [items[0], *rng.shuffled(items[1:])]
        elif behind and clue.kind in ("just_left", "left", "ahead"):
            items.reverse()
        elif behind and clue.kind in ("at", "not_at", "up_to", "from"):
            last = (n - 1 - last[0],)
        kind = {"up_to": "from", "from": "up_to"}.get(clue.kind, clue.kind) if behind else clue.kind
        return Clue("", kind, (*[part for item in items for part in item], *last))

    return puzzle.with_clues([moved(clue) for clue in puzzle.clues])


def _sudoku(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename values and move cells, as far as the rules in force allow.

    Boxes alone: rows within bands, bands, columns within stacks, stacks; over the diagonal if boxes are square. Zones: any rows,
    any columns, over the diagonal; the zones go along. Diagonals: rows and columns of the same numbers alike, pairs that mirror
    each other staying so, as far as boxes are kept. Nonconsecutive: the turns of the square that keep boxes, and values turned
    over. Box with the highest score: whole bands and stacks, and all of it upside down with values turned over.
    """
    n = puzzle.spec.params.size
    high, wide = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}[n]
    rules = {rule.name: rule for rule in puzzle.spec.rules}
    zones, box, apart = rules.get("zones"), rules.get("max_box"), rules.get("nonconsecutive")

    def lines(deep: int, within: bool) -> list[int]:
        bands = rng.shuffled(range(n // deep))
        return [deep * band + line for band in bands for line in (rng.shuffled(range(deep)) if within else range(deep))]

    def mirrored() -> list[int]:
        while True:
            half = [line if rng.chance(1, 2) else n - 1 - line for line in rng.shuffled(range(n // 2))]
            order = [*half, *[n // 2] * (n % 2), *[n - 1 - line for line in reversed(half)]]
            bands = [{line // deep for line in order[k : k + deep]} for deep in (high, wide) for k in range(0, n, deep)]
            if zones or all(len(band) == 1 for band in bands):
                return order

    over = (high == wide or zones is not None) and box is None and rng.chance(1, 2)
    value = list(range(n)) if box or apart else rng.shuffled(range(n))
    if not rules.keys() - {"zones"}:
        row, column = [lines(n if zones else deep, True) for deep in (high, wide)]
    elif set(rules) == {"max_box"}:
        row, column = [lines(deep, False) for deep in (high, wide)]
    else:
        row = column = mirrored() if not box and not apart else list(range(n))
    upside_down, sideways = rng.chance(1, 2), rng.chance(1, 2)
    if box:
        sideways = upside_down
    if upside_down:
        row = [n - 1 - r for r in row]
    if sideways:
        column = [n - 1 - c for c in column]
    if upside_down if box else apart and rng.chance(1, 2):
        value = value[::-1]

    moved = _carried(row, column, over)
    clues = [Clue("", clue.kind, (moved(cell), value[v])) for clue in puzzle.clues for cell, v in [clue.ints()]]
    there = {moved(i): i // n // high * (n // wide) + i % n // wide for i in range(n * n)}
    if zones:
        there = {moved(i): zone for i, zone in enumerate(zones.args[0])}
    number = {zone: place for place, zone in enumerate(dict.fromkeys(there[i] for i in range(n * n)))}  # by their first cells
    args: dict[str, Any] = {"max_box": (number[box.args[0]],) if box else ()}
    args["zones"] = (tuple(number[there[i]] for i in range(n * n)),)
    spec = replace(puzzle.spec, rules=tuple(Rule(name, args.get(name, ())) for name in sorted(rules)))
    return replace(puzzle, spec=spec).with_clues(clues)


def _binario(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Turn the grid, square ones over the diagonal too; swap the values. 4 lines go in any order, 6 lines also as a ring."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols

    def places(count: int) -> list[int]:
        if count == 4:
            return rng.shuffled(range(4))
        start = rng.below(6) if count == 6 else 0
        turned = [(start + i) % count for i in range(count)]
        return turned[::-1] if rng.chance(1, 2) else turned

    row, column, swap = places(rows), places(cols), rng.below(2)
    over = rows == cols and rng.chance(1, 2)
    if any(clue.kind != "given" for clue in puzzle.clues):  # what speaks of places goes only where the whole grid goes
        row, column, over = _turn(rows, cols, rng)
    place = _carried(row, column, over)

    def moved(clue: Clue) -> Clue:
        if clue.kind != "given":
            return Clue("", clue.kind, _moved(clue, row, column, over, bool(swap)))
        cell, v = clue.ints()
        return Clue("", clue.kind, (place(cell), v ^ swap))

    return puzzle.with_clues([moved(clue) for clue in puzzle.clues])


def _moved(clue: Clue, row: Sequence[int], column: Sequence[int], over: bool, swap: bool) -> tuple[int, ...]:
    """An extra constraint of binario where row r became row[r] and column c column[c], then perhaps rows columns, and 0s 1s."""
    kind, args, cols = clue.kind, clue.ints(), len(column)

    def at(r: int, c: int) -> tuple[int, int]:
        return (column[c], row[r]) if over else (row[r], column[c])

    if kind in ("same", "differ"):
        places = [at(cell // cols, cell % cols) for cell in args]
        return tuple(sorted(r * (len(row) if over else cols) + c for r, c in places))
    if kind == "diagonal":
        turned = (row[0] == 0) != (column[0] == 0)
        return (args[0] ^ turned, cols - args[1] if swap else args[1])
    if kind == "greater" or kind.startswith("lines_"):
        along, across = (row, column) if args[0] == 0 else (column, row)
        pair = [along[i] for i in args[1:3]]
        if kind != "greater":
            return (args[0] ^ over, *sorted(pair))
        return (args[0] ^ over, *(pair[::-1] if swap else pair), args[3] ^ (across[0] != 0))

    def corners(top: int, left: int, high: int, wide: int) -> tuple[int, int, int, int]:
        cells = [at(r, c) for r in range(top, top + high) for c in range(left, left + wide)]
        return (*min(cells), *max(cells))

    high, wide = args[2] - args[0] + 1, args[3] - args[1] + 1
    first = corners(args[0], args[1], high, wide)
    if kind == "more":
        second = corners(args[4], args[5], high, wide)
        return (*second, *first[:2]) if swap else (*first, *second[:2])
    if kind == "count":
        return (*first, high * wide - args[4] if swap else args[4])
    return (*first, (args[4] + swap * high * wide) % 2)


def _hitori(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Turn the grid, square ones over the diagonal too; give cells that no line links by equal numbers numbers of their own.

    These are drawn until cells of one line show the same number exactly where they did; a full grid hardly ever leaves a choice,
    and is renumbered as a whole. Four cells or fewer get the least such numbers, so that orbits stay short.
    """
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    n = max(rows, cols)
    shown = dict(clue.ints() for clue in puzzle.clues)
    moved = _carried(*_turn(rows, cols, rng))
    linked = {cell: {cell} for cell in shown}
    pairs = [(a, b) for a, b in combinations(shown, 2) if a // cols == b // cols or a % cols == b % cols]
    for a, b in pairs:
        if shown[a] == shown[b]:
            together = linked[a] | linked[b]
            for cell in together:
                linked[cell] = together
    same = {(a, b) for a, b in pairs if shown[a] == shown[b]}
    values: dict[int, int] = {}
    if len(shown) <= 4:
        for cell in sorted(shown, key=moved):
            if cell not in values:
                own_cells = linked[cell]
                taken = {values.get(b if a in own_cells else a) for a, b in pairs if (a in own_cells) != (b in own_cells)}
                values |= dict.fromkeys(linked[cell], next(v for v in range(n) if v not in taken))
    else:
        for _ in range(60):
            own = {min(cells): rng.below(n) for cells in linked.values()}
            values = {cell: own[min(linked[cell])] for cell in shown}
            if {(a, b) for a, b in pairs if values[a] == values[b]} == same:
                break
        else:
            name = rng.shuffled(range(n))
            values = {cell: name[v] for cell, v in shown.items()}
    rules = tuple(replace(rule, args=(tuple(sorted(moved(cell) for cell in rule.args[0])),)) for rule in puzzle.spec.rules)
    clues = [replace(clue, args=(moved(clue.args[0]), values[clue.args[0]])) for clue in puzzle.clues]
    return replace(puzzle, spec=replace(puzzle.spec, rules=rules)).with_clues(clues)


def _maximal(puzzle: AnyPuzzle, values: Slots) -> bool:
    """Whether no further cell of a hitori without numbers can be erased; if one can, no numbers leave this answer alone."""
    family = families()[puzzle.family]
    more = [(*values[:i], 1, *values[i + 1 :]) for i, v in enumerate(values) if v == 0]
    return all(family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, other)) for other in more)


def _told(puzzle: AnyPuzzle, values: Slots) -> bool:
    """Whether the hints on all sides of a skyscraper single an answer out; under diagonal_hints, whether only corners do."""
    n = puzzle.spec.params.size
    if puzzle.spec.params.shown:
        return True
    sides, corners = _views(n, puzzle.spec.params.hint == "sum")
    own = _seen(values, n, puzzle.spec.params.hint == "sum")
    return corners[own] == 1 and sides[own[: 4 * n]] > 1 if puzzle.spec.rules else sides[own[: 4 * n]] == 1


@lru_cache(maxsize=4)
def _views(n: int, summed: bool) -> tuple[Counter[Slots], Counter[Slots]]:
    """How many Latin squares have these hints: on all sides, and with those of corners."""
    squares = [tuple(v for row in rows for v in row) for rows in product(permutations(range(n)), repeat=n) if _latin(rows)]
    seen = [_seen(values, n, summed) for values in squares]
    return Counter(own[: 4 * n] for own in seen), Counter(seen)


def _latin(rows: Sequence[Slots]) -> bool:
    return all(len(set(column)) == len(column) for column in zip(*rows, strict=True))


def _seen(values: Slots, n: int, summed: bool) -> Slots:
    """What is seen from above, below, left, right and the corners."""
    rows = [values[n * r : n * r + n] for r in range(n)]
    columns = [values[c::n] for c in range(n)]
    falling, rising = values[:: n + 1], values[n - 1 : n * n - 1 : n - 1]
    lines = [*columns, *[line[::-1] for line in columns], *rows, *[line[::-1] for line in rows]]
    lines += [falling, rising, rising[::-1], falling[::-1]]
    return tuple(
        sum(v + 1 if summed else 1 for i, v in enumerate(line) if all(other < v for other in line[:i])) for line in lines
    )


# Of families in which clues cannot single out every answer that the rules allow: those that they can. All others can.
POSSIBLE: dict[str, Callable[[AnyPuzzle, Slots], bool]] = {"hitori": _maximal, "skyscraper": _told}


def _skyscraper(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Turn the square over its middle lines and over its diagonal; a hint goes where its line goes."""
    n = puzzle.spec.params.size
    row, column, over = _turn(n, n, rng)
    upside, aside = row[0] > 0, column[0] > 0
    cell = _carried(row, column, over)
    clues = []
    for clue in puzzle.clues:
        place, value = clue.ints()
        if clue.kind == "given":
            place = cell(place)
        elif place >= 4 * n:
            low, right = (place - 4 * n) // 2 ^ upside, (place - 4 * n) % 2 ^ aside
            place = 4 * n + (2 * right + low if over else 2 * low + right)
        else:
            across, far, at = place // (2 * n), place // n % 2, place % n
            far ^= aside if across else upside
            at = n - 1 - at if (upside if across else aside) else at
            place = (2 * (across ^ over) + far) * n + at
        clues.append(Clue("", clue.kind, (place, value)))
    return puzzle.with_clues(clues)


def _minesweeper(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Turn and mirror the board, over the diagonal too if it is square."""
    moved = _carried(*_turn(puzzle.spec.params.rows, puzzle.spec.params.cols, rng))
    return puzzle.with_clues([Clue("", clue.kind, (moved(clue.ints()[0]), clue.ints()[1])) for clue in puzzle.clues])


def _kakurasu(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Make rows of square grids columns; choose what was not chosen: a hint becomes what is left of the line's open cells."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    over, other = rows == cols and rng.chance(1, 2), rng.chance(1, 2)
    closed = [divmod(cell, cols) for rule in puzzle.spec.rules for cell in rule.args[0]]
    clues = []
    for clue in puzzle.clues:
        line, total = clue.ints()
        if other and clue.kind == "row":
            total = cols * (cols + 1) // 2 - sum(c + 1 for r, c in closed if r == line) - total
        elif other:
            total = rows * (rows + 1) // 2 - sum(r + 1 for r, c in closed if c == line) - total
        kind = clue.kind if not over else "row" if clue.kind == "column" else "column"
        clues.append(Clue("", kind, (line, total)))
    if not over:
        return puzzle.with_clues(clues)
    rules = tuple(Rule(rule.name, (tuple(sorted(c * rows + r for r, c in closed)),)) for rule in puzzle.spec.rules)
    return replace(puzzle, spec=replace(puzzle.spec, rules=rules)).with_clues(clues)


@lru_cache(maxsize=8)
def _sums_of_grids(rows: int, cols: int, closed: tuple[int, ...]) -> tuple[Any, Any]:
    """The sums of rows and columns that grids of kakurasu have, in order, six bits each, and how many grids have them."""
    free = [i for i in range(rows * cols) if i not in closed]
    grids = np.arange(1 << len(free), dtype=np.int64)
    sums = np.zeros_like(grids)
    for k, i in enumerate(free):
        r, c = divmod(i, cols)
        sums += (grids >> k & 1) * (((c + 1) << 6 * r) + ((r + 1) << 6 * (rows + c)))
    return np.unique(sums, return_counts=True)


def _only_grid(puzzle: AnyPuzzle, values: Slots) -> bool:
    """Whether no other grid of kakurasu has the same sums, and one would if no cell were blocked: others are never posed."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    closed = tuple(cell for rule in puzzle.spec.rules for cell in rule.args[0])
    across = [sum((c + 1) * values[r * cols + c] for c in range(cols)) for r in range(rows)]
    down = [sum((r + 1) * values[r * cols + c] for r in range(rows)) for c in range(cols)]
    mine = sum(total << 6 * place for place, total in enumerate([*across, *down]))

    def grids(blocked: tuple[int, ...]) -> int:
        sums, times = _sums_of_grids(rows, cols, blocked)
        return int(times[np.searchsorted(sums, mine)])

    return grids(closed) == 1 and (not closed or grids(()) > 1)


POSSIBLE["kakurasu"] = _only_grid


_GENDERED = """father/mother son/daughter husband/wife brother/sister grandfather/grandmother grandson/granddaughter uncle/aunt
nephew/niece great_grandfather/great_grandmother great_grandson/great_granddaughter father_in_law/mother_in_law
son_in_law/daughter_in_law brother_in_law/sister_in_law only_son/only_daughter only_brother/only_sister man/woman
sons/daughters brothers/sisters men/women"""
_OTHER_GENDER = {one: other for pair in _GENDERED.split() for one, other in (pair.split("/"), reversed(pair.split("/")))}


def _blood_relations(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename people, make all men women and all women men, and turn round what goes both ways."""
    name, swap = rng.shuffled(range(puzzle.spec.params.people)), rng.chance(1, 2)

    def carried(clue: Clue) -> Clue:
        args = [_OTHER_GENDER.get(arg, arg) if swap and isinstance(arg, str) else arg for arg in clue.args]
        many = 2 if clue.kind == "kin" else 0 if clue.kind in ("men", "women", "couples") else 1
        who = [name[arg] for arg in args[:many]]
        if args[many:] in (["spouse"], ["sibling"], ["cousin"], ["sibling_in_law"]) and rng.chance(1, 2):
            who.reverse()
        return Clue("", _OTHER_GENDER.get(clue.kind, clue.kind) if swap else clue.kind, (*who, *args[many:]))

    return puzzle.with_clues([carried(clue) for clue in puzzle.clues])


# What each family's rules leave unchanged, written apart from its symmetry(). A family without an entry is tested with reordered
# and renamed clues only; an entry here makes the test of its canonical key complete.
def _seating(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Rename all but the first person; look into a mirror, so that left becomes right and seats are counted the other way round;
    turn everybody round, so that left becomes right again; look at two rows from the other side.
    """
    params, board = puzzle.spec.params, puzzle.board
    n, ring = params.persons, params.shape in ("circle", "square")
    persons = [0, *rng.shuffled(range(1, n))] if ring else rng.shuffled(range(n))
    names = [persons, rng.shuffled(range(n))]
    line = n // 2 if params.shape == "rows" else n
    mirrored, turned = rng.chance(1, 2), params.facing in ("mixed", "found") and rng.chance(1, 2)
    across = params.shape == "rows" and rng.chance(1, 2)
    swapped = {"left": "right", "right": "left", "left_of": "right_of", "right_of": "left_of"}
    sides = swapped if mirrored is not turned else {}

    def seat(p: int) -> int:
        if mirrored:
            p = -p % n if ring else p - p % line + line - 1 - p % line
        return n - 1 - p if across else p

    def carried(clue: Clue) -> Clue:
        if clue.kind in ("if", "either"):
            parts = [carried(Clue("", str(part[0]), part[1:])) for part in clue.args if isinstance(part, tuple)]
            return Clue(clue.id, clue.kind, tuple([(part.kind, *part.args) for part in parts]))
        args, kind = list(clue.ints()), KINDS[clue.kind]
        last = [args.pop()] if kind.number else []
        pairs = [(args[k], names[args[k]][args[k + 1]]) for k in range(0, len(args), 2)]
        number = last[0] if last else 0
        if kind.number == SEAT:
            number = seat(number)
        elif (kind.number == WAY and turned) or (kind.number == ROW and across):
            number = 1 - number
        return stated(sides.get(clue.kind, clue.kind), pairs, number).clue(clue.id)

    ways = tuple([board.ways[seat(p)] ^ turned ^ across for p in range(n)]) if board.ways else ()
    corner = -board.corner % (n // 4) if params.shape == "square" else 0
    moved = replace(puzzle, board=replace(board, ways=ways, corner=corner))
    return moved.with_clues([carried(clue) for clue in puzzle.clues])


def _entries(rows: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The cells of the words of a crossword: those across first, each kind in the order of their first cells."""
    found = []
    for down in (False, True):
        lines = zip(*rows, strict=True) if down else rows
        runs = [(at, m.start(), m.end()) for at, line in enumerate(lines) for m in re.finditer(r"\.{3,}", "".join(line))]
        cells = [[(i, at) if down else (at, i) for i in range(start, end)] for at, start, end in runs]
        found += sorted(cells)
    return found


def _crossword(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Exchange across and down, unless marked cells are read row by row."""
    if puzzle.spec.rules or not rng.chance(1, 2):
        return puzzle
    rows = puzzle.board.pattern
    pattern = tuple(["".join(column) for column in zip(*rows, strict=True)])
    old, new = ([(r, c) for r, row in enumerate(grid) for c, sign in enumerate(row) if sign == "."] for grid in (rows, pattern))
    before, after = _entries(rows), _entries(pattern)
    clues = []
    for clue in puzzle.clues:
        if clue.kind == "letter":
            r, c = old[int(str(clue.args[0]))]
            clues.append(Clue(clue.id, clue.kind, (new.index((c, r)), clue.args[1])))
        else:
            cells = [(c, r) for r, c in before[int(str(clue.args[-1]))]]
            clues.append(Clue(clue.id, clue.kind, (*clue.args[:-1], after.index(cells))))
    return replace(puzzle, board=replace(puzzle.board, pattern=pattern)).with_clues(clues)


def _cryptogram(puzzle: AnyPuzzle, rng: Rng) -> AnyPuzzle:
    """Other letters of the cipher, unless a rule speaks of the alphabet: a letter is known by where it first occurs."""
    if puzzle.spec.rules:
        return puzzle
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    others = str.maketrans(alphabet, "".join(rng.shuffled(alphabet)))
    return replace(puzzle, board=replace(puzzle.board, text=puzzle.board.text.translate(others)))


SYMMETRIES: dict[str, Callable[[AnyPuzzle, Rng], AnyPuzzle]] = {
    "crossword": _crossword,
    "blood_relations": _blood_relations,
    "kakurasu": _kakurasu,
    "binario": _binario,
    "coin": _coin,
    "cryptogram": _cryptogram,
    "hanoi": _hanoi,
    "minesweeper": _minesweeper,
    "navigation": _navigation,
    "skyscraper": _skyscraper,
    "hitori": _hitori,
    "sudoku": _sudoku,
    "ordering": _ordering,
    "zebra": _zebra,
    "seating": _seating,
}
