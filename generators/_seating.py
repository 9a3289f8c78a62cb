"""Questions about seatings, and worked examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules.seats import Plan, PlanOf, read
from puzzlemill.rules.seats_words import ORDINALS
from puzzlemill.vocabulary.seats import persons

NOBODY = "nobody"
# what is asked, first in a question: who is so many seats to the left of somebody, or to the right; who is opposite; who is on a
# seat; whose value something is; what value somebody has; what value who is so many seats to the left or right of somebody has
LEFT, RIGHT, OPPOSITE, SEAT, HOLDER, VALUE, LEFT_VALUE, RIGHT_VALUE = range(8)
_SIDES = {LEFT: "left", RIGHT: "right", LEFT_VALUE: "left", RIGHT_VALUE: "right"}

SeatPuzzle = f.Puzzle[Any, Any]


class SeatChoices(f.Choices[Any, Any, f.Grid]):
    """One person, by a place that is told from another person's; or a value of the second attribute.

    In a row "nobody" is among the options of a question about neighbours, and steps are so long that it is right as often as
    every other one: about one seat of five has nobody there.
    """

    several = True

    def __init__(self, plan: PlanOf) -> None:
        self.plan = plan

    def _of(self, puzzle: SeatPuzzle) -> Plan:
        return self.plan(puzzle.spec, puzzle.board)

    def questions(self, puzzle: SeatPuzzle, rng: f.Rng) -> Iterator[tuple[int, ...]]:
        plan, n = self._of(puzzle), self._of(puzzle).seats
        steps = range(1, (n - 1) // 2 + 1) if plan.ring else [max(1, (plan.line + 2) // 5)]
        found = [(side, who, d) for side in (LEFT, RIGHT) for who in range(n) for d in steps if d <= 4]
        if plan.crosses:
            found += [(OPPOSITE, who, 0) for who in range(n)] * 2
        if not plan.ring:
            found += [(SEAT, seat, 0) for seat in range(n)] * 2
        if plan.groups > 1:
            found += [(kind, who, 0) for kind in (HOLDER, VALUE) for who in range(n)] * 2
            if plan.ring:
                found += [(side, who, d) for side in (LEFT_VALUE, RIGHT_VALUE) for who in range(n) for d in steps if d <= 3]
        told = self._told(puzzle)
        yield from [each for each in rng.shuffled(found) if each not in told]

    def _told(self, puzzle: SeatPuzzle) -> set[tuple[int, int, int]]:
        """The questions that a clue answers outright."""
        plan, found = self._of(puzzle), set[tuple[int, int, int]]()
        uniform = bool(plan.ways) and (len(set(plan.ways)) == 1 or plan.shape == "rows")
        for clue in puzzle.clues:
            said = read(clue, plan)
            whos = [v for g, v in said.items if g == 0]
            if said.kind in ("left", "right"):
                side = LEFT if said.kind == "left" else RIGHT
                found |= {(each, said.items[1][1], said.number) for each in (side, side + LEFT_VALUE) if said.items[1][0] == 0}
                if uniform and said.items[0][0] == 0:
                    found |= {(each ^ 1, said.items[0][1], said.number) for each in (side, side + LEFT_VALUE)}
            elif said.kind == "opposite":
                found |= {(OPPOSITE, who, 0) for who in whos}
            elif said.kind == "at":
                found.add((SEAT, said.number, 0))
            elif said.kind == "same":
                found |= {(VALUE if g == 0 else HOLDER, v, 0) for g, v in said.items}
        return found

    def _asked(self, puzzle: SeatPuzzle) -> tuple[int, int, int]:
        n, about = self._of(puzzle).seats, puzzle.question.about
        if len(about) != 3 or not (0 <= about[0] <= RIGHT_VALUE and 0 <= about[1] < n and 0 <= about[2] < n):
            raise f.BadRow(f"question.about: expected what is asked, about whom and how far, got {str(about)[:60]}")
        if about[0] >= HOLDER and self._of(puzzle).groups < 2:
            raise f.BadRow("question.about: there is no second attribute to ask about")
        return about[0], about[1], about[2]

    def says(self, puzzle: SeatPuzzle) -> str:
        kind, who, d = self._asked(puzzle)
        voice, names, theme = puzzle.style.phrasing, puzzle.style.names, puzzle.style.theme
        name = names[kind == HOLDER][who]
        attribute, side = persons().attribute(theme), f"{ORDINALS[d]} to the {_SIDES.get(kind, '')} of {name}"
        if kind == HOLDER:
            noun = attribute.noun.format(v=name)
            return f.pick(voice, "Who is {noun}?", "Which of them is {noun}?", "What is the name of {noun}?").format(noun=noun)
        if kind not in (LEFT, RIGHT, OPPOSITE, SEAT):
            return attribute.asks.format(x=name if kind == VALUE else f"the person who sits {side}")
        where = side if kind in (LEFT, RIGHT) else f"opposite {name}" if kind == OPPOSITE else self._place(puzzle, who)
        asked = f.pick(voice, "Who sits {where}?", "Who is {where}?", "Which person sits {where}?").format(where=where)
        may_miss = kind in (LEFT, RIGHT) and puzzle.question.ask is f.Ask.VALUE and not self._of(puzzle).ring
        return f"{asked} If nobody sits there, the answer is {NOBODY}." if may_miss else asked

    def _place(self, puzzle: SeatPuzzle, seat: int) -> str:
        plan = self._of(puzzle)
        if plan.shape == "row" and seat in (0, plan.seats - 1):
            return f"at the {'eastern' if seat else 'western'} end of the row"
        if plan.shape == "row" and 2 * seat == plan.seats - 1:
            return "in the middle of the row"
        return f"in seat {seat + 1}"

    def domain(self, puzzle: SeatPuzzle) -> tuple[str, ...]:
        kind, names = self._asked(puzzle)[0], puzzle.style.names
        if kind in (VALUE, LEFT_VALUE, RIGHT_VALUE):
            return names[1]
        return (*names[0], NOBODY) if kind in (LEFT, RIGHT) and not self._of(puzzle).ring else names[0]

    def value(self, puzzle: SeatPuzzle, answer: f.Grid) -> str:
        kind, who, d = self._asked(puzzle)
        names, persons = puzzle.style.names, answer[0]
        if kind == SEAT:
            return names[0][persons[who]]
        if kind == HOLDER:
            return names[0][persons[answer[1].index(who)]]
        seat = persons.index(who)
        if kind == VALUE:
            return names[1][answer[1][seat]]
        there = self._there(puzzle, answer, kind, seat, d)
        if there is None:
            return NOBODY
        return names[1][answer[1][there]] if kind in (LEFT_VALUE, RIGHT_VALUE) else names[0][persons[there]]

    def _there(self, puzzle: SeatPuzzle, answer: f.Grid, kind: int, seat: int, d: int) -> int | None:
        """The seat that is opposite this one or so many to one side of it, for who sits here; None beyond an end."""
        plan = self._of(puzzle)
        if kind == OPPOSITE:
            return (seat + plan.seats // 2) % plan.seats
        way = plan.ways[seat] if plan.ways else answer[1][seat]
        left = kind in (LEFT, LEFT_VALUE)
        if plan.ring:
            return (seat + (d if left is (way == 0) else -d)) % plan.seats
        place = seat % plan.line + (-d if left is (way == 0) else d)
        return seat - seat % plan.line + place if 0 <= place < plan.line else None

    def distractors(self, puzzle: SeatPuzzle, answer: f.Grid, rng: f.Rng) -> Iterator[str]:
        """Who is on the other side, one seat too near or too far, next to who is asked for; then anybody.

        In a row "nobody" is there always, where it may be right.
        """
        kind, who, d = self._asked(puzzle)
        plan, domain = self._of(puzzle), self.domain(puzzle)
        if domain[-1] == NOBODY:
            yield NOBODY
        group, beside = int(kind in (VALUE, LEFT_VALUE, RIGHT_VALUE)), kind in (LEFT, RIGHT, OPPOSITE)
        seats: list[int | None] = []
        if kind == OPPOSITE:
            across = (answer[0].index(who) + plan.seats // 2) % plan.seats
            seats = [(across + 1) % plan.seats, (across - 1) % plan.seats]
        elif kind not in (SEAT, HOLDER, VALUE):
            here, other = answer[0].index(who), kind ^ 1
            seats = [self._there(puzzle, answer, side, here, k) for side in (other, kind) for k in (d, d + 1, d - 1) if k > 0]
        near = rng.shuffled([answer[group][place] for place in seats if place is not None])[: rng.between(1, 3)]
        for value in [*near, *rng.child("any").shuffled(range(plan.seats))]:
            if value != who or not beside:
                yield domain[value]


WORKED = (
    (
        """seating
shape: row
persons: Anu, Bablu, Cheenu, Dona, Esha, Faria, Gaurav, Harish, Ishita
facing: north
at(Cheenu, 5)
at(Ishita, 9)
right(Dona, Faria, 4)
next(Gaurav, Harish)
next(Esha, Dona)
not_next(Esha, Cheenu)
not_end(Harish)
not_next(Dona, Cheenu)
not_next(Dona, Ishita)
right(Anu, Harish, 2)""",
        """1 | Gaurav
2 | Harish
3 | Faria
4 | Anu
5 | Cheenu
6 | Bablu
7 | Dona
8 | Esha
9 | Ishita""",
        "RiddleBench (2510.24932), appendix B.3; the sentences as statements",
    ),
    (
        """seating
shape: circle
persons: Ada, Bob, Cem, Dan, Eve, Fay
facing: ?
faces(Ada, centre)
left(Bob, Ada, 1)
right(Cem, Bob, 2)
opposite(Ada, Dan)
unlike(Ada, Dan)
right(Eve, Dan, 1)
alike(Bob, Cem)
faces(Eve, outwards)
alike(Fay, Bob)""",
        """1 | Ada | centre
2 | Bob | centre
3 | Fay | centre
4 | Dan | outwards
5 | Eve | outwards
6 | Cem | centre""",
        "made up for Puzzlemill",
    ),
)
