"""Releases in a folder: published once whatever happens, disjoint from each other, blind until revealed.

What a release does in a folder as on the Hub is in tests/hub/test_release.py.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from releases import Shared

from puzzlemill import cli
from puzzlemill.cli.settings import compose
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.family import SmallClasses
from puzzlemill.factory.read import open_release, rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.record import lasts
from puzzlemill.factory.verify import Report, verify
from puzzlemill.factory.writer import checksum, manifest_text
from puzzlemill.generators import family_named
from puzzlemill.publish import published
from puzzlemill.publish import release as module
from puzzlemill.publish.ledger import inspect_segment, segment_keys
from puzzlemill.publish.plan import Plan, plan, publication
from puzzlemill.publish.release import DRY, PUBLISHED, STANDING, TAGGED, Outcome, release
from puzzlemill.publish.reveal import _compare, reveal
from puzzlemill.publish.store import FolderStore, Moved, Store

LETTERS = {"name": "letters", "transforms": ["letters"]}
SUDOKU = {"family": "sudoku", "params": {"size": 8}, "variants": [LETTERS], "counts": {"train": 2, "test": 2}}
TOWERS = {"family": "hanoi", "params": {"pegs": 3, "disks": [3, 4]}, "counts": {"train": 1, "test": 1}}
# there are 116 of these, so that two periods would share some if nobody looked; see `lasting`
FEW = {"family": "hanoi", "params": {"pegs": 3, "disks": 3, "start": "random", "goal": "random"}, "counts": {"train": 12}}
ONE, TWO, THREE = bytes(range(32)), b"\x02" * 32, b"\x03" * 32


class Stopped(BaseException):
    """The process was killed here."""


def recipe(name: str = "tiny", seed: str = "w", parts: Sequence[Mapping[str, Any]] = (SUDOKU, TOWERS)) -> Recipe:
    return Recipe.from_plain({"name": name, "seed": seed, "strata": list(parts)})


OPEN = plan(recipe(), "2026-11")
NEXT = plan(recipe(), "2026-12")
BLIND = plan(recipe(), "2026-12", ["test"])


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    return FolderStore(tmp_path / "repo")


@pytest.fixture(scope="session")
def built(shared: Shared) -> Path:
    """An out= in which OPEN is built, NEXT after it, and BLIND with the secret TWO after it and after nothing."""

    def build(folder: Path) -> None:
        store, out = FolderStore(folder / "repo"), folder / "out"
        release(BLIND, store, out, secret=TWO)
        publish(OPEN, store, out)
        release(NEXT, store, out)
        release(BLIND, store, out, secret=TWO)

    return shared("built", build) / "out"


@pytest.fixture
def out(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "out"))


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The puzzles of FEW are taken for those of a large class: the ledger holds them, and no later release may have them."""
    monkeypatch.setattr(type(family_named("hanoi")), "small", SmallClasses())


def publish(made: Plan, store: Store, out: Path, secret: bytes | None = None, **more: Any) -> Outcome:
    return release(made, store, out, secret=secret, dry_run=False, **more)


def hidden_of(outcome: Outcome) -> Path:
    """Where the blind rows of a release lie."""
    assert outcome.staged is not None
    (hidden,) = outcome.staged.folder.parent.glob("blind-*")
    return hidden


def snapshot(folder: Path) -> dict[str, bytes]:
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in sorted(found.items()) if name != ".commits/lock"}


def keys(folder: Path) -> set[str]:
    """Of the rows that no later release may have."""
    return {row["canonical_key"] for row in rows(open_release(folder)) if lasts(row)}


# ---- what is published ------------------------------------------------------------------------------------------------


def test_a_dry_run_sends_nothing_and_tells_what_it_would(store: FolderStore, tmp_path: Path, out: Path) -> None:
    told: list[str] = []
    outcome = release(OPEN, store, out, show=told.append)
    assert outcome.state == DRY and outcome.staged is not None and outcome.commit == ""
    assert not (tmp_path / "repo").exists()
    assert set(outcome.staged.add) == {
        "README.md",
        "example.svg",
        "manifest.json",
        "scorer.zip",
        f"ledger/{OPEN.version}.parquet",
        *(f"data/{family}/{split}-00000-of-00001.parquet" for family in ("sudoku", "hanoi") for split in ("train", "test")),
    }
    assert told == ["earlier: 0 puzzles in 0 segments of the ledger", "open: 10 rows", "verify open: done before"]
    sent = publish(OPEN, store, out)
    assert sent.staged is not None
    assert snapshot(tmp_path / "repo" / OPEN.version) == snapshot(outcome.staged.folder)


def test_a_release_is_opened_by_its_tag(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """The embedded default is no data set after all."""
    from datasets import load_dataset

    publish(OPEN, store, out)
    for place in (OPEN.version, "latest"):
        found = load_dataset(str(tmp_path / "repo" / place), "sudoku", cache_dir=str(tmp_path / "cache"))
        assert {split: len(part) for split, part in found.items()} == {"train": 4, "test": 4}
        assert found["test"][0]["family"] == "sudoku"
    problems: list[str] = []
    assert verify(tmp_path / "repo" / OPEN.version, problems.append, further=published).problems == 0, problems


@pytest.mark.usefixtures("lasting")
def test_periods_share_no_row(store: FolderStore, tmp_path: Path) -> None:
    """The ledger is not read, or not what is compared with."""
    made = [plan(recipe(parts=[FEW]), period) for period in ("2026-11", "2026-12", "2027-01")]
    for one in made:
        publish(one, store, tmp_path / "out")
    found = [keys(tmp_path / "repo" / one.version) for one in made]
    assert [len(one) for one in found] == [12, 12, 12]
    assert len(set.union(*found)) == 36
    dropped = [open_release(tmp_path / "repo" / one.version).manifest["content"][0]["dropped"] for one in made]
    assert "published" not in dropped[0] and dropped[2]["published"] >= 1, dropped
    told = open_release(tmp_path / "repo" / "latest").manifest["publication"]
    assert (told["previous"], len(told["earlier"]), len(told["ledger"])) == (made[1].version, 2, 1)
    parts = sorted((tmp_path / "repo" / "latest" / "ledger").iterdir())
    assert sum(len(list(segment_keys(inspect_segment(part)))) for part in parts) == 36
    assert verify(tmp_path / "repo" / "latest", print, further=published).problems == 0


def test_the_card_tells_what_changed(store: FolderStore, tmp_path: Path, out: Path) -> None:
    publish(OPEN, store, out)
    other = plan(recipe(parts=[{**SUDOKU, "counts": {"train": 3, "test": 2}}]), "2026-12")
    outcome = publish(other, store, out)
    assert outcome.staged is not None
    assert outcome.staged.delete == tuple(f"data/hanoi/{split}-00000-of-00001.parquet" for split in ("test", "train"))
    assert outcome.manifest["publication"]["changes"] == [
        "hanoi: no longer in it",
        "recipe: sudoku[1].counts.train: 3, before 2",
        "sudoku, canonical: 5 rows, before 4",
        "sudoku, letters: 5 rows, before 4",
    ]
    text = (tmp_path / "repo" / other.version / "README.md").read_text()
    for change in outcome.manifest["publication"]["changes"]:
        assert f"\n* {change}\n" in text
    assert f'revision="{other.version}"' in text and f"### Changes since {OPEN.version}" in text


# ---- stopped, overtaken, refused --------------------------------------------------------------------------------------


class Watched:
    """A store of which every call is counted. before(number, call) is asked before and after each: an odd number is after."""

    def __init__(self, store: Store, before: Callable[[int, str], None]) -> None:
        self.store, self.before, self.count = store, before, 0

    def __getattr__(self, call: str) -> Any:
        found = getattr(self.store, call)
        if not callable(found):
            return found

        def watched(*args: Any, **more: Any) -> Any:
            number, self.count = self.count, self.count + 2
            self.before(number, call)
            result = found(*args, **more)
            self.before(number + 1, call)
            return result

        return watched


def stop_at(at: int) -> Callable[[int, str], None]:
    def stop(number: int, call: str) -> None:
        if number == at:
            raise Stopped(call)

    return stop


@pytest.mark.parametrize(("made", "secret"), [(NEXT, None), (BLIND, TWO)], ids=["open", "blind"])
def test_stopped_at_every_call_and_given_again(tmp_path: Path, out: Path, made: Plan, secret: bytes | None) -> None:
    """A second commit, a tag without its release, or a state that cannot be left: whatever call was the last one."""
    publish(OPEN, FolderStore(tmp_path / "before"), out)
    shutil.rmtree(out / "ledger", ignore_errors=True)
    watched = Watched(FolderStore(Path(shutil.copytree(tmp_path / "before", tmp_path / "whole", symlinks=True))), stop_at(-1))
    publish(made, watched, out, secret)
    expected = snapshot(tmp_path / "whole")
    states = []
    for at in range(watched.count):
        place = Path(shutil.copytree(tmp_path / "before", tmp_path / f"cut{at}", symlinks=True))
        shutil.rmtree(out / "ledger", ignore_errors=True)  # so that the parts are fetched each time
        with pytest.raises(Stopped):
            publish(made, Watched(FolderStore(place), stop_at(at)), out, secret)
        if made.version in FolderStore(place).tags():
            assert snapshot(place) == expected, at
        states.append(publish(made, FolderStore(place), out, secret).state)
        assert snapshot(place) == expected, at
        refs = json.loads(expected[".commits/refs.json"])
        assert len(refs["parents"]) == 2 and len(refs["tags"]) == 2
    assert [state for i, state in enumerate(states) if not i or states[i - 1] != state] == [PUBLISHED, TAGGED, STANDING]


@pytest.mark.parametrize("at", ["run", "write_segment", "verify", "publication"])
def test_stopped_while_it_is_made(
    store: FolderStore, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """What a stopped build left is taken for a whole one, or is in the way."""
    function = getattr(module, at)
    for after in (False, True):

        def stopped(*args: Any, after: bool = after, **more: Any) -> Any:
            if after:
                function(*args, **more)
            raise Stopped

        with monkeypatch.context() as patched:
            patched.setattr(module, at, stopped)
            with pytest.raises(Stopped):
                publish(BLIND, store, tmp_path / "made", TWO)
        assert not (tmp_path / "repo").exists()
    publish(BLIND, store, tmp_path / "made", TWO)
    publish(BLIND, FolderStore(tmp_path / "other"), out, TWO)
    assert snapshot(tmp_path / "repo") == snapshot(tmp_path / "other")


@pytest.mark.parametrize("at", ["create", "commit", "tag"])
@pytest.mark.parametrize("first", [True, False], ids=["first", "second"])
def test_overtaken_by_the_same_release(store: FolderStore, tmp_path: Path, out: Path, at: str, first: bool) -> None:
    """Two machines run one schedule: the slower one must end well and change nothing."""
    made = [OPEN] if first else [OPEN, NEXT]
    for one in made[:-1]:
        publish(one, store, out)

    def overtake(number: int, call: str) -> None:
        if call == at and number % 2 == 0:
            publish(made[-1], store, Path(shutil.copytree(out, tmp_path / "other")))

    state = publish(made[-1], Watched(store, overtake), out).state
    assert state == (PUBLISHED if at == "tag" else TAGGED)
    refs = json.loads((tmp_path / "repo" / ".commits" / "refs.json").read_text())
    assert len(refs["parents"]) == len(made) and set(refs["tags"]) == {one.version for one in made}


def test_doubled_runs_in_one_folder(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """The second one takes away what the first one is sending."""
    refusals = []

    def double(number: int, call: str) -> None:
        if call == "commit":
            refusals.append(refused(OPEN, store, out) if number % 2 == 0 else "")

    publish(OPEN, Watched(store, double), out)
    assert "the same command is at work there; wait for it or choose another out=" in refusals[0]


@pytest.mark.usefixtures("lasting")
def test_overtaken_by_another_release(store: FolderStore, tmp_path: Path) -> None:
    """Its puzzles were not compared with those of the release that came in between."""
    first, second, third = (plan(recipe(parts=[FEW]), period) for period in ("2026-11", "2026-12", "2027-01"))
    publish(first, store, tmp_path / "out")

    def overtake(number: int, call: str) -> None:
        if call == "commit" and number % 2 == 0:
            publish(second, store, tmp_path / "other")

    with pytest.raises(Moved, match="another release was made in between; run the same command again"):
        publish(third, Watched(store, overtake), tmp_path / "out")
    assert set(store.tags()) == {first.version, second.version}
    publish(third, store, tmp_path / "out")
    found = [keys(tmp_path / "repo" / one.version) for one in (first, second, third)]
    assert len(set.union(*found)) == 36


def refused(made: Plan, store: Store, out: Path, secret: bytes | None = None, **more: Any) -> str:
    """The one line with which a release is refused; the store must be as it was."""
    folder = Path(store.name)
    before = snapshot(folder) if folder.exists() else None
    with pytest.raises((BadFile, BadParams)) as told:
        publish(made, store, out, secret, **more)
    assert (snapshot(folder) if folder.exists() else None) == before
    assert "\n" not in str(told.value)
    return str(told.value)


def test_a_tag_with_other_blind_rows(store: FolderStore, out: Path) -> None:
    publish(BLIND, store, out, TWO)
    assert f"the tag {BLIND.version} holds a release of another secret" in refused(BLIND, store, out, THREE)


def commit_files(store: FolderStore, folder: Path, files: Mapping[str, str | bytes], delete: Sequence[str] = ()) -> None:
    add = {}
    for i, (path, content) in enumerate(files.items()):
        (folder / f"hand{i}").write_bytes(content if isinstance(content, bytes) else content.encode())
        add[path] = folder / f"hand{i}"
    store.create(private=False)
    head = store.head()
    store.commit(add, delete, None if head is None else head.commit, "by hand")


def test_a_manifest_without_a_publication(store: FolderStore, tmp_path: Path, out: Path, small: Path) -> None:
    """What `generate` made was put there by hand: nobody knows what was published with it before."""
    commit_files(store, tmp_path, {"manifest.json": (small / "manifest.json").read_bytes()})
    assert "is not that of a release made by `puzzlemill release`" in refused(OPEN, store, out)


@pytest.mark.parametrize("text", ["../../x", "ledger/../x.parquet", "ledger/a.b.parquet", "data/x.parquet"])
def test_a_manifest_that_names_files_elsewhere(store: FolderStore, tmp_path: Path, out: Path, text: str) -> None:
    """A hostile repository writes outside of out=."""
    publish(OPEN, store, out)
    manifest = json.loads((tmp_path / "repo" / "latest" / "manifest.json").read_text())
    manifest["publication"]["earlier"] = {text: "0" * 64}
    manifest["checksum"] = checksum(manifest)
    commit_files(store, tmp_path, {"manifest.json": manifest_text(manifest)})
    assert "is not that of a release made by `puzzlemill release`" in refused(NEXT, store, out)


def test_a_ledger_that_was_tampered_with(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """A row of an earlier release would come again, and nobody would know."""
    publish(OPEN, store, out)
    part = f"ledger/{OPEN.version}.parquet"
    bytes_of = (tmp_path / "repo" / "latest" / part).read_bytes()
    commit_files(store, tmp_path, {part: b"PAR1"})
    assert f"{part} has not the hash that its manifest states" in refused(NEXT, store, tmp_path / "o1")
    commit_files(store, tmp_path, {}, [part])
    assert f"{part} is missing, so earlier puzzles would come again" in refused(NEXT, store, tmp_path / "o2")
    commit_files(store, tmp_path, {part: bytes_of, "ledger/x.parquet": bytes_of})
    assert "ledger/x.parquet: no manifest states its hash" in refused(NEXT, store, tmp_path / "o3")
    commit_files(store, tmp_path, {}, ["ledger/x.parquet"])
    assert publish(NEXT, store, tmp_path / "o4").state == PUBLISHED


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("recipe_key",), None),
        (("puzzlemill",), 1),
        (("families", "sudoku"), 1.5),
        (("families",), None),
        (("environment",), []),
        (("content", 0, "variants", "letters"), "x"),
        (("publication", "recipe", "strata"), {"a": 1}),
        (("publication", "recipe", "strata", 0, "family"), None),
        (("publication", "recipe", "strata", 0, "variants"), 1.5),
        (("publication", "recipe", "strata", 0, "variants", 0), {"name": "letters"}),
    ],
)
def test_a_manifest_of_other_types(store: FolderStore, tmp_path: Path, out: Path, at: tuple[Any, ...], value: Any) -> None:
    """What a release before this one says of itself ends in a trace of the interpreter."""
    publish(OPEN, store, out)
    manifest = json.loads((tmp_path / "repo" / "latest" / "manifest.json").read_text())
    inner = manifest
    for name in at[:-1]:
        inner = inner[name]
    inner[at[-1]] = value
    manifest["checksum"] = checksum(manifest)
    commit_files(store, tmp_path, {"manifest.json": manifest_text(manifest)})
    assert "is not that of a release made by `puzzlemill release`" in refused(NEXT, store, out)


def test_what_a_manifest_says_is_one_line_of_the_next_card(store: FolderStore, tmp_path: Path, out: Path) -> None:
    publish(OPEN, store, out)
    manifest = json.loads((tmp_path / "repo" / "latest" / "manifest.json").read_text())
    manifest["puzzlemill"] = "0\n\n# Mine\x1b[31m\ud800"
    manifest["checksum"] = checksum(manifest)
    assert publication(NEXT, manifest, {**manifest, "puzzlemill": "1"}, blind=None, ledger={}, earlier={})["changes"] == [
        "made by Puzzlemill 1, before 0??# Mine?[31m?"
    ]


class Lossy(FolderStore):
    """A store that holds other bytes than it was sent."""

    def hashes(self, commit: str, paths: Sequence[str]) -> Mapping[str, str]:
        return {path: sha if path != "scorer.zip" else "0" * 64 for path, sha in super().hashes(commit, paths).items()}


def test_what_the_store_lost_is_not_tagged(tmp_path: Path, out: Path) -> None:
    with pytest.raises(BadFile, match=r"holds other bytes of scorer\.zip, so nothing is tagged"):
        publish(OPEN, Lossy(tmp_path / "repo"), out)
    assert FolderStore(tmp_path / "repo").tags() == {}
    assert publish(OPEN, FolderStore(tmp_path / "repo"), out).state == TAGGED


def test_what_the_store_lost_is_told_by_whoever_comes_next(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """A commit that was spoilt gets its tag, or passes for published, where somebody else was stopped or was quicker."""
    lossy = Lossy(tmp_path / "repo")

    def overtake(number: int, call: str) -> None:
        if call == "commit" and number % 2 == 0:
            with pytest.raises(BadFile, match=r"other bytes of scorer\.zip"):
                publish(OPEN, lossy, Path(shutil.copytree(out, tmp_path / "other")))

    with pytest.raises(BadFile, match=r"other bytes of scorer\.zip"):
        publish(OPEN, Watched(lossy, overtake), out)
    for made in (OPEN, NEXT):  # its own maker again, and the next release
        assert "holds other bytes of scorer.zip" in refused(made, lossy, out)
    assert lossy.tags() == {}
    publish(OPEN, store, out)
    assert "holds other bytes of scorer.zip" in refused(OPEN, lossy, out)


def test_blind_rows_that_do_not_verify_are_not_published(
    store: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubtful(folder: Path, tell: Callable[[str], None], **more: Any) -> Any:
        if folder.name.startswith("blind-"):
            tell("sudoku-1: status: is unique, but it has 2 answers")
        return verify(folder, tell, **more)

    monkeypatch.setattr(module, "verify", doubtful)
    assert "nothing is published, since verifying found sudoku-1: status" in refused(BLIND, store, tmp_path / "out", TWO)


def test_what_does_not_verify_is_not_published(store: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def doubtful(folder: Path, tell: Callable[[str], None], **more: Any) -> Any:
        tell("sudoku-1: status: is unique, but it has 2 answers")
        return verify(folder, tell, **more)

    monkeypatch.setattr(module, "verify", doubtful)
    for _ in range(2):
        assert "nothing is published, since verifying found sudoku-1: status" in refused(OPEN, store, tmp_path / "out")


def test_rows_that_cannot_be_proved_again_are_not_published(
    store: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spent budget passes for a proof."""
    monkeypatch.setattr(module, "verify", lambda *_, **__: Report(rows=10, files=8, proved=9, undecided=1, problems=0))
    assert "nothing is published, since 1 row could not be proved again" in refused(OPEN, store, tmp_path / "out")


def test_another_engine_verifies(store: FolderStore, out: Path) -> None:
    told: list[str] = []
    release(OPEN, store, out, engine="sat", show=told.append)
    assert told[-1] == "verify open: 0 problems: 8 files, 10 rows, 8 proved again, 2 not decided"  # moves are none of SAT's


def test_no_room(store: FolderStore, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    publish(OPEN, store, out)
    with monkeypatch.context() as patched:
        patched.setattr("puzzlemill.publish.store.copyfile", full)
        assert "No space left on device; free some room" in refused(NEXT, store, out)
    with monkeypatch.context() as patched:
        patched.setattr(module, "write_segment", full)
        assert "No space left on device; free some room" in refused(NEXT, store, out)
    assert publish(NEXT, store, out).state == PUBLISHED


# ---- blind ------------------------------------------------------------------------------------------------------------


def test_nothing_that_is_published_tells_blind_rows(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """The secret, its word, or a row of the blind split lies in the open."""
    publish(OPEN, store, out)
    outcome = publish(BLIND, store, out, TWO)
    block = outcome.manifest["publication"]["blind"]
    assert (block["splits"], block["rows"], block["groups"]) == (["test"], 4, 2)
    hidden = hidden_of(outcome)
    assert hidden.stat().st_mode & 0o077 == 0
    rows_hidden = list(rows(open_release(hidden)))
    assert block["files"] == {
        "data/sudoku/test-00000-of-00001.parquet": open_release(hidden).files[next(iter(block["files"]))].sha256
    }
    forbidden = [TWO, TWO.hex().encode(), BLIND.blind_recipe(TWO).seed.encode()]
    forbidden += [row[name].encode() for row in rows_hidden for name in ("id", "canonical_key", "puzzle", "group_id")]
    forbidden += [bytes.fromhex(row["canonical_key"].split(":")[-1]) for row in rows_hidden]
    for name, content in snapshot(tmp_path / "repo" / BLIND.version).items():
        assert not [one for one in forbidden if one in content], name
    assert {row["split"] for row in rows(open_release(tmp_path / "repo" / "latest")) if row["family"] == "sudoku"} == {"train"}
    # small classes cannot be kept back: there are too few of them
    assert {row["split"] for row in rows(open_release(tmp_path / "repo" / "latest")) if row["family"] == "hanoi"} == {
        "train",
        "test",
    }


def test_revealed_rows_are_those_that_were_committed_to(store: FolderStore, tmp_path: Path, out: Path) -> None:
    hidden = hidden_of(publish(BLIND, store, out, TWO))
    before = snapshot(tmp_path / "repo")
    with pytest.raises(BadParams, match="is not revealed yet; name the file with its secret"):
        reveal(store, BLIND.version, tmp_path / "r0")
    with pytest.raises(BadParams, match=r"is not the one that .* was made with") as told:
        reveal(store, BLIND.version, tmp_path / "r0", secret=THREE, dry_run=False)
    assert THREE.hex() not in str(told.value)
    outcome = reveal(store, BLIND.version, tmp_path / "r1", secret=TWO)
    assert outcome.state == DRY and outcome.staged is not None
    assert outcome.staged.folder.parent.stat().st_mode & 0o077 == 0, "others can read rows and secret before they are revealed"
    assert snapshot(tmp_path / "repo") == before
    assert reveal(store, BLIND.version, tmp_path / "r1", secret=TWO, dry_run=False).state == PUBLISHED
    shown = tmp_path / "repo" / f"{BLIND.version}-revealed" / "revealed" / BLIND.version
    data = "data/sudoku/test-00000-of-00001.parquet"
    assert (shown / data).read_bytes() == (hidden / data).read_bytes()
    assert verify(shown, print, further=published).problems == 0
    assert verify(tmp_path / "repo" / "latest", print, further=published).problems == 0
    said = (shown / "README.md").read_text()
    assert f'data_dir="revealed/{BLIND.version}/data/sudoku", revision="{BLIND.version}-revealed"' in said
    if hasattr(os, "mkfifo"):  # a pipe in a release that came from somebody else is read for ever
        copy = Path(shutil.copytree(shown, tmp_path / "copy"))
        for name, told in (("secret.txt", "secret.txt: missing, or no file"), (data, f"{data}: ")):
            (copy / name).unlink()
            os.mkfifo(copy / name)
            problems: list[str] = []
            verify(copy, problems.append, further=published)
            assert any(told in problem for problem in problems), problems
        with pytest.raises(BadFile, match="is no file"):
            list(rows(open_release(copy)))
    # anybody can do it now, with nothing but what is published
    assert reveal(store, BLIND.version, tmp_path / "r3").state == DRY
    after = snapshot(tmp_path / "repo")
    assert reveal(store, BLIND.version, tmp_path / "r3", dry_run=False).state == STANDING
    assert publish(BLIND, store, tmp_path / "o", TWO).state == STANDING
    assert snapshot(tmp_path / "repo") == after


def test_what_there_is_to_reveal(store: FolderStore, tmp_path: Path, out: Path) -> None:
    """A version that is not there, or has nothing hidden, ends in a traceback or in another one's rows."""
    with pytest.raises(BadFile, match=r"has no release 'none'; it has none"):
        reveal(store, "none", tmp_path / "r")
    publish(BLIND, store, out, TWO)
    lines: list[str] = []
    reveal(store, BLIND.version, tmp_path / "r", secret=TWO, dry_run=False, show=lines.append)
    assert re.fullmatch(r"\d+ rows made again: the same bytes as were committed to, in 1 file", lines[0])
    with pytest.raises(BadFile, match=f"has no release '2020-01-00000000'; it has {BLIND.version}$"):
        reveal(store, "2020-01-00000000", tmp_path / "r", secret=TWO)
    other = f"{BLIND.version[:-1]}{int(BLIND.version[-1] == '0')}"
    for changes, where, told in (
        ({"version": other}, "", f"the tag {BLIND.version} stands on the release {other}; restore it"),
        ({"blind": None}, "", f"{BLIND.version} has no blind rows, so there is nothing to reveal"),
        ({"version": other}, "revealed/", f"revealed/{BLIND.version}/ holds what belongs to {other}; restore it"),
    ):
        with pytest.raises(BadFile, match=told):
            reveal(Altered(store, changes, where), BLIND.version, tmp_path / "r", secret=TWO, dry_run=False)
    # what was revealed stays so where later commits hold it no more
    assert reveal(Shorter(store, lambda *_: None), BLIND.version, tmp_path / "r", dry_run=False).state == STANDING


class Altered(Watched):
    """A store whose manifests, in this folder, state something else of their publication."""

    def __init__(self, store: Store, changes: Mapping[str, Any], where: str) -> None:
        super().__init__(store, lambda *_: None)
        self.changes, self.where = changes, where

    def fetch(self, path: str, commit: str, to: Path) -> None:
        self.store.fetch(path, commit, to)
        manifest = json.loads(to.read_text())
        if path.startswith(self.where):
            manifest["publication"].update(self.changes)
        manifest["checksum"] = checksum(manifest)
        to.write_text(manifest_text(manifest))


class Shorter(Watched):
    """A store whose newest commit has no revealed rows."""

    def head(self) -> Any:
        head = self.store.head()
        assert head is not None
        return replace(head, files={path: sha for path, sha in head.files.items() if "reveal" not in path})


def test_bytes_that_differ_tell_which_versions_do(
    store: FolderStore, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever rebuilds with another pyarrow gets other bytes, and must be told that this is all there is to it."""
    publish(BLIND, store, out, TWO)
    monkeypatch.setattr("puzzlemill.factory.writer.ROW_GROUP", 1)
    with pytest.raises(BadFile, match=r"is not what was committed to.*the software is the same; use the versions that"):
        reveal(store, BLIND.version, tmp_path / "r", secret=TWO)
    monkeypatch.setattr("puzzlemill.factory.writer.metadata.version", lambda name: "0.1")
    with pytest.raises(BadFile, match=r"here is .*pyarrow 0\.1, then [0-9.]+"):
        reveal(store, BLIND.version, tmp_path / "r", secret=TWO)
    manifest = json.loads((tmp_path / "repo" / BLIND.version / "manifest.json").read_text())
    with pytest.raises(BadFile, match=r"then [0-9.]+; the blind keys of 2026-01-x could not be compared; use"):
        _compare(tmp_path / "r" / BLIND.version / "reveal" / "blind", manifest, ["2026-01-x"])


def test_a_reveal_is_stopped_at_every_call_and_given_again(store: FolderStore, tmp_path: Path, out: Path) -> None:
    publish(BLIND, store, out, TWO)
    work = tmp_path / "r"

    def show(at: Store) -> Outcome:
        return reveal(at, BLIND.version, work, secret=TWO, dry_run=False)

    watched = Watched(FolderStore(Path(shutil.copytree(store.name, tmp_path / "whole", symlinks=True))), stop_at(-1))
    show(watched)
    expected = snapshot(tmp_path / "whole")
    states = []
    for at in range(watched.count):
        place = Path(shutil.copytree(store.name, tmp_path / f"cut{at}", symlinks=True))
        shutil.rmtree(work / "ledger", ignore_errors=True)
        with pytest.raises(Stopped):
            show(Watched(FolderStore(place), stop_at(at)))
        states.append(show(FolderStore(place)).state)
        assert snapshot(place) == expected, at
    assert [state for i, state in enumerate(states) if not i or states[i - 1] != state] == [PUBLISHED, TAGGED, STANDING]


def test_a_reveal_that_was_stored_wrongly_is_not_tagged(store: FolderStore, tmp_path: Path, out: Path) -> None:
    publish(BLIND, store, out, TWO)

    def stop(number: int, call: str) -> None:
        if call == "tag":
            raise Stopped(call)

    with pytest.raises(Stopped):
        reveal(Watched(store, stop), BLIND.version, tmp_path / "r", secret=TWO, dry_run=False)
    head = store.head()
    assert head is not None
    path = next(path for path in head.files if path.startswith("revealed/") and path.endswith(".parquet"))
    stored = next(Path(store.name).glob(f".commits/**/{path}"))
    stored.write_bytes(stored.read_bytes()[:-1])
    with pytest.raises(BadFile, match=re.escape(path)):
        reveal(store, BLIND.version, tmp_path / "r", secret=TWO, dry_run=False)
    assert set(store.tags()) == {BLIND.version}


def test_a_release_between_reading_and_revealing_does_no_harm(store: FolderStore, tmp_path: Path, out: Path) -> None:
    publish(BLIND, store, out, TWO)
    later = plan(recipe(), "2027-01")
    done: list[str] = []

    def overtake(number: int, call: str) -> None:
        if call == "commit" and number % 2 == 0 and not done:
            done.append(publish(later, store, out, secrets=[TWO]).state)

    assert reveal(Watched(store, overtake), BLIND.version, tmp_path / "r", secret=TWO, dry_run=False).state == PUBLISHED
    assert set(store.tags()) == {BLIND.version, later.version, f"{BLIND.version}-revealed"}
    head = store.head()
    assert head is not None and f"ledger/{later.version}.parquet" in head.files


@pytest.mark.usefixtures("lasting")
def test_later_releases_keep_off_blind_rows(store: FolderStore, tmp_path: Path) -> None:
    """Before they are revealed that takes their secret; after it, nothing."""
    few = {**FEW, "counts": {"train": 8, "test": 8}}
    made = [plan(recipe(parts=[few]), period, ["test"]) for period in ("2026-11", "2026-12", "2027-01")]
    out = tmp_path / "out"
    publish(made[0], store, out, ONE)
    assert "cannot be compared without their secret" in refused(made[1], store, out, TWO)
    assert f"secret: was used for {made[0].version}; every release needs one of its own" in refused(
        made[1], store, out, ONE, secrets=[ONE]
    )
    publish(made[1], store, out, TWO, secrets=[ONE, TWO])  # the folder of all secrets
    reveal(store, made[0].version, tmp_path / "r", secret=ONE, dry_run=False)
    assert "was used for" in refused(made[2], store, out, ONE, secrets=[TWO])
    publish(made[2], store, out, THREE, secrets=[TWO])
    everything = [path for one in made for path in [store_path(store, one.version), *(out / one.version).glob("*/blind-*")]]
    assert len(everything) == 6
    found = [keys(path) for path in everything]
    assert [len(one) for one in found] == [8] * 6 and len(set.union(*found)) == 48
    # whoever rebuilds the second one now has only what is published and its own secret
    assert reveal(store, made[1].version, tmp_path / "r", secret=TWO).state == DRY


def store_path(store: Store, tag: str) -> Path:
    return Path(store.name) / tag


@pytest.mark.parametrize(
    ("blind", "why"),
    [
        (["train"], "train cannot be blind"),
        (["exam"], "the recipe has no split 'exam'; it has test, train"),
    ],
)
def test_what_cannot_be_blind(blind: list[str], why: str) -> None:
    with pytest.raises(BadParams, match=why):
        plan(recipe(), "2026-12", blind)


def test_parts_with_a_small_variant_stay_open() -> None:
    """A blind row equals an open one: the ledger does not hold what is of a small class."""
    large = {"family": "zebra", "params": {"positions": 3, "attributes": 3}, "counts": {"test": 9}}
    part = {**large, "variants": [{"name": "looser", "transforms": ["looser_clues"]}]}
    other = [{"name": "implication", "transforms": ["implication"]}]
    made = plan(recipe(parts=[part, {**large, "variants": other}, SUDOKU]), "2026-12", ["test"])
    hidden = [(one.family, [variant.name for variant in one.variants]) for one in made.blind_recipe(ONE).strata]
    assert hidden == [("zebra", ["implication"]), ("sudoku", ["letters"])]
    assert ("zebra", (("test", 9),)) in [(one.family, one.counts) for one in made.open.strata]


def test_parts_with_few_answers_stay_open() -> None:
    """The open part is dealt answers without knowing which ones blind rows have."""
    few = {**SUDOKU, "params": {"size": 6}}
    made = plan(recipe(parts=[few, SUDOKU]), "2026-12", ["test"])
    assert [one.params[0] for one in made.blind_recipe(ONE).strata] == [("size", (8,))]
    with pytest.raises(BadParams, match="cannot be kept back"):
        plan(recipe(parts=[few]), "2026-12", ["test"])


def test_small_classes_alone_cannot_be_blind() -> None:
    with pytest.raises(BadParams, match="are of small classes or have few answers, which cannot be kept back"):
        plan(recipe(parts=[TOWERS]), "2026-12", ["test"])
    with pytest.raises(BadParams, match="no split is left to publish"):
        plan(recipe(parts=[{**SUDOKU, "counts": {"test": 2}}]), "2026-12", ["test"])


@pytest.mark.parametrize("period", ["", "2026/12", "-1", "2026-", "2026--12", "Dec", "..", "x" * 33, "2026-12\n"])
def test_periods_that_are_no_names(period: str) -> None:
    with pytest.raises(BadParams, match="period: expected lower-case letters, digits and single dashes"):
        plan(recipe(), period)


def test_secrets_that_fit_nothing(store: FolderStore, out: Path) -> None:
    assert "secret: missing; blind splits need one" in refused(BLIND, store, out)
    assert "secret: of no use without blind splits" in refused(OPEN, store, out, ONE)


def test_versions_tell_recipe_families_and_blind_splits_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two different releases would have one tag."""
    others = [
        plan(recipe(), "2026-12"),
        plan(recipe(), "2026-12", ["test"]),
        plan(recipe(parts=[SUDOKU]), "2026-12"),
        plan(recipe(name="other"), "2026-12"),
    ]
    assert len({one.version for one in others}) == 4
    assert plan(recipe(seed="other"), "2026-12").version == others[0].version
    monkeypatch.setattr(type(family_named("sudoku")), "version", 99)
    assert plan(recipe(), "2026-12").version != others[0].version
    assert others[0].open.seed == "w/2026-12" and others[1].blind_recipe(ONE).seed != others[1].blind_recipe(TWO).seed


# ---- the commands -----------------------------------------------------------------------------------------------------

SMALL = (
    "recipe=quick",
    *(f"~strata.{name}" for name in sorted(set(compose(["release=quick"])["strata"]) - {"sudoku_9", "hanoi_3"})),
    "strata.sudoku_9.variants=[]",
)


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["secret", "one.secret"]) == 0
    assert (tmp_path / "one.secret").stat().st_mode & 0o777 == 0o600
    text = (tmp_path / "one.secret").read_text().strip()
    assert text not in capsys.readouterr().out
    command = ["release", *SMALL, "period=2026-12", "repo=./repo", "blind=[test]", "secret=one.secret", "workers=1"]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    assert "  + manifest.json  " in told and told.splitlines()[-1].endswith("dry_run=false publishes it in repo")
    assert not (tmp_path / "repo").exists()
    assert cli.main([*command, "dry_run=false"]) == 0
    (tag,) = FolderStore(tmp_path / "repo").tags()
    assert capsys.readouterr().out.splitlines()[-1] == f"{tag}: 19 rows, published, in repo/{tag}"
    assert cli.main(["reveal", "repo=./repo", f"version={tag}", "secret=one.secret", "workers=1", "dry_run=false"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{tag}-revealed: 4 rows, published, in repo/{tag}-revealed"


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["period=2026-12", "repo=./r"], "recipe: missing"),
        (["recipe=quick", "repo=./r"], "period: missing"),
        (["recipe=quick", "period=2026-12"], "repo: missing"),
        (
            ["recipe=nothing", "period=2026-12", "repo=./r"],
            "unknown release 'nothing'; known: asks, gridpuzzle, gridpuzzle_train, hardcorelogic, hardcorelogic_balanced,",
        ),
        (["recipe=quick", "period=2026-12", "repo=r"], "repo: expected org/name for the Hub, or a folder that begins with ./"),
        (["recipe=quick", "period=2026-12", "repo=a/b/c"], "repo: expected org/name for the Hub"),
        (["recipe=quick", "period=2026-12", "repo=here/r"], "write ./here/r for the folder"),
        (["recipe=quick", "period=2026-12", "repo=./r", "dry_run=perhaps"], "dry_run: expected true or false"),
        (["recipe=quick", "period=2026-12", "repo=./r", "repo=./s"], "repo: is given twice"),
        (["recipe=quick", "period=2026-12", "repo=./r", "blind=[test]"], "secret: missing; blind splits need one"),
        (["recipe=quick", "period=2026-12", "repo=./r", "blind=[test]", "secret=none"], "none: the secret cannot be read"),
        (["recipe=quick", "period=2026-12", "repo=./r", "secrets=none"], "secrets: none: No such file"),
        (["recipe=quick", "period=2026-12", "repo=./r", "nonsense=1"], "there is no such setting here"),
        (["recipe=quick", "period=2026-12", "repo=./here"], "holds 'r' and is no repository of releases"),
    ],
)
def test_what_the_command_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here" / "r").mkdir(parents=True)
    assert cli.main(["release", *settings]) == 2
    told = capsys.readouterr().err
    assert why in told and told.startswith("error: ") and told.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"here"}
