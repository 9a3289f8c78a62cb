"""Deduction on boards of erased cells: each technique on a grid made for it, traces through the checker of steps, their words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.core.model import ErasureTable, Step
from puzzlemill.core.rng import stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import AnyDraft, Rule, Spec
from puzzlemill.generators import family_named
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import erase, explain, grade
from puzzlemill.solvers.deduce.board import Refuted
from puzzlemill.solvers.deduce.steps import Contradiction, trimmed
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.kernels import erase_tier as kernel
from puzzlemill.transforms import transform_of
from strategies import kept

FAMILY = family_named("hitori")
ENGINES = Engines(FAMILY)
BRACED = (Rule("braced"),)
CIPHER = transform_of(FAMILY, "row_cipher", {})


def steps_of(draft: AnyDraft) -> list[Step]:
    puzzle = draft.puzzle
    values = None if draft.answer is None else FAMILY.form.values(puzzle.spec, puzzle.board, draft.answer)
    return erase.deduce(FAMILY.table(puzzle), [clue.id for clue in puzzle.clues], values)


def board(text: str, braced: tuple[int, ...] = (), erased: str = "") -> erase._Board:
    """A board of rows of digits, and dots for cells that are like no other. erased: rows in which # is known to be erased."""
    rows = text.split()
    clues = tuple([(i, int(sign) - 1) for i, sign in enumerate("".join(rows)) if sign != "."])
    made = erase._Board(ErasureTable(len(rows), len(rows[0]), clues, braced), [f"k{cell}" for cell, _ in clues])
    for cell, sign in enumerate("".join(erased.split())):
        if sign == "#":
            made.put(cell, 1, f"e{cell}")
    return made


def first(made: erase._Board, top: int = 4) -> Step:
    with suppress(Contradiction):
        made.run(top)
    return made.steps[0]


BLANK5 = " ....." * 4


def test_sandwich() -> None:
    step = first(board("2.2.." + BLANK5))
    assert step == Step("sandwich", ("k0", "k2", "repeat", "adjacent"), ((1, 0),), found=erase.Sandwich(0, 1, 2))


def test_pair() -> None:
    step = first(board("22..2" + BLANK5))
    assert step == Step("pair", ("k0", "k1", "k4", "repeat", "adjacent"), ((4, 1),), found=erase.Pair(0, 1, (4,)))
    assert first(board("2.... 2.... ..... ..... 2....")).sets == ((20, 1),)


def test_neighbours_and_equals() -> None:
    made = board("3...3 ..... ..... ..... 3....", erased="....# ..... ..... ..... .....")
    assert first(made) == Step("neighbours", ("e4", "adjacent"), ((3, 0), (9, 0)), found=erase.Neighbours((4,)))
    made = board("3...3 ..... ..... ..... 3....")
    made.put(0, 0, "x")
    assert first(made) == Step("equals", ("x", "k0", "k4", "k20", "repeat"), ((4, 1), (20, 1)), found=erase.Equals((0,)))
    made.put(21, 1, "y")  # beside an erased one
    with pytest.raises(Contradiction):
        made.run(1)
    assert made.steps[-1].technique == "neighbours"
    assert not made.steps[-1].sets


def test_way_out() -> None:
    made = board("....." + BLANK5, erased=".#... ..... ..... ..... .....")
    made.run(1)
    del made.steps[:]
    assert first(made) == Step("way_out", ("e1", "adjacent", "connected"), ((5, 0),), found=erase.WayOut(0, (1,)))
    made = board("....." + BLANK5, erased=".#... #.... ..... ..... .....")
    with pytest.raises(Contradiction):
        made.run(2)
    assert made.steps[-1] == Step("way_out", ("e1", "e5", "adjacent", "connected"), found=erase.WayOut(0, (1, 5)))


def test_crowd() -> None:
    made = board("....." + BLANK5, braced=(12,), erased="..... .#.#. ..... .#... .....")
    with suppress(Contradiction):
        made.run(2)
    step = next(step for step in made.steps if step.technique == "crowd")
    assert (step.uses, step.sets, step.found) == (("e6", "e8", "e16", "braced"), ((18, 0),), erase.Crowd(12, (6, 8, 16)))
    made = board("....." + BLANK5, braced=(12,), erased="..... .#.#. ..... .#.#. .....")
    with pytest.raises(Contradiction):
        made.run(2)
    assert made.steps[-1].found == erase.Crowd(12, (6, 8, 16, 18))


def test_corner() -> None:
    """Were the cell beside the corner erased, the corner would stay and erase the cell on its other side."""
    made = board("3.... 3.... ..... ..... .....")
    step = first(made)
    assert (step.technique, step.sets) == ("corner", ((1, 0),))
    assert step.found == erase.Corner(1, 1, ((erase.BESIDE, 0, 0), (erase.EQUAL, 5, 1), (erase.CORNER, 1, 0)))
    assert set(step.uses) == {"k0", "k5", "repeat", "adjacent", "connected"}


def test_cut_names_only_the_walls_that_matter() -> None:
    made = board("....." + BLANK5, erased="..#.. .#... ..... ..... ....#")
    made.run(2)
    del made.steps[:]
    step = first(made)
    assert (step.technique, step.sets, step.uses) == ("cut", ((10, 0),), ("e2", "e6", "adjacent", "connected"))
    made = board("....." + BLANK5, erased="..#.. .#... #.... ..... ....#")
    with pytest.raises(Contradiction):
        made.run(4)
    assert made.steps[-1].technique == "cut"
    assert set(made.steps[-1].uses) == {"e2", "e6", "e10", "adjacent", "connected"}


def test_chain() -> None:
    # were the third 1 to stay, the others would go, and both 2s beside them stay
    made = board(".12. .... .... .12. .... .... .1..")
    step = first(made)
    assert step.technique == "chain"
    assert step.sets == ((25, 1),)
    assert set(step.uses) == {"k1", "k2", "k13", "k14", "k25", "repeat", "adjacent"}
    assert isinstance(step.found, erase.Chain)
    assert (step.found.cell, step.found.value) == (25, 0)
    assert step.found.links[-1][1:] == (25, 1)
    assert len(step.found.links) == 5


def test_two_braced_cells_with_one_number() -> None:
    table = ErasureTable(4, 4, ((0, 2), (3, 2)), (0, 3))
    assert erase.deduce(table, ["a", "b"], None) == [Step("equals", ("a", "b", "repeat", "braced"), found=erase.Equals((0, 3)))]


def test_the_kernel_tells_the_band_of_the_deduction() -> None:
    """Recipes ask the kernel first; where it differed from the trace, rows of a wrong band would be kept or good ones lost."""
    bands = set()
    for number in range(240):
        rows, cols = ((4, 4), (5, 6), (7, 8))[number % 3]
        rng = stream("bands", number)
        spec = resolved(
            FAMILY.rules, Spec(replace(FAMILY.params(), rows=rows, cols=cols), BRACED if number % 4 == 0 else ()), rng
        )
        draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng, ENGINES), rng)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        assert kernels.band(FAMILY.table(draft.puzzle)) == graded.band == ENGINES.band(draft.puzzle)
        bands.add(graded.band)
    assert bands == {"easy", "medium", "hard"}
    assert kernel.LINKS == erase.LINKS


def test_words_of_equal_numbers_under_the_cipher() -> None:
    """The reader sees letters: those of two rows differ where the numbers are equal."""
    example = FAMILY.examples()[0].puzzle  # row 1 reads 48163257, row 6 35673184
    look = CIPHER.restyle(FAMILY, example, stream("look"))
    puzzle = replace(example, style=look)
    step = Step("equals", (), ((40, 1),), found=erase.Equals((4,)))
    told = explain(FAMILY, puzzle, step)
    assert told == ("Row 1 column 5 shows C, which is 3, and stays, so row 6 column 1 (H), also 3, is erased.")
    others = [explain(FAMILY, replace(puzzle, style=replace(look, phrasing=voice)), step) for voice in range(1, 20)]
    assert set(others) >= {
        "Row 1 column 5, which stays, shows C, which is 3. Row 6 column 1 (H) is 3 too, so it is erased.",
        "Row 1 column 5 keeps its C, which is 3. Row 6 column 1 (H) is 3 too, so it is erased.",
    }
    assert not any("other C" in text or "second C" in text for text in others)
    told = explain(FAMILY, puzzle, Step("sandwich", (), ((20, 0),), found=erase.Sandwich(19, 20, 21)))
    assert told.startswith("Row 3 column 4 (B) and row 3 column 6 (B) both stand for ")


def test_a_story_is_a_chain_of_what_it_needs() -> None:
    """Links in the order of inference, each with its reason, and no conclusion that no later link rests on."""
    example = FAMILY.examples()[0].puzzle  # 8 rows and columns
    chain = (
        Step("neighbours", (), ((8, 0), (1, 0)), found=erase.Neighbours((0,))),
        Step("equals", (), ((9, 1), (48, 1)), found=erase.Equals((8,))),
        Step("neighbours", (), ((10, 0), (17, 0)), found=erase.Neighbours((9,))),
        Step("equals", (), found=erase.Equals((10, 12))),
    )
    table, words = FAMILY.table(example), replace(FAMILY.words(example), shows=lambda _: "5")
    step = Step("look_ahead", (), ((0, 0),), within=chain, found=erase.LookAhead(0, 1))
    assert erase.explain(words, table, step) == (
        "Suppose row 1 column 1 is erased. Then row 2 column 1 stays (beside row 1 column 1); row 2 column 2 is erased (also 5, "
        "like row 2 column 1); row 2 column 3 stays (beside row 2 column 2). Now row 2 columns 3 and 5 both show 5, and both "
        "stay in this row. That cannot be, so row 1 column 1 stays."
    )


def test_links_rest_on_what_is_known() -> None:
    """A chain leans on a cell that is left out of it, or that comes later in it."""
    chains = 0
    for draft in kept(FAMILY, Spec(replace(FAMILY.params(), rows=5, cols=6)), 60):
        say, known = erase._Say(FAMILY.words(draft.puzzle), FAMILY.table(draft.puzzle)), set[int]()
        for step in steps_of(draft):
            if step.within:
                here = known | {step.found.cell}
                for link in trimmed(say, step.within):
                    assert here.issuperset(link.found.rests(say) or ()), link
                    here.update([cell for cell, _ in link.sets])
                chains += 1
            known.update([cell for cell, _ in step.sets])
    assert chains > 2


def test_what_follows_from_something_harmless_need_not_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking ahead passes over suppositions that would have been ruled out."""
    drafts = kept(FAMILY, Spec(replace(FAMILY.params(), rows=5, cols=6)), 60)
    some = [draft for draft in drafts if any(step.technique.endswith("look_ahead") for step in steps_of(draft))][:3]
    assert len(some) == 3
    quick = [steps_of(made) for made in some]
    tried = erase._Board.tried

    def forgetful(*args: Any) -> Any:
        outcome = tried(*args)
        return outcome if isinstance(outcome, Refuted) else []

    monkeypatch.setattr(erase._Board, "tried", forgetful)
    assert [steps_of(made) for made in some] == quick
