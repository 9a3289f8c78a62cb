"""Recipes: what is wrong is said at once and by name; what is right has one form; groups are shared out evenly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import Rule
from puzzlemill.factory.reasoning import Options
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant, base_text


def plain(**changes: Any) -> dict[str, Any]:
    """A small recipe; changes go into its only part, but for those of the recipe itself."""
    part: dict[str, Any] = {"family": "coin", "params": {"coins": [5, 7, 9]}, "counts": {"train": 4, "test": 2}}
    head = {"name": "small", "seed": "w"}
    for key, value in changes.items():
        (head if key in ("name", "seed", "license", "attempts", "nodes", "smt", "reasoning", "color") else part)[key] = value
    return {**head, "strata": [part]}


def deep(levels: int) -> list[Any]:
    """A list in a list in a list."""
    nested: list[Any] = []
    for _ in range(levels):
        nested = [nested]
    return nested


def test_the_plain_form_comes_back_equal() -> None:
    """A manifest's recipe would not build the release it stands in."""
    recipe = Recipe.from_plain(plain())
    again = Recipe.from_plain(json.loads(json.dumps(recipe.to_plain())))
    assert again == recipe
    assert again.key() == recipe.key()
    assert again.quotas == recipe.quotas


def test_a_recipe_says_how_worked_replies_are_put() -> None:
    """An export would ignore the recipe, or recipes that say nothing of it would have other keys than before."""
    asked = {"form": "prose", "trace_tokens": 900}
    recipe = Recipe.from_plain(plain(reasoning=asked))
    assert recipe.reasoning == Options("prose", 900, 10)
    assert recipe.to_plain()["reasoning"] == {**asked, "wrong_suppositions": 10}
    assert Recipe.from_plain(recipe.to_plain()) == recipe
    usual = Recipe.from_plain(plain(reasoning={"form": "voice"}))
    assert "reasoning" not in usual.to_plain() and usual.key() == Recipe.from_plain(plain()).key() != recipe.key()


def test_one_recipe_has_one_key_however_it_is_written() -> None:
    """The order of keys, a list of one value or a default written out would make another release."""
    written = plain(counts={"test": 2, "train": 4}, rules=[], variants=[], reply_formats=["json", "tags", "boxed", "table"])
    assert Recipe.from_plain(written).key() == Recipe.from_plain(plain()).key()
    one = {"train": 1}
    assert (
        Recipe.from_plain(plain(params={}, counts=one)).key() == Recipe.from_plain(plain(params={"coins": [2]}, counts=one)).key()
    )
    assert Recipe.from_plain(plain(seed="v")).key() != Recipe.from_plain(plain()).key()


def test_bases_are_the_product_in_order() -> None:
    part = Stratum("coin", params=(("coins", (7, 5)),), counts=(("train", 1),))
    assert [base_text(spec) for spec in part.bases()] == [
        '{"params":{"coins":7},"rules":[]}',
        '{"params":{"coins":5},"rules":[]}',
    ]


def test_splits_stand_in_one_order() -> None:
    """The order decides which of two equal puzzles is kept."""
    part = Stratum("coin", params=(("coins", (9,)),), counts=(("zeta", 1), ("test", 1), ("alpha", 1), ("train", 1)))
    assert [split for split, _ in part.counts] == ["train", "test", "alpha", "zeta"]
    for name in ("holdout", "dev", "test_hard", "test2", "train_16", "val"):  # splits of one's own
        assert Stratum("coin", params=(("coins", (9,)),), counts=((name, 1),)).counts == ((name, 1),)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"family": "koin?"}, "strata[0].family: unknown family 'koin?'"),
        ({"family": 7}, "strata[0].family: expected text, got int 7"),
        ({"params": {"rows": 4}}, "strata[0].params.rows: coin has no such parameter; known: coins"),
        ({"params": {"coins": "5"}}, "strata[0].params.coins: expected int, got str '5'"),
        ({"params": {"coins": True}}, "strata[0].params.coins: expected int, got bool True"),
        ({"params": {"coins": 5.0}}, "strata[0].params.coins: expected a number"),
        ({"params": {"coins": []}}, "strata[0].params.coins: an empty list"),
        ({"params": {"coins": [5, 1]}}, "strata[0].params: coin.coins must be 2 to 9, got 1"),
        ({"params": [5]}, "strata[0].params: expected names and values"),
        ({"counts": {}}, "strata[0].counts: no group is asked for"),
        ({"counts": {"train": 0}}, "strata[0].counts: no group is asked for"),
        ({"counts": {"train": -1}}, "strata[0].counts.train: expected 0 to"),
        ({"counts": {"train": "4"}}, "strata[0].counts.train: expected a whole number, got str '4'"),
        ({"counts": {"../train": 4}}, "strata[0].counts: '../train' cannot name a split"),
        ({"counts": {"train": 2, "tset": 1}}, "strata[0].counts.tset: did you mean test? A split of its own needs a name"),
        ({"counts": {"trian": 2}}, "strata[0].counts.trian: did you mean train?"),
        ({"counts": {"validtion": 2}}, "strata[0].counts.validtion: did you mean validation?"),
        ({"counts": 4}, "strata[0].counts: expected keys and values, got int 4"),
        ({"rules": ["distinct"]}, "strata[0].rules: coin has no optional rule 'distinct'"),
        ({"rules": "distinct"}, "strata[0].rules: expected a list"),
        ({"rules": [[]]}, "strata[0].rules[0]: an empty list"),
        ({"rules": [["distinct", 1.5]]}, "strata[0].rules[0]: a rule's arguments"),
        ({"rules": [["distinct", deep(20)]]}, "strata[0].rules[0]: a rule's arguments"),
        ({"rules": [["distinct", deep(5000)]]}, "strata[0].rules[0]: a rule's arguments"),
        ({"family": deep(5000)}, "strata[0].family: expected text, got list of great depth"),
        ({"reply_formats": ["yaml"]}, "strata[0].reply_formats: unknown format 'yaml'; known: json"),
        ({"reply_formats": []}, "strata[0].reply_formats: at least one"),
        ({"variants": [{"name": "odd"}]}, "strata[0].variants[0].transforms: missing"),
        ({"variants": [{"name": "odd", "transforms": []}]}, "strata[0].variants[0].transforms: a variant without transforms"),
        (
            {"variants": [{"name": "odd", "transforms": ["melt"]}]},
            "strata[0].variants[0].transforms[0]: unknown transform 'melt'",
        ),
        ({"variants": [{"name": "odd", "transforms": ["clash"]}]}, "strata[0].variants[0]: clash does not fit coin"),
        (
            {"variants": [{"name": "odd", "transforms": [{"name": "clash", "args": {"depth": 2}}]}]},
            "strata[0].variants[0].transforms[0]: clash has no argument 'depth'",
        ),
        (
            {"variants": [{"name": "odd", "of": "even", "transforms": ["shuffle_clues"]}]},
            "strata[0].variants[0].of: 'even' is no variant that stands before it",
        ),
        (
            {"variants": [{"name": "odd", "transforms": ["shuffle_clues", "shuffle_clues"]}]},
            "strata[0].variants[0].transforms: shuffle_clues stands twice",
        ),
        ({"unsolvable": 30}, "strata[0].unsolvable: no variant of this stratum is unsolvable"),
        ({"voices": "loud"}, "strata[0].voices: expected plain, many, short, got 'loud'"),
        ({"band": "easier"}, "strata[0].band: expected easy, medium, hard"),
        ({"variants": [{"name": "canonical", "transforms": ["clash"]}]}, "strata[0].variants[0].name: 'canonical' is taken"),
        ({"color": "red"}, "color: unknown key; known: attempts"),
        ({"colour": "red"}, "strata[0].colour: unknown key; known: asks, band, counts"),
        ({"name": "../up"}, "name: expected a small word"),
        ({"seed": ""}, "seed: expected 1 to 200"),
        ({"seed": 7}, "seed: expected text, got int 7"),
        ({"attempts": 0}, "attempts: expected 1 to"),
        ({"nodes": 0}, "nodes: a budget is at least 1"),
        ({"smt": 1}, "smt: expected 2 to 100 percent of the rows"),
        ({"smt": 101}, "smt: expected 2 to 100 percent of the rows"),
        ({"reasoning": "prose"}, "reasoning: expected keys and values, got str 'prose'"),
        ({"reasoning": {"style": "prose"}}, "reasoning.style: unknown key; known: form, trace_tokens, wrong_suppositions"),
        (
            {"reasoning": {"form": "song"}},
            "reasoning.form: 'song' is not known; use one of voice, prose, bullets",
        ),
        ({"reasoning": {"form": 1}}, "reasoning.form: expected text, got int 1"),
        ({"reasoning": {"trace_tokens": 10**7}}, "reasoning.trace_tokens: expected 0 to 1000000, got 10000000"),
        ({"reasoning": {"wrong_suppositions": 0.1}}, "reasoning.wrong_suppositions: expected a whole number, got float 0.1"),
        ({"reasoning": {"wrong_suppositions": 101}}, "reasoning.wrong_suppositions: expected 0 to 100 percent"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
def test_what_is_wrong_is_named(changes: dict[str, Any], place: str) -> None:
    """A typing error in a configuration would surface in hour three, or not at all."""
    with pytest.raises(BadParams) as error:
        Recipe.from_plain(plain(**changes))
    assert str(error.value).startswith(place)


@pytest.mark.parametrize("raw", [[], None, "quick", 7, {"name": "x", "seed": "w"}, {"name": "x", "seed": "w", "strata": []}])
def test_what_is_no_recipe_is_refused(raw: Any) -> None:
    with pytest.raises(BadParams):
        Recipe.from_plain(raw)


def test_rules_are_written_in_one_order() -> None:
    rules = (Rule("b"), Rule("a", (3,)))
    with pytest.raises(BadParams, match="no optional rule 'a'"):
        Stratum("coin", rules=rules, counts=(("train", 1),))


def test_more_puzzles_than_there_are_is_refused_with_their_number() -> None:
    """A run would look for puzzles that do not exist until its bound is spent."""
    with pytest.raises(BadParams, match=r"strata\[0\]\.counts: 13 groups are asked for, but there are only 12 different puzzles"):
        Recipe.from_plain(plain(counts={"train": 10, "test": 3}))


def test_parts_share_a_small_class() -> None:
    """Two parts of one family would both take all there is."""
    two = plain(counts={"train": 10})
    two["strata"] = two["strata"] * 2
    with pytest.raises(BadParams, match=r"strata\[1\]\.counts: 10 groups are asked for, but there are only 2 different puzzles"):
        Recipe.from_plain(two)


def test_a_small_class_is_dealt_out_whole_and_once() -> None:
    """12 puzzles exist of these sizes (3, 4 and 5): each is owed to one split."""
    recipe = Recipe.from_plain(plain(counts={"train": 6, "validation": 3, "test": 3}))
    assert [sum(column) for column in zip(*[quota.by_base for quota in recipe.quotas], strict=True)] == [3, 4, 5]
    assert [sum(quota.by_base) for quota in recipe.quotas] == [6, 3, 3]


def test_a_large_class_stands_in_for_a_small_one() -> None:
    """The last rare puzzle of the small class would be looked for while the large one has plenty: 36 of 4x4, unknown of 6x6."""
    part = {"family": "sudoku", "params": {"size": [4, 6]}, "counts": {"train": 60, "test": 40}}
    quotas = Recipe.from_plain({"name": "mixed", "seed": "w", "strata": [part]}).quotas
    assert [sum(column) for column in zip(*[quota.by_base for quota in quotas], strict=True)] == [18, 82]


def test_the_deal_does_not_depend_on_the_seed() -> None:
    """With another seed a small puzzle of the training split would be in the test split of the next release."""
    quotas = [Recipe.from_plain(plain(seed=seed, counts={"train": 6, "test": 3})).quotas for seed in ("one", "two")]
    assert quotas[0] == quotas[1]


def test_bases_of_a_large_class_take_turns() -> None:
    part = {"family": "sudoku", "params": {"size": [6, 9]}, "counts": {"train": 5, "test": 2}}
    recipe = Recipe.from_plain({"name": "large", "seed": "w", "strata": [part]})
    assert [(quota.split, quota.by_base) for quota in recipe.quotas] == [("train", (3, 2)), ("test", (1, 1))]


def test_a_group_is_not_mostly_unsolvable() -> None:
    """Always replying "no solution" would be paid above the guess baseline."""
    calls = (TransformCall("clash"),)
    with pytest.raises(BadParams, match="at most half"):
        Stratum("sudoku", variants=(Variant("one", calls), Variant("two", calls)), counts=(("train", 1),))


def test_doubt_is_for_groups_with_an_unsolvable_child() -> None:
    clash = Stratum("sudoku", variants=(Variant("unsolvable", (TransformCall("clash"),)),), counts=(("train", 1),))
    assert clash.doubts("canonical") and clash.doubts("unsolvable")
    assert not Stratum("sudoku", counts=(("train", 1),)).doubts("canonical")
