"""Seatings: who sits where in a row, in two rows, around a circular or a square table, as in entrance exams.

Everybody has one seat, and faces north or south in rows, the centre or outwards around a table:
  once    no two persons have the same seat, and no two the same value of a second attribute;
  first   around a table, seats are counted clockwise from the first person, so that turning the table changes nothing;
  clues   every clue is true: a statement as puzzlemill/rules/seats.py lists them. Left and right are those of the persons.
Source: reasoning tests of Indian civil service and banking exams, as in RiddleBench ("seating arrangements"). broken_rules
returns "once", "first" or the ids of clues, and "malformed" for what is no table.

Arrangements are drawn evenly. Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed.
Parameters ask for composites of a sort (some are drawn, and left out last, so that at least two stay or the draft is not used).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import factorial, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import SeatTable
from puzzlemill.generators._seating import WORKED, SeatChoices
from puzzlemill.rules import (
    seats,
    seats_check,
    seats_draw,
    seats_model,
    seats_picture,
    seats_prompt,
    seats_text,
    seats_words,
)
from puzzlemill.rules.seats import CORNERS, FACINGS, SHAPES, Places, Plan
from puzzlemill.vocabulary.seats import persons

SeatPuzzle = f.Puzzle["Params", Places]
SeatDraft = f.Draft["Params", Places, f.Grid, f.Grid]  # grid[g][p]: the value of group g on seat p, and after these the ways

_ASKED = {"implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
_FEWEST = 2  # clues of a kind that is asked for
_EARLY = (3, 4)  # of the statements that alone leave one arrangement, so many are left out first

# How many clues of a kind are drawn for every 8 seats. Those that alone leave one arrangement are drawn too.
_SHARES = {
    "at": 1,
    "not_at": 1,
    "end": 1,
    "not_end": 3,
    "row": 2,
    "corner": 1,
    "side": 1,
    "faces": 2,
    "same": 2,
    "not_same": 6,
    "next": 3,
    "not_next": 5,
    "opposite": 2,
    "not_opposite": 3,
    "left": 5,
    "right": 5,
    "left_of": 2,
    "right_of": 2,
    "gap": 4,
    "between": 3,
    "alike": 3,
    "unlike": 3,
}
_PART_SHARES = {"at": 1, "end": 1, "row": 1, "corner": 1, "next": 3, "opposite": 2, "left": 3, "right": 3, "gap": 2, "same": 3}


@f.params
class Params:
    """facing: which way persons face: north or the centre (in), south or outwards (out), some this way and some that (mixed), or
    so that it is to be found (found). attribute: each person has a city, a profession, ... of his own, to be found too.

    implication, exclusive_or: at least two clues of this sort.
    """

    shape: str = f.Param("row", among=SHAPES)
    persons: int = f.Param(8, least=5, most=12)
    facing: str = f.Param("in", among=FACINGS)
    attribute: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


def _plan(spec: f.Spec[Any], board: Places) -> Plan:
    """The plan. Raises BadRow for a board that somebody made up."""
    p, n = spec.params, spec.params.persons
    apart = n // CORNERS if p.shape == "square" else 1
    known = all(type(way) is int and 0 <= way < 2 for way in board.ways)
    if not known or len(board.ways) != (0 if p.facing == "found" else n) or not 0 <= board.corner < apart:
        raise f.BadRow(
            f"board: expected the ways of {n} seats, 0 or 1, none where they are to be found, and a corner below {apart}"
        )
    return Plan(p.shape, n, 2 if p.attribute else 1, board.ways, board.corner)


def _spec(plan: Plan) -> f.Spec[Params]:
    facing = "found"
    if plan.ways:
        facing = "mixed" if len(set(plan.ways)) > 1 else FACINGS[plan.ways[0]]
    return f.Spec(Params(plan.shape, plan.seats, "in" if plan.shape == "rows" else facing, plan.groups > 1))


def _places(p: Params, rng: f.Rng) -> Places:
    """How the seats face, and where corners are."""
    n, corner = p.persons, rng.below(p.persons // CORNERS) if p.shape == "square" else 0
    if p.facing == "found":
        return Places((), corner)
    if p.shape == "rows":
        return Places((1,) * (n // 2) + (0,) * (n // 2))
    if p.facing != "mixed":
        return Places((FACINGS.index(p.facing),) * n, corner)
    if p.shape == "square":
        first = rng.below(2)
        return Places(tuple([first ^ Plan(p.shape, n, 1, (0,), corner).is_corner(seat) for seat in range(n)]), corner)
    many = rng.between(n // 3, n - n // 3)
    return Places(tuple([int(k < many) for k in rng.shuffled(range(n))]), corner)


class SeatClues(seats.Statements):
    """What clues say in the model, and the order in which they are left out."""

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: Places, clue: f.Clue) -> None:
        plan = self.plan(spec, board)
        seats_model.state(m, plan, seats.read(clue, plan), clue.id)

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        """Most of the statements that alone leave one arrangement go first, if they can; composites asked for go last."""
        asked, every = draft.puzzle.spec.params.asked(), self.all(draft.puzzle)
        plain = {"left": 1, "right": 1, "faces": 0, "same": 0, "row": 0}
        first, rest, last = list[int](), list[int](), list[int]()
        for i, said in enumerate(every):
            alone = said.kind in plain and (not plain[said.kind] or said.number == 1)
            (last if said.kind in asked else first if alone else rest).append(i)
        first = rng.shuffled(first)
        early = len(first) * _EARLY[0] // _EARLY[1]
        return first[:early] + rng.shuffled([*first[early:], *rest]) + rng.shuffled(last)

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether enough composites of every sort that is asked for are needed."""
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        return all(kinds[kind] >= _FEWEST for kind in draft.puzzle.spec.params.asked())


# ---- transforms ---------------------------------------------------------------------------------------------------------


def _other(name: str, kind: f.Kind, relation: f.Relation, values: tuple[tuple[str, bool | str], ...], about: str) -> f.SetParam:
    return f.SetParam(name, kind, relation, f.Pairing.NONE, values, about)


def _wording(puzzle: SeatPuzzle) -> seats_words.Wording:
    return seats_words.Wording(puzzle, _plan(puzzle.spec, puzzle.board))


def _renamed(puzzle: SeatPuzzle, rng: f.Rng) -> f.Style:
    known = persons()
    lettered = set(puzzle.style.names[0]) <= set(known.letters)
    return _wording(puzzle).named(known.letters if lettered and puzzle.spec.params.persons < 9 else known.people, rng)


def _lettered(puzzle: SeatPuzzle, rng: f.Rng) -> f.Style:
    """Letters that follow each other for the persons, in random order; values stay."""
    letters, n = persons().letters, puzzle.spec.params.persons
    start = rng.below(len(letters) - n + 1)
    named = replace(puzzle.style, names=(tuple(rng.shuffled(letters[start : start + n])), *puzzle.style.names[1:]))
    wording = _wording(replace(puzzle, style=replace(named, asides=())))
    return wording.with_asides([place for place, _ in puzzle.style.asides], rng.child("asides"))


def _red_herring(puzzle: SeatPuzzle, rng: f.Rng) -> f.Style:
    """One to three remarks, anywhere among the clues."""
    after = sorted(rng.below(len(puzzle.clues) + 1) for _ in range(rng.between(1, 3)))
    return _wording(puzzle).with_asides(after, rng.child("asides"))


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Seating(f.Family[Params, Places, f.Grid, f.Grid]):
    """Slots are as SeatTable (core/model.py) has them."""

    name, version, title = "seating", 1, "Seating arrangement"
    source = "reasoning tests of civil service and banking exams; tasks after RiddleBench"
    params, board, answer = Params, Places, f.Grid
    form = seats_text.SeatTable(_plan)
    clues = SeatClues(_plan)
    text = seats_text.SeatText(_plan, _spec)
    questions = (f.QuestionKind.WHOLE, f.QuestionKind.CHOICE)
    choices = SeatChoices(_plan)
    transforms = (
        f.entangled("implication", "implication", "clues of the form if ... then"),
        f.entangled("exclusive_or", "exclusive_or", "clues of the form either ... or"),
        _other(
            "second_attribute", f.Kind.IC1, f.Relation.RESIZE, (("attribute", True),), "a city, a profession, ... of each person"
        ),
        _other("mixed_facing", f.Kind.UE2, f.Relation.RULE, (("facing", "mixed"),), "some face one way, some the other"),
        _other(
            "facing_to_find", f.Kind.UE2, f.Relation.RULE, (("facing", "found"),), "which way each person faces is to be found"
        ),
        _other("outwards", f.Kind.UE2, f.Relation.RULE, (("facing", "out"),), "all face south or outwards"),
        f.Restyle("letters", f.Kind.UE1, how=_lettered, about="letters in place of persons' names"),
        f.surface("rename", _renamed, "other names"),
        f.surface("paraphrase", seats_words.paraphrased, "other words for the same clues"),
        f.surface("red_herring", _red_herring, "remarks that say nothing about the answer"),
    )
    smallest = (
        f.Spec(Params("row", 5)),
        f.Spec(Params("circle", 5, "mixed")),
        f.Spec(Params("circle", 5, "found")),
        f.Spec(Params("rows", 6)),
        f.Spec(Params("row", 5, "out", exclusive_or=True)),
        f.Spec(Params("circle", 6, implication=True)),
        f.Spec(Params("row", 5, attribute=True)),
        f.Spec(Params("square", 8, "mixed")),
    )
    worked = WORKED

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        whole = {"rows": 2, "square": CORNERS}.get(p.shape, 1)
        if p.persons % whole or (p.shape == "square" and p.persons < 2 * CORNERS):
            fits = "an even number" if p.shape == "rows" else "8 or 12"
            raise f.BadParams(
                f"seating.persons must be {fits} where shape is {p.shape}, got {p.persons}; set family.params.persons"
            )
        if p.shape == "rows" and p.facing != "in":
            raise f.BadParams(
                f"seating.facing must be in where shape is rows, which face each other, got {p.facing}; leave it out"
            )
        if p.attribute and p.facing == "found":
            raise f.BadParams("seating.attribute does not go with facing: found; set family.params.attribute or facing")
        if p.asked() and p.facing == "found":
            raise f.BadParams(
                f"seating.{'implication' if p.implication else 'exclusive_or'} does not go with facing: found; leave it out"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        p, n = spec.params, spec.params.persons
        seated = rng.child("persons").shuffled(range(n))
        if p.shape in ("circle", "square"):
            seated = [0, *[who for who in seated if who]]
        found = [tuple(seated)]
        if p.attribute:
            found.append(tuple(rng.child("values").shuffled(range(n))))
        if p.facing == "found":
            ways = rng.child("ways")
            found.append(tuple([ways.below(2) for _ in range(n)]))
        return tuple(found)

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> SeatDraft:
        places = _places(spec.params, rng.child("places"))
        plan = _plan(spec, places)
        seen = seats_draw.Hidden(plan, hidden)
        true = seen.chain() + seats_draw.true_statements(seen, seats_draw.kinds_by(_SHARES, plan), rng.child("clues"))
        asked = spec.params.asked()
        if asked:
            many = _FEWEST + plan.seats // 2
            true += seats_draw.composites(seen, asked, _PART_SHARES, many, rng.child("composites"))
        order = rng.child("order").shuffled(list(dict.fromkeys(true)))
        clues = [said.clue(f"k{i}") for i, said in enumerate(order, 1)]
        style = seats_words.draw_style(plan, rng.child("style"))
        return f.Draft(self.puzzle(spec, clues, places, style), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """As many more persons as the shape needs."""
        p = spec.params
        more = p.persons + {"rows": 2, "square": CORNERS}.get(p.shape, 1)
        return replace(spec, params=replace(p, persons=more)) if more <= seats.MOST else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Places) -> f.Constraints:
        return seats_model.bare(_plan(spec, board))

    def table(self, puzzle: SeatPuzzle) -> SeatTable:
        return seats.table(_plan(puzzle.spec, puzzle.board), self.clues.all(puzzle))

    def broken_rules(self, puzzle: SeatPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        plan = _plan(puzzle.spec, puzzle.board)
        n, sizes = plan.seats, [plan.seats] * plan.groups + [2] * (not plan.ways)
        if type(answer) is not tuple or len(answer) != len(sizes):
            return [f.MALFORMED]
        for row, size in zip(answer, sizes, strict=True):
            if type(row) is not tuple or len(row) != n:
                return [f.MALFORMED]
            if not all(type(v) is int and (0 <= v < size or (partial and v == f.BLANK)) for v in row):
                return [f.MALFORMED]
        spots, wrong = seats_check.spots_of(answer[: plan.groups], n)
        broken = ["once"] * wrong
        if plan.ring and 0 not in spots[0][0]:
            broken.append("first")
        ways = plan.ways or answer[-1]
        said = zip(puzzle.clues, self.clues.all(puzzle), strict=True)
        return broken + [clue.id for clue, statement in said if not seats_check.may_hold(statement, spots, ways, plan)]

    def search_space_log10(self, puzzle: SeatPuzzle) -> float:
        """All ways to seat everybody, those that turn the table once; with values and ways, if these are to be found."""
        plan = _plan(puzzle.spec, puzzle.board)
        ways = plan.seats * log10(2) if not plan.ways else 0
        return log10(factorial(plan.seats - plan.ring)) + (plan.groups - 1) * log10(factorial(plan.seats)) + ways

    def symmetry(self, puzzle: SeatPuzzle) -> f.ColouredGraph:
        return seats_model.symmetry(_plan(puzzle.spec, puzzle.board), self.clues.all(puzzle))

    # ---- text

    def render(self, puzzle: SeatPuzzle) -> str:
        return seats_prompt.prompt(_wording(puzzle), f.Voice(self.name, puzzle.style.phrasing, self.title))

    def describe(self, puzzle: SeatPuzzle, label: str) -> str:
        wording, clue = _wording(puzzle), puzzle.clue(label)
        if clue is not None:
            return wording.sentence(clue)
        if label == "first":
            return f"{puzzle.style.names[0][0]} has seat 1."
        if label != "once":
            raise f.BadRow(
                f"seating: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, once or first"
            )
        value = f", and no two of them the same {puzzle.style.theme}" if puzzle.style.theme else ""
        return f"No two people have the same seat{value}."

    def words(self, puzzle: SeatPuzzle) -> f.Words:
        return _wording(puzzle).words()

    def checks(self, puzzle: SeatPuzzle, answer: f.Grid) -> list[str]:
        """Each clue by its number, with the seats of all that it names."""
        wording, plan = _wording(puzzle), _plan(puzzle.spec, puzzle.board)
        number = {id_: i for i, (id_, _) in enumerate(wording.sentences(), 1)}
        found = []
        for clue, said in sorted(zip(puzzle.clues, self.clues.all(puzzle), strict=True), key=lambda each: number[each[0].id]):
            items = dict.fromkeys([item for each in (said, *said.parts) for item in each.items])
            seated = [f"{wording.noun(item)} is in seat {answer[item[0]].index(item[1]) + 1}" for item in items]
            found.append(f"Clue {number[clue.id]} holds: {f.listed(seated)}.")
        return found if plan.ways else []

    def draw(self, puzzle: SeatPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        """The seats with what clues and the answer show there, and the clues below."""
        plan, wording = _plan(puzzle.spec, puzzle.board), _wording(puzzle)
        n, given = plan.seats, [said for said in self.clues.all(puzzle) if said.kind == "at"]
        shown = {(said.items[0][0], said.number): said.items[0][1] for said in given}
        if plan.ring:
            shown[0, 0] = 0
        texts: list[Sequence[str]] = []
        for p in range(n):
            here = [shown.get((g, p), f.BLANK if answer is None else answer[g][p]) for g in range(plan.groups)]
            texts.append([puzzle.style.names[g][v] for g, v in enumerate(here) if v != f.BLANK])
        ways = plan.ways or ((f.BLANK,) * n if answer is None else answer[-1])
        told = [(f"{i}. {text}", label in marked) for i, (label, text) in enumerate(wording.sentences(), 1)]
        told += [(self.describe(puzzle, rule), True) for rule in ("once", "first") if rule in marked]
        return seats_picture.picture(plan, texts, ways, [p for _, p in shown], told)


FAMILY = Seating()
