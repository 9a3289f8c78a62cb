"""Deduction in binary lines: each technique on a grid made for it, traces through the checker of steps, and their words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import GROUP_RELATIONS, Fact, LinesTable, Step
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, Rule, Spec
from puzzlemill.factory.build import _draw
from puzzlemill.generators import family_named
from puzzlemill.solvers.deduce import lines, steps
from puzzlemill.solvers.deduce.steps import Found, LookAhead
from puzzlemill.solvers.engines import Engines

FAMILY = family_named("binario")
ENGINES = Engines(FAMILY)
DISTINCT = (Rule("distinct"),)


def drawn(size: int, number: int, rules: tuple[Rule, ...] = (), extras: int = 0) -> AnyDraft | None:
    spec = Spec(replace(FAMILY.params(), rows=size, cols=size, extras=extras), rules)
    try:
        return _draw(FAMILY, spec, stream("deduce lines", size, number, extras, len(rules)), ENGINES, False)
    except Discarded:
        return None


def first(text: str, *groups: tuple[int, ...], distinct: bool = False) -> Step:
    """The first step on a grid of rows of 0, 1 and dots, given as text."""
    rows = text.split()
    givens = [(i, int(cell)) for i, cell in enumerate("".join(rows)) if cell != "."]
    clues = (*givens, *groups)
    board = lines._Board(LinesTable(len(rows), len(rows[0]), distinct, clues), [f"k{i}" for i in range(len(clues))])
    board.begin()
    board.run(4)
    return board.steps[0]


def as_step(found: Found[Any], uses: tuple[str, ...], *sets: Fact) -> Step:
    return Step(found.technique, uses, sets, found=found)


BLANK8 = " ........"


@pytest.mark.parametrize(
    ("row", "sets", "uses", "places"),
    [
        ("...11...", ((2, 0), (5, 0)), ("k0", "k1", "triples"), (3, 4)),
        ("...0.0..", ((4, 1),), ("k0", "k1", "triples"), (3, 5)),
        ("00......", ((2, 1),), ("k0", "k1", "triples"), (0, 1)),
    ],
)
def test_runs(row: str, sets: tuple[tuple[int, int], ...], uses: tuple[str, ...], places: tuple[int, ...]) -> None:
    step = first(row + BLANK8 * 7)
    assert step == as_step(lines.Runs(0, places), uses, *sets)


def test_counts() -> None:
    step = first("1..1" + " ...." * 3)
    assert step == as_step(lines.Counts(0, 1, 0b1001), ("k0", "k1", "balance"), (1, 0), (2, 0))


def test_a_clue_that_leaves_one_way() -> None:
    step = first("1......." + BLANK8 * 7, (GROUP_RELATIONS.index("count"), 1, 3, 0, 9, 18))
    assert step == as_step(lines.Group(1, ((0, 1),)), ("k1", "k0"), (9, 0), (18, 0))
    step = first("1......." + BLANK8 * 7, (GROUP_RELATIONS.index("opposite"), 0, 1, 0, 20))
    assert step == as_step(lines.Copy(1, ((0, 1),)), ("k1", "k0"), (20, 0))


def test_completion_lists_the_ways() -> None:
    # of the row's four ones one is left to place, in column 5, 6 or 7, and always with a 0 at the end
    step = first("1101...." + BLANK8 * 7)
    assert step.found == lines.Runs(0, (0, 1)) or step.technique == "completion"
    step = first("0.10.1.0" + BLANK8 * 7)
    fits = [mask for mask in lines.legal(8) if [mask >> i & 1 for i in (0, 2, 3, 5, 7)] == [0, 1, 0, 1, 0]]
    assert step.technique == "completion" if len(fits) > 1 else step
    assert step.found == lines.Completion(0, 0b10101101, 0b00100100, tuple(fits))


def test_completion_by_a_story() -> None:
    # a 0 in column 5 would fill up the zeros and leave 111 at the left end
    step = first("...0...100" + " .........." * 9)
    assert (step.technique, step.sets) == ("completion", ((4, 1),))
    assert [part.technique for part in step.within] == ["runs", "runs", "counts", "runs"]
    assert not step.within[-1].sets
    assert set(step.uses) == {"k0", "k1", "k2", "k3", "balance", "triples"}


def test_distinct_and_a_clue_within_a_line() -> None:
    table = LinesTable(4, 4, True, tuple([(i, int(cell)) for i, cell in enumerate("010101")]))
    board = lines._Board(table, [f"k{i}" for i in range(6)])
    board.begin()
    assert board._exclusion(1)
    step = board.steps[0]
    assert (set(step.sets), step.found) == ({(6, 1), (7, 0)}, lines.Distinct(1, 3, 2, 1, ((0b1010, 0),), (0b0110,)))
    assert step.technique == "distinct"
    assert set(step.uses) == {f"k{i}" for i in range(6)} | {"balance", "triples", "distinct"}
    more = (GROUP_RELATIONS.index("more"), 0, 1, 3, 2)  # of the last two cells, the last holds the 1
    board = lines._Board(LinesTable(4, 4, False, ((0, 0), (1, 1), more)), ["a", "b", "c"])
    board.begin()
    assert board._exclusion(0)
    found = lines.LineClue(0, 3, 2, 1, ((6, 8 + 2),), (10,))
    assert board.steps == [as_step(found, ("a", "b", "c", "balance", "triples"), (2, 0), (3, 1))]


@pytest.mark.parametrize("code", GROUP_RELATIONS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_groups_against_all_fillings(code: str, size: int) -> None:
    """What a clue sets holds in every filling that it allows, and follows from the cells it names; a broken one sets nothing."""
    pairs = code not in ("count", "parity")

    def right(cells: tuple[int, ...], k: int) -> bool:
        a, b = cells[:size], cells[size:]
        return {
            "equal": a == b,
            "opposite": all(x != y for x, y in zip(a, b, strict=False)),
            "unequal": a != b,
            "count": sum(a) == k,
            "parity": sum(a) % 2 == k,
            "more": sum(a) > sum(b),
            "greater": a > b,
        }[code]

    length = size * 2 if pairs else size
    for k in range(size + 1 if code == "count" else 2 if code == "parity" else 1):
        allowed = [cells for cells in product((0, 1), repeat=length) if right(cells, k)]
        for shown in product((-1, 0, 1), repeat=length):
            fits = [cells for cells in allowed if all(s in (-1, v) for s, v in zip(shown, cells, strict=True))]
            known = list(shown)
            broken = False
            while not broken and (found := lines._says((GROUP_RELATIONS.index(code), k, size, *range(length)), known)):
                named = [i for i in found[1] if known[i] >= 0]
                possible = [cells for cells in allowed if all(cells[i] == known[i] for i in named)]
                broken = not found[0]
                assert not broken or not possible
                for i, v in found[0]:
                    assert known[i] == -1
                    assert all(cells[i] == v for cells in possible)
                    known[i] = v
            assert broken == (not fits)
            if fits:
                assert known == [s if s >= 0 or len({c[i] for c in fits}) > 1 else fits[0][i] for i, s in enumerate(shown)]


@pytest.mark.parametrize("distinct", [False, True])
def test_a_quick_look_sees_what_the_told_one_sees(distinct: bool) -> None:
    draft = drawn(8, 1, DISTINCT if distinct else ())
    assert draft is not None
    table = FAMILY.table(draft.puzzle)
    board = lines._Board(table, [clue.id for clue in draft.puzzle.clues][: len(table.clues) // 2])
    board.table = replace(table, clues=table.clues[: len(table.clues) // 2])
    board.begin()
    board.run(1)
    for cell, value in product(range(64), (0, 1)):
        if board.value[cell] < 0:
            for top in (2, 4):
                quick = board._probe(cell, value, top > 2)
                assert (quick is None) == (board.supposing([(cell, value)]).refuted(top) is not None)


@pytest.mark.parametrize("rules", [(), DISTINCT])
def test_a_line_is_told_as_it_stands(rules: tuple[Rule, ...]) -> None:
    """A sentence prints dots where a given or an earlier step has a value already."""
    told = 0
    for number in range(6):
        draft = drawn(10, number, rules)
        if draft is None:
            continue
        table, values = FAMILY.table(draft.puzzle), [v for row in draft.answer for v in row]
        board = lines._Board(table, [clue.id for clue in draft.puzzle.clues])
        board.begin()
        for step in lines.deduce(table, [clue.id for clue in draft.puzzle.clues], tuple(values)):
            if isinstance(step.found, (lines.Completion, lines.Distinct)):
                line = step.found.line
                assert (step.found.known, step.found.ones) == (board.ones[line] | board.zeros[line], board.ones[line])
                assert isinstance(step.found, lines.Distinct) or len(step.found.patterns) <= 8
                told += 1
            for cell, value in step.sets:
                board.put(cell, value, "told")
    assert told > 5


def test_a_story_is_a_chain_of_what_it_needs() -> None:
    """Links in the order of inference, each with its reason, without what no later link rests on."""
    draft = drawn(8, 0)
    assert draft is not None
    chain = [
        Step("runs", (), ((2, 0), (5, 0)), found=lines.Runs(0, (3, 4))),
        Step("runs", (), ((10, 1), (40, 1)), found=lines.Runs(10, (0, 2))),
        Step("counts", (), ((8, 0), (15, 0)), found=lines.Counts(1, 1, 0b01010110)),
        Step("counts", (), found=lines.Counts(8, 0, 0b11111)),
    ]
    table, words = FAMILY.table(draft.puzzle), FAMILY.words(draft.puzzle)
    words = replace(words, voice=0)

    def told(within: list[Step]) -> str:
        return lines.explain(words, table, Step("look_ahead", (), ((4, 0),), within=tuple(within), found=LookAhead(4, 1)))

    assert told(chain) == (
        "Suppose row 1 column 5 holds 1. Then row 1 column 3 is 0 (1s at columns 4 and 5); row 2 column 3 is 1 (between 0s at "
        "rows 1 and 3); row 2 column 1 is 0 (row 2 has its four 1s). Now column 1 has 0 at rows 1, 2, 3, 4 and 5, more "
        "than its four 0s. That cannot be, so row 1 column 5 holds 0."
    )


def test_links_rest_on_what_is_known() -> None:
    """A chain leans on a cell that is left out of it, or that comes later in it."""
    chains = 0
    for number in range(8):
        draft = drawn(10, number, extras=3 if number % 2 else 0)
        if draft is None:
            continue
        table, words = FAMILY.table(draft.puzzle), FAMILY.words(draft.puzzle)
        say, ids = lines._Say(words, table), [clue.id for clue in draft.puzzle.clues]
        board = lines._Board(table, ids)
        board.begin()
        known = {cell for cell, value in enumerate(board.value) if value >= 0}
        for step in lines.deduce(table, ids, tuple([v for row in draft.answer for v in row])):
            if step.within and isinstance(step.found, LookAhead):
                here = known | {step.found.cell}
                for link in steps.trimmed(say, step.within):
                    rests = link.found.rests(say)
                    assert rests is None or here.issuperset(rests), link
                    here.update([cell for cell, _ in link.sets])
                chains += 1
            known.update([cell for cell, _ in step.sets])
    assert chains > 10


def test_what_clues_come_to() -> None:
    """Sums stand beside a clue that counts."""
    draft = drawn(8, 0)
    assert draft is not None
    count, parity, more = [GROUP_RELATIONS.index(name) for name in ("count", "parity", "more")]
    clues = ((count, 2, 4, 0, 1, 2, 3), (parity, 1, 4, 0, 1, 2, 3), (more, 0, 3, 0, 1, 2, 8, 9, 10))
    table = LinesTable(8, 8, False, clues)
    words = replace(FAMILY.words(draft.puzzle), voice=0, clue=lambda i: f"clue {i + 1}")

    def told(known: tuple[Fact, ...], *sets: Fact, clue: int) -> str:
        return lines.explain(words, table, as_step(lines.Group(clue, known), (), *sets))

    block = "the block in row 1 and columns 1 to 4"
    assert told(((0, 1), (1, 1)), (2, 0), (3, 0), clue=0) == (
        f"Row 1 columns 1 and 2 hold 1, and {block} has two 1s in all, so row 1 columns 3 and 4 hold 0."
    )
    assert f"columns 1, 2 and 3 hold 1, more than the two 1s of {block}" in told(((0, 1), (1, 1), (2, 1)), clue=0)
    text = told(((0, 1), (1, 1), (2, 0)), (3, 1), clue=1)
    assert "It has 1 at row 1 columns 1 and 2, and 0 in its other cells, apart from row 1 column 4. So" in text
    assert told(((0, 0), (8, 1)), (1, 1), (2, 1), (9, 0), (10, 0), clue=2) == (
        "The lower block has one 1 already (row 2 column 1), so the upper block needs two 1s. It can have only two, since it "
        "has 0 at row 1 column 1, so it needs them all, and the lower block must not get another. So row 1 columns 2 and 3 hold "
        "1 and row 2 columns 2 and 3 hold 0."
    )


def test_the_last_digit_of_a_line_breaks_a_run() -> None:
    """The three cells that would be equal are told, and give just what the step concludes."""
    draft = drawn(8, 0)
    assert draft is not None
    say = lines._Say(FAMILY.words(draft.puzzle), FAMILY.table(draft.puzzle))
    for full in lines.legal(8)[::5]:
        for known in range(256):
            fits = [each for each in lines.legal(8) if each & known == full & known]
            sets = [(i, full >> i & 1) for i in range(8) if not known >> i & 1 and len({each >> i & 1 for each in fits}) == 1]
            found = say.lacking(0, known, full & known, sets) if sets else None
            if found is not None:
                scarce, runs = found
                left = [i for i in range(8) if not known >> i & 1 and all(run >> i & 1 for run, _ in runs)]
                assert all(value == scarce and left == [i] if value == scarce else i not in left for i, value in sets)
                assert all(len({full & known >> i & 1 == scarce for i in range(8) if run >> i & 1}) for run, _ in runs)


def test_two_values_given_for_one_cell() -> None:
    table = LinesTable(4, 4, False, ((5, 0), (5, 1)))
    assert lines.deduce(table, ["a", "b"], None) == [as_step(lines.Copy(1, ((5, 0), (5, 1))), ("a", "b"))]


def test_a_full_grid_needs_no_step() -> None:
    draft = drawn(4, 0)
    assert draft is not None
    clues = tuple([(i, v) for i, v in enumerate(v for row in draft.answer for v in row)])
    assert lines.deduce(LinesTable(4, 4, False, clues), [f"k{i}" for i in range(16)], tuple([v for _, v in clues])) == []
