"""Groups: what a recipe and a place give, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, final

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.family import AnyFamily, Pairing, Relation, Transform, puzzle_type
from puzzlemill.core.rng import Rng, digest
from puzzlemill.core.types import AnyDraft, Kind, Oracle, Spec, Status
from puzzlemill.factory import build, make, recipe
from puzzlemill.factory.build import GAVE_UP, build_group
from puzzlemill.factory.catalogue import sheet
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant
from puzzlemill.factory.record import check_row, group_id
from puzzlemill.generators import family_named
from puzzlemill.vocabulary.wordings import FIRST

COINS = Stratum("coin", params=(("coins", (5, 7)),), counts=(("train", 4), ("test", 2)))
UNSOLVABLE = Variant("unsolvable", (TransformCall("clash"),))
SUDOKU = Stratum("sudoku", params=(("size", (6,)),), variants=(UNSOLVABLE,), counts=(("train", 4),))


def group(part: Stratum, index: int = 0, split: str = "train", **changes: Any) -> build.GroupResult:
    return build_group(Recipe("small", "w", (part,), **changes), part, split, index)


def test_the_same_place_gives_the_same_group() -> None:
    """A run that goes on after a kill would make other puzzles."""
    assert group(SUDOKU) == group(SUDOKU)


def test_other_parts_and_counts_do_not_matter() -> None:
    """Adding a family to a release would change all the others."""
    more = replace(COINS, counts=(("train", 1),))
    alone = Recipe("small", "w", (COINS,))
    both = Recipe("small", "w", (more, COINS))
    one, two = (build_group(r, COINS, "train", 3).rows[0] for r in (alone, both))
    assert one["id"] == two["id"]


def test_words_splits_and_indexes_give_other_puzzles() -> None:
    """Neighbouring seeds of peers share most of their items."""
    part = Stratum("binario", counts=(("train", 2), ("test", 2)))
    rows = [
        build_group(Recipe("small", word, (part,)), part, split, index).rows[0]
        for word in ("one", "two")
        for split in ("train", "test")
        for index in (0, 1)
    ]
    assert len({row["canonical_key"] for row in rows}) == 8


def test_z3_is_asked_about_a_sample_of_the_rows_that_their_ids_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row pays for Z3's figures, or nobody can tell which rows it decided, or the rows change with the sample."""
    many = Recipe("small", "w", (SUDOKU,), smt=100)
    whole = build_group(many, SUDOKU, "train", 0).rows
    assert [row["effort"]["smt_conflicts"] is None for row in whole] == [False, False]
    one, other = whole
    few = Recipe("small", "w", (SUDOKU,))
    monkeypatch.setattr(Recipe, "asks_smt", lambda self, row: row == other["id"])
    made = build_group(few, SUDOKU, "train", 0).rows
    nothing = dict.fromkeys(["sat_decisions", "sat_conflicts", "smt_decisions", "smt_conflicts"])
    canary = {"canary": made[0]["canary"]}  # of the recipe
    assert made == (one | canary | {"effort": one["effort"] | nothing}, other | canary)


def test_the_sample_of_z3_is_as_large_as_stated() -> None:
    """The sample leaves out a family, is none, or is another one elsewhere."""
    ids = [f"sudoku-{digest('some', i).hex()[:20]}" for i in range(20_000)]
    for percent in (2, 30, 100):
        asked = sum(map(Recipe("small", "w", (SUDOKU,), smt=percent).asks_smt, ids))
        assert abs(asked - 200 * percent) < 4 * (200 * percent * (1 - percent / 100)) ** 0.5 + 1
    other = Recipe("other", "v", (COINS,))  # by the id alone
    assert [i for i in range(200) if other.asks_smt(ids[i])] == [2, 74]


def test_a_group_is_a_parent_and_its_children() -> None:
    parent, child = group(SUDOKU).rows
    assert [check_row(row) for row in (parent, child)] == [[], []]
    assert (parent["variant"], parent["parent_id"], parent["pairing"]) == ("canonical", None, "none")
    assert (child["variant"], child["parent_id"], child["pairing"]) == ("unsolvable", parent["id"], "group")
    assert parent["group_id"] == child["group_id"]
    assert (parent["status"], child["status"]) == ("unique", "unsolvable")
    assert (child["answer"], child["kinds"], child["transforms"]) == (None, ["UP"], [{"name": "clash", "args": "{}"}])
    assert parent["split"] == child["split"] == "train"


def test_the_group_id_follows_from_the_parents_puzzle_and_split() -> None:
    """A row moved to another group or split could not be told."""
    parent = group(SUDOKU).rows[0]
    puzzle = loads(puzzle_type(family_named("sudoku")), parent["puzzle"])
    assert parent["group_id"] == group_id("train", puzzle)
    assert parent["group_id"] != group_id("test", puzzle)


def test_prompts_of_a_pair_do_not_tell_the_status() -> None:
    """Whether a prompt allows for "no solution" would be the answer."""
    parent, child = group(SUDOKU).rows
    rules = [row["prompt"].replace(".", "").split("\n\n") for row in (parent, child)]
    assert [len(paragraphs) for paragraphs in rules] == [len(rules[0])] * 2
    differing = [a for a, b in zip(*rules, strict=True) if a != b]
    assert len(differing) == 1  # the grid
    assert parent["guess_baseline"] == child["guess_baseline"] == 0.5
    assert '"may_be_unsolvable":true' in parent["puzzle"] and '"may_be_unsolvable":true' in child["puzzle"]


@pytest.mark.parametrize(("voices", "sign"), [("many", 1), ("short", -1)])
def test_voices_follow_the_stream_and_an_edit_keeps_its_parents(voices: str, sign: int) -> None:
    """The wording tells which puzzles have no solution, or a pair differs in more than what was edited."""
    diagonals = Variant("diagonals", (TransformCall("diagonals"),))
    part = replace(SUDOKU, variants=(UNSOLVABLE, diagonals))
    puzzle = puzzle_type(family_named("sudoku"))
    seen = set()
    for index in range(2):
        rows = group(replace(part, voices=voices), index).rows
        parent, edited, drawn = [loads(puzzle, row["puzzle"]) for row in rows]
        assert parent.style == edited.style
        assert parent.style.phrasing != drawn.style.phrasing
        assert all(each.style.phrasing * sign >= FIRST for each in (parent, edited, drawn))
        seen |= {parent.style.phrasing, drawn.style.phrasing}
        plain = loads(puzzle, group(part, index).rows[0]["puzzle"])
        assert plain == replace(parent, style=replace(parent.style, phrasing=0))
    assert len(seen) == 4


def test_a_new_style_keeps_the_voice() -> None:
    """Renaming puts a prompt in its canonical words again, so that the variant is told by them."""
    renamed = Variant("renamed", (TransformCall("rename"),))
    part = Stratum(
        "zebra", (("positions", (3,)), ("attributes", (3,))), variants=(renamed,), counts=(("train", 1),), voices="many"
    )
    parent, child = [loads(puzzle_type(family_named("zebra")), row["puzzle"]).style for row in group(part).rows]
    assert parent.names != child.names
    assert parent.phrasing == child.phrasing >= FIRST


def test_the_edit_names_the_clue_that_was_changed_or_moved() -> None:
    parent, child = group(SUDOKU).rows
    assert parent["edit"] is None
    pairs = json.loads(child["edit"])
    if len(pairs) == 1:
        ((before, after),) = pairs
        assert before[0] == after[0]
        assert before != after
    else:
        assert sorted((before is None, after is None) for before, after in pairs) == [(False, True), (True, False)]


def test_reply_formats_take_turns_within_each_base() -> None:
    """With as many bases as formats, a base would always be asked for in one format."""
    part = Stratum("coin", params=(("coins", (8, 9)),), counts=(("train", 9),), reply_formats=("json", "tags", "table"))
    formats = [group(part, index).rows[0]["reply_format"] for index in range(8)]
    assert set(formats[0::2]) == set(formats[1::2]) == {"json", "tags", "table"}


def test_keys_start_with_the_parents() -> None:
    result = group(SUDOKU)
    assert result.keys == tuple(row["canonical_key"] for row in result.rows)


# ---- transforms made for these tests ----------------------------------------------------------------------------------


class _Made(Transform):
    kind = Kind.IC1
    relation = Relation.RESIZE
    pairing = Pairing.NONE

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return True


@final
class _Never(_Made):
    name = "never"

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        raise Discarded("too_easy")


@final
class _Sometimes(_Made):
    name = "sometimes"

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        if rng.chance(1, 2):
            raise Discarded("too_easy")
        return draft


@final
class _Longer(_Made):
    name = "longer"

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, coins=spec.params.coins + 2))


@final
class _Rare(_Made):
    name = "rare"

    def changed(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, coins=spec.params.coins + 2))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        if rng.chance(1, 2):
            raise Discarded("too_easy")
        return self.changed(family, spec, rng)


@final
class _Liar(_Made):
    name = "liar"
    relation = Relation.EDIT
    promises = Status.UNSOLVABLE


@pytest.fixture
def variant(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Stratum]:
    """variant("never"): coins with one child made by that transform."""
    made = {t.name: t for t in (_Never(), _Sometimes(), _Longer(), _Liar(), _Rare())}
    monkeypatch.setattr(recipe, "transform_of", lambda family, name, args: made[name])
    build._drawn.cache_clear()

    def coins(name: str) -> Stratum:
        return Stratum("coin", (("coins", (5,)),), variants=(Variant("odd", (TransformCall(name),)),), counts=(("train", 2),))

    return coins


def test_every_discard_is_counted_and_the_group_is_given_up(variant: Callable[[str], Stratum]) -> None:
    """A loop without a bound, or a silent loss."""
    result = group(variant("never"), attempts=7)
    assert (result.rows, result.keys) == ((), ())
    assert dict(result.tally) == {"too_easy": 7, GAVE_UP: 1}


def test_a_discarded_attempt_is_followed_by_another(variant: Callable[[str], Stratum]) -> None:
    tallies = [dict(group(variant("sometimes"), index, attempts=50).tally) for index in range(12)]
    assert all(tally.keys() <= {"too_easy"} for tally in tallies)
    assert any(tallies) and not all(tallies)


def test_a_resized_child_is_drawn_anew(variant: Callable[[str], Stratum]) -> None:
    parent, child = group(variant("longer")).rows
    assert '"coins":5' in parent["puzzle"] and '"coins":7' in child["puzzle"]
    assert (child["pairing"], child["edit"], child["kinds"]) == ("none", None, ["IC1"])
    assert check_row(child) == []


def test_a_child_that_is_drawn_anew_is_tried_again_for_the_same_parent(variant: Callable[[str], Stratum]) -> None:
    """A group of twenty rows would be thrown away for one of them."""
    tallies = [dict(group(variant("rare"), index, attempts=1).tally) for index in range(12)]
    assert all(tally.keys() <= {"odd:too_easy"} for tally in tallies)
    assert any(tallies) and not all(tallies)


def test_a_broken_promise_is_discarded(variant: Callable[[str], Stratum]) -> None:
    """A puzzle with an answer would be kept as unsolvable."""
    result = group(variant("liar"), attempts=3)
    assert result.rows == ()
    assert dict(result.tally)[GAVE_UP] == 1


def test_a_variant_is_made_from_the_one_it_names() -> None:
    """An unsolvable row would differ from every solvable row of its group in everything."""
    variants = (
        Variant("larger", (TransformCall("larger_grid"),)),
        Variant("larger_letters", (TransformCall("letters"),), of="larger"),
        Variant("larger_clash", (TransformCall("clash"),), of="larger"),
    )
    part = replace(SUDOKU, variants=variants)
    parent, larger, letters, clash = group(part).rows
    assert [row["variant"] for row in (larger, letters, clash)] == ["larger", "larger_letters", "larger_clash"]
    assert [row["parent_id"] for row in (larger, letters, clash)] == [parent["id"], larger["id"], larger["id"]]
    assert {row["group_id"] for row in (parent, larger, letters, clash)} == {parent["group_id"]}
    assert (larger["pairing"], letters["pairing"], clash["pairing"]) == ("none", "exact", "group")
    assert letters["canonical_key"] == larger["canonical_key"]
    assert [call["name"] for call in clash["transforms"]] == ["larger_grid", "clash"]
    assert clash["kinds"] == ["IC1", "UP"]
    changed = json.loads(clash["edit"])
    assert 1 <= len(changed) <= 2
    assert (larger["edit"], letters["edit"]) == (None, None)


def test_unsolvable_variants_share_a_given_part_of_the_rows() -> None:
    """The share of unsolvable rows is whatever comes out, or one depth takes it all."""
    variants = (Variant("shallow", (TransformCall("shallow_clash"),)), Variant("deep", (TransformCall("deep_clash"),)))
    part = Stratum("sudoku", (("size", (9,)),), variants=variants, counts=(("train", 60),), unsolvable=25)
    made = [part.variants_at(turn) for turn in range(60)]
    assert part.turns() % 3 == 0
    names = [v.name for group in made for v in group]
    assert len(names) == 20  # of 80 rows
    assert names.count("deep") == names.count("shallow") == 10


@pytest.mark.parametrize("band", ["easy", "hard"])
def test_a_band_is_kept(band: str) -> None:
    """Parents that grade otherwise are drawn again; children are as they come."""
    part = replace(SUDOKU, params=(("size", (9,)),), variants=(), band=band)
    rows = [build_group(Recipe("small", "w", (part,), attempts=400), part, "train", index).rows[0] for index in range(3)]
    assert [row["difficulty"]["band"] for row in rows] == [band] * 3


def test_a_band_of_puzzles_that_nothing_grades(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was drawn of a family without a table was called "easy or medium", and another band was advised."""
    with pytest.raises(BadParams, match=r"^band: expected nothing, got 'hard': no puzzle of coin is graded, .*; leave band out$"):
        replace(COINS, band="hard")  # before anything is drawn
    assert "\nno grades: band cannot be asked for. Source: made up" in sheet(family_named("coin"))
    assert "\nband=easy, medium or hard" in sheet(family_named("sudoku"))
    monkeypatch.setattr(type(family_named("coin")), "table", lambda *_: None)  # there may be one for other puzzles
    asked = Recipe("small", "w", (replace(COINS, band="hard"),), attempts=4)
    with pytest.raises(BadParams, match=r"drawn were unrated 4\); leave band out: no puzzle of this sort is graded"):
        make.group(asked, 0)


def test_a_clash_has_as_many_clues_as_its_parent() -> None:
    """One clue more than a minimal puzzle has would tell which rows are unsolvable without solving them."""
    part = Stratum(
        "binario",
        params=(("rows", (6,)), ("cols", (8,))),
        variants=(UNSOLVABLE,),
        counts=(("train", 8),),
    )
    for index in range(8):
        parent, child = build_group(Recipe("small", "w", (part,)), part, "train", index).rows
        assert len(json.loads(parent["puzzle"])["clues"]) == len(json.loads(child["puzzle"])["clues"])


def test_the_guess_baseline_of_a_small_class_counts_its_puzzles() -> None:
    """One of two puzzles is right half of the time, however many wrong answers there are beside."""
    part = Stratum("hanoi", params=(("disks", (3, 4)),), counts=(("train", 2),))
    rows = [build_group(Recipe("small", "w", (part,)), part, "train", index).rows[0] for index in range(2)]
    assert [row["guess_baseline"] for row in rows] == [0.5, 0.5]
    large = Stratum("sudoku", params=(("size", (6,)),), counts=(("train", 1),))
    assert build_group(Recipe("small", "w", (large,)), large, "train", 0).rows[0]["guess_baseline"] < 1e-9
