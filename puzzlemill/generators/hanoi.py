"""Tower of Hanoi, with three pegs or more.

Disks of different sizes stand on pegs. Carry them from the arrangement shown to the goal in as few moves as possible:
  top      only the top disk of a peg moves, to another peg;
  smaller  a disk never comes to stand on a smaller one;
  goal     at the end every disk stands where the goal shows it.
Source: É. Lucas, "Récréations mathématiques", vol. 3 (1893); with four pegs H. E. Dudeney, "The Canterbury Puzzles" (1907),
no. 1, "The Reve's Puzzle". Seen in HardcoreLogic (2510.12563), appendix B.
broken_rules returns those names for the first illegal move or the missed goal, and "shape" for what is no list of moves.

Canonical puzzles carry a tower from the first peg to the last: 40 puzzles, a small class. Least numbers of moves, pegs by disks:
         3   4   5   6    7    8    9    10    11    12
  3      7  15  31  63  127  255  511  1023  2047  4095
  4      5   9  13  17   25   33   41    49    65    81
  5      5   7  11  15   19   23   27    31    39    47
  6      5   7   9  13   17   21   25    29    33    37
An answer of more than 127 moves is poor training data: 3 pegs with 8, 9, 10, 11 and 12 disks, and no other pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.model import Graph, Move, MovesTable, State
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import (
    Ask,
    Column,
    Draft,
    Example,
    Family,
    Layout,
    Look,
    Puzzle,
    Question,
    QuestionKind,
    Rows,
    Spec,
)

Moves = tuple[tuple[int, int, int], ...]  # (disk, from, to); disk 0 is the smallest, pegs count from 0


@dataclass(frozen=True, slots=True)
class Params:
    """pegs: 3 to 6. disks: 3 to 12."""

    pegs: int = 3
    disks: int = 4


@dataclass(frozen=True, slots=True)
class Board:
    """start, goal: the peg of each disk, smallest disk first."""

    start: tuple[int, ...]
    goal: tuple[int, ...]


@final
class Hanoi(Family[Params, Board, Moves | None, Moves]):
    """What is drawn is the answer; nothing of it is hidden once the puzzle is posed."""

    name: ClassVar[str] = "hanoi"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Tower of Hanoi"
    params: ClassVar[Any] = Params
    board: ClassVar[Any] = Board
    answer: ClassVar[Any] = Moves
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.LEAST,)
    source: ClassVar[str] = "É. Lucas, Récréations mathématiques, vol. 3 (1893)"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        for name, value, low, high in (("pegs", spec.params.pegs, 3, 6), ("disks", spec.params.disks, 3, 12)):
            if not low <= value <= high:
                raise BadParams(f"hanoi.{name} must be {low} to {high}, got {value}; set family.params.{name}")

    def fill(self, spec: Spec[Params], rng: Rng, ask: Ask) -> Moves:
        moves = ask.distance(_tower_to_tower(spec)).moves
        if moves is None:
            raise Discarded("unsolvable", "no engine found a route")
        return tuple([(disk, source, target) for disk, source, target in moves])

    def pose(self, spec: Spec[Params], hidden: Moves | None, rng: Rng) -> Draft[Params, Board, Moves | None, Moves]:
        return Draft(_tower_to_tower(spec), None, hidden)

    # ---- meaning

    def model(self, spec: Spec[Params], board: Board) -> Graph:
        """A state is the peg of each disk, smallest first; moves go by disk and then by peg."""
        pegs = spec.params.pegs
        # closed: bit set of the pegs that hold this disk or a smaller one; the others are where it may go
        others = [tuple([peg for peg in range(pegs) if not closed >> peg & 1]) for closed in range(1 << pegs)]

        def moves(state: State) -> Iterator[tuple[Move, State]]:
            closed = 0
            for disk, source in enumerate(state):
                if not closed >> source & 1:
                    closed |= 1 << source
                    below, above = state[:disk], state[disk + 1 :]
                    for target in others[closed]:
                        yield (disk, source, target), (*below, target, *above)

        return Graph(board.start, board.goal, moves)

    def table(self, puzzle: Puzzle[Params, Board]) -> MovesTable:
        return MovesTable(puzzle.spec.params.pegs, puzzle.board.start, puzzle.board.goal)

    def broken_rules(self, puzzle: Puzzle[Params, Board], answer: Moves, partial: bool = False) -> list[str]:
        pegs, disks = puzzle.spec.params.pegs, puzzle.spec.params.disks
        if len(answer) > _most_moves(disks):
            return ["shape"]
        stacks = _stacks(pegs, puzzle.board.start)
        for move in answer:
            if type(move) is not tuple or len(move) != 3 or any(type(number) is not int for number in move):
                return ["shape"]
            disk, source, target = move
            if not (0 <= disk < disks and 0 <= source < pegs and 0 <= target < pegs):
                return ["shape"]
            if source == target or not stacks[source] or stacks[source][-1] != disk:
                return ["top"]
            if stacks[target] and stacks[target][-1] < disk:
                return ["smaller"]
            stacks[target].append(stacks[source].pop())
        return [] if partial or stacks == _stacks(pegs, puzzle.board.goal) else ["goal"]

    def cost(self, puzzle: Puzzle[Params, Board], answer: Moves) -> int:
        return len(answer)

    def search_space_log10(self, puzzle: Puzzle[Params, Board]) -> float:
        # the paper's tables count no space for hanoi; this is the number of arrangements that a search may have to look at
        return puzzle.spec.params.disks * log10(puzzle.spec.params.pegs)

    def shape(self, puzzle: Puzzle[Params, Board]) -> str:
        """The least pair (start, goal) under renaming of the pegs; disks differ in size and time runs forwards."""
        pegs, start, goal = puzzle.spec.params.pegs, puzzle.board.start, puzzle.board.goal
        stands = min(([name[peg] for peg in start], [name[peg] for peg in goal]) for name in permutations(range(pegs)))
        return f"{pegs}:" + ">".join("".join(map(str, side)) for side in stands)

    def capacity(self, spec: Spec[Params]) -> int | None:
        return 1  # tower to tower: nothing is drawn

    # ---- text

    def render(self, puzzle: Puzzle[Params, Board]) -> str:
        pegs, disks = puzzle.look.names

        def listed(stands: Sequence[int]) -> str:
            lines = []
            for peg, stack in zip(pegs, _stacks(len(pegs), stands), strict=True):
                lines.append(f"  {peg}: " + (" ".join(disks[disk] for disk in stack) or "(empty)"))
            return "\n".join(lines)

        return (
            f"Tower of Hanoi with {len(pegs)} pegs, {_and(pegs)}, and {len(disks)} disks of different sizes. "
            f"From smallest to largest the disks are {', '.join(disks)}.\n\n"
            "In each move you take the top disk of one peg and put it on another peg. "
            "You may never put a disk on top of a smaller one.\n\n"
            f"Start (each peg from bottom to top):\n{listed(puzzle.board.start)}\n\n"
            f"Goal (each peg from bottom to top):\n{listed(puzzle.board.goal)}\n\n"
            "Get from the start to the goal in the smallest possible number of moves. "
            "If there are several shortest lists of moves, any one of them counts; a longer list does not."
        )

    def layout(self, puzzle: Puzzle[Params, Board]) -> Layout:
        pegs, disks = puzzle.look.names
        columns = (Column("disk", disks), Column("from", pegs), Column("to", pegs))
        note = "Give one row per move, in the order of the moves: the disk, the peg it leaves, the peg it goes to."
        return Layout(columns, 1, _most_moves(len(disks)), False, note)

    def write(self, puzzle: Puzzle[Params, Board], answer: Moves) -> Rows:
        pegs, disks = puzzle.look.names
        return tuple([(disks[disk], pegs[source], pegs[target]) for disk, source, target in answer])

    def read(self, puzzle: Puzzle[Params, Board], rows: Rows) -> Moves | None:
        pegs = {name.casefold(): peg for peg, name in enumerate(puzzle.look.names[0])}
        disks = {name.casefold(): disk for disk, name in enumerate(puzzle.look.names[1])}
        if len(rows) > _most_moves(len(disks)):
            return None
        moves = []
        for row in rows:
            if len(row) != 3:
                return None
            disk, source, target = disks.get(row[0].casefold()), pegs.get(row[1].casefold()), pegs.get(row[2].casefold())
            if disk is None or source is None or target is None:
                return None
            moves.append((disk, source, target))
        return tuple(moves)

    def draw(self, puzzle: Puzzle[Params, Board], answer: Moves | None = None) -> str:
        """Start above, goal below; an answer adds its number of moves between them."""
        count = puzzle.spec.params.disks
        pitch, height = 24 + 14 * count, 30 + 16 * count  # of one peg, of one arrangement
        parts = []
        for stands, top, title in ((puzzle.board.start, 24, "start"), (puzzle.board.goal, 84 + height, "goal")):
            parts.append(f'<text x="8" y="{top - 8}" font-size="14">{title}</text>')
            base = top + height - 16
            for peg, stack in enumerate(_stacks(puzzle.spec.params.pegs, stands)):
                x = peg * pitch + pitch // 2
                parts.append(
                    f'<path d="M{x} {top}V{base}M{x - pitch // 2 + 4} {base}h{pitch - 8}" stroke="#333" stroke-width="3"/>'
                )
                parts.append(_label(x, base + 16, puzzle.look.names[0][peg]))
                for level, disk in enumerate(stack):
                    y, width = base - 16 * (level + 1), 24 + 12 * disk
                    box = f'x="{x - width // 2}" y="{y}" width="{width}" height="15" rx="4"'
                    parts.append(f'<rect {box} fill="#9bc" stroke="#333"/>')
                    parts.append(_label(x, y + 12, puzzle.look.names[1][disk]))
        if answer is not None:
            parts.append(f'<text x="8" y="{height + 50}" font-size="14">moves: {len(answer)}</text>')
        size = f"0 0 {pitch * puzzle.spec.params.pegs} {2 * height + 96}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">{"".join(parts)}</svg>'

    # ---- evidence

    def examples(self) -> tuple[Example[Params, Board, Moves], ...]:
        lucas = (
            "É. Lucas, Récréations mathématiques, vol. 3 (1893): three disks take 2**3 - 1 = 7 moves",
            Spec(Params(3, 3)),
            ((0, 0, 2), (1, 0, 1), (0, 2, 1), (2, 0, 2), (0, 1, 0), (1, 1, 2), (0, 0, 2)),
        )
        three = ((0, 0, 2), (1, 0, 3), (2, 0, 1), (1, 3, 1), (0, 2, 1))  # the smallest three to the second peg
        two = ((3, 0, 3), (4, 0, 2), (3, 3, 2))  # the next two to the third peg, past it
        onward = ((5, 0, 3), (3, 2, 0), (4, 2, 3), (3, 0, 3), (0, 1, 0), (1, 1, 2), (2, 1, 3), (1, 2, 3), (0, 0, 3))
        reve = (
            "H. E. Dudeney, The Canterbury Puzzles (1907), solution of no. 1: six cheeses on four stools take 17 moves",
            Spec(Params(4, 6)),
            (*three, *two, *onward),
        )
        return tuple([Example(_tower_to_tower(spec), moves, source) for source, spec, moves in (lucas, reve)])

    def smallest(self) -> tuple[Spec[Params], ...]:
        return (Spec(Params(3, 3)), Spec(Params(4, 3)))


def _tower_to_tower(spec: Spec[Params]) -> Puzzle[Params, Board]:
    pegs, disks = spec.params.pegs, spec.params.disks
    names = (tuple("ABCDEF"[:pegs]), tuple([str(disk + 1) for disk in range(disks)]))
    board = Board((0,) * disks, (pegs - 1,) * disks)
    return Puzzle(Hanoi.name, Hanoi.version, spec, board, (), Question(QuestionKind.LEAST), Look(names=names))


def _stacks(pegs: int, stands: Sequence[int]) -> list[list[int]]:
    """The disks on each peg from bottom to top."""
    stacks: list[list[int]] = [[] for _ in range(pegs)]
    for disk in range(len(stands) - 1, -1, -1):
        stacks[stands[disk]].append(disk)
    return stacks


def _most_moves(disks: int) -> int:
    """How long an answer may be: no two arrangements on 3 pegs are 2**disks moves apart, and twice that lets detours be named."""
    return 2 << disks


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


def _label(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="12">{text}</text>'


FAMILY = Hanoi()
