"""Logic grids: which items belong together, as in puzzle magazines.

There are some categories of as many items each. Every entity (an item of the first category) has one item of every other one:
  once      every item belongs to exactly one entity;
  twice     an optional rule in place of "once" for the second category: one of its items belongs to two entities, one to none;
  clues     every clue is true of the items that it names: a statement as puzzlemill/rules/grids.py lists them.
The last categories are scales: their items are numbers in a unit, and clues compare them.
Source: known to magazines since the 1960s. Seen in GridPuzzle (2407.14790) and LR2Bench (2502.17848). broken_rules returns
"once", "twice" or the ids of clues, and "malformed" for what is no table.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed; `spare` more than these stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from math import factorial, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import GridTable
from puzzlemill.generators._logic_grid import WORKED, WORLDS
from puzzlemill.rules import (
    grids,
    grids_checks,
    grids_draw,
    grids_false,
    grids_model,
    grids_picture,
    grids_prompt,
    grids_text,
    grids_twice,
    grids_words,
)
from puzzlemill.rules.grids import Scales
from puzzlemill.rules.grids_forms import STORY, TABLE, formed

GridPuzzle = f.Puzzle["Params", Scales]
GridDraft = f.Draft["Params", Scales, f.Grid, f.Grid]  # grid[c - 1][e]: the item of category c of entity e

_ASKED = {"one_of_three": "one_of", "implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
CHOICES = ("either_or", "pair")  # kinds of clues that leave a choice
_FEWEST = 2  # clues of a kind that is asked for
_SPARE_TRIES = 64  # draws for one spare clue

# How many clues of a kind are drawn for every 8 places of the answer. Of two clues, the one that says more is more often needed
# in the end, so these are not the shares in finished puzzles. Every "is" of an entity is drawn too, so that there is one answer.
_SHARES = {
    "is": 4,
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
_LOOSE_SHARES = {  # where clues are to be looser
    "is_not": 9,
    "either_or": 6,
    "neither": 6,
    "different": 3,
    "before": 8,
    "at_least": 5,
    "between": 5,
}
_TWO_UNITS = 2  # comparisons on two scales at once
# Of 16 parts of composites so many are of a kind: those that read well inside a sentence.
_PART_SHARES = {"is": 7, "is_not": 1, "before": 4, "exactly": 2, "at_least": 2}


@f.params
class Params:
    """categories: with the first, of names, and the scales. clues: how many are needed, 0 for as they come; a list
    of numbers gives every band as many. spare: further ones that are not needed.

    looser: no clue says outright what belongs together or how far two numbers are apart, unless it is a composite.
    one_of_three, implication, exclusive_or: at least two clues of this sort.
    """

    categories: int = f.Param(4, least=2, most=6)
    items: int = f.Param(5, least=3, most=8)
    scales: int = f.Param(1, least=0, most=2)
    clues: int = f.Param(0, least=0, most=40)
    spare: int = f.Param(0, least=0, most=8)
    looser: bool = False
    one_of_three: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


# Minimal sets of clues up to symmetry, as draws show them: 21 are all that 10,000 draws gave, the others are estimated from
# 1,750 to 10,000 draws as scripts/count_spaces.py does it.
_MINIMAL = {
    Params(2, 3, 0): 21,
    Params(2, 3, 1): 3_818,
    Params(2, 4, 0): 1_003,
    Params(2, 4, 1): 14_200,
    Params(3, 3, 0): 10_118,
    Params(3, 3, 1): 44_025,
    Params(3, 3, 2): 91_581,
}


def _size(spec: f.Spec[Any], board: Scales) -> grids.Size:
    params = spec.params
    return grids.size_of(params.categories, params.items, board, grids_twice.shared_in(spec))


def _spec(size: grids.Size) -> f.Spec[Params]:
    rules = (f.Rule(grids_twice.NAME),) if size.shared else ()
    return f.Spec(Params(size.categories, size.items, len(size.scales)), rules)


class GridClues(grids_model.Statements):
    """The order in which clues are left out."""

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        """What an entity has goes first, or where clues are looser, what it has not; composites that are asked for go last."""
        params = draft.puzzle.spec.params
        outright = "is_not" if params.looser else "is"
        first, rest, last = [], [], []
        for i, said in enumerate(self.all(draft.puzzle)):
            if said.kind in params.asked():
                last.append(i)
            elif said.kind == outright and said.items[0][0] == 0:
                first.append(i)
            else:
                rest.append(i)
        return rng.shuffled(first) + rng.shuffled(rest) + rng.shuffled(last)

    def listed(self, spec: f.Spec[Any]) -> bool:
        return not spec.rule(grids_false.NAME)

    def can_clash(self, spec: f.Spec[Any]) -> bool:
        return not spec.rule(grids_false.NAME)  # which would show no more than that all clues together are wrong

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether as many clues are needed as are wanted, and enough composites of every sort that is asked for.

        Where a number is wanted, a clue leaves a choice as well: its words would tell a medium puzzle from an easy one.
        """
        params = draft.puzzle.spec.params
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        wanted = not params.clues or (params.clues == kinds.total() and any(kinds[kind] for kind in CHOICES))
        return wanted and all(kinds[kind] >= _FEWEST for kind in params.asked())

    def finish(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng, oracle: f.Oracle) -> f.Draft[Any, Any, Any, Any]:
        """Put spare clues anywhere among the others."""
        puzzle, clues = draft.puzzle, list(draft.puzzle.clues)
        if puzzle.spec.rule(grids_false.NAME):
            return grids_false.shrunk(draft, _size(puzzle.spec, puzzle.board), rng, oracle)
        seen = grids_draw.Hidden(_size(puzzle.spec, puzzle.board), draft.hidden)
        kinds = [kind for kind, share in _shares(puzzle.spec).items() for _ in range(share)]
        present = self.all(puzzle)
        most = max([int(clue.id[1:]) for clue in clues], default=0)
        for number in range(most + 1, most + 1 + puzzle.spec.params.spare):
            for _ in range(_SPARE_TRIES):
                said = grids_draw.true_statement(seen, rng.pick(kinds), rng)
                if said is not None and said not in present:
                    present.append(said)
                    clues.insert(rng.below(len(clues) + 1), said.clue(f"k{number}"))
                    break
        return draft if len(clues) == len(puzzle.clues) else replace(draft, puzzle=puzzle.with_clues(clues))


def _shares(spec: f.Spec[Params]) -> grids_draw.Shares:
    return _LOOSE_SHARES if spec.params.looser else _SHARES


# ---- transforms ---------------------------------------------------------------------------------------------------------


_How = Callable[[GridPuzzle, f.Rng], f.Style]
_UNTRUE = (grids_false.NAME,)  # rules that do not go with further sentences, or with a place that tells what clues say


def _true_form(name: str, how: _How, about: str) -> f.Restyle:
    return f.Restyle(name, f.Kind.UE1, against=_UNTRUE, how=how, about=about)


def _rename(puzzle: GridPuzzle, rng: f.Rng) -> f.Style:
    return _wording(puzzle).renamed(rng)


def _letters(puzzle: GridPuzzle, rng: f.Rng) -> f.Style:
    return _wording(puzzle).coded(rng)


def _remarked(puzzle: GridPuzzle, places: Sequence[int], rng: f.Rng) -> f.Style:
    return _wording(puzzle).with_asides(places, rng)


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class LogicGrid(f.Family[Params, Scales, f.Grid, f.Grid]):
    """Slot (c - 1) * items + e holds the item of category c that entity e has."""

    name, version, title = "logic_grid", 1, "Logic grid puzzle"
    source = "logic problems of puzzle magazines"
    params, board, answer = Params, Scales, f.Grid
    form = grids_text.EntityTable(_size)
    clues = GridClues(_size)
    text = grids_text.GridText(_size, _spec)
    rules = f.declared(f.OptionalRule(grids_false.NAME, replaces="clues"), f.OptionalRule(grids_twice.NAME, replaces="once"))
    transforms = (
        f.entangled("looser_clues", "looser", "inequalities and denials in place of what belongs together"),
        f.entangled("one_of_three", "one_of_three", "clues of which exactly one of three statements is true"),
        f.entangled("implication", "implication", "clues of the form if ... then"),
        f.entangled("exclusive_or", "exclusive_or", "clues of the form either ... or"),
        f.surface("rename", _rename, "other names"),
        f.surface("paraphrase", grids_words.paraphrased, "other words for the same clues"),
        f.RedHerring(_remarked, against=_UNTRUE),
        f.Restyle("letters", f.Kind.UE1, how=_letters, about="letters and codes in place of names"),
        _true_form("story", formed(STORY), "the clues told as an account, in paragraphs"),
        _true_form("table", formed(TABLE), "a table to complete, which shows what is known of single entities"),
        f.AddRule(grids_false.NAME, about="exactly one clue is false, and it is not said which"),
        f.AddRule(grids_twice.NAME, about="one item of a category occurs twice and one not at all"),
    )
    small = f.SmallClasses(lambda spec: None if spec.rules else _MINIMAL.get(spec.params))
    smallest = (
        f.Spec(Params(2, 3)),
        f.Spec(Params(3, 3)),
        f.Spec(Params(3, 4, 2)),
        f.Spec(Params(4, 3, looser=True)),
        f.Spec(Params(3, 3, one_of_three=True)),
        f.Spec(Params(3, 3, implication=True)),
        f.Spec(Params(3, 3, exclusive_or=True)),
        f.Spec(Params(3, 3), (f.Rule(grids_false.NAME),)),
        f.Spec(Params(3, 3), (f.Rule(grids_twice.NAME),)),
    )

    worked = WORKED

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        grids_false.check(spec)
        grids_twice.check(spec)
        params = spec.params
        if params.scales >= params.categories:
            raise f.BadParams(
                f"logic_grid.scales must be below categories ({params.categories}), since the first one has names; "
                "set family.params.scales"
            )
        if params.clues and (params.looser or params.asked()):
            raise f.BadParams(
                "logic_grid.clues does not go with looser, one_of_three, implication and exclusive_or, which have other numbers "
                "of clues; leave family.params.clues out"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        answer = tuple([tuple(rng.shuffled(range(spec.params.items))) for _ in range(spec.params.categories - 1)])
        return grids_twice.repeated(answer, rng.child("twice")) if grids_twice.shared_in(spec) else answer

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> GridDraft:
        params = spec.params
        style, board = grids_words.draw_style(params.categories, params.items, params.scales, rng.child("style"))
        size = _size(spec, board)
        seen = grids_draw.Hidden(size, hidden)
        drawn = grids_draw.true_statements(seen, grids_draw.kinds_by(_shares(spec), size), rng.child("clues"))
        if spec.rule(grids_false.NAME):
            clues = [grids_false.listing(seen, drawn[::2], rng.child("order"))]
            return f.Draft(replace(self.puzzle(spec, clues, board), style=style), hidden, hidden)
        if params.looser:
            true = [*grids_draw.absences(seen), *drawn]
        else:
            both = rng.child("both")
            twice = [grids_draw.two_comparisons(seen, both) for _ in range(_TWO_UNITS)]
            true = [*grids_draw.links(seen), *drawn, *[said for said in twice if said is not None]]
        if params.asked():
            true += grids_draw.composites(seen, params.asked(), _PART_SHARES, _FEWEST + 2, rng.child("composites"))
        order = rng.child("order").shuffled(list(dict.fromkeys(true)))
        clues = [said.clue(f"k{i}") for i, said in enumerate(order, 1)]
        return f.Draft(replace(self.puzzle(spec, clues, board), style=style), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more item in each category."""
        params = spec.params
        return replace(spec, params=replace(params, items=params.items + 1, clues=0)) if params.items < 8 else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Scales) -> f.Constraints:
        return grids_model.bare(_size(spec, board))

    def rules_board(self, board: Scales) -> Scales:
        """Of the numbers on scales only clues speak."""
        return Scales()

    def table(self, puzzle: GridPuzzle) -> GridTable | None:
        """None where an item occurs twice: a GridTable has each item once."""
        size = _size(puzzle.spec, puzzle.board)
        return None if size.shared else grids_model.table(size, self.clues.all(puzzle))

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
        size = _size(puzzle.spec, puzzle.board)
        broken, spots = grids.misplaced(answer, size)
        said = zip(puzzle.clues, self.clues.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if not grids.may_hold(statement, spots, answer, size)]

    def search_space_log10(self, puzzle: GridPuzzle) -> float:
        """(N!)**(M - 1); where an item occurs twice so many times more as there are pairs of entities."""
        params = puzzle.spec.params
        if puzzle.spec.rule(grids_twice.NAME):
            return grids_twice.search_space_log10(params.categories, params.items)
        return (params.categories - 1) * log10(factorial(params.items))

    def paper_bound(self, puzzle: GridPuzzle) -> str:
        return grids.paper_bound(_size(puzzle.spec, puzzle.board))

    def symmetry(self, puzzle: GridPuzzle) -> f.ColouredGraph:
        return grids_model.symmetry(_size(puzzle.spec, puzzle.board), self.clues.all(puzzle))

    # ---- text

    def render(self, puzzle: GridPuzzle) -> str:
        voice = f.Voice(self.name, puzzle.style.phrasing, self.title)
        return grids_prompt.prompt(_wording(puzzle), voice)

    def describe(self, puzzle: GridPuzzle, label: str) -> str:
        clue, size = puzzle.clue(label), _size(puzzle.spec, puzzle.board)
        if label == grids_false.NAME and puzzle.spec.rule(label):
            return "Exactly one of the clues is false."
        if label == grids_twice.NAME and size.shared:
            return f"Of the items under {grids_words.titles(puzzle, size)[size.shared]}, one is used twice, one not at all."
        if clue is None and label != "once":
            raise f.BadRow(f"logic_grid: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, or once")
        if not puzzle.style.theme:
            said = "Every item belongs to exactly one entity."
            return said if clue is None else grids_words.spelled(puzzle, size, grids.read(clue, size))
        wording = grids_words.Wording(puzzle, size)
        if clue is not None:
            return wording.sentence(clue)
        said = f"Each {wording.world.who} has exactly one item from every list, and no two {wording.world.whos} share an item"
        return f"{said} but for the {wording.categories[size.shared].title}." if size.shared else f"{said}."

    def words(self, puzzle: GridPuzzle) -> f.Words:
        return _wording(puzzle).words()

    def checks(self, puzzle: GridPuzzle, answer: f.Grid) -> list[str]:
        return grids_checks.checks(puzzle, _size(puzzle.spec, puzzle.board), answer) if puzzle.style.theme else []

    def draw(self, puzzle: GridPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        """The cross table, with the answer's ticks, and the clues below it."""
        size = _size(puzzle.spec, puzzle.board)
        wording = _wording(puzzle)
        told = [(self.describe(puzzle, label), label in marked) for label, _ in wording.known()]
        told += [(f"{i}. {sentence}", label in marked) for i, (label, sentence) in enumerate(wording.sentences(), 1)]
        told += [(self.describe(puzzle, "once"), True)] * ("once" in marked)
        return grids_picture.cross_table(grids_words.titles(puzzle, size), puzzle.style.names, answer, told)

    def draw_known(self, puzzle: GridPuzzle, sets: Sequence[f.Fact], drops: Sequence[f.Fact], new: Sequence[f.Fact]) -> str:
        size = _size(puzzle.spec, puzzle.board)
        ticks, crosses, last = [grids_model.pairs_of(size, facts) for facts in (sets, drops, new)]
        return grids_picture.known_table(grids_words.titles(puzzle, size), puzzle.style.names, ticks, crosses, last)

    # ---- evidence

    def examples(self) -> tuple[f.Example[Params, Scales, f.Grid], ...]:
        """In the worlds whose names they have."""

        def dressed(puzzle: GridPuzzle, world: str) -> GridPuzzle:
            return replace(puzzle, style=f.Style(names=puzzle.style.names, theme=world))

        worlds = zip(super().examples(), WORLDS, strict=True)
        return tuple([replace(one, puzzle=dressed(one.puzzle, world)) for one, world in worlds])


def _wording(puzzle: GridPuzzle) -> grids_words.Wording:
    return grids_words.Wording(puzzle, _size(puzzle.spec, puzzle.board))


FAMILY = LogicGrid()
