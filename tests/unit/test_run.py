"""Runs: which groups are kept, what is refused, and what is left behind when something goes wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from releases import Shared

from puzzlemill.core.errors import BadFile, BadParams, EnginesDisagree
from puzzlemill.factory import run as running
from puzzlemill.factory import workers
from puzzlemill.factory.build import GroupResult, build_group
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant
from puzzlemill.factory.run import Event, run, work_folder
from puzzlemill.publish.ledger import Ledger, write_segment

COINS = Stratum("coin", params=(("coins", (5, 7, 8, 9)),), counts=(("train", 8), ("validation", 2), ("test", 4)))
RECIPE = Recipe("small", "w", (COINS,))
CLASHING = Variant("unsolvable", (TransformCall("clash"),))


def files(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def manifest(out: Path) -> Any:
    return json.loads((out / "manifest.json").read_text())


@pytest.fixture(scope="module")
def made(shared: Shared) -> Path:
    """The release of RECIPE."""
    return shared("coins", lambda folder: run(RECIPE, folder))


@pytest.fixture
def out(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "out"))


@pytest.fixture
def unpublished(shared: Shared, tmp_path: Path) -> Path:
    """What a run leaves that is stopped after everything was built and nothing was published."""
    return Path(shutil.copytree(shared("unpublished", interrupt_publishing), tmp_path / "unpublished"))


def interrupt_publishing(out: Path) -> None:
    def stop(*args: Any) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "put_in_place", stop)
        with pytest.raises(KeyboardInterrupt):
            run(RECIPE, out)
    assert not (out / "manifest.json").exists()


def test_a_release_holds_what_was_asked_for(tmp_path: Path) -> None:
    """13 of the 16 puzzles of these sizes: many draws are duplicates, and each is replaced."""
    seen: list[Event] = []
    summary = run(RECIPE, tmp_path / "out", 1, seen.append)
    assert [(cell.family, cell.split, cell.groups, cell.rows) for cell in summary.cells] == [
        ("coin", "train", 8, 8),
        ("coin", "validation", 2, 2),
        ("coin", "test", 4, 4),
    ]
    assert (summary.rows, summary.reused, summary.release) == (14, False, "small")
    assert sum(dict(cell.dropped).get("duplicate", 0) for cell in summary.cells) > 0
    assert sorted(files(tmp_path / "out")) == [
        "README.md",
        "data/coin/test-00000-of-00001.parquet",
        "data/coin/train-00000-of-00001.parquet",
        "data/coin/validation-00000-of-00001.parquet",
        "example.svg",
        "manifest.json",
        "scorer.zip",
    ]
    last = {event.split: event for event in seen}
    assert {split: (event.done, event.total) for split, event in last.items()} == {
        "train": (8, 8),
        "validation": (2, 2),
        "test": (4, 4),
    }


def test_no_two_rows_are_equal_up_to_symmetry(made: Path) -> None:
    """A test puzzle, turned around, would stand in the training split."""
    keys = [row["canonical_key"] for row in _rows(made)]
    assert len(set(keys)) == len(keys) == 14


def _rows(out: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for path in sorted(out.rglob("*.parquet")):
        yield from pq.read_table(path, partitioning=None).to_pylist()


def test_parts_of_one_family_share_files_and_keys(tmp_path: Path) -> None:
    parts = (replace(COINS, counts=(("train", 3),)), replace(COINS, counts=(("train", 4), ("test", 3))))
    summary = run(Recipe("small", "w", parts), tmp_path / "out")
    assert [(cell.split, cell.rows) for cell in summary.cells] == [("train", 7), ("test", 3)]
    assert len({row["canonical_key"] for row in _rows(tmp_path / "out")}) == 10


def test_parts_with_one_base_do_not_draw_the_same_groups(tmp_path: Path) -> None:
    """The second part would find only duplicates of the first, and give up."""
    parts = tuple(Stratum("sudoku", params=(("size", (6, 6)),), counts=(("train", 4),)) for _ in range(2))
    summary = run(Recipe("small", "w", parts), tmp_path / "out")
    assert [(cell.rows, cell.dropped) for cell in summary.cells] == [(8, ())]


def test_a_finished_release_is_left_as_it_is(out: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    again = run(RECIPE, out)
    assert again.reused
    assert again == replace(run(RECIPE, tmp_path / "other"), out=out, reused=True)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize("damage", ["altered", "removed"])
def test_a_damaged_release_is_made_again(out: Path, damage: str) -> None:
    """Leaving it would pass a broken release off as finished."""
    before = files(out)
    path = out / "data/coin/test-00000-of-00001.parquet"
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-9] + b"123456789")
    assert not run(RECIPE, out).reused
    assert files(out) == before


def test_a_release_of_another_recipe_is_refused(out: Path) -> None:
    before = files(out)
    with pytest.raises(BadFile, match=r"holds the release 'small' of another recipe; choose another out="):
        run(replace(RECIPE, seed="v"), out)
    assert files(out) == before


@pytest.mark.parametrize("name", ["thesis.tex", "data/coin/train-00000-of-00001.parquet", ".hidden"])
def test_a_folder_of_something_else_is_refused(tmp_path: Path, name: str) -> None:
    """Somebody's files would be overwritten or mixed with ours."""
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(BadFile, match="which is no release of this recipe"):
        run(RECIPE, tmp_path)
    assert files(tmp_path) == {name: b"mine"}


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"recipe_key": 1, "families": 2, "files": 3}', "{" * 9_999])
def test_a_foreign_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(BadFile, match="no manifest of a release"):
        run(RECIPE, tmp_path)
    assert files(tmp_path) == {"manifest.json": text.encode()}


def test_an_output_that_is_no_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(BadFile, match=r"choose another out=") as error:
            run(RECIPE, out)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("workers", [0, -1, 1_001])
def test_numbers_of_workers_are_checked(tmp_path: Path, workers: int) -> None:
    with pytest.raises(BadParams, match="workers: expected 1 to 1000"):
        run(RECIPE, tmp_path, workers)


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    (tmp_path / ".work").mkdir()
    with (tmp_path / ".work" / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadFile, match="another run is writing there"):
            run(RECIPE, tmp_path)


def test_too_few_puzzles_are_said_with_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose capacity is unknown can run out; the loop must end and say how far it came."""

    group = build_group(RECIPE, COINS, "train", 0)

    def always_the_same(recipe: Recipe, part: Stratum, split: str, index: int) -> GroupResult:
        return replace(group, keys=("coin:1:same",))

    monkeypatch.setattr(running, "build_group", always_the_same)
    with pytest.raises(BadParams, match=r"counts\.train: only 1 different puzzles of coin .* were found where 2") as e:
        run(Recipe("small", "w", (Stratum("coin", params=(("coins", (4,)),), counts=(("train", 2),)),)), tmp_path)
    assert "duplicate" in str(e.value)
    assert not (tmp_path / "manifest.json").exists()


def test_groups_that_are_given_up_are_replaced_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def every_other(recipe: Recipe, part: Stratum, split: str, index: int) -> GroupResult:
        if index // 4 % 2:
            return GroupResult((), (), (), (("budget", 40), ("gave_up", 1)))
        return build_group(recipe, part, split, index)

    monkeypatch.setattr(running, "build_group", every_other)
    summary = run(RECIPE, tmp_path)
    assert summary.rows == 14
    dropped = [dict(cell.dropped) for cell in summary.cells]
    assert all(tally.get("budget", 0) == 40 * tally.get("gave_up", 0) for tally in dropped)
    assert sum(tally.get("gave_up", 0) for tally in dropped) > 0
    assert manifest(tmp_path)["content"][0]["dropped"] == dropped[0]


def test_a_disagreement_stops_the_run_and_saves_the_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The only trace of a bug in an engine would be gone with the process."""

    def disagree(recipe: Recipe, part: Stratum, split: str, index: int) -> GroupResult:
        raise EnginesDisagree({"sat": "1 answers", "kernel": "2 answers"}, '{"family":"coin"}')

    monkeypatch.setattr(running, "build_group", disagree)
    with pytest.raises(EnginesDisagree, match=r"kernel says 2 answers; the case is saved in .*disagreement-\w+\.json"):
        run(RECIPE, tmp_path)
    (case,) = work_folder(RECIPE, tmp_path).glob("disagreement-*.json")
    assert json.loads(case.read_text()) == {"findings": {"sat": "1 answers", "kernel": "2 answers"}, "puzzle": {"family": "coin"}}
    assert not (tmp_path / "manifest.json").exists()


@pytest.mark.parametrize("damage", [b"", b"0\n{}", b"half"])
def test_a_broken_shard_is_built_again(made: Path, unpublished: Path, damage: bytes) -> None:
    """After a power cut a renamed file can be empty or cut short."""
    shards = sorted((work_folder(RECIPE, unpublished) / "shards").rglob("*.jsonl"))
    assert len(shards) > 3
    shards[0].write_bytes(damage)
    shards[1].write_bytes(shards[1].read_bytes()[:-20])
    run(RECIPE, unpublished)
    assert files(unpublished) == files(made)


def test_what_is_built_is_not_built_again(unpublished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going on after an interruption would begin from nothing."""

    def never(*args: Any) -> GroupResult:
        raise AssertionError("built again")

    monkeypatch.setattr(running, "build_group", never)
    assert run(RECIPE, unpublished).rows == 14
    assert not (unpublished / ".work").exists()


def test_a_run_killed_while_clearing_up_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leftovers would stay for ever, and verify would call them foreign."""

    def stop(folder: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(running.shutil, "rmtree", stop)
        with pytest.raises(KeyboardInterrupt):
            run(RECIPE, tmp_path)
    assert (tmp_path / "manifest.json").exists() and (tmp_path / ".work").exists()
    assert run(RECIPE, tmp_path).reused
    assert not (tmp_path / ".work").exists()


def test_unfinished_work_of_another_recipe_is_not_thrown_away(
    made: Path, unpublished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second command into the folder of an interrupted run took it over, and what the first had made was gone."""
    before = files(unpublished)
    for other in (replace(RECIPE, seed="other"), replace(RECIPE, name="more")):
        with pytest.raises(BadFile, match=f"holds unfinished work of another command, on a release '{RECIPE.name}'; give that "):
            run(other, unpublished)
    assert files(unpublished) == before
    run(RECIPE, unpublished, 2)  # another number of workers is the same command
    assert files(unpublished) == files(made)
    monkeypatch.setattr(running, "HOPELESS", 3)
    short = Recipe("small", "w", (Stratum("sudoku", params=(("size", (4,)),), band="hard", counts=(("train", 2),)),))
    with pytest.raises(BadParams, match="and none is hard"):
        run(short, tmp_path / "short")
    assert run(RECIPE, tmp_path / "short").rows == 14  # what cannot be done leaves nothing in the way


def test_shards_of_other_code_are_not_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade half of a release would be of the old version."""
    before = work_folder(RECIPE, tmp_path)
    monkeypatch.setattr(running, "source_key", lambda: "another version")
    assert work_folder(RECIPE, tmp_path) != before


# ---- earlier releases -------------------------------------------------------------------------------------------------

GRIDS = Recipe(
    "grids",
    "w",
    (
        Stratum("sudoku", params=(("size", (6,)),), variants=(CLASHING,), counts=(("train", 3), ("test", 2))),
        Stratum("hanoi", params=(("pegs", (3,)), ("disks", (3,))), counts=(("train", 1),)),
    ),
)


class Everything:
    """An earlier release that holds whatever it is asked for."""

    digest = "e" * 64

    def holds(self, keys: Sequence[str]) -> bool:
        return bool(keys)


@pytest.fixture(scope="module")
def first(shared: Shared) -> Path:
    """The release of GRIDS with nothing before it, its segment of the ledger, and the same recipe once more, after it."""

    def make(folder: Path) -> None:
        out = folder / "first"
        run(GRIDS, out)
        write_segment(out.with_name("first.parquet"), _rows(out), "first")
        run(GRIDS, folder / "second", earlier=after(out))

    return shared("grids", make) / "first"


@pytest.fixture(scope="module")
def second(first: Path) -> Path:
    """The same recipe once more, after `first`."""
    return first.with_name("second")


def after(first: Path) -> Ledger:
    return Ledger.open([first.with_name("first.parquet")], first.with_name("cache"))


def keys_of(out: Path, family: str) -> set[str]:
    return {row["canonical_key"] for row in _rows(out) if row["family"] == family}


def test_published_groups_are_replaced_and_counted(first: Path, second: Path) -> None:
    """With the same word every puzzle would come again; as many others must take their places, parents and children."""
    assert keys_of(first, "sudoku") & keys_of(second, "sudoku") == set()
    for before, now in zip(manifest(first)["content"], manifest(second)["content"], strict=True):
        assert (before["family"], before["split"], before["groups"]) == (now["family"], now["split"], now["groups"])
        assert before["dropped"].get("published", 0) == 0
        assert now["dropped"].get("published", 0) == (before["groups"] if before["family"] == "sudoku" else 0)


def test_one_published_child_drops_its_group(first: Path, tmp_path: Path) -> None:
    """A child's puzzle would come again under a parent that is new."""
    child = next(row for row in _rows(first) if row["variant"] == "unsolvable")
    write_segment(tmp_path / "child.parquet", [child], "child")
    run(GRIDS, tmp_path / "out", earlier=Ledger.open([tmp_path / "child.parquet"], tmp_path / "cache"))
    assert child["canonical_key"] not in keys_of(tmp_path / "out", "sudoku")
    assert child["group_id"] not in {row["group_id"] for row in _rows(tmp_path / "out")}
    assert sum(cell["dropped"].get("published", 0) for cell in manifest(tmp_path / "out")["content"]) == 1


def test_small_classes_are_exempt(first: Path, second: Path, tmp_path: Path) -> None:
    """There is one tower of three disks on three pegs: a second release could have none."""
    assert keys_of(first, "hanoi") == keys_of(second, "hanoi") != set()
    hanoi = replace(GRIDS, strata=GRIDS.strata[1:])
    assert run(hanoi, tmp_path, earlier=Everything()).rows == 1


def test_a_ledger_that_holds_everything_ends_the_run(tmp_path: Path) -> None:
    """The search for replacements is bounded, and says why it found none."""
    grids = replace(GRIDS, strata=(replace(GRIDS.strata[0], variants=(), counts=(("train", 1),)),))
    with pytest.raises(BadParams, match=r"only 0 different puzzles of sudoku .*published 22"):
        run(grids, tmp_path, earlier=Everything())


@pytest.mark.slow
def test_the_number_of_workers_does_not_matter_after_earlier_releases(
    first: Path, second: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which groups are replaced must not depend on who finishes first."""
    monkeypatch.setattr(workers, "FEW", 1)
    run(GRIDS, tmp_path / "out", 2, earlier=after(first))
    assert files(tmp_path / "out") == files(second)


def test_the_manifest_names_the_earlier_releases(first: Path, second: Path) -> None:
    """Whoever builds a release again must know what was left out of it."""
    assert manifest(first)["earlier"] == ""
    assert manifest(second)["earlier"] == after(first).digest
    assert len(after(first).digest) == 64


def test_a_release_after_other_earlier_ones_is_another(first: Path, tmp_path: Path) -> None:
    """A finished release could hold puzzles of an earlier one that it knew nothing of."""
    first = Path(shutil.copytree(first.parent, tmp_path / "grids")) / "first"
    second = first.with_name("second")
    assert run(GRIDS, second, earlier=after(first)).reused
    before = files(first), files(second)
    for out, earlier in ((first, after(first)), (second, None), (second, Everything())):
        with pytest.raises(BadFile, match=r"made after other earlier ones; choose another out="):
            run(GRIDS, out, earlier=earlier)
    assert (files(first), files(second)) == before


def test_unfinished_work_after_other_earlier_releases_is_not_taken_up(tmp_path: Path) -> None:
    """What was left out is decided while shards are made: the rounds of one ledger are not those of another."""
    folders = {work_folder(GRIDS, tmp_path, digest) for digest in ("", "a" * 64, "b" * 64)}
    assert len(folders) == 3
    assert work_folder(GRIDS, tmp_path) == work_folder(GRIDS, tmp_path, "")
