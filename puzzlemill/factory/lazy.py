"""Lazy policies: what somebody may reply who does not solve the puzzle, and how often that is right.

A policy looks at one puzzle and gives its chance to be right, ties being broken evenly; the answer only judges what it chose.
The first of a family of routes in POLICIES is what `guess_baseline` takes for guessing where no constant reply is better
(factory/record.py); docs/design/surface.md has the rates that all of them reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import comb, factorial
from types import MappingProxyType
from typing import Any

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Graph, Move, State
from puzzlemill.core.types import AnyPuzzle, Clue, QuestionKind

_LAYERS = 400  # moves of a way without detours that are followed at most
_STEPS = 1_000  # moves of a greedy way
_SEATINGS, _SEATING_NODES = 1_000, 10_000  # that are looked at, and with how much work


@dataclass(frozen=True, slots=True)
class Truth:
    """What is right: the answer, None without one, and the least cost where that is asked for."""

    answer: Any
    optimum: int | None = None


Policy = Callable[[AnyFamily, AnyPuzzle, Truth], float]


# ---- routes -----------------------------------------------------------------------------------------------------------


def _graph(family: AnyFamily, puzzle: AnyPuzzle) -> Graph:
    model = family.model(puzzle.spec, puzzle.board)
    if not isinstance(model, Graph):
        raise TypeError(f"{family.name} asks for no route")
    return model


def fewest_moves(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """A way of the fewest moves, and of those the cheapest."""
    graph = _graph(family, puzzle)
    cost = graph.cost or (lambda _: 1)
    layer: dict[State, int] = {graph.start: 0}  # what the cheapest of these ways costs
    met = {graph.start}
    for _ in range(_LAYERS):
        after: dict[State, int] = {}
        for state, total in layer.items():
            for move, there in graph.moves(state):
                if there not in met:
                    after[there] = min(after.get(there, total + cost(move)), total + cost(move))
        if graph.goal in after:
            return float(after[graph.goal] == truth.optimum)
        met.update(after)
        layer = after
        if not layer:
            break
    return 0.0


def nearest_first(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """From each place the cheapest move to one not seen yet, the first of equals, until the goal or no such move is left."""
    graph = _graph(family, puzzle)
    cost = graph.cost or (lambda _: 1)
    here, seen, total = graph.start, {graph.start}, 0
    for _ in range(_STEPS):
        moves = [(cost(move), number, there) for number, (move, there) in enumerate(graph.moves(here)) if there not in seen]
        if not moves or here == graph.goal:
            break
        price, _, here = min(moves, key=lambda each: each[:2])
        seen.add(here)
        total += price
    return float(here == graph.goal and total == truth.optimum)


def straight(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Always the first move that puts a disk where the goal has it, until none is left."""
    graph = _graph(family, puzzle)
    here, total = graph.start, 0
    while here != graph.goal:
        homeward = (there for move, there in graph.moves(here) if _home(move, graph.goal))
        found = next(islice(homeward, 1), None)
        if found is None:
            return 0.0
        here, total = found, total + 1
    return float(total == truth.optimum)


def _home(move: Move, goal: State) -> bool:
    disk, _, target = move
    return bool(goal[disk] == target)


# ---- truths -----------------------------------------------------------------------------------------------------------


def least_named(_: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """The truths that the fewest outcomes of the book rule out, as many as hold; of equals some, drawn evenly."""
    named = Counter(dict.fromkeys(range(len(puzzle.board.truths)), 0))
    for action in puzzle.board.actions:
        for excluded in action.excludes:
            named.update(excluded)
    wanted = puzzle.spec.params.valid
    edge = sorted(named.values())[wanted - 1]
    sure = [number for number, times in named.items() if times < edge]
    tied = [number for number, times in named.items() if times == edge]
    if truth.answer is None or any(number not in truth.answer for number in sure):
        return 0.0
    rest = [number for number in truth.answer if number not in sure]
    return 1 / comb(len(tied), wanted - len(sure)) if all(number in tied for number in rest) else 0.0


# ---- anything with slots ----------------------------------------------------------------------------------------------


def constant(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """One value in every slot that is open: the best of these replies."""
    if truth.answer is None or len(family.form.slots(puzzle.spec, puzzle.board)) < 2:
        return 0.0
    given = set(family.clues.given_slots(puzzle))
    values = family.form.values(puzzle.spec, puzzle.board, truth.answer)
    return float(len({value for slot, value in enumerate(values) if slot not in given}) == 1)


# ---- number series ----------------------------------------------------------------------------------------------------


def differences_then_ratios(_: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """The commonest difference of neighbours carried on, or else the commonest ratio, or else the last difference.

    Of a series with a wrong term, the term after which the differences first change, and what the difference before it gives.
    """
    terms = list(puzzle.board.terms)
    steps = Counter([b - a for a, b in pairwise(terms) if -1 not in (a, b)])
    step, times = steps.most_common(1)[0]
    if -1 not in terms:
        at = next((i for i in range(1, len(terms)) if terms[i] - terms[i - 1] != step), len(terms) - 1)
        return float(truth.answer == (at, terms[at - 1] + step))
    at = terms.index(-1)
    ratios = Counter([b // a for a, b in pairwise(terms) if a > 0 and b > 0 and b % a == 0])
    if times < 2 and ratios and ratios.most_common(1)[0][1] > 1:
        return float(truth.answer == (terms[at - 1] * ratios.most_common(1)[0][0],))
    last = terms[at - 1] - terms[at - 2] if at > 1 else step
    return float(truth.answer == (terms[at - 1] + (step if times > 1 else last),))


# ---- orderings --------------------------------------------------------------------------------------------------------


def as_named(_: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Everybody in the order in which the clues first name them, those whom no clue names last, in any order."""
    if puzzle.spec.params.ties or puzzle.question.kind is not QuestionKind.WHOLE or truth.answer is None:
        return 0.0
    said = [part for clue in puzzle.clues_in_order() for part in _plain(clue)]
    named = list(dict.fromkeys([value for args in said for value in args]))
    return float(list(truth.answer[: len(named)]) == named) / factorial(len(truth.answer) - len(named))


def _plain(clue: Clue) -> Iterator[tuple[int, ...]]:
    """The persons whom a statement names, or each part of it."""
    parts = [Clue(clue.id, str(arg[0]), arg[1:]) for arg in clue.args if isinstance(arg, tuple)]
    for each in parts or [clue]:
        yield each.ints()[1::2]


# ---- coding -------------------------------------------------------------------------------------------------------------


def place_by_place(_: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Each letter is moved as far as the first sample's letter in the same place; of sentences, the commonest of the words that
    stand with what is asked for.
    """
    p, asked = puzzle.spec.params, puzzle.board.asked
    if p.task == "sentences":
        mine, others = int(p.decode), int(not p.decode)
        said: list[Any] = [clue.args for clue in puzzle.clues]
        met = Counter([item for sides in said if asked[0] in sides[mine] for item in sides[others]])
        best = [item for item, times in met.items() if times == max(met.values())]
        return (truth.answer[0] in best) / len(best)
    if p.task != "letters":
        return 0.0
    word, code = ([ord(letter) for letter in str(text)] for text in puzzle.clues[0].args)
    moved = [(b - a) * (-1 if p.decode else 1) for a, b in zip(word, code, strict=True)]
    return float(truth.answer == tuple([(a + by) % 26 for a, by in zip(asked, moved, strict=False)]))


# ---- drop quotes --------------------------------------------------------------------------------------------------------


def as_listed(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """The letters of each column from the top down as they are listed, where none is filled in."""
    shown = {clue.ints()[0]: clue.ints()[1] for clue in puzzle.clues if clue.kind == "given"}
    listed = {clue.args[0]: list(str(clue.args[1])) for clue in puzzle.clues if clue.kind == "column"}
    cells = puzzle.board.cells()
    for cell, letter in shown.items():
        text = listed.get(cells[cell][1], [])
        if chr(65 + letter) in text:
            text.remove(chr(65 + letter))
    values = []
    for cell, (_, column) in enumerate(cells):
        values.append(shown[cell] if cell in shown else ord(listed[column].pop(0)) - 65 if listed.get(column) else 0)
    return float(truth.answer is not None and tuple(values) == family.form.values(puzzle.spec, puzzle.board, truth.answer))


# ---- cryptograms --------------------------------------------------------------------------------------------------------

_BY_FREQUENCY = "etaoinshrdlcumwfgypbvkjxqz"


def frequency_reply(puzzle: AnyPuzzle) -> str:
    """The letters of a cipher by how often they occur, as those of English by how often they do; revealed ones as they are."""
    letters, text = puzzle.board.letters, puzzle.board.text
    known = {slot: chr(65 + value) for slot, value in (clue.ints() for clue in puzzle.clues)}
    rest = [plain for plain in _BY_FREQUENCY.upper() if plain not in known.values()]
    order = sorted([slot for slot in range(len(letters)) if slot not in known], key=lambda slot: -text.count(letters[slot]))
    return "".join([(known | dict(zip(order, rest, strict=False)))[slot] for slot in range(len(letters))])


def by_frequency(_: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """frequency_reply(), equally frequent letters in the order in which they first occur."""
    return float(truth.answer == frequency_reply(puzzle))


# ---- seatings ---------------------------------------------------------------------------------------------------------


def all_one_way(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Left and right as if everybody faced north or the centre, where somebody does not and that is known."""
    ways = puzzle.board.ways
    if truth.answer is None or puzzle.question.kind is not QuestionKind.WHOLE or not any(ways):
        return 0.0
    from puzzlemill.solvers import kernels  # which no other policy needs

    table = family.table(replace(puzzle, board=replace(puzzle.board, ways=(0,) * len(ways))))
    found = () if table is None else kernels.answers(table, _SEATINGS, _SEATING_NODES).answers
    right = family.form.values(puzzle.spec, puzzle.board, truth.answer)
    return found.count(right) / len(found) if found else 0.0


# ---- crosswords -------------------------------------------------------------------------------------------------------------


def first_carriers(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Of the words that fit a clue the first in the alphabet, whatever crosses it."""
    if truth.answer is None:
        return 0.0
    first = {clue.id: clue.args[-2][0] for clue in puzzle.clues if isinstance(clue.args[-2], tuple)}
    rows = family.form.write(puzzle, truth.answer)
    return float(all(first.get(label) == word for label, word in rows))


def carriers_in_order(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """Each clue's first carrier in its cells, A where there is no clue."""
    if truth.answer is None:
        return 0.0
    text = ["A"] * len(truth.answer)
    for clue in puzzle.clues:
        if clue.kind == "word":
            cells, carriers = puzzle.board.entries[int(str(clue.args[3]))], clue.args[2]
            for cell, sign in zip(cells, str(carriers[0] if isinstance(carriers, tuple) else ""), strict=False):
                text[cell] = sign
    return float(tuple(text) == family.form.write(puzzle, truth.answer)[0])


POLICIES: Mapping[str, Mapping[str, Policy]] = MappingProxyType(
    {
        "navigation": {"fewest paths": fewest_moves, "nearest first": nearest_first},
        "hanoi": {"straight home": straight},
        "kumo": {"least named": least_named},
        "seating": {"all one way": all_one_way},
        "number_series": {"differences, then ratios": differences_then_ratios},
        "ordering": {"as named": as_named},
        "coding": {"place by place": place_by_place},
        "drop_quote": {"letters as listed": as_listed},
        "acrostic": {"first carriers": carriers_in_order},
        "crossword": {"first carriers": first_carriers},
        "cryptogram": {"letters by frequency": by_frequency},
    }
)


def guess(family: AnyFamily, puzzle: AnyPuzzle, truth: Truth) -> float:
    """The chance that the first policy for routes of this family is right; 0 where there is none."""
    if puzzle.question.kind is not QuestionKind.LEAST or truth.answer is None or family.name not in POLICIES:
        return 0.0
    return next(iter(POLICIES[family.name].values()))(family, puzzle, truth)
