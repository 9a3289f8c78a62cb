"""Zebra puzzles: who lives where, and what belongs to whom.

Places stand in a row (or follow each other in time, or lie above each other). Every place has one value of each attribute:
  once      every value of an attribute stands at exactly one place;
  clues     every clue is true of the items that it names: a statement about places, as puzzlemill/rules/positions.py lists them.
Source: "Who owns the zebra?", Life International, 17 December 1962. Seen in HardcoreLogic (2510.12563), which takes its puzzles
from ZebraLogic (2502.01100). broken_rules returns "once" or the ids of clues, and "malformed" for what is no table.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed; of those that stay 12 to 18 %
are negative and 6 % an "at" (measured in tests/unit/test_zebra.py). Parameters ask for composites of a sort (some are drawn, and
left out last, so that at least two stay or the draft is not used) and for looser clues: then no statement fixes a place or a
distance. "far" is drawn for these only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import factorial, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import PositionTable
from puzzlemill.core.pictures import FOUND, GIVEN, INK
from puzzlemill.rules import positions, positions_draw, positions_prompt, positions_words

ZebraPuzzle = f.Puzzle["Params", f.NoBoard]
ZebraDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]  # grid[a][p]: the value of attribute a at place p

_ASKED = {"one_of_three": "one_of", "implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
_FEWEST = 2  # clues of a kind that is asked for

# How many clues of a kind are drawn for every 8 items of the puzzle. Of two clues, the one that says more is more often needed
# in the end, so these are not the shares in finished puzzles. Every "at" is drawn too, so that there is one answer for certain.
_SHARES = {
    "same": 4,
    "next": 5,
    "just_left": 4,
    "left": 6,
    "apart": 4,
    "between": 3,
    "end": 2,
    "not_same": 8,
    "not_at": 8,
}
_AT_LATE = 4  # one "at" in so many may be left over like any other clue
_LOOSE_SHARES = {"left": 8, "far": 5, "between": 6, "end": 2, "not_same": 9, "not_at": 8}  # where clues are to be looser
# Of 20 parts of composites so many are of a kind: those that read well inside a sentence, and no denials.
_PART_SHARES = {"same": 5, "next": 3, "left": 3, "just_left": 3, "at": 3, "apart": 2, "between": 1}
_LOOSE_PART_SHARES = {"same": 4, "left": 8, "between": 4, "far": 4}


@f.params
class Params:
    """positions: places in the row. looser: no clue fixes a place or a distance, unless it is a composite.

    one_of_three, implication, exclusive_or: at least two clues of this sort; in small puzzles there is no room for two or three
    sorts. These and `looser` need 3 places.
    """

    positions: int = f.Param(4, least=2, most=8)
    attributes: int = f.Param(4, least=2, most=8)
    looser: bool = False
    one_of_three: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


# Minimal sets of clues up to symmetry: of two places, where nothing can be asked for, counted in tests/unit/test_zebra.py, of
# three estimated (docs/design/answer_spaces.tsv).
_MINIMAL = {
    Params(2, 2): 11,
    Params(2, 3): 72,
    Params(3, 2): 8_788,
    Params(3, 2, looser=True): 1_795,
    Params(3, 3, looser=True): 24_333,
}


def _size(spec: f.Spec[Any]) -> positions.Size:
    return positions.Size(spec.params.attributes, spec.params.positions)


class ZebraClues(positions.Statements):
    """The order in which clues are left out."""

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        """Most clues that give a place away go first, if they can; what is tried last mostly stays, so the rest is even.

        With two places the order is quite even, so that every minimal set of clues can come out (capacity counts them). Where
        clues are looser, the orders within each attribute go first; composites go last.
        """
        params = draft.puzzle.spec.params
        first, rest, last = [], [], []
        for i, said in enumerate(self.all(draft.puzzle)):
            if said.parts:
                last.append(i)
            elif said.kind == "left" and said.items[0][0] == said.items[1][0] if params.looser else said.kind == "at":
                first.append(i)
            else:
                rest.append(i)
        first = rng.shuffled(first)
        late = len(first) // _AT_LATE if params.positions > 2 else len(first)
        return first[late:] + rng.shuffled([*first[:late], *rest]) + rng.shuffled(last)

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether enough composites of every sort that is asked for are needed."""
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        return all(kinds[kind] >= _FEWEST for kind in draft.puzzle.spec.params.asked())


# ---- transforms ---------------------------------------------------------------------------------------------------------


def _rename(puzzle: ZebraPuzzle, rng: f.Rng) -> f.Style:
    return positions_words.Wording(puzzle, _size(puzzle.spec)).renamed(rng)


def _remarked(puzzle: ZebraPuzzle, places: Sequence[int], rng: f.Rng) -> f.Style:
    return positions_words.Wording(puzzle, _size(puzzle.spec)).with_asides(places, rng)


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Zebra(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    """Slot a * positions + p holds the value of attribute a at place p."""

    name, version, title = "zebra", 1, "Zebra puzzle"
    source = "Life International, 17 December 1962, Who owns the zebra?"
    params, answer = Params, f.Grid
    form = positions_words.PlaceTable(_size)
    clues = ZebraClues(_size)
    text = positions_words.PlaceText(_size, lambda size: f.Spec(Params(size.places, size.attributes)))
    transforms = (
        f.entangled("looser_clues", "looser", "inequalities in place of equalities"),  # no clue fixes a place or a distance
        f.entangled("one_of_three", "one_of_three", "clues of which exactly one of three statements is true"),
        f.entangled("implication", "implication", "clues of the form if ... then"),
        f.entangled("exclusive_or", "exclusive_or", "clues of the form either ... or"),
        f.surface("rename", _rename, "other names"),
        f.surface("paraphrase", positions_words.paraphrased, "other words for the same clues"),
        f.RedHerring(_remarked),
    )
    small = f.SmallClasses(lambda spec: _MINIMAL.get(spec.params))
    smallest = (
        f.Spec(Params(2, 3)),
        f.Spec(Params(3, 2)),
        f.Spec(Params(4, 2)),
        f.Spec(Params(3, 2, looser=True)),
        f.Spec(Params(3, 3, one_of_three=True)),
        f.Spec(Params(3, 3, implication=True)),
        f.Spec(Params(3, 3, exclusive_or=True)),
    )
    worked = (
        (  # tobacco brands became pastimes
            """zebra
house: blue, green, ivory, red, yellow
nation: England, Japan, Norway, Spain, Ukraine
drink: coffee, milk, orange juice, tea, water
pastime: archery, chess, juggling, origami, pottery
pet: dog, fox, horse, snail, zebra
same(England, red)
same(Spain, dog)
same(coffee, green)
same(Ukraine, tea)
just_left(ivory, green)
same(archery, snail)
same(chess, yellow)
at(milk, 3)
at(Norway, 1)
next(origami, fox)
next(chess, horse)
same(juggling, orange juice)
same(Japan, pottery)
next(Norway, blue)""",
            """1 | yellow | Norway | water | chess | fox
2 | blue | Ukraine | tea | origami | horse
3 | red | England | milk | archery | snail
4 | ivory | Spain | orange juice | juggling | dog
5 | green | Japan | coffee | pottery | zebra""",
            "Life International, 17 December 1962; answer of 25 March 1963: the Norwegian drinks water, the Japanese owns the "
            "zebra",
        ),
        (  # tobacco brands became pastimes, beer lemonade, white ivory, the fish a zebra; names of countries were changed to ours
            """zebra
house: blue, green, ivory, red, yellow
nation: Denmark, England, Germany, Norway, Sweden
drink: coffee, lemonade, milk, tea, water
pastime: archery, chess, juggling, origami, pottery
pet: cat, dog, horse, parrot, zebra
same(England, red)
same(Sweden, dog)
same(Denmark, tea)
just_left(green, ivory)
same(green, coffee)
same(archery, parrot)
same(yellow, chess)
at(milk, 3)
at(Norway, 1)
next(origami, cat)
next(horse, chess)
same(juggling, lemonade)
same(Germany, pottery)
next(Norway, blue)
next(origami, water)""",
            """1 | yellow | Norway | water | chess | cat
2 | blue | Denmark | tea | origami | horse
3 | red | England | milk | archery | parrot
4 | green | Germany | coffee | pottery | zebra
5 | ivory | Sweden | lemonade | juggling | dog""",
            "J. Stangroom, Einstein's Riddle (2009), title puzzle: the German keeps the fish, in the fourth house",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        params = spec.params
        names = [name for name in _ASKED if getattr(params, name)]
        if params.positions < 3 and (params.looser or names):
            name = "looser" if params.looser else names[0]
            raise f.BadParams(f"zebra.{name} needs 3 places or more, got 2; set family.params.positions or leave it out")
        items, fewest = params.positions * params.attributes, 4 * len(names)
        if items < fewest:
            raise f.BadParams(
                f"zebra: {', '.join(names)} together need {fewest} values or more (places x attributes), got {items}; "
                "set family.params.positions or attributes, or leave one out"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        return tuple([tuple(rng.shuffled(range(spec.params.positions))) for _ in range(spec.params.attributes)])

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> ZebraDraft:
        params = spec.params
        if params.looser:
            kinds = positions_draw.kinds_by(_LOOSE_SHARES, hidden)
            drawn = [positions_draw.any_statement(hidden, kind, True, None, rng) for kind in kinds]
            true = [*positions_draw.orders(hidden), *drawn]
        elif params.positions == 2:
            true = [*positions_draw.ats(hidden), *positions_draw.of_two_places(hidden)]
        else:
            kinds = positions_draw.kinds_by(_SHARES, hidden)
            true = [*positions_draw.ats(hidden), *positions_draw.true_statements(hidden, kinds, rng)]
        true = list(dict.fromkeys(true))
        if params.asked():
            shares = _LOOSE_PART_SHARES if params.looser else _PART_SHARES
            own = rng.child("composites")
            true += positions_draw.composites(hidden, params.asked(), shares, _FEWEST + 2, own)
        clues = [said.clue(f"k{i}") for i, said in enumerate(rng.shuffled(true), 1)]
        style = positions_words.draw_style(_size(spec), rng)
        return f.Draft(replace(self.puzzle(spec, clues), style=style), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more place; the attributes stay."""
        params = spec.params
        return replace(spec, params=replace(params, positions=params.positions + 1)) if params.positions < 8 else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        n = spec.params.positions
        m = f.Constraints()
        for _ in range(spec.params.attributes):
            cells = [m.slot(n) for _ in range(n)]  # cells[p][v]: value v of this attribute stands at place p
            for v in range(n):
                m.exactly_one([cell[v] for cell in cells], label="once")
        return m

    def table(self, puzzle: ZebraPuzzle) -> PositionTable:
        return positions.table(_size(puzzle.spec), self.clues.all(puzzle))

    def broken_rules(self, puzzle: ZebraPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
        if type(answer) is not tuple or len(answer) != m:
            return [f.MALFORMED]
        for row in answer:
            if type(row) is not tuple or len(row) != n:
                return [f.MALFORMED]
            for value in row:
                if type(value) is not int or not (0 <= value < n or (partial and value == f.BLANK)):
                    return [f.MALFORMED]
        # spots[a][v]: where the item may stand: its place, or any blank of its row; nowhere if it stands twice
        spots = []
        broken: list[str] = []
        for row in answer:
            blank = [p for p in range(n) if row[p] == f.BLANK]
            places = [[p for p in range(n) if row[p] == v] for v in range(n)]
            if any(len(found) > 1 for found in places) or sum(not found for found in places) > len(blank):
                broken = ["once"]
            spots.append([found if len(found) == 1 else [] if found else blank for found in places])
        said = zip(puzzle.clues, self.clues.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if not positions.may_hold(statement, spots, n)]

    def search_space_log10(self, puzzle: ZebraPuzzle) -> float:
        """(N!)**M. HardcoreLogic's tables give zebra no formula; this is that of ZebraLogic, its source of puzzles."""
        return puzzle.spec.params.attributes * log10(factorial(puzzle.spec.params.positions))

    def symmetry(self, puzzle: ZebraPuzzle) -> f.ColouredGraph:
        """Renaming attributes, renaming the values of each, and looking at the row from behind."""
        return positions.symmetry(_size(puzzle.spec), self.clues.all(puzzle))

    # ---- text

    def render(self, puzzle: ZebraPuzzle) -> str:
        voice = f.Voice(self.name, puzzle.style.phrasing, self.title)
        return positions_prompt.prompt(positions_words.Wording(puzzle, _size(puzzle.spec)), voice)

    def describe(self, puzzle: ZebraPuzzle, label: str) -> str:
        clue, size = puzzle.clue(label), _size(puzzle.spec)
        if clue is None and label != "once":
            raise f.BadRow(f"zebra: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, or once")
        if not puzzle.style.theme:
            said = "Every value stands at exactly one place."
            return said if clue is None else positions_words.spelled(puzzle, size, positions.read(clue, size))
        wording = positions_words.Wording(puzzle, size)
        if clue is not None:
            return wording.sentence(clue)
        who, whos = wording.theme.who, wording.theme.whos
        return f"Each {who} has exactly one value from every line, and no two {whos} share a value."

    def checks(self, puzzle: ZebraPuzzle, answer: f.Grid) -> list[str]:
        """Each clue by its number, with where all that it names stands."""
        if not puzzle.style.theme:
            return []
        words, n = positions_words.Wording(puzzle, _size(puzzle.spec)).words(), puzzle.spec.params.positions
        found = {}
        for i, said in enumerate(self.clues.all(puzzle)):
            items = dict.fromkeys([item for each in (said, *said.parts) for item in each.items])
            at = [(a * n + v, answer[a].index(v)) for a, v in items]
            found[words.number(i)] = f"Clue {words.number(i)} holds: {words.standing(at)}."
        return [found[number] for number in sorted(found)]

    def words(self, puzzle: ZebraPuzzle) -> f.Words:
        return positions_words.Wording(puzzle, _size(puzzle.spec)).words()

    def draw(self, puzzle: ZebraPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        """A table of places and attributes with what clues show outright and the answer, and the clues below it."""
        wording = positions_words.Wording(puzzle, _size(puzzle.spec))
        n, names = puzzle.spec.params.positions, puzzle.style.names
        picture = f.Board(len(names), n, above=1, left=1, wide=130)
        for p in range(n):
            picture.at(-1, p, f"{wording.theme.place} {p + 1}", GIVEN, 13)
        shown = {(said.items[0][0], said.number): said.items[0][1] for said in self.clues.all(puzzle) if said.kind == "at"}
        for a, attribute in enumerate(wording.attributes):
            picture.at(a, -1, attribute.title, GIVEN, 13)
            for p in range(n):
                value = shown.get((a, p), f.BLANK if answer is None else answer[a][p])
                if value != f.BLANK:
                    picture.at(a, p, names[a][value], GIVEN if (a, p) in shown else FOUND, 13)
        for i, (label, sentence) in enumerate(wording.sentences(), 1):
            picture.caption(f"{i}. {sentence}", label in marked, INK)
        if "once" in marked:
            picture.caption(self.describe(puzzle, "once"), marked=True)
        return picture.svg()

    # ---- evidence

    def examples(self) -> tuple[f.Example[Params, f.NoBoard, f.Grid], ...]:
        """In the theme whose names they have."""

        def dressed(puzzle: ZebraPuzzle) -> ZebraPuzzle:
            return replace(puzzle, style=f.Style(names=puzzle.style.names, theme="street"))

        return tuple([replace(one, puzzle=dressed(one.puzzle)) for one in super().examples()])


FAMILY = Zebra()
