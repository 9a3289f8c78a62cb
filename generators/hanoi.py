"""Tower of Hanoi, with three pegs or more.

Disks of different sizes stand on pegs. Carry them from the arrangement shown to the goal in as few moves as possible:
  top      only the top disk of a peg moves, to another peg;
  smaller  a disk never comes to stand on a smaller one;
  goal     at the end every disk stands where the goal shows it.
Optional: "right_only", a disk moves only to a peg further to the right (pegs are listed from left to right).
Source: É. Lucas, "Récréations mathématiques", vol. 3 (1893); with four pegs H. E. Dudeney, "The Canterbury Puzzles" (1907),
no. 1, "The Reve's Puzzle". Seen in HardcoreLogic (2510.12563), appendix B, with random starts and goals, other names, and moves
to the right only. broken_rules returns those names for the first illegal move or the missed goal, and "malformed" for anything
but a list of moves.

Canonical puzzles carry a tower from the first peg to the last: 40 puzzles, a small class. Least numbers of moves, pegs by disks:
         3   4   5   6    7    8    9    10    11    12
  3      7  15  31  63  127  255  511  1023  2047  4095
  4      5   9  13  17   25   33   41    49    65    81
  5      5   7  11  15   19   23   27    31    39    47
  6      5   7   9  13   17   21   25    29    33    37
An answer of more than 127 moves is poor training data: 3 pegs with 8, 9, 10, 11 and 12 disks, and no other pair.

Random arrangements: each disk stands on any peg, all alike, but start and goal differ and are not two towers, which would be a
canonical puzzle again. Up to 531,441 arrangements.

Moves to the right only: start and goal are drawn evenly among all pairs that need the rule: they have an answer, and without the
rule some shortest list of moves goes to the left, so that whoever overlooks the rule may be wrong. Of the pairs that have an
answer under the rule (found by looking at all of them):
  3 pegs, 3 to 6 disks   none of them needs it
  3 disks                4 pegs   32 of    548, 5 pegs   183 of  2,290, 6 pegs 513 of 7,048
  4 disks                4 pegs  272 of  3,393, 5 pegs 3,651 of 25,302
  5 disks                4 pegs 1,674 of 17,662
Their answers are short: about 4 moves with 3 disks, 8 with 7 disks on 6 pegs, seldom more than 11.
Only this rule makes puzzles without an answer: otherwise every goal can be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import log10
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import Move, MovesTable, State
from puzzlemill.generators import _hanoi as boards
from puzzlemill.generators._hanoi import GONE, RANDOM, RIGHT_ONLY, RULED, TOWER, Board, OneWay
from puzzlemill.rules import towers
from puzzlemill.vocabulary.towers import told

HanoiPuzzle = f.Puzzle["Params", Board]
Moves = tuple[tuple[int, int, int], ...]  # (disk, from, to); disk 0 is the smallest, pegs count from 0
Hidden = f.Drawn[Board, Moves] | None

_SAID = {  # rules in words, by what broken_rules() calls them
    RIGHT_ONLY: "A disk may only move to a peg that stands to the right of the one it leaves.",
    "top": "A move takes the top disk of the peg it names and puts it on another peg.",
    "smaller": "A disk is never put on top of a smaller one.",
    "goal": "After the last move the disks stand as in the goal.",
    "malformed": "A move names a disk and two pegs of this puzzle.",
}
_DRAWN = {3: 12, 4: 9, 5: 8, 6: 7}  # by pegs, the most disks that are arranged at random
_TRIES = 50_000  # pairs drawn before a search for one that needs the rule is given up


@f.params
class Params:
    """start, goal: "tower" (on the first peg, on the last peg) or "random"."""

    pegs: int = f.Param(3, least=3, most=6)
    disks: int = f.Param(4, least=3, most=12)
    start: str = f.Param(TOWER, among=(TOWER, RANDOM))
    goal: str = f.Param(TOWER, among=(TOWER, RANDOM))


def _drawn_anew(name: str, value: str) -> f.SetParam:
    return f.SetParam(f"{value}_{name}", f.Kind.UE1, f.Relation.FORM, f.Pairing.NONE, ((name, value),), f"a {name} that is drawn")


# ---- routes, changes ---------------------------------------------------------------------------------------------------


class HanoiRoutes(f.Routes[Params, Board, Moves]):
    """The parts of a puzzle are its disks and its rule."""

    def cost(self, puzzle: HanoiPuzzle, answer: Moves) -> int:
        return len(answer)

    def parts(self, puzzle: HanoiPuzzle) -> tuple[str, ...]:
        """The disks by size, "disk 1" is the smallest, then the rules in force."""
        disks = [f"disk {disk + 1}" for disk, peg in enumerate(puzzle.board.start) if peg != GONE]
        return (*disks, *[rule.name for rule in puzzle.spec.rules])

    def without(self, puzzle: HanoiPuzzle, label: str) -> HanoiPuzzle:
        """The other disks keep their labels; a disk that is left out stands on the peg GONE."""
        if puzzle.spec.rule(label) is not None:
            return replace(puzzle, spec=puzzle.spec.without_rule(label))
        gone = f.numbered(Hanoi.name, label, "disk", len(puzzle.board.start))
        start, goal = ((*stands[:gone], GONE, *stands[gone + 1 :]) for stands in (puzzle.board.start, puzzle.board.goal))
        return replace(puzzle, board=Board(start, goal))


class Changes(f.Clues[Params, Board]):
    """There are no clues: what changes is the board."""

    def exchanges(self, puzzle: HanoiPuzzle, rng: f.Rng) -> Iterator[HanoiPuzzle]:
        """Two disks exchange their pegs, at the start or at the goal, so that every peg holds as many disks as before.

        Most are passed over, so that the others look like boards that have an answer (rules/towers.py). There are no other
        changes: a disk that moves alone leaves another number on its peg. Where nothing is left, another puzzle is drawn.
        """
        pegs, board = puzzle.spec.params.pegs, puzzle.board
        for other in rng.shuffled(boards.exchanged(board)):
            if other.start != other.goal and rng.chance(
                1, 1 << towers.halvings(pegs, (board.start, board.goal), (other.start, other.goal))
            ):
                yield replace(puzzle, board=other)

    def can_clash(self, spec: f.Spec[Params]) -> bool:
        return spec.rule(RIGHT_ONLY) is not None  # else moves can be taken back, and every arrangement leads to every other


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Hanoi(f.Family[Params, Board, Hidden, Moves]):
    """What is drawn is the board; nothing is hidden once the puzzle is made."""

    name, version, title, source = "hanoi", 1, "Tower of Hanoi", "É. Lucas, Récréations mathématiques, vol. 3 (1893)"
    params, board, answer, clues, text, routes = Params, Board, Moves, Changes(), boards.Text(), HanoiRoutes()
    form = f.MovesForm[Moves](
        (("disk", 1), ("from", 0), ("to", 0)),
        lambda puzzle: _most_moves(len(puzzle.style.names[1])),
        "Give one row per move, in the order of the moves: the disk, the peg it leaves, the peg it goes to.",
    )
    rules = f.declared(f.OptionalRule(RIGHT_ONLY))
    small = f.SmallClasses(boards.capacity)
    transforms = (
        _drawn_anew("start", RANDOM),
        _drawn_anew("goal", RANDOM),
        RULED,
        OneWay(
            "one_way", False, "disks move to the right only, so that the goal is out of reach", "family.params.pegs of 4 to 6"
        ),
        OneWay(
            "deep_one_way",
            True,
            "disks move to the right only, and are in each other's way",
            "family.params.pegs of 4 to 6",
        ),
        f.Restyle("custom_pegs", f.Kind.UE1, about="other names of the pegs", how=boards.custom_pegs),
        f.Restyle("custom_order", f.Kind.UE1, about="names of disks that do not follow their sizes", how=boards.custom_order),
    )
    questions = (f.QuestionKind.LEAST,)
    smallest = (
        f.Spec(Params(3, 3)),
        f.Spec(Params(4, 3)),
        f.Spec(Params(3, 3, RANDOM, TOWER)),
        f.Spec(Params(3, 3, TOWER, RANDOM)),
        f.Spec(Params(3, 3, RANDOM, RANDOM)),
        f.Spec(Params(5, 4, RANDOM, RANDOM), (f.Rule(RIGHT_ONLY),)),
    )
    worked = (
        (
            "hanoi\nstart\nA: 3 2 1\nB:\nC:\ngoal\nA:\nB:\nC: 3 2 1",
            "1 A C\n2 A B\n1 C B\n3 A C\n1 B A\n2 B C\n1 A C",
            "É. Lucas, Récréations mathématiques, vol. 3 (1893): three disks take 2**3 - 1 = 7 moves",
        ),
        (  # the smallest three go to the second peg, the next two past it to the third, then the largest, and all after it
            "hanoi\nstart\nA: 6 5 4 3 2 1\nB:\nC:\nD:\ngoal\nA:\nB:\nC:\nD: 6 5 4 3 2 1",
            "1 A C\n2 A D\n3 A B\n2 D B\n1 C B\n4 A D\n5 A C\n4 D C\n6 A D\n4 C A\n5 C D\n4 A D\n1 B A\n2 B C\n3 B D\n"
            "2 C D\n1 A D",
            "H. E. Dudeney, The Canterbury Puzzles (1907), solution of no. 1: six cheeses on four stools take 17 moves",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        params = spec.params
        if RANDOM in (params.start, params.goal) and params.disks > _DRAWN[params.pegs]:
            raise f.BadParams(
                f"hanoi.disks must be at most {_DRAWN[params.pegs]} at random on {params.pegs} pegs, got {params.disks}; "
                "set family.params.disks, or start and goal to tower"
            )
        if spec.rules:
            boards.check_right_only(params)

    def style(self, spec: f.Spec[Params]) -> f.Style:
        return f.Style(names=(tuple("ABCDEF"[: spec.params.pegs]), tuple([str(disk + 1) for disk in range(spec.params.disks)])))

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Drawn[Board, Moves]:
        """Evenly among all boards of this spec; under right_only among those that need the rule."""
        again = not spec.rules and RANDOM in (spec.params.start, spec.params.goal)  # whether towers would be a canonical puzzle
        for _ in range(_TRIES):
            board = boards.ordered_board(spec.params, rng) if spec.rules else boards.any_board(spec.params, rng)
            if board.start == board.goal or (again and len(set(board.start)) == len(set(board.goal)) == 1):
                continue
            puzzle = self.puzzle(spec, (), board)
            route = oracle.shortest_route(puzzle)
            if spec.rules:
                moving = sum(before != after for before, after in zip(board.start, board.goal, strict=True))
                # without a route it is no puzzle; if each disk that moves does so once, it goes straight to the right
                if route.length is None or route.length == moving:
                    continue
                free = oracle.shortest_violating(puzzle, RIGHT_ONLY)
                if free.moves is None or not self.broken_rules(puzzle, _listed(free.moves)):
                    continue
            if route.moves is None:
                raise f.Discarded("unsolvable", "no engine found a route")
            return f.Drawn(board, _listed(route.moves))
        raise f.Discarded("idle_rule", f"{_TRIES} pairs drawn")

    def make_puzzle(self, spec: f.Spec[Params], hidden: Hidden, rng: f.Rng) -> f.Draft[Params, Board, Hidden, Moves]:
        if hidden is None:
            raise ValueError("hanoi makes puzzles of what sample_solution() has drawn")
        return f.Draft(self.puzzle(spec, (), hidden.board), None, hidden.answer)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        larger = replace(spec, params=replace(spec.params, disks=spec.params.disks + 1))
        return larger if f.valid(self, larger) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Graph:
        """A state is the peg of each disk, smallest first; moves go by disk and then by peg."""
        pegs = spec.params.pegs
        right_only = spec.rule(RIGHT_ONLY) is not None
        # closed: bit set of the pegs that hold this disk or a smaller one; the others are where it may go
        others = [tuple([peg for peg in range(pegs) if not closed >> peg & 1]) for closed in range(1 << pegs)]

        def moves(state: State) -> list[tuple[Move, State]]:
            found: list[tuple[Move, State]] = []
            closed = 0
            for disk, source in enumerate(state):
                if source != GONE and not closed >> source & 1:
                    closed |= 1 << source
                    targets = others[closed]
                    if not targets:
                        break
                    below, above = state[:disk], state[disk + 1 :]
                    if right_only:
                        targets = tuple([target for target in targets if target > source])
                    found += [((disk, source, target), below + (target,) + above) for target in targets]  # noqa: RUF005
            return found

        return f.Graph(board.start, board.goal, moves)

    def table(self, puzzle: HanoiPuzzle) -> MovesTable:
        start, goal = (tuple([peg for peg in stands if peg != GONE]) for stands in (puzzle.board.start, puzzle.board.goal))
        return MovesTable(puzzle.spec.params.pegs, start, goal, puzzle.spec.rule(RIGHT_ONLY) is not None)

    def broken_rules(self, puzzle: HanoiPuzzle, answer: Moves, partial: bool = False) -> list[str]:
        pegs, disks = puzzle.spec.params.pegs, puzzle.spec.params.disks
        if len(answer) > _most_moves(disks):
            return [f.MALFORMED]
        rightward = any(rule.name == RIGHT_ONLY for rule in puzzle.spec.rules)
        stacks = boards.stacks(pegs, puzzle.board.start)
        for move in answer:
            if type(move) is not tuple or len(move) != 3 or any(type(number) is not int for number in move):
                return [f.MALFORMED]
            disk, source, target = move
            if not (0 <= disk < disks and 0 <= source < pegs and 0 <= target < pegs):
                return [f.MALFORMED]
            if source == target or not stacks[source] or stacks[source][-1] != disk:
                return ["top"]
            if rightward and target < source:
                return [RIGHT_ONLY]
            if stacks[target] and stacks[target][-1] < disk:
                return ["smaller"]
            stacks[target].append(stacks[source].pop())
        return [] if partial or stacks == boards.stacks(pegs, puzzle.board.goal) else ["goal"]

    def search_space_log10(self, puzzle: HanoiPuzzle) -> float:
        # the paper's tables count no space for hanoi; this is the number of arrangements that a search may have to look at
        return puzzle.spec.params.disks * log10(puzzle.spec.params.pegs)

    def symmetry(self, puzzle: HanoiPuzzle) -> str:
        """The least pair (start, goal) under renaming of the pegs; disks differ in size and time runs forwards.

        Under right_only the pegs' order counts, and the pair stands for itself. (Mirrored and run backwards it has the same
        routes the other way round; that is another task.)
        """
        pegs, start, goal = puzzle.spec.params.pegs, puzzle.board.start, puzzle.board.goal
        if puzzle.spec.rule(RIGHT_ONLY) is not None:
            return f"{pegs},{RIGHT_ONLY}:" + ">".join("".join(map(str, side)) for side in (start, goal))
        stands = min(([name[peg] for peg in start], [name[peg] for peg in goal]) for name in permutations(range(pegs)))
        return f"{pegs}:" + ">".join("".join(map(str, side)) for side in stands)

    # ---- text

    def render(self, puzzle: HanoiPuzzle) -> str:
        pegs, disks = puzzle.style.names
        voice = f.Voice(self.name, puzzle.style.phrasing, self.title)
        if voice.number:
            start, goal = (
                [[disks[disk] for disk in stack] for stack in boards.stacks(len(pegs), stands)]
                for stands in (puzzle.board.start, puzzle.board.goal)
            )
            return told(pegs, disks, start, goal, puzzle.spec.rule(RIGHT_ONLY) is not None, voice)

        def listed(stands: Sequence[int]) -> str:
            lines = []
            for peg, stack in zip(pegs, boards.stacks(len(pegs), stands), strict=True):
                lines.append(f"  {peg}: " + (" ".join(disks[disk] for disk in stack) or "(empty)"))
            return "\n".join(lines)

        rules = [
            "In each move you take the top disk of one peg and put it on another peg.",
            "You may never put a disk on top of a smaller one.",
        ]
        if puzzle.spec.rule(RIGHT_ONLY) is not None:
            rules.append(
                "Disks may move only to the right: the peg that a disk goes to must stand to the right of the peg it leaves, "
                "next to it or further away. No disk may ever move to the left."
            )
        return (
            f"Tower of Hanoi with {len(pegs)} pegs and {len(disks)} disks of different sizes. "
            f"From left to right the pegs are {f.listed(pegs)}. From smallest to largest the disks are {f.listed(disks)}.\n\n"
            f"{' '.join(rules)}\n\n"
            f"Start (each peg from bottom to top):\n{listed(puzzle.board.start)}\n\n"
            f"Goal (each peg from bottom to top):\n{listed(puzzle.board.goal)}\n\n"
            "Get from the start to the goal in the smallest possible number of moves. "
            "If there are several shortest lists of moves, any one of them counts; a longer list does not."
        )

    def describe(self, puzzle: HanoiPuzzle, label: str) -> str:
        if label in _SAID:
            return _SAID[label]
        disk = f.numbered(self.name, label, "disk", len(puzzle.board.start))
        pegs, disks = puzzle.style.names
        source, target = puzzle.board.start[disk], puzzle.board.goal[disk]
        if source == target:
            return f"Disk {disks[disk]} starts on peg {pegs[source]} and must end there."
        return f"Disk {disks[disk]} must get from peg {pegs[source]} to peg {pegs[target]}."

    def words(self, puzzle: HanoiPuzzle) -> f.Words:
        pegs, disks = puzzle.style.names
        return f.Words(cell=lambda disk: disks[disk], unit=lambda peg: pegs[peg], voice=puzzle.style.phrasing)

    def draw(self, puzzle: HanoiPuzzle, answer: Moves | None = None, marked: Collection[str] = ()) -> str:
        """Start above, goal below; an answer adds its number of moves between them."""
        return boards.picture(puzzle, None if answer is None else len(answer), marked)


def _listed(route: Sequence[Move]) -> Moves:
    return tuple([(disk, source, target) for disk, source, target in route])


def _most_moves(disks: int) -> int:
    """How long an answer may be: no two arrangements on 3 pegs are 2**disks moves apart, and twice that lets detours be named."""
    return 2 << disks


FAMILY = Hanoi()
