"""Deduction on logic grids of which exactly one clue is false: first which one it is, then the rest as usual.

All clues taken as true end in a contradiction, so the false one is among those that it uses, and all others are true. Each of
these that is supposed to be the false one, all others being true, ends in a contradiction too, but for one.

The truth of a clue is a fact: of a slot behind those of links, one for each clue, which holds 1 if it is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from puzzlemill.core.model import GRID_RELATIONS, Fact, GridTable, Slots, Step
from puzzlemill.core.words import pick
from puzzlemill.solvers.deduce.board import Story
from puzzlemill.solvers.deduce.grids_claims import Claim, LinkSlots, claims
from puzzlemill.solvers.deduce.grids_findings import GridSay
from puzzlemill.solvers.deduce.steps import Found, length, ordered, with_uses

LISTING = "all_but_one"
TOLD = 7  # steps of a story that a sentence tells


def listing(table: GridTable) -> GridTable | None:
    """The table in which each of the clues of which one is false is a clue by itself; None if all clues are true."""
    if [GRID_RELATIONS[row[0]] for row in table.clues] != [LISTING]:
        return None
    return GridTable(table.categories, table.items, table.scales, table.parts)


class Conflict(Found[GridSay]):
    """Some clues cannot all be true, so the others are. clues: these, by their numbers."""

    clues: tuple[int, ...]

    def says(self, say: GridSay, step: Step) -> str:
        so = f"the false one is among {say.words.cited(self.clues)}, and all other clues are true"
        return _refuted(say, step, "all clues are true", so)


class LongConflict(Conflict):
    """The same by so many steps that no sentence tells them."""


class Suspect(Found[GridSay]):
    """A clue is not the false one."""

    clue: int

    def says(self, say: GridSay, step: Step) -> str:
        name = say.clue(self.clue)
        return _refuted(say, step, f"{name} is the false one", f"{name} is true")


class LongSuspect(Suspect):
    """The same by so many steps that no sentence tells them."""


class Unmasked(Found[GridSay]):
    """All clues but this one are true; or, as a contradiction, this one is, too."""

    clue: int

    def says(self, say: GridSay, step: Step) -> str:
        name = say.clue(self.clue)
        if not step.sets:
            return "every clue is true then, although one of them must be false"
        return pick(
            say.voice,
            f"all clues but {name} have turned out to be true, so {name} is the false one",
            f"{name} must be the false one, since all the others are true",
            f"only {name} is left: it is the false one",
        )


SUSPICIONS: list[list[type[Found[Any]]]] = [[Conflict, Suspect], [LongConflict, LongSuspect]]


def _refuted(say: GridSay, step: Step, supposed: str, so: str) -> str:
    many = length(step.within)
    if many > TOLD or not many:
        way = f"{many} steps{say.by_clues(step.within)} lead" if many else "going through all possibilities leads"
        return say.refuted(supposed, f"Then {way} to a contradiction.", so)
    say.said, say.depth = set(), say.depth + 1
    tale = say.story(step.within)
    say.depth -= 1
    return say.refuted(supposed, tale, so)


def is_true(claim: Claim, of: Sequence[int], n: int) -> bool:
    """Return whether a claim holds, by the entity of each item."""
    if claim.scale >= 0:
        scale = of[claim.scale * n : claim.scale * n + n]
        return tuple([scale.index(of[x]) for x in claim.items]) in claim.relation.tuples
    return any(all((of[x] == of[y]) is yes for x, y, yes in way) for way in claim.ways)


def trace(
    table: GridTable,
    label: str,
    answer: Slots | None,
    board: Callable[[GridTable, Sequence[str], int], Any],
) -> list[Step]:
    """The steps to the answer, or to a contradiction. label: of the one clue that lists all others. board: makes one for clues
    with these ids, of which one by its number is false (-1: none).
    """
    plain = listing(table)
    if plain is None:
        raise AssertionError("one clue lists all others")
    m, n, many = table.categories, table.items, len(plain.clues)
    first = n * len(LinkSlots(m, n).pairs)
    ids = [f"c{k}" for k in range(many)]
    steps: list[Step] = []
    truth: dict[int, str] = {}  # by clue: the step that says whether it is true

    def refuted(false: int) -> Story | None:
        other = board(plain, ids, false)
        other.mark = "?"
        found: Story | None = other.refuted(other.TOP, True)
        return found

    def note(found: Found[GridSay], which: Sequence[int], within: Sequence[Step], uses: Sequence[str] = ()) -> None:
        value = int(not isinstance(found, Unmasked))
        sets: tuple[Fact, ...] = tuple([(first + k, value) for k in which])
        inner = tuple([with_uses(step, lambda uses: _known(uses, label)) for step in within])
        steps.append(Step(found.technique, (label, "once", *uses), sets, (), inner, found))
        truth.update(dict.fromkeys(which, f"#{len(steps)}"))

    wrong = -1 if answer is None else _false_one(plain, answer)
    together = refuted(-1)
    suspects = list(range(many))
    if together is not None:
        suspects = sorted({int(use[1:]) for use in together[0] if use in ids})
        others = [k for k in range(many) if k not in suspects]
        kind = Conflict if length(together[1]) <= TOLD else LongConflict
        if others:
            note(kind(tuple(suspects)), others, together[1])
    for k in suspects:
        if k != wrong:
            tale = refuted(k)
            within = tale[1] if tale is not None else []
            note((Suspect if within and length(within) <= TOLD else LongSuspect)(k), [k], within)
    said = list(dict.fromkeys(truth.values()))
    if answer is None:
        steps.append(Step(Unmasked.technique, (label, *said), (), (), (), Unmasked(0)))
        return ordered(steps, [label, "once"])
    note(Unmasked(wrong), [wrong], (), said)
    before = len(steps)

    def moved(uses: Sequence[str]) -> list[str]:
        named: dict[str, None] = {}
        for use in uses:
            if use in ids:
                named |= {label: None, truth[int(use[1:])]: None}
            else:
                named[f"#{int(use[1:]) + before}" if use.startswith("#") else use] = None
        return list(named)

    rest: list[Step] = board(plain, ids, wrong).trace(answer)
    return ordered([*steps, *[with_uses(step, moved) for step in rest]], [label, "once"])


def _known(uses: Sequence[str], label: str) -> list[str]:
    """The labels that a step of a story has: of clues that of all together, and none of steps."""
    return list(dict.fromkeys([label if re.fullmatch("c[0-9]+", use) else use for use in uses if use[0] not in "?#"]))


def _false_one(plain: GridTable, answer: Slots) -> int:
    """The clue that is false in the answer."""
    n = plain.items
    of = list(range(n)) + [0] * (n * (plain.categories - 1))
    for slot, value in enumerate(answer):
        of[(slot // n + 1) * n + value] = slot % n
    return next(k for k, ((true, _),) in enumerate(claims(plain)) if not is_true(true, of, n))
