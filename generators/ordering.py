"""Orderings: who is the tallest, who comes third, who lives above whom.

Some persons (or things) stand in an order, told by comparisons, by ranks from both ends and by distances:
  once      every place has exactly one of them;
  taken     (with ties, instead) every place has at least one of them;
  clues     every clue is true: a statement about places, as puzzlemill/rules/positions.py lists them.
Source: sequential reasoning of exams; tasks after RiddleBench (2510.24932). broken_rules returns "once" or "taken" or the ids of
clues, and "malformed" for what is no order.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed. `ties`: so many places fewer than
persons; arrangements are drawn evenly among all that take every place. Places are told from each other by the words of a world
(puzzlemill/vocabulary/orders.toml): heights, marks, a race, floors, days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from math import factorial, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import PositionTable
from puzzlemill.core.pictures import FOUND, GIVEN, INK
from puzzlemill.generators._ordering import (
    MOST,
    OrderForm,
    OrderText,
    draw_style,
    lettered,
    places_of,
    prompt,
    renamed,
    size_of,
)
from puzzlemill.generators._ordering_questions import OrderChoices
from puzzlemill.rules import positions, positions_draw, positions_words

OrderPuzzle = f.Puzzle["Params", f.NoBoard]
OrderDraft = f.Draft["Params", f.NoBoard, f.Slots, f.Slots]

_ASKED = {"one_of_three": "one_of", "implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
_FEWEST = 2  # clues of a kind that is asked for
_MOST_TIED = 7  # persons, where the plain checker's search is the second proof

# How many clues of a kind are drawn for every 8 persons. Of two clues, the one that says more is more often needed in the end, so
# these are not the shares in finished puzzles. Every "at" is drawn too, so that there is one answer for certain.
_SHARES = {
    "left": 10,
    "apart": 5,
    "ahead": 4,
    "next": 4,
    "just_left": 3,
    "between": 5,
    "not_at": 5,
    "end": 2,
    "not_end": 2,
    "up_to": 3,
    "from": 3,
    "far": 3,
}
_LOOSE_SHARES = {"left": 10, "far": 5, "between": 8, "not_at": 8, "not_end": 3, "up_to": 3, "from": 3, "end": 2}
_TIED_SHARES = {"same": 4, "not_same": 4}
_AT_LATE = 5  # one "at" in so many may be left over like any other clue
# Of 20 parts of composites so many are of a kind: those that read well inside a sentence, and no denials.
_PART_SHARES = {"left": 6, "next": 3, "just_left": 3, "ahead": 3, "at": 3, "between": 2}
_LOOSE_PART_SHARES = {"left": 10, "between": 4, "up_to": 2, "from": 2, "far": 2}


@f.params
class Params:
    """persons: how many are ordered. ties: so many places fewer than persons, so that some share one; 0 for none.

    looser: no clue fixes a place or a distance, unless it is a composite. one_of_three, implication, exclusive_or: at least two
    clues of this sort.
    """

    persons: int = f.Param(6, least=4, most=MOST)
    ties: int = f.Param(0, least=0, most=3)
    looser: bool = False
    one_of_three: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


# Minimal sets of clues up to symmetry, at least: estimated from 3,000 to 8,000 draws each by how many of them came up once and
# twice (Chao 1984).
_MINIMAL = {
    Params(4): 3_539,
    Params(4, 1): 2_297,
    Params(4, looser=True): 1_569,
    Params(4, 1, looser=True): 711,
    Params(5): 27_599,
    Params(5, 1): 23_266,
    Params(5, 2): 14_151,
    Params(5, looser=True): 15_140,
    Params(5, 1, looser=True): 8_382,
    Params(5, 2, looser=True): 3_716,
    Params(6, looser=True): 40_791,
    Params(6, 3): 71_331,
}


class OrderClues(positions.Statements):
    """Statements whose items have a slot each with ties, and places else."""

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: Any, clue: f.Clue) -> None:
        if not spec.params.ties:
            return super().state(m, spec, board, clue)
        return positions.state(m, positions.read(clue, size_of(spec)), lambda item: m.key[item[1]], clue.id)

    def given_slots(self, puzzle: OrderPuzzle) -> tuple[int, ...]:
        said = [each for each in self.all(puzzle) if each.kind == "at"]
        return tuple(sorted({each.items[0][1] if puzzle.spec.params.ties else each.number for each in said}))

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        """Most clues that give a place away go first, if they can; where clues are looser, the order of neighbours; composites
        go last.
        """
        looser = draft.puzzle.spec.params.looser
        first, rest, last = [], [], []
        for i, said in enumerate(self.all(draft.puzzle)):
            if said.parts:
                last.append(i)
            elif said.kind == ("left" if looser else "at"):
                first.append(i)
            else:
                rest.append(i)
        first = rng.shuffled(first)
        late = len(first) // (2 if looser else _AT_LATE)
        return first[late:] + rng.shuffled([*first[:late], *rest]) + rng.shuffled(last)

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether enough composites of every sort that is asked for are needed."""
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        return all(kinds[kind] >= _FEWEST for kind in draft.puzzle.spec.params.asked())


# ---- transforms ---------------------------------------------------------------------------------------------------------


def _wording(puzzle: OrderPuzzle) -> positions_words.Wording:
    return positions_words.Wording(puzzle, size_of(puzzle.spec))


def _red_herring(puzzle: OrderPuzzle, rng: f.Rng) -> f.Style:
    """One aside, anywhere among the clues."""
    return _wording(puzzle).with_asides([rng.below(len(puzzle.clues) + 1)], rng.child("asides"))


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Ordering(f.Family[Params, f.NoBoard, f.Slots, f.Slots]):
    """Slot p holds who has place p; with ties slot v holds the place of person v."""

    name, version, title = "ordering", 1, "Ordering"
    source = "orderings of civil service and banking exams; tasks after RiddleBench"
    params, answer, form, text = Params, f.Slots, OrderForm(), OrderText()
    clues = OrderClues(size_of)
    questions = (f.QuestionKind.WHOLE, f.QuestionKind.CHOICE)
    choices = OrderChoices()
    transforms = (
        f.entangled("looser_clues", "looser", "inequalities in place of equalities"),
        f.entangled("one_of_three", "one_of_three", "clues of which exactly one of three statements is true"),
        f.entangled("implication", "implication", "clues of the form if ... then"),
        f.entangled("exclusive_or", "exclusive_or", "clues of the form either ... or"),
        f.SetParam(
            "ties",
            f.Kind.UE2,
            f.Relation.RULE,
            f.Pairing.NONE,
            (("ties", 2),),
            "several may have the same place",
            "5 to 7 persons",
        ),
        f.surface("rename", renamed, "other names"),
        f.surface("paraphrase", positions_words.paraphrased, "other words for the same clues"),
        f.surface("red_herring", _red_herring, "a remark that says nothing about the answer"),
        f.Restyle("letters", f.Kind.UE1, how=lettered, about="letters in place of names"),
    )
    small = f.SmallClasses(lambda spec: _MINIMAL.get(spec.params))
    smallest = (
        f.Spec(Params(4)),
        f.Spec(Params(5)),
        f.Spec(Params(4, looser=True)),
        f.Spec(Params(5, 2)),
        f.Spec(Params(5, 1, looser=True)),
        f.Spec(Params(5, one_of_three=True)),
        f.Spec(Params(5, implication=True)),
        f.Spec(Params(5, exclusive_or=True)),
    )
    worked = (
        (
            "ordering\nname: Amina, Boris, Clara, Deepak, Elena\nleft(Amina, Boris)\njust_left(Clara, Amina)\nat(Deepak, 5)\n"
            "apart(Boris, Elena, 3)",
            "1 | Elena\n2 | Clara\n3 | Amina\n4 | Boris\n5 | Deepak",
            "made up for Puzzlemill",
        ),
        (
            "ordering\nname: Amina, Boris, Clara, Deepak, Elena\nplaces: 3\nsame(Amina, Clara)\nahead(Boris, Elena, 2)\n"
            "just_left(Deepak, Amina)\nnot_same(Boris, Deepak)",
            "Amina | 3\nBoris | 1\nClara | 3\nDeepak | 2\nElena | 3",
            "made up for Puzzlemill",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        if p.ties and not p.ties + 3 <= p.persons <= _MOST_TIED:
            raise f.BadParams(
                f"ordering.ties needs 3 places or more and at most {_MOST_TIED} persons, got {p.persons} persons at "
                f"{p.persons - p.ties} places; set family.params.persons or ties"
            )
        fewest = 2 + len(p.asked())
        if p.asked() and p.persons < fewest:
            raise f.BadParams(
                f"ordering: {len(p.asked())} sorts of composites need {fewest} persons or more, got {p.persons}; set "
                "family.params.persons or leave one out"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Slots:
        size = size_of(spec)
        if not size.values:
            return tuple(rng.shuffled(range(size.places)))
        while True:
            drawn = tuple([rng.below(size.places) for _ in range(size.many)])
            if len(set(drawn)) == size.places:
                return drawn

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Slots, rng: f.Rng) -> OrderDraft:
        params, size = spec.params, size_of(spec)
        at, n = places_of(self.puzzle(spec), hidden), size.places
        shares = (_LOOSE_SHARES if params.looser else _SHARES) | (_TIED_SHARES if params.ties else {})
        kinds = [kind for kind, share in shares.items() for _ in range(max(1, size.many * share // 8))]
        drawn = [positions_draw.about(at, n, kind, True, None, rng) for kind in kinds]
        if params.looser:
            order = sorted(range(size.many), key=lambda v: at[v])
            true = [
                positions.stated("left" if at[v] < at[w] else "same", [(0, v), (0, w)])
                for v, w in zip(order, order[1:], strict=False)
            ]
        else:
            true = [positions.stated("at", [(0, v)], p) for v, p in enumerate(at)]
        true = list(dict.fromkeys([*true, *[said for said in drawn if said is not None]]))
        if params.asked():
            own = rng.child("composites")
            parts = _LOOSE_PART_SHARES if params.looser else _PART_SHARES
            many = max(_FEWEST + 2, size.many // len(params.asked()))

            def part(kind: str, truth: bool, shared: positions.Item | None) -> positions.Statement | None:
                return positions_draw.about(at, n, kind, truth, shared, own)

            true += positions_draw.combinations_of(part, params.asked(), parts, many, own)
        clues = [said.clue(f"k{i}") for i, said in enumerate(rng.shuffled(true), 1)]
        return f.Draft(replace(self.puzzle(spec, clues), style=draw_style(size, rng)), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more person."""
        more = replace(spec, params=replace(spec.params, persons=spec.params.persons + 1))
        return more if f.valid(self, more) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        size, m = size_of(spec), f.Constraints()
        slots = [m.slot(size.places) for _ in range(size.many)]
        for v in range(size.places):
            here = [slot[v] for slot in slots]  # with ties who may have place v, else where person v may stand
            if size.values:
                m.require(*here, label="taken")
            else:
                m.exactly_one(here, label="once")
        return m

    def table(self, puzzle: OrderPuzzle) -> PositionTable | None:
        """None with ties: the plain checker's search is the second proof."""
        return None if puzzle.spec.params.ties else positions.table(size_of(puzzle.spec), self.clues.all(puzzle))

    def broken_rules(self, puzzle: OrderPuzzle, answer: f.Slots, partial: bool = False) -> list[str]:
        size, ties = size_of(puzzle.spec), puzzle.spec.params.ties
        n, many = size.places, puzzle.spec.params.persons
        if type(answer) is not tuple or len(answer) != many:
            return [f.MALFORMED]
        for value in answer:
            if type(value) is not int or not (0 <= value < n or (partial and value == f.BLANK)):
                return [f.MALFORMED]
        blank = [slot for slot in range(many) if answer[slot] == f.BLANK]
        where = [[slot for slot in range(many) if answer[slot] == v] for v in range(n)]  # the slots that hold v
        broken: list[str] = []
        if sum(not slots for slots in where) > len(blank):
            broken = ["taken" if ties else "once"]
        if ties:
            spots = [[p] if p != f.BLANK else list(range(n)) for p in answer]
        else:
            if any(len(slots) > 1 for slots in where):
                broken = ["once"]
            spots = [slots if len(slots) == 1 else [] if slots else blank for slots in where]
        said = zip(puzzle.clues, self.clues.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if not positions.may_hold(statement, [spots], n)]

    def search_space_log10(self, puzzle: OrderPuzzle) -> float:
        """N!, or with ties L**N for L places."""
        size = size_of(puzzle.spec)
        return size.values * log10(size.places) if size.values else log10(factorial(size.places))

    def symmetry(self, puzzle: OrderPuzzle) -> f.ColouredGraph:
        """Other names, and the order told from the other end."""
        return positions.symmetry(size_of(puzzle.spec), self.clues.all(puzzle))

    # ---- text

    def render(self, puzzle: OrderPuzzle) -> str:
        return prompt(_wording(puzzle), f.Voice(self.name, puzzle.style.phrasing, self.title))

    def describe(self, puzzle: OrderPuzzle, label: str) -> str:
        clue, size = puzzle.clue(label), size_of(puzzle.spec)
        rule = "taken" if size.values else "once"
        if clue is None and label != rule:
            raise f.BadRow(f"ordering: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, or {rule}")
        if clue is None:
            place = _wording(puzzle).theme.place if puzzle.style.theme else "place"
            return f"Each {place} is that of {'at least' if size.values else 'exactly'} one of them."
        if not puzzle.style.theme:
            return positions_words.spelled(puzzle, size, positions.read(clue, size))
        return _wording(puzzle).sentence(clue)

    def checks(self, puzzle: OrderPuzzle, answer: f.Slots) -> list[str]:
        """Each clue by its number, with where all that it names stand."""
        if not puzzle.style.theme:
            return []
        words, at = self.words(puzzle), places_of(puzzle, answer)
        found = {}
        for i, said in enumerate(self.clues.all(puzzle)):
            items = dict.fromkeys([item for each in (said, *said.parts) for item in each.items])
            number = words.number(i)
            found[number] = f"Clue {number} holds: {words.standing([(v, at[v]) for _, v in items])}."
        return [found[number] for number in sorted(found)]

    def words(self, puzzle: OrderPuzzle) -> positions_words.PlaceWords:
        return _wording(puzzle).words()

    def draw(self, puzzle: OrderPuzzle, answer: f.Slots | None = None, marked: Collection[str] = ()) -> str:
        """The places in a row, with who is known to have them, and the clues below."""
        wording, size, names = _wording(puzzle), size_of(puzzle.spec), puzzle.style.names[0]
        words = self.words(puzzle)
        shown = {said.items[0][1]: said.number for said in self.clues.all(puzzle) if said.kind == "at"}
        at = places_of(puzzle, answer) if answer is not None else (f.BLANK,) * size.many
        here = [[v for v in range(size.many) if shown.get(v, at[v]) == p] for p in range(size.places)]
        picture = f.Board(max([1, *map(len, here)]), size.places, above=1, wide=110)
        for p, several in enumerate(here):
            picture.at(-1, p, words.spot(p), GIVEN, 13)
            for row, v in enumerate(several):
                picture.at(row, p, names[v], GIVEN if v in shown else FOUND, 13)
        for i, (label, sentence) in enumerate(wording.sentences(), 1):
            picture.caption(f"{i}. {sentence}", label in marked, INK)
        for label in ("once", "taken"):
            if label in marked:
                picture.caption(self.describe(puzzle, label), marked=True)
        return picture.svg()

    # ---- evidence

    def examples(self) -> tuple[f.Example[Params, f.NoBoard, f.Slots], ...]:
        """In a world whose names they have."""

        def dressed(puzzle: OrderPuzzle) -> OrderPuzzle:
            world = "marks_shared" if puzzle.spec.params.ties else "marks"
            return replace(puzzle, style=f.Style(names=puzzle.style.names, theme=world))

        return tuple([replace(one, puzzle=dressed(one.puzzle)) for one in super().examples()])


FAMILY = Ordering()
