"""The data set card: front matter that the Hub and `datasets` read, and figures that are the manifest's."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.types import Spec
from puzzlemill.factory.card import card
from puzzlemill.factory.card_head import PAPERS, _fields, citation
from puzzlemill.factory.example import chosen, picture
from puzzlemill.factory.make import make
from puzzlemill.factory.recipe import Recipe, Stratum, base_text
from puzzlemill.factory.record import COLUMNS, features
from puzzlemill.factory.writer import Cell, _manifest
from puzzlemill.generators import families, family_named
from puzzlemill.transforms import transforms

RECIPE = Recipe.from_plain(
    {
        "name": "tiny",
        "seed": "card",
        "license": "mit",
        "strata": [
            {
                "family": "zebra",
                "variants": [
                    {"name": "unsolvable", "transforms": ["clash"]},
                    {"name": "shuffled", "transforms": ["shuffle_clues"]},
                ],
                "counts": {"train": 500, "test": 20},
            },
            {"family": "hanoi", "params": {"disks": [3, 4]}, "counts": {"holdout": 2}},
        ],
    }
)


def _variants(groups: int) -> tuple[tuple[str, int], ...]:
    return (("canonical", groups), ("shuffled", groups), ("unsolvable", groups))


CELLS = (
    Cell("zebra", "test", 20, 60, (), (("easy", 59), ("hard", 1)), _variants(20)),
    Cell("zebra", "train", 500, 1500, (("no_clash", 3),), (("easy", 1000), ("medium", 500)), _variants(500)),
    Cell("hanoi", "holdout", 2, 2, (), (("easy", 2),), (("canonical", 2),)),
)


def manifest() -> dict[str, Any]:
    hanoi = families()["hanoi"]
    used = {("hanoi", base_text(Spec(hanoi.params(disks=disks)))): 1 for disks in (3, 4)}
    return _manifest(RECIPE, CELLS, used)


def front_matter(text: str) -> dict[str, Any]:
    assert text.startswith("---\n")
    found: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return found


def test_front_matter() -> None:
    """The Hub shows no licence, size or configs, or `load_dataset` merges the families into one."""
    found = front_matter(card(manifest()))
    assert found["pretty_name"] == "Puzzlemill tiny"
    assert found["license"] == "mit"
    assert found["language"] == ["en"]
    assert found["size_categories"] == ["1K<n<10K"]
    assert {"zebra", "hanoi", "puzzles"} <= set(found["tags"])
    assert {f"arxiv:{number}" for _, number, *_ in PAPERS} <= set(found["tags"]) and len(PAPERS) == 5
    assert found["configs"] == [
        {
            "config_name": "all",
            "default": True,
            "data_files": [
                {"split": "train", "path": "data/zebra/train-*.parquet"},
                {"split": "test", "path": "data/zebra/test-*.parquet"},
                {"split": "holdout", "path": "data/hanoi/holdout-*.parquet"},
            ],
        },
        {
            "config_name": "zebra",
            "data_files": [
                {"split": "train", "path": "data/zebra/train-*.parquet"},
                {"split": "test", "path": "data/zebra/test-*.parquet"},
            ],
        },
        {"config_name": "hanoi", "data_files": [{"split": "holdout", "path": "data/hanoi/holdout-*.parquet"}]},
    ]
    every, zebra, hanoi = found["dataset_info"]
    assert [(split["name"], split["num_examples"]) for split in every["splits"]] == [
        ("train", 1500),
        ("test", 60),
        ("holdout", 2),
    ]
    assert [(split["name"], split["num_examples"]) for split in zebra["splits"]] == [("train", 1500), ("test", 60)]
    assert (hanoi["config_name"], "features" in every, "features" in hanoi) == ("hanoi", True, False)


def test_a_split_of_several_families_lists_their_files() -> None:
    """`load_dataset(DIR)` gives one family, or a split twice."""
    cells = (Cell("zebra", "test", 1, 1, (), (("easy", 1),), _variants(1)), *CELLS[2:])
    cells = (*cells, replace(cells[0], family="hanoi"))
    head = front_matter(card(_manifest(RECIPE, cells, {})))
    assert head["configs"][0]["data_files"][0] == {
        "split": "test",
        "path": ["data/zebra/test-*.parquet", "data/hanoi/test-*.parquet"],
    }


def test_columns_are_stated_as_datasets_states_them() -> None:
    """The Hub's viewer and `datasets` read other types than the files have."""
    from datasets import Features

    assert _fields(COLUMNS) == Features.from_dict(features())._to_yaml_list()


def test_papers_and_the_data_set_can_be_cited() -> None:
    """Who uses the data has to make up a citation."""
    text = citation({**manifest(), "publication": {"version": "2026-12-57fd7213"}})
    assert text.count("@misc{") == 6 and text.count("archivePrefix = {arXiv}") == 5
    assert "@misc{puzzlemill_tiny," in text and "version 2026-12-57fd7213" in text
    assert text.count("{") == text.count("}")


def test_the_picture_has_a_width_of_its_own() -> None:
    """A board of six cells fills the whole width of a page."""
    row = make("sudoku", size=6)
    drawn = family_named("sudoku").draw(loads(puzzle_type(family_named("sudoku")), row["puzzle"]))
    assert picture(row) == drawn.replace("<svg ", '<svg width="354" ', 1) + "\n"


def test_the_row_that_is_shown_is_an_early_one_with_an_answer() -> None:
    """A card shows a row of the test split where there are others, a row without an answer, or a book of twenty pages."""
    good = {"variant": "canonical", "status": "unique", "answer": "1", "prompt": "short"}
    rows = {
        ("kumo", "train"): [good | {"prompt": "long" * 1000}, good],
        ("zebra", "test"): [good | {"id": "test"}],
        ("zebra", "train"): [good | {"variant": "unsolvable"}, good | {"status": "unsolvable"}, good | {"id": "train"}],
    }
    assert chosen(rows, lambda family, split: iter(rows[family, split])) == good | {"id": "train"}
    assert chosen([("kumo", "train")], lambda family, split: iter(rows[family, split])) is None


def test_a_row_is_shown_with_its_picture_whatever_its_prompt_holds() -> None:
    """A prompt with a fence of its own ends the fence of the card, and the rest of it is read as Markdown."""
    row = {
        "id": "zebra-1",
        "family": "zebra",
        "split": "train",
        "prompt": "a\n````text\n# b",
        "gold_reply": "c",
        "status": "unique",
    }
    text = card(manifest() | {"example": row | {"band": "easy", "title": "Zebra"}})
    assert "![Zebra, the board of row zebra-1](example.svg)" in text
    assert "\n`````text\na\n````text\n# b\n`````\n" in text
    assert "example.svg" not in card(manifest())


def test_the_table_counts_rows_by_family_split_and_variant() -> None:
    """The card's figures are not the manifest's."""
    lines = card(manifest()).splitlines()
    assert "| family | variant | train | test | holdout | rows |" in lines
    assert "| zebra | canonical | 500 | 20 | 0 | 520 |" in lines
    assert "| zebra | unsolvable | 500 | 20 | 0 | 520 |" in lines
    assert "| hanoi | canonical | 0 | 0 | 2 | 2 |" in lines
    assert "| zebra | ██████████████ 1059 | ██████ 500 | 1 |" in lines
    assert "| hanoi | ████████████████████ 2 | 0 | 0 |" in lines
    assert lines[lines.index("# Puzzlemill tiny") + 2].startswith("1562 logic puzzles (Zebra puzzle, Tower of Hanoi)")


def test_it_says_how_long_traces_are() -> None:
    """A reader does not know which context a model needs, or how many replies come without reasoning."""
    plain = {**RECIPE.to_plain(), "reasoning": {"form": "prose", "trace_tokens": 800, "wrong_suppositions": 25}}
    traces = (((0, False), 4), ((300, False), 90), ((700, False), 5), ((1_200, True), 1))
    cell = Cell("zebra", "train", 100, 100, (), (("easy", 100),), _variants(100), (), traces)
    text = card(_manifest(Recipe.from_plain(plain), (cell, CELLS[2]), {}))
    assert "\n| zebra | 96 | 300 | 700 | 1200 | 1 | 4 |\n" in text and "\n## Traces\n" in text
    assert "take more than 800 tokens" in text and "come as prose, and in 25 % of" in text
    assert "## Traces" not in card(manifest()), "no row was measured"


def test_it_says_what_a_reader_must_know() -> None:
    """A section on loading, scoring, proofs, small classes, contamination or the licence is gone."""
    found = manifest()
    text = card(found)
    for heading in ("What is proved", "Load", "Score", "Columns", "Small classes", "Contamination", "Licence and origin"):
        assert f"\n## {heading}\n" in text
    assert 'load_dataset("path/of/this/folder", "zebra", split="train")' in text
    assert "python scorer.zip score replies.jsonl" in text
    assert f"`{found['canary']}`" in text
    assert "* hanoi, 1 puzzle each: pegs=3 disks=3 start=tower goal=tower; pegs=3 disks=4 start=tower goal=tower." in text
    assert "* `unsolvable` (zebra): one thing of its parent was changed or moved so that no answer is left." in text
    assert "by the work that it is: hanoi moves (under 16: easy, 128 or more: hard)" in text
    assert "$" not in text


def test_every_column_is_explained_and_no_other() -> None:
    """A column is not in the card, or one that is gone still is."""
    table = card(manifest()).split("\n## Columns\n")[1].split("\n## ")[0]
    named = [name for line in table.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(named) == sorted(COLUMNS)


def test_the_same_manifest_gives_the_same_card() -> None:
    """A card depends on more than the manifest."""
    assert card(manifest()) == card(manifest())


def test_it_states_the_sample_that_z3_decided() -> None:
    """A reader takes Z3 for a part of every proof, or cannot tell in which rows it had one."""
    assert "a sample of the rows too and found nothing else: 2 % of them" in card(manifest())
    more = manifest()
    more["recipe"]["smt"] = 35
    assert "35 % of them" in card(more)


def test_what_a_release_has_not_is_not_told() -> None:
    """The card of a release without unsolvable puzzles or small classes speaks of them."""
    recipe = Recipe.from_plain({"name": "plain", "seed": "card", "strata": [{"family": "zebra", "counts": {"train": 9}}]})
    text = card(_manifest(recipe, (Cell("zebra", "train", 9, 9, (), (("easy", 9),), (("canonical", 9),)),), {}))
    assert "Small classes" not in text and "always claiming it" not in text
    assert front_matter(text)["size_categories"] == ["n<1K"]


@pytest.mark.parametrize("clash", ["clash", "deep_clash", "shallow_clash"])
def test_a_variant_names_what_it_is_made_from_and_that_there_may_be_no_answer(clash: str) -> None:
    """A reader takes a variant's clash for one of the canonical puzzle, or is not told that always claiming it does not pay."""
    made = {
        "family": "zebra",
        "variants": [
            {"name": "other", "transforms": ["exclusive_or"]},
            {"name": "none", "of": "other", "transforms": [clash]},
        ],
        "counts": {"train": 9},
    }
    recipe = Recipe.from_plain({"name": "plain", "seed": "card", "strata": [made]})
    text = card(_manifest(recipe, (Cell("zebra", "train", 9, 9, (), (("easy", 9),), (("canonical", 9),)),), {}))
    assert "* `other` (zebra): clues of the form" in text
    assert "* `none` (zebra): from `other`: one thing of its parent was changed" in text
    assert "always claiming it" in text


def test_what_is_proved_and_scored_otherwise_is_told_of_the_families_it_is_true_of() -> None:
    """The card says that no reply is compared with an answer, or that a text has no other reading whatever."""
    told = {}
    for family in ("crypto", "minesweeper", "zebra"):
        recipe = Recipe.from_plain({"name": "plain", "seed": "card", "strata": [{"family": family, "counts": {"train": 9}}]})
        text = card(_manifest(recipe, (Cell(family, "train", 9, 9, (), (("easy", 9),), (("canonical", 9),)),), {}))
        told[family] = ("Of crypto all hypotheses" in text, "Of minesweeper it is asked" in text, "answer, but for" in text)
        assert "which `proof.scope` names.\n\nZ3," in text or family != "crypto"
    assert told == {"crypto": (True, False, False), "minesweeper": (False, True, True), "zebra": (False, False, False)}


def test_every_transform_is_explained() -> None:
    """A reader finds a name that nothing explains."""
    assert [
        f"{family.name}.{name}" for family in families().values() for name, one in transforms(family).items() if not one.about
    ] == []


def test_the_card_says_how_deep_clashes_are_and_where_they_are_out_of_balance() -> None:
    """hardcorelogic's unsolvable binario is nearly all shallow, though docs promise both alike, and nothing said so."""
    head = (9, 9, (), (("easy", 9),), (("canonical", 9),))
    recipe = Recipe("small", "word", (Stratum("zebra", counts=(("train", 9),)), Stratum("binario", counts=(("train", 9),))))
    cells = (
        Cell("zebra", "train", *head, (("deep", 4), ("shallow", 5))),
        Cell("binario", "train", *head, (("deep", 1), ("shallow", 8))),
    )
    text = card(_manifest(recipe, cells, {}))
    assert "| zebra | 5 | 4 |\n| binario | 8 | 1 |" in text
    assert "Few are deep of binario: " in text and "Few are shallow" not in text
    assert "Unsolvable rows by depth" not in card(_manifest(recipe, (Cell("zebra", "train", *head),), {}))


def test_the_card_says_where_the_wording_tells_and_what_mends_it() -> None:
    """A paper's lopsided table passes for one whose rules tell nothing."""
    made = {
        "family": "hanoi",
        "params": {"pegs": 4, "disks": 5, "goal": "random"},
        "variants": [{"name": "one_way", "transforms": ["one_way"]}],
        "counts": {"test": 9},
        "lopsided": True,
    }
    recipe = Recipe.from_plain({"name": "hardcorelogic", "seed": "card", "strata": [made]})
    text = card(_manifest(recipe, (Cell("hanoi", "test", 9, 9, (), (("easy", 9),), (("canonical", 9),)),), {}))
    assert "In hanoi (`one_way`) no puzzle that looks the same has a solution" in text
    assert "`release=hardcorelogic_balanced` has rows that look the same" in text
