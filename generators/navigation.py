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
places is part of the unsat core, "From A paths lead to B and C only", as a path to anywhere from one of them would do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import lgamma, log, log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Move, RoadsTable, State
from puzzlemill.core.shape import Shape, arrows
from puzzlemill.core.types import AnyDraft
from puzzlemill.core.words import many, with_article
from puzzlemill.generators import _navigation_maps as maps
from puzzlemill.generators._navigation_maps import KINDS, PLACES, VISITS, Board, chosen
from puzzlemill.vocabulary.walks import all_of, standing, walks

NavigationPuzzle = f.Puzzle["Params", Board]
NavigationDraft = f.Draft["Params", Board, "Drawn | None", "Steps"]
Steps = tuple[tuple[int, int], ...]  # (from, to), places counted from 0

VIA = "via"
_TRIES = 400  # maps drawn before it is given up that one has a start that fits
_TURNS = 6  # of each wording: orders of its sentences, with ways of telling what stands where and what is asked
_ARRIVED: State = (-1, 0)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = (*_ALPHABET, *[first + second for first in "AB" for second in _ALPHABET])  # A to Z, then AA, AB, ...


@f.params
class Params:
    """kinds: of landmarks, under via at least `visits` + 2. hops: every shortest way takes at least so many paths.

    longest: the greatest length of a path. decoy: no way of the fewest paths is a shortest one. ways: there are at least so many
    shortest ways. visits: kinds that the rule via asks for.
    """

    places: int = f.Param(12, least=5, most=PLACES)
    kinds: int = f.Param(4, least=2, most=lambda p: min(KINDS, p.places))
    paths: int = f.Param(24, least=lambda p: p.places, most=lambda p: min(6, p.places - 1) * p.places)
    hops: int = f.Param(3, least=1, most=lambda p: min(12, p.places - 1))
    longest: int = f.Param(9, least=lambda p: 2 if p.decoy else 1, most=99)
    decoy: bool = f.Param(False)
    ways: int = f.Param(1, least=1, most=6)
    visits: int = f.Param(1, least=1, most=VISITS)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board and a shortest way over it."""

    board: Board
    steps: Steps


@final
@dataclass(frozen=True, slots=True)
class Harder(f.Transform):
    """A map drawn anew with so many hundredths of the parent's places and paths, and a way of more paths."""

    name: str
    kind: f.Kind
    places: int
    paths: int
    hops: int
    about: str
    relation: f.Relation = f.Relation.RESIZE
    pairing: f.Pairing = f.Pairing.NONE

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return f.valid(family, self._harder(spec))

    def before(self, family: AnyFamily, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return self._harder(spec)

    def _harder(self, spec: f.Spec[Any]) -> f.Spec[Any]:
        old = spec.params
        places, paths = old.places * self.places // 100, old.paths * self.paths // 100
        return replace(spec, params=replace(old, places=places, paths=paths, hops=old.hops + self.hops))


@final
@dataclass(frozen=True, slots=True)
class Cut(f.Transform):
    """Let up to `most` paths lead elsewhere, so that the places around the start are left by no path; their number stays.

    The places are the start and others that it leads to, a random number of them from three up to half of all, none of them of
    one kind that the way needs. A path that leaves them leads to another of them instead; where a place has a path to all of the
    others already, one of its paths comes from outside. Of several sets of places the first is taken that at most `most` paths
    leave and where none has to come from outside, else one that is nearest to that. A clash of one change mostly cuts off the
    start, or the start and one place more.
    """

    name: str = "cut"
    kind: f.Kind = f.Kind.UP
    relation: f.Relation = f.Relation.EDIT
    pairing: f.Pairing = f.Pairing.GROUP
    promises: f.Status | None = f.Status.UNSOLVABLE
    most: int = 3
    args: tuple[str, ...] = ("most",)
    about: str = "some paths lead elsewhere, so that no way is left"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        return self.most > 0 and isinstance(family, Navigation)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: f.Rng, oracle: f.Oracle) -> AnyDraft:
        board = maps.cut_off(draft.puzzle.board, self.most, rng)
        puzzle = replace(draft.puzzle, board=board)
        if board is None or oracle.count(puzzle, 1):
            raise f.Discarded("no_clash")
        return replace(draft, puzzle=puzzle, answer=None)


# ---- answers, routes, changes, styles ------------------------------------------------------------------------------------


class Route(f.Form[Params, Board, Steps]):
    """A row for each place of the way."""

    def layout(self, puzzle: NavigationPuzzle) -> f.Layout:
        maps.bounded(puzzle.board, puzzle.style.names)
        places = puzzle.style.names[0]
        note = "Give one row per place of the route, in order, from the start to the place where the route ends, both included."
        return f.Layout((f.Column("place", places),), 2, _most_steps(len(places)) + 1, False, note)

    def write(self, puzzle: NavigationPuzzle, answer: Steps) -> f.Rows:
        names = puzzle.style.names[0]
        way = [answer[0][0], *[step[1] for step in answer]] if answer else []
        return tuple([(names[place],) for place in way])

    def read(self, puzzle: NavigationPuzzle, rows: f.Rows) -> Steps | None:
        numbers = {name.casefold(): place for place, name in enumerate(puzzle.style.names[0])}
        if not 2 <= len(rows) <= _most_steps(len(numbers)) + 1:
            return None
        way = [numbers.get(row[0].casefold(), -1) if len(row) == 1 else -1 for row in rows]
        return None if -1 in way else tuple(zip(way, way[1:], strict=False))


class WalkRoutes(f.Routes[Params, Board, Steps]):
    """The parts of a puzzle are what paths from each place leave out, and its rule."""

    def cost(self, puzzle: NavigationPuzzle, answer: Steps) -> int:
        lengths = {(source, target): length for source, target, length in puzzle.board.paths}
        return sum(lengths[step] for step in answer)

    def work(self, puzzle: NavigationPuzzle, answer: Steps) -> int:
        """States of the model that are nearer to the start than the end is: their paths have to be followed up."""
        length, graph = self.cost(puzzle, answer), FAMILY.model(puzzle.spec, puzzle.board)
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

    def parts(self, puzzle: NavigationPuzzle) -> tuple[str, ...]:
        """ "place 1" is that paths lead from the first place to some others only; then the rules in force."""
        places = len(puzzle.board.kinds)
        away = [0] * places
        for source, _, _ in puzzle.board.paths:
            away[source] += 1
        return (*[f"place {p + 1}" for p in range(places) if away[p] < places - 1], *[rule.name for rule in puzzle.spec.rules])

    def without(self, puzzle: NavigationPuzzle, label: str) -> NavigationPuzzle:
        """Without what a place's paths leave out, paths lead from it to every other place."""
        if puzzle.spec.rule(label) is not None:
            return replace(puzzle, spec=puzzle.spec.without_rule(label))
        board = puzzle.board
        free = _place(puzzle, label)
        joined = {target for source, target, _ in board.paths if source == free}
        more = [(free, target, 1) for target in range(len(board.kinds)) if target != free and target not in joined]
        return replace(puzzle, board=replace(board, paths=(*board.paths, *more)))


class Changes(f.Clues[Params, Board]):
    """There are no clues: what changes is the board."""

    def changes(self, puzzle: NavigationPuzzle, rng: f.Rng) -> Iterator[NavigationPuzzle]:
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


def _rename(puzzle: NavigationPuzzle, rng: f.Rng) -> f.Style:
    """Other letters and kinds, and remarks that name them."""
    style, (places, kinds) = puzzle.style, puzzle.style.names
    pool = [name for name in walks().kinds if name not in kinds]
    while (letters := tuple(rng.sample(_LETTERS[: max(26, len(places))], len(places)))) == places:
        pass
    renamed = replace(style, names=(letters, chosen(rng, pool, len(kinds))))
    spots = [at for at, _ in style.asides]
    return replace(renamed, asides=_remarks(letters, spots, rng)) if spots else renamed


def _paraphrase(puzzle: NavigationPuzzle, rng: f.Rng) -> f.Style:
    """Every path in other words."""
    return replace(puzzle.style, phrasing=puzzle.style.phrasing + rng.between(1, len(walks().wordings) - 1))


def _red_herring(puzzle: NavigationPuzzle, rng: f.Rng) -> f.Style:
    """One to three remarks."""
    places = puzzle.style.names[0]
    spots = sorted(rng.below(len(places) + 1) for _ in range(rng.between(1, 3)))
    return replace(puzzle.style, asides=_remarks(places, spots, rng))


def _shuffle_paths(puzzle: NavigationPuzzle, rng: f.Rng) -> f.Style:
    """The paths in another order."""
    now = tuple(puzzle.style.order or range(len(puzzle.board.paths)))
    while (order := tuple(rng.shuffled(now))) == now:
        pass
    return replace(puzzle.style, order=order)


def _remarks(places: Sequence[str], spots: Sequence[int], rng: f.Rng) -> tuple[tuple[int, str], ...]:
    remarks = chosen(rng, walks().remarks, len(spots))
    return tuple([(at, remark.format(*rng.sample(places, 2))) for at, remark in zip(spots, remarks, strict=True)])


class Text(f.TextForm[Params, Board]):
    """Lines kinds:, places: with what stands there, way: START KIND, and one for each path: A -> B 4."""

    def parse(self, lines: Sequence[f.Line]) -> NavigationPuzzle:
        head = lines[0] if lines else f.Line(1, "")
        options = f.heading(lines, self.family.name, (), (VIA,))
        board, names = maps.read_map(head, lines[1:], options[VIA].split(",") if VIA in options else [])
        places, kinds, longest = len(board.kinds), len(names[1]), max([length for _, _, length in board.paths], default=1)
        params = Params(places, kinds, len(board.paths), 1, longest, visits=max(1, len(board.via)))
        spec = f.Spec(params, (f.Rule(VIA),) if VIA in options else ())
        return replace(self.family.puzzle(spec, (), board), style=f.Style(names=names))

    def format(self, puzzle: NavigationPuzzle) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        for name in (*places, *kinds):
            if not name.isalnum():
                raise f.BadRow(f"navigation: the text form cannot write the name {name[:40]!r}; names are letters and digits")
        by = f" {VIA}={','.join([kinds[kind] for kind in board.via])}" if puzzle.spec.rule(VIA) is not None else ""
        return "\n".join([self.family.name + by, *maps.map_text(board, places, kinds)]) + "\n"


# ---- the family ---------------------------------------------------------------------------------------------------------


def _surface(name: str, how: Any, about: str) -> f.Restyle:
    return f.Restyle(name, f.Kind.SURFACE, f.Relation.SURFACE, how=how, about=about)


_CORMEN = "T. H. Cormen et al., Introduction to Algorithms, 3rd edition (2009), figure 24.6"
_FIGURE = """kinds: school bank park
places: A=school B=school C=bank D=school E=park
way: A bank
A -> B 10
A -> D 5
B -> C 1
B -> D 2
C -> E 4
D -> B 3
D -> C 9
D -> E 2
E -> A 7
E -> C 6"""


@final
class Navigation(f.Family[Params, Board, Drawn | None, Steps]):
    """What is drawn is the board; nothing is hidden once the puzzle is made."""

    name, version, title = "navigation", 1, "Navigation"
    source = "E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959)"
    params, board, answer, form, clues, text, routes = Params, Board, Steps, Route(), Changes(), Text(), WalkRoutes()
    rules = f.declared(f.OptionalRule(VIA))
    transforms = (
        Harder("longer_way", f.Kind.IC2, 150, 150, 2, "more places and paths, and a way of more paths"),
        Harder("more_paths", f.Kind.IC2, 100, 150, 1, "more paths between as many places, and a way of more paths"),
        f.AddRule(VIA, about="landmarks of other kinds must be visited on the way"),  # as many as family.params.visits says
        Cut(),
        _surface("rename", _rename, "other names"),
        _surface("paraphrase", _paraphrase, "other words for the same clues"),
        _surface("red_herring", _red_herring, "remarks that say nothing about the answer"),
        _surface("shuffle_paths", _shuffle_paths, "the paths in another order"),
    )
    questions = (f.QuestionKind.LEAST,)
    work_bands = ("states nearer than the end", 6, 12)
    smallest = (
        f.Spec(Params(6, 3, 11, 2, 9)),
        f.Spec(Params(6, 2, 13, 2, 2)),
        f.Spec(Params(7, 3, 15, 2, 5), (f.Rule(VIA),)),
        f.Spec(Params(6, 4, 14, 2, 4, visits=2), (f.Rule(VIA),)),
    )
    # the directed graph of figure 24.6 with s, t, x, y, z as A to E: distances 0, 8, 9, 5, 7
    worked = (
        (f"navigation\n{_FIGURE}", "A\nD\nB\nC", f"{_CORMEN}: s to x has length 9"),
        (f"navigation via=park\n{_FIGURE}", "A\nD\nE\nC", f"{_CORMEN}: s to z has length 7, and the path from z to x 6"),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        least = spec.params.visits + 2
        if spec.rules and spec.params.kinds < least:
            raise f.BadParams(
                f"navigation.kinds must be {least} to {min(KINDS, spec.params.places)} under via with {spec.params.visits} to "
                f"visit, got {spec.params.kinds}; set family.params.kinds"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Drawn:
        """See the docstring of this file for what is drawn evenly."""
        params = spec.params
        for _ in range(_TRIES):
            kinds = maps.dealt(params.places, params.kinds, rng)
            paths = maps.any_paths(params.places, params.paths, params.longest, rng)
            goal, *via = chosen(rng, range(params.kinds), 1 + params.visits if spec.rules else 1)
            rests = maps.rests(kinds, paths, goal, via)
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
                fewest = maps.rests(kinds, [(source, target, 1) for source, target, _ in paths], goal, via)[0]
                fitting = [place for place in fitting if fewest[place][1] < first[place][1]]
            if fitting and params.ways > 1:
                counts = maps.counts(rests, kinds, paths, via)
                fitting = [place for place in fitting if counts[place] >= params.ways]
            if fitting:
                start = rng.pick(fitting)
                return Drawn(Board(kinds, paths, start, goal, tuple(via)), maps.followed(start, rests, kinds, via))
        raise f.Discarded("no_start", f"{_TRIES} maps drawn")

    def make_puzzle(self, spec: f.Spec[Params], hidden: Drawn | None, rng: f.Rng) -> NavigationDraft:
        if hidden is None:
            raise ValueError("navigation makes puzzles of what sample_solution() has drawn")
        names = (_LETTERS[: spec.params.places], chosen(rng, walks().kinds, spec.params.kinds))
        style = f.Style(names=names, phrasing=rng.below(len(walks().wordings) * _TURNS))
        return f.Draft(replace(self.puzzle(spec, (), hidden.board), style=style), None, hidden.steps)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """Half as many places and paths again."""
        old = spec.params
        larger = replace(spec, params=replace(old, places=old.places * 3 // 2, paths=old.paths * 3 // 2))
        return larger if f.valid(self, larger) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Graph:
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

        return f.Graph((board.start, (1 << len(bit)) - 1), _ARRIVED, moves, cost)

    def table(self, puzzle: NavigationPuzzle) -> RoadsTable:
        board = puzzle.board
        via = board.via if any(rule.name == VIA for rule in puzzle.spec.rules) else ()
        there = [tuple([place for place, kind in enumerate(board.kinds) if kind == wanted]) for wanted in (board.goal, *via)]
        return RoadsTable(len(board.kinds), board.start, there[0], board.paths, tuple(there[1:]))

    def broken_rules(self, puzzle: NavigationPuzzle, answer: Steps, partial: bool = False) -> list[str]:
        board = puzzle.board
        places = len(board.kinds)
        if type(answer) is not tuple or len(answer) > _most_steps(places):
            return [f.MALFORMED]
        owed = set(board.via) if any(rule.name == VIA for rule in puzzle.spec.rules) else set()
        here, over = board.start, False
        for number, step in enumerate(answer):
            if type(step) is not tuple or len(step) != 2 or any(type(place) is not int for place in step):
                return [f.MALFORMED]
            if any(not 0 <= place < places for place in step):
                return [f.MALFORMED]
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

    def search_space_log10(self, puzzle: NavigationPuzzle) -> float:
        # the paper's tables count no space for navigation; this is the number of lists of different places from the start on
        others = len(puzzle.board.kinds) - 1
        logs = [(lgamma(others + 1) - lgamma(others - count + 1)) / log(10) for count in range(1, others + 1)]
        return logs[-1] + log10(sum(10 ** (each - logs[-1]) for each in logs))

    def symmetry(self, puzzle: NavigationPuzzle) -> Shape:
        """The map up to renaming of places. Kinds count as what is asked of them: wanted, to visit, or neither. Where several
        are to be visited each of them is a place too, which paths of length 0 lead to from where it stands.
        """
        maps.bounded(puzzle.board, puzzle.style.names)
        board = puzzle.board
        via = board.via if puzzle.spec.rule(VIA) is not None else ()
        roles = [1 if kind == board.goal else 2 if kind in via else 0 for kind in board.kinds]
        roles[board.start] = 3
        paths = board.paths
        if len(via) > 1:
            node = {kind: len(roles) + number for number, kind in enumerate(via)}
            paths = (*paths, *[(place, node[kind], 0) for place, kind in enumerate(board.kinds) if kind in node])
            roles += [4] * len(via)
        return arrows(roles, paths)

    # ---- text

    def render(self, puzzle: NavigationPuzzle) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        wordings, heads, tasks = walks().wordings, walks().heads, walks().tasks
        wording = wordings[puzzle.style.phrasing % len(wordings)]
        turn = puzzle.style.phrasing // len(wordings)
        order = puzzle.style.order or range(len(board.paths))
        if sorted(order) != list(range(len(board.paths))):
            raise f.BadRow(f"style.order must name each of the {len(board.paths)} paths once, got {str(order)[:60]}")
        told = [board.paths[at] for at in order]
        lines = list(wording.tell(told, places, turn))
        for at, aside in sorted(puzzle.style.asides, reverse=True):
            lines.insert(min(at, len(lines)), aside)
        start, goal = places[board.start], kinds[board.goal]
        task = tasks[turn % len(tasks)].format(start, with_article(goal))
        if puzzle.spec.rule(VIA) is not None:
            task += (
                f" On the way you must visit {all_of(kinds, board.via)}: the route ends at the first {goal} after that, and "
                f"{many(goal)} that you pass before that do not end it. You may visit a place more than once."
            )
        else:
            task += f" Any {goal} will do; the route ends at the first one that you come to."
        return (
            f"{heads[turn % len(heads)].format(len(places))} {standing(board.kinds, places, kinds, turn)}\n\n"
            f"{wording.intro}\n" + "\n".join(f"- {line}" for line in lines) + "\n\n"
            f"{task} {wording.least} If several routes are equally short, any of them counts; a longer one does not."
        )

    def describe(self, puzzle: NavigationPuzzle, label: str) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        goal = kinds[board.goal]
        said = {
            "start": f"The route begins at {places[board.start]}.",
            "path": "Every step takes a path, in its direction, from the place where one is.",
            "goal": f"The route ends at {with_article(goal)}.",
            "stop": f"The route ends at the first {goal} that it comes to.",
            "malformed": "A route is a list of places of this puzzle, from the start on.",
        }
        if board.via:
            said[VIA] = f"Before the route ends at {with_article(goal)} it visits {all_of(kinds, board.via)}."
        if label in said:
            return said[label]
        here = _place(puzzle, label)
        onward = [places[target] for source, target, _ in board.paths if source == here]
        if not onward:
            return f"No path leads away from {places[here]}."
        return f"From {places[here]} {'a path leads' if len(onward) == 1 else 'paths lead'} to {f.listed(onward)} only."

    def draw(self, puzzle: NavigationPuzzle, answer: Steps | None = None, marked: Collection[str] = ()) -> str:
        """Places on a ring, the start with a thick rim, wanted landmarks filled; an answer's paths stand out."""
        board = puzzle.board
        places, kinds = puzzle.style.names
        via = board.via if puzzle.spec.rule(VIA) is not None else ()
        wish = f"from {places[board.start]} to {with_article(kinds[board.goal])}"
        wish += f" by way of {all_of(kinds, via)}" if via else ""
        return maps.picture(board, places, kinds, via, answer or (), marked, (wish, bool(via) and VIA in marked))


# ---- what is said, and bounds --------------------------------------------------------------------------------------------


def _place(puzzle: NavigationPuzzle, label: str) -> int:
    labels = [f"place {place + 1}" for place in range(len(puzzle.board.kinds))]
    if label not in labels:
        known = f"place 1 to place {len(labels)}, or a rule"
        raise f.BadRow(f"navigation: {label[:40]!r} is no place of this puzzle and no rule; expected {known}")
    return labels.index(label)


def _most_steps(places: int) -> int:
    """How long an answer may be: a shortest way visits no place more than four times, once for each landmark and for its end."""
    return 4 * places


FAMILY = Navigation()
