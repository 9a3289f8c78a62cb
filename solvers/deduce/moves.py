"""Reasoning about towers (MovesTable): why no list of moves is shorter, and the moves, run by run.

What steps conclude: (disk, peg) for disks that stand there after the moves so far (or are to, in a plan). Numbers have slots of
their own, above the disks: `least` (disks + 0) is the number of moves that are needed at least, `towers` (from disks + 1 on) are
the least numbers of moves in which the disks smaller than the largest one gather on a peg, from the start (by peg) and from the
goal (by pegs + peg).

Each of these is tried in turn, and the first that gives the least number is told:
1. How often each disk moves at least. One that is out of place moves once. One that has to get out of the way of a larger disk,
   and can come to its goal only after that one, moves twice. If disks that were counted once would have to go each before the
   next in a circle, one of them moves once more; circles that share none of these add up.
2. For a tower, at the start or at the goal: while its lowest disk moves, the m smaller ones are on pegs - 2 others, so at least
   m - (pegs - 2) lie on another one of them, and each of these has moved twice. On 5 pegs that is enough for 10 disks.
3. With three pegs, a whole tower takes twice as many moves as the one with a disk fewer, and 1 more. Else, while the largest
   disk moves, all smaller ones stand on the third peg; and gathering the disks of any arrangement on a peg takes 2**d moves for
   each disk d (0 is the smallest) that is not where the tower of the larger ones wants it, so both ways of the largest disk,
   straight or over the third peg, can be counted.
4. Else the number is that of a tower on four pegs, which is known; or it was found by search, and the step (unproved) says so.
   Worked replies leave such a trace out.

To the right only, where there is no answer: a disk that would have to go left; or a few disks, and all arrangements of these
that can be reached without a disk going past its goal. Larger disks, and others, can be left out: without their moves the rest
is still legal.

Sentences need cell (the name of a disk) and unit (of a peg) of Words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from puzzlemill.core.model import Fact, Move, MovesTable, Step
from puzzlemill.core.words import Words, capital, listed, pick, plural
from puzzlemill.solvers.deduce.steps import Found, tiers

MEDIUM, HARD = 2, 3  # of these nothing is graded: the question's own work is (questions/least.py)
MOST = 16_000  # characters of a trace, by an estimate; longer ones are left out
RUN = 7  # moves told in one go, and the move of a larger disk that they make room for
_ARRANGEMENTS = 16  # of a few disks that are gone through one by one

Stands = tuple[int, ...]  # the peg of each disk, smallest first


def deduce(table: MovesTable, ids: Sequence[str], answer: Sequence[Move] | None) -> list[Step]:  # noqa: ARG001
    """The steps of this puzzle; none where they would be too long. answer: a shortest list of moves; None if there is none."""
    if answer is None:
        return _stuck(table)
    steps = [*_argument(table, answer), *_planned(table, answer), *_carried(table, answer)]
    size = 220 * len(steps) + 11 * len(answer) + 8 * table.pegs * len(steps)
    return steps if size <= MOST else []


def explain(words: Words, table: MovesTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return f"{capital(step.found.says(_Say(words, table), step))}."


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say:
    """Sentences about disks and pegs of one puzzle."""

    def __init__(self, words: Words, table: MovesTable) -> None:
        self.table, self.voice = table, words.voice
        self.name, self.peg = words.cell, words.unit

    def below(self, disk: int) -> str:
        """The disks smaller than this one."""
        if disk > 3:
            return f"the {disk} smaller disks"
        return f"disks {listed([self.name(d) for d in range(disk)])}" if disk > 1 else f"disk {self.name(0)}"

    def disks(self, disks: Sequence[int]) -> str:
        return f"{'disks' if len(disks) > 1 else 'disk'} {listed([self.name(disk) for disk in disks])}"

    def shown(self, stands: Stands) -> str:
        """What stands on each peg, from bottom to top."""
        pegs = []
        for peg in range(self.table.pegs):
            here = [self.name(disk) for disk in range(len(stands) - 1, -1, -1) if stands[disk] == peg]
            pegs.append(f"{self.peg(peg)}: {' '.join(here) or 'empty'}")
        return "; ".join(pegs)


class Count(Found[_Say]):
    """How often each disk moves at least.

    once: those out of place. twice: (larger, disks): these get out of the way of that one, and to their goal only after it.
    final: this is the number that was looked for.
    """

    once: tuple[int, ...]
    twice: tuple[tuple[int, tuple[int, ...]], ...]
    final: bool

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        number = plural(total, "move")
        no_fewer = f"no list has fewer than {number}" if self.final else f"it takes at least {number}"
        if not self.twice:
            if len(self.once) == 1:
                return f"only disk {say.name(self.once[0])} is out of place, and it has to move: {no_fewer}"
            which = say.disks(self.once)
            return pick(
                say.voice,
                f"{which} are out of place, and each of them has to move: {no_fewer}",
                f"each of {which} is out of place and has to move, so {no_fewer}",
                f"as {which} are not yet where they must end, each moves at least once: {no_fewer}",
            )
        parts = [
            pick(
                say.voice,
                "count the fewest moves that each disk needs",
                "see how many moves each disk needs at least",
                "for each disk, count the fewest moves",
            )
        ]
        if self.once:
            verb = "is" if len(self.once) == 1 else "are"
            parts.append(f"{say.disks(self.once)} {verb} out of place: at least 1 move{' each' if len(self.once) > 1 else ''}")
        parts += [self._twice(say, larger, disks) for larger, disks in self.twice]
        doubles = sum([len(disks) for _, disks in self.twice])
        sums = [*([str(len(self.once))] if self.once else []), f"{doubles} * 2" if doubles > 1 else "2"]
        parts.append(f"together {' + '.join(sums)} = {total}: {no_fewer}" if sums != ["2"] else no_fewer)
        return ". ".join([parts[0], *map(capital, parts[1:])])

    def _twice(self, say: _Say, larger: int, disks: Sequence[int]) -> str:
        table, many = say.table, len(disks) > 1
        which, big = say.disks(disks), f"disk {say.name(larger)}"
        it, moves = ("they", "at least 2 moves each") if many else (which, "at least 2 moves")
        start, goal = say.peg(table.start[disks[0]]), say.peg(table.goal[disks[0]])
        lie, stand, end, have = ("lie", "stand", "end", "have") if many else ("lies", "stands", "ends", "has")
        if start != goal:
            return (
                f"{which} {lie} above {big} on {start} and must end above it on {goal}. So {it} {have} to leave {start} before "
                f"{big} does, and can come to {goal} to stay only after it: {moves}"
            )
        if table.start[disks[0]] == table.start[larger]:
            return (
                f"{which} {lie} above {big} on {start}, which {big} has to leave, and {end} on {start} too. So {it} {have} to go "
                f"away and come back: {moves}"
            )
        return (
            f"{which} {stand} on {start}, where {big} has to come below {'them' if many else 'it'}, and {end} there too. So {it} "
            f"{have} to go away and come back: {moves}"
        )


class Circle(Found[_Say]):
    """Disks that cannot all move so seldom, because each would have to go before the next.

    order: (earlier, later, larger): moves as (disk, 0 for its first, 1 for its last), and which of the two is the larger.
    once: those of them that were counted once; one of them moves again.
    """

    order: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    once: tuple[int, ...]
    final: bool

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        told = [f"{self._why(say, one, two)}, so {self._move(say, one, two)}" for one, two in self.order]
        which = listed([say.name(disk) for disk in self.once])
        lead = pick(say.voice, "but that is not enough", "but so few moves will not do", "but one more move is needed")
        if len(self.order) == len(self.once) == 2:
            lead += f", since disks {which} cannot both move only once"
            ends = "Both cannot be true, so one of them moves"
        else:
            lead += ". Suppose that no disk moves more often than counted"
            ends = f"That goes round in a circle, so {'disk' if len(self.once) == 1 else 'one of disks'} {which} moves"
        number = plural(total, "move")
        so = f"no list has fewer than {number}" if self.final else f"it takes at least {number}"
        return f"{lead}. {capital('; '.join(told))}. {ends} once more: {so}"

    def _move(self, say: _Say, one: tuple[int, int], two: tuple[int, int]) -> str:
        if one[0] in self.once and two[0] in self.once:
            return f"{say.name(one[0])} would move before {say.name(two[0])}"
        first, second = [
            f"the {'' if disk in self.once else 'last ' if last else 'first '}move of {say.name(disk)}"
            for disk, last in (one, two)
        ]
        return f"{first} would come before {second}"

    def _why(self, say: _Say, one: tuple[int, int], two: tuple[int, int]) -> str:
        small, large = min(one, two)[0], max(one, two)[0]
        table, names = say.table, (f"disk {say.name(small)}", f"disk {say.name(large)}")
        start, goal = table.start[small], table.goal[small]
        if small == one[0]:
            if start == table.start[large]:
                return f"{names[0]} lies above {names[1]} on {say.peg(start)}"
            return f"{names[0]} stands on {say.peg(start)}, where the larger {names[1]} must come"
        if goal == table.start[large]:
            return f"{names[1]} must leave {say.peg(goal)}, where {names[0]} must end and would lie on it"
        return f"{names[0]} must end above {names[1]} on {say.peg(goal)}"


class Wait(Found[_Say]):
    """Where the disks of a tower can wait while its lowest one moves.

    disk: the lowest one. back: the tower is that of the goal, and moves are counted backwards from there. away: so many of the
    smaller ones end (backwards: start) on a peg that the lowest disk leaves or goes to, so that they move once more. both: start
    and goal are towers.
    """

    disk: int
    back: bool
    away: int
    both: bool

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        table, count, pegs = say.table, self.disk, say.table.pegs - 2
        name, small, tower = say.name(count), say.below(count), table.goal if self.back else table.start
        extra, peg = count - pegs, say.peg(tower[count])
        side = count + extra
        lead = pick(
            say.voice,
            f"when disk {name} first leaves {peg}, {small}",
            f"when disk {name} leaves {peg} for the first time, {small}",
            f"think of the time when disk {name} first leaves {peg}: {small}",
        )
        if self.back:
            lead = f"read any list backwards, from the goal to the start. When disk {name} first leaves {peg}, {small}"
        few, left = "1 of them rests" if extra == 1 else f"{extra} of them rest", f"{pegs} pegs" if pegs > 1 else "one peg"
        text = (
            f"{lead} must stand on the {left} other than {peg} and its target. Only {pegs} of them can be the lowest on their "
            f"peg, so at least {few} on another of these disks. Such a disk has moved at least twice: it lay above that other "
            f"one on {peg} too, so it left {peg} first and came onto it later. The rest have moved at least once. "
            f"That makes {count} + {extra} = {side} moves before disk {name} moves"
        )
        if self.both:
            return (
                f"{text}. In the same way at least {side} come after its last move. With its own: {side} + 1 + {side} = {total}, "
                f"so no list has fewer than {total} moves"
            )
        if self.away:
            ends, other = (table.start[count], table.goal[count]), table.start if self.back else table.goal
            again = [disk for disk in range(count) if other[disk] in ends]
            text += f". After that, {say.disks(again)} {'has' if self.away == 1 else 'have'} to move again, as the "
            text += f"{'start' if self.back else 'goal'} has {'it' if self.away == 1 else 'them'} on "
            text += listed([say.peg(peg) for peg in sorted({other[disk] for disk in again})])
            to = say.peg((table.start if self.back else table.goal)[count])
            text += f", and disk {name} cannot leave {peg} or come to {to} while a smaller disk stands there"
            return f"{text}. With the move of disk {name}: {side} + 1 + {self.away} = {total}, so no list is shorter"
        return f"{text}. With its own move: {side} + 1 = {total}, so no list has fewer than {total} moves"


class Tower(Found[_Say]):
    """A whole tower on three pegs, from one peg to another: the least numbers of moves of towers up to this one."""

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        row = listed([str(2**disks - 1) for disks in range(1, len(say.table.start) + 1)])
        lead = pick(
            say.voice,
            "the lowest disk of a tower can move only while all smaller ones stand together on the third peg",
            "before the lowest disk of a tower can move, all smaller ones have to be together on the third peg",
            "while the lowest disk of a tower moves, all smaller ones must stand together on the third peg",
        )
        return (
            f"{lead}. So these have to move as a tower before its first move, and again after its last one. Each tower thus "
            f"takes at least twice as many moves as the tower with one disk fewer, and 1 more. From 1 to "
            f"{len(say.table.start)} disks that is {row}, so no list has fewer than {total} moves"
        )


class Known(Found[_Say]):
    """A whole tower of so many disks on four pegs, whose least number of moves is known of old."""

    tower: int

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        row = listed([str(of_tower(disks)) for disks in range(1, self.tower + 1)])
        return pick(
            say.voice,
            f"for towers of 1 to {self.tower} disks on 4 pegs the least numbers of moves are known to be {row}. "
            f"So {total} is the least, and the list below has just as many",
            f"the least numbers of moves for 1, 2, 3, ... disks on 4 pegs are known: {row}. So a list of {total} moves, like "
            "the one below, is a shortest one",
            f"it is known that towers of 1 to {self.tower} disks can be moved in {row} moves on 4 pegs, and in no fewer. "
            f"Below is a list of {total}, which is thus as short as possible",
        )


class Unproved(Found[_Say]):
    """The least number of moves, found by search; worked replies leave it out (steps.UNTOLD)."""

    def says(self, say: _Say, step: Step) -> str:
        ((_, total),) = step.sets
        return pick(
            say.voice,
            f"{total} moves are enough, as the list below shows. That no list is shorter is not proved here",
            f"the list that follows has {total} moves. No proof is given here that none is shorter",
            f"here is a list of {total} moves. That fewer are not enough is stated without a proof",
        )


class Largest(Found[_Say]):
    """The largest disk that is out of place has to move, and what must be the case then. stay: larger ones, which are in
    place."""

    disk: int
    stay: int

    def says(self, say: _Say, step: Step) -> str:
        start, goal = say.peg(say.table.start[self.disk]), say.peg(say.table.goal[self.disk])
        name, disks = say.name(self.disk), len(say.table.start)
        text = pick(
            say.voice,
            f"the largest disk that is out of place is {name}: it stands on {start} and must end on {goal}",
            f"begin with the largest disk that has to move, {name}, from {start} to {goal}",
            f"disk {name} is the largest one whose peg changes, from {start} to {goal}",
        )
        if self.stay:
            larger = listed([say.name(disk) for disk in range(self.disk + 1, disks)])
            text += f" ({f'disk {larger} is' if self.stay == 1 else f'disks {larger} are'} in place and can stay, "
            text += f"as smaller ones may go on top of {'it' if self.stay == 1 else 'them'})"
        text += ". A disk can move only while all smaller ones stand on the third peg, neither above it nor where it goes"
        if self.disk > 1:
            text += (
                ". So k disks that stand together take 2^k - 1 moves to another peg (1, 3, 7, 15, ...): all but the lowest go to "
                "the third peg, the lowest moves, and the others follow it. Where disks gather on one peg, or spread out from "
                "one, each goes straight to its place, or stays if it stands there. A way round would cost it one more move, and "
                "between its two moves the k smaller disks would have to change pegs as a tower, 2^k - 1 moves more; "
                "gathering k disks from anywhere takes 2^k - 1 at most, so nothing is saved"
            )
        return text


class Gather(Found[_Say]):
    """How many moves bring the disks smaller than `disk` together on `target`, from the start or (back) from the goal.

    wants: for each of them, the largest first, the peg where it has to go.
    """

    disk: int
    back: bool
    target: int
    wants: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        stands = say.table.goal if self.back else say.table.start
        here, count = stands[: self.disk], self.disk
        small, target, total = say.below(count), say.peg(self.target), _number(stands, self.wants)
        together = len(set(here)) == 1
        if not self.back:
            lead = self._before(say, small, target)
            if not total:
                return f"{lead}. {'They are' if count > 1 else 'It is'} there at the start: 0 moves"
            if together:
                stand = "They stand together" if count > 1 else "It stands"
                return f"{lead}. {stand} on {say.peg(here[0])} at the start: {self._tower(count)}"
            return f"{lead}. {self._gathers(say, here, total)}"
        lead = self._after(say, small, target)
        if not total:
            return f"{lead}. {'They are' if count > 1 else 'It is'} there already: 0 moves"
        if together:
            return f"{lead}. {'They go together' if count > 1 else 'It goes'} to {say.peg(here[0])}: {self._tower(count)}"
        return f"{lead}. {self._parts(say, here, total)}"

    def _tower(self, count: int) -> str:
        return f"{f'2^{count} - 1 = ' if count > 1 else ''}{plural(2**count - 1, 'move')}"

    def _before(self, say: _Say, small: str, target: str) -> str:
        larger, start, goal = say.name(self.disk), say.table.start[self.disk], say.table.goal[self.disk]
        if self.target != goal:
            return pick(
                say.voice,
                f"for disk {larger} to go straight to {say.peg(goal)}, {small} must first be on {target}",
                f"before disk {larger} can go straight to {say.peg(goal)}, {small} must be on {target}",
                f"disk {larger} can go straight to {say.peg(goal)} once {small} {'are' if self.disk > 1 else 'is'} on {target}",
            )
        third = say.peg(3 - start - goal)
        return pick(
            say.voice,
            f"disk {larger} may also go by way of {third}. Then {small} must first be on {target}",
            f"the other way for disk {larger} is by way of {third}. Then {small} must first be on {target}",
            f"now let disk {larger} go by way of {third}. Then {small} must first be on {target}",
        )

    def _after(self, say: _Say, small: str, target: str) -> str:
        larger, start, goal = say.name(self.disk), say.table.start[self.disk], say.peg(say.table.goal[self.disk])
        them = "them" if self.disk > 1 else "it"
        if self.target == start:
            third = say.peg(3 - start - say.table.goal[self.disk])
            stand = "stand" if self.disk > 1 else "stands"
            then = f"must get to where the goal has {them}"
            return f"when disk {larger} then comes from {third} to {goal}, {small} {stand} on {target}, and {then}"
        return pick(
            say.voice,
            f"after disk {larger} has gone straight to {goal}, {small} must get from {target} to where the goal has {them}",
            f"with disk {larger} on {goal}, {small} must still get from {target} to where the goal has {them}",
            f"when disk {larger} is on {goal}, {small} must get from {target} to where the goal has {them}",
        )

    def _gathers(self, say: _Say, here: Stands, total: int) -> str:
        """What each disk needs, the largest first, and then the moves in their order."""
        needs, moves, powers, there = list[str](), list[tuple[str, str, str]](), list[int](), list[int]()
        for disk, want in zip(range(self.disk - 1, -1, -1), self.wants, strict=True):
            peg, name = here[disk], say.name(disk)
            if peg == want:
                there.append(disk)
                if not disk or here[disk - 1] != peg:
                    needs.append(f"{say.disks(there[::-1])} {'is' if len(there) == 1 else 'are'} on {say.peg(peg)} already")
                    there = []
                continue
            powers.append(2**disk)
            must = f"disk {name} must go from {say.peg(peg)} to {say.peg(want)}"
            needs.append(f"{must}, so {say.below(disk)} must first be on {say.peg(3 - peg - want)}" if disk else must)
            after = f", followed by {say.below(disk)}" if disk else ""
            moves.append((f"disk {name}", after, f"1 + {2**disk - 1}" if disk else "1"))
        chain = ". ".join(map(capital, needs))
        if total == 1:
            return f"{chain}: 1 move"
        (first, after, sums), *then = moves[::-1]
        if not then:
            return f"{chain}. So {first} goes{after}: {sums} = {total} moves"
        order = [f"{first} goes first{after} ({sums} {'moves' if '+' in sums else 'move'})"]
        order += [f"then {disk}{after} ({sums} moves)" for disk, after, sums in then]
        return f"{chain}. So {'; '.join(order)}: {' + '.join(map(str, powers[::-1]))} = {total} moves"

    def _parts(self, say: _Say, here: Stands, total: int) -> str:
        """The moves from a tower, the largest disk first."""
        told, powers, stay = list[str](), list[int](), list[int]()
        for disk, peg_now in zip(range(self.disk - 1, -1, -1), self.wants, strict=True):
            peg = here[disk]
            if peg == peg_now:
                stay.append(disk)
                if not disk or here[disk - 1] != peg:
                    told.append(f"{say.disks(stay[::-1])} {'stays' if len(stay) == 1 else 'stay'} on {say.peg(peg)}")
                    stay = []
                continue
            goes = f"{'then ' if powers else ''}disk {say.name(disk)} {'must go' if disk else 'goes'} from {say.peg(peg_now)} "
            goes += f"to {say.peg(peg)}"
            small, off = say.below(disk), say.peg(3 - peg - peg_now)
            aside = f", for which {small} must first go to {off}: {2**disk - 1} + 1 = " if disk else ": "
            told.append(f"{goes}{aside}{plural(2**disk, 'move')}")
            powers.append(2**disk)
        sums = [f"Together {' + '.join(map(str, powers))} = {total} moves"] if len(powers) > 1 else []
        return ". ".join([*map(capital, told), *sums])


class Compare(Found[_Say]):
    """The ways of the largest disk, counted.

    straight: moves before and after its one move. over: before, between and after its two moves over the third peg; -1 for what
    is left out, since the rest is too much already.
    """

    disk: int
    straight: tuple[int, int]
    over: tuple[int, int, int]

    def says(self, say: _Say, step: Step) -> str:
        name, small = say.name(self.disk), say.below(self.disk)
        start, goal = say.table.start[self.disk], say.table.goal[self.disk]
        third, one, (before, tower, after) = say.peg(3 - start - goal), self.straight, self.over
        straight, over = sum(one) + 1, sum(max(0, each) for each in self.over) + 2
        leads = ("add up. ", "now add up. ") if before < 0 else ("compare the two ways. ", "now compare both ways. ")
        lead = pick(say.voice, "", *leads)
        ways = f"{lead}{'Straight' if lead else 'straight'} to {say.peg(goal)}, disk {name} moves once, with "
        ways += f"{plural(one[0], 'move')} before and {one[1]} after: {one[0]} + 1 + {one[1]} = {straight}"
        least = f"no list has fewer than {plural(min(straight, over), 'move')}"
        peg = f"go to another peg{' as a tower' if self.disk > 1 else ''} ({plural(tower, 'move')})"
        back = "if it only went back instead, both moves could be left out"
        if before < 0:
            best = "so straight is best" if straight < over else "so more moves of it save nothing"
            return (
                f"{ways}. If it moved twice or more, {small} would have to {peg} between two of its moves, to let it go on; "
                f"{back}. With these two moves that is at least 1 + {tower} + 1 = {over}. {capital(best)}, and {least}"
            )
        come, go_on, get, are = ("come", "go on", "get", "are") if self.disk > 1 else ("comes", "goes on", "gets", "is")
        legs = [f"{come} to {say.peg(goal)} first ({plural(before, 'move')})" if before else f"{are} on {say.peg(goal)} at first"]
        legs += [f"{go_on} to {say.peg(start)} in between ({plural(tower, 'move')})"]
        them = "them" if self.disk > 1 else "it"
        legs += [f"then {get} to where the goal has {them} ({after})" if after else f"{are} then in place"] * (after >= 0)
        sums = [str(before), "1", str(tower), "1", *([str(after)] if after >= 0 else [])]
        ways += f". By way of {third} it moves twice: {small} {listed(legs)}. With its own two moves: "
        ways += f"{'at least ' if after < 0 else ''}{' + '.join(sums)} = {over}"
        if straight < over:
            best = "so straight is best"
        elif after < 0:
            best = f"so the way by {third} is no shorter"
        else:
            best = f"so the way by {third} is best" if straight > over else "so both ways are equally short"
        return (
            f"{ways}. If it moved three times or more, {small} would have to {peg} after each move but the last, to let it "
            f"go on; {back}. With its three moves that is at least 3 + 2 * {tower} = {2 * tower + 3}. {capital(best)}, and "
            f"{least}"
        )


class Park(Found[_Say]):
    """Where the others stand when the largest disk that moves does so first.

    moves: how many come before that, and after it. each: how many of those before it are of each smaller disk. whole: a tower
    goes from one peg to another, and its lowest disk moves once. split: on four pegs, so many of the smallest disks can go first,
    and the rest over three pegs, in as many moves; 0 if not. mixed: the list does not do it in this order.
    """

    disk: int
    source: int
    target: int
    stands: Stands
    moves: tuple[int, int]
    each: tuple[int, ...]
    whole: bool
    split: int
    mixed: bool

    def says(self, say: _Say, step: Step) -> str:
        if self.whole and say.table.pegs == 3:
            return self._tower(say)
        name, (before, after) = say.name(self.disk), self.moves
        heaps = []
        for peg in range(say.table.pegs):
            here = [say.name(disk) for disk in range(self.disk - 1, -1, -1) if self.stands[disk] == peg]
            if here:
                heaps.append(f"{' '.join(here)} on {say.peg(peg)}")
        source, target = say.peg(self.source), say.peg(self.target)
        text = pick(
            say.voice,
            f"when disk {name} goes from {source} to {target}, the smaller disks wait on other pegs: {listed(heaps)}",
            f"plan where the smaller disks wait while disk {name} goes from {source} to {target}: {listed(heaps)}",
            f"to let disk {name} go from {source} to {target}, put the smaller disks on other pegs: {listed(heaps)}",
        )
        text += f". {capital(self._number(say))}. Move {before + 1} is that of disk {name}"
        if self.whole:
            text += f", and as many moves bring the others onto it: {before} + 1 + {after} = {before + 1 + after}"
        return text

    def _number(self, say: _Say) -> str:
        """How many moves that takes, from its parts."""
        before, heaps = self.moves[0], len({*self.stands[: self.disk]})
        lowest = [self.disk - 1 - self.stands[self.disk - 1 :: -1].index(peg) for peg in sorted({*self.stands[: self.disk]})]
        twos = [disk for disk in range(self.disk) if disk not in lowest]
        if (
            twos
            and len({*say.table.start[: self.disk + 1]}) == 1
            and self.each == tuple([1 + (d in twos) for d in range(self.disk)])
        ):
            return (
                "the lowest disk on each peg can go straight there. Each of the others leaves "
                f"{say.peg(self.source)} before the disk on which it is to rest, so it has to wait elsewhere till that one "
                f"has come: two moves or more, and with two each the list below gets there: {heaps} + {len(twos)} * 2 = "
                f"{before} moves"
            )
        if self.split:
            rest, there = range(self.split, self.disk), say.peg(self.stands[0])
            text = (
                f"by the numbers above, the {self.split} smallest can go to {there} in {of_tower(self.split)} moves. That leaves "
                f"3 pegs for {say.disks(rest)}, so these can then go to {say.peg(self.stands[rest[0]])} in 2^{len(rest)} - 1 = "
                f"{2 ** len(rest) - 1}: {of_tower(self.split)} + {2 ** len(rest) - 1} = {before} moves"
            )
            return f"{text}. The list below mixes the two parts and has as many" if self.mixed else text
        told, sums = list[str](), list[str]()
        for often in sorted({*self.each} - {0}):
            disks = [disk for disk in range(self.disk) if self.each[disk] == often]
            times = {1: "once", 2: "twice"}.get(often, f"{often} times")
            told.append(f"{say.disks(disks)} {'move' if len(disks) > 1 else 'moves'} {times}")
            sums.append(f"{len(disks)} * {often}" if often > 1 and len(disks) > 1 else str(len(disks) * often))
        return f"before that, {listed(told)}: {' + '.join(sums)} = {before} moves"

    def _tower(self, say: _Say) -> str:
        """How a tower gets from peg to peg of three, as far as its parts take more than one run."""
        lead = pick(say.voice, "plan the moves", "here is the plan", "first make a plan")
        wait, to = 3 - self.source - self.target, self.target
        name, small, before = say.name(self.disk), say.below(self.disk), self.moves[0]
        text = (
            f"{lead}: {small} go to {say.peg(wait)}, which takes 2^{self.disk} - 1 = {before} moves, and disk {name} goes from "
            f"{say.peg(self.source)} to {say.peg(to)} on move {before + 1}"
        )
        for disk in range(self.disk - 1, 2, -1):
            wait, to = to, wait
            text += f". For disk {say.name(disk)} to get to {say.peg(to)}, {say.below(disk)} must wait on {say.peg(wait)}"
        return (
            f"{text}. After move {before + 1} {small} follow to {say.peg(self.target)} in the same way: "
            f"{before} + 1 + {before} = {2 * before + 1} moves"
        )


class Carry(Found[_Say]):
    """Moves in a row, up to one of a larger disk that they make room for.

    first: the number of the first. stands: after them. opens: the last one is of a larger disk than the others. last: the goal.
    asides: (disk, other, peg, later) of each other disk that moves on the way: it frees that one, or (peg not -1) makes room for
    it there, which is used after these moves if `later`. The disk itself as other: it goes to its goal.
    """

    first: int
    moves: tuple[Move, ...]
    stands: Stands
    opens: bool
    last: bool
    asides: tuple[tuple[int, int, int, bool], ...]

    def says(self, say: _Say, step: Step) -> str:
        final, many = self.first + len(self.moves) - 1, len(self.moves)
        told = ", ".join([f"{say.name(disk)} {say.peg(source)} -> {say.peg(target)}" for disk, source, target in self.moves])
        disk, source, target = self.moves[-1]
        number = f"{self.first} {'and' if many == 2 else 'to'} {final}"
        if many == 1:
            text = pick(
                say.voice,
                f"disk {say.name(disk)} is free to go (move {final}): {told}",
                f"disk {say.name(disk)} can go at once (move {final}): {told}",
                f"nothing is in the way of disk {say.name(disk)} (move {final}): {told}",
            )
        elif self.opens and self._cleared(say):
            cleared, name, peg = self._cleared(say), say.name(disk), say.peg(target)
            also = f"; on the way, {self._aside(say)}" if self.asides else ""
            text = pick(
                say.voice,
                f"take {cleared}, then move disk {name} to {peg}{also} (moves {number}): {told}",
                f"take {cleared}; then disk {name} can go from {say.peg(source)} to {peg}{also} (moves {number}): {told}",
                f"move {cleared}, then disk {name} to {peg}{also} (moves {number}): {told}",
            )
        elif self.opens and self.asides:
            goes, aside = f"disk {say.name(disk)} goes to {say.peg(target)}", self._aside(say)
            text = pick(
                say.voice,
                f"first {aside}; then {goes} (moves {number}): {told}",
                f"before {goes}, {aside} (moves {number}): {told}",
                f"{goes}, but first {aside} (moves {number}): {told}",
            )
        elif self.opens:
            first = sorted({disk for disk, *_ in self.moves[:-1]})
            text = pick(
                say.voice,
                f"move {say.disks(first)}, then disk {say.name(disk)} to {say.peg(target)} (moves {number}): {told}",
                f"bring disk {say.name(disk)} to {say.peg(target)}, with {say.disks(first)} moved first (moves {number}): {told}",
                f"after {say.disks(first)}, disk {say.name(disk)} goes to {say.peg(target)} (moves {number}): {told}",
            )
        elif self.first == 1 and self.last:
            text = pick(say.voice, f"moves {number}: {told}", f"do this in moves {number}: {told}", f"the moves are {told}")
        elif self.last:
            text = pick(
                say.voice,
                f"moves {number} bring the smaller disks to their goal: {told}",
                f"bring the rest to the goal (moves {number}): {told}",
                f"carry the smaller disks to where the goal has them (moves {number}): {told}",
            )
        else:
            text = pick(
                say.voice, f"moves {number}: {told}", f"go on with moves {number}: {told}", f"next, moves {number}: {told}"
            )
        if self.last:
            return f"{text}. This is the goal, after {plural(final, 'move')}: {say.shown(self.stands)}"
        return f"{text}. {pick(say.voice, 'Now the pegs hold', 'Then the pegs hold', 'That leaves')} {say.shown(self.stands)}"

    def _aside(self, say: _Say) -> str:
        """Why others move on the way."""
        why = []
        for disk, other, peg, later in self.asides:
            name, freed = say.name(disk), say.name(other)
            if other == disk:
                why.append(f"disk {name} goes to its goal {say.peg(peg)}")
                continue
            text = (
                f"disk {name} leaves disk {freed} free to move"
                if peg < 0
                else f"disk {name} makes room on {say.peg(peg)} for disk {freed}"
            )
            why.append(f"{text} later" if later else text)
        return listed(why)

    def _cleared(self, say: _Say) -> str:
        """What is taken off for the last move: "disk 1 off disk 4", "the smaller disks off disk 4 and off B"."""
        before, (last, source, target) = list(self.stands), self.moves[-1]
        for disk, came, _ in reversed(self.moves):
            before[disk] = came
        above, there = [[disk for disk in range(last) if before[disk] == peg] for peg in (source, target)]
        off = [(above, f"off disk {say.name(last)}")] * bool(above) + [(there, f"off {say.peg(target)}")] * bool(there)
        if len(above) + len(there) > 3:
            return f"the smaller disks {listed([where for _, where in off])}"
        return listed([f"{say.disks(disks)} {where}" for disks, where in off])


class Leftward(Found[_Say]):
    """A disk would have to go to the left."""

    disk: int

    def says(self, say: _Say, step: Step) -> str:
        name, start, goal = say.name(self.disk), say.peg(say.table.start[self.disk]), say.peg(say.table.goal[self.disk])
        text = pick(
            say.voice,
            f"disk {name} stands on {start} and must end on {goal}, which is to the left of {start}",
            f"look at disk {name}: from {start} it would have to get to {goal}, further to the left",
            f"{goal} is to the left of {start}, but disk {name} would have to get there from {start}",
        )
        return f"{text}. Disks move to the right only, so it can never get there. So there is no answer"


class Few(Found[_Say]):
    """The disks that are in each other's way; all others are left out."""

    disks: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        table = say.table
        tasks = [
            f"{say.name(disk)} has to get from {say.peg(table.start[disk])} to {say.peg(table.goal[disk])}"
            if table.start[disk] != table.goal[disk]
            else f"{say.name(disk)} is on {say.peg(table.goal[disk])} and must stay there"
            for disk in self.disks
        ]
        names = say.disks(self.disks)
        text = pick(say.voice, f"look at {names} alone", f"{names} are enough to see it", f"leave out all disks but {names}")
        return (
            f"{text}: {'; '.join(tasks)}. If there were an answer, its moves of these disks would be legal on their own. "
            "None of them may leave its goal or go past it, as it could not come back"
        )


class Blocked(Found[_Say]):
    """An arrangement of the few disks, and all that can follow it: (disk, peg). last: the others have been gone through too."""

    disks: tuple[int, ...]
    stands: Stands
    moves: tuple[tuple[int, int], ...]
    last: bool

    def says(self, say: _Say, step: Step) -> str:
        stands = dict(zip(self.disks, self.stands, strict=True))
        heaps = {peg: [say.name(disk) for disk in self.disks if stands[disk] == peg] for peg in sorted(self.stands)}
        where = listed([f"{listed(names)} on {say.peg(peg)}" for peg, names in heaps.items()])
        if self.moves:
            can = listed([f"{say.name(disk)} to {say.peg(peg)}" for disk, peg in self.moves])
            text = f"with {where}, the only {'moves are' if len(self.moves) > 1 else 'move is'} {can}"
        else:
            held = []
            for disk, peg in stands.items():
                goal, name = say.table.goal[disk], say.name(disk)
                on = [say.name(small) for small, there in stands.items() if small < disk and there == peg]
                taken = [
                    small for small, at in sorted(stands.items(), key=lambda each: each[1]) if small < disk and peg < at <= goal
                ]
                stand = "stands" if len(taken) == 1 else "stand"
                if on and peg != goal:
                    held.append(f"{name} cannot move, as {listed(on)} {'lies' if len(on) == 1 else 'lie'} above it")
                elif peg != goal:
                    pegs = listed([say.peg(at) for at in range(peg + 1, goal + 1)], "or")
                    held.append(f"{name} cannot move to {pegs}, where the smaller {say.disks(taken)} {stand}")
            text = f"with {where}, {'; '.join(held)}"
        ends = ". That is every arrangement that can be reached, and none is the goal. So there is no answer"
        return text + ends if self.last else text


TECHNIQUES = tiers([Count, Circle, Wait, Tower, Known, Unproved, Largest, Gather, Compare, Park, Carry, Leftward, Few, Blocked])


# ---- why no list is shorter --------------------------------------------------------------------------------------------------


def _wants(stands: Sequence[int], disk: int, target: int) -> tuple[int, ...]:
    """Where the disks smaller than this one have to go, the largest first, for all of them to be on a peg of three."""
    wants = []
    for smaller in range(disk - 1, -1, -1):
        wants.append(target)
        if stands[smaller] != target:
            target = 3 - stands[smaller] - target
    return tuple(wants)


def _number(stands: Sequence[int], wants: Sequence[int]) -> int:
    """How many moves that takes."""
    disk = len(wants)
    return sum([2**smaller for smaller, want in zip(range(disk - 1, -1, -1), wants, strict=True) if stands[smaller] != want])


def _whole(table: MovesTable) -> bool:
    """Whether all disks go from one peg to another, in any direction."""
    return not table.right_only and len({*table.start}) == len({*table.goal}) == 1


def _argument(table: MovesTable, answer: Sequence[Move]) -> Iterator[Step]:
    """Steps that show that no list is shorter, or say that it is known."""
    count, disks = len(answer), len(table.start)
    if table.pegs == 3 and _whole(table):
        yield Step("tower", _every(table), ((disks, 2**disks - 1),), found=Tower())
        return
    steps = _counted(table, count) or _waiting(table, count)
    if not steps and table.pegs == 3 and not table.right_only:
        steps = _gathered(table)
    if not steps:
        fact = ((disks, count),)
        if _whole(table) and table.pegs == 4 and of_tower(disks) == count:
            steps = [Step("known", _every(table), fact, found=Known(disks))]
        else:
            steps = [Step("unproved", _every(table), fact, found=Unproved())]
    yield from steps


def _counted(table: MovesTable, count: int) -> list[Step]:
    """How often each disk moves at least, and disks that go round in a circle; nothing unless that makes so many moves."""
    start, goal, least = table.start, table.goal, len(table.start)
    away = [disk for disk in range(least) if start[disk] != goal[disk]]
    once, twice = list[int](), dict[int, list[int]]()
    for disk in range(least):
        for larger in reversed([each for each in away if each > disk]):
            ends = (start[larger], goal[larger])
            if (start[disk], goal[disk]) == ends or (start[disk] == goal[disk] and start[disk] in ends):
                twice.setdefault(larger, []).append(disk)
                break
        else:
            once += [disk] * (disk in away)
    groups = list[tuple[int, tuple[int, ...]]]()
    for larger, disks in twice.items():
        alike = dict[tuple[int, int], list[int]]()
        for disk in disks:
            alike.setdefault((start[disk], goal[disk]), []).append(disk)
        groups += [(larger, tuple(each)) for each in alike.values()]
    total, single = len(once) + 2 * sum([len(disks) for _, disks in groups]), list(once)
    moving = sorted([*once, *[disk for _, disks in groups for disk in disks]])
    circles = list[tuple[Order, tuple[int, ...]]]()
    while total + len(circles) < count:
        order = _circle(table, moving, single)
        if order is None:
            return []
        again = tuple(sorted({disk for pair in order for disk, _ in pair if disk in single}))
        circles.append((order, again))
        single = [disk for disk in single if disk not in again]
    moved = _labels(moving)
    steps = [Step("count", moved, ((least, total),), found=Count(tuple(once), tuple(groups), total == count))]
    for number, (order, again) in enumerate(circles, 1):
        on = _labels(sorted({disk for pair in order for disk, _ in pair}))
        circle = Circle(order, again, total + number == count)
        steps.append(Step("circle", (*on, f"#{number}"), ((least, total + number),), found=circle))
    return steps


Order = tuple[tuple[tuple[int, int], tuple[int, int]], ...]


def _circle(table: MovesTable, moving: Sequence[int], single: Sequence[int]) -> Order | None:
    """A shortest circle of moves each of which must come before the next: (disk, 0 for its first, 1 for its last)."""
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def move(disk: int, last: int) -> tuple[int, int]:
        return disk, last if disk not in single else 0

    for disk in moving:
        for larger in [each for each in moving if each > disk]:
            for starts, last in ((table.start[larger], 0), (table.goal[larger], 1)):
                if table.start[disk] == starts:
                    after.setdefault(move(disk, 0), []).append(move(larger, last))
                if table.goal[disk] == starts:
                    after.setdefault(move(larger, last), []).append(move(disk, 1))
    best: Order | None = None
    for first in [move(disk, 0) for disk in single]:
        paths: dict[tuple[int, int], Order] = {first: ()}
        for here in (work := [first]):  # grows
            for there in after.get(here, ()):
                path = (*paths[here], (here, there))
                if there == first and (best is None or len(path) < len(best)):
                    best = path
                if there not in paths:
                    paths[there] = path
                    work.append(there)
                ends = (there[0], 1)
                if there[0] not in single and ends not in paths:  # its last move comes no earlier than its first
                    paths[ends] = path
                    work.append(ends)
    return best


def _waiting(table: MovesTable, count: int) -> list[Step]:
    """Where the disks of a tower can wait; nothing unless that makes so many moves (with a peg for each, see count)."""
    start, goal = table.start, table.goal
    disk = max(disk for disk in range(len(start)) if start[disk] != goal[disk])
    extra = disk - (table.pegs - 2)
    side = disk + extra
    towers = [len({*stands[: disk + 1]}) == 1 for stands in (start, goal)]
    for back, (tower, other) in enumerate(((start, goal), (goal, start))):
        away = sum([peg in (start[disk], goal[disk]) for peg in other[:disk]])
        total = 2 * side + 1 if all(towers) else side + 1 + away
        if extra > 0 and len({*tower[: disk + 1]}) == 1 and total == count:
            found = Wait(disk, bool(back), away, all(towers))
            return [Step("wait", _labels(range(disk + 1)), ((len(start), total),), found=found)]
    return []


def _gathered(table: MovesTable) -> list[Step]:
    """With three pegs: both ways of the largest disk that is out of place. What cannot matter is not counted."""
    disks, steps = len(table.start), list[Step]()
    k = max(disk for disk in range(disks) if table.start[disk] != table.goal[disk])
    steps.append(Step("largest", _labels(range(k, disks)), ((k, table.start[k]),), found=Largest(k, disks - k - 1)))
    start, goal, tower = table.start[k], table.goal[k], 2**k - 1

    def gather(back: bool, target: int) -> int:
        stands = table.goal if back else table.start
        wants = _wants(stands, k, target)
        number = _number(stands, wants)
        fact = (disks + 1 + back * 3 + target, number)
        steps.append(Step("gather", _labels(range(k)), (fact,), found=Gather(k, back, target, wants)))
        return number

    third = 3 - start - goal
    straight = (gather(False, third), gather(True, third))
    before = after = -1
    if sum(straight) + 1 > tower + 2:
        before = gather(False, goal)
        if sum(straight) + 1 > before + tower + 2:
            after = gather(True, start)
    compare = Compare(k, straight, (before, tower, after))
    least = min(sum(straight) + 1, before + tower + after + 2) if after >= 0 else sum(straight) + 1
    uses = tuple([f"#{number}" for number in range(1, len(steps) + 1)])
    return [*steps, Step("compare", uses, ((disks, least),), found=compare)]


def of_tower(disks: int) -> int:
    """The least number of moves of a tower on four pegs: Frame and Stewart, 1941; proved by Bousch, 2014."""
    return min([2 * of_tower(top) + 2 ** (disks - top) - 1 for top in range(disks)], default=0)


def _planned(table: MovesTable, answer: Sequence[Move]) -> Iterator[Step]:
    """Where the smaller disks wait, if it takes more than one run of moves to get them there."""
    largest, now = max(disk for disk, _, _ in answer), list(table.start)
    for number, (disk, _, target) in enumerate(answer):
        if disk == largest:
            if number > RUN and (table.pegs > 3 or table.right_only or _whole(table)):
                park = _parked(table, answer, number, tuple(now))
                rule = ("right_only",) if table.right_only else ()
                facts = tuple([(smaller, now[smaller]) for smaller in range(largest)])
                yield Step("park", (*_labels(range(largest + 1)), *rule), facts, found=park)
            return
        now[disk] = target


def _parked(table: MovesTable, answer: Sequence[Move], number: int, stands: Stands) -> Park:
    """How the smaller disks stand before this move of the largest, and what the number of moves to there is made of."""
    largest, source, target = answer[number]
    moved = [disk for disk, _, _ in answer]
    each = tuple([moved[:number].count(disk) for disk in range(largest)])
    whole = _whole(table) and moved.count(largest) == 1
    split = next((disk for disk in range(largest) if stands[disk] != stands[0]), largest)
    if table.pegs != 4 or not whole or number != of_tower(split) + 2 ** (largest - split) - 1:
        split = 0
    mixed = any(disk >= split for disk in moved[: of_tower(split)])
    return Park(largest, source, target, stands, (number, len(answer) - number - 1), each, whole, split, mixed)


def _every(table: MovesTable) -> tuple[str, ...]:
    return (*_labels(range(len(table.start))), *(("right_only",) if table.right_only else ()))


def _labels(disks: Sequence[int]) -> tuple[str, ...]:
    return tuple([f"disk {disk + 1}" for disk in disks])


# ---- the moves ---------------------------------------------------------------------------------------------------------------


def _runs(moves: Sequence[Move], short: int) -> Iterator[tuple[Move, ...]]:
    """The moves in runs, each with the move of its largest disk at its end where it has any; those of up to `short` are not
    parted."""
    largest = max(disk for disk, _, _ in moves)
    if len(moves) <= short:
        yield tuple(moves)
        return
    run: list[Move] = []
    for move in moves:
        if move[0] != largest:
            run.append(move)
            continue
        if len(run) > RUN:
            *parts, last = _runs(run, RUN)
            yield from parts
            run = list(last)
            if len(last) > RUN or (len(last) > 1 and all(move[0] < last[-1][0] for move in last[:-1])):
                yield last
                run = []
        yield (*run, move)
        run = []
    if run:
        yield from _runs(run, RUN)


def _carried(table: MovesTable, answer: Sequence[Move]) -> Iterator[Step]:
    """The moves, run by run."""
    stands, first = list(table.start), 1
    for run in _runs(answer, 1):
        opens = len(run) > 1 and all(move[0] < run[-1][0] for move in run[:-1])
        asides = _asides(run, stands, answer[first + len(run) - 1 :]) if opens else ()
        for disk, _, target in run:
            stands[disk] = target
        moved = sorted({disk for disk, _, _ in run})
        last = first + len(run) - 1 == len(answer)
        facts: tuple[Fact, ...] = tuple([(disk, stands[disk]) for disk in moved])
        rule = ("right_only",) if table.right_only else ()
        yield Step("carry", (*_labels(moved), *rule), facts, found=Carry(first, run, tuple(stands), opens, last, asides))
        first += len(run)


def _asides(run: Sequence[Move], stands: Sequence[int], after: Sequence[Move]) -> tuple[tuple[int, int, int, bool], ...]:
    """Why disks move that were not in the way of the last one of a run, where their first moves say so; see Carry.

    Of the larger disks that leave or come to the peg that it leaves, the first one could not do so before.
    """
    _, source, target = run[-1]
    found: dict[int, tuple[int, int, int, bool]] = {}
    for at, (disk, peg, _) in enumerate(run[:-1]):
        if stands[disk] in (source, target) or disk in [move[0] for move in run[:at]]:
            continue
        for number, (other, came, to) in enumerate([*run[at + 1 :], *after], at + 1):
            if other == disk and to == peg:
                break
            if other > disk and peg in (came, to):
                found[disk] = (disk, other, peg if to == peg else -1, number >= len(run))
                break
        else:
            ends = [to for other, _, to in (*run[at:], *after) if other == disk]
            if len(ends) == 1:
                found[disk] = (disk, disk, ends[0], False)
    return tuple(found.values())


# ---- to the right only -------------------------------------------------------------------------------------------------------


def _stuck(table: MovesTable) -> list[Step]:
    """Why the goal is out of reach; no steps where that takes too many arrangements."""
    for disk in range(len(table.start) - 1, -1, -1):
        if table.goal[disk] < table.start[disk]:
            return [Step("leftward", (f"disk {disk + 1}", "right_only"), found=Leftward(disk))]
    few = list(range(len(table.start)))
    for disk in range(len(table.start)):
        fewer = [other for other in few if other != disk]
        if _reaches(table, fewer) is not None:
            few = fewer
    found = _reaches(table, few)
    if found is None or len(found) > _ARRANGEMENTS:
        return []
    labels = (*_labels(few), "right_only")
    steps = [Step("few", labels, tuple([(disk, table.start[disk]) for disk in few]), found=Few(tuple(few)))]
    for at, (stands, moves) in enumerate(found, 1):
        last = at == len(found)
        facts = () if last else tuple(zip(few, stands, strict=True))
        uses = (*labels, *[f"#{k}" for k in range(1, at + 1)]) if last else (*labels, "#1")
        steps.append(Step("blocked", uses, facts, found=Blocked(tuple(few), stands, tuple(moves), last)))
    return steps


def _reaches(table: MovesTable, few: Sequence[int]) -> list[tuple[Stands, list[tuple[int, int]]]] | None:
    """All arrangements of a few disks that they come to, with the moves from each; None if they come to their goal."""
    goal = tuple([table.goal[disk] for disk in few])
    work = [tuple([table.start[disk] for disk in few])]
    found: list[tuple[Stands, list[tuple[int, int]]]] = []
    if not few or work[0] == goal:
        return None
    for stands in work:  # grows
        moves: list[tuple[int, int]] = []
        for at, peg in enumerate(stands):
            if peg in stands[:at]:
                continue
            for target in range(peg + 1, goal[at] + 1):
                if target not in stands[:at]:
                    after = (*stands[:at], target, *stands[at + 1 :])
                    if after == goal:
                        return None
                    moves.append((few[at], target))
                    if after not in work:
                        work.append(after)
        found.append((stands, moves))
        if len(found) > 5_000:
            return []
    return found
