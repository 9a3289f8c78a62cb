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

Landmarks are dealt so that kinds have as many places as each other, give or take one. How many paths the way has is drawn
evenly from `hops` to 8, or as many as leave some places off the way; then the way itself, with its lengths from 1 to `longest`;
then the other paths, evenly among those that make no shorter way (rules/ways_draw.py). In three maps of four neither a way of
the fewest paths is a shortest one, nor that to the nearest new place each time, nor that which takes a path to a wanted place
where there is one; with `decoy` in all of them. Under "via" the way is longer than without any one of the visits. `ways`: so
many shortest ways at least.

No way at all: a set of places that holds the start and no landmark of the wanted kind, and that no path leaves. Each of its
places is part of the unsat core, "From A paths lead to B and C only", as a path to anywhere from one of them would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import Move, RoadsTable, State
from puzzlemill.core.shape import Shape, arrows
from puzzlemill.core.words import many, with_article
from puzzlemill.generators import _navigation as maps
from puzzlemill.generators._navigation import KINDS, PLACES, VIA, VISITS, Board
from puzzlemill.rules import ways
from puzzlemill.rules.ways_draw import around, exchanges, unguessed
from puzzlemill.vocabulary.walks import Map, all_of, standing, told, walks

NavigationPuzzle = f.Puzzle["Params", Board]
Steps = tuple[tuple[int, int], ...]  # (from, to), places counted from 0
Hidden = f.Drawn[Board, Steps] | None

_TRIES = 400  # maps drawn before it is given up that one fits
_PATIENCE = 20  # maps drawn for one number of paths
_LONG = 8  # paths that ways have at most, where not more are asked for
_GUESSED = 4  # one map of so many may be right for who does not compare totals
_TURNS = 6  # of each wording: orders of its sentences, with ways of telling what stands where and what is asked
_ARRIVED: State = (-1, 0)


@f.params
class Params:
    """kinds: of landmarks, under via at least `visits` + 2. hops: every shortest way takes at least so many paths.

    longest: the greatest length of a path. decoy: no way of the fewest paths is a shortest one. ways: there are at least so many
    shortest ways. visits: kinds that the rule via asks for.
    """

    places: int = f.Param(12, least=5, most=PLACES)
    kinds: int = f.Param(4, least=2, most=lambda p: min(KINDS, p.places))
    paths: int = f.Param(24, least=lambda p: p.places, most=lambda p: min(6, p.places - 1) * p.places)
    hops: int = f.Param(2, least=1, most=lambda p: min(12, p.places - 1))
    longest: int = f.Param(9, least=lambda p: 3 if p.decoy else 1, most=99)
    decoy: bool = f.Param(False)
    ways: int = f.Param(1, least=1, most=6)
    visits: int = f.Param(1, least=1, most=VISITS)


# ---- answers, routes, changes -------------------------------------------------------------------------------------------


class Route(f.MovesForm[Steps]):
    """A row for each place of the way."""

    def to_moves(self, answer: Steps) -> tuple[tuple[int, ...], ...]:
        return (answer[0][:1], *[step[1:] for step in answer]) if answer else ()

    def from_moves(self, moves: tuple[tuple[int, ...], ...]) -> Steps | None:
        return tuple([(here, there) for (here,), (there,) in pairwise(moves)]) or None

    def layout(self, puzzle: NavigationPuzzle) -> f.Layout:
        maps.bounded(puzzle.board, puzzle.style.names)
        return super().layout(puzzle)


class WalkRoutes(f.Routes[Params, Board, Steps]):
    """The parts of a puzzle are what paths from each place leave out, and its rule."""

    def cost(self, puzzle: NavigationPuzzle, answer: Steps) -> int:
        lengths = {(source, target): length for source, target, length in puzzle.board.paths}
        return sum(lengths[step] for step in answer)

    def work(self, puzzle: NavigationPuzzle, answer: Steps) -> int:
        """States of the model that are nearer to the start than the end is: their paths have to be followed up."""
        return ways.nearer(FAMILY.model(puzzle.spec, puzzle.board), self.cost(puzzle, answer))

    def parts(self, puzzle: NavigationPuzzle) -> tuple[str, ...]:
        """ "place 1" is that paths lead from the first place to some others only; then the rules in force."""
        places, away = len(puzzle.board.kinds), Counter([source for source, _, _ in puzzle.board.paths])
        return (*[f"place {p + 1}" for p in range(places) if away[p] < places - 1], *[rule.name for rule in puzzle.spec.rules])

    def without(self, puzzle: NavigationPuzzle, label: str) -> NavigationPuzzle:
        """Without what a place's paths leave out, paths lead from it to every other place."""
        if puzzle.spec.rule(label) is not None:
            return replace(puzzle, spec=puzzle.spec.without_rule(label))
        board = puzzle.board
        free = f.numbered(Navigation.name, label, "place", len(board.kinds))
        joined = {target for source, target, _ in board.paths if source == free}
        more = [(free, target, 1) for target in range(len(board.kinds)) if target != free and target not in joined]
        return replace(puzzle, board=replace(board, paths=(*board.paths, *more)))


class Changes(f.Clues[Params, Board]):
    """There are no clues: what changes is the board."""

    def exchanges(self, puzzle: NavigationPuzzle, rng: f.Rng) -> Iterator[NavigationPuzzle]:
        """Two paths exchange the places that they lead to, so that as many lead to and from every place as before."""
        for paths in exchanges(puzzle.board.paths, rng):
            yield replace(puzzle, board=replace(puzzle.board, paths=paths))

    def changes(self, puzzle: NavigationPuzzle, rng: f.Rng) -> Iterator[NavigationPuzzle]:
        """One path leads elsewhere, comes from elsewhere or is turned round, or the way starts elsewhere."""
        board = puzzle.board
        places = range(len(board.kinds))
        joined = {(source, target) for source, target, _ in board.paths}
        options: list[tuple[int, int, int]] = [(-1, place, 0) for place in places]
        for at, (source, target, _) in enumerate(board.paths):
            ends = [(source, place) for place in places] + [(place, target) for place in places] + [(target, source)]
            options += [(at, a, b) for a, b in ends if a != b and (a, b) not in joined]
        for at, a, b in rng.shuffled(options):
            if at >= 0:
                length = board.paths[at][2]
                yield replace(puzzle, board=replace(board, paths=(*board.paths[:at], (a, b, length), *board.paths[at + 1 :])))
            elif a != board.start and board.kinds[a] not in (board.goal, *board.via):
                yield replace(puzzle, board=replace(board, start=a))


# ---- the family ---------------------------------------------------------------------------------------------------------


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
class Navigation(f.Family[Params, Board, Hidden, Steps]):
    """What is drawn is the board; nothing is hidden once the puzzle is made."""

    name, version, title = "navigation", 1, "Navigation"
    source = "E. W. Dijkstra, A note on two problems in connexion with graphs, Numerische Mathematik 1 (1959)"
    params, board, answer, clues, text, routes = Params, Board, Steps, Changes(), maps.Text(), WalkRoutes()
    form = Route(
        (("place", 0),),
        lambda puzzle: _most_steps(len(puzzle.style.names[0])) + 1,
        "Give one row per place of the route, in order, from the start to the place where the route ends, both included.",
        least=2,
    )
    rules = f.declared(f.OptionalRule(VIA))
    transforms = (
        f.Grown(
            "longer_way",
            f.Kind.IC2,
            (("places", 150, 0), ("paths", 150, 0), ("hops", 100, 2)),
            about="more places and paths, and a way of more paths",
        ),
        f.Grown(
            "more_paths",
            f.Kind.IC2,
            (("paths", 150, 0), ("hops", 100, 1)),
            about="more paths between as many places, and a way of more paths",
        ),
        f.AddRule(VIA, about="landmarks of other kinds must be visited on the way"),  # as many as family.params.visits says
        maps.Cut(),
        f.surface("rename", maps.rename, "other names"),
        f.surface("paraphrase", maps.paraphrase, "other words for the same clues"),
        f.surface("red_herring", maps.red_herring, "remarks that say nothing about the answer"),
        f.surface("shuffle_paths", maps.shuffle_paths, "the paths in another order"),
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

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Drawn[Board, Steps]:
        """See the docstring of this file for what is drawn evenly, and what is drawn again."""
        params, visits = spec.params, spec.params.visits if spec.rules else 0
        least = max(params.hops, 2 + visits)  # with less, each path would end at a wanted place
        most = max(least, min(_LONG, params.places - -(-params.places // params.kinds) - 1))  # places off the way, to lead astray
        hops, lures = 0, False
        for tried in range(_TRIES):
            if tried % _PATIENCE == 0:
                hops = rng.between(least, most)
                lures = params.decoy or (params.longest > 2 and tried < _TRIES // 2 and not rng.chance(1, _GUESSED))
            kinds = ways.dealt(params.places, params.kinds, rng)
            goal, *via = rng.few(range(params.kinds), 1 + visits)
            drawn = around(kinds, goal, via, hops, params.paths, params.longest, lures, rng)
            if drawn is None:
                continue
            paths, start = drawn
            rests = ways.rests(kinds, paths, goal, via)
            fits = start in ways.starts(kinds, rests, goal, via, hops) and rests[0][start][1] <= hops
            if not fits or (params.ways > 1 and ways.counts(rests, kinds, paths, via)[start] < params.ways):
                continue
            if not lures or unguessed(kinds, paths, start, goal, via, rests[0][start][:2]):
                return f.Drawn(Board(kinds, paths, start, goal, tuple(via)), ways.followed(start, rests, kinds, via))
        raise f.Discarded("no_start", f"{_TRIES} maps drawn")

    def make_puzzle(self, spec: f.Spec[Params], hidden: Hidden, rng: f.Rng) -> f.Draft[Params, Board, Hidden, Steps]:
        if hidden is None:
            raise ValueError("navigation makes puzzles of what sample_solution() has drawn")
        names = (maps.LETTERS[: spec.params.places], tuple(rng.few(walks().kinds, spec.params.kinds)))
        style = f.Style(names=names, phrasing=rng.below(len(walks().wordings) * _TURNS))
        return f.Draft(self.puzzle(spec, (), hidden.board, style), None, hidden.answer)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """Half as many places and paths again."""
        old = spec.params
        larger = replace(spec, params=replace(old, places=old.places * 3 // 2, paths=old.paths * 3 // 2))
        return larger if f.valid(self, larger) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Graph:
        """A state is a place, and a bit set of the kinds that are still to be visited; moves are (from, to)."""
        lengths = {(source, target): length for source, target, length in board.paths}
        onward: dict[int, list[int]] = {}
        for source, target, _ in board.paths:
            onward.setdefault(source, []).append(target)
        bit = {kind: 1 << number for number, kind in enumerate(board.via)} if spec.rule(VIA) is not None else {}

        def moves(state: State) -> Iterator[tuple[Move, State]]:
            place, owed = state
            for target in onward.get(place, ()):
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
        return maps.routes_log10(len(puzzle.board.kinds) - 1)

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
        board, voice = puzzle.board, f.Voice(self.name, puzzle.style.phrasing, self.title)
        places, kinds = puzzle.style.names
        order = puzzle.style.order or range(len(board.paths))
        if sorted(order) != list(range(len(board.paths))):
            raise f.BadRow(f"style.order must name each of the {len(board.paths)} paths once, got {str(order)[:60]}")
        paths, visits = [board.paths[at] for at in order], board.via if puzzle.spec.rule(VIA) is not None else ()
        if voice.number:
            asides = [aside for _, aside in puzzle.style.asides]
            return told(Map(places, kinds, board.kinds, paths, asides, board.start, board.goal, visits), voice)
        wording, head, task, turn = walks().worded(puzzle.style.phrasing)
        lines = list(wording.describe(paths, places, turn))
        for at, aside in sorted(puzzle.style.asides, reverse=True):
            lines.insert(min(at, len(lines)), aside)
        start, goal = places[board.start], kinds[board.goal]
        task = task.format(start, with_article(goal))
        if visits:
            task += (
                f" On the way you must visit {all_of(kinds, visits)}: the route ends at the first {goal} after that, and "
                f"{many(goal)} that you pass before that do not end it. You may visit a place more than once."
            )
        else:
            task += f" Any {goal} will do; the route ends at the first one that you come to."
        return (
            f"{head.format(len(places))} {standing(board.kinds, places, kinds, turn)}\n\n"
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
        here = f.numbered(self.name, label, "place", len(board.kinds))
        onward = [places[target] for source, target, _ in board.paths if source == here]
        if not onward:
            return f"No path leads away from {places[here]}."
        return f"From {places[here]} {'a path leads' if len(onward) == 1 else 'paths lead'} to {f.listed(onward)} only."

    def words(self, puzzle: NavigationPuzzle) -> f.Words:
        return maps.words(puzzle)

    def draw(self, puzzle: NavigationPuzzle, answer: Steps | None = None, marked: Collection[str] = ()) -> str:
        """Places on a ring, the start with a thick rim, wanted landmarks filled; an answer's paths stand out."""
        return maps.picture(puzzle, answer or (), marked)


def _most_steps(places: int) -> int:
    """How long an answer may be: a shortest way visits no place more than four times, once for each landmark and for its end."""
    return 4 * places


FAMILY = Navigation()
