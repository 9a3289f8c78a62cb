"""Reasoning about towers (MovesTable): the largest disk that is out of place first, then where the smaller ones have to be for
that.

What steps conclude: (disk, peg) for disks that stand there after the moves so far. Numbers have slots of their own, above the
disks: `least` (disks + 0) is the number of moves that are needed at least, `towers` (from disks + 1 on) are the least numbers
of moves in which the disks smaller than the largest one gather on a peg, from the start (by peg) and from the goal (by pegs +
peg).

With three pegs a short argument proves that a list is shortest. While a disk moves, all smaller ones stand on one peg, the
third; and gathering the disks of any arrangement on a peg takes 2**d moves for each disk d (0 is the smallest) that is not
where the tower of the larger ones wants it, so both ways of the largest disk, straight or over the third peg, can be counted.
With more pegs no such argument is known: the steps say how the moves go, and that a search shows that no fewer will do, unless
each disk moves once.

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
    steps = [*_argument(table, answer), *_carried(table, answer)]
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

    def shown(self, stands: Stands) -> str:
        """What stands on each peg, from bottom to top."""
        pegs = []
        for peg in range(self.table.pegs):
            here = [self.name(disk) for disk in range(len(stands) - 1, -1, -1) if stands[disk] == peg]
            pegs.append(f"{self.peg(peg)}: {' '.join(here) or 'empty'}")
        return "; ".join(pegs)


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
            larger = [say.name(disk) for disk in range(self.disk + 1, disks)]
            are = "is in place and stays" if self.stay == 1 else "are in place and stay"
            which = f"{'disk' if self.stay == 1 else 'disks'} {listed(larger)}"
            text += f" ({which} {are}: without their moves the other moves are still legal)"
        if self.disk and say.table.pegs == 3 and not say.table.right_only:
            text += f". While it moves, {say.below(self.disk)} must stand on neither of its two pegs, so on the third. "
            text += "Bringing a disk to another peg, and the n smaller ones onto it from where they wait, "
            text += "takes 1 + (2^n - 1) = 2^n moves"
        elif self.disk:
            text += f". While it moves from one peg to another, {say.below(self.disk)} must stand on other pegs than these two"
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
        small, target, start = say.below(count), say.peg(self.target), "from the start"
        lead = pick(
            say.voice,
            f"{'from the goal, taken backwards' if self.back else start}, {small} to {target}",
            f"gather {small} on {target}, {'backwards from the goal' if self.back else start}",
            f"bring {small} to {target}, {'counted back from the goal' if self.back else start}",
        )
        total = _number(stands, self.wants)
        if count > 1 and len(set(here)) == 1:
            if not total:
                return f"{lead}: they are there already, 0 moves"
            return f"{lead}: they stand together on {say.peg(here[0])}, so that takes 2^{count} - 1 = {plural(total, 'move')}"
        parts, powers = [], []
        for disk, want in zip(range(count - 1, -1, -1), self.wants, strict=True):
            name, peg = say.name(disk), stands[disk]
            if peg == want:
                parts.append(f"{name} is on {say.peg(want)} already, 0")
                continue
            first = f" (smaller ones first to {say.peg(3 - peg - want)})" if disk else ""
            parts.append(f"{name} from {say.peg(peg)} to {say.peg(want)}{first}, {2**disk}")
            powers.append(2**disk)
        sums = f"{' + '.join(map(str, powers))} = {total}" if len(powers) > 1 else f"{total}"
        return f"{lead}: {'; '.join(parts)}. In all {sums} {'move' if total == 1 else 'moves'}"


class Compare(Found[_Say]):
    """Both ways of the largest disk, counted. straight, over: moves before, (between,) and after its own moves."""

    disk: int
    straight: tuple[int, int]
    over: tuple[int, int, int]

    def says(self, say: _Say, step: Step) -> str:
        name = say.name(self.disk)
        start, goal = say.table.start[self.disk], say.table.goal[self.disk]
        third, one, other = say.peg(3 - start - goal), self.straight, self.over
        straight, over = sum(one) + 1, sum(other) + 2
        ways = f"straight to {say.peg(goal)}, {one[0]} + 1 + {one[1]} = {straight} moves"
        ways += f"; over {third}, with {say.below(self.disk)} on {say.peg(goal)} first and then carried to {say.peg(start)}, "
        ways += f"{other[0]} + 1 + {other[1]} + 1 + {other[2]} = {over}"
        if straight < over:
            best = f"So it goes straight, and no list has fewer than {straight} moves"
        elif straight > over:
            best = f"So it goes over {third}, and no list has fewer than {over} moves"
        else:
            best = f"Both are as short, and no list has fewer than {straight} moves"
        lead = pick(
            say.voice,
            f"disk {name} moves once or twice (more often never pays): ",
            f"compare the two ways of disk {name}, in one move or in two (more never pay): ",
            f"for disk {name} there are two ways, as more than two moves of it never pay: ",
        )
        return f"{lead}{ways}. {best}"


class Once(Found[_Say]):
    """Each disk that is out of place moves once at least, and these moves are enough."""

    disks: int

    def says(self, say: _Say, step: Step) -> str:
        are, moves = plural(self.disks, "disk is", "disks are"), plural(self.disks, "move")
        return pick(
            say.voice,
            f"{are} out of place, and each has to move, so it takes at least {moves}",
            f"each disk that is out of place has to move, and {are}: no list has fewer than {moves}",
            f"fewer than {moves} cannot do, since {are} out of place",
        )


class Park(Found[_Say]):
    """Where the others stand when the largest disk moves first. moves: how many come before that, and after it."""

    disk: int
    source: int
    target: int
    stands: Stands
    moves: tuple[int, int]

    def says(self, say: _Say, step: Step) -> str:
        name, (before, after) = say.name(self.disk), self.moves
        heaps = []
        for peg in range(say.table.pegs):
            here = [say.name(disk) for disk in range(self.disk - 1, -1, -1) if self.stands[disk] == peg]
            if here:
                heaps.append(f"{' '.join(here)} on {say.peg(peg)}")
        text = pick(
            say.voice,
            f"a plan: park the smaller disks as {listed(heaps)}",
            f"so let the smaller disks stand as {listed(heaps)} first",
            f"to make room, put the smaller ones as {listed(heaps)}",
        )
        moves = (
            f"{plural(before, 'move')} before that, and {after} after it" if after else f"{plural(before, 'move')} before that"
        )
        total = before + after + 1
        return (
            f"{text}; then disk {name} goes from {say.peg(self.source)} to {say.peg(self.target)} "
            f"({moves}, {plural(total, 'move')} in all). "
            f"That no fewer than {total} will do is known from a search through all arrangements; no short argument shows it"
        )


class Carry(Found[_Say]):
    """Moves in a row, up to one of a larger disk that they make room for.

    first: the number of the first. stands: after them. opens: the last one is of a larger disk than the others. last: the goal.
    """

    first: int
    moves: tuple[Move, ...]
    stands: Stands
    opens: bool
    last: bool

    def says(self, say: _Say, step: Step) -> str:
        final, many = self.first + len(self.moves) - 1, len(self.moves)
        told = [f"{say.name(disk)} {say.peg(source)} -> {say.peg(target)}" for disk, source, target in self.moves]
        disk, source, target = self.moves[-1]
        number = f"move {final}" if many == 1 else f"moves {self.first} to {final}"
        if many == 1:
            free = pick(
                say.voice,
                f"disk {say.name(disk)} is free to go",
                f"now disk {say.name(disk)} can move",
                f"disk {say.name(disk)} can go at once",
            )
            text = f"{free}, {number}: {told[0]}"
        elif self.opens:
            need = pick(
                say.voice,
                f"clear disk {say.name(disk)} and {say.peg(target)} of smaller ones, then move it",
                f"to free disk {say.name(disk)} and make room on {say.peg(target)}",
                f"make way for disk {say.name(disk)} from {say.peg(source)} to {say.peg(target)}",
            )
            text = f"{need}, {number}: {', '.join(told)}"
        else:
            if len({disk for disk, _, _ in self.moves}) == len(say.table.start):
                carry = "the moves"
            else:
                carry = f"carry the smaller disks to where {'the goal wants them' if self.last else 'they are needed next'}"
            text = f"{carry}, {number}: {', '.join(told)}"
        if self.last:
            return f"{text}. Now every disk stands as in the goal, after {plural(final, 'move')}: {say.shown(self.stands)}"
        return f"{text}. {pick(say.voice, 'Now', 'After that', 'That leaves')} {say.shown(self.stands)}"


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
        return f"{text}. Disks move to the right only, so it never comes back there. So there is no answer"


class Few(Found[_Say]):
    """The disks that are in each other's way; all others are left out."""

    disks: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        table = say.table
        tasks = [
            f"{say.name(disk)} from {say.peg(table.start[disk])} to {say.peg(table.goal[disk])}"
            if table.start[disk] != table.goal[disk]
            else f"{say.name(disk)}, which is on {say.peg(table.goal[disk])} and must be there"
            for disk in self.disks
        ]
        text = pick(
            say.voice,
            f"look at disks {listed([say.name(disk) for disk in self.disks])} alone",
            f"disks {listed([say.name(disk) for disk in self.disks])} are enough to see it",
            f"leave out all disks but {listed([say.name(disk) for disk in self.disks])}",
        )
        return (
            f"{text} (without the moves of the others, theirs would still be legal): {'; '.join(tasks)}. "
            "No disk may go past its goal, as it cannot come back"
        )


class Blocked(Found[_Say]):
    """An arrangement of the few disks, and all that can follow it: (disk, peg). last: the others have been gone through too."""

    disks: tuple[int, ...]
    stands: Stands
    moves: tuple[tuple[int, int], ...]
    last: bool

    def says(self, say: _Say, step: Step) -> str:
        where = listed([f"{say.name(disk)} on {say.peg(peg)}" for disk, peg in zip(self.disks, self.stands, strict=True)])
        if self.moves:
            can = listed([f"{say.name(disk)} to {say.peg(peg)}" for disk, peg in self.moves], "or")
            text = f"with {where}, the only moves are {can}" if len(self.moves) > 1 else f"with {where}, the only move is {can}"
        else:
            held = []
            for at, (disk, peg) in enumerate(zip(self.disks, self.stands, strict=True)):
                if peg != say.table.goal[disk]:
                    smaller = list(zip(self.disks[:at], self.stands, strict=False))
                    on = [say.name(small) for small, there in smaller if there == peg]
                    taken = [
                        f"{say.name(small)} on {say.peg(there)}"
                        for small, there in smaller
                        if peg < there <= say.table.goal[disk]
                    ]
                    why = (
                        f"{listed(on)} on top of it"
                        if on
                        else f"only further to the right, where smaller ones stand: {listed(taken)}"
                    )
                    held.append(f"{say.name(disk)} cannot move on ({why})")
            text = f"with {where}, {listed(held)}"
        ends = ". That is every arrangement that can be reached, and none is the goal. So there is no answer"
        return text + ends if self.last else text


TECHNIQUES = tiers([Largest, Gather, Compare, Once, Park, Carry, Leftward, Few, Blocked])


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


def _argument(table: MovesTable, answer: Sequence[Move]) -> Iterator[Step]:
    """Steps that show, or say, that no list is shorter."""
    disks, pegs = len(table.start), table.pegs
    away = [disk for disk in range(disks) if table.start[disk] != table.goal[disk]]
    least = disks
    every = _labels(away)
    if len(away) == len(answer):
        yield Step("once", every, ((least, len(answer)),), found=Once(len(away)))
        return
    largest = max(disk for disk, _, _ in answer)
    if pegs == 3 and not table.right_only:
        k = away[-1]
        yield Step("largest", _labels(range(k, disks)), ((k, table.start[k]),), found=Largest(k, disks - k - 1))
        start, goal = table.start[k], table.goal[k]
        third = 3 - start - goal
        counted, uses = [], ["#1"]
        for back, target in ((False, third), (True, third), (False, goal), (True, start)):
            stands = table.goal if back else table.start
            wants = _wants(stands, k, target)
            counted.append(_number(stands, wants))
            fact = (least + 1 + back * pegs + target, counted[-1])
            uses.append(f"#{len(uses) + 1}")
            yield Step("gather", _labels(range(k)), (fact,), found=Gather(k, back, target, wants))
        compare = Compare(k, (counted[0], counted[1]), (counted[2], 2**k - 1, counted[3]))
        yield Step("compare", tuple(uses), ((least, min(sum(compare.straight) + 1, sum(compare.over) + 2)),), found=compare)
        return
    if largest == away[-1]:
        yield Step(
            "largest",
            _labels(range(largest, disks)),
            ((largest, table.start[largest]),),
            found=Largest(largest, disks - largest - 1),
        )
    now = list(table.start)
    for number, (disk, source, target) in enumerate(answer):
        if disk == largest:
            after = len(answer) - number - 1
            park = Park(disk, source, target, tuple(now), (number, after))
            rule = ("right_only",) if table.right_only else ()
            yield Step("park", (*_labels(range(disks)), *rule), ((least, len(answer)),), found=park)
            return
        now[disk] = target


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
        for disk, _, target in run:
            stands[disk] = target
        moved = sorted({disk for disk, _, _ in run})
        opens = len(run) > 1 and all(move[0] < run[-1][0] for move in run[:-1])
        last = first + len(run) - 1 == len(answer)
        facts: tuple[Fact, ...] = tuple([(disk, stands[disk]) for disk in moved])
        rule = ("right_only",) if table.right_only else ()
        yield Step("carry", (*_labels(moved), *rule), facts, found=Carry(first, run, tuple(stands), opens, last))
        first += len(run)


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
