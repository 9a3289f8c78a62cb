"""Findings about sight hints and their wording: what would be seen, orders of a line that fit, sums, diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.model import BLANK, Fact, LatinTable, SightTable, Step
from puzzlemill.core.words import NUMBERS, Words, listed, pick
from puzzlemill.rules import sight
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.latin_findings import NO_ANSWER
from puzzlemill.solvers.deduce.masks import bits, mask_of
from puzzlemill.solvers.deduce.orders import FAR, NEAR, ends_of, orders
from puzzlemill.solvers.deduce.steps import Found, tiers

LISTED = 4  # orders are listed in words up to this many
LISTED_ENDS = 6  # and from hints at both ends
FEW = 100  # characters of facts that come before what they lead to
SHOWN = 4  # fillings are shown one by one up to this many
FILLINGS = 5040  # fillings of a line that are looked at, at most, to say what they show
NO_ORDER, NO_WAY = 3, 4  # what fails: no order of a unit, no way to fill a diagonal


class Say(findings.Say):
    """Sentences about skyscrapers: values are heights, and clues around the grid are hints."""

    less, supposed, others = "have no other height", "were", "for the other cells"

    def __init__(self, words: Words, table: SightTable) -> None:
        heights = replace(words, value=lambda v: str(v + 1), noun="height")
        super().__init__(heights, LatinTable(table.n, (), ()))
        self.summed = table.summed
        self.counts = 2  # 0: it is not told what would be seen; 1: in short, and not by what can add up to a hint
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
        return _all(parts)

    def seen(self, line: int) -> str:
        """The hint of a line as a sentence."""
        return f"Along {sight.view(self.n, line)}, {sight.seen(self.hint[line], self.summed)}"

    def sentence(self, step: Step) -> str:
        """As for other grids; what would be seen is left out before facts are."""
        for counts, brief in ((2, 0), (1, 0), (1, 1), (0, 0), (0, 1), (0, 2), (0, 3)):
            self.counts, self.brief = counts, brief
            text = self.told(step)
            if len(text) <= findings.LONGEST:
                break
        return text

    def hints(self, lines: Sequence[int]) -> str:
        """Why something is ruled out: "the hint above column 3 is 2"."""
        lines = list(dict.fromkeys(lines))
        if len(lines) == 1:
            return f"the hint {sight.beside(self.n, lines[0])} is {self.hint[lines[0]]}"
        return f"the hints are {listed([f'{self.hint[line]} {sight.beside(self.n, line)}' for line in lines])}"

    def dropped(self, lost: dict[Any, list[Fact]]) -> list[str]:
        by_hints = [by for by in lost if isinstance(by, OneHint)]
        if len(by_hints) < 2:
            return super().dropped(lost)
        rest = {by: facts for by, facts in lost.items() if by not in by_hints}
        each = sorted(by_hints, key=lambda by: min(lost[by]))
        parts = [f"{self.ruled_out(lost[by])} (hint {self.hint[by.line]} {sight.beside(self.n, by.line)})" for by in each]
        return [listed(parts), *super().dropped(rest)]

    # ---- why a hint rules something out

    def masks(self, step: Step, cells: Sequence[int]) -> list[int]:
        """What the facts of a step leave to these cells."""
        gone = self.gone(step)
        grounds, every = step.grounds or (), range(self.n)
        held = {ground.fact[0]: ground.fact[1] for ground in grounds if ground.holds}
        held.update({ground.fact[0]: ground.by.value for ground in grounds if isinstance(ground.by, findings.Filled)})
        return [1 << held[i] if i in held else mask_of([v for v in every if (i, v) not in gone]) for i in cells]

    def cases(
        self, cells: Sequence[int], near: int, far: int, masks: Sequence[int], step: Step | None, lost: Sequence[Fact] = ()
    ) -> str:
        """Why these hints of the first and the last of the cells (0: none) rule out what a step concludes (None: everything):
        "with 3 at r2c2, 4 would be seen with 1 or 2 at r2c1, and 1 with 4 there". "" where that takes too long to tell.

        masks: what is left to each cell. lost: what cells that the step sets might have been.
        """
        sides = self.sides_of(cells)
        fillings = _fillings(masks, straight=bool(sides[0]))
        if not fillings:
            return ""
        if not (near and far):
            sides = ("", "")
        if step is None:
            where, why = self._from_an_end(cells, near, far, fillings, sides, -1)
            if not why:
                return ""
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
                wrong[i] = [w for j, w in lost if j == i] or [w for w in range(self.n) if w != v]
        ends: dict[tuple[str, str], dict[int, list[int]]] = {}  # what is wrong with what, by cell
        for i, values in wrong.items():
            p = cells.index(i)
            for v in values:
                here = [filling for filling in fillings if filling[p] == v]
                sums = self._by_sums(cells, near, far, masks, v, p) if here else ()
                if sums:
                    rest = sums[1] if any(text.startswith(sums[0]) for text in told) else f"{sums[0]}: {sums[1]}"
                    told.append(f"{rest}, so no {self.value(v)} at {self.cell[i]}")
                elif here:
                    ends.setdefault(self._from_an_end(cells, near, far, here, sides, p), {}).setdefault(i, []).append(v)
        for (where, why), by_cell in ends.items():
            if not why:
                return ""
            both = [f"{listed([self.value(v) for v in own], 'or')} at {self.cell[i]}" for i, own in by_cell.items()]
            told.append(f"with {listed(both, 'or')}{f' and {where}' if where else ''}, {why}")
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

    def _by_sums(
        self, cells: Sequence[int], near: int, far: int, masks: Sequence[int], v: int, p: int
    ) -> tuple[str, str] | tuple[()]:
        """What can add up to the hint at an end, and why none of it goes with a value in a place; () if it does."""
        for hint, way, side in ((near, 1, self.sides_of(cells)[0]), (far, -1, self.sides_of(cells)[1])):
            line, left, place = cells[::way], masks[::way], p if way > 0 else self.n - 1 - p
            held = [(at, mask.bit_length()) for at, mask in enumerate(left) if not mask & mask - 1]
            every = sight.sums(self.n, hint) if hint and self.summed and self.counts == 2 else ()
            every = tuple([each for each in every if not any(_unfit(each, w, at) for at, w in held)])
            by: dict[str, list[str]] = {}
            for each in every:
                reason = _unfit(each, v + 1, place) or self._no_place(line, left, each, v + 1, place)
                by.setdefault(reason, []).append(" + ".join(map(str, each)))
            if by and "" not in by:
                whole = f"{hint}{side} can only be {' or '.join([' + '.join(map(str, each)) for each in every])}"
                return whole, "; ".join([f"in {listed(own)} {reason}" for reason, own in by.items()])
        return ()

    def _no_place(self, cells: Sequence[int], masks: Sequence[int], heights: Sequence[int], v: int, p: int) -> str:
        """Which of the heights to be seen has no place beside v in place p: "the 2 would have to be at r2c6"; "" if all have."""
        for w in heights:
            if w != v:
                at = [q for q in range(self.n) if q != p and not _unfit(heights, w, q)]
                at = [q for q in at if v not in heights or (q < p) == (w < v)]
                if at and not any(masks[q] >> w - 1 & 1 for q in at):
                    return f"the {w} would have to be at {listed([self.cell[cells[q]] for q in sorted(at)], 'or')}"
        return ""

    def sides_of(self, cells: Sequence[int]) -> tuple[str, str]:
        if cells[0] // self.n == cells[-1] // self.n:
            return " from the left", " from the right"
        return (" from above", " from below") if cells[0] % self.n == cells[-1] % self.n else ("", "")

    def _why(
        self, cells: Sequence[int], near: int, far: int, fillings: list[tuple[int, ...]], sides: tuple[str, str], supposed: int
    ) -> str:
        """What would be seen with these fillings, by one more cell if that says more; "" if one of them has the hint."""
        whole, plain = self._shown(near, far, fillings, sides)
        if plain or not whole:
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
            many = f"{NUMBERS[makes[0]]} building{'s' * (makes[0] > 1)}, {'the ' * (makes[0] == 1)}{listed(heights)},"
            return f"{'only ' if less else ''}{many} would be seen{side}", end
        counted = str if self.summed or self.counts < 2 else NUMBERS.__getitem__
        parts = [f"{'at most ' if len(less) > 1 else ''}{counted(less[-1])}"] if less else []
        parts += [f"{'at least ' if len(more) > 1 else ''}{counted(more[0])}"] if more else []
        if self.summed:
            return f"the sum{side} would be {listed(parts, 'or')}{'' if end else f', never {hint}'}", end
        parts[-1] += f" building{'s' * (not parts[-1].endswith('one'))}" if self.counts == 2 else ""
        return f"{listed(parts, 'or')} would be seen{side}{'' if end else f', never {hint}'}", end

    def numbers(self, unit: int, ends: int) -> tuple[int, int]:
        """The hints at these ends of a unit, 0 for none."""
        seen = ends_of(self.n, unit, ends)
        near, far = [self.hint.get(line, 0) if line in seen else 0 for line in ends_of(self.n, unit)]
        return near, far

    def crossed(self, step: Step) -> str:
        """What a step restates of a diagonal; where rows and columns rule out much, they are not named one by one."""
        grounds = step.grounds or ()
        crossing = [ground for ground in grounds if ground.holds and any(way >= 0 for _, way in ground.out)]
        if len(crossing) < 3 or self.brief:
            return self.given(step, "")
        by_cell: dict[int, list[Fact]] = {}
        for ground in crossing:
            for (i, _), way in ground.out:
                if way >= 0:
                    by_cell.setdefault(i, []).append(ground.fact)
        shown = [
            f"{self.cell[i]} is not {listed([self.value(v) for v in sorted(v for _, v in facts)], 'or')} ({self.placed(facts)})"
            for i, facts in sorted(by_cell.items())
        ]
        rest = self.facts([ground._replace(out=()) for ground in grounds if ground not in crossing])
        return "; ".join([rest, *shown] if rest else shown)

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
        each = listed([" ".join([str(v + 1) for v in order]) for order in fits])
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
        return f"But {known}, and then {why}. {NO_ANSWER}" if why else f"But {known}, which leaves nothing that fits. {NO_ANSWER}"

    def case(
        self,
        cells: Sequence[int],
        near: int,
        far: int,
        step: Step,
        masks: Sequence[int] | None = None,
        lost: Sequence[Fact] = (),
    ) -> str:
        """As cases(), for what a step concludes; "" if there is no room for it."""
        if not self.counts:
            return ""
        known = self.masks(step, cells) if masks is None else masks
        return self.cases(cells, near, far, known, step if step.sets or step.drops else None, lost)


def _all(parts: Sequence[str]) -> str:
    """Clauses joined by "and", with a comma where they have one within."""
    return ", and ".join(parts) if len(parts) == 2 and any(" and " in part for part in parts) else listed(parts)


def _fillings(masks: Sequence[int], straight: bool) -> list[tuple[int, ...]]:
    """The fillings of a line that are left, in a straight one without repetition; none if they are too many."""
    found: list[tuple[int, ...]] = [()]
    for mask in masks:
        values = tuple(bits(mask))
        found = [(*each, v) for each in found for v in values if not straight or v not in each]
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


def order_of(n: int, mask: int) -> tuple[int, ...]:
    """The values of an order of a unit (orders.py)."""
    return tuple([(mask >> n * p & (1 << n) - 1).bit_length() - 1 for p in range(n)])


def plain_ends(n: int, summed: bool, near: int, far: int) -> bool:
    """Return whether the hints at both ends need no facts to be understood."""
    return (not summed and ((near, far) in ((1, 2), (2, 1)) or near + far == n + 1)) or len(
        orders(n, summed, near, far)
    ) <= LISTED


def _unfit(heights: Sequence[int], v: int, p: int) -> str:
    """Why a building of height v cannot be in place p (from 0) if just these are seen; "" if it can."""
    if v in heights:
        j = heights.index(v)
        if not j:
            return f"the {v} comes first" if p else ""
        if p < j:
            return f"{NUMBERS[j]} {'is' if j == 1 else 'are'} seen before the {v}"
        top = heights[j - 1]
        return f"only heights up to {top} can stand before the {v}, so it is {_ORDINALS[top]} at the latest" if p > top else ""
    before = [h for h in heights if h < v]
    if p > len(before):
        return ""
    hides = f"the {heights[len(before)]}"
    return f"the {v} is hidden by {hides}, which stands {_ORDINALS[len(before)]}{' at the earliest' if before else ''}"


def in_sums(sums: Sequence[Sequence[int]], v: int, p: int) -> str:
    """Why a building of height v cannot be in place p (from 0) with any of these sums: "in 3 + 5 the 3 comes first; in ...".

    "" if there are no sums, or it can be with one.
    """
    by: dict[str, list[str]] = {}
    for heights in sums:
        by.setdefault(_unfit(heights, v, p), []).append(" + ".join(map(str, heights)))
    if not by or "" in by:
        return ""
    if len(by) == 1:
        return f"{'in each of these ' if len(sums) > 1 else ''}{next(iter(by))}"
    return "; ".join([f"in {listed(own)} {reason}" for reason, own in by.items()])


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class TwoHints(Found[Say]):
    """A line has two hints that differ."""

    line: int

    def says(self, say: Say, step: Step) -> str:
        return f"Along {sight.view(say.n, self.line)}, there are two hints that differ. {NO_ANSWER}"


class OneHint(Found[Say]):
    """No order with the hint of a line has what is dropped; or, as a contradiction, what this cell holds, or there is none."""

    line: int
    misfit: int = BLANK
    lost: tuple[Fact, ...] = ()  # what cells that it sets might have been

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
        sums = sight.sums(n, k) if say.summed else ()
        if sums:
            return f", which can only be {sight.few_sums(n, k)}{self.by_sums(say, step, cells, sums)}"
        case = say.case(cells, k, 0, step, [(1 << n) - 1] * n, self.lost)
        if not case:
            return f"; in any order of the heights with this, {so}"
        return pick(
            say.voice,
            f". {say.begins(case)}. So {so}",
            f". But {case}. That leaves this: {so}",
            f". {say.begins(case)}, which is not the hint: {so}",
        )

    def by_sums(self, say: Say, step: Step, cells: Sequence[int], sums: Sequence[Sequence[int]]) -> str:
        """What follows from the only sums that there can be, cell by cell."""
        own = [tuple([fact for fact in facts if fact[0] == cells[0]]) for facts in (step.sets, step.drops)]
        heights = listed([str(h) for h in sorted({each[0] for each in sums})], "or")
        own_sets, own_drops = own
        text = f". So the first building is {heights}: {say.so(Step('', (), own_sets, own_drops))}" if any(own) else ""
        second = [(i, v) for i, v in (*step.drops, *self.lost) if i == cells[1]]
        if second:
            values = listed([str(v + 1) for _, v in sorted(second)], "or")
            sums_ = "this sum" if len(sums) == 1 else "any of these sums"
            after = f"right after {'it' if text else heights}"
            seen = f"A {values} {after} would be seen, but is not the second term of {sums_}"
            found = tuple([fact for fact in step.sets if fact[0] == cells[1]])
            then = Step("", (), found, drops=() if found else tuple(sorted(second)))
            if then.sets and heights == "1":
                seen = "What stands right after the 1 is taller, so it is seen"
            text = f"{text}. {seen}: {say.so(then)}"
        groups: dict[str, list[Fact]] = {}
        for i, v in (*step.drops, *self.lost):
            p = cells.index(i)
            if p > 1:
                groups.setdefault(in_sums(sums, v + 1, p), []).append((i, v))
        for reason, facts in groups.items():
            text = f"{text}. {say.begins(reason)}: {say.so(Step('', (), drops=tuple(sorted(facts))))}"
        rest = tuple([fact for fact in step.sets if fact[0] not in cells[:2]])
        return f"{text}. That leaves {say.so(Step('', (), sets=rest))}" if rest else text

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
        if step.drops == ((sight.cells_of(n, self.line)[0], n - 1),):
            return pick(
                say.voice,
                f", so the {n}, which hides all others, does not stand first: {so}",
                f". If the {n} stood first, it would hide all others: {so}",
                f"; with the {n} in front nothing else would be seen, so {so}",
            )
        reasons = self.reasons(say, step.drops)
        if len(step.drops) > 1:
            few = f"at least {self.before(n, k, sorted({v + 1 for _, v in step.drops}, reverse=True))}"
            return pick(
                say.voice,
                f", so {few}: {so}",
                f". This can only be if {few}: {so}",
                f". Then {few}, so {so}",
            )
        ((most, tall, seen),) = reasons
        return pick(
            say.voice,
            f". With {tall} at most {NUMBERS[most]} would be seen ({seen}): {so}",
            f". But with {tall} at most {NUMBERS[most]} would be seen ({seen}), so {so}",
            f"; {tall} would leave at most {NUMBERS[most]} to be seen ({seen}). So {so}",
            f". No more than {NUMBERS[most]} could be seen with {tall} ({seen}), so {so}",
        )

    def before(self, n: int, k: int, heights: Sequence[int]) -> str:
        """How many stand before each of these heights: "three before the 5 and two before the 4 (only the 5 is taller)"."""
        parts: list[str] = []
        for h in heights:
            taller = [str(each) for each in range(h + 1, n + 1)]
            only = f" (only {'the ' * (len(taller) == 1)}{listed(taller)} {'is' if len(taller) == 1 else 'are'} taller)"
            many = k - 1 - n + h
            stand = "" if parts else f" building{'s' * (many > 1)} stand{'s' * (many == 1)}"
            parts.append(f"{NUMBERS[many]}{stand} before the {h}{only if taller else ''}")
        return listed(parts)

    def reasons(self, say: Say, facts: Sequence[Fact]) -> list[tuple[int, str, str]]:
        """Of each fact, how many could be seen with it, the words of it, "4 at r2c2", and which: "the one before it, 4 and 5"."""
        found = []
        for p, i in enumerate(sight.cells_of(say.n, self.line)):
            for v in sorted([v for j, v in facts if i == j]):
                taller = [str(h) for h in range(v + 1, say.n + 1)]
                before = ["the one before it"] if p == 1 else [f"the {NUMBERS[p]} before it"] if p else []
                seen = listed([*before, *[f"the {h}" for h in taller]] if len(taller) == 1 else [*before, *taller])
                found.append((p + len(taller), f"{say.value(v)} at {say.cell[i]}", seen))
        return found

    def at_odds(self, say: Say, step: Step, cells: Sequence[int]) -> str:
        held = [ground.fact for ground in step.grounds or () if ground.holds and ground.fact[0] == self.misfit]
        if not held:
            return super().at_odds(say, step, cells)
        ((most, _, seen),) = self.reasons(say, held)
        return f"at most {NUMBERS[most]} building{'s' * (most > 1)} can be seen: {seen}"


class BothEnds(Found[Say]):
    """No order with the hints of both ends of a unit has what is dropped; contradictions as in OneHint."""

    unit: int
    misfit: int = BLANK
    lost: tuple[Fact, ...] = ()  # what cells that it sets might have been

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
            first, last = (cells[0], cells[-1]) if near == 1 else (cells[-1], cells[0])
            front, side = say.sides(self.unit)[:: 1 if near == 1 else -1]
            shut = f"from {side} the building at {say.cell[last]} hides all but the {n}"
            then = pick(
                say.voice,
                f"only the {n} is seen from {front}, so it stands at {say.cell[first]}, and {shut}, so that is the {n - 1}",
                f"so the {n} is at {say.cell[first]}, in front of all others; {shut}, so that is the {n - 1}",
                f"from {front} the {n} at {say.cell[first]} hides all others, and {shut}, which makes that the {n - 1}",
            )
        elif near + far == n + 1 and not say.summed:
            total = f"{near} + {far} = {n + 1}"
            then = pick(
                say.voice,
                f"{total} counts the {n} twice, so all {n} are seen: they rise to the {n} and fall behind it",
                f"that makes {total}, with the {n} counted twice, so none is hidden, and heights fall from the {n} to both ends",
                f"only the {n} is seen from both ends, and {total}, so all {n} are seen: they rise to the {n}, then fall",
            )
        elif len(few := orders(n, say.summed, near, far)) <= LISTED:
            then = say.only_orders(self.unit, [order_of(n, mask) for mask in few])
        if then:
            return f"{hints}; {then}. So {so}"
        known, masks = say.given(step, ""), say.masks(step, cells)
        for hint, i, side in zip((near, far), (cells[0], cells[-1]), say.sides(self.unit), strict=True):
            if hint == (n if say.summed else 1) and masks[cells.index(i)] != 1 << n - 1:
                known = f"{known}{', and ' if known else ''}only the {n} is seen from {side}, so it stands at {say.cell[i]}"
                masks[cells.index(i)] = 1 << n - 1
        for line, ends in zip(ends_of(n, self.unit), ((near, 0), (0, far)), strict=True):
            case = say.case(cells, *ends, step, masks, self.lost) if known and known == say.given(step, "") else ""
            if case:  # the hint of one end is enough
                return f"{say.seen(line)}. {say.begins(known)}. {say.begins(case)}. So {so}"
        hints = f"{hints}{f'. {say.begins(known)}' if known else ''}"
        left = [order_of(n, mask) for mask in orders(n, say.summed, near, far)]
        left = [order for order in left if all(masks[p] >> v & 1 for p, v in enumerate(order))]
        if 0 < len(left) <= LISTED_ENDS:
            return f"{hints}. {say.begins(say.only_orders(self.unit, left))}: {so}"
        case = say.case(cells, near, far, step, masks, self.lost)
        return f"{hints}. {say.begins(case)}. So {so}" if case else f"{hints}; in any order of the heights with this, {so}"

    def why(self, say: Say) -> str:
        return say.hints(ends_of(say.n, self.unit))


class Orders(Found[Say]):
    """All orders of a unit that fit its hints at these ends and what is known have this. many: how many; 0: a contradiction."""

    unit: int
    ends: int
    many: int
    lost: tuple[Fact, ...] = ()  # what cells that it sets might have been
    facts: tuple[tuple[Fact, bool], ...] = ()  # what it restates

    def says(self, say: Say, step: Step) -> str:
        known, hints = say.given(step, ""), say.at_ends(self.unit, self.ends)
        near, far = say.numbers(self.unit, self.ends)
        case = "" if self.listed() else say.case(say.members(self.unit), near, far, step, lost=self.lost)
        if not self.many:
            left = f"{say.unit(self.unit)} has no order left with {say.shown(self.unit, self.ends)}"
            return f"{say.begins(left)}{': ' * bool(known)}{known}{f'. Then {case}' if case else ''}. {NO_ANSWER}"
        fitting, so = self.fitting(say), say.so(step)
        if case:
            return pick(
                0 if say.summed else say.voice,
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
        hints = say.hints([line for line in ends_of(say.n, self.unit, self.ends) if line in say.hint])
        return "" if self.facts else hints


class Completion(Orders):
    """The same with few orders, which are listed."""

    orders: tuple[tuple[int, ...], ...] = ()

    def listed(self) -> bool:
        return bool(self.orders)

    def fitting(self, say: Say) -> str:
        return say.only_orders(self.unit, self.orders) if self.orders else super().fitting(say)

    def why(self, say: Say) -> str:
        each = listed([" ".join([str(v + 1) for v in order]) for order in self.orders], "or")
        return f"{say.unit(self.unit)} can only be {each}" if self.orders else super().why(say)


class Diagonal(Found[Say]):
    """No way to fill the diagonal with its hint, as far as it is known, has what is dropped."""

    line: int

    def says(self, say: Say, step: Step) -> str:
        so, known, hint = say.so(step), say.crossed(step), say.seen(self.line)
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


def at_odds(known: str, seen: str, hint: str) -> str:
    """A contradiction to a hint: the facts first if they are few."""
    hint = f", while {hint}" if hint else ""
    return f"{seen}{hint}: {known}" if len(known) > FEW or ";" in known else f"{known}, and {seen}{hint}"


class NoOrder(findings.Fails[Say], technique="contradiction"):
    """No order of a unit fits the hints of these ends."""

    unit: int
    ends: int

    def says(self, say: Say, step: Step) -> str:
        return f"{self.fails(say, step)}. {NO_ANSWER}"

    def fails(self, say: Say, step: Step) -> str:
        known, near_and_far = say.given(step, ""), say.numbers(self.unit, self.ends)
        case = say.case(say.members(self.unit), *near_and_far, step)
        if not (known and case):
            return f"{self.failure(say)}{say.given(step)}"
        where = (
            f"in {say.unit(self.unit)}"
            if all(near_and_far)
            else f"along {sight.view(say.n, ends_of(say.n, self.unit, self.ends)[0])}"
        )
        return at_odds(known, f"{where} {case}", "" if all(near_and_far) else f"the hint is {max(near_and_far)}")

    def failure(self, say: Say) -> str:
        return f"{say.unit(self.unit)} has no order left with {say.shown(self.unit, self.ends)}"


class NoWay(findings.Fails[Say], technique="contradiction"):
    """No way to fill a diagonal fits its hint."""

    line: int

    def says(self, say: Say, step: Step) -> str:
        return f"{self.fails(say, step)}. {NO_ANSWER}"

    def fails(self, say: Say, step: Step) -> str:
        known, k = say.crossed(step), say.hint[self.line]
        case = say.case(sight.cells_of(say.n, self.line), k, 0, step)
        if not (known and case):
            return f"{self.failure(say)}{say.given(step)}"
        return at_odds(known, f"along {sight.view(say.n, self.line)} {case}", f"the hint is {k}")

    def failure(self, say: Say) -> str:
        k = say.hint[self.line]
        return f"{k} building{'s' * (k > 1)} can no longer be seen along {sight.view(say.n, self.line)}"


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

    def briefly(self, say: Say, step: Step) -> str:
        where = say.unit(self.unit) if self.unit != BLANK else sight.view(say.n, self.line)
        return f"by the hints of {where} {say.so(step)}"


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
