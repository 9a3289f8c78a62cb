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

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from html import escape
from math import cos, lgamma, log, log10, pi, sin
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Move, RoadsTable, State
from puzzlemill.core.shape import Shape, arrows
from puzzlemill.core.types import AnyDraft
from puzzlemill.core.words import many, with_article
from puzzlemill.generators import _navigation_maps as maps
from puzzlemill.generators._navigation_maps import Path, chosen
from puzzlemill.vocabulary.walks import walks

NavigationPuzzle = f.Puzzle["Params", "Board"]
NavigationDraft = f.Draft["Params", "Board", "Drawn | None", "Steps"]
Steps = tuple[tuple[int, int], ...]  # (from, to), places counted from 0

VIA = "via"
_PLACES, _KINDS, _VISITS = 52, 12, 3  # the most that can be asked for
_TRIES = 400  # maps drawn before it is given up that one has a start that fits
_CUTS = 200  # sets of places tried
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

    places: int = f.Param(12, least=5, most=_PLACES)
    kinds: int = f.Param(4, least=2, most=lambda p: min(_KINDS, p.places))
    paths: int = f.Param(24, least=lambda p: p.places, most=lambda p: min(6, p.places - 1) * p.places)
    hops: int = f.Param(3, least=1, most=lambda p: min(12, p.places - 1))
    longest: int = f.Param(9, least=lambda p: 2 if p.decoy else 1, most=99)
    decoy: bool = f.Param(False)
    ways: int = f.Param(1, least=1, most=6)
    visits: int = f.Param(1, least=1, most=_VISITS)


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
                raise f.Discarded("no_clash")
            paths[at] = (*rng.pick(others), length)
        puzzle = replace(draft.puzzle, board=replace(board, paths=tuple(paths)))
        if not cut or oracle.count(puzzle, 1):
            raise f.Discarded("no_clash")
        return replace(draft, puzzle=puzzle, answer=None)


# ---- answers, routes, changes, styles ------------------------------------------------------------------------------------


class Route(f.Form[Params, Board, Steps]):
    """A row for each place of the way."""

    def layout(self, puzzle: NavigationPuzzle) -> f.Layout:
        places = _bounded(puzzle).style.names[0]
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
        told: dict[str, f.Line] = {}
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
        spec = f.Spec(params, (f.Rule(VIA),) if VIA in options else ())
        return replace(self.family.puzzle(spec, (), board), style=f.Style(names=(letters, tuple(kinds))))

    def format(self, puzzle: NavigationPuzzle) -> str:
        board = puzzle.board
        places, kinds = puzzle.style.names
        for name in (*places, *kinds):
            if not name.isalnum():
                raise f.BadRow(f"navigation: the text form cannot write the name {name[:40]!r}; names are letters and digits")
        lines = [
            self.family.name
            + (f" {VIA}={','.join([kinds[kind] for kind in board.via])}" if puzzle.spec.rule(VIA) is not None else ""),
            "kinds: " + " ".join(kinds),
            "places: " + " ".join([f"{name}={kinds[kind]}" for name, kind in zip(places, board.kinds, strict=True)]),
            f"way: {places[board.start]} {kinds[board.goal]}",
        ]
        lines += [f"{places[source]} -> {places[target]} {length}" for source, target, length in board.paths]
        return "\n".join(lines) + "\n"


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
                f"navigation.kinds must be {least} to {min(_KINDS, spec.params.places)} under via with {spec.params.visits} to "
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
        board = _bounded(puzzle).board
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
                f" On the way you must visit {_all_of(kinds, board.via)}: the route ends at the first {goal} after that, and "
                f"{many(goal)} that you pass before that do not end it. You may visit a place more than once."
            )
        else:
            task += f" Any {goal} will do; the route ends at the first one that you come to."
        return (
            f"{heads[turn % len(heads)].format(len(places))} {_standing(board, places, kinds, turn)}\n\n"
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
            said[VIA] = f"Before the route ends at {with_article(goal)} it visits {_all_of(kinds, board.via)}."
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
        wish = f"from {places[board.start]} to {with_article(kinds[board.goal])}"
        colour = "#000"
        if puzzle.spec.rule(VIA) is not None:
            wish += f" by way of {_all_of(kinds, board.via)}"
            colour = "#c40" if VIA in marked else "#000"
        parts.append(f'<text x="8" y="18" font-size="14" fill="{colour}">{escape(wish)}</text>')
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle} {2 * middle}">{"".join(parts)}</svg>'


# ---- what is said, and bounds --------------------------------------------------------------------------------------------


def _place(puzzle: NavigationPuzzle, label: str) -> int:
    labels = [f"place {place + 1}" for place in range(len(puzzle.board.kinds))]
    if label not in labels:
        known = f"place 1 to place {len(labels)}, or a rule"
        raise f.BadRow(f"navigation: {label[:40]!r} is no place of this puzzle and no rule; expected {known}")
    return labels.index(label)


def _bounded(puzzle: NavigationPuzzle) -> NavigationPuzzle:
    """The puzzle, if its map is one of a size that search and labelling are for; somebody may have made up any other."""
    board, names = puzzle.board, puzzle.style.names
    places, ends = len(board.kinds), [path[:2] for path in board.paths]
    if not 2 <= places <= _PLACES or len(names) != 2 or len(names[0]) != places or len(names[1]) > _KINDS:
        raise f.BadRow(
            f"navigation: expected 2 to {_PLACES} places with as many names and up to {_KINDS} kinds, got {places} places and "
            f"{', '.join([str(len(each)) for each in names[:3]]) or 'no'} names"
        )
    if len(board.via) > _VISITS or len(set(board.via)) < len(board.via):
        raise f.BadRow(f"navigation: via is up to {_VISITS} different kinds, got {str(board.via[:5])[:60]}")
    if len(set(ends)) < len(ends) or not all(0 <= a < places > b >= 0 and 1 <= length <= 9999 for a, b, length in board.paths):
        raise f.BadRow("navigation: expected paths between two of the places, each pair once, of lengths 1 to 9999")
    return puzzle


def _most_steps(places: int) -> int:
    """How long an answer may be: a shortest way visits no place more than four times, once for each landmark and for its end."""
    return 4 * places


def _standing(board: Board, places: Sequence[str], kinds: Sequence[str], turn: int) -> str:
    """What stands at each place: place by place, or kind by kind."""
    if turn % 2 == 0:
        there = [f"at {name} there is {with_article(kinds[kind])}" for name, kind in zip(places, board.kinds, strict=True)]
        return "A" + "; ".join(there)[1:] + "."
    told = []
    for kind, name in enumerate(kinds):
        here = [place for place, stands in zip(places, board.kinds, strict=True) if stands == kind]
        if here:
            told.append(f"There {'are ' + many(name) if len(here) > 1 else 'is ' + with_article(name)} at {f.listed(here)}.")
    return " ".join(told)


def _all_of(kinds: Sequence[str], wanted: Sequence[int]) -> str:
    return f.listed([with_article(kinds[kind]) for kind in wanted]) + (", in any order" if len(wanted) > 1 else "")


def _label(x: int, y: int, text: str, colour: str) -> str:
    halo = 'stroke="#fff" stroke-width="3" paint-order="stroke"'  # numbers stay readable on top of paths
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="12" fill="{colour}" {halo}>{escape(text)}</text>'


FAMILY = Navigation()
