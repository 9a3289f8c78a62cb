"""The recipes of HardcoreLogic: the paper's totals, its ticks and crosses, and a training set that shares nothing."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from puzzlemill import cli
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.types import Kind
from puzzlemill.factory.conf import CONF
from puzzlemill.factory.exclusions import exclusions_of
from puzzlemill.factory.read import open_release, rows
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.factory.run import run
from puzzlemill.factory.verify import verify
from puzzlemill.factory.writer import checksum, entry, manifest_text, write_rows
from puzzlemill.generators import families, family_named
from puzzlemill.publish.plan import plan
from puzzlemill.scoring.prompt import FORMATS

# 2510.12563, Table 1: rows of the originals, the kinds that the game has, rows of the long tail
TABLE = {
    "zebra": (100, {"IC2", "UP"}, 400),
    "sudoku": (100, {"IC1", "UE1", "UE2", "UP"}, 550),
    "skyscraper": (200, {"IC2", "UE2", "UP"}, 800),
    "kakurasu": (49, {"IC1", "IC2", "UE1", "UP"}, 300),
    "crypto": (300, {"IC1", "UP"}, 400),
    "navigation": (100, {"IC2", "UE2", "UP"}, 300),
    "binario": (150, {"IC1", "IC2", "UP"}, 450),
    "hanoi": (140, {"UE1", "UP"}, 800),
    "hitori": (100, {"IC1", "UE1", "UP"}, 500),
    "minesweeper": (150, {"IC1", "UE1", "UE2", "UP"}, 750),
}
OVERALL = {"IC1": 1350, "IC2": 1150, "UE1": 1400, "UE2": 850, "UP": 1350}


@cache
def recipe(name: str, *settings: str) -> Recipe:
    return recipe_of(compose([f"release={name}", *settings]))


def parts_of(name: str) -> dict[str, Stratum]:
    return dict(zip(compose([f"release={name}"])["strata"], recipe(name).strata, strict=True))


def kinds(part: Stratum) -> list[set[str]]:
    """What each variant of a part is, with what it is made from."""
    family = family_named(part.family)
    lines = [[transform for step in part.lineage(variant) for transform in step.chain(family)] for variant in part.variants]
    return [{transform.kind.name for transform in line} - {Kind.SURFACE.name} for line in lines]


def test_rows_and_columns_are_those_of_the_paper() -> None:
    """Counted from the recipe alone; a variant of two kinds stands in two columns."""
    originals: Counter[str] = Counter()
    tail: Counter[str] = Counter()
    found: dict[str, set[str]] = {family: set() for family in TABLE}
    columns: Counter[str] = Counter()
    for part in recipe("hardcorelogic").strata:
        ((split, groups),) = part.counts
        assert split == "test" and not part.unsolvable, "every group must have a row of each variant"
        originals[part.family] += groups
        for variant, of in zip(part.variants, kinds(part), strict=True):
            assert of, f"{part.family}: {variant.name} is of no kind"
            tail[part.family] += groups
            found[part.family] |= of
            columns.update(dict.fromkeys(of, groups))
    assert {family: (originals[family], found[family], tail[family]) for family in found} == TABLE
    assert dict(columns) == OVERALL
    assert (sum(originals.values()), sum(tail.values())) == (1389, 5250)


def test_the_table_above_the_recipe_is_true() -> None:
    """People read the comment, not the counts."""
    text = (CONF / "release" / "hardcorelogic.yaml").read_text(encoding="utf-8")
    lines = {line.split()[1]: line.split()[2:9] for line in text.splitlines() if line.startswith("#   ") and line[4].isalpha()}
    order = ("IC1", "IC2", "UE1", "UE2", "UP")
    made = {}
    for family in TABLE:
        rows_by_kind: Counter[str] = Counter()
        for part in recipe("hardcorelogic").strata:
            if part.family == family:
                rows_by_kind.update({kind: dict(part.counts)["test"] * n for kind, n in _times(part).items()})
        made[family] = [str(TABLE[family][0]), str(TABLE[family][2]), *[str(rows_by_kind[kind] or ".") for kind in order]]
    assert {family: lines[family] for family in TABLE} == made
    assert [n.replace(",", "") for n in lines["all"]] == ["1389", "5250", *[str(OVERALL[kind]) for kind in order]]


def _times(part: Stratum) -> Counter[str]:
    return Counter(kind for of in kinds(part) for kind in of)


def test_every_game_and_every_reply_format_is_there() -> None:
    """A game of the paper is missing, or rows ask for one form only."""
    for name in ("hardcorelogic", "hardcorelogic_train"):
        made = recipe(name)
        assert {part.family for part in made.strata} == set(TABLE) <= set(families())
        assert all(part.reply_formats == FORMATS for part in made.strata)


def test_the_comments_name_each_variant_s_kinds() -> None:
    """The kinds behind the variants are what the totals are counted from by readers."""
    text = (CONF / "release" / "hardcorelogic.yaml").read_text(encoding="utf-8")
    told = [set(line.split("# ", 1)[1].split(":")[0].split()) for line in text.splitlines() if line.startswith("      - ")]
    shared = {"skyscraper_count_6": "skyscraper_count_5", "skyscraper_sum_6": "skyscraper_sum_5"}  # by a reference
    assert told == [of for name, part in parts_of("hardcorelogic").items() if name not in shared for of in kinds(part)]


# ---- apart ------------------------------------------------------------------------------------------------------------

HANOI = "{hanoi:{family:hanoi,params:{pegs:4,disks:3,goal:random},variants:%s,counts:%s}}"


def small(name: str, counts: str, variants: str = "[]", *more: str) -> Recipe:
    """A recipe of hanoi with a tower of 3 disks on 4 pegs and any goal: 13 puzzles up to symmetry, a small class."""
    settings = compose([f"release={name}", *more])
    parts = compose(["release=quick", f"+parts_={HANOI % (variants, counts)}"])["parts_"]
    return recipe_of({**settings, "strata": parts})


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5 of the 13 puzzles."""
    out = tmp_path_factory.mktemp("apart") / "test"
    run(small("hardcorelogic", "{test:5}"), out)
    return out


def keys(folder: Path) -> set[str]:
    return {row["canonical_key"] for row in rows(open_release(folder), ["canonical_key"])}


def test_nothing_of_the_test_set_is_in_the_training_set(tested: Path, tmp_path: Path) -> None:
    """Small classes are in no ledger; here they are not excepted. All 8 puzzles that are left are found, and no other."""
    train = small("hardcorelogic_train", "{train:6,validation:2}")
    excluded = exclusions_of(train, tested)
    assert len(excluded.keys) == 5
    run(train, tmp_path / "train", exclude=excluded)
    assert len(keys(tmp_path / "train")) == 8
    assert keys(tmp_path / "train").isdisjoint(keys(tested))
    manifest = json.loads((tmp_path / "train" / "manifest.json").read_text())
    assert manifest["exclusions"] == {"recipe": "hardcorelogic", "puzzles": 5, "digest": excluded.digest}
    assert manifest["content"][0]["dropped"]["excluded"] > 0
    assert run(train, tmp_path / "train", exclude=excluded).reused


@pytest.mark.slow
def test_one_puzzle_more_than_are_left_is_refused(tested: Path, tmp_path: Path) -> None:
    """The search ends, and says what it threw away."""
    train = small("hardcorelogic_train", "{train:9}")
    with pytest.raises(BadParams, match=r"only 8 different puzzles .*excluded"):
        run(train, tmp_path / "train", exclude=exclusions_of(train, tested))


def test_children_count_too(tested: Path, tmp_path: Path) -> None:
    """A child that is a puzzle of the test set gives it away as well as its parent would."""
    train = small("hardcorelogic_train", "{train:4}", "[{name: more, transforms: [larger_grid]}, custom_pegs]")
    excluded = exclusions_of(train, tested)
    run(train, tmp_path / "train", exclude=excluded)
    child = next(row for row in rows(open_release(tmp_path / "train"), ["variant", "canonical_key"]) if row["variant"] == "more")
    other = type(excluded)(excluded.recipes, "0" * 64, excluded.keys | {child["canonical_key"]})
    run(train, tmp_path / "other", exclude=other)
    assert child["canonical_key"] not in keys(tmp_path / "other")


def test_the_training_set_is_not_made_without_a_test_set(
    tested: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One clear line: what is missing and how to get it."""
    train = small("hardcorelogic_train", "{train:2}")
    with pytest.raises(BadParams, match=r"exclude: .*generate release=hardcorelogic out=DIR` and give exclude=DIR"):
        run(train, tmp_path / "train")
    assert cli.main(["generate", "release=hardcorelogic_train", f"out={tmp_path / 'train'}"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: exclude: hardcorelogic_train must not have a puzzle of a release of hardcorelogic")
    assert error.count("\n") == 1
    with pytest.raises(BadParams, match="keeps apart from no other"):
        exclusions_of(small("hardcorelogic", "{test:2}"), tested)
    with pytest.raises(BadParams, match="keeps apart from nothing"):
        run(small("hardcorelogic", "{test:2}"), tmp_path / "test", exclude=exclusions_of(train, tested))
    with pytest.raises(BadParams, match="a series cannot promise"):
        plan(train, "2026-12")
    assert not (tmp_path / "train").exists()


def test_a_folder_that_is_no_release_of_that_recipe_is_refused(tested: Path, tmp_path: Path) -> None:
    """Another release, or one of which rows are missing, would leave puzzles in both."""
    train = small("hardcorelogic_train", "{train:2}")
    other = run(small("quick", "{train:2}"), tmp_path / "quick").out
    with pytest.raises(BadFile, match=r"holds the release 'quick', and hardcorelogic_train must be apart from hardcorelogic"):
        exclusions_of(train, other)
    with pytest.raises(BadFile, match="no such folder"):
        exclusions_of(train, tmp_path / "none")
    again = run(small("hardcorelogic", "{test:5}"), tmp_path / "again").out
    assert exclusions_of(train, again) == exclusions_of(train, tested)
    (again / "data" / "hanoi" / "test-00000-of-00001.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadFile, match="missing or was altered"):
        exclusions_of(train, again)


def test_recipes_under_one_seed_share_puzzles_and_any_can_be_kept_apart(tmp_path: Path) -> None:
    """longtail and hardcorelogic had 467 puzzles in common under one seed, and exclude=DIR was refused for both."""
    same = [
        "generate",
        "family=kakurasu",
        "family.params.rows=4",
        "family.params.cols=4",
        "seed=w",
        "count={test:3}",
        "workers=1",
    ]
    for name, more in (("first", []), ("second", []), ("apart", [f"exclude={tmp_path / 'first'}"])):
        assert cli.main([*same, f"name={name}", f"out={tmp_path / name}", *more]) == 0
    assert keys(tmp_path / "first") == keys(tmp_path / "second")
    assert len(keys(tmp_path / "apart")) == 3 and keys(tmp_path / "apart").isdisjoint(keys(tmp_path / "first"))
    manifest = json.loads((tmp_path / "apart" / "manifest.json").read_text())
    assert manifest["recipe"]["excludes"] == manifest["exclusions"]["recipe"] == "first"
    assert not verify(tmp_path / "apart", print).problems
    # the same where both are called alike, as all releases of one family are
    assert cli.main([*same, "name=first", f"out={tmp_path / 'own'}", f"exclude={tmp_path / 'first'}"]) == 0
    assert len(keys(tmp_path / "own")) == 3 and keys(tmp_path / "own").isdisjoint(keys(tmp_path / "first"))


def _without_files(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "files": {}, "content": []}


def test_an_altered_test_set_is_refused(tested: Path, tmp_path: Path) -> None:
    """What an altered manifest leaves out, and rows whose keys say something else, would be left to the training set."""
    train = small("hardcorelogic_train", "{train:2}")
    folder = tmp_path / "test"
    copytree(tested, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for change, problem in (
        (_without_files(manifest), "manifest.json: was altered"),
        (sealed(_without_files(manifest)), "hold 0 rows, the manifest says 0"),
        (sealed({**manifest, "content": []}), "hold 5 rows, the manifest says 0"),
    ):
        (folder / "manifest.json").write_text(manifest_text(change))
        with pytest.raises(BadFile, match=problem):
            exclusions_of(train, folder)
    path = "data/hanoi/test-00000-of-00001.parquet"
    for name, value, problem in (
        ("canonical_key", "hanoi:1:" + "0" * 32, "its key was not made as keys are made here"),
        ("family_version", 99, "is of version 99 of hanoi"),
        ("puzzle", "{}", "cannot be compared"),
    ):
        release = open_release(tested)
        changed = [{**row, name: value} if at == 3 else row for at, row in enumerate(rows(release))]
        write_rows(folder / path, changed)
        files = {**manifest["files"], path: {**entry(folder / path), "rows": 5}}
        (folder / "manifest.json").write_text(manifest_text(sealed({**manifest, "files": files})))
        with pytest.raises(BadFile, match=problem):
            exclusions_of(train, folder)


def sealed(manifest: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, "checksum": checksum(manifest)}


def test_verify_asks_what_a_training_set_was_kept_apart_from(tested: Path, tmp_path: Path) -> None:
    """A release without it is as if it had been made without a test set."""
    train = small("hardcorelogic_train", "{train:1}")
    out = run(train, tmp_path / "train", exclude=exclusions_of(train, tested)).out
    told: list[str] = []
    assert not verify(out, told.append).problems, told
    manifest = json.loads((out / "manifest.json").read_text())
    del manifest["exclusions"]
    (out / "manifest.json").write_text(manifest_text(sealed(manifest)))
    verify(out, told.append)
    assert any("exclusions: None, but the recipe keeps apart from hardcorelogic" in line for line in told)


def test_a_training_set_made_apart_from_another_release_is_another(tested: Path, tmp_path: Path) -> None:
    """What stands in the folder could hold puzzles of this test set."""
    train = small("hardcorelogic_train", "{train:2}")
    run(train, tmp_path / "train", exclude=exclusions_of(train, tested))
    more = run(small("hardcorelogic", "{test:6}"), tmp_path / "test").out
    with pytest.raises(BadFile, match="made apart from another one"):
        run(train, tmp_path / "train", exclude=exclusions_of(train, more))


def test_recipes_without_it_are_as_they_were() -> None:
    """A field that stands in every recipe would change the key, and so the canary, of all releases."""
    plain = recipe("quick").to_plain()
    assert "excludes" not in plain
    assert Recipe.from_plain(recipe("hardcorelogic_train").to_plain()) == recipe("hardcorelogic_train")
    for wrong in ("No name", "a" * 100):
        with pytest.raises(BadParams, match="excludes: expected the name of a recipe"):
            Recipe.from_plain({**plain, "excludes": wrong})


def test_no_class_of_the_training_set_is_used_up_by_the_test_set() -> None:
    """There the test set may have taken nearly all there are, and looking for the others would be in vain."""
    taken: Counter[tuple[str, str]] = Counter()
    for part in recipe("hardcorelogic").strata:
        for base in part.bases():
            for spec in [base, *[part.spec_of(base, variant) for variant in part.variants]]:
                taken[part.family, str(spec)] += sum(count for _, count in part.counts)
    for part in recipe("hardcorelogic_train").strata:
        for base in part.bases():
            for spec in [base, *[part.spec_of(base, variant) for variant in part.variants]]:
                puzzles = family_named(part.family).small.puzzles(spec)
                wanted = taken[part.family, str(spec)] + sum(count for _, count in part.counts)
                assert puzzles is None or 3 * wanted < puzzles, (part.family, spec)


# ---- built --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_small_hardcorelogic_is_made_end_to_end(tmp_path: Path) -> None:
    """A group of each part, every variant: the kinds of its rows are those that the recipe counts."""
    test = recipe("hardcorelogic", *[f"strata.{name}.counts.test=1" for name in parts_of("hardcorelogic")])
    summary = run(test, tmp_path / "test", 2)
    made = list(rows(open_release(summary.out), ["family", "variant", "kinds", "status", "reply_format", "canonical_key"]))
    assert len(made) == sum(count * (1 + len(part.variants)) for part in test.strata for _, count in part.counts)
    wanted = Counter(
        (part.family, variant.name, *sorted(of))
        for part in test.strata
        for variant, of in zip(part.variants, kinds(part), strict=True)
        for _ in range(dict(part.counts)["test"])
    )
    found = Counter((row["family"], row["variant"], *sorted(set(row["kinds"]))) for row in made if row["variant"] != "canonical")
    assert found == wanted
    assert all((row["status"] == "unsolvable") == ("UP" in row["kinds"]) for row in made)
    assert {row["reply_format"] for row in made} == set(FORMATS)
