"""Thoughts of a player of truth finding: what is left, why this action, what was learnt. All is read off book and outcomes.

    thoughts = Thoughts(puzzle, rules, outcomes)
    thoughts.before((2, 0), 5)          before action 5 is done, after actions 2 and 0
    thoughts.at_end((2, 0, 5), (1,))    before the answer

Why an action is done is said by what would follow from each of its outcomes: what is left, or what must hold since nothing else
could rule it out. A comparison with the other actions comes with it where the action is best by one: by how likely it settles the
answer or how much it leaves on average (of few truths, by all worlds), or by what it leaves at most. Else nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from puzzlemill.core.model import Game
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.core.words import NUMBERS, capital, listed, pick, plural
from puzzlemill.envs.players import bits, state, worlds
from puzzlemill.kumo.domain.domain import Domain

NAMED = 10  # truths that are left are named up to this many, else counted
WEIGHED = 6  # truths: averages are taken in games of at most so many


_After = tuple[int, int]  # truths that are left; those of them that must hold, 0 while that is open. As bit masks


class Thoughts:
    """rules: the game of the puzzle. outcomes: what each action shows; only those of actions that were done are looked at."""

    def __init__(self, puzzle: AnyPuzzle, rules: Game, outcomes: Sequence[int]) -> None:
        self.rules, self.outcomes, self.voice = rules, outcomes, puzzle.style.phrasing
        self.board: Domain = puzzle.board
        self.names = puzzle.style.names[0] if puzzle.style.names else self.board.truths

    def before(self, done: Sequence[int], action: int) -> str:
        """The thoughts before an action, when these have been done."""
        left, _ = self._state(done)
        if done:
            begin = f"{self._news(done)} {self._possible(left)}"
        else:
            some, voice = self._some(left), self.voice
            begin = pick(
                voice,
                f"Nothing is ruled out yet: {some} are possible.",
                f"At the start all is open: {some} may be right.",
                f"I begin with {some}; none of them is ruled out.",
            )
        return f"{begin} {self._plan(done, action)}"

    def at_end(self, done: Sequence[int], holds: tuple[int, ...]) -> str:
        """The thoughts before the answer: these truths hold."""
        left, unused = self._state(done)
        right, be = self._list(holds), "is" if len(holds) == 1 else "are"
        news = f"{self._news(done)} " if done else ""
        if bits(left) == holds:
            return news + pick(
                self.voice,
                f"Only {right} {be} left.",
                f"{right} {be} all that is left, so the answer is clear.",
                f"That leaves {right} and nothing else.",
            )
        several, wrong = self.board.actions_plural, self.board.truth if len(holds) == 1 else self.board.truths_plural
        able = any(t in holds for a in bits(unused) for out in self.board.actions[a].excludes for t in out)
        if len(holds) == 1 and not able:
            why = pick(
                self.voice,
                f"None of the {several} that remain can rule out {right}.",
                f"Whatever the other {several} show, they cannot rule out {right}.",
                f"No outcome of the {several} that I have not done names {right}.",
            )
            why += f" Every wrong {wrong} is ruled out in the end, so {right} is right."
        else:
            why = f"The {several} that remain can rule out all that is wrong only if {right} {be} right."
        return f"{news}{self._possible(left)} {why}"

    # ---- parts

    def _state(self, done: Sequence[int]) -> tuple[int, int]:
        """The truths left and the actions not done, as bit masks."""
        return state(self.rules, [(action, self.outcomes[action]) for action in done])

    def _news(self, done: Sequence[int]) -> str:
        """What the last outcome has ruled out."""
        before, _ = self._state(done[:-1])
        after, _ = self._state(done)
        excluded = self.board.actions[done[-1]].excludes[self.outcomes[done[-1]]]
        out, again = self._list(bits(before & ~after)), self._list([t for t in excluded if not before >> t & 1])
        if not excluded:
            return pick(
                self.voice,
                "By the book this rules out nothing.",
                "For this outcome the book has nothing to rule out.",
                "That excludes nothing.",
            )
        if not out:
            return f"By the book this rules out {again}, which I knew already, so nothing new is learnt."
        too = f", and {again}, which I knew already" if again else ""
        return pick(
            self.voice,
            f"By the book this rules out {out}{too}.",
            f"For this outcome the book rules out {out}{too}.",
            f"That excludes {out}{too}.",
        )

    def _possible(self, left: int) -> str:
        some, be = self._some(left), "is" if left.bit_count() == 1 else "are"
        return pick(self.voice, f"Still possible: {some}.", f"{some} {be} left.", f"So {some} may still be right.")

    def _plan(self, done: Sequence[int], action: int) -> str:
        """What would follow from each outcome of this action, and how that compares with other actions."""
        left, unused = self._state(done)
        what, one = self.board.actions[action], self.board.action
        groups: dict[_After, list[str]] = {}
        for s, after in enumerate(self._after(left, unused, action)):
            if after is not None:
                rest, settled = after
                lone = settled != rest and settled  # then it does not matter what else is left
                groups.setdefault((0, settled) if lone else after, []).append(what.clause(s))
        cases = [f"if {' or if '.join(clauses)}, {self._follows(after, left)}" for after, clauses in groups.items()]
        plan = pick(
            self.voice,
            f"{what.name} next: {'; '.join(cases)}.",
            f"What would {what.name} tell? {capital('; '.join(cases))}.",
            f"I look at {what.name}: {'; '.join(cases)}.",
            f"Next I choose {what.name}. {capital('; '.join(cases))}.",
        )
        possible = sum(map(len, groups.values()))
        if possible < what.size:
            plan += pick(
                self.voice,
                " Any other outcome would break the promise.",
                " What else it could show cannot come, by the promise.",
                " The promise excludes its other outcomes.",
            )
        return " ".join([plan, *self._reasons(left, unused, action, list(groups), one)])

    def _reasons(self, left: int, unused: int, action: int, groups: Sequence[_After], one: str) -> list[str]:
        """A sentence that says why this action is a good one, if there is one."""
        if all(settled for _, settled in groups):
            return ["Whatever comes out, the answer is known then."]
        n, worst = left.bit_count(), max([after.bit_count() for after, settled in groups if not settled])
        others = [a for a in bits(unused) if a != action]
        if len(self.names) <= WEIGHED:
            chance, mean = self._odds(left, unused, action)
            odds = [self._odds(left, unused, a) for a in others]
            if chance and all(other <= chance for other, _ in odds):
                more = "no other {one} settles it more often" if any(other == chance for other, _ in odds) else ""
                more = more or "no other {one} settles it as often"
                return [f"The chance that this settles the answer is {_percent(chance)}; {more.format(one=one)}."]
            if all(other >= mean for _, other in odds):
                return [f"On average {_rounded(mean)} are left, and no other {one} leaves fewer on average."]
        if worst < n and all(self._worst(left, unused, a) >= worst for a in others):
            some = f"at most {_count(worst)} of the {_count(n)} {'is' if worst == 1 else 'are'} left"
            return [f"Unless it settles the answer, {some}, and no other {one} is sure to leave fewer."]
        return []

    def _after(self, left: int, unused: int, action: int) -> list[_After | None]:
        """For each outcome of an action the truths left and those that must hold then; None for one that cannot come."""
        rest = [a for a in bits(unused) if a != action]
        reach = sum([1 << t for t in range(len(self.names)) if any(t in out for a in rest for out in self._excludes(a))])
        valid, found = self.rules.valid, list[_After | None]()
        for out in self._excludes(action):
            after = left & ~sum([1 << t for t in out])
            stay = after & ~reach  # nothing can rule these out any more, and everything that does not hold will be
            if after.bit_count() < valid or stay.bit_count() > valid:
                found.append(None)
            else:
                found.append((after, after if after.bit_count() == valid else stay if stay.bit_count() == valid else 0))
        return found

    def _excludes(self, action: int) -> tuple[tuple[int, ...], ...]:
        excludes: tuple[tuple[int, ...], ...] = self.board.actions[action].excludes
        return excludes

    def _worst(self, left: int, unused: int, action: int) -> int:
        """How many truths are left at most after this action, where that does not settle the answer."""
        return max([each[0].bit_count() for each in self._after(left, unused, action) if each and not each[1]], default=0)

    def _odds(self, left: int, unused: int, action: int) -> tuple[Fraction, Fraction]:
        """How likely this action settles the answer, and how many truths are left on average, by the worlds."""
        settles = total = weight = 0
        for out in self.rules.excludes[action]:
            after = left & ~out
            found = worlds(self.rules, after, unused & ~(1 << action))
            ways = sum(found.values())
            settles += ways if len(found) == 1 else 0
            total += ways * after.bit_count()
            weight += ways
        return Fraction(settles, weight), Fraction(total, weight)

    def _follows(self, after: _After, left: int) -> str:
        """What follows from outcomes."""
        rest, settled = after
        if settled and settled != rest:
            must = f"{self._list(bits(settled))} must be right"
            return f"{must}, since no other {self.board.action} can rule {'it' if self.rules.valid == 1 else 'them'} out"
        if rest == left:
            return pick(self.voice, "nothing is ruled out", "nothing is gained", "all of them stay")
        n = rest.bit_count()
        return f"{self._some(rest)} {'is' if n == 1 else 'are'} left" if n <= 4 else f"{_count(n)} are left"

    def _some(self, mask: int) -> str:
        """The truths by their names, or how many there are."""
        n = mask.bit_count()
        return self._list(bits(mask)) if n <= NAMED else plural(n, self.board.truth, self.board.truths_plural)

    def _list(self, truths: Sequence[int]) -> str:
        return listed([self.names[t] for t in truths])


def _count(n: int) -> str:
    return NUMBERS[n] if n <= 10 else str(n)


def _percent(chance: Fraction) -> str:
    return f"{(200 * chance.numerator + chance.denominator) // (2 * chance.denominator)} %"


def _rounded(number: Fraction) -> str:
    """With two decimals at most: "2", "1.5", "1.67"."""
    hundredths = (200 * number.numerator + number.denominator) // (2 * number.denominator)
    whole, part = divmod(hundredths, 100)
    return f"{whole}.{part:02}".rstrip("0").rstrip(".")
