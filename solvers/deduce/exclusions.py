"""Truths that outcomes rule out, one outcome after the other, until as many are left as hold (ExclusionTable).

A step for each outcome that rules out something new, in the order of the clues, and one for what is left. Where too few are left,
the outcomes are first cut to a smallest set that leaves too few. Nothing is ever stuck, so there is no search.

Sentences need of Words: value ("Elm"), noun ("tree"), unit(3) ("3 trees"), clue ("Measure it: the height is 4 m", which begins
a sentence), shows (the clue's action and, of a number, its interval: "Measure it", "at least 3 m and below 6 m").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from puzzlemill.core.model import ExclusionTable, Fact, Slots, Step
from puzzlemill.core.words import Words, listed, pick
from puzzlemill.solvers.deduce.steps import Found, sentence, tiers

MEDIUM, HARD = 2, 3

COUNT = "count"  # the rule that so many truths hold
LISTED = 10  # truths that are left are named up to this many


def deduce(table: ExclusionTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle; see the package."""
    steps: list[Step] = []
    left = tuple(range(table.truths))
    possible = {chosen: value for value, chosen in enumerate(combinations(left, table.valid))}
    for clue in _refuting(table) if answer is None else range(len(table.clues)):
        excluded = table.clues[clue]
        out, again = [tuple([t for t in excluded if (t in left) is new]) for new in (True, False)]
        if not out:
            continue
        drops: tuple[Fact, ...] = tuple([(0, value) for chosen, value in possible.items() if not set(out).isdisjoint(chosen)])
        possible = {chosen: value for chosen, value in possible.items() if set(out).isdisjoint(chosen)}
        left = tuple([t for t in left if t not in out])
        found = (Measurement if clue in table.measured else Outcome)(clue, out, again, left, not steps)
        steps.append(Step(found.technique, (ids[clue],), (), drops, found=found))
    end = TooFewLeft if answer is None else OnlyLeft if table.valid == 1 else AllLeft
    uses = (COUNT, *[f"#{number}" for number in range(1, len(steps) + 1)])
    ending = end(left, tuple([step.found.clue for step in steps]))
    steps.append(Step(end.technique, uses, () if answer is None else ((0, answer[0]),), found=ending))
    return steps


def _refuting(table: ExclusionTable) -> list[int]:
    """Clues, none of them to spare, that leave too few truths."""
    kept = list(range(len(table.clues)))
    for clue in range(len(table.clues) - 1, -1, -1):  # those that come first stay
        fewer = [other for other in kept if other != clue]
        if table.truths - len({t for other in fewer for t in table.clues[other]}) < table.valid:
            kept = fewer
    return kept


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say:
    """Sentences about the truths of one puzzle."""

    def __init__(self, words: Words, table: ExclusionTable) -> None:
        self.words, self.table, self.voice = words, table, words.voice

    def names(self, truths: Sequence[int], last: str = "and") -> str:
        return listed([self.words.value(t) for t in truths], last)

    def some(self, truths: Sequence[int]) -> str:
        """The truths by their names, or how many of them there are."""
        if len(truths) <= LISTED:
            return self.names(truths)
        return f"{len(truths)} of the {self.words.unit(self.table.truths)}"

    def right(self, count: int) -> str:
        """ "exactly one tree is right"."""
        return f"exactly one {self.words.noun} is right" if count == 1 else f"exactly {self.words.unit(count)} are right"

    def done(self, clues: Sequence[int]) -> str:
        """The actions whose outcomes these are."""
        return listed([self.words.shows(clue).partition("\n")[0] for clue in clues])


def explain(words: Words, table: ExclusionTable, step: Step) -> str:
    """A step as a few sentences; see the package."""
    return sentence(_Say(words, table), step)


class Outcome(Found[_Say]):
    """An outcome in words, and what the book says that it rules out.

    out: what it newly rules out. again: what it rules out and is out already. left: what is left. first: nothing was out before.
    """

    clue: int
    out: tuple[int, ...]
    again: tuple[int, ...]
    left: tuple[int, ...]
    first: bool

    def says(self, say: _Say, step: Step) -> str:
        voice, begin = say.voice, ""
        if self.first:
            every = say.words.unit(say.table.truths)
            begin = pick(
                voice,
                f"at first all {every} are possible. ",
                f"I start with all {every}. ",
                f"nothing is ruled out yet, so all {every} are possible. ",
                f"at the start, any of the {every} may be right. ",
            )
        shown, interval = say.words.clue(self.clue), say.words.shows(self.clue).partition("\n")[2]
        out, too = say.names(self.out), ""
        if self.again:
            names, be = say.names(self.again), "is" if len(self.again) == 1 else "are"
            too = pick(voice, f" (and {names}, already ruled out)", f" ({names}, also named there, {be} out already)")
        if interval:
            rules = pick(
                voice,
                f"{shown}. The book says that a value of {interval} rules out {out}{too}",
                f"{shown}. For values of {interval}, the book rules out {out}{too}",
                f"{shown}. According to the book, a result of {interval} rules out {out}{too}",
                f"{shown}. The book's entry for a value of {interval} rules out {out}{too}",
            )
        else:
            rules = pick(
                voice,
                f"{shown}. The book says that this rules out {out}{too}",
                f"{shown}. The book's entry for this outcome rules out {out}{too}",
                f"{shown}. In the book, this outcome rules out {out}{too}",
                f"{shown}. According to the book, that excludes {out}{too}",
            )
        return f"{begin}{rules[:1].upper() if begin else rules[:1]}{rules[1:]}. {self._left(say)}"

    def _left(self, say: _Say) -> str:
        if not self.left:
            return pick(say.voice, f"No {say.words.noun} is left", f"Now every {say.words.noun} is ruled out")
        left = say.some(self.left)
        if len(self.left) == 1:
            return pick(say.voice, f"That leaves {left}", f"Only {left} is left", f"That leaves only {left}")
        return pick(
            say.voice,
            f"That leaves {left}",
            f"{left} are left",
            f"Only {left} are left" if len(self.left) == 2 else f"{left} are still possible",
        )


class Measurement(Outcome):
    """An outcome that is a number, which lies in one of the book's intervals."""


class OnlyLeft(Found[_Say]):
    """One truth is left, and one holds. left: it. clues: those that have ruled out the others."""

    left: tuple[int, ...]
    clues: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        name, right = say.names(self.left), say.right(1)
        return pick(
            say.voice,
            f"only {name} is left, and {right}, so it is {name}",
            f"{right}, and only {name} is left. So the answer is {name}",
            f"{right}, and {name} alone is left, so it is {name}",
        )


class AllLeft(OnlyLeft):
    """As many truths are left as hold."""

    def says(self, say: _Say, step: Step) -> str:
        names, right = say.names(self.left), say.right(len(self.left))
        return pick(
            say.voice,
            f"only {names} are left, and {right}, so these are the answer",
            f"{right}, and only {names} are left. So these are the answer",
            f"{right}, and {names} alone are left, so these are the answer",
        )


class TooFewLeft(OnlyLeft):
    """Fewer truths are left than hold: no set of truths fits these outcomes."""

    def says(self, say: _Say, step: Step) -> str:
        noun, done, names = say.words.noun, say.done(self.clues), say.names(self.left)
        must = say.right(say.table.valid).replace(" is right", " must be right").replace(" are right", " must be right")
        if len(self.clues) == 1:
            return f"the outcome of {done} {f'leaves only {names}' if names else f'rules out every {noun}'}, but {must}"
        leave = f"leave only {names}" if names else f"rule out every {noun}"
        return pick(
            say.voice,
            f"{must}, but the outcomes of {done} together {leave}",
            f"together, the outcomes of {done} {leave}, but {must}",
            f"{must}. The outcomes of {done} {leave}, so they cannot all be true",
        )


TECHNIQUES = tiers([Outcome, OnlyLeft, TooFewLeft], [Measurement], [AllLeft])
