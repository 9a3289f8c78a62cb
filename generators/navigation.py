"""Navigation: the nearest landmark of a kind, over one-way paths of different lengths.

Letters name places, and at every place stands a landmark: a school, a bank. One-way paths of given lengths join some of them.
Find a shortest way from a start to the nearest landmark of a wanted kind:
  start  the way begins at the start;
  path   every step takes a path, in its direction, from the place where one is;
  goal   the way ends at a landmark of the wanted kind;
  stop   it ends at the first one that it comes to.
Optional: "via", before the way ends it must come to a landmark of another kind, or of two or three other kinds, in any order.
Landmarks of the wanted kind that it passes before that do not end it. The start is of none of these kinds. A place may be visited
again.
Source: the problem of E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959). Seen in
HardcoreLogic (2510.12563), appendix B, with longer ways, a landmark to come by, and maps without a way. broken_rules returns
those names for the first thing that is wrong, and "malformed" for what is no list of steps.

Maps are drawn evenly: the landmarks are dealt so that kinds have as many places as each other, give or take one; the pairs of
places that a path joins are drawn evenly, and so is the length of each path from 1 to `longest`. Then the wanted kind is drawn,
and the start evenly among the places from which every shortest way takes at least `hops` paths; a map without one is drawn again.
Under "via" a start fits only if the way is longer than without any one of the kinds to visit, so that whoever overlooks one is
wrong. With `decoy` it fits only if the ways of the fewest paths are longer, so that counting paths leads astray, and only if
there are `ways` shortest ways at least.

No way at all: a set of places that holds the start and no landmark of the wanted kind, and that no path leaves. Each of its
places is part of the clash, "From A paths lead to B and C only", as a path to anywhere from one of them would do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from html import escape
from itertools import repeat
from math import cos, lgamma, log, log10, pi, prod, sin
from typing import Any, ClassVar, TypeVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import Graph, Move, RoadsTable, State
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph, Shape
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import (
    AnyDraft,
    Column,
    Draft,
    Example,
    Kind,
    Layout,
    Oracle,
    Puzzle,
    Question,
    QuestionKind,
    Rows,
    Rule,
    Spec,
    Status,
    Style,
)
from puzzlemill.transforms.forms import AddRule, Restyle, valid

VIA = "via"
_PLACES, _PATHS_EACH, _KINDS, _HOPS, _LONGEST, _WAYS, _VISITS = 52, 6, 12, 12, 99, 6, 3  # the most that can be asked for
_TRIES = 400  # maps drawn before it is given up that one has a start that fits
_CUTS = 200  # sets of places tried
_SWAPS = 10  # 52 ** 10 < 2 ** 60
_ARRIVED: State = (-1, 0)

_KIND_NAMES = (
    *("school", "bank", "park", "hospital", "library", "museum", "bakery", "cinema", "market", "station"),
    *("pharmacy", "theatre", "church", "hotel", "cafe", "stadium", "harbour", "castle", "factory", "garage"),
    *("zoo", "bookshop", "restaurant", "playground", "fountain", "monument", "tower", "gallery", "laundry", "warehouse"),
    *("airport", "lighthouse", "windmill", "brewery", "courthouse", "aquarium", "observatory", "embassy", "gym", "chapel"),
)
_SCENERY = (
    "Between {0} and {1} there is a fine view of the hills.",
    "It often rains at {0}.",
    "A brass band plays at {0} on Sundays.",
    "The oldest tree of the town stands near {0}.",
    "Many people take photographs at {0}.",
    "The lamps near {0} and {1} were painted green last year.",
    "A cat is often seen asleep at {0}.",
)

T = TypeVar("T")
Steps = tuple[tuple[int, int], ...]  # (from, to), places counted from 0
Path = tuple[int, int, int]  # (from, to, length)


@dataclass(frozen=True, slots=True)
class Params:
    """places: 5 to 52. kinds: of landmarks, 2 to 12 (under via `visits` + 2 or more). paths: from `places` to six times as many.

    hops: every shortest way takes at least so many paths, 1 to 12. longest: the greatest length of a path, 1 to 99.
    decoy: no way of the fewest paths is a shortest one. ways: there are at least so many shortest ways, 1 to 6.
    visits: kinds that the rule via asks for, 1 to 3.
    """

    places: int = 12
    kinds: int = 4
    paths: int = 24
    hops: int = 3
    longest: int = 9
    decoy: bool = False
    ways: int = 1
    visits: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """kinds: of each place. paths: (from, to, length). start: a place. goal: a kind. via: kinds to visit."""

    kinds: tuple[int, ...]
    paths: tuple[Path, ...]
    start: int
    goal: int
    via: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board and a shortest way over it."""

    board: Board
    steps: Steps


@final
@dataclass(frozen=True, slots=True)
class Harder(Transform):
    """A map drawn anew with so many hundredths of the parent's places and paths, and a way of more paths."""

    name: str
    kind: Kind
    places: int
    paths: int
    hops: int
    about: str
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return valid(family, self._harder(spec))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._harder(spec)

    def _harder(self, spec: Spec[Any]) -> Spec[Any]:
        old = spec.params
        places, paths = old.places * self.places // 100, old.paths * self.paths // 100
        return replace(spec, params=replace(old, places=places, paths=paths, hops=old.hops + self.hops))


@final
@dataclass(frozen=True, slots=True)
class Cut(Transform):
    """Let up to `most` paths lead elsewhere, so that the places around the start are left by no path; their number stays.

    The places are the start and others that it leads to, a random number of them from three up to half of all, none of them of
    one kind that the way needs. A path that leaves them leads to another of them instead; where a place has a path to all of the
    others already, one of its paths comes from outside. Of several sets of places the first is taken that at most `most` paths
    leave and where none has to come from outside, else one that is nearest to that. A clash of one change mostly cuts off the
    start, or the start and one place more.
    """

    name: str = "cut"
    kind: Kind = Kind.UP
    relation: Relation = Relation.EDIT
    pairing: Pairing = Pairing.GROUP
    promises: Status | None = Status.UNSOLVABLE
    most: int = 3
    args: tuple[str, ...] = ("most",)
    about: str = "some paths lead elsewhere, so that no way is left"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return self.most > 0 and isinstance(family, Navigation)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        board: Board = draft.puzzle.board
        away = [0] * len(board.kinds)
        for source, _, _ in board.paths:
            away[source] += 1
        closed: list[int] = []
        cut: list[int] = []  # the paths that leave it
        least = len(board.paths) + 1
        for _ in range(_CUTS):
            needed = rng.pick((board.goal, *board.via))
            inside = [board.start]
            size = rng.between(3, max(3, len(board.kinds) // 2))
            while len(inside) < size:
                onward = {target for source, target, _ in board.paths if source in inside} - set(inside)
                free = sorted([place for place in onward if board.kinds[place] != needed])
                if not free:
                    break
                inside.append(rng.pick(free))
            leaving = [at for at, (source, target, _) in enumerate(board.paths) if source in inside and target not in inside]
            excess = max(0, len(leaving) - self.most) + sum([max(0, away[place] - len(inside) + 1) for place in inside])
            if len(inside) > 1 and leaving and excess < least:
                closed, cut, least = inside, leaving, excess
                if not excess:
                    break
        paths = list(board.paths)
        for at in cut:
            source, target, length = paths[at]
            joined = {path[:2] for path in paths}
            others = [(source, place) for place in closed if place != source and (source, place) not in joined]
            if not others:
                outside = [place for place in range(len(board.kinds)) if place not in closed and place != target]
                others = [(place, target) for place in outside if (place, target) not in joined]
            if not others:
                raise Discarded("no_clash")
            paths[at] = (*rng.pick(others), length)
        puzzle = replace(draft.puzzle, board=replace(board, paths=tuple(paths)))
        if not cut or oracle.count(puzzle, 1):
            raise Discarded("no_clash")
        return replace(draft, puzzle=puzzle, answer=None)


@final
class Navigation(Legacy, Family[Params, Board, Drawn | None, Steps]):
    """What is drawn is the board; nothing is hidden once the puzzle is posed."""

    name: ClassVar[str] = "navigation"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Navigation"
    params: ClassVar[Any] = Params
    board: ClassVar[Any] = Board
    answer: ClassVar[Any] = Steps
    rules: ClassVar[Any] = (VIA,)
    transforms: ClassVar[tuple[Transform, ...]] = (
        Harder("longer_way", Kind.IC2, 150, 150, 2, "more places and paths, and a way of more paths"),
        Harder("more_paths", Kind.IC2, 100, 150, 1, "more paths between as many places, and a way of more paths"),
        AddRule(VIA, about="landmarks of other kinds must be visited on the way"),  # as many as family.params.visits says
        Cut(),
        Restyle("rename", Kind.SURFACE, Relation.SURFACE, about="other names"),
        Restyle("paraphrase", Kind.SURFACE, Relation.SURFACE, about="other words for the same clues"),
        Restyle("red_herring", Kind.SURFACE, Relation.SURFACE, about="remarks that say nothing about the answer"),
        Restyle("shuffle_paths", Kind.SURFACE, Relation.SURFACE, about="the paths in another order"),
    )
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.LEAST,)
    work_bands: ClassVar[tuple[str, int, int]] = ("states nearer than the end", 6, 12)
    source: ClassVar[str] = "E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959)"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        params = spec.params
        for rule in spec.rules:
            if rule != Rule(VIA):
                raise BadParams(f"navigation knows the rule via, without arguments, got {str(rule)[:60]}; set family.rules")
        kinds = params.visits + 2 if spec.rules and 1 <= params.visits <= _VISITS else 2
        bounds = (
            ("places", params.places, 5, _PLACES),
            ("kinds", params.kinds, kinds, min(_KINDS, params.places)),
            ("paths", params.paths, params.places, min(_PATHS_EACH, params.places - 1) * params.places),
            ("hops", params.hops, 1, min(_HOPS, params.places - 1)),
            ("longest", params.longest, 2 if params.decoy else 1, _LONGEST),
            ("ways", params.ways, 1, _WAYS),
            ("visits", params.visits, 1, _VISITS),
        )
        for name, value, low, high in bounds:
            if not low <= value <= high:
                raise BadParams(f"navigation.{name} must be {low} to {high} here, got {value}; set family.params.{name}")

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Drawn:
        """See the docstring of this file for what is drawn evenly."""
        params = spec.params
        for _ in range(_TRIES):
            kinds = _dealt(params, rng)
            paths = _any_paths(params, rng)
            goal, *via = _chosen(rng, range(params.kinds), 1 + params.visits if spec.rules else 1)
            rests = _rests(kinds, paths, goal, via)
            first = rests[0]
            fitting = [
                place
                for place, kind in enumerate(kinds)
                if kind != goal
                and kind not in via
                and place in first
                and first[place][1] >= params.hops
                and all(first[place][0] > rests[1 << number][place][0] for number in range(len(via)))
            ]
            if fitting and params.decoy:
                fewest = _rests(kinds, [(source, target, 1) for source, target, _ in paths], goal, via)[0]
                fitting = [place for place in fitting if fewest[place][1] < first[place][1]]
            if fitting and params.ways > 1:
                counts = _counts(rests, kinds, paths, via)
                fitting = [place for place in fitting if counts[place] >= params.ways]
            if fitting:
                start = rng.pick(fitting)
                return Drawn(Board(kinds, paths, start, goal, tuple(via)), _followed(start, rests, kinds, via))
        raise Discarded("no_start", f"{_TRIES} maps drawn")

    def make_puzzle(self, spec: Spec[Params], hidden: Drawn | None, rng: Rng) -> Draft[Params, Board, Drawn | None, Steps]:
        if hidden is None:
            raise ValueError("navigation poses what fill() has drawn")
        names = (_letters(spec.params.places), _chosen(rng, _KIND_NAMES, spec.params.kinds))
        look = Style(names=names, phrasing=rng.below(len(_WORDINGS) * _TURNS))
        return Draft(_asked(spec, hidden.board, look), None, hidden.steps)

    def changes(self, puzzle: Puzzle[Params, Board], rng: Rng) -> Iterator[Puzzle[Params, Board]]:
        """One path leads elsewhere, comes from elsewhere or is turned round, or the way starts elsewhere."""
        board = puzzle.board
        places = range(len(board.kinds))
        joined = {(source, target) for source, target, _ in board.paths}
        ways: list[tuple[int, int, int]] = [(-1, place, 0) for place in places]
        for at, (source, target, _) in enumerate(board.paths):
            ends = [(source, place) for place in places] + [(place, target) for place in places] + [(target, source)]
            ways += [(at, a, b) for a, b in ends if a != b and (a, b) not in joined]
        for at, a, b in rng.shuffled(ways):
            if at >= 0:
                length = board.paths[at][2]
                yield replace(puzzle, board=replace(board, paths=(*board.paths[:at], (a, b, length), *board.paths[at + 1 :])))
            elif a != board.start and board.kinds[a] not in (board.goal, *board.via):
                yield replace(puzzle, board=replace(board, start=a))

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """Half as many places and paths again."""
        old = spec.params
        larger = replace(spec, params=replace(old, places=old.places * 3 // 2, paths=old.paths * 3 // 2))
        return larger if valid(self, larger) else None

    # ---- meaning

    def model(self, spec: Spec[Params], board: Board) -> Graph:
        """A state is a place, and a bit set of the kinds that are still to be visited; moves are (from, to)."""
        lengths = {(source, target): length for source, target, length in board.paths}
        ways: dict[int, list[int]] = {}
        for source, target, _ in board.paths:
            ways.setdefault(source, []).append(target)
        bit = {kind: 1 << number for number, kind in enumerate(board.via)} if spec.rule(VIA) is not None else {}

        def moves(state: State) -> Iterator[tuple[Move, State]]:
            place, owed = state
            for target in ways.get(place, ()):
                kind = board.kinds[target]
                if kind == board.goal and not owed:
                    yield (place, target), _ARRIVED
                else:
                    yield (place, target), (target, owed & ~bit.get(kind, 0))

        def cost(move: Move) -> int:
            return lengths[move[0], move[1]]

        return Graph((board.start, (1 << len(bit)) - 1), _ARRIVED, moves, cost)

    def table(self, puzzle: Puzzle[Params, Board]) -> RoadsTable:
        board = puzzle.board
        via = board.via if any(rule.name == VIA for rule in puzzle.spec.rules) else ()
        there = [tuple([place for place, kind in enumerate(board.kinds) if kind == wanted]) for wanted in (board.goal, *via)]
        return RoadsTable(len(board.kinds), board.start, there[0], board.paths, tuple(there[1:]))

    def broken_rules(self, puzzle: Puzzle[Params, Board], answer: Steps, partial: bool = False) -> list[str]:
        board = puzzle.board
        places = len(board.kinds)
        if type(answer) is not tuple or len(answer) > _most_steps(places):
            return ["malformed"]
        owed = set(board.via) if any(rule.name == VIA for rule in puzzle.spec.rules) else set()
        here, over = board.start, False
        for number, step in enumerate(answer):
            if type(step) is not tuple or len(step) != 2 or any(type(place) is not int for place in step):
                return ["malformed"]
            if any(not 0 <= place < places for place in step):
                return ["malformed"]
            if over:
                return ["stop"]
            if step[0] != here:
                return ["path" if number else "start"]
            if not any(source == here and target == step[1] for source, target, _ in board.paths):
                return ["path"]
            here = step[1]
            if board.kinds[here] == board.goal and not owed:
                over = True
            owed.discard(board.kinds[here])
        if partial or over:
            return []
        return [VIA] if owed and board.kinds[here] == board.goal else ["goal"]

    def cost(self, puzzle: Puzzle[Params, Board], answer: Steps) -> int:
        lengths = {(source, target): length for source, target, length in puzzle.board.paths}
        return sum(lengths[step] for step in answer)

    def work(self, puzzle: Puzzle[Params, Board], answer: Steps) -> int:
        """States of the model that are nearer to the start than the end is: their paths have to be followed up."""
        length, graph = self.routes.cost(puzzle, answer), self.model(puzzle.spec, puzzle.board)
        assert graph.cost is not None  # model() gives it
        queue: list[tuple[int, State]] = [(0, graph.start)]
        near: set[State] = set()
        while queue:
            far, state = heappop(queue)
            if far >= length:
                break
            if state not in near:
                near.add(state)
                for move, after in graph.moves(state):
                    heappush(queue, (far + graph.cost(move), after))
        return len(near)

    def parts(self, puzzle: Puzzle[Params, Board]) -> tuple[str, ...]:
        """ "place 1" is that paths lead from the first place to some others only; then the rules in force."""
        places = len(puzzle.board.kinds)
        away = [0] * places
        for source, _, _ in puzzle.board.paths:
            away[source] += 1
        return (*[f"place {p + 1}" for p in range(places) if away[p] < places - 1], *[rule.name for rule in puzzle.spec.rules])

    def without(self, puzzle: Puzzle[Params, Board], label: str) -> Puzzle[Params, Board]:
        """Without what a place's paths leave out, paths lead from it to every other place."""
        if puzzle.spec.rule(label) is not None:
            return replace(puzzle, spec=puzzle.spec.without_rule(label))
        board = puzzle.board
        free = self._place(puzzle, label)
        joined = {target for source, target, _ in board.paths if source == free}
        more = [(free, target, 1) for target in range(len(board.kinds)) if target != free and target not in joined]
        return replace(puzzle, board=replace(board, paths=(*board.paths, *more)))

    def _place(self, puzzle: Puzzle[Params, Board], label: str) -> int:
        labels = [f"place {place + 1}" for place in range(len(puzzle.board.kinds))]
        if label not in labels:
            known = f"place 1 to place {len(labels)}, or a rule"
            raise BadRow(f"navigation: {label[:40]!r} is no place of this puzzle and no rule; expected {known}")
        return labels.index(label)

    def search_space_log10(self, puzzle: Puzzle[Params, Board]) -> float:
        # the paper's tables count no space for navigation; this is the number of lists of different places from the start on
        others = len(puzzle.board.kinds) - 1
        logs = [(lgamma(others + 1) - lgamma(others - count + 1)) / log(10) for count in range(1, others + 1)]
        return logs[-1] + log10(sum(10 ** (each - logs[-1]) for each in logs))

    def symmetry(self, puzzle: Puzzle[Params, Board]) -> Shape:
        """The map up to renaming of places. Kinds count as what is asked of them: wanted, to visit, or neither. Where several
        are to be visited each of them is a place too, which paths of length 0 lead to from where it stands.

        Places are told apart by what they are and by what their paths lead to, over and over; where this tells all of them apart
        the map is written down in their order, else it is labelled as a graph, a path being two vertices: its beginning, its end.
        """
        board = _bounded(puzzle).board
        via = board.via if puzzle.spec.rule(VIA) is not None else ()
        roles = [1 if kind == board.goal else 2 if kind in via else 0 for kind in board.kinds]
        roles[board.start] = 3
        paths = board.paths
        if len(via) > 1:
            node = {kind: len(roles) + number for number, kind in enumerate(via)}
            paths = (*paths, *[(place, node[kind], 0) for place, kind in enumerate(board.kinds) if kind in node])
            roles += [4] * len(via)
        places = range(len(roles))
        marks, count = list(roles), len(set(roles))
        while True:
            told: list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]] = [(mark, [], []) for mark in marks]
            for source, target, length in paths:
                told[source][1].append((length, marks[target]))
                told[target][2].append((length, marks[source]))
            for _, onward, backward in told:
                onward.sort()
                backward.sort()
            keys = [(mark, tuple(onward), tuple(backward)) for mark, onward, backward in told]
            rank = {key: number for number, key in enumerate(sorted(set(keys)))}
            marks = [rank[key] for key in keys]
            if len(rank) == len(roles):
                roled = "".join([str(roles[place]) for place in sorted(places, key=marks.__getitem__)])
                told_apart = sorted([(marks[source], marks[target], length) for source, target, length in paths])
                return f"{roled}:" + ",".join([f"{source}>{target}={length}" for source, target, length in told_apart])
            if len(rank) == count:
                break
            count = len(rank)
        colours, edges = list(roles), []
        for source, target, length in paths:
            at = len(colours)
            colours += [5, 6 + length]
            edges += [(source, at), (at, at + 1), (target, at + 1)]
        return ColouredGraph(tuple(colours), tuple(edges))

    # ---- text

    def render(self, puzzle: Puzzle[Params, Board]) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        wording = _WORDINGS[puzzle.style.phrasing % len(_WORDINGS)]
        turn = puzzle.style.phrasing // len(_WORDINGS)
        order = puzzle.style.order or range(len(board.paths))
        if sorted(order) != list(range(len(board.paths))):
            raise BadRow(f"look.order must name each of the {len(board.paths)} paths once, got {str(order)[:60]}")
        told = [board.paths[at] for at in order]
        lines = list(wording.tell(told, places, turn))
        for at, aside in sorted(puzzle.style.asides, reverse=True):
            lines.insert(min(at, len(lines)), aside)
        start, goal = places[board.start], kinds[board.goal]
        task = _TASKS[turn % len(_TASKS)].format(start, _a(goal))
        if puzzle.spec.rule(VIA) is not None:
            task += (
                f" On the way you must visit {_all_of(kinds, board.via)}: the route ends at the first {goal} after that, and "
                f"{_many(goal)} that you pass before that do not end it. You may visit a place more than once."
            )
        else:
            task += f" Any {goal} will do; the route ends at the first one that you come to."
        return (
            f"{_HEADS[turn % len(_HEADS)].format(len(places))} {_standing(board, places, kinds, turn)}\n\n"
            f"{wording.intro}\n" + "\n".join(f"- {line}" for line in lines) + "\n\n"
            f"{task} {wording.least} If several routes are equally short, any of them counts; a longer one does not."
        )

    def layout(self, puzzle: Puzzle[Params, Board]) -> Layout:
        places = _bounded(puzzle).style.names[0]
        note = "Give one row per place of the route, in order, from the start to the place where the route ends, both included."
        return Layout((Column("place", places),), 2, _most_steps(len(places)) + 1, False, note)

    def write(self, puzzle: Puzzle[Params, Board], answer: Steps) -> Rows:
        names = puzzle.style.names[0]
        way = [answer[0][0], *[step[1] for step in answer]] if answer else []
        return tuple([(names[place],) for place in way])

    def read(self, puzzle: Puzzle[Params, Board], rows: Rows) -> Steps | None:
        numbers = {name.casefold(): place for place, name in enumerate(puzzle.style.names[0])}
        if not 2 <= len(rows) <= _most_steps(len(numbers)) + 1:
            return None
        way = [numbers.get(row[0].casefold(), -1) if len(row) == 1 else -1 for row in rows]
        return None if -1 in way else tuple(zip(way, way[1:], strict=False))

    def draw(self, puzzle: Puzzle[Params, Board], answer: Steps | None = None, marked: Collection[str] = ()) -> str:
        """Places on a ring, the start with a thick rim, wanted landmarks filled; an answer's paths stand out."""
        board = puzzle.board
        places, kinds = puzzle.style.names
        radius = max(120, 24 * len(places))
        middle = radius + 70
        turns = [2 * pi * place / len(places) for place in range(len(places))]
        spots = [(round(middle + radius * sin(turn)), round(middle - radius * cos(turn))) for turn in turns]
        parts = [
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
            'markerUnits="userSpaceOnUse" orient="auto">'
            '<path d="M0 0L8 4L0 8z"/></marker></defs>'
        ]
        taken, numbers = set(answer or ()), []
        for source, target, length in board.paths:
            (x1, y1), (x2, y2) = spots[source], spots[target]
            dx, dy = x2 - x1, y2 - y1
            far = max(1, round((dx * dx + dy * dy) ** 0.5))
            # bent to one side, so that a path there and one back lie apart; it ends at the rims of the places
            bx, by = (x1 + x2) // 2 - dy * 20 // far, (y1 + y2) // 2 + dx * 20 // far
            x1, y1, x2, y2 = x1 + dx * 17 // far, y1 + dy * 17 // far, x2 - dx * 17 // far, y2 - dy * 17 // far
            style = 'stroke="#c40" stroke-width="3"' if (source, target) in taken else 'stroke="#888" stroke-width="1"'
            parts.append(f'<path d="M{x1} {y1}Q{bx} {by} {x2} {y2}" fill="none" {style} marker-end="url(#tip)"/>')
            numbers.append(_label((4 * x1 + 4 * bx + x2) // 9, (4 * y1 + 4 * by + y2) // 9 + 4, str(length), "#036"))
        parts += numbers
        for place, (x, y) in enumerate(spots):
            kind = board.kinds[place]
            fill = "#fb8" if f"place {place + 1}" in marked else "#9c9" if kind == board.goal else "#fff"
            if kind in board.via and puzzle.spec.rule(VIA) is not None and fill == "#fff":
                fill = "#9bc"
            width = 4 if place == board.start else 1
            parts.append(f'<circle cx="{x}" cy="{y}" r="16" fill="{fill}" stroke="#333" stroke-width="{width}"/>')
            parts.append(f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="12">{escape(places[place])}</text>')
            parts.append(_label(x, y + 30 if y > middle else y - 22, kinds[kind], "#333"))
        wish = f"from {places[board.start]} to {_a(kinds[board.goal])}"
        colour = "#000"
        if puzzle.spec.rule(VIA) is not None:
            wish += f" by way of {_all_of(kinds, board.via)}"
            colour = "#c40" if VIA in marked else "#000"
        parts.append(f'<text x="8" y="18" font-size="14" fill="{colour}">{escape(wish)}</text>')
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle} {2 * middle}">{"".join(parts)}</svg>'

    def describe(self, puzzle: Puzzle[Params, Board], label: str) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        goal = kinds[board.goal]
        said = {
            "start": f"The route begins at {places[board.start]}.",
            "path": "Every step takes a path, in its direction, from the place where one is.",
            "goal": f"The route ends at {_a(goal)}.",
            "stop": f"The route ends at the first {goal} that it comes to.",
            "malformed": "A route is a list of places of this puzzle, from the start on.",
        }
        if board.via:
            said[VIA] = f"Before the route ends at {_a(goal)} it visits {_all_of(kinds, board.via)}."
        if label in said:
            return said[label]
        here = self._place(puzzle, label)
        onward = [places[target] for source, target, _ in board.paths if source == here]
        if not onward:
            return f"No path leads away from {places[here]}."
        return f"From {places[here]} {'a path leads' if len(onward) == 1 else 'paths lead'} to {_and(onward)} only."

    def restyle(self, puzzle: Puzzle[Params, Board], way: str, rng: Rng) -> Style:
        """rename: other letters and kinds. paraphrase: every path in other words. red_herring: one to three remarks.

        shuffle_paths: the paths in another order.
        """
        look = puzzle.style
        places, kinds = look.names
        if way == "rename":
            pool = [name for name in _KIND_NAMES if name not in kinds]
            while (letters := tuple(rng.sample(_letters(max(26, len(places))), len(places)))) == places:
                pass
            renamed = replace(look, names=(letters, _chosen(rng, pool, len(kinds))))
            spots = [at for at, _ in look.asides]
            return replace(renamed, asides=_remarks(renamed.names[0], spots, rng)) if spots else renamed
        if way == "paraphrase":
            return replace(look, phrasing=look.phrasing + rng.between(1, len(_WORDINGS) - 1))
        if way == "red_herring":
            spots = sorted(rng.below(len(places) + 1) for _ in range(rng.between(1, 3)))
            return replace(look, asides=_remarks(places, spots, rng))
        if way == "shuffle_paths":
            now = tuple(look.order or range(len(puzzle.board.paths)))
            while True:
                order = tuple(rng.shuffled(now))
                if order != now:
                    return replace(look, order=order)
        return super().restyle(puzzle, way, rng)

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, Board]:
        head = lines[0] if lines else Line(1, "")
        options = heading(lines, self.name, (), (VIA,))
        told: dict[str, Line] = {}
        for line in lines[1:4]:
            name, colon, _ = line.text.partition(":")
            if not colon or name in told or name not in ("kinds", "places", "way"):
                raise line.bad(0, "expected the lines kinds: school bank, places: A=school B=bank and way: A school")
            told[name] = line
        if list(told) != ["kinds", "places", "way"]:
            raise head.bad(0, "expected below it the lines kinds: school bank, places: A=school B=bank and way: A school")
        kinds: dict[str, int] = {}
        for word in told["kinds"].words_from(len("kinds:")):
            if word.text in kinds or not word.text.isalnum():
                raise told["kinds"].bad(word.column, f"expected each kind once, a word of letters, got {word.text[:40]!r}")
            kinds[word.text] = len(kinds)
        places: dict[str, int] = {}
        stands: list[int] = []
        for word in told["places"].words_from(len("places:")):
            name, sign, kind = word.text.partition("=")
            if not sign or not name.isalnum() or name.casefold() in places or kind not in kinds:
                raise told["places"].bad(word.column, f"expected a new place with its kind, A=school say, got {word.text[:40]!r}")
            places[name.casefold()] = len(stands)
            stands.append(kinds[kind])
        letters = tuple([word.text.partition("=")[0] for word in told["places"].words_from(len("places:"))])
        if not 2 <= len(stands) <= _PLACES or not 2 <= len(kinds) <= _KINDS:
            wanted = f"2 to {_PLACES} places and 2 to {_KINDS} kinds"
            raise told["places"].bad(0, f"expected {wanted}, got {len(stands)} and {len(kinds)}")
        asked = told["way"].words_from(len("way:"))
        if len(asked) != 2 or asked[0].text.casefold() not in places or asked[1].text not in kinds:
            raise told["way"].bad(0, "expected the place where the way starts and the kind where it ends, such as way: A school")
        start, goal = places[asked[0].text.casefold()], kinds[asked[1].text]
        named = options[VIA].split(",") if VIA in options else []
        for name in named:
            if name not in kinds:
                raise head.bad(0, f"via names a kind of this puzzle, got {name[:40]!r}")
        via = tuple([kinds[name] for name in named])
        if len(via) > _VISITS:
            raise head.bad(0, f"via names up to {_VISITS} kinds, got {len(via)}")
        if len({stands[start], goal, *via}) != 2 + len(via) or not {goal, *via} <= set(stands):
            raise told["way"].bad(0, "the start, the landmarks to visit and the one where the way ends are of different kinds")
        paths: dict[tuple[int, int], int] = {}
        for line in lines[4:]:
            words = line.words
            ends = [places.get(word.text.casefold()) for word in words[:3:2]]
            if len(words) != 4 or words[1].text != "->" or None in ends or ends[0] == ends[1]:
                raise line.bad(0, "expected a path between two places and its length, such as A -> B 4")
            number = words[3].text
            if not (number.isascii() and number.isdigit() and len(number) <= 4 and int(number)):
                raise line.bad(words[3].column, f"expected a length of 1 to 9999, got {number[:40]!r}")
            pair = (ends[0] or 0, ends[1] or 0)
            if pair in paths:
                raise line.bad(0, "a path from this place to that one is told twice")
            paths[pair] = int(number)
        longest = max(paths.values(), default=1)
        params = Params(len(stands), len(kinds), len(paths), 1, longest, visits=max(1, len(via)))
        listed = tuple([(source, target, length) for (source, target), length in paths.items()])
        board = Board(tuple(stands), listed, start, goal, via)
        spec = Spec(params, (Rule(VIA),) if VIA in options else ())
        return _asked(spec, board, Style(names=(letters, tuple(kinds))))

    def format(self, puzzle: Puzzle[Params, Board]) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        for name in (*places, *kinds):
            if not name.isalnum():
                raise BadRow(f"navigation: the text form cannot write the name {name[:40]!r}; names are letters and digits")
        lines = [
            self.name + (f" {VIA}={','.join([kinds[kind] for kind in board.via])}" if puzzle.spec.rule(VIA) is not None else ""),
            "kinds: " + " ".join(kinds),
            "places: " + " ".join([f"{name}={kinds[kind]}" for name, kind in zip(places, board.kinds, strict=True)]),
            f"way: {places[board.start]} {kinds[board.goal]}",
        ]
        lines += [f"{places[source]} -> {places[target]} {length}" for source, target, length in board.paths]
        return "\n".join(lines) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, Board, Steps], ...]:
        # the directed graph of figure 24.6 (third edition) with s, t, x, y, z as places 0 to 4: distances 0, 8, 9, 5, 7
        roads = ((0, 1, 10), (0, 3, 5), (1, 2, 1), (1, 3, 2), (2, 4, 4), (3, 1, 3), (3, 2, 9), (3, 4, 2), (4, 0, 7), (4, 2, 6))
        source = "T. H. Cormen et al., Introduction to Algorithms, 3rd edition (2009), figure 24.6: s to x has length 9, s to z 7"
        look = Style(names=(_letters(5), ("school", "bank", "park")))
        spec = Spec(Params(5, 3, 10, 1, 10))
        nearest = _asked(spec, Board((0, 0, 1, 0, 2), roads, 0, 1), look)
        by = _asked(spec.with_rule(Rule(VIA)), Board((0, 0, 1, 0, 2), roads, 0, 1, (2,)), look)
        return (
            Example(nearest, ((0, 3), (3, 1), (1, 2)), source),
            Example(by, ((0, 3), (3, 4), (4, 2)), f"{source}; by way of z it is 7 and the path of length 6 from z to x"),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        return (
            Spec(Params(6, 3, 11, 2, 9)),
            Spec(Params(6, 2, 13, 2, 2)),
            Spec(Params(7, 3, 15, 2, 5), (Rule(VIA),)),
            Spec(Params(6, 4, 14, 2, 4, visits=2), (Rule(VIA),)),
        )


def _asked(spec: Spec[Params], board: Board, look: Style) -> Puzzle[Params, Board]:
    return Puzzle(Navigation.name, Navigation.version, spec, board, (), Question(QuestionKind.LEAST), look)


def _bounded(puzzle: Puzzle[Params, Board]) -> Puzzle[Params, Board]:
    """The puzzle, if its map is one of a size that search and labelling are for; somebody may have made up any other."""
    board, names = puzzle.board, puzzle.style.names
    places, ends = len(board.kinds), [path[:2] for path in board.paths]
    if not 2 <= places <= _PLACES or len(names) != 2 or len(names[0]) != places or len(names[1]) > _KINDS:
        raise BadRow(
            f"navigation: expected 2 to {_PLACES} places with as many names and up to {_KINDS} kinds, got {places} places and "
            f"{', '.join([str(len(each)) for each in names[:3]]) or 'no'} names"
        )
    if len(board.via) > _VISITS or len(set(board.via)) < len(board.via):
        raise BadRow(f"navigation: via is up to {_VISITS} different kinds, got {str(board.via[:5])[:60]}")
    if len(set(ends)) < len(ends) or not all(0 <= a < places > b >= 0 and 1 <= length <= 9999 for a, b, length in board.paths):
        raise BadRow("navigation: expected paths between two of the places, each pair once, of lengths 1 to 9999")
    return puzzle


def _dealt(params: Params, rng: Rng) -> tuple[int, ...]:
    """The kind of each place, all kinds being as frequent as each other, give or take one."""
    kinds = [place % params.kinds for place in range(params.places)]
    for last in range(params.places - 1, 0, -_SWAPS):  # Fisher and Yates, some swaps from one draw
        sizes = range(last + 1, max(last + 1 - _SWAPS, 1), -1)
        drawn = rng.below(prod(sizes))
        for size in sizes:
            drawn, other = divmod(drawn, size)
            kinds[size - 1], kinds[other] = kinds[other], kinds[size - 1]
    return tuple(kinds)


def _any_paths(params: Params, rng: Rng) -> tuple[Path, ...]:
    """Paths between different pairs of places, in random order."""
    others = params.places - 1
    drawn: dict[int, None] = {}
    for pair in _numbers(rng, params.places * others):
        drawn[pair] = None
        if len(drawn) == params.paths:
            break
    paths = []
    for pair, length in zip(drawn, _numbers(rng, params.longest), strict=False):
        source, target = divmod(pair, others)
        paths.append((source, target + (target >= source), length + 1))
    return tuple(paths)


def _numbers(rng: Rng, base: int) -> Iterator[int]:
    """Even draws below `base`, without end: the digits of larger draws, which is several times as fast as one by one."""
    if base == 1:
        yield from repeat(0)
    digits = 60 // base.bit_length()
    while True:
        drawn = rng.below(base**digits)
        for _ in range(digits):
            drawn, digit = divmod(drawn, base)
            yield digit


def _chosen(rng: Rng, pool: Sequence[T], count: int) -> tuple[T, ...]:
    """Different items of a pool, in random order."""
    left = list(pool)
    return tuple([left.pop(rng.below(len(left))) for _ in range(count)])


_Rest = tuple[int, int, int]  # of a way: its length, its number of paths, the next place (-1 at its end)


def _into(paths: Sequence[Path], places: int) -> list[list[tuple[int, int]]]:
    """Of each place, the places that a path leads from, and how long it is."""
    into: list[list[tuple[int, int]]] = [[] for _ in range(places)]
    for source, target, length in paths:
        into[target].append((source, length))
    return into


def _towards(ends: Mapping[int, tuple[int, int]], into: Sequence[Sequence[tuple[int, int]]]) -> dict[int, _Rest]:
    """The rest of a shortest way of the fewest paths from each place to an end; an end has a length and a number already."""
    rests: dict[int, _Rest] = {place: (length, count, -1) for place, (length, count) in ends.items()}
    work = list(rests)
    for place in work:  # grows: places whose rest became shorter are looked at again
        length, count, _ = rests[place]
        for source, more in into[place]:
            if source not in ends:
                old = rests.get(source)
                if old is None or length + more < old[0] or (length + more == old[0] and count + 1 < old[1]):
                    rests[source] = (length + more, count + 1, place)
                    work.append(source)
    return rests


_Rests = list[dict[int, _Rest]]  # one for each bit set of visited kinds


def _rests(kinds: Sequence[int], paths: Sequence[Path], goal: int, via: Sequence[int]) -> _Rests:
    """The rests of ways that have visited some of the kinds `via`: item 0 of those that have still to visit them all."""
    into = _into(paths, len(kinds))
    full = (1 << len(via)) - 1
    rests: _Rests = [{} for _ in range(full + 1)]
    rests[full] = _towards({place: (0, 0) for place, kind in enumerate(kinds) if kind == goal}, into)
    for seen in range(full - 1, -1, -1):
        ends: dict[int, tuple[int, int]] = {}
        for number, wanted in enumerate(via):
            if not seen >> number & 1:
                onward = rests[seen | 1 << number]
                ends |= {place: onward[place][:2] for place, kind in enumerate(kinds) if kind == wanted and place in onward}
        rests[seen] = _towards(ends, into)
    return rests


def _counts(rests: _Rests, kinds: Sequence[int], paths: Sequence[Path], via: Sequence[int]) -> dict[int, int]:
    """The number of shortest ways from each place that have still to visit all of `via`."""
    away: dict[int, list[tuple[int, int]]] = {}
    for source, target, length in paths:
        away.setdefault(source, []).append((target, length))
    counts: list[dict[int, int]] = [{} for _ in rests]
    for seen in range(len(rests) - 1, -1, -1):
        rest, mine = rests[seen], counts[seen]
        for place in sorted(rest, key=lambda place: rest[place][0]):
            length, _, following = rest[place]
            if following >= 0:
                mine[place] = sum([mine[t] for t, more in away[place] if t in rest and rest[t][0] + more == length])
            elif kinds[place] in via:
                mine[place] = counts[seen | 1 << via.index(kinds[place])][place]
            else:
                mine[place] = 1
    return counts[0]


def _followed(start: int, rests: _Rests, kinds: Sequence[int], via: Sequence[int]) -> Steps:
    """The steps from the start to the end, over one landmark of each of `via`."""
    steps: list[tuple[int, int]] = []
    here, seen = start, 0
    while True:
        while (following := rests[seen][here][2]) >= 0:
            steps.append((here, following))
            here = following
        if seen == len(rests) - 1:
            return tuple(steps)
        seen |= 1 << via.index(kinds[here])


def _most_steps(places: int) -> int:
    """How long an answer may be: a shortest way visits no place more than four times, once for each landmark and for its end."""
    return 4 * places


_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = (*_ALPHABET, *[first + second for first in "AB" for second in _ALPHABET])


def _letters(count: int) -> tuple[str, ...]:
    """A to Z, then AA, AB, ..."""
    return _LETTERS[:count]


def _remarks(places: Sequence[str], spots: Sequence[int], rng: Rng) -> tuple[tuple[int, str], ...]:
    chosen = _chosen(rng, _SCENERY, len(spots))
    return tuple([(at, remark.format(*rng.sample(places, 2))) for at, remark in zip(spots, chosen, strict=True)])


@dataclass(frozen=True, slots=True)
class _Wording:
    """One way to tell of paths. each: sentences of one path, which take turns; none: all paths from a place in one sentence, or
    with `into` all paths to it."""

    intro: str
    least: str
    each: tuple[str, ...]
    start: str = ""
    item: str = ""
    into: bool = False

    def tell(self, paths: Sequence[Path], places: Sequence[str], turn: int) -> Iterator[str]:
        if self.each:
            for number, (source, target, length) in enumerate(paths):
                yield self.each[(number + turn) % len(self.each)].format(places[source], places[target], length)
            return
        gathered: dict[int, list[str]] = {}
        for source, target, length in paths:
            one, other = (target, source) if self.into else (source, target)
            gathered.setdefault(one, []).append(self.item.format(places[other], length))
        for one, items in gathered.items():
            yield self.start.format(places[one]) + " " + _and(items) + "."


_LENGTH = "The length of a route is the sum of the lengths of its paths; make it as small as possible."
_TURNS = 6  # of each wording: orders of its sentences, with ways of telling what stands where and what is asked
_WORDINGS = (
    _Wording(
        "Paths lead in one direction only:",
        _LENGTH,
        (
            "A path of length {2} leads from {0} to {1}.",
            "From {0} a path of length {2} leads to {1}.",
            "{0} has a path to {1}, and its length is {2}.",
        ),
    ),
    _Wording(
        "These walks are possible, each in the given direction only:",
        "The shortest route is the one that takes the fewest minutes in all.",
        (
            "Walking from {0} to {1} takes {2} min.",
            "You can walk from {0} to {1} in {2} min.",
            "From {0} it is a walk of {2} min to {1}.",
        ),
    ),
    _Wording(
        "All streets are one-way streets:",
        "The shortest route is the one with the fewest kilometres in all.",
        (
            "A street of {2} km runs from {0} to {1}.",
            "The street from {0} to {1} is {2} km long.",
            "Driving from {0} you reach {1} after {2} km.",
        ),
    ),
    _Wording(
        "Paths lead in one direction only; the length of each is given in brackets:",
        _LENGTH,
        (),
        "From {0} you can go to",
        "{0} ({1})",
    ),
    _Wording(
        "Buses run in one direction only, with these times:",
        "The shortest route is the one with the fewest minutes on buses in all; changing buses takes no time.",
        (
            "A bus takes {2} min from {0} to {1}.",
            "There is a bus from {0} to {1}, a ride of {2} min.",
            "By bus you get from {0} to {1} in {2} min.",
        ),
    ),
    _Wording(
        "Each arrow is a path that can be taken in that direction only; its length is given after the colon:",
        _LENGTH,
        ("{0} -> {1}: {2}",),
    ),
    _Wording(
        "Paths lead in one direction only; the brackets give the length of the path from each place listed:",
        _LENGTH,
        (),
        "{0} can be reached from",
        "{0} ({1})",
        True,
    ),
)
_HEADS = (
    "There are {0} places, named by letters.",
    "A map shows {0} places, which are named by letters.",
    "A small town has {0} places of interest, named by letters.",
)
_TASKS = (
    "Start at {0} and find a shortest route to {1}.",
    "You are at {0}. Find a shortest route from there to {1}.",
    "Find a shortest route that begins at {0} and ends at {1}.",
)


def _standing(board: Board, places: Sequence[str], kinds: Sequence[str], turn: int) -> str:
    """What stands at each place: place by place, or kind by kind."""
    if turn % 2 == 0:
        there = [f"at {name} there is {_a(kinds[kind])}" for name, kind in zip(places, board.kinds, strict=True)]
        return "A" + "; ".join(there)[1:] + "."
    told = []
    for kind, name in enumerate(kinds):
        here = [place for place, stands in zip(places, board.kinds, strict=True) if stands == kind]
        if here:
            told.append(f"There {'are ' + _many(name) if len(here) > 1 else 'is ' + _a(name)} at {_and(here)}.")
    return " ".join(told)


def _a(word: str) -> str:
    return f"{'an' if word[:1].casefold() in 'aeiou' else 'a'} {word}"


def _many(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def _all_of(kinds: Sequence[str], wanted: Sequence[int]) -> str:
    return _and([_a(kinds[kind]) for kind in wanted]) + (", in any order" if len(wanted) > 1 else "")


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def _label(x: int, y: int, text: str, colour: str) -> str:
    halo = 'stroke="#fff" stroke-width="3" paint-order="stroke"'  # numbers stay readable on top of paths
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="12" fill="{colour}" {halo}>{escape(text)}</text>'


FAMILY = Navigation()
