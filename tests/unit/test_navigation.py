"""Navigation: what the contract suite does not ask of every family."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice, permutations
from math import log10, perm, sqrt

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Graph, RoadsTable
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyPuzzle, Depth, Puzzle, Question, QuestionKind, Rule, Spec, Style
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.generators.navigation import FAMILY, Board, Params, Steps
from puzzlemill.scoring.prompt import gold_reply
from puzzlemill.scoring.score import score
from puzzlemill.solvers import routes
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.transforms import transforms
from puzzlemill.vocabulary.walks import walks
from strategies import Case, group
from strategies import routes as every_route

VIA = (Rule("via"),)
PLAIN = Params(8, 3, 18, 2, 5)
ASK = Engines(FAMILY)


def drawn(params: Params, index: int, rules: tuple[Rule, ...] = ()) -> tuple[AnyPuzzle, Steps]:
    spec, rng = Spec(params, rules), stream("tests", "navigation", str(params), index)
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), ASK), rng.child("pose"))
    assert draft.answer is not None
    return draft.puzzle, draft.answer


def told(text: str) -> AnyPuzzle:
    return FAMILY.text.parse(lines_of(text))


def small(paths: str, way: str = "A bank", via: str = "") -> AnyPuzzle:
    """A to F: two schools, two parks, two banks."""
    lines = ["navigation" + (f" via={via}" if via else ""), "kinds: school park bank"]
    lines += ["places: A=school B=school C=park D=park E=bank F=bank", f"way: {way}"]
    return told("\n".join([*lines, *[f"{path[0]} -> {path[1]} {path[2:]}" for path in paths.split()]]))


def steps(way: str) -> Steps:
    numbers = ["ABCDEF".index(letter) for letter in way]
    return tuple(zip(numbers, numbers[1:], strict=False))


def any_board(rng: Rng) -> tuple[Spec[Params], Board]:
    """Any map at all, also without a way, with lengths that often tie."""
    places = rng.between(4, 7)
    kinds = (0, 1, 2, 3, *[rng.below(4) for _ in range(places - 4)])
    pairs = rng.sample(list(permutations(range(places), 2)), rng.between(3, 9 * places // 4))
    paths = tuple((source, target, rng.between(1, 4)) for source, target in pairs)
    via = ((), (2,), (2, 3))[rng.below(3)]
    spec = Spec(Params(places, 4, len(paths), 1, 4, visits=max(1, len(via))), VIA if via else ())
    return spec, Board(kinds, paths, 0, 1, via)


def asked(spec: Spec[Params], board: Board) -> AnyPuzzle:
    names = (tuple("ABCDEFGH"[: len(board.kinds)]), ("school", "bank", "park", "zoo"))
    return Puzzle("navigation", 1, spec, board, (), Question(QuestionKind.LEAST), Style(names=names))


def by_checker(puzzle: AnyPuzzle, most: int) -> tuple[int | None, int | None]:
    """The least cost of all lists of up to `most` steps that the plain checker accepts, and the fewest steps of those."""
    board = puzzle.board
    best: tuple[int, int] | None = None
    work: list[Steps] = [()]
    while work:
        way = work.pop()
        if not FAMILY.broken_rules(puzzle, way):
            cost = (FAMILY.routes.cost(puzzle, way), len(way))
            best = cost if best is None or cost < best else best
        here = way[-1][1] if way else board.start
        for source, target, _ in board.paths:
            more = (*way, (source, target))
            seen = Counter(place for _, place in more)
            fits = source == here and len(more) <= most and seen[target] <= 1 + len(board.via)
            if fits and not FAMILY.broken_rules(puzzle, more, partial=True):
                work.append(more)
    return best or (None, None)


def test_labels_dijkstra_and_the_checker_agree_on_any_map() -> None:
    """Three statements of the same rules, on maps with and without a way: a mistake in one shows as another length."""
    found = Counter[bool]()
    for index in range(300):
        puzzle = asked(*any_board(stream("tests", "navigation", "any", index)))
        backward = routes.labels(FAMILY.table(puzzle), 10_000)
        model = FAMILY.model(puzzle.spec, puzzle.board)
        assert isinstance(model, Graph)
        forward = routes.shortest(model, 10_000)
        cost, fewest = by_checker(puzzle, 9)
        assert backward.decided and forward.decided
        assert backward.length == forward.length == cost
        for route in (backward, forward):
            if route.moves is not None:
                way = tuple((source, target) for source, target in route.moves)
                assert FAMILY.broken_rules(puzzle, way) == []
                assert (FAMILY.routes.cost(puzzle, way), len(way)) == (cost, fewest)
        found[cost is None] += 1
    assert min(found.values()) > 30


def test_landmarks_of_two_kinds_in_any_order() -> None:
    """The order in which they are told is taken for the order of the visits, or one of them is enough."""
    text = "kinds: school park zoo bank\nplaces: A=school B=park C=zoo D=bank E=bank\nway: A bank\n"
    paths = "A -> B 9\nA -> C 1\nC -> B 1\nB -> C 1\nB -> D 5\nC -> E 1\nE -> B 9\n"
    for via in ("park,zoo", "zoo,park"):
        puzzle = told(f"navigation via={via}\n{text}{paths}")
        assert FAMILY.text.format(puzzle) == f"navigation via={via}\n{text}{paths}"
        cases = {"ACBD": [], "ACBCE": [], "ABCE": [], "ACE": ["via"], "ABD": ["via"], "ACEBD": [], "ACBCEB": ["stop"]}
        assert {way: FAMILY.broken_rules(puzzle, steps(way)) for way in cases} == cases
        assert ASK.shortest_route(puzzle).length == FAMILY.routes.cost(puzzle, steps("ACBCE")) == 4
        assert certify(FAMILY, puzzle, steps("ACBCE"), Budget()).necessary == ("via",)
        first, second = via.split(",")
        assert (
            FAMILY.describe(puzzle, "via") == f"Before the route ends at a bank it visits a {first} and a {second}, in any order."
        )
    one, other = (told(f"navigation via={via}\n{text}{paths}") for via in ("park,zoo", "zoo,park"))
    assert canonical_key(FAMILY, one) == canonical_key(FAMILY, other)
    swapped = replace(one, board=replace(one.board, kinds=(0, 1, 1, 3, 3), via=(1,)))
    assert canonical_key(FAMILY, one) != canonical_key(FAMILY, swapped)


def test_the_checker_names_what_is_wrong() -> None:
    """One example for each name; the report quotes them."""
    puzzle = small("AB1 BC1 CD1 DE1 EF1 AC5 BE9 CF2")
    cases = {
        "ABCF": [],
        "BCF": ["start"],
        "ABDE": ["path"],
        "BA": ["start"],
        "ABC": ["goal"],
        "ABEF": ["stop"],
    }
    assert {way: FAMILY.broken_rules(puzzle, steps(way)) for way in cases} == cases
    assert FAMILY.broken_rules(puzzle, ()) == ["goal"]
    for wrong in (((0, 9),), ((0, 1, 2),), (0, 1), ((0, True),), ((0, 1),) * 25):
        assert FAMILY.broken_rules(puzzle, wrong) == ["malformed"], wrong  # type: ignore[arg-type]


def test_a_landmark_to_come_by() -> None:
    """Banks before the park do not end the way; a way that never comes to a park breaks the rule by its name."""
    puzzle = small("AB1 BE1 EF1 FC1 CB1 AC9", via="park")
    cases = {"ABE": ["via"], "ABEF": ["via"], "ABEFCBE": [], "ACBE": [], "ABEFC": ["goal"], "ABEFCBEF": ["stop"]}
    assert {way: FAMILY.broken_rules(puzzle, steps(way)) for way in cases} == cases
    assert ASK.shortest_route(puzzle).length == 6
    certificate = certify(FAMILY, puzzle, steps("ABEFCBE"), Budget())
    assert (certificate.optimum, certificate.necessary) == (6, ("via",))
    assert certificate.formulations == ("table:labels", "model:dijkstra")


def test_a_landmark_that_every_shortest_way_comes_to_is_idle() -> None:
    """The rule would change nothing: the puzzle is thrown away, as for every family."""
    with pytest.raises(Discarded, match="idle_rule"):
        certify(FAMILY, small("AB1 BC1 CE1 AE9", via="park"), steps("ABCE"), Budget())
    # with another shortest way that comes to no park it is needed again
    assert certify(FAMILY, small("AB1 BC1 CE1 AE3", via="park"), steps("ABCE"), Budget()).necessary == ("via",)


def test_a_longer_way_is_no_answer() -> None:
    """A legal way that is longer than the labels say: the factory must not keep it."""
    from puzzlemill.core.errors import EnginesDisagree

    with pytest.raises(EnginesDisagree):
        certify(FAMILY, small("AB1 BE1 AE3"), steps("AE"), Budget())


def test_a_spent_budget_is_no_proof() -> None:
    """Neither search may take "not found yet" for "not there"."""
    puzzle, answer = drawn(PLAIN, 0)
    model = FAMILY.model(puzzle.spec, puzzle.board)
    assert isinstance(model, Graph)
    assert not routes.shortest(model, 1).decided
    assert not routes.labels(FAMILY.table(puzzle), 2).decided
    for budget in (Budget(states=2), Budget(checks=1)):
        with pytest.raises(Discarded, match="budget"):
            certify(FAMILY, puzzle, answer, budget)


@pytest.mark.parametrize(("rules", "visits"), [((), 1), (VIA, 1), (VIA, 2)], ids=["plain", "via", "via two"])
def test_what_is_drawn_is_what_was_asked_for(rules: tuple[Rule, ...], visits: int) -> None:
    """Numbers of places, paths, kinds; and every shortest way has at least `hops` paths, not only the one that is kept."""
    for index in range(60):
        puzzle, answer = drawn(Params(9, 4, 20, 3, 4, visits=visits), index, rules)
        board = puzzle.board
        assert len(board.kinds) == 9
        assert sorted(Counter(board.kinds).values()) == [2, 2, 2, 3]
        assert len({(source, target) for source, target, _ in board.paths}) == 20
        assert all(source != target and 1 <= length <= 4 for source, target, length in board.paths)
        assert len({board.kinds[board.start], board.goal, *board.via}) == 2 + len(board.via)
        assert len(board.via) == (visits if rules else 0)
        model = FAMILY.model(puzzle.spec, board)
        assert isinstance(model, Graph)
        ways = list(every_route(model, FAMILY.routes.cost(puzzle, answer)))
        assert answer in ways
        assert min(len(way) for way in ways) == len(answer) >= 3
        if rules:
            free = replace(puzzle, spec=puzzle.spec.without_rule("via"))
            assert (ASK.shortest_route(free).length or 0) < FAMILY.routes.cost(puzzle, answer)
        for kind in board.via[: visits - 1 and 2]:  # nor is one of two enough
            less = replace(puzzle, board=replace(board, via=tuple(other for other in board.via if other != kind)))
            assert (ASK.shortest_route(less).length or 0) < FAMILY.routes.cost(puzzle, answer)


@pytest.mark.parametrize("rules", [(), VIA], ids=["plain", "via"])
def test_decoys_and_ties_are_there_where_asked_for(rules: tuple[Rule, ...]) -> None:
    """Counting paths solves a puzzle with decoys, or ties are asked for and do not come."""
    tied = 0
    for index in range(25):
        puzzle, answer = drawn(Params(9, 3, 22, 2, 4, True, 2), index, rules)
        model = FAMILY.model(puzzle.spec, puzzle.board)
        assert isinstance(model, Graph)
        ways = list(every_route(model, FAMILY.routes.cost(puzzle, answer)))
        assert len(ways) >= 2
        tied += len(ways) > 2
        steps = routes.shortest(replace(model, cost=None), 10_000)
        assert steps.length is not None and steps.length < min(len(way) for way in ways)
    assert tied


@pytest.mark.parametrize("rules", [(), VIA], ids=["plain", "via"])
def test_every_shortest_way_scores_and_no_other(rules: tuple[Rule, ...]) -> None:
    """Only the answer that the row holds counts, or one that is a little longer does too."""
    case = Case(FAMILY, Spec(Params(7, 3, 15, 2, 3, False, 2), rules))
    for index in range(4):
        (row,) = group(case, index)
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle")
        model = FAMILY.model(puzzle.spec, puzzle.board)
        assert isinstance(model, Graph)
        ways = list(every_route(model, row["optimum"]))
        assert len(ways) >= 2
        for way in ways:
            verdict = score(gold_reply(puzzle, way, row["reply_format"]), row)
            assert verdict.solved, way
        for way in islice(every_route(model, row["optimum"] + 1), 5):
            assert not score(gold_reply(puzzle, way, row["reply_format"]), row).solved


def test_work_counts_what_is_nearer_than_the_end() -> None:
    """All states that a search must follow up, however it breaks ties."""
    puzzle = small("AB1 AC3 BD2 CE9 DE1 DF9")  # A 0, B 1, C 3, D 3, E 4
    assert FAMILY.routes.work(puzzle, steps("ABDE")) == 4
    for index in range(20):
        puzzle, answer = drawn(PLAIN, index)
        model = FAMILY.model(puzzle.spec, puzzle.board)
        assert isinstance(model, Graph)
        assert FAMILY.routes.work(puzzle, answer) <= routes.shortest(model, 10_000).nodes


def test_kinds_and_paths_are_drawn_evenly() -> None:
    """Every kind at every place is alike, and so is every place as the start, and as the one whose path comes first."""
    from puzzlemill.rules.ways import dealt
    from puzzlemill.rules.ways_draw import around

    times = 1_500
    kinds, first, starts = Counter[tuple[int, ...]](), Counter[int](), Counter[int]()
    for index in range(times):
        rng = stream("tests", "navigation", "even", index)
        stands = dealt(5, 3, rng)
        kinds[stands] += 1
        drawn = around(stands, rng.below(3), (), 2, 9, 3, False, rng)
        if drawn is not None:
            paths, start = drawn
            assert len({path[:2] for path in paths}) == len(paths) == 9
            first[paths[0][0]] += 1
            starts[start] += 1
    for seen, number in ((kinds, 30), (first, 5), (starts, 5)):
        assert len(seen) == number
        mean = seen.total() / number
        chi = sum((count - mean) ** 2 / mean for count in seen.values())
        assert chi < (number - 1) + 5 * sqrt(2 * (number - 1))


def by_policy(board: Board, wanted: bool) -> int:
    """The length of a way to the nearest new place each time, under `wanted` to a wanted one first; -1 if it gets stuck."""
    here, owed, been, total = board.start, {*board.via}, {board.start}, 0
    while True:
        onward = sorted([(length, target) for source, target, length in board.paths if source == here])
        goals = [path for path in onward if board.kinds[path[1]] in (owed or {board.goal})]
        new = (goals if wanted else []) or [path for path in onward if path[1] not in been]
        if not new:
            return -1
        total, here = total + new[0][0], new[0][1]
        if not owed and board.kinds[here] == board.goal:
            return total
        owed.discard(board.kinds[here])
        been.add(here)


SHIPPED = [  # of quick, longtail and hardcorelogic
    Spec(replace(FAMILY.params(), places=places, paths=paths, decoy=decoy, visits=visits), rules)
    for places, paths, decoy, visits in ((10, 28, False, 1), (14, 32, False, 1), (12, 28, True, 2), (16, 24, False, 2))
    for rules in ((), VIA)
]


def test_ways_have_two_to_eight_paths_and_laziness_is_seldom_right() -> None:
    """Most ways have three paths, or taking the fewest paths, or the nearest place each time, is right more often than chance."""
    hops, right, total = Counter[int](), Counter[str](), 0
    for spec in [*SHIPPED, *[Spec(replace(spec.params, places=15, paths=42, hops=4), spec.rules) for spec in SHIPPED[:1]]]:
        for index in range(70):
            puzzle, answer = drawn(spec.params, index, spec.rules)
            cost = FAMILY.routes.cost(puzzle, answer)
            model = FAMILY.model(spec, puzzle.board)
            assert isinstance(model, Graph)
            fewest = routes.shortest(replace(model, cost=None), 10_000).length
            right["fewest"] += fewest == len(answer)
            right["nearest"] += by_policy(puzzle.board, False) == cost
            right["wanted"] += by_policy(puzzle.board, True) == cost
            if not spec.rules:
                hops[len(answer)] += 1
            total += 1
    assert sorted(hops) == list(range(2, 9))
    assert max(hops.values()) <= 0.25 * hops.total()
    assert min(hops.values()) >= 0.07 * hops.total()
    assert {policy: count / total <= 0.3 for policy, count in right.items()} == dict.fromkeys(
        ("fewest", "nearest", "wanted"), True
    )


def test_parameters_without_puzzles_say_so() -> None:
    """A map on which no way is so long: an end with a reason, not a loop."""
    spec = Spec(Params(12, 2, 72, 8, 1))
    FAMILY.validate(spec)
    with pytest.raises(Discarded, match="no_start: 400 maps drawn"):
        FAMILY.sample_solution(spec, stream("tests", "navigation", "none"), ASK)


def test_no_way_is_told_by_the_places_that_are_left_behind() -> None:
    """The clash is the whole set of places that can be reached, each in a sentence, and nothing else."""
    puzzle = small("AB1 BA2 BD1 CE1 EF2 FC3")
    assert ASK.unsat_core(puzzle) == ("place 1", "place 2", "place 4")
    assert [FAMILY.describe(puzzle, label) for label in ASK.unsat_core(puzzle)] == [
        "From A a path leads to B only.",
        "From B paths lead to A and D only.",
        "No path leads away from D.",
    ]
    assert ASK.depth(puzzle) is Depth.DEEP
    assert ASK.depth(small("BA2 BD1 CE1")) is Depth.SHALLOW  # no path leads away from the start
    with pytest.raises(BadRow, match="place 1 to place 6"):
        FAMILY.describe(puzzle, "place 7")


def test_no_way_by_the_landmark_names_the_rule() -> None:
    """There is a bank, but none by way of a park: without the rule there would be a way."""
    puzzle = small("AB1 BE1 AC1 CD1", via="park")
    clash = ASK.unsat_core(puzzle)
    assert "via" in clash
    assert ASK.shortest_route(FAMILY.routes.without(puzzle, "via")).length == 2
    left: AnyPuzzle = puzzle
    for label in FAMILY.routes.parts(puzzle):
        if label not in clash:
            left = FAMILY.routes.without(left, label)
    assert not ASK.count(left)
    assert all(ASK.count(FAMILY.routes.without(left, label)) for label in clash)


@pytest.mark.parametrize("rules", [(), VIA], ids=["plain", "via"])
def test_cut_closes_a_set_of_places(rules: tuple[Rule, ...]) -> None:
    """Mostly up to three paths exchange ends with others, nothing else changes, no way is left; not always the start alone."""
    cut, sizes, few = transforms(FAMILY)["cut"], Counter[int](), 0
    for index in range(40):
        spec, rng = Spec(Params(12, 4, 24, 2, 9), rules), stream("tests", "navigation", "cut", index)
        draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), ASK), rng.child("pose"))
        after = cut.edit(FAMILY, draft, rng.child("cut"), ASK)
        before, board = draft.puzzle.board, after.puzzle.board
        assert after.answer is None
        assert replace(board, paths=before.paths) == before
        moved = [(old, new) for old, new in zip(before.paths, board.paths, strict=True) if old != new]
        assert 1 <= len(moved) <= 16
        few += len(moved) <= 6
        assert all(old[2] == new[2] and (old[0] == new[0] or old[1] == new[1]) for old, new in moved)
        assert len({path[:2] for path in board.paths}) == 24
        sizes[len([label for label in ASK.unsat_core(after.puzzle) if label != "via"])] += 1
    assert few >= 20
    assert sum(count for size, count in sizes.items() if size >= 4) > 5


def test_changes_keep_the_numbers() -> None:
    """A child without a way must not be told by how many paths or places it has."""
    puzzle, _ = drawn(PLAIN, 3)
    seen = Counter[bool]()
    for changed in islice(FAMILY.clues.changes(puzzle, stream("tests", "navigation", "changes")), 400):
        before, after = puzzle.board, changed.board
        assert changed != puzzle
        assert len(after.paths) == len(before.paths) == len({path[:2] for path in after.paths})
        assert all(source != target for source, target, _ in after.paths)
        assert sorted(path[2] for path in after.paths) == sorted(path[2] for path in before.paths)
        differing = sum(old != new for old, new in zip(before.paths, after.paths, strict=True))
        assert differing + (before.start != after.start) == 1
        assert after.kinds[after.start] != after.goal
        seen[differing == 0] += 1
    assert min(seen.values()) > 0


def test_keys_of_maps_that_look_alike_everywhere() -> None:
    """Where counting paths tells no places apart the map is labelled as a graph; two such maps that differ have other keys."""
    ring = "CD1 DB1 BC1"
    two = small(f"{ring} AE1")
    assert isinstance(FAMILY.symmetry(small("AE1")), ColouredGraph)  # B, C, D, E and F: places without any path
    assert isinstance(FAMILY.symmetry(two), ColouredGraph)
    keys = [canonical_key(FAMILY, small(paths)) for paths in (f"{ring} AE1", "BD1 DC1 CB1 AF1", "CD1 DC1 BD1 AE1", f"{ring} AE2")]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_direction_of_a_path_counts() -> None:
    """Walked backwards, or with another length, it is another puzzle; with other landmarks that nobody asks for it is not."""
    one = small("AB1 BC2 CE3 AD4 DE5")
    assert canonical_key(FAMILY, one) != canonical_key(FAMILY, small("AB1 CB2 CE3 AD4 DE5"))
    assert canonical_key(FAMILY, one) != canonical_key(FAMILY, small("AB2 BC1 CE3 AD4 DE5"))
    idle = replace(one, board=replace(one.board, kinds=(0, 1, 0, 0, 2, 2)))
    assert canonical_key(FAMILY, one) == canonical_key(FAMILY, idle)


def test_looks_tell_the_same_map() -> None:
    """paraphrase leaves no path in its old words, rename no name, shuffle_paths every sentence of the same words' family."""
    for index in range(12):
        puzzle, _ = drawn(PLAIN, index)
        rng = stream("tests", "navigation", "looks", index)
        before = [line for line in FAMILY.render(puzzle).splitlines() if line.startswith("- ")]
        for way in ("paraphrase", "rename", "red_herring", "shuffle_paths"):
            other = replace(puzzle, style=transforms(FAMILY)[way].restyle(FAMILY, puzzle, rng.child(way)))
            lines = [line for line in FAMILY.render(other).splitlines() if line.startswith("- ")]
            if way == "paraphrase":
                assert not set(lines) & set(before)
            elif way == "rename":
                assert other.style.names[0] != puzzle.style.names[0]
                assert not set(other.style.names[1]) & set(puzzle.style.names[1])
            elif way == "red_herring":
                assert 1 <= len(lines) - len(before) <= 3
                assert [line for line in lines if line in before] == before
            else:
                assert len(lines) == len(before)
                assert lines != before


def test_every_path_is_told_in_every_wording() -> None:
    """Names and length of each path stand in one line, whatever the phrasing."""
    puzzle, _ = drawn(Params(7, 3, 12, 2, 99), 0)
    places = puzzle.style.names[0]
    for phrasing in range(42):
        lines = FAMILY.render(replace(puzzle, style=replace(puzzle.style, phrasing=phrasing))).splitlines()
        for source, target, length in puzzle.board.paths:
            words = [re.sub("[,.:()]", " ", line).split() for line in lines]
            assert any({places[source], places[target], str(length)} <= set(line) for line in words if line[:1] == ["-"])


def test_gathered_paths_lead_the_right_way() -> None:
    """Wordings that give all paths of a place in one sentence: read backwards, every map would be another one."""
    described = [list(wording.describe([(0, 1, 5), (0, 2, 7)], "ABC", 0)) for wording in walks().wordings if not wording.each]
    assert described == [
        ["From A you can go to B (5) and C (7)."],
        ["B can be reached from A (5).", "C can be reached from A (7)."],
    ]


def test_an_order_that_is_none_is_refused() -> None:
    """A damaged look must not leave out a path."""
    puzzle, _ = drawn(PLAIN, 0)
    with pytest.raises(BadRow, match=r"style\.order must name each of the 18 paths once"):
        FAMILY.render(replace(puzzle, style=replace(puzzle.style, order=(0, 1))))


def test_made_up_maps_are_refused() -> None:
    """A stored puzzle may hold any map: one that nothing is made for raises BadRow, before anything is searched or labelled."""
    puzzle, _ = drawn(PLAIN, 3)
    board, names = puzzle.board, puzzle.style.names
    for change in (
        {"kinds": board.kinds * 1000},
        {"via": (1,) * 40},
        {"via": tuple(range(40))},
        {"paths": (*board.paths, board.paths[0])},
        {"paths": (*board.paths[1:], (0, 0, -(10**30)))},
        {"paths": (*board.paths[1:], (0, 10**9, 1))},
    ):
        made_up = replace(puzzle, board=replace(board, **change))
        with pytest.raises(BadRow):
            canonical_key(FAMILY, made_up)
        with pytest.raises(BadRow):
            FAMILY.form.layout(made_up)
    with pytest.raises(BadRow, match="names"):
        FAMILY.form.layout(replace(puzzle, style=replace(puzzle.style, names=(names[0] * 1000, names[1]))))


def test_texts_that_mean_nothing_are_refused() -> None:
    """Each with its line and what is expected there."""
    good = FAMILY.text.format(small("AB1 BE2"))
    for old, new, problem in (
        ("way: A bank", "way: E bank", "of different kinds"),
        ("way: A bank", "way: A inn", "the place where the way starts"),
        ("A -> B 1", "A -> A 1", "a path between two places"),
        ("A -> B 1", "A -> B 0", "a length of 1 to 9999"),
        ("A -> B 1", "A -> B 1\nA -> B 2", "given twice"),
        ("A=school", "A=inn", "a new place with its kind"),
        ("B=school", "a=school", "a new place with its kind"),
        ("kinds: school", "kinds: school school", "each kind once"),
        ("navigation", "navigation via=inn", "via names a kind"),
        ("navigation", "navigation via=bank", "of different kinds"),
        ("navigation", "navigation via=park,park", "of different kinds"),
        ("navigation", "navigation via=park,inn", "via names a kind"),
    ):
        assert old in good
        with pytest.raises(BadRow, match=rf"line \d+ column \d+: .*{problem}"):
            told(good.replace(old, new, 1))


def test_candidates_are_counted() -> None:
    """Lists of different places from the start on, of any length."""
    puzzle = small("AB1 BE2")
    assert FAMILY.search_space_log10(puzzle) == pytest.approx(log10(sum(perm(5, count) for count in range(1, 6))))


def test_a_road_table_without_goals_that_can_be_reached() -> None:
    """Labels end by themselves where nothing leads to the goals, or to what must be visited."""
    assert routes.labels(RoadsTable(3, 0, (2,), ((0, 1, 1), (1, 0, 1))), 100).length is None
    assert routes.labels(RoadsTable(4, 0, (2,), ((0, 2, 1), (0, 1, 1)), ((3,),)), 100).length is None
    found = routes.labels(RoadsTable(4, 0, (2,), ((0, 2, 1), (2, 3, 1), (3, 0, 1)), ((3,),)), 100)
    assert (found.length, found.moves) == (4, ((0, 2), (2, 3), (3, 0), (0, 2)))
