"""Deduction in Latin grids with sight hints (SightTable): what people know of skyscrapers, and of Latin squares.

Lines of hints are numbered as in the table, units as in latin.py. All orders of a unit (orders.py) that fit the candidates and
the hints are kept; a diagonal, in which values may repeat, is narrowed cell by cell along the tallest building so far.

Sentences need ids and voice of Words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from puzzlemill.core.model import BLANK, Fact, LatinTable, SightTable, Slots, Step
from puzzlemill.core.words import NUMBERS, Words, listed, pick
from puzzlemill.rules import sight
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.candidates import Failure, State, Uses
from puzzlemill.solvers.deduce.latin import Deduction, Forced
from puzzlemill.solvers.deduce.latin_findings import NO_ANSWER
from puzzlemill.solvers.deduce.masks import bits, hitting, mask_of, union
from puzzlemill.solvers.deduce.orders import FAR, NEAR, ends_of, orders, union_of, ways
from puzzlemill.solvers.deduce.steps import Found, tiers

MEDIUM, HARD = 3, 5

LISTED = 4  # orders are listed in words up to this many
SHOWN = 4  # fillings are shown one by one up to this many
FILLINGS = 5040  # fillings of a line that are looked at, at most, to say what they show
NO_ORDER, NO_WAY = 3, 4  # what fails: no order of a unit, no way to fill a diagonal


def deduce(table: SightTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The solution of the table as steps; steps whose conclusions nothing needs are left out."""
    return _Sight(table, ids).trace(answer)


def board(table: SightTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Sight(table, ids)


# ---- findings, and how they are described --------------------------------------------------------------------------------


class Say(findings.Say):
    """Sentences about skyscrapers: values are heights, and clues around the grid are hints."""

    less, supposed, others = "have no other height", "were", "for the other cells"

    def __init__(self, words: Words, table: SightTable) -> None:
        heights = replace(words, value=lambda v: str(v + 1), noun="height")
        super().__init__(heights, LatinTable(table.n, (), ()))
        self.summed = table.summed
        self.counts = True  # whether it is told what would be seen
        self.hint = {place - self.n**2: k for place, k in reversed(table.clues) if place >= self.n**2}  # by line

    def so(self, step: Step) -> str:
        """ "r1c2 = 4; r1c3 is not 5 or 6": what a step concludes."""
        parts = [self.sets(step)] if step.sets else []
        lost: dict[int, list[int]] = {}
        for i, v in step.drops:
            lost.setdefault(i, []).append(v)
        groups: dict[tuple[int, ...], list[int]] = {}
        for i, own in lost.items():
            groups.setdefault(tuple(sorted(own)), []).append(i)
        for values, cells in groups.items():
            heights = listed([str(v + 1) for v in values], "or")
            parts.append(f"{self.cells(sorted(cells))} {'is' if len(cells) == 1 else 'are'} not {heights}")
        return "; ".join(parts)

    def seen(self, line: int) -> str:
        """The hint of a line as a sentence."""
        return f"Along {sight.view(self.n, line)}, {sight.seen(self.hint[line], self.summed)}"

    def sentence(self, step: Step) -> str:
        """As for other grids; what would be seen is left out before facts are."""
        for counts, brief in ((True, 0), (True, 1), (False, 0), (False, 1), (False, 2), (False, 3)):
            self.counts, self.brief = counts, brief
            text = self.told(step)
            if len(text) <= findings.LONGEST:
                break
        return text

    def hints(self, lines: Sequence[int]) -> str:
        """Why something is ruled out: "the hint above column 3 is 2"."""
        if len(lines) == 1:
            return f"the hint {sight.beside(self.n, lines[0])} is {self.hint[lines[0]]}"
        return f"the hints are {listed([f'{self.hint[line]} {sight.beside(self.n, line)}' for line in lines])}"

    def dropped(self, lost: dict[Any, list[Fact]]) -> list[str]:
        by_hints = [by for by in lost if isinstance(by, OneHint)]
        if len(by_hints) < 2:
            return super().dropped(lost)
        facts = [fact for by in by_hints for fact in lost[by]]
        rest = {by: facts for by, facts in lost.items() if by not in by_hints}
        return [f"{self.ruled_out(facts, None)}, since {self.hints([by.line for by in by_hints])}", *super().dropped(rest)]

    # ---- why a hint rules something out

    def masks(self, step: Step, cells: Sequence[int]) -> list[int]:
        """What the facts of a step leave to these cells."""
        gone = self.gone(step)
        held = {ground.fact[0]: ground.fact[1] for ground in step.grounds or () if ground.holds}
        every = range(self.n)
        return [1 << held[i] if i in held else mask_of([v for v in every if (i, v) not in gone]) for i in cells]

    def cases(self, cells: Sequence[int], near: int, far: int, masks: Sequence[int], step: Step | None) -> str:
        """Why these hints of the first and the last of the cells (0: none) rule out what a step concludes (None: everything):
        "with 3 at r2c2, 4 would be seen with 1 or 2 at r2c1, and 1 with 4 there". "" where that takes too long to tell.

        masks: what is left to each cell.
        """
        sides = self.sides_of(cells)
        fillings = _fillings(masks, straight=bool(sides[0]))
        if not fillings:
            return ""
        if not (near and far):
            sides = ("", "")
        if step is None:
            where, why = self._from_an_end(cells, near, far, fillings, sides, -1)
            return f"with {where}, {why}" if where else why
        wrong: dict[int, list[int]] = {}
        for i, v in step.drops:
            wrong.setdefault(i, []).append(v)
        told: list[str] = []
        for i, v in step.sets:
            p = cells.index(i)
            others = [filling for filling in fillings if filling[p] != v]
            why, end = self._shown(near, far, others, sides) if others and not (near and far) else ("", "")
            if end:
                told.append(f"with anything but {self.value(v)} at {self.cell[i]}, {why}")
            else:
                wrong[i] = [w for w in range(self.n) if w != v]
        for i, values in wrong.items():
            p = cells.index(i)
            ends: dict[tuple[str, str], list[int]] = {}
            for v in values:
                here = [filling for filling in fillings if filling[p] == v]
                if here:
                    ends.setdefault(self._from_an_end(cells, near, far, here, sides, p), []).append(v)
            for (where, why), own in ends.items():
                with_ = f"with {listed([self.value(v) for v in own], 'or')} at {self.cell[i]}"
                told.append(f"{with_}{f' and {where}' if where else ''}, {why}")
        return "; ".join(told)

    def _from_an_end(
        self, cells: Sequence[int], near: int, far: int, fillings: list[tuple[int, ...]], sides: tuple[str, str], supposed: int
    ) -> tuple[str, str]:
        """What would be seen from an end; if there are hints at both, of those fillings that the other one leaves, and that one:
        "1 seen from the left".
        """
        if not (near and far):
            return "", self._why(cells, near, far, fillings, sides, supposed)
        first = [each for each in fillings if self._makes(_view(each)) == near]
        last = [each for each in fillings if self._makes(_view(each[::-1])) == far]
        seen = "a sum of {} seen{}" if self.summed else "{} seen{}"
        if len(first) <= len(last):
            if not first:
                return "", self._why(cells, near, 0, fillings, sides, supposed)
            return seen.format(near, sides[0]), self._why(cells, 0, far, first, sides, supposed)
        if not last:
            return "", self._why(cells, 0, far, fillings, sides, supposed)
        return seen.format(far, sides[1]), self._why(cells, near, 0, last, sides, supposed)

    def sides_of(self, cells: Sequence[int]) -> tuple[str, str]:
        if cells[0] // self.n == cells[-1] // self.n:
            return " from the left", " from the right"
        return (" from above", " from below") if cells[0] % self.n == cells[-1] % self.n else ("", "")

    def _why(
        self, cells: Sequence[int], near: int, far: int, fillings: list[tuple[int, ...]], sides: tuple[str, str], supposed: int
    ) -> str:
        """What would be seen with these fillings, none of which has the hint; by one more cell if that says more."""
        whole, plain = self._shown(near, far, fillings, sides)
        if plain:
            return whole
        for p in range(self.n) if near else range(self.n - 1, -1, -1):
            values = sorted({filling[p] for filling in fillings})
            if p == supposed or len(values) < 2:
                continue
            ends: dict[str, list[int]] = {}
            for v in values:
                _, end = self._shown(near, far, [each for each in fillings if each[p] == v], sides)
                ends.setdefault(end, []).append(v)
            if "" not in ends:
                parts = []
                for own in ends.values():
                    why, _ = self._shown(near, far, [each for each in fillings if each[p] in own], sides)
                    parts.append(f"{why} if {self.cell[cells[p]]} is {listed([self.value(v) for v in own], 'or')}")
                return ", and ".join(parts) if len(parts) < 3 else listed(parts)
        if len(fillings) <= SHOWN:
            parts = []
            for each in fillings:
                why, _ = self._shown(near, far, [each], sides)
                parts.append(f"{why} in {' '.join(map(self.value, each))}")
            return listed(parts)
        return whole

    def _shown(self, near: int, far: int, fillings: list[tuple[int, ...]], sides: tuple[str, str]) -> tuple[str, str]:
        """What the fillings show at the end that has a hint, if that is not the hint in any of them, else ""; and whether all
        show less there, or all more, "" if that differs.
        """
        views = [_view(each if near else each[::-1]) for each in fillings]
        if (near or far) in map(self._makes, views):
            return "", ""
        return self._would(near or far, views, sides[0 if near else 1])

    def _makes(self, view: Sequence[int]) -> int:
        return sum(view) + len(view) if self.summed else len(view)

    def _would(self, hint: int, views: Sequence[tuple[int, ...]], side: str) -> tuple[str, str]:
        """ "only 3 and 5 would be seen", "at least 4 would be seen from the left"; and "less" or "more"."""
        makes = sorted(dict.fromkeys(map(self._makes, views)))
        less, more = [k for k in makes if k < hint], [k for k in makes if k > hint]
        end = "" if less and more else "less" if less else "more"
        if len(dict.fromkeys(views)) == 1:
            heights = [str(v + 1) for v in views[0]]
            if self.summed:
                return f"{' + '.join(heights)}{f' = {makes[0]}' if len(heights) > 1 else ''} would be seen{side}", end
            return f"{'only ' if less else ''}{listed(heights)} would be seen{side}", end
        parts = [f"{'at most ' if len(less) > 1 else ''}{less[-1]}"] if less else []
        parts += [f"{'at least ' if len(more) > 1 else ''}{more[0]}"] if more else []
        if self.summed:
            return f"the sum{side} would be {listed(parts, 'or')}", end
        return f"{listed(parts, 'or')} would be seen{side}", end

    def numbers(self, unit: int, ends: int) -> tuple[int, int]:
        """The hints at these ends of a unit, 0 for none."""
        seen = ends_of(self.n, unit, ends)
        near, far = [self.hint.get(line, 0) if line in seen else 0 for line in ends_of(self.n, unit)]
        return near, far

    def near_and_far(self, unit: int) -> tuple[int, int]:
        near, far = ends_of(self.n, unit)
        return self.hint[near], self.hint[far]

    def at_ends(self, unit: int, ends: int) -> str:
        """The hints at these ends of a row or column as a sentence."""
        if ends != NEAR | FAR:
            return self.seen(*ends_of(self.n, unit, ends))
        near, far = self.near_and_far(unit)
        first, second = self.sides(unit)
        return f"Along {self.unit(unit)}, {sight.seen(near, self.summed)} from {first} and {far} from {second}"

    def only_orders(self, unit: int, fits: Sequence[Sequence[int]]) -> str:
        """ "the only orders from left to right that fit are 1 2 4 3 or 1 3 4 2"."""
        way = "from left to right" if unit < self.n else "from top to bottom"
        each = listed([" ".join([str(v + 1) for v in order]) for order in fits], "or")
        one = len(fits) == 1
        return f"the only order{'' if one else 's'} {way} that fit{'s' * one} {'is' if one else 'are'} {each}"

    def sides(self, unit: int) -> tuple[str, str]:
        return ("the left", "the right") if unit < self.n else ("above", "below")

    def shown(self, unit: int, ends: int) -> str:
        """ "2 buildings seen from the left and 3 from the right"."""
        each = zip((NEAR, FAR), ends_of(self.n, unit), self.sides(unit), strict=True)
        parts = [(self.hint[line], side) for end, line, side in each if ends & end]
        numbers = [f"{k} from {side}" for k, side in parts]
        if self.summed:
            return f"heights seen that add up to {listed(numbers)}"
        (k, side), *_ = parts
        return listed([f"{k} building{'s' * (k > 1)} seen from {side}", *numbers[1:]])

    def misfit(self, step: Step, why: str) -> str:
        """ "But r1c2 is 4: at least 3 would be seen": what is known is at odds with a hint."""
        known = self.facts(step.grounds)
        return f"But {known}: {why}. {NO_ANSWER}" if why else f"But {known}, which leaves nothing that fits. {NO_ANSWER}"

    def case(self, cells: Sequence[int], near: int, far: int, step: Step, masks: Sequence[int] | None = None) -> str:
        """As cases(), for what a step concludes; "" if there is no room for it."""
        if not self.counts:
            return ""
        known = self.masks(step, cells) if masks is None else masks
        return self.cases(cells, near, far, known, step if step.sets or step.drops else None)


def _fillings(masks: Sequence[int], straight: bool) -> list[tuple[int, ...]]:
    """The fillings of a line that are left, in a straight one without repetition; none if they are too many."""
    found: list[tuple[int, ...]] = [()]
    for mask in masks:
        found = [(*each, v) for each in found for v in bits(mask) if not straight or v not in each]
        if len(found) > FILLINGS:
            return []
    return found


def _view(heights: Sequence[int]) -> tuple[int, ...]:
    """The heights that are seen from the first cell."""
    found: list[int] = []
    for v in heights:
        if not found or v > found[-1]:
            found.append(v)
    return tuple(found)


def _order(n: int, mask: int) -> tuple[int, ...]:
    """The values of an order of a unit (orders.py)."""
    return tuple([(mask >> n * p & (1 << n) - 1).bit_length() - 1 for p in range(n)])


def explain(words: Words, table: SightTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return Say(words, table).sentence(step)


class TwoHints(Found[Say]):
    """A line has two hints that differ."""

    line: int

    def says(self, say: Say, step: Step) -> str:
        return f"Along {sight.view(say.n, self.line)}, there are two hints that differ. {NO_ANSWER}"


class OneHint(Found[Say]):
    """No order with the hint of a line has what is dropped; or, as a contradiction, what this cell holds, or there is none."""

    line: int
    misfit: int = BLANK

    def says(self, say: Say, step: Step) -> str:
        hint, so, cells = say.seen(self.line), say.so(step), sight.cells_of(say.n, self.line)
        if self.misfit != BLANK:
            return f"{hint}. {say.misfit(step, self.at_odds(say, step, cells))}"
        n = say.n
        if step.drops == ((cells[1], n - 2),) and not (step.sets or say.summed) and say.hint[self.line] == 2:
            return f"{hint}{self.second(say, so)}"
        return f"{hint}{self.means(say, step, so)}" if so else f"{hint}, and in no order of the heights is that so. {NO_ANSWER}"

    def at_odds(self, say: Say, step: Step, cells: Sequence[int]) -> str:
        return say.case(cells, say.hint[self.line], 0, step)

    def second(self, say: Say, so: str) -> str:
        """What follows the hint 2 where it keeps the second tallest building from the second cell."""
        n = say.n
        return pick(
            say.voice,
            f"; with the {n - 1} in second place, the first building, the {n - 1} and the {n} would be three: {so}",
            f". If the {n - 1} came second, one more would be seen before it and the {n} behind it, so {so}",
            f", the first one and the {n}. The {n - 1} would be a third if it stood second: {so}",
        )

    def means(self, say: Say, step: Step, so: str) -> str:
        """What follows the hint: why it leads to the conclusion, and that."""
        n, k, cells = say.n, say.hint[self.line], sight.cells_of(say.n, self.line)
        sums = sight.few_sums(n, k) if say.summed else ""
        first, masks = "", [(1 << n) - 1] * n
        if sums:
            heights = listed([str(h) for h in sight.begins(n, k, True)], "or")
            first = f", which can only be {sums}, so the first building is {heights}"
            masks[0] = mask_of([h - 1 for h in sight.begins(n, k, True)])
            beyond = [tuple([fact for fact in each if fact[0] != cells[0]]) for each in (step.sets, step.drops)]
            step = replace(step, sets=beyond[0], drops=beyond[1])
            if not (step.sets or step.drops):
                return f"{first}: {so}"
        second = [v for i, v in step.drops if i == cells[1]] if sums else []
        begins = sight.begins(n, k, True) if second else ()
        if second and begins[-1] <= min(second) + 1:  # seen if it comes second
            after = listed([str(h) for h in begins if [h - 1] != second], "or")
            first = f"{first}. None of these sums goes on with {listed([str(v + 1) for v in second], 'or')} right after {after}"
            step = replace(step, drops=tuple([fact for fact in step.drops if fact[0] != cells[1]]))
            if not (step.sets or step.drops):
                return f"{first}, so {so}"
        case = say.case(cells, k, 0, step, masks)
        if not case:
            return f"{first}; in any order of the heights with this, {so}"
        return pick(
            say.voice,
            f"{first}. {say.begins(case)}. So {so}",
            f"{first}. But {case}. That leaves this: {so}",
            f"{first}. {say.begins(case)}, which is not the hint: {so}",
        )

    def why(self, say: Say) -> str:
        return say.hints([self.line])


class Nearest(OneHint):
    """The hint is the least there is, so the first cell holds the tallest building."""

    def means(self, say: Say, step: Step, so: str) -> str:
        n = say.n
        return pick(
            say.voice,
            f", so only the tallest building is seen, and it comes first: {so}",
            f". That is the least there can be: the {n} stands in front of all others, so {so}",
            f"; anything before the {n} would be seen too, so the {n} comes first: {so}",
        )


class Ascending(OneHint):
    """The hint is the greatest there is, so the buildings rise from 1 to n."""

    def means(self, say: Say, step: Step, so: str) -> str:
        n = say.n
        return pick(
            say.voice,
            f", so every building is seen, and they rise from 1 to {n}: {so}",
            f". None is hidden, so the heights come in order from 1 to {n}: {so}",
            f"; that is the most there can be, with the heights rising from 1 to {n}: {so}",
        )


class Climb(OneHint):
    """Too tall too near, and fewer would be seen than the hint says."""

    def means(self, say: Say, step: Step, so: str) -> str:
        k, n = say.hint[self.line], say.n
        if k == 2:
            return pick(
                say.voice,
                f", so the {n}, which hides all others, does not stand first: {so}",
                f". If the {n} stood first, it would hide all others: {so}",
                f"; with the {n} in front nothing else would be seen, so {so}",
            )
        reasons = self.reasons(say, step.drops)
        most = max([seen for seen, _ in reasons])
        tall = listed([text for _, text in reasons], "or")
        return pick(
            say.voice,
            f". At most {most} could be seen with {tall}: {so}",
            f", but at most {most} could be with {tall}, so {so}",
            f"; {tall} would leave at most {most} to be seen. So {so}",
            f". No more than {most} could be seen with {tall}, so {so}",
        )

    def reasons(self, say: Say, facts: Sequence[Fact]) -> list[tuple[int, str]]:
        """Of each cell, how many could be seen with the lowest of these buildings there, and the words of it: "4 at r2c2 (one
        before it, 4 and 5)".
        """
        found = []
        for p, i in enumerate(sight.cells_of(say.n, self.line)):
            values = sorted([v for j, v in facts if i == j])
            if values:
                taller = [str(h) for h in range(values[0] + 1, say.n + 1)]
                seen = listed([*([f"{NUMBERS[p]} before it"] if p else []), *taller])
                alone = " alone" if seen == str(say.n) else ""
                told = f"{listed([say.value(v) for v in values], 'or')} at {say.cell[i]} ({seen}{alone})"
                found.append((p + len(taller), told))
        return found

    def at_odds(self, say: Say, step: Step, cells: Sequence[int]) -> str:
        held = [ground.fact for ground in step.grounds or () if ground.holds and ground.fact[0] == self.misfit]
        if not held:
            return super().at_odds(say, step, cells)
        ((most, tall),) = self.reasons(say, held)
        return f"at most {most} could be seen with {tall}"


class BothEnds(Found[Say]):
    """No order with the hints of both ends of a unit has what is dropped; contradictions as in OneHint."""

    unit: int
    misfit: int = BLANK

    def says(self, say: Say, step: Step) -> str:
        hints, n = say.at_ends(self.unit, NEAR | FAR), say.n
        near, far = say.near_and_far(self.unit)
        so, cells = say.so(step), say.members(self.unit)
        if self.misfit != BLANK:
            return f"{hints}. {say.misfit(step, say.case(cells, near, far, step))}"
        if not so:
            why = "no order of the heights has both"
            if near == far == (n if say.summed else 1):
                why = f"the {n} would be first from both ends"
            elif near + far > n + 1 and not say.summed:
                many = f"these would be {near + far - 1} different buildings, and there are {n}"
                why = f"only the {n} is seen from both ends, so {many}"
            return f"{hints}, and {why}. {NO_ANSWER}"
        then = ""
        if (near, far) in ((1, 2), (2, 1)) and not say.summed:
            then = pick(
                say.voice,
                f"the {n} stands at one end, and seen from the other only one building comes before it, the {n - 1}",
                f"one end has the {n}, and the building at the other end hides all others, so it is the {n - 1}",
                f"so the {n} is at one end and the {n - 1} at the other, where it hides all between them",
            )
        elif near + far == n + 1 and not say.summed:
            then = f"only the {n} is seen from both ends, so all are seen, rising up to the {n} and falling behind it"
        elif len(few := orders(n, say.summed, near, far)) <= LISTED:
            then = say.only_orders(self.unit, [_order(n, mask) for mask in few])
        if then:
            return f"{hints}; {then}: {so}"
        case = say.case(cells, near, far, step, [(1 << n) - 1] * n)
        return f"{hints}. {say.begins(case)}. So {so}" if case else f"{hints}; in any order of the heights with this, {so}"

    def why(self, say: Say) -> str:
        return say.hints(ends_of(say.n, self.unit))


class Orders(Found[Say]):
    """All orders of a unit that fit its hints at these ends and what is known have this. many: how many; 0: a contradiction."""

    unit: int
    ends: int
    many: int

    def says(self, say: Say, step: Step) -> str:
        known, hints = say.given(step, ""), say.at_ends(self.unit, self.ends)
        near, far = say.numbers(self.unit, self.ends)
        case = "" if self.listed() else say.case(say.members(self.unit), near, far, step)
        if not self.many:
            left = f"{say.unit(self.unit)} has no order left with {say.shown(self.unit, self.ends)}"
            return f"{say.begins(left)}{': ' * bool(known)}{known}{f'. Then {case}' if case else ''}. {NO_ANSWER}"
        fitting, so = self.fitting(say), say.so(step)
        if case:
            return pick(
                say.voice,
                f"{hints}{f'. {say.begins(known)}' if known else ''}. {say.begins(case)}. So {so}",
                f"{f'{say.begins(known)}. ' if known else ''}{hints}. But {case}, so {so}",
                f"{hints}{f'. {say.begins(known)}' if known else ''}. {say.begins(case)}, which does not fit. So {so}",
            )
        if not known:
            return f"{hints}; {fitting}: {so}"
        return pick(
            say.voice,
            f"{hints}. {say.begins(known)}. So {fitting}: {so}",
            f"{hints}, and more is known: {known}. Then {fitting}: {so}",
            f"take {say.unit(self.unit)}: {known}. {hints}; {fitting}: {so}",
        )

    def listed(self) -> bool:
        """Return whether the orders are listed."""
        return False

    def fitting(self, say: Say) -> str:
        return "in every order that fits all of this"

    def why(self, say: Say) -> str:
        return f"no order that fits {say.unit(self.unit)} and its hints has that"


class Completion(Orders):
    """The same with few orders, which are listed."""

    orders: tuple[tuple[int, ...], ...] = ()

    def listed(self) -> bool:
        return bool(self.orders)

    def fitting(self, say: Say) -> str:
        return say.only_orders(self.unit, self.orders) if self.orders else super().fitting(say)


class Diagonal(Found[Say]):
    """No way to fill the diagonal with its hint, as far as it is known, has what is dropped."""

    line: int

    def says(self, say: Say, step: Step) -> str:
        so, known, hint = say.so(step), say.given(step, ""), say.seen(self.line)
        case = say.case(sight.cells_of(say.n, self.line), say.hint[self.line], 0, step)
        if not so:
            return f"{hint}. But {known}{f': {case}' if case else ', so that cannot be'}. {NO_ANSWER}"
        hint = f"{hint}{f'. {say.begins(known)}' if known else ''}"
        if not case:
            return f"{hint}. However it is filled from here, {so}"
        return pick(
            say.voice,
            f"{hint}. {say.begins(case)}. So {so}",
            f"{hint}. But {case}, so {so}",
            f"{hint}. {say.begins(case)}, which does not fit: {so}",
        )

    def why(self, say: Say) -> str:
        return say.hints([self.line])


class Given(findings.Excluded, technique="contradiction"):
    """A value that is given in a cell is excluded."""


class NoOrder(findings.Fails[Say], technique="contradiction"):
    """No order of a unit fits the hints of these ends."""

    unit: int
    ends: int

    def failure(self, say: Say) -> str:
        return f"{say.unit(self.unit)} has no order left with {say.shown(self.unit, self.ends)}"

    def so(self, say: Say, step: Step) -> str:
        case = say.case(say.members(self.unit), *say.numbers(self.unit, self.ends), step)
        return f". Then {case}" if case else ""


class NoWay(findings.Fails[Say], technique="contradiction"):
    """No way to fill a diagonal fits its hint."""

    line: int

    def failure(self, say: Say) -> str:
        k = say.hint[self.line]
        return f"{k} building{'s' * (k > 1)} can no longer be seen along {sight.view(say.n, self.line)}"

    def so(self, say: Say, step: Step) -> str:
        case = say.case(sight.cells_of(say.n, self.line), say.hint[self.line], 0, step)
        return f". Then {case}" if case else ""


class Line(Found[Say]):
    """Within a look-ahead: a line is narrowed. unit: BLANK for a diagonal."""

    unit: int
    line: int = BLANK

    def says(self, say: Say, step: Step) -> str:
        if self.unit == BLANK:
            where = sight.view(say.n, self.line)
            case = say.case(sight.cells_of(say.n, self.line), say.hint[self.line], 0, step)
        else:
            where, near_and_far = say.unit(self.unit), say.numbers(self.unit, NEAR | FAR)
            case = say.case(say.members(self.unit), *near_and_far, step)
        known = say.given(step, " (", ")")
        if not case:
            return f"with the hints of {where}{known} {say.so(step)}"
        return f"in {where}{known} {case}, so {say.so(step)}"

    def briefly(self, say: Say) -> str:
        return f"{say.unit(self.unit) if self.unit != BLANK else sight.view(say.n, self.line)} is narrowed"


class FarLookAhead(findings.LookAhead):
    """The same with lines narrowed to the orders that fit."""


HintFound = OneHint | BothEnds
TECHNIQUES = tiers(
    [findings.FullLine, findings.HiddenSingle, findings.NakedSingle, findings.NoValue, TwoHints, Nearest, Ascending],
    [Climb, OneHint, BothEnds],
    [*findings.NAKED.values(), *findings.HIDDEN.values(), Completion],
    [Orders, Diagonal, findings.XWing, findings.XYWing, findings.Swordfish],
    [findings.LookAhead],
    [FarLookAhead],
    [findings.Search],
)


# ---- deduction ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _View:
    """Orders and values that fit the lines so far. looked: a unit's candidates when it was looked at, and those in its orders.

    diagonals: a diagonal's candidates when it was looked at, and those that fit (None: none do).
    """

    fits: dict[int, Sequence[int]]
    looked: dict[int, tuple[int, int]]
    diagonals: dict[int, tuple[list[int], list[int] | None]]

    def copy(self) -> _View:
        return _View(dict(self.fits), dict(self.looked), dict(self.diagonals))


class _Sight(Deduction):
    LOOKS = (findings.LookAhead, FarLookAhead)

    def __init__(self, table: SightTable, ids: Sequence[str]) -> None:
        n = table.n
        super().__init__(LatinTable(n, (), ()), ids)
        self.n, self.sight = n, table
        self.hint: dict[int, tuple[int, int]] = {}  # by line: the number, and which clue says it
        for source, (place, k) in enumerate(table.clues):
            if place >= n * n and (table.diagonals or place < n * n + 4 * n):
                self.hint.setdefault(place - n * n, (k, source))
        self.lines = [k for k in range(2 * n) if any(line in self.hint for line in ends_of(n, k))]
        self.diagonals = [line for line in range(4 * n, 4 * n + 4) if line in self.hint]
        self.view = _View({k: orders(n, table.summed, *self._numbers(k, NEAR | FAR)) for k in self.lines}, {}, {})
        # what hints say by themselves is looked at once: along these lines, or from both ends of these units
        lines = sorted(self.hint)
        straight = [line for line in lines if line < 4 * n]
        least, most = (n, n * (n + 1) // 2) if table.summed else (1, n)
        self.unseen = [k for k in self.lines if all(line in self.hint for line in ends_of(n, k))]
        self.alone: dict[type[HintFound], list[int]] = {
            Nearest: [line for line in straight if self.hint[line][0] == least],
            Ascending: [line for line in lines if self.hint[line][0] == most],
            Climb: [] if table.summed else lines,
            OneHint: straight,
            BothEnds: list(self.unseen),
        }

    def _techniques(self) -> list[Callable[[], bool]]:
        techniques: list[Callable[[], bool]] = [self._at_odds, *[partial(self._by_hints, kind) for kind in self.alone]]
        techniques += [self._subset(2, hidden) for hidden in (False, True)]
        techniques += [lambda: self._complete(Completion, LISTED)]
        techniques += [self._subset(size, hidden) for size in (3, 4) for hidden in (False, True)]
        techniques += [self._diagonal, self._fish(2), self._wing(findings.XYWing, 2), self._fish(3)]
        return [*techniques, lambda: self._complete(Orders, 1 << 30)]

    # ---- hints and lines

    def _numbers(self, k: int, ends: int) -> tuple[int, int]:
        """The hints at these ends of a unit, 0 for none."""
        seen = ends_of(self.n, k, ends)
        near, far = [self.hint[line][0] if line in seen and line in self.hint else 0 for line in ends_of(self.n, k)]
        return near, far

    def _unit(self, line: int) -> tuple[int, int]:
        """The unit along which a hint looks, and the end at which it stands."""
        n = self.n
        side, at = divmod(line, n)
        return (n + at if side < 2 else at), (FAR if side % 2 else NEAR)

    def _cells(self, line: int) -> list[int]:
        """The cells of a line of hints, the nearest first."""
        n = self.n
        if line < 4 * n:
            k, end = self._unit(line)
            return list(self.g.units[k] if end == NEAR else self.g.units[k][::-1])
        falling, rising = [i * n + i for i in range(n)], [i * n + n - 1 - i for i in range(n)]
        return (falling, rising, rising[::-1], falling[::-1])[line - 4 * n]

    def _mask(self, state: State, k: int) -> int:
        """The candidates of a unit as a mask of the kind that orders are."""
        mask = 0
        for i in reversed(self.g.units[k]):
            mask = mask << self.n | state.candidates[i]
        return mask

    def _split(self, union: int) -> list[int]:
        return [union >> self.n * p & (1 << self.n) - 1 for p in range(self.n)]

    def _narrowed(self, state: State, k: int) -> tuple[int, int]:
        """A unit's candidates and those of them that some fitting order has."""
        view, mask = self.view, self._mask(state, k)
        found = view.looked.get(k)
        if found is None or found[0] != mask:
            gone = ~mask
            fits = [order for order in view.fits[k] if not order & gone]
            view.fits[k] = fits
            found = view.looked[k] = mask, union(fits)
        return found

    def _crossing(self, state: State, line: int) -> list[int] | None:
        """The candidates of a diagonal's cells that some filling with its hint has; None if there is none."""
        masks = [state.candidates[i] for i in self._cells(line)]
        found = self.view.diagonals.get(line)
        if found is None or found[0] != masks:
            found = self.view.diagonals[line] = masks, ways(masks, self.hint[line][0])
        return found[1]

    # ---- hints by themselves

    def begin(self) -> None:
        n, state = self.n, self.state
        for source, (place, v) in enumerate(self.sight.clues):
            uses = self._uses()
            line = place - n * n
            if line >= 0:
                if line in self.hint and self.hint[line][0] != v:
                    uses.sources.update((source, self.hint[line][1]))
                    self._note(TwoHints(line), uses, (), ())
                    return
            elif state.candidates[place] >> v & 1:
                if state.held[place] == BLANK:
                    state.place(place, v, source)
            else:
                uses.given(place, v, source)
                uses.absent(place, v)
                self._note(Given(place, v), uses, (), ())
                return

    def _singles(self) -> None:
        super()._singles()
        if not self.state.open:
            # every cell is set; now the hints that nothing has leant on must be right too
            _ = self._complete(Completion, 1 << 30) or self._diagonal()

    def _at_odds(self) -> bool:
        """Hints of both ends that no order has; looked for once, before anything else."""
        pairs, self.unseen = self.unseen, []
        return any(
            self._narrow(BothEnds, k) for k in pairs if not union_of(self.n, self.sight.summed, *self._numbers(k, NEAR | FAR))
        )

    def _by_hints(self, kind: type[HintFound]) -> bool:
        """Conclude once what hints leave to their cells by themselves."""
        waiting = self.alone[kind]
        while waiting:
            if self._narrow(kind, waiting.pop(0)):
                return True
        return False

    def _narrow(self, kind: type[HintFound], where: int) -> bool:
        """Note what the hint of a line, or those at both ends of a unit, leave to each cell."""
        n, state, uses = self.n, self.state, self._uses()
        k, ends = (where, NEAR | FAR) if kind is BothEnds else self._unit(where)
        lines = ends_of(n, k) if kind is BothEnds else (where,)
        uses.sources.update([self.hint[line][1] for line in lines])
        if kind not in (Ascending, Climb):
            uses.rules |= self.g.rule[k]
        cells: Sequence[int] = self._cells(where) if kind not in (OneHint, BothEnds) else self.g.units[k]
        if kind is Nearest:
            allowed = [1 << n - 1] + [(1 << n - 1) - 1] * (n - 1)
        elif kind is Ascending:
            allowed = [1 << v for v in range(n)]
        elif kind is Climb:
            allowed = [(1 << min(n, n - self.hint[where][0] + p + 1)) - 1 for p in range(n)]
        else:
            allowed = self._split(union_of(n, self.sight.summed, *self._numbers(k, ends)))
            if not any(allowed):
                return self._note(kind(where), uses, (), ())
        sets: list[Fact] = []
        drops: list[Fact] = []
        for i, mask in zip(cells, allowed, strict=True):
            own = state.candidates[i]
            if not own & mask:
                for v in bits(mask):
                    uses.absent(i, v)
                return self._note(kind(where, i), uses, (), ())
            if own & ~mask and mask & mask - 1 == 0 and own & mask:
                sets.append((i, mask.bit_length() - 1))
            else:
                drops += [(i, v) for v in bits(own & ~mask)]
        placed = {v for _, v in sets} if uses.rules else set()
        drops = [(i, v) for i, v in drops if v not in placed]
        return bool(sets or drops) and self._note(kind(where), uses, sets, drops)

    # ---- tiers 3 and 4

    def _complete(self, kind: type[Orders], most: int) -> bool:
        """Narrow the line with the fewest orders that fit, among those that can be narrowed, if these are not too many."""
        best, fewest = BLANK, most + 1
        for k in self.lines:
            mask, union = self._narrowed(self.state, k)
            if mask != union and len(self.view.fits[k]) < fewest:
                best, fewest = k, len(self.view.fits[k])
        if best == BLANK:
            return False
        mask, union = self.view.looked[best]
        cells, uses = self.g.units[best], self._uses()
        if not union:
            ends, _ = self._need_order(uses, best, -1, False)
            return self._note(Completion(best, ends, 0), uses, (), ())
        sets: list[Fact] = []
        drops: list[Fact] = []
        lost = 0
        for p, (i, left) in enumerate(zip(cells, self._split(union), strict=True)):
            gone = self.state.candidates[i] & ~left
            if gone and not left & left - 1:
                sets.append((i, left.bit_length() - 1))
                lost |= ((1 << self.n) - 1 & ~left) << self.n * p
        listing = kind is Completion
        if listing or not sets:
            placed = {v for _, v in sets} | {self.n}
            where = {i for i, _ in sets}
            lost |= mask & ~union
            drops = [(cells[b // self.n], b % self.n) for b in bits(mask & lost)]
            drops = [(i, v) for i, v in drops if i not in where and v not in placed]
        ends, fits = self._need_order(uses, best, lost, listing)
        found = Orders(best, ends, len(fits))
        if listing:
            fitting = [_order(self.n, order) for order in fits]
            found = Completion(best, ends, len(fits), tuple(fitting))
        return self._note(found, uses, sets, drops)

    def _need_order(self, uses: Uses, k: int, lost: int, listing: bool) -> tuple[int, Sequence[int]]:
        """Find why no order of a unit has what is lost (-1: why there is none): the ends whose hints say so, and their orders.

        listing: why no others than those fit, at most LISTED.
        """
        n, state = self.n, uses.state
        cells = self.g.units[k]
        gone, held = 0, 0
        values = 0  # held in this unit
        for p, i in enumerate(cells):
            if state.held[i] != BLANK and state.source[i] < uses.before:
                held |= 1 << n * p + state.held[i]
                values |= 1 << state.held[i]
            for v in range(n):
                if not state.candidates[i] >> v & 1 or state.held[i] == v:
                    absent = state.held[i] != v and state.reasons(i, v, uses.before)
                    gone |= bool(absent) << n * p + v
        fits: list[int] = []
        for ends in (NEAR, FAR, NEAR | FAR):
            if any(line not in self.hint for line in ends_of(n, k, ends)):
                continue
            every = orders(n, self.sight.summed, *self._numbers(k, ends))
            fits = [order for order in every if not order & gone]
            if not any(order & lost for order in fits) and (not listing or len(fits) <= LISTED or lost < 0):
                break
        else:
            raise AssertionError(f"unit {k}: an order that fits has what was dropped")
        other = gone  # absences that do not follow from the held cells of the unit
        for p in range(n):
            if held >> n * p & (1 << n) - 1:
                other &= ~((1 << n) - 1 << n * p)
            other &= ~(values << n * p)
        clashes = {order & other | held & ~order for order in every if (order & gone if listing else order & lost)}
        for b in bits(hitting(clashes, held)):
            if held >> b & 1:
                uses.held(cells[b // n])
            else:
                uses.absent(cells[b // n], b % n)
        uses.sources.update([self.hint[line][1] for line in ends_of(n, k, ends)])
        uses.rules |= self.g.rule[k]
        return ends, fits

    def _diagonal(self) -> bool:
        for line in self.diagonals:
            allowed = self._crossing(self.state, line)
            cells, uses = self._cells(line), self._uses()
            drops = []
            for i, left in zip(cells, allowed or [0] * self.n, strict=True):
                drops += [(i, v) for v in bits(self.state.candidates[i] & ~left)]
            if allowed is None:
                self._need_way(uses, line, None)
                return self._note(Diagonal(line), uses, (), ())
            if drops:
                self._need_way(uses, line, drops)
                return self._note(Diagonal(line), uses, (), drops)
        return False

    def _need_way(self, uses: Uses, line: int, drops: Sequence[Fact] | None) -> None:
        """Why no filling of a diagonal has what is dropped (None: why there is none)."""
        n, state, k = self.n, uses.state, self.hint[line][0]
        cells = self._cells(line)
        at = {i: p for p, i in enumerate(cells)}
        full = (1 << n) - 1

        def follows(masks: Sequence[int]) -> bool:
            allowed = ways(masks, k)
            if allowed is None or drops is None:
                return allowed is None
            return not any(allowed[at[i]] >> v & 1 for i, v in drops)

        masks = []
        for i in cells:
            absent = [v for v in range(n) if state.held[i] != v and state.reasons(i, v, uses.before)]
            masks.append(full & ~sum([1 << v for v in absent]))
        for p in range(n):
            if masks[p] != full and follows([*masks[:p], full, *masks[p + 1 :]]):
                masks[p] = full
        for p, i in enumerate(cells):
            if masks[p] != full and state.held[i] != BLANK and state.source[i] < uses.before:
                uses.held(i)
                continue
            for v in bits(full & ~masks[p]):
                if follows([*masks[:p], masks[p] | 1 << v, *masks[p + 1 :]]):
                    masks[p] |= 1 << v
                else:
                    uses.absent(i, v)
        uses.sources.add(self.hint[line][1])

    # ---- looking ahead

    def _failed(self, uses: Uses, failure: Failure) -> Found[Any]:
        if failure[0] == NO_ORDER:
            ends, _ = self._need_order(uses, failure[1], -1, False)
            return NoOrder(failure[1], ends)
        if failure[0] == NO_WAY:
            self._need_way(uses, failure[1], None)
            return NoWay(failure[1])
        return super()._failed(uses, failure)

    def _assume(self, i: int, v: int, deep: bool) -> tuple[list[Forced], Failure, State]:
        before, self.view = self.view, self.view.copy()
        assumed = super()._assume(i, v, deep)
        self.view = before
        return assumed

    def _beyond(self, state: State, deep: bool) -> tuple[Failure, Forced | None, list[Fact]]:
        n = self.n
        for k in self.lines:
            mask, union = self._narrowed(state, k)
            lost = mask & ~union
            if not union:
                return (NO_ORDER, k), None, []
            if deep and lost:
                return (), ("line", 0, k, BLANK, lost), [(self.g.units[k][b // n], b % n) for b in bits(lost)]
        for line in self.diagonals:
            allowed = self._crossing(state, line)
            if allowed is None:
                return (NO_WAY, line), None, []
            cells = self._cells(line)
            gone = [state.candidates[j] & ~left for j, left in zip(cells, allowed, strict=True)]
            if deep and any(gone):
                drops = [(j, w) for j, mask in zip(cells, gone, strict=True) for w in bits(mask)]
                return (), ("line", 1, line, BLANK, sum([mask << n * p for p, mask in enumerate(gone)])), drops
        return (), None, []

    def _forced(self, part: Uses, forced: Forced, wanted: Collection[Fact]) -> tuple[Found[Any], list[Fact], list[Fact]]:
        technique, across, w, _, lost = forced
        if technique != "line":
            return super()._forced(part, forced, wanted)
        n, cells = self.n, self._cells(w) if across else self.g.units[w]
        drops = [(cells[b // n], b % n) for b in bits(lost) if (cells[b // n], b % n) in wanted]
        if across:
            self._need_way(part, w, drops)
            return Line(BLANK, w), [], drops
        self._need_order(part, w, sum([1 << n * cells.index(c) + x for c, x in drops]), False)
        return Line(w), [], drops
