"""The checker of steps about moves (routes.py, moves.py): every claim is worked out again from the family's model, a graph.

Of ways over roads: every distance by labels that are corrected until none changes; that every path from a settled state is
accounted for, with the right sum; that whatever is nearer than the end was settled before it. Where there is no way: every path
from every state that can be reached. Of towers: every move is one of the model's; numbers of moves by a search breadth first
(solvers/routes.py), also those in which smaller disks gather; arrangements of a few disks by the model of the puzzle without
the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Graph, Move, MovesTable, RoadsTable, State, Step
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.solvers import routes
from puzzlemill.solvers.deduce.moves import of_tower

_BUDGET = 1_000_000  # arrangements of a search
_SMALL = 6  # disks of towers whose least numbers are looked up by a search


class _Wrong(Exception):
    """The first mistake of a step."""


def wrong_moves(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step]) -> str:
    """Find the first mistake of steps about moves; "" if there is none. Raises Discarded("budget") where a search is too wide."""
    graph, table = family.model(puzzle.spec, puzzle.board), family.table(puzzle)
    assert isinstance(graph, Graph)
    assert isinstance(table, (MovesTable, RoadsTable))
    labels = family.routes.parts(puzzle)
    checker: Any = _Roads(graph, table) if isinstance(table, RoadsTable) else _Towers(family, puzzle, graph, table)
    for number, step in enumerate(steps, 1):
        where = f"step {number} ({step.technique})"
        for use in step.uses:
            if use.startswith("#"):
                if not 1 <= int(use[1:]) < number:
                    return f"{where}: uses {use}, which is no earlier step"
            elif use not in labels:
                return f"{where}: uses {use!r}, which is no part of this puzzle"
        method = getattr(checker, step.technique, None)
        if method is None:
            return f"{where}: no such technique"
        try:
            method(number, step, step.found)
            if not step.sets and number < len(steps):
                raise _Wrong("a contradiction, but the deduction goes on")
            if number == len(steps):
                checker.ended(step)
        except _Wrong as wrong:
            return f"{where}: {wrong}"
    return ""


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise _Wrong(what)


# ---- ways over roads -----------------------------------------------------------------------------------------------------------


class _Roads:
    def __init__(self, graph: Graph, table: RoadsTable) -> None:
        self.graph, self.places = graph, table.places
        self.full = (1 << len(table.via)) - 1
        self.far = _distances(graph)
        self.goals = table.goals
        self.steps: dict[int, int] = {}  # by the number of a state, the step that settled it
        self.known: dict[int, int] = {table.start: 0}  # by the same, what steps have said so far
        self.covered: dict[State, None] = {}

    def state(self, number: int) -> State:
        visited, place = divmod(number, self.places)
        return (place, self.full & ~visited)

    def cost(self, move: Move) -> int:
        assert self.graph.cost is not None
        return self.graph.cost(move)

    def _ends(self, labels: Iterable[tuple[int, int]]) -> list[int]:
        """The distances among these that are those of an end of the way."""
        return [far for state, far in labels if state // self.places == self.full and state % self.places in self.goals]

    def settle(self, number: int, step: Step, found: Any) -> None:
        here, far = self.state(found.state), found.distance
        _must(step.sets == ((found.state, far),), "concludes something else")
        _must(self.far.get(here) == far, f"the distance is {self.far.get(here)}, not {far}")
        self._nothing_nearer(far)
        _must(found.state not in self.steps and self.known.get(found.state) == far, "no earlier step has led there")
        if found.before[0] >= 0:
            before = self.state(found.before[0])
            lengths = [self.cost(move) for move, state in self.graph.moves(before) if state == here]
            _must(found.before[0] in self.steps and found.before[1] == self.far[before], "that place is not settled so")
            _must(far - self.far[before] in lengths, "not by way of that place")
            _must(f"#{self.steps[found.before[0]]}" in step.uses, "does not name the step that it leans on")
        else:
            _must(here == self.graph.start, "is not the start")
        self._open(found, found.state)
        self._roads(found, list(self.graph.moves(here)))
        self.known.update(found.labels)
        self.steps[found.state] = number

    def _roads(self, found: Any, moves: Sequence[tuple[Move, State]]) -> None:
        """Every path from a state is accounted for once: it gives a label, or is compared with one, or leads back."""
        told = {state % self.places: total for state, total, *_ in (*found.labels, *found.longer)}
        _must(sorted([*told, *found.behind]) == sorted([move[1] for move, _ in moves]), "does not account for each path once")
        after = {move[1]: state for move, state in moves}
        for move, _ in moves:
            _must(told.get(move[1], -1) in (-1, found.distance + self.cost(move)), "a sum is wrong")
        for state, total in found.labels:
            known = self.known.get(state)
            _must(after[state % self.places] in (self.state(state), self.graph.goal), "leads elsewhere")
            _must(dict(found.nearer).get(state) == known and (known is None or total < known), "what was known is something else")
        for state, total, best, own in found.longer:
            ends = self._ends([*self.known.items(), *found.labels])
            _must(best == (self.known.get(state) if own else min(ends, default=-1)), "is compared with something else")
            _must(best <= total, "is better than what it is compared with")
        settled = [self.state(state) for state in self.steps]
        _must(all(after[place] in settled or after[place] == self.state(found.state) for place in found.behind), "is not settled")

    def _open(self, found: Any, here: int) -> None:
        others = [(far, state) for state, far in self.known.items() if state not in self.steps and state != here]
        _must([(far, state) for state, far in found.open] == sorted(others), "others are open")

    def _nothing_nearer(self, far: int) -> None:
        settled = [self.state(state) for state in self.steps]
        _must(all(state in settled for state, d in self.far.items() if d < far), "something nearer has not been settled")

    def arrive(self, number: int, step: Step, found: Any) -> None:
        total, end = self.far.get(self.graph.goal), self.full * self.places + found.route[-1]
        _must(found.total == total, f"the least is {total}")
        _must(step.sets == ((end, found.total),), "concludes something else")
        self._nothing_nearer(found.total)
        needed = [f"#{k}" for state, k in self.steps.items() if self.known[state] < found.total]
        _must(set(needed) <= set(step.uses), "does not name all that is nearer")
        state, lengths = self.graph.start, list[int]()
        for move in pairwise(found.route):
            after = [s for legal, s in self.graph.moves(state) if legal == move]
            _must(len(after) == 1, "the route leaves the paths")
            lengths.append(self.cost(move))
            state = after[0]
        _must(state == self.graph.goal and sum(lengths) == found.total, "the route is another one")
        _must(tuple(lengths) == found.lengths, "a length is wrong")
        self._open(found, end)
        _must(all(far >= found.total for _, far in found.open), "another one is nearer")

    def reach(self, number: int, step: Step, found: Any) -> None:
        for place, targets in found.onward:
            here = (place, self.full & ~found.visited)
            _must(here in self.far, f"place {place + 1} cannot be reached so")
            _must(sorted(targets) == sorted([move[1] for move, _ in self.graph.moves(here)]), "paths are missing, or made up")
            self.covered[here] = None
        if step.sets:
            told = tuple([(found.visited * self.places + place, 1) for place, _ in found.onward])
            _must(step.sets == told, "concludes something else")
        if found.all:
            mine = [place for place, owed in self.covered if owed == self.full & ~found.visited]
            _must(sorted(found.all) == sorted(mine), "not all places that can be reached")
            after = [state for place in mine for _, state in self.graph.moves((place, self.full & ~found.visited))]
            gone = {place for place, owed in after if owed != self.full & ~found.visited}
            _must(sorted(found.gone) == sorted(gone), "other visits are made from there")

    def ended(self, step: Step) -> None:
        if step.technique == "reach":
            _must(not step.sets, "nothing is concluded")
            _must(self.graph.goal not in self.far, "there is a way")
            _must(set(self.far) == set(self.covered), "not all that can be reached")
        else:
            _must(step.technique == "arrive", "the end has not been reached")


def _distances(graph: Graph) -> dict[State, int]:
    """How far each state is from the start: labels that are corrected until none changes."""
    assert graph.cost is not None
    far = {graph.start: 0}
    changed = [graph.start]
    for state in changed:  # grows
        for move, after in graph.moves(state):
            total = far[state] + graph.cost(move)
            if after not in far or total < far[after]:
                far[after] = total
                if after != graph.goal:
                    changed.append(after)
    return far


# ---- towers --------------------------------------------------------------------------------------------------------------------


# a disk that moves on the way, the one that it frees, the peg that it leaves, where there is room then (-1: none), how many moves
# there are up to its own, and up to the end of the run, and whether it is used only after these
Promise = tuple[int, int, int, int, int, int, bool]


class _Towers:
    def __init__(self, family: AnyFamily, puzzle: AnyPuzzle, graph: Graph, table: MovesTable) -> None:
        self.family, self.puzzle, self.graph, self.table = family, puzzle, graph, table
        self.disks, self.stands = len(table.start), graph.start
        self.moves: list[Move] = []
        self.once: list[int] = []  # disks that are counted with one move
        self.least: int | None = None
        self.gathered: dict[tuple[bool, int], int] = {}
        self.parked: Any = None
        self.promised: list[Promise] = []
        self.home: list[tuple[int, int]] = []  # disks that are said to go to their goal, and the number of that move
        self.left: dict[State, list[Move]] | None = None  # arrangements of a few disks that are still to be gone through

    def _fewest(self, disks: Sequence[int], counted: Sequence[int]) -> int:
        """How many moves some of these disks need at least, if there are no others: moves of the rest cost nothing."""
        puzzle = self.puzzle
        for disk in range(self.disks):
            if disk not in disks:
                puzzle = self.family.routes.without(puzzle, f"disk {disk + 1}")
        graph = self.family.model(puzzle.spec, puzzle.board)
        assert isinstance(graph, Graph)
        far, work = {graph.start: 0}, deque([graph.start])
        while work:
            state = work.popleft()
            for (disk, _, _), after in graph.moves(state):
                cost = far[state] + (disk in counted)
                if cost < far.get(after, cost + 1):
                    far[after] = cost
                    (work.append if disk in counted else work.appendleft)(after)
        return far[graph.goal]

    def count(self, number: int, step: Step, found: Any) -> None:
        twice = [disk for _, disks in found.twice for disk in disks]
        _must(len({*found.once, *twice}) == len(found.once) + len(twice), "counts a disk more than once")
        _must(all(disk in self._away() for disk in found.once), "a disk need not move")
        for larger, disks in found.twice:
            for disk in disks:
                _must(self._fewest((disk, larger), (disk,)) >= 2, f"disk {disk + 1} need not move twice because of that one")
        self._so_far(step, len(found.once) + 2 * len(twice), found.final)
        self.once = list(found.once)

    def circle(self, number: int, step: Step, found: Any) -> None:
        _must(all(one[1] == two[0] or one[1][0] == two[0][0] for one, two in pairwise([*found.order, found.order[0]])), "is open")
        on = sorted({disk for pair in found.order for disk, _ in pair})
        _must(set(found.once) <= set(self.once) & set(on), "a disk was not counted once, or is on another circle")
        _must(self._fewest(on, found.once) > len(found.once), "these disks need not move more often")
        for one, two in found.order:
            _must(self._blocks(one, two), "the earlier one does not make way for the later one")
        self.once = [disk for disk in self.once if disk not in found.once]
        assert self.least is not None
        self._so_far(step, self.least + 1, found.final)

    def _blocks(self, one: tuple[int, int], two: tuple[int, int]) -> bool:
        """Whether a smaller disk has to leave a peg before a larger one leaves it or comes to it; or comes there only after."""
        (small, ours), (large, theirs) = sorted((one, two))
        leaves = one[0] == small
        peg = (self.table.start if leaves else self.table.goal)[small]
        ends = [self.table.start[large]] if not theirs or large in self.once else []
        ends += [self.table.goal[large]] if theirs or large in self.once else []
        return peg in ends and (small in self.once or ours == (not leaves))

    def wait(self, number: int, step: Step, found: Any) -> None:
        towers = [len({*stands[: found.disk + 1]}) == 1 for stands in (self.table.start, self.table.goal)]
        _must(found.disk == self._away()[-1] and towers[found.back], "these disks are no tower")
        _must(found.both == all(towers), "start or goal is described wrongly")
        other = self.table.start if found.back else self.table.goal
        ends = (self.table.start[found.disk], self.table.goal[found.disk])
        _must(found.away == len([peg for peg in other[: found.disk] if peg in ends]), "others move again")
        extra = found.disk - (self.table.pegs - 2)
        _must(extra > 0, "there is a peg for each")
        self._at_least(step, found.disk + extra + 1 + (found.disk + extra if found.both else found.away))

    def tower(self, number: int, step: Step, found: Any) -> None:
        table = self.table
        _must(table.pegs == 3 and not table.right_only, "this is known of three pegs")
        _must(len({*table.start}) == len({*table.goal}) == 1, "this is no tower")
        self._at_least(step, 2**self.disks - 1)

    def known(self, number: int, step: Step, found: Any) -> None:
        table = self.table
        for disks in range(1, min(found.tower, _SMALL) + 1):
            least = _length(MovesTable(4, (0,) * disks, (3,) * disks))
            _must(of_tower(disks) == least, "these numbers are not the least ones")
        _must(len({*table.start}) == len({*table.goal}) == 1 and table.pegs == 4, "this is no tower on four pegs")
        _must(found.tower == self.disks and not table.right_only, "this is no whole tower")
        _must(of_tower(found.tower) == _length(table), "the number is not that of the tower")
        self._at_least(step, _length(self.table))

    def unproved(self, number: int, step: Step, found: Any) -> None:
        self._at_least(step, _length(self.table))

    def _away(self) -> list[int]:
        return [disk for disk in range(self.disks) if self.table.start[disk] != self.table.goal[disk]]

    def largest(self, number: int, step: Step, found: Any) -> None:
        _must(found.disk == self._away()[-1] and found.stay == self.disks - found.disk - 1, "another disk is the largest")
        _must(step.sets == ((found.disk, self.table.start[found.disk]),), "concludes something else")

    def gather(self, number: int, step: Step, found: Any) -> None:
        table, pegs = self.table, self.table.pegs
        stands = (table.goal if found.back else table.start)[: found.disk]
        least = _length(MovesTable(pegs, stands, (found.target,) * found.disk))
        told = sum([2**disk for disk in range(found.disk) if stands[disk] != found.wants[found.disk - 1 - disk]])
        _must(pegs == 3 and not table.right_only and least == told, f"it takes {least} moves")
        _must(step.sets == ((self.disks + 1 + found.back * pegs + found.target, least),), "concludes something else")
        self.gathered[found.back, found.target] = least

    def compare(self, number: int, step: Step, found: Any) -> None:
        start, goal = self.table.start[found.disk], self.table.goal[found.disk]
        third = 3 - start - goal
        tower = _length(MovesTable(3, (goal,) * found.disk, (start,) * found.disk))
        straight = (self.gathered.get((False, third)), self.gathered.get((True, third)))
        over = (self.gathered.get((False, goal), -1), tower, self.gathered.get((True, start), -1))
        _must((found.straight, found.over) == (straight, over), "other numbers were found")
        once, twice = sum(found.straight) + 1, sum([max(0, each) for each in over]) + 2
        _must(min(over) >= 0 or once <= twice, "what was left out may matter")
        _must(once <= 2 * tower + 3 or (min(over) >= 0 and twice <= 2 * tower + 3), "a third move may help")
        self._at_least(step, min(once, twice))

    def park(self, number: int, step: Step, found: Any) -> None:
        self.parked = found
        _must(step.sets == tuple(enumerate(found.stands[: found.disk])), "concludes something else")
        ends = [len({*stands}) for stands in (self.table.start, self.table.goal)]
        _must(not found.whole or (ends == [1, 1] and not self.table.right_only), "no whole tower moves")
        if found.split:
            top, rest = found.split, found.stands[found.split : found.disk]
            first = _length(MovesTable(4, (0,) * top, (3,) * top))
            _must(found.whole and self.table.pegs == 4 and len({*found.stands[:top]}) == len({*rest}) == 1, "no such parts")
            _must(first + 2 ** len(rest) - 1 == found.moves[0], "the parts make another number")

    def _parted(self, found: Any) -> None:
        """The moves so far are those that the plan told."""
        moved = [move[0] for move in self.moves]
        _must(found.each == tuple([moved.count(disk) for disk in range(found.disk)]), "a disk has moved more often, or less")
        if found.split:
            first = moved[: found.moves[0] - 2 ** (found.disk - found.split) + 1]
            _must(found.mixed == (max(first) >= found.split), "the parts are in another order")

    def _so_far(self, step: Step, moves: int, final: bool) -> None:
        """A number that is no more than the least; the least itself if it is said to be."""
        if final:
            self._at_least(step, moves)
        _must(step.sets == ((self.disks, moves),), "concludes something else")
        _must(final == (moves == _length(self.table)), "is not the last of the count, or is")
        self.least = moves

    def _at_least(self, step: Step, moves: int) -> None:
        least = _length(self.table)
        _must(moves == least, f"{least} moves are needed")
        _must(step.sets == ((self.disks, moves),), "concludes something else")
        self.least = moves

    def carry(self, number: int, step: Step, found: Any) -> None:
        _must(found.first == len(self.moves) + 1, "moves are left out")
        before = self.stands
        for move in found.moves:
            if self.parked is not None and len(self.moves) == self.parked.moves[0]:
                same = (self.parked.disk, self.parked.source, self.parked.target) == move
                _must(same and self.parked.stands == self.stands, "the disks do not stand as planned")
                self._parted(self.parked)
            after = [state for legal, state in self.graph.moves(self.stands) if legal == move]
            _must(len(after) == 1, f"move {len(self.moves) + 1} is not legal")
            self.stands = after[0]
            self.moves.append(move)
        _must(found.stands == self.stands, "the pegs look different")
        self._asides(before, found)
        moved = sorted({move[0] for move in found.moves})
        _must(step.sets == tuple([(disk, self.stands[disk]) for disk in moved]), "concludes something else")
        _must(found.last == (self.stands == self.graph.goal) and before != self.stands, "the goal is not where it is said to be")

    def _asides(self, before: State, found: Any) -> None:
        """What moves on the way was in the way: with its disk still there, the other one could not move."""
        for disk, other, peg, later in found.asides:
            end = found.moves[-1]
            at = next((k for k, move in enumerate(found.moves) if move[0] == disk), len(found.moves) - 1)
            left = found.moves[at][1]
            _must(at < len(found.moves) - 1 and before[disk] not in end[1:], "this disk had to make way")
            if other == disk:  # it goes to its goal, and does not move again
                self.home.append((disk, found.first + at))
                _must(found.moves[at][2] == peg == self.table.goal[disk] and not later, "this is not where the disk must end")
                continue
            _must(other > disk and peg in (-1, left), "frees another disk, or another peg")
            self.promised.append((disk, other, left, peg, found.first + at, found.first + len(found.moves) - 1, later))

    def leftward(self, number: int, step: Step, found: Any) -> None:
        fits = self.table.right_only and self.table.goal[found.disk] < self.table.start[found.disk]
        _must(fits and not step.sets, "the disk need not go left")
        self.left = {}

    def few(self, number: int, step: Step, found: Any) -> None:
        _must(step.sets == tuple([(disk, self.graph.start[disk]) for disk in found.disks]), "concludes something else")
        puzzle = self.puzzle
        for disk in range(self.disks):
            if disk not in found.disks:
                puzzle = self.family.routes.without(puzzle, f"disk {disk + 1}")
        graph = self.family.model(puzzle.spec, puzzle.board)
        assert isinstance(graph, Graph)
        self.left = _onward(graph)

    def blocked(self, number: int, step: Step, found: Any) -> None:
        assert self.left is not None
        state = list(self.graph.start)
        for disk in range(self.disks):
            state[disk] = -1
        for disk, peg in zip(found.disks, found.stands, strict=True):
            state[disk] = peg
        moves = self.left.pop(tuple(state), None)
        _must(moves is not None, "no such arrangement is left to look at")
        _must(sorted([(disk, to) for disk, _, to in moves or ()]) == sorted(found.moves), "other moves are possible")
        if step.sets:
            _must(step.sets == tuple(zip(found.disks, found.stands, strict=True)), "concludes something else")

    def ended(self, step: Step) -> None:
        if step.sets:
            _must(self.stands == self.graph.goal, "the goal has not been reached")
            if self.parked is not None:
                before, after = self.parked.moves
                alone = [move[0] for move in self.moves].count(self.parked.disk) == 1
                _must(before + 1 + after == len(self.moves), "there are more moves than planned, or fewer")
                _must(not self.parked.whole or (alone and before == after), "the plan does not come back as it went")
            for disk, number in self.home:
                _must(all(move[0] != disk for move in self.moves[number:]), f"disk {disk + 1} moves again")
            for disk, other, left, peg, number, end, later in self.promised:
                uses = [at for at, move in enumerate(self.moves) if at >= number and left in move[1:] and move[0] >= disk]
                _must(bool(uses) and (uses[0] >= end) == later, f"nothing uses then what disk {disk + 1} makes room for")
                first = self.moves[uses[0]]
                _must(first[0] == other and first[1 + (peg >= 0)] == left, f"disk {disk + 1} frees something else")
            _must(self.least == len(self.moves), f"{len(self.moves)} moves, but {self.least} were said to do")
        else:
            _must(self.left == {}, "not all arrangements have been gone through")


def _length(table: MovesTable) -> int:
    """The least number of moves, by a search that shares no code with what is checked."""
    if not table.start or table.start == table.goal:
        return 0
    route = routes.by_midpoint(table, _BUDGET) if table.pegs ** len(table.start) > _BUDGET else routes.by_layers(table, _BUDGET)
    if route is None or not route.decided or route.length is None:
        raise Discarded("budget", "the least number of moves")
    return route.length


def _onward(graph: Graph) -> dict[State, list[Move]]:
    """Every arrangement that can be reached while no disk goes past its goal, with the moves from it. Raises _Wrong for the
    goal."""
    found: dict[State, list[Move]] = {}
    work = [graph.start]
    for state in work:  # grows
        _must(state != graph.goal, "these disks come to their goal")
        if state not in found:
            legal: Mapping[Move, State] = dict(graph.moves(state))
            _must(all(target > source for _, source, target in legal), "moves to the left are legal")
            found[state] = [move for move in legal if move[2] <= graph.goal[move[0]]]
            work += [legal[move] for move in found[state]]
    return found
