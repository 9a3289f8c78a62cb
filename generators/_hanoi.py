"""For hanoi alone: boards and how they are drawn, the sizes of small classes, the text form and the picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.pictures import INK, MARK, MARKED, Drawing
from puzzlemill.core.types import AnyDraft, Depth
from puzzlemill.transforms.clash import Clash
from puzzlemill.vocabulary.names import names, renamed

RIGHT_ONLY, TOWER, RANDOM = "right_only", "tower", "random"  # a rule; forms of an arrangement
GONE = -1  # the peg of a disk that is left out
_RIGHT_PAIRS = {
    (4, 3): 32,
    (4, 4): 272,
    (4, 5): 1_674,
    (4, 6): 8_761,
    (4, 7): 37_910,
    (5, 3): 183,
    (5, 5): 50_126,
    (6, 3): 513,
}  # by pegs and disks, pairs that need right_only, where few; above 1,674 estimated (docs/design/answer_spaces.tsv)
_SMALL = 100_000  # random arrangements are a small class up to so many puzzles


@dataclass(frozen=True, slots=True)
class Board:
    """start, goal: the peg of each disk, smallest disk first."""

    start: tuple[int, ...]
    goal: tuple[int, ...]


RULED = f.AddRule(  # from tower to tower there is mostly no answer under it
    RIGHT_ONLY,
    values=(("start", RANDOM), ("goal", RANDOM)),
    about="disks move to the right only",
    needs="family.params.pegs of 4 to 6",
)


@final
@dataclass(frozen=True, slots=True)
class OneWay(f.Transform):
    """Put right_only in force, and the goal out of reach: drawn as puzzles that have an answer under the rule, then a clash.

    So the disks of both stand alike. Not deep: some disk would have to go to the left. deep: every disk that has to move could go
    straight to the right, were it alone. Raises Discarded("no_clash") if no such change was found.
    """

    name: str
    deep: bool
    about: str
    needs: str
    kind: f.Kind = f.Kind.UP
    relation: f.Relation = f.Relation.RULE
    pairing: f.Pairing = f.Pairing.GROUP
    promises: f.Status | None = f.Status.UNSOLVABLE

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return family.name == "hanoi" and RULED.fits(family, spec)

    def before(self, family: AnyFamily, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return RULED.before(family, spec, rng)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        return Clash(self.name, Depth.DEEP if self.deep else Depth.SHALLOW).edit(family, draft, rng, oracle)

    def shows(self) -> tuple[Any, ...]:
        return RULED.shows()


def stacks(pegs: int, stands: Sequence[int]) -> list[list[int]]:
    """The disks on each peg from bottom to top."""
    found: list[list[int]] = [[] for _ in range(pegs)]
    for disk in range(len(stands) - 1, -1, -1):
        if not 0 <= stands[disk] < pegs:
            raise f.BadRow(f"hanoi.board: disk {disk + 1} stands on peg {stands[disk]}, but there are pegs 0 to {pegs - 1}")
        found[stands[disk]].append(disk)
    return found


# ---- drawing ------------------------------------------------------------------------------------------------------------


def any_board(params: Any, rng: f.Rng) -> Board:
    """An even draw of the boards of these parameters, whatever the rules."""
    towers = ((params.start, 0), (params.goal, params.pegs - 1))
    start, goal = (
        tuple([rng.below(params.pegs) if form == RANDOM else peg for _ in range(params.disks)]) for form, peg in towers
    )
    return Board(start, goal)


def ordered_board(params: Any, rng: f.Rng) -> Board:
    """An even draw of the boards of which no disk has to go to the left."""
    ways = [(start, goal) for start in range(params.pegs) for goal in range(start, params.pegs)]
    drawn = [rng.pick(ways) for _ in range(params.disks)]
    return Board(tuple([start for start, _ in drawn]), tuple([goal for _, goal in drawn]))


def check_right_only(params: Any) -> None:
    """Raise BadParams if no board of these parameters needs right_only."""
    for name, form in (("start", params.start), ("goal", params.goal)):
        if form != RANDOM:
            raise f.BadParams(f"hanoi.{name} must be random under right_only, got {form}; set family.params.{name}=random")
    if params.pegs == 3:
        raise f.BadParams(
            "hanoi.pegs must be 4 to 6 under right_only, got 3, with which no shortest list of moves breaks the rule; "
            "set family.params.pegs"
        )


def capacity(spec: f.Spec[Any]) -> int | None:
    """Pairs (start, goal) that no renaming of the pegs makes equal: ways to put the disks of both into at most `pegs` heaps.

    A tower's disks are in one heap anyway.
    """
    params = spec.params
    pegs, disks = params.pegs, params.disks
    if spec.rules:
        return _RIGHT_PAIRS.get((pegs, disks))
    drawn = (params.start, params.goal).count(RANDOM)
    if drawn == 0:
        return 1  # tower to tower: nothing is drawn
    # without the pairs of which start and goal are the same, and without two towers
    pairs = _heaps(2 * disks, pegs) - _heaps(disks, pegs) - 1 if drawn == 2 else _heaps(disks + 1, pegs) - 2
    return pairs if pairs <= _SMALL else None


@lru_cache(maxsize=64)
def _heaps(things: int, most: int) -> int:
    """In how many ways different things can be put into at most `most` heaps that have no names."""
    exactly = [1] + [0] * most  # by number of heaps, of the things so far
    for _ in range(things):
        exactly = [0, *[exactly[heaps - 1] + heaps * exactly[heaps] for heaps in range(1, most + 1)]]
    return sum(exactly)


# ---- changing -----------------------------------------------------------------------------------------------------------


def exchanged(board: Board) -> list[Board]:
    """The boards in which two disks have exchanged their pegs, at the start or at the goal."""
    found = []
    for one, two in combinations(range(len(board.start)), 2):
        for name, stands in (("start", board.start), ("goal", board.goal)):
            if stands[one] != stands[two]:
                other = list(stands)
                other[one], other[two] = other[two], other[one]
                found.append(replace(board, **{name: tuple(other)}))
    return found


# ---- names --------------------------------------------------------------------------------------------------------------


def custom_pegs(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """Other names of the pegs, or the usual ones in another order."""
    pegs, disks = puzzle.style.names
    pools = [tuple("ABCDEF"[: len(pegs)]), names().letters, names().trees]
    return replace(puzzle.style, names=(renamed(pegs, pools, disks, rng), disks))


def custom_order(puzzle: f.Puzzle[Any, Board], rng: f.Rng) -> f.Style:
    """Other names of the disks, or the usual ones in another order."""
    pegs, disks = puzzle.style.names
    pools = [tuple([str(size + 1) for size in range(len(disks))]), names().letters, names().colours, names().people]
    return replace(puzzle.style, names=(pegs, renamed(disks, pools, pegs, rng)))


# ---- text form ----------------------------------------------------------------------------------------------------------


class Text(f.TextForm[Any, Board]):
    """Start and goal, a line for each peg with its disks from bottom to top."""

    def parse(self, lines: Sequence[f.Line]) -> f.Puzzle[Any, Board]:
        options = f.heading(lines, self.family.name, (RIGHT_ONLY,))
        head, rest = lines[0], list(lines[1:])
        names: list[str] | None = None
        if rest and rest[0].text.casefold().startswith("disks:"):
            names = [word.text for word in rest.pop(0).words_from(len("disks:"))]
        sides = _sides(head, rest)
        pegs = tuple([peg for peg, _ in sides[0]])
        disks = tuple(names or [str(size + 1) for size in range(sum(len(stack) for _, stack in sides[0]))])
        for what, named, least, most in (("pegs", pegs, 3, 6), ("disks", disks, 1, 12)):
            if not least <= len(named) <= most:
                raise head.bad(0, f"expected {least} to {most} {what}, got {len(named)}")
            if len({name.casefold() for name in named}) < len(named):
                raise head.bad(0, f"two {what} have one name: {', '.join(named)[:80]}")
        start, goal = (_stands(side, pegs, disks, head) for side in sides)
        towers = (set(start) == {0}, set(goal) == {len(pegs) - 1})
        forms = [TOWER if tower and not options else RANDOM for tower in towers]
        spec = f.Spec(self.family.params(len(pegs), len(disks), *forms), tuple([f.Rule(name) for name in options]))
        return self.family.puzzle(spec, (), Board(start, goal), f.Style(names=(pegs, disks)))

    def format(self, puzzle: f.Puzzle[Any, Board]) -> str:
        pegs, disks = puzzle.style.names
        for name in (*pegs, *disks):
            if not name or any(sign.isspace() or sign in ":#" for sign in name):
                raise f.BadRow(
                    f"hanoi: the text form has no way to write the name {name[:40]!r}; names are words without : and #"
                )
        lines = [" ".join([self.family.name, *[rule.name for rule in puzzle.spec.rules]])]
        if disks != tuple([str(size + 1) for size in range(len(disks))]):
            lines.append(f"disks: {' '.join(disks)}")
        for side, stands in (("start", puzzle.board.start), ("goal", puzzle.board.goal)):
            lines.append(side)
            for peg, stack in zip(pegs, stacks(len(pegs), stands), strict=True):
                lines.append(" ".join([f"{peg}:", *[disks[disk] for disk in stack]]))
        return "\n".join(lines) + "\n"


_Stacks = list[tuple[str, list[tuple[f.Line, int, str]]]]  # pegs, each with its disks from bottom to top and where they are named


def _sides(head: f.Line, lines: Sequence[f.Line]) -> tuple[_Stacks, _Stacks]:
    """What stands on each peg at the start and at the goal, as written below the heading."""
    sides: dict[str, _Stacks] = {}
    here: _Stacks | None = None
    for line in lines:
        heading = line.text.strip().rstrip(":").casefold()
        if heading in ("start", "goal") and heading not in sides:
            here = sides[heading] = []
            continue
        name, colon, _ = line.text.partition(":")
        if here is None or not colon or len(name.split()) != 1:
            raise line.bad(0, "expected a line with start or goal, once each, and then lines such as A: 3 2 1")
        here.append((name.strip(), [(line, word.column, word.text) for word in line.words_from(len(name) + 1)]))
    if set(sides) != {"start", "goal"}:
        raise head.bad(0, "expected the pegs at the start below a line with start, and those at the goal below a line with goal")
    return sides["start"], sides["goal"]


def _stands(side: _Stacks, pegs: Sequence[str], disks: Sequence[str], head: f.Line) -> tuple[int, ...]:
    """The peg of each disk."""
    stands = [GONE] * len(disks)
    numbers = {name.casefold(): disk for disk, name in enumerate(disks)}
    left = {name.casefold(): peg for peg, name in enumerate(pegs)}
    for name, stack in side:
        peg = left.pop(name.casefold(), None)
        if peg is None:
            raise (stack[0][0] if stack else head).bad(0, f"expected each of the pegs {', '.join(pegs)} once, got {name[:40]!r}")
        below = len(disks)
        for line, column, text in stack:
            disk = numbers.get(text.casefold())
            if disk is None or stands[disk] != GONE:
                raise line.bad(column, f"expected each of the disks {', '.join(disks)[:80]} once, got {text[:40]!r}")
            if disk > below:
                raise line.bad(column, f"the disk {text[:40]} is larger than the one below it; list disks from bottom to top")
            stands[disk], below = peg, disk
    if GONE in stands:
        raise head.bad(0, f"the disk {disks[stands.index(GONE)]} is missing at the start or at the goal")
    return tuple(stands)


# ---- picture ------------------------------------------------------------------------------------------------------------


def picture(puzzle: f.Puzzle[Any, Board], moves: int | None, marked: Collection[str]) -> str:
    """Start above, goal below, and between them the number of moves of an answer."""
    board, (pegs, disks) = puzzle.board, puzzle.style.names
    narrow = max(24, 8 + 8 * max(map(len, disks)))  # the smallest disk, wide enough for every name
    pitch = max(narrow + 14 * len(disks), 12 + 8 * max(map(len, pegs)))  # of one peg
    height = 30 + 16 * len(disks)  # of one arrangement
    drawing = Drawing()
    for stands, top, title in ((board.start, 24, "start"), (board.goal, 84 + height, "goal")):
        drawing.text(8, top - 8, title, size=14, left=True)
        base = top + height - 16
        for peg, stack in enumerate(stacks(len(pegs), stands)):
            x = peg * pitch + pitch // 2
            drawing.line(f"M{x} {top}V{base}M{x - pitch // 2 + 4} {base}h{pitch - 8}", width=3)
            drawing.text(x, base + 16, pegs[peg])
            for level, disk in enumerate(stack):
                y, width = base - 16 * (level + 1), narrow + 12 * disk
                drawing.box(x - width // 2, y, width, 15, MARK if f"disk {disk + 1}" in marked else "#9bc")
                drawing.text(x, y + 12, disks[disk])
    if puzzle.spec.rule(RIGHT_ONLY) is not None:
        drawing.text(64, 16, "moves go to the right only", MARKED if RIGHT_ONLY in marked else INK, left=True)
    if moves is not None:
        drawing.text(8, height + 50, f"moves: {moves}", size=14, left=True)
    return drawing.svg(pitch * len(pegs), 2 * height + 96)
