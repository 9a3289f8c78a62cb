"""`verify` of a release among others: its ledger, the parts before it, and blind rows before and after they are revealed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from releases import Shared, parquet, rows_are_checked_once, rows_of, settle  # noqa: F401

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.overlap import verify_disjoint
from puzzlemill.factory.read import file_hash, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.record import content_id, group_id
from puzzlemill.factory.verify import verify
from puzzlemill.factory.writer import write_rows
from puzzlemill.generators import family_named
from puzzlemill.publish import published
from puzzlemill.publish.ledger import _write, digest_of, inspect_segment, segment_keys, write_blind_segment, write_segment
from puzzlemill.publish.plan import plan
from puzzlemill.publish.release import release
from puzzlemill.publish.reveal import reveal
from puzzlemill.publish.secret import commitment
from puzzlemill.publish.store import FolderStore

SERIES = Recipe.from_plain(
    {
        "name": "series",
        "seed": "w",
        "strata": [
            {"family": "sudoku", "params": {"size": 8}, "counts": {"train": 3, "test": 2}},
            {"family": "hanoi", "params": {"pegs": 3, "disks": 3}, "counts": {"train": 1}},
        ],
    }
)
SECRETS = {"2026-11": bytes(range(32)), "2026-12": bytes(range(1, 33))}
OPEN = [plan(SERIES, period, []) for period in SECRETS]
PLANS = {period: plan(SERIES, period, ["test"]) for period in SECRETS}
OLD, NEW = (made.version for made in PLANS.values())
PART, BLIND, REVEALED = (f"ledger/{NEW}{end}.parquet" for end in ("", ".blind", ".revealed"))


@pytest.fixture(scope="module")
def repo(shared: Shared) -> Path:
    """Two releases in a folder, the first one's blind rows revealed."""
    return shared("published", publish_both) / "repo"


def publish_both(folder: Path) -> None:
    store = FolderStore(folder / "repo")
    old, new = SECRETS.values()
    release(PLANS["2026-11"], store, folder / "work", secret=old, engine="kernel", dry_run=False)
    release(PLANS["2026-12"], store, folder / "work", secret=new, secrets=[old], engine="kernel", dry_run=False)
    reveal(store, OLD, folder / "work", secret=old, dry_run=False)


@pytest.fixture(scope="module")
def open_repo(shared: Shared) -> Path:
    """Two releases in a folder, without blind rows."""

    def publish(folder: Path) -> None:
        for made in OPEN:
            release(made, FolderStore(folder / "repo"), folder / "work", engine="kernel", dry_run=False)

    return shared("published_open", publish) / "repo"


@pytest.fixture
def latest(repo: Path, tmp_path: Path) -> Path:
    """A copy of the newest release with all that lies beside it, to spoil."""
    return copied(repo / "latest", tmp_path / "release")


def copied(folder: Path, to: Path) -> Path:
    copy = Path(shutil.copytree(folder.resolve(), to))
    for path in copy.rglob("*"):
        path.chmod(0o755)
    return copy


def told(folder: Path) -> list[str]:
    lines: list[str] = []
    report = verify(folder, lines.append, further=published, engine="kernel")
    assert report.problems == len(lines)
    return lines


def restate(folder: Path, change: Callable[[dict[str, Any]], None] | None = None) -> None:
    """Make the manifest fit the ledger's parts and itself again, as a forger would."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    block = manifest["publication"]
    for parts in (block["ledger"], block["earlier"]):
        parts.update({part: file_hash(folder / part) for part in parts if (folder / part).is_file()})
    if change is not None:
        change(manifest)
    manifest["earlier"] = digest_of(block["earlier"].values())
    path.write_text(json.dumps(manifest))
    settle(folder)


# ---- sound ones -------------------------------------------------------------------------------------------------------


def test_what_was_published_has_no_problems(repo: Path) -> None:
    """verify complains of what `release` and `reveal` write."""
    tags = sorted(path.name for path in repo.iterdir() if not path.name.startswith("."))
    assert tags == sorted([OLD, f"{OLD}-revealed", NEW, "latest"])
    assert {tag: told(repo / tag) for tag in tags} == {tag: [] for tag in tags}


def test_a_folder_of_several_releases_is_none(repo: Path) -> None:
    """The natural thing to type must lead to the right one."""
    with pytest.raises(BadFile, match=r"holds several releases; name one of them, as in .*repo/latest"):
        told(repo)


def test_revealed_rows_are_a_release_of_their_own(repo: Path) -> None:
    """Nobody could check the revealed rows."""
    folder = repo / f"{OLD}-revealed" / "revealed" / OLD
    assert told(folder) == []
    assert len(list(all_rows(open_release(folder)))) == 2


def test_a_release_restated_as_it_was_is_sound(latest: Path) -> None:
    """The forging below must be told for what it changes, not for how."""
    restate(latest)
    assert told(latest) == []


def test_what_the_hubs_clients_leave_is_no_problem(latest: Path) -> None:
    (latest / ".cache" / "huggingface").mkdir(parents=True)
    (latest / ".cache" / "huggingface" / ".gitignore").write_text("*")
    (latest / ".gitattributes").write_text("*.parquet filter=lfs")
    assert told(latest) == []


# ---- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["ledger/other.parquet", f"ledger/{NEW}.txt", REVEALED, f"revealed/{NEW}/x", f"revealed/{OLD}/x", "data/x.parquet"]
)
def test_a_foreign_file(latest: Path, path: str) -> None:
    """A file can be slipped in beside a release where verify does not look."""
    (latest / path).parent.mkdir(parents=True, exist_ok=True)
    (latest / path).write_bytes(b"x")
    assert told(latest) == [f"{path}: is not in the manifest"]


@pytest.mark.parametrize("path", [PART, BLIND, f"ledger/{OLD}.parquet", f"ledger/{OLD}.blind.parquet"])
def test_a_part_that_is_gone_or_altered(latest: Path, path: str) -> None:
    """Without its part a release's puzzles would come again."""
    (latest / path).write_bytes((latest / path).read_bytes()[:-1] + b"x")
    assert f"{path}: was altered: its SHA-256 is not the manifest's" in told(latest)
    (latest / path).unlink()
    assert f"{path}: missing, though the manifest lists it" in told(latest)


def test_a_release_without_a_publication_has_no_ledger(latest: Path) -> None:
    """Files beside a release that nobody vouches for."""
    path = latest / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "publication": None}))
    settle(latest)
    lines = told(latest)
    assert f"{PART}: is not in the manifest" in lines and any(line.startswith(f"revealed/{OLD}/") for line in lines)


@pytest.mark.parametrize("publication", [1, {}, [], {"ledger": {"../../x": "0" * 64}}])
def test_a_publication_that_is_none(latest: Path, publication: Any) -> None:
    """A broken block ends in a traceback, or leads out of the folder."""
    path = latest / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "publication": publication}))
    lines = told(latest)
    assert any(line.startswith("manifest.json: publication: its manifest.json is not that of a release") for line in lines), lines


@pytest.mark.parametrize(
    "recipe", [{}, {"name": 1}, {"name": "series", "seed": "w"}, {"name": "series", "seed": "w", "strata": [1]}, {"strata": {}}]
)
@pytest.mark.parametrize("revealed", [False, True])
def test_a_publication_whose_recipe_is_none(repo: Path, latest: Path, recipe: Any, revealed: bool) -> None:
    """The recipe stands in a manifest twice; the second one is as hostile as the first."""
    folder = latest / "revealed" / OLD if revealed else latest
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["publication"]["recipe"] = recipe
    path.write_text(json.dumps(manifest))
    assert any(line.startswith("manifest.json: publication: ") for line in told(folder))


def test_a_manifest_without_its_recipes_key(latest: Path) -> None:
    path = latest / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["recipe_key"]
    path.write_text(json.dumps(manifest))
    assert any(line.startswith("manifest.json: recipe_key: ") for line in told(latest))


# ---- what parts say ---------------------------------------------------------------------------------------------------


def own_rows(folder: Path) -> list[dict[str, Any]]:
    return list(all_rows(open_release(folder)))


def test_a_key_that_is_left_out(latest: Path) -> None:
    """The puzzle of that row could come again, as a test puzzle of the next release."""
    row, *rows = own_rows(latest)
    write_segment(latest / PART, [row | {"canonical_key": rows[0]["canonical_key"]}, *rows], NEW)
    restate(latest)
    assert told(latest) == [f"{row['id']}: canonical_key: is not in {PART}, so the puzzle could come again"]


def test_a_key_too_many(latest: Path) -> None:
    """Keys of nobody's puzzles would keep good ones out."""
    rows = own_rows(latest)
    write_segment(latest / PART, [*rows, rows[0] | {"canonical_key": f"sudoku:1:{'0' * 32}"}], NEW)
    restate(latest)
    assert told(latest) == [f"{PART}: holds 1 key of puzzles that are in no row"]


def test_a_part_of_another_release(latest: Path) -> None:
    write_segment(latest / PART, own_rows(latest), OLD)
    restate(latest)
    assert told(latest) == [f"{PART}: states that it is of {OLD}, not of {NEW}"]


def test_exchanged_groups_are_seen_by_what_later_releases_name(open_repo: Path, tmp_path: Path) -> None:
    """A forger who rewrites a whole release, ids and manifest and all, makes test groups of train groups."""
    first, second = OPEN
    forged, later = copied(open_repo / first.version, tmp_path / "forged"), open_repo / second.version
    assert verify_disjoint([forged, later], print, further=published, engine="kernel")[0][0].problems == 0
    train, test = (rows_of(forged, "sudoku", split) for split in ("train", "test"))
    train[0], test[0] = moved(test[0], "train"), moved(train[0], "test")
    for split, rows in (("train", train), ("test", test)):
        write_rows(forged / parquet("sudoku", split), rows)
    part = f"ledger/{first.version}.parquet"
    restate(forged)
    assert told(forged) == [
        f"{part}: is of other rows than those that are here; groups were exchanged, added or altered since it was made"
    ]
    write_segment(forged / part, own_rows(forged), first.version)
    restate(forged)
    assert told(forged) == []
    lines: list[str] = []
    reports, _ = verify_disjoint([forged, later], lines.append, further=published, engine="kernel")
    assert lines == [f"{forged}: {part}: is not the segment that {later} was made after; one of them was forged"]
    assert [report.problems for report in reports] == [1, 0]


def moved(row: dict[str, Any], split: str) -> dict[str, Any]:
    """A parent without children as it would be in another split."""
    puzzle = loads(puzzle_type(family_named(row["family"])), row["puzzle"])
    changed = {**row, "split": split, "group_id": group_id(split, puzzle)}
    return {**changed, "id": content_id(changed)}


def test_a_part_that_is_none(latest: Path) -> None:
    """A file of the right name and hash is not yet a part."""
    (latest / PART).write_bytes(b"PAR1")
    restate(latest)
    (line,) = told(latest)
    assert line.startswith(f"{PART}: cannot be read as Parquet")


def test_a_row_that_was_published_before(latest: Path) -> None:
    """The promise of a series: no row comes again."""
    rows = own_rows(latest)
    write_segment(latest / f"ledger/{OLD}.parquet", rows, OLD)
    restate(latest)
    grids = [row["id"] for row in rows if row["family"] == "sudoku"]
    assert sorted(told(latest)) == sorted(
        f"{name}: canonical_key: the same puzzle, up to symmetry, is in ledger/{OLD}.parquet" for name in grids
    )


def test_a_row_that_is_a_revealed_one(latest: Path) -> None:
    """A blind test puzzle was in the open a month later: its secret tells."""
    rows = own_rows(latest)
    write_blind_segment(latest / f"ledger/{OLD}.blind.parquet", rows, OLD, SECRETS["2026-11"])
    write_segment(latest / f"ledger/{OLD}.revealed.parquet", rows, OLD)
    restate(latest)
    grids = [row["id"] for row in rows if row["family"] == "sudoku"]
    found = [line for line in told(latest) if "is in ledger/" in line]
    assert len(found) == len(grids) and all(f"is in ledger/{OLD}.blind.parquet" in line for line in found)


def test_a_release_made_after_other_parts(latest: Path) -> None:
    """Parts that were added afterwards were not looked at."""
    manifest = json.loads((latest / "manifest.json").read_text())
    manifest["earlier"] = "0" * 64
    (latest / "manifest.json").write_text(json.dumps(manifest))
    settle(latest)
    assert told(latest) == [
        "manifest.json: earlier: the release was made after other segments of the ledger than those that its publication names"
    ]


def test_a_period_that_is_another(latest: Path) -> None:
    """The rows of one period could be published once more as those of the next."""
    restate(latest, lambda manifest: manifest["publication"].update(period="2027-01", version=NEW.replace("2026-12", "2027-01")))
    lines = told(latest)
    assert "manifest.json: publication: its recipe and period give other puzzles than those that are here" in lines


# ---- blind rows -------------------------------------------------------------------------------------------------------


def test_another_commitment_in_the_manifest(latest: Path) -> None:
    """Rows could be made up afterwards, to fit a secret that was not committed to."""
    restate(latest, lambda manifest: manifest["publication"]["blind"].update(commitment="0" * 64))
    assert told(latest) == [f"{BLIND}: states another commitment than the manifest"]


def test_the_secret_of_an_earlier_release(latest: Path) -> None:
    """When that one is revealed, these rows are known too."""
    old = SECRETS["2026-11"]
    write_blind_segment(latest / BLIND, own_rows(latest)[:2], NEW, old)
    restate(latest, lambda manifest: manifest["publication"]["blind"].update(commitment=commitment(old)))
    assert told(latest) == [f"manifest.json: publication: its blind rows were drawn from the secret of {OLD}"]


def test_more_blind_keys_than_rows(latest: Path) -> None:
    write_blind_segment(latest / BLIND, own_rows(latest), NEW, SECRETS["2026-12"])
    restate(latest)
    assert told(latest) == [f"{BLIND}: holds 3 keys, the manifest states 2 blind rows"]


def test_blind_rows_that_are_told_of_nowhere(latest: Path) -> None:
    """A part without blind rows, or the other way round."""
    restate(latest, lambda manifest: manifest["publication"].update(blind=None))
    assert any(line.startswith("manifest.json: publication:") for line in told(latest))


def test_a_blind_part_that_is_named_where_it_should_not_be_or_not_where_it_should(
    latest: Path, open_repo: Path, tmp_path: Path
) -> None:
    """Blind rows without their keys could come again in the open; keys of no rows keep good puzzles out."""
    restate(latest, lambda manifest: manifest["publication"]["ledger"].pop(BLIND))
    assert f"manifest.json: publication: does not name {BLIND}" in told(latest)
    version = OPEN[0].version
    folder, part = copied(open_repo / version, tmp_path / "open"), f"ledger/{version}.blind.parquet"
    write_blind_segment(folder / part, own_rows(folder), version, SECRETS["2026-11"])
    restate(folder, lambda manifest: manifest["publication"]["ledger"].update({part: file_hash(folder / part)}))
    assert told(folder) == [f"manifest.json: publication: has no blind rows, but names {part}"]


def test_a_part_that_is_not_named_is_blind_or_is_gone(latest: Path, tmp_path: Path) -> None:
    """The puzzles of the release, or those that were revealed, are looked up nowhere."""
    restate(latest, lambda manifest: manifest["publication"]["ledger"].pop(PART))
    assert f"manifest.json: publication: does not name {PART}, the release's own segment of the ledger" in told(latest)
    write_blind_segment(latest / PART, own_rows(latest), NEW, SECRETS["2026-12"])
    restate(latest, lambda manifest: manifest["publication"]["ledger"].update({PART: file_hash(latest / PART)}))
    assert told(latest) == [f"{PART}: holds blind keys, which belong into another segment"]
    (latest / f"ledger/{OLD}.blind.parquet").unlink()
    assert f"revealed/{OLD}: was revealed, but ledger/{OLD}.blind.parquet is not here" in told(latest)


@pytest.mark.parametrize(("version", "committed"), [(NEW, ""), (OLD, "0" * 64)])
def test_a_revealed_part_that_says_of_itself_what_is_not_so(latest: Path, version: str, committed: str) -> None:
    """A part of the right keys is taken for another release's, or for blind keys, so that no row is looked up in it."""
    part = f"ledger/{OLD}.revealed.parquet"
    entries = list(segment_keys(inspect_segment(latest / part)))
    _write(latest / part, entries, version, committed)
    lines = told(latest)
    assert lines[0] == f"{part}: its keys are not those of ledger/{OLD}.blind.parquet"
    assert lines[1:] == ([] if version == OLD else [f"{part}: states that it is of {NEW}, not of {OLD}"])


def test_a_wrong_secret(latest: Path) -> None:
    """Anything could be passed off as what was committed to."""
    path = latest / "revealed" / OLD / "secret.txt"
    path.write_text("0" * 64)
    lines = told(latest)
    assert f"revealed/{OLD}/secret.txt: was altered: its SHA-256 is not its manifest's" in lines
    assert f"revealed/{OLD}/secret.txt: does not fit the commitment of ledger/{OLD}.blind.parquet" in lines
    path.write_text("hush")
    assert any("expected 64 hex digits" in line for line in told(latest))
    assert not any("hush" in line for line in told(latest))


def test_revealed_keys_that_are_not_those_of_the_blind_part(latest: Path) -> None:
    """Other rows than those that were kept back could be shown."""
    part = f"ledger/{OLD}.revealed.parquet"
    write_segment(latest / part, own_rows(latest), OLD)
    restate(latest)
    assert f"{part}: its keys are not those of ledger/{OLD}.blind.parquet" in told(latest)


def test_a_revealed_file_that_is_gone(latest: Path) -> None:
    path = latest / "revealed" / OLD / "data" / "sudoku" / "test-00000-of-00001.parquet"
    assert len(rows_of(latest / "revealed" / OLD, "sudoku", "test")) == 2
    path.unlink()
    assert told(latest) == [f"{path.relative_to(latest).as_posix()}: missing, though its manifest lists it"]


def test_revealed_rows_of_another_secret(repo: Path, tmp_path: Path) -> None:
    """A release of rows could say of itself that it was drawn from the secret."""
    folder = Path(shutil.copytree(repo / f"{OLD}-revealed" / "revealed" / OLD, tmp_path / "revealed"))
    for path in folder.rglob("*"):
        path.chmod(0o755)
    (folder / "secret.txt").write_text("0" * 64 + "\n")
    assert "secret.txt: does not fit the commitment in the manifest" in told(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["publication"]["reveals"] = commitment(bytes(32))
    (folder / "manifest.json").write_text(json.dumps(manifest))
    settle(folder)
    assert told(folder) == [
        "manifest.json: publication: its recipe, period and secret give other puzzles than those that are here"
    ]


def test_a_revealed_folder_without_a_readable_manifest(latest: Path) -> None:
    """It is a problem of its own and hides no other."""
    (latest / "revealed" / OLD / "manifest.json").write_text("{")
    lines = told(latest)
    assert any(line.startswith(f"revealed/{OLD}/manifest.json: not a manifest") for line in lines)
    with pytest.raises(BadFile):
        verify(latest / "revealed" / OLD, lines.append, further=published)
