"""Seatings: where left and right are, worked out with coordinates, what three formulations read alike, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import SeatTable
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Spec, Style
from puzzlemill.factory.lazy import Truth, all_one_way
from puzzlemill.factory.make import group, make
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators._seating import NOBODY
from puzzlemill.generators.seating import FAMILY, Params
from puzzlemill.questions.choice import CANNOT, NONE, is_special
from puzzlemill.rules.seats import KINDS, PARTS, Places, Plan, Statement, numbers_of, relation
from puzzlemill.rules.seats_check import may_hold
from puzzlemill.scoring.score import score
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.kernels import seats

NORTH, SOUTH, IN, OUT = 0, 1, 0, 1
PLANS = (
    Plan("row", 5, 1, (NORTH,) * 5),
    Plan("row", 6, 2, (NORTH, SOUTH, SOUTH, NORTH, SOUTH, NORTH)),
    Plan("row", 5, 1, ()),
    Plan("rows", 6, 1, (SOUTH,) * 3 + (NORTH,) * 3),
    Plan("rows", 8, 2, (SOUTH,) * 4 + (NORTH,) * 4),
    Plan("circle", 5, 1, (IN,) * 5),
    Plan("circle", 6, 1, (OUT,) * 6),
    Plan("circle", 7, 2, (IN, OUT, OUT, IN, IN, OUT, IN)),
    Plan("circle", 6, 1, ()),
    Plan("square", 8, 1, (IN, OUT) * 4, 1),
    Plan("square", 12, 2, (IN,) * 12, 2),
)
# corners of a polygon around the origin, clockwise from the north, y upwards; its sides are convex, and opposite corners mirror
# each other in the origin where their number is even
RINGS = {
    5: [(0, 10), (10, 3), (6, -8), (-6, -8), (-10, 3)],
    6: [(0, 10), (9, 5), (9, -5), (0, -10), (-9, -5), (-9, 5)],
    7: [(0, 10), (8, 6), (10, -2), (4, -9), (-4, -9), (-10, -2), (-8, 6)],
    8: [(0, 10), (7, 7), (10, 0), (7, -7), (0, -10), (-7, -7), (-10, 0), (-7, 7)],
    12: [
        (0, 20),
        (10, 17),
        (17, 10),
        (20, 0),
        (17, -10),
        (10, -17),
        (0, -20),
        (-10, -17),
        (-17, -10),
        (-20, 0),
        (-17, 10),
        (-10, 17),
    ],
}
Point = tuple[int, int]


def spot(plan: Plan, seat: int) -> Point:
    if plan.shape == "row":
        return seat, 0
    if plan.shape == "rows":
        return (seat, 1) if seat < plan.seats // 2 else (seat - plan.seats // 2, 0)
    return RINGS[plan.seats][seat]


def facing(plan: Plan, seat: int, way: int) -> Point:
    x, y = spot(plan, seat)
    if plan.shape in ("row", "rows"):
        return (0, 1) if way == NORTH else (0, -1)
    return (-x, -y) if way == IN else (x, y)


def neighbour(plan: Plan, seat: int, way: int, left: bool) -> int | None:
    """The seat at a person's left or right hand, by the cross product of where the person looks and where the seat is."""
    n, (x, y), (fx, fy) = plan.seats, spot(plan, seat), facing(plan, seat, way)
    if plan.shape in ("row", "rows"):
        beside = [p for p in range(n) if spot(plan, p)[1] == y and abs(spot(plan, p)[0] - x) == 1]
    else:
        beside = [(seat + 1) % n, (seat - 1) % n]
    for p in beside:
        dx, dy = spot(plan, p)[0] - x, spot(plan, p)[1] - y
        if (fx * dy - fy * dx > 0) is left:
            return p
    return None


def stepped(plan: Plan, seat: int, way: int, left: bool, steps: int) -> int | None:
    """So many seats to one side, each found from the one before, by whoever keeps going the same way round."""
    here: int | None = seat
    for _ in range(steps):
        here = None if here is None else neighbour(plan, here, way, left)
    return here


def meant(plan: Plan, said: Statement, at: Sequence[tuple[int, int]]) -> bool:
    """What a statement says of items at these (seat, way), in words of coordinates."""
    kind, d, (p, way) = said.kind, said.number, at[0]
    q, other = at[-1]
    near = {neighbour(plan, p, way, True), neighbour(plan, p, way, False)}
    if kind.startswith("not_"):
        return not meant(plan, Statement(kind[4:], said.items, d), at)
    if kind in ("at", "faces"):
        return d == (p if kind == "at" else way)
    if kind == "row":
        return spot(plan, p)[1] == 1 - d
    if kind == "end":
        return None in near
    if kind in ("corner", "side"):
        every = plan.seats // 4
        return (p in range(plan.corner, plan.seats, every)) is (kind == "corner")
    if kind == "same":
        return p == q
    if kind in ("alike", "unlike"):
        return (way == other) is (kind == "alike")
    if kind == "next":
        return q in near
    if kind == "between":
        return {at[1][0], at[2][0]} == near
    if kind == "opposite":
        (x, y), (u, v) = spot(plan, p), spot(plan, q)
        return (x == u and y != v) if plan.shape == "rows" else (x, y) == (-u, -v)
    if kind == "gap":
        return p in {stepped(plan, q, other, left, d + 1) for left in (True, False)}
    left = kind in ("left", "left_of")
    steps = [d] if kind in ("left", "right") else range(1, plan.line)
    return p in [stepped(plan, q, other, left, k) for k in steps]


def statements(plan: Plan) -> list[Statement]:
    """Every kind with every number, of persons 0, 1 and 2."""
    return [
        Statement(kind, tuple([(0, k) for k in range(KINDS[kind].items)]), number)
        for kind, numbers in numbers_of(plan).items()
        for number in numbers
    ]


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_checker_and_relations_say_what_coordinates_say(plan: Plan) -> None:
    """Left and right exchanged in one shape, for one way, or counted on beyond the end of a row."""
    n = plan.seats
    for said in statements(plan):
        for places in permutations(range(n), len(said.items)):
            turned = [((plan.ways[p],) if plan.ways else (0, 1)) for p in places]
            for ways in product(*turned):
                at = list(zip(places, ways, strict=True))
                expected = meant(plan, said, at)
                faced = list(plan.ways or (0,) * n)
                for p, way in at:
                    faced[p] = way
                spots = [[[places[v]] if v < len(places) else [] for v in range(n)]] * plan.groups
                assert may_hold(said, spots, faced, plan) is expected, (said, at)
                if len(said.items) < 3:
                    states = [p * plan.turns + (way if plan.turns == 2 else 0) for p, way in at]
                    held = relation(plan, said.kind, said.number)[states[0]] >> states[-1] & 1
                    assert bool(held) is expected, (said, at)


@pytest.mark.parametrize("spec", [s for s in FAMILY.smallest if s.params.persons < 7], ids=str)
def test_model_and_kernel_list_what_plain_loops_list(spec: Spec[Params]) -> None:
    """All arrangements of the smallest sizes under few clues, by permutations and coordinates."""
    p, n, oracle = spec.params, spec.params.persons, Engines(FAMILY)
    kinds = Counter[str]()
    for index in range(6):
        rng = stream("tests", "seating", str(p), index)
        hidden = FAMILY.sample_solution(spec, rng.child("fill"), oracle)
        draft = FAMILY.make_puzzle(spec, hidden, rng.child("clues"))
        puzzle = draft.puzzle.with_clues(draft.puzzle.clues[:3])
        plan = FAMILY.clues.plan(spec, puzzle.board)
        said = FAMILY.clues.all(puzzle)
        kinds.update(each.kind for each in said)
        first = [0] if plan.ring else range(n)
        right = set()
        for persons in permutations(range(n)):
            if persons[0] not in first:
                continue
            for values in permutations(range(n)) if p.attribute else [()]:
                for ways in product((0, 1), repeat=n) if p.facing == "found" else [plan.ways]:
                    rows = (persons, values) if p.attribute else (persons,)
                    if all(holds(plan, each, rows, ways) for each in said):
                        right.add((*persons, *values, *(ways if p.facing == "found" else ())))
        for engine in ("kernel", "sat"):
            found = oracle.finding(puzzle, engine, 40_000)
            assert found is not None and found.exhausted and set(found.answers) == right
    assert len(kinds) > 4


def holds(plan: Plan, said: Statement, rows: Sequence[Sequence[int]], ways: Sequence[int]) -> bool:
    if said.parts:
        one, two = [holds(plan, part, rows, ways) for part in said.parts]
        return (two or not one) if said.kind == "if" else one != two
    seats_ = [list(rows[g]).index(v) for g, v in said.items]
    return meant(plan, said, [(p, ways[p]) for p in seats_])


def test_the_example_of_the_paper_has_the_published_answer() -> None:
    """RiddleBench B.3 asks who sits at the left end, and says that it is Gaurav."""
    example = FAMILY.examples()[0]
    assert Engines(FAMILY).answers(example.puzzle, 2) == (
        FAMILY.form.values(example.puzzle.spec, example.puzzle.board, example.answer),
    )
    assert FAMILY.form.write(example.puzzle, example.answer)[0] == ("1", "Gaurav")


@pytest.mark.parametrize(
    ("facing_", "clue", "seat"),
    [
        ("north", "left(Ben, Ana, 1)", 2),  # facing north, west is left, and seats count from the west
        ("south", "left(Ben, Ana, 1)", 4),
        ("north", "right(Ben, Ana, 2)", 5),
    ],
)
def test_sides_in_a_row(facing_: str, clue: str, seat: int) -> None:
    text = f"seating\nshape: row\npersons: Ana, Ben, Cleo, Dan, Eva\nfacing: {facing_}\nat(Ana, 3)\n{clue}\n"
    puzzle = FAMILY.text.parse(lines_of(text))
    assert {answer.index(1) + 1 for answer in Engines(FAMILY).answers(puzzle, 100)} == {seat}


@pytest.mark.parametrize(("facing_", "seat"), [("centre", 2), ("outwards", 6)])
def test_sides_around_a_table(facing_: str, seat: int) -> None:
    """Who looks at the centre from the south side has west, which is clockwise, at the left hand."""
    text = f"seating\nshape: circle\npersons: Ana, Ben, Cleo, Dan, Eva, Finn\nfacing: {facing_}\nleft(Ben, Ana, 1)\n"
    puzzle = FAMILY.text.parse(lines_of(text))
    assert {answer.index(1) + 1 for answer in Engines(FAMILY).answers(puzzle, 100)} == {seat}


@pytest.mark.parametrize(
    ("params", "named"),
    [
        (Params("rows", 7), "persons"),
        (Params("square", 10), "persons"),
        (Params("rows", 8, "mixed"), "facing"),
        (Params("row", 8, "found", attribute=True), "attribute"),
        (Params("row", 8, "found", implication=True), "implication"),
    ],
)
def test_what_does_not_go_together_is_refused(params: Params, named: str) -> None:
    with pytest.raises(BadParams, match=named):
        FAMILY.validate(Spec(params))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("shape: ring\npersons: A, B, C, D, E\nfacing: in", "column 7: expected one of row"),
        ("shape: row\npersons: A, B, C, D, E", "no facing"),
        ("shape: rows\npersons: A, B, C, D, E\nfacing: north", "who fill a rows"),
        ("shape: row\npersons: A, B, C, D, A\nfacing: north", "different names"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: in", "expected north, south or"),
        ("shape: circle\npersons: A, B, C, D, E\nfacing: centre\nend(A)", "expected a clue such as"),
        ("shape: circle\npersons: A, B, C, D, E\nfacing: centre\nopposite(A, B)", "expected a clue such as"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: north\nleft(A, B, 5)", "a number from 1 to 4"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: north\nnext(A, F)", "'F' is no person or value here"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: north\nnext(A, A)", "names one item twice"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: north\neither(next(A, B), between(A, C, D))", "expected a clue such as"),
        ("shape: square\npersons: A, B, C, D, E, F, G, H\nfacing: centre", "corners: 1, 3, 5, 7"),
        ("shape: square\npersons: A, B, C, D, E, F, G, H\nfacing: centre\ncorners: 1, 2, 5, 7", "expected 4 corners"),
        ("shape: row\npersons: A, B, C, D, E\nfacing: ?\ncity: Q, R, S, T, U", "expected known ways"),
    ],
)
def test_what_is_no_seating_is_refused(lines: str, problem: str) -> None:
    with pytest.raises(BadRow, match=problem.replace("?", r"\?")):
        FAMILY.text.parse(lines_of(f"seating\n{lines}\n"))


def test_tables_out_of_range_are_refused() -> None:
    """Kernels check no index."""
    good = SeatTable(5, 1, 1, (31,) * 5, ((31,) * 5,), ((0, 1, 0),), ((0, 0, 1),))
    assert seats.answers(good, 200, 10_000).exhausted
    for change in (
        {"seats": 13},
        {"groups": 2},
        {"turns": 3},
        {"start": (32,) * 5},
        {"relations": ((31,) * 4,)},
        {"atoms": ((0, 5, 0),)},
        {"atoms": ((0, 1, 1),)},
        {"clues": ((1, 0, 1),)},
        {"clues": ((3, 0, 1),)},
        {"clues": ((0, 0, 2),)},
        {"clues": ((0, -1, 1),)},
    ):
        with pytest.raises(ValueError, match="SeatTable"):
            seats.answers(replace(good, **change), 200, 10_000)


@pytest.mark.parametrize(
    "params",
    [
        Params("row", 7),
        Params("circle", 8),
        Params("circle", 6, "found"),
        Params("rows", 8, attribute=True),
        Params("square", 8, "mixed"),
        Params("row", 6, exclusive_or=True),
        Params("circle", 6, implication=True),
    ],
    ids=str,
)
def test_every_step_of_a_deduction_follows(params: Params) -> None:
    oracle, spec = Engines(FAMILY), Spec(params)
    used = Counter[str]()
    for index in range(8):
        rng = stream("tests", "seating steps", str(params), index)
        draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), oracle), rng.child("clues"))
        kept = oracle.minimize(draft.puzzle, FAMILY.clues.removal_order(draft, rng.child("order")), 0)
        puzzle = draft.puzzle.with_clues([draft.puzzle.clues[i] for i in kept])
        graded = grade(FAMILY, puzzle, draft.answer)
        assert graded is not None and wrong_step(FAMILY, puzzle, graded.steps) == ""
        used.update(step.technique for step in graded.steps)
        assert all(text.endswith(".") and "None" not in text for text in explain_all(FAMILY, puzzle, graded.steps))
    assert len(used) > 3


def rows_of(count: int, **params: object) -> list[dict[str, object]]:
    part = {"family": "seating", "params": params, "asks": ["option"], "reply_formats": ["json"], "variants": []}
    recipe = Recipe.from_plain({"name": "seats", "seed": "s", "strata": [{**part, "counts": {"train": count}}]})
    return [row for index in range(count) for row in group(recipe, index).rows]


@pytest.mark.parametrize("params", [{"shape": "circle", "persons": 7}, {"shape": "row", "persons": 8}], ids=str)
def test_no_option_is_right_by_its_place_or_its_words(params: dict[str, object]) -> None:
    """A reply that always takes the last, the longest or the first in the alphabet, or "nobody", is right more than by chance."""
    right, shown, alphabet, long, special = Counter[int](), Counter[bool](), Counter[bool](), Counter[bool](), Counter[str]()
    rows = rows_of(150, **params)
    for row in rows:
        puzzle = loads(puzzle_type(FAMILY), str(row["puzzle"]), "puzzle")
        options = puzzle.question.options
        place = "ABCDE".index(json.loads(str(row["gold_reply"]))["answer"])
        right[place] += 1
        values = [text for text in options if not is_special(text)]
        if not is_special(options[place]):
            alphabet[options[place] == min(values)] += 1
            long[options[place] == max(values, key=len)] += 1
        if NOBODY in options:
            shown[options[place] == NOBODY] += 1
        special.update(text for text in options if is_special(text) and text == options[place])
    assert all(10 < right[place] < 55 for place in range(5)), right
    for counted in (alphabet, long):
        assert counted[True] < 0.42 * counted.total(), counted
    assert params["shape"] != "row" or 0 < shown[True] < 0.4 * shown.total(), shown
    assert special[NONE] and special[CANNOT]


def test_questions_are_not_answered_by_a_clue_outright() -> None:
    for row in rows_of(40, shape="row", persons=6):
        puzzle = loads(puzzle_type(FAMILY), str(row["puzzle"]), "puzzle")
        assert puzzle.question.about not in FAMILY.choices._told(puzzle)


def test_who_takes_all_to_face_one_way_is_mostly_wrong() -> None:
    """The lazy policy solves no row whose facing matters, or is asked about those where it does not."""
    chances = []
    for index in range(12):
        row = make("seating", index=index, shape="row", persons=6, facing="mixed")
        puzzle = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle")
        chances.append(all_one_way(FAMILY, puzzle, Truth(loads(FAMILY.answer, row["answer"], "answer"))))
    assert 0 < sum(chances) < 8
    example = FAMILY.examples()[0]
    assert all_one_way(FAMILY, example.puzzle, Truth(example.answer)) == 0


def test_replies_may_name_the_way_in_other_words() -> None:
    row = make("seating", shape="circle", persons=5, facing="found")
    gold = json.loads(row["gold_reply"])["answer"]
    other = [[seat, name, {"centre": "in", "outwards": "out"}[way]] for seat, name, way in gold]
    assert score(json.dumps({"answer": other}), row).score == 1.0


def test_styles_that_do_not_fit_are_refused() -> None:
    puzzle = FAMILY.examples()[0].puzzle
    for style in (
        Style(),
        replace(puzzle.style, theme="city"),
        replace(puzzle.style, asides=((0, "Anu is on seat 4."),)),
        replace(puzzle.style, asides=((99, "Anu has brought a cake for the others."),)),
    ):
        with pytest.raises(BadRow):
            FAMILY.render(replace(puzzle, style=style))
    for board in (Places(), Places((2,) * 9), Places((0,) * 9, 1)):
        with pytest.raises(BadRow, match="board"):
            FAMILY.broken_rules(replace(puzzle, board=board), FAMILY.examples()[0].answer)


def test_composites_have_parts_of_known_kinds() -> None:
    assert set(PARTS) < set(KINDS)
    puzzle = FAMILY.examples()[0].puzzle
    bad = replace(puzzle.clues[0], kind="either", args=(("next", 0, 0, 0, 1), ("between", 0, 0, 0, 1, 0, 2)))
    with pytest.raises(BadRow, match="a part of either"):
        FAMILY.broken_rules(puzzle.with_clues([bad]), FAMILY.examples()[0].answer)
