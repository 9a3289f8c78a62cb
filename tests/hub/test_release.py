"""Releases in every store, and over HTTP with the real clients: read, published again; stopped at every call; raced; refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hub_client import READER, REPO, TOKEN, Opened, chain_text, store_of
from hub_server import Fault, HubServer, Kind
from releases import Shared

from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile
from puzzlemill.factory.read import open_release, rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.publish.hub import HubStore
from puzzlemill.publish.plan import Plan, plan
from puzzlemill.publish.release import DRY, PUBLISHED, STANDING, TAGGED, Outcome, release
from puzzlemill.publish.reveal import reveal
from puzzlemill.publish.store import FolderStore, Moved, Store, TagTaken

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's use of httpx2
PLAIN: dict[str, Any] = {
    "name": "tiny",
    "seed": "hub",
    "strata": [
        {"family": "binario", "params": {"rows": 8, "cols": 8}, "counts": {"test": 1}},
        {"family": "zebra", "params": {"positions": 3, "attributes": 4}, "counts": {"train": 1, "test": 1}},
    ],
}
COMMIT, TAG, CREATE = r"POST .*/commit/", r"POST .*/tag/", "POST /api/repos/create"


def planned(period: str, plain: dict[str, Any] = PLAIN) -> Plan:
    return plan(Recipe.from_plain(plain), period)


DECEMBER, JANUARY = planned("2026-12"), planned("2027-01")


@pytest.fixture(scope="session")
def built(shared: Shared) -> Path:
    """The working folder of two periods, each built once; runs on a copy of it only publish."""

    def build(work: Path) -> None:
        for made in (DECEMBER, JANUARY):
            release(made, FolderStore(work / "store"), work / "out", dry_run=False)

    return shared("periods", build) / "out"


@pytest.fixture
def out(built: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(built, tmp_path / "out"))


@pytest.fixture
def publish(server: HubServer, out: Path) -> Callable[..., Outcome]:
    """Release a plan with what is built already."""

    def run(made: Plan = DECEMBER, store: HubStore | None = None, into: Path = out) -> Outcome:
        return release(made, store or store_of(server), into, dry_run=False, private=False)

    return run


def assert_published_once(server: HubServer, outcome: Outcome, made: Plan = DECEMBER, before: int = 1) -> None:
    """One commit beside those before, one tag on it, and the bytes that are in the folder."""
    repo = server.repos[REPO]
    assert len(repo.history()) == before + 1
    assert repo.tags[made.version] == repo.main == outcome.commit
    assert len(repo.tags) == before
    files = repo.commits[repo.main].files
    manifest = json.loads(files["manifest.json"].content)
    named = {path: entry["sha256"] for path, entry in manifest["files"].items()}
    named |= manifest["publication"]["ledger"] | manifest["publication"]["earlier"]
    assert {path: blob.sha256 for path, blob in files.items() if path not in ("manifest.json", ".gitattributes")} == named


# ---- the whole way ----------------------------------------------------------------------------------------------------

READ = """
import json, sys
from datasets import load_dataset
told = {}
for tag in sys.argv[2:]:
    for family, split in (("binario", "test"), ("zebra", "train"), ("zebra", "test")):
        whole = load_dataset(sys.argv[1], family, revision=tag, split=split)
        stream = load_dataset(sys.argv[1], family, revision=tag, split=split, streaming=True)
        told[f"{tag}/{family}/{split}"] = [[row["id"] for row in whole], [row["id"] for row in stream]]
    told[tag] = sorted(load_dataset(sys.argv[1], "zebra", revision=tag))
print(json.dumps(told))
"""


def test_two_periods_are_published_loaded_streamed_and_compared(server: HubServer, out: Path, tmp_path: Path) -> None:
    """What a user does: publish, load by tag, publish the next period, load both, verify that they share nothing."""
    store = store_of(server)
    versions, kept = [], {}
    for made in (DECEMBER, JANUARY):
        outcome = release(made, store, out, dry_run=False, private=True)
        assert outcome.state == PUBLISHED
        assert_published_once(server, outcome, made, before=len(versions) + 1)
        versions.append(made.version)
        folder = kept[made.version] = tmp_path / made.version
        for path in store.head().files:  # type: ignore[union-attr]
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            store.fetch(path, outcome.commit, folder / path)
    home = tmp_path / "home"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_HOME": str(home),
        "HF_ENDPOINT": server.url,
        "HF_TOKEN": TOKEN,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", READ, REPO, *versions], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    for version, folder in kept.items():
        opened = open_release(folder)
        assert told.pop(version) == ["test", "train"]
        for family, split in (("binario", "test"), ("zebra", "train"), ("zebra", "test")):
            ids = [row["id"] for row in rows(opened) if (row["family"], row["split"]) == (family, split)]
            assert told.pop(f"{version}/{family}/{split}") == [ids, ids]
            assert ids
    assert told == {}
    assert any(re.search(r"GET .*/resolve/.*parquet", call) for call in server.calls)
    keys = [{row["canonical_key"] for row in rows(open_release(folder))} for folder in kept.values()]
    assert not keys[0] & keys[1]
    publication = open_release(kept[versions[1]]).manifest["publication"]
    assert publication["previous"] == versions[0]
    assert set(publication["earlier"]) == {f"ledger/{versions[0]}.parquet"}
    files = server.repos[REPO].commits[server.repos[REPO].main].files
    assert all(f"ledger/{version}.parquet" in files for version in versions)


@pytest.mark.slow
def test_blind_rows_are_kept_back_and_revealed(server: HubServer, tmp_path: Path) -> None:
    """The secret and the rows drawn from it are nowhere on the server until they are revealed; then anybody has both."""
    secret = bytes(range(32))
    made = plan(Recipe.from_plain(PLAIN), "2026-12", ["test"])
    store = store_of(server)
    assert release(made, store, tmp_path / "out", secret=secret, dry_run=False).state == PUBLISHED
    repo = server.repos[REPO]

    def everything() -> bytes:
        return b"".join([*(blob.content for blob in repo.commits[repo.main].files.values()), *repo.lfs.values()])

    block = json.loads(repo.commits[repo.main].files["manifest.json"].content)["publication"]["blind"]
    assert block["splits"] == ["test"]
    assert not any("test-" in path for path in repo.commits[repo.main].files)
    assert secret.hex().encode() not in everything()
    server.faults = [Fault("gone after", COMMIT)]
    with suppress(BadFile):
        reveal(store_of(server), made.version, tmp_path / "reveal", secret=secret, dry_run=False)
    server.faults = []
    assert reveal(store_of(server), made.version, tmp_path / "reveal", secret=secret, dry_run=False).state == TAGGED
    assert len(repo.history()) == 3
    assert repo.tags[f"{made.version}-revealed"] == repo.main
    assert secret.hex().encode() in everything()
    shown = {path: blob.sha256 for path, blob in repo.commits[repo.main].files.items()}
    assert {path: shown[f"revealed/{made.version}/{path}"] for path in block["files"]} == block["files"]
    repo.flip(rf"revealed/{made.version}/secret\.txt")
    with pytest.raises(BadFile, match=r"holds other bytes of revealed/.*secret\.txt, though the tag .*-revealed stands on it"):
        reveal(store_of(server), made.version, tmp_path / "reveal", secret=secret, dry_run=False)


def test_doing_it_twice_does_nothing(server: HubServer, publish: Callable[..., Outcome]) -> None:
    """A doubled run of a schedule: no commit, no tag, no upload."""
    assert_published_once(server, publish())
    server.calls.clear()
    again = publish()
    assert again.state == STANDING
    assert_published_once(server, again)
    assert not any(re.match(r"PUT|POST .*/(create|commit|tag|preupload|batch)", call) for call in server.calls)


# ---- in every store ---------------------------------------------------------------------------------------------------


class Stopped(BaseException):
    """The process was killed here."""


def state(store: Store) -> Any:
    """All that a release can change."""
    head = store.head()
    return head, head and store.hashes(head.commit, sorted(head.files)), store.tags()


def refused(made: Plan, store: Store, out: Path) -> str:
    """The one line with which a release is refused; the store must be as it was."""
    before = state(store)
    with pytest.raises(BadFile) as told:
        release(made, store, out, dry_run=False)
    assert state(store) == before and "\n" not in str(told.value)
    return str(told.value)


def test_published_twice_is_published_once(opened: Opened, out: Path, tmp_path: Path) -> None:
    """A doubled run of a schedule makes a second commit."""
    assert release(DECEMBER, opened(), out, dry_run=False).state == PUBLISHED
    before = state(opened())
    for dry in (True, False):
        assert release(DECEMBER, opened(), tmp_path / "elsewhere", dry_run=dry).state == STANDING
    assert state(opened()) == before
    assert not (tmp_path / "elsewhere").exists(), "it was built again for nothing"


def test_a_release_without_its_tag_gets_it_from_the_next_one(opened: Opened, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine died before the tag and never came back: its release would be covered up by the next commit."""

    def stop(*_: Any) -> None:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(type(opened()), "tag", stop)
        with pytest.raises(Stopped):
            release(DECEMBER, opened(), out, dry_run=False)
    head = opened().head()
    assert head is not None and opened().tags() == {}
    told: list[str] = []
    assert release(JANUARY, opened(), out, show=told.append).state == DRY
    assert f"{DECEMBER.version} lacks its tag" in told and opened().tags() == {}
    assert release(JANUARY, opened(), out, dry_run=False).state == PUBLISHED
    assert set(opened().tags()) == {DECEMBER.version, JANUARY.version}
    assert opened().tags()[DECEMBER.version] == head.commit


def test_a_repository_of_another_recipe_or_word(opened: Opened, out: Path) -> None:
    """Its rows would be mixed with ours, or two releases would have one tag."""
    release(DECEMBER, opened(), out, dry_run=False)
    other = refused(planned("2027-01", {**PLAIN, "name": "other"}), opened(), out)
    assert "is the repository of another recipe, 'tiny', not of 'other'; choose another repository" in other
    word = refused(planned("2026-12", {**PLAIN, "seed": "x"}), opened(), out)
    assert "holds a release of another seed; nothing was changed" in word


def test_a_tag_on_another_release(opened: Opened, out: Path) -> None:
    """The tag of this version stands on something else: it is left as it is."""
    commit = release(DECEMBER, opened(), out, dry_run=False).commit
    opened().tag(JANUARY.version, commit, "")  # by hand, on the wrong commit
    told = refused(JANUARY, opened(), out)
    assert f"the tag {JANUARY.version} holds a release of another version" in told and "delete the tag" in told


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("README.txt", "# Mine", "holds 'README.txt' and no manifest.json, so it is no repository of releases"),
        ("manifest.json", "{}", "its manifest.json is not that of a release; choose another repository"),
        ("manifest.json", "[", "its manifest.json is not that of a release; choose another repository"),
        ("manifest.json", '{"files": {}, "content": []}', "was altered: it does not fit its checksum"),
    ],
)
def test_a_repository_of_something_else(opened: Opened, out: Path, tmp_path: Path, path: str, text: str, why: str) -> None:
    """Somebody's data set: nothing in it is touched."""
    (tmp_path / "mine").write_text(text)
    opened().create(private=False)
    opened().commit({path: tmp_path / "mine"}, [], None, "mine")
    assert why in refused(DECEMBER, opened(), out)


# ---- stopped anywhere -------------------------------------------------------------------------------------------------


def stopped_then_again(server: HubServer, publish: Callable[..., Outcome], fault: Fault) -> bool:
    """The network goes at a call and stays away; then the same command is given again. False if there was no such call."""
    server.faults = [fault]
    with suppress(BadFile):  # where the last call was done, nothing more is asked
        publish()
    struck = fault.seen >= fault.nth
    server.faults = []
    outcome = publish()
    assert outcome.state in (PUBLISHED, TAGGED, STANDING)
    assert_published_once(server, outcome)
    return struck


@pytest.mark.parametrize("kind", ["gone before", "gone after"])
@pytest.mark.parametrize("call", [CREATE, "PUT /lfs/", COMMIT, "POST .*/paths-info/", TAG])
def test_stopped_where_something_changes(server: HubServer, publish: Callable[..., Outcome], kind: Kind, call: str) -> None:
    """Exactly one commit and one tag, however far the first run came."""
    assert stopped_then_again(server, publish, Fault(kind, call))


FAULTS: list[tuple[Kind, int]] = [
    ("gone before", 0),
    ("gone after", 0),
    ("before", 503),
    ("after", 503),
    ("drop after", 0),
    ("garbage", 0),
    ("cut", 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "status"), FAULTS)
def test_a_fault_at_every_call(server: HubServer, publish: Callable[..., Outcome], kind: Kind, status: int) -> None:
    """The same at all of them, reads as well: this run or the next one ends with one commit and one tag."""
    struck = 0
    while stopped_then_again(server, publish, Fault(kind, nth=struck + 1, status=status)):
        struck += 1
        server.reset()
    assert struck > 20


@pytest.mark.parametrize("kind", ["before", "after", "drop after", "garbage"])
@pytest.mark.parametrize("call", [COMMIT, TAG])
def test_a_fault_that_passes_needs_no_second_run(
    server: HubServer, publish: Callable[..., Outcome], kind: Kind, call: str
) -> None:
    """The commit and the tag are the calls that the client does not make again itself."""
    server.faults = [Fault(kind, call)]
    outcome = publish()
    assert outcome.state == PUBLISHED
    assert_published_once(server, outcome)


def test_bytes_that_are_stored_wrongly_are_not_tagged(
    server: HubServer, publish: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the Hub holds is compared before the tag says that it is a release."""
    put = HubServer.lfs_verify

    def spoil(hub: HubServer, token: str, at: Any, *rest: Any) -> Any:
        reply = put(hub, token, at, *rest)
        hub.repos[at["repo"]].lfs[at["oid"]] = b"spoilt"
        return reply

    import hub_server

    monkeypatch.setattr(hub_server, "ROUTES", [(m, p, spoil if call is put else call) for m, p, call in hub_server.ROUTES])
    with pytest.raises(BadFile, match="so nothing is tagged"):
        publish()
    assert server.repos[REPO].tags == {}


STORED = [r"data/binario/.*\.parquet", r"ledger/.*\.parquet", r"scorer\.zip"]


@pytest.mark.parametrize("paths", STORED)
@pytest.mark.parametrize("kept", ["lfs", "git"])
def test_a_bit_that_flips_in_the_store_stops_the_tag(
    server: HubServer, publish: Callable[..., Outcome], paths: str, kept: str
) -> None:
    """Of a stored file the Hub lists what its sender said of it: the bytes must be read. At once, later, and by the next one."""
    server.lfs = server.lfs if kept == "lfs" else ("none",)
    server.faults = [Fault("flip", COMMIT, text=paths)]
    for made in (DECEMBER, DECEMBER, JANUARY):
        with pytest.raises(BadFile, match=f"holds other bytes of {paths}, so nothing is tagged"):
            publish(made)
        assert server.repos[REPO].tags == {} and len(server.repos[REPO].history()) == 2
    server.repos[REPO].flipped.clear()
    outcome = publish()
    assert outcome.state == TAGGED
    assert_published_once(server, outcome)


@pytest.mark.parametrize("paths", STORED)
@pytest.mark.parametrize("kept", ["lfs", "git"])
def test_a_bit_that_flips_under_a_tag_is_not_confirmed(
    server: HubServer, publish: Callable[..., Outcome], paths: str, kept: str
) -> None:
    """A second run says that all is well with a release that nobody can read."""
    server.lfs = server.lfs if kept == "lfs" else ("none",)
    server.faults = [Fault("flip", TAG, text=paths)]
    assert publish().state == PUBLISHED
    with pytest.raises(BadFile, match=f"holds other bytes of {paths}, though the tag {DECEMBER.version} stands on it"):
        publish()
    server.repos[REPO].flipped.clear()
    assert publish().state == STANDING


def test_an_earlier_part_of_the_ledger_is_read_back_too(server: HubServer, publish: Callable[..., Outcome]) -> None:
    """It is part of every later release, and a local copy of it would hide that the stored one is damaged."""
    publish()
    server.faults = [Fault("flip", COMMIT, text=f"ledger/{DECEMBER.version}.parquet")]
    with pytest.raises(BadFile, match=f"holds other bytes of ledger/{DECEMBER.version}.parquet, so nothing is tagged"):
        publish(JANUARY)
    assert set(server.repos[REPO].tags) == {DECEMBER.version}


# ---- two at once ------------------------------------------------------------------------------------------------------


def race(
    server: HubServer, first: Callable[[], Outcome], second: Callable[[], Outcome], meet: str = COMMIT
) -> list[Outcome | BaseException]:
    """Both are brought to their first call of this kind before either is let go on."""
    both = threading.Barrier(2, timeout=60)
    arrived = Counter[int]()

    def hook(call: str) -> None:
        if re.match(meet, call):
            with server.lock:
                arrived["calls"] += 1  # type: ignore[index]
                waits = arrived["calls"] <= 2  # type: ignore[index]
            if waits:
                both.wait()

    server.hook = hook
    ended: list[Outcome | BaseException] = []

    def one(run: Callable[[], Outcome]) -> None:
        try:
            ended.append(run())
        except BaseException as error:
            ended.append(error)
            if not isinstance(error, BadFile):
                raise

    threads = [threading.Thread(target=one, args=(run,)) for run in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    return ended


@pytest.mark.parametrize("meet", [CREATE, COMMIT, TAG])
def test_two_run_the_same_release(
    server: HubServer, built: Path, publish: Callable[..., Outcome], tmp_path: Path, meet: str
) -> None:
    """A doubled schedule: both end well, with one repository, one commit and one tag."""
    other = Path(shutil.copytree(built, tmp_path / "other"))
    ended = race(server, publish, lambda: publish(into=other), meet)
    for outcome in ended:
        assert isinstance(outcome, Outcome), outcome
        assert_published_once(server, outcome)


def test_two_run_different_releases(server: HubServer, built: Path, publish: Callable[..., Outcome], tmp_path: Path) -> None:
    """One wins; the other is told so in one line, and comes second when it is run again."""
    store_of(server).create(private=False)
    other = Path(shutil.copytree(built, tmp_path / "other"))
    ended = race(server, publish, lambda: publish(JANUARY, into=other))
    won = next(one for one in ended if isinstance(one, Outcome))
    lost = next(one for one in ended if not isinstance(one, Outcome))
    assert isinstance(lost, Moved)
    assert "run the same command again" in str(lost)
    first, second = (DECEMBER, JANUARY) if won.version == DECEMBER.version else (JANUARY, DECEMBER)
    assert_published_once(server, won, first)
    server.hook = None
    assert_published_once(server, publish(second), second, before=2)


# ---- refused ----------------------------------------------------------------------------------------------------------


def contents(server: HubServer) -> str:
    """Everything the server holds, to see that nothing changed."""
    return sha256(repr([(repo.main, repo.tags, repo.private) for repo in server.repos.values()]).encode()).hexdigest()


@pytest.mark.parametrize(
    ("token", "says"),
    [(None, "there is no token"), ("hf_wrongwrongwrong", "the token is refused"), (READER, "no permission")],
)
def test_nothing_is_published_without_the_right(
    server: HubServer, publish: Callable[..., Outcome], tmp_path: Path, token: str | None, says: str
) -> None:
    """One line for each; no repository, no commit, no tag."""
    told: list[str] = []
    with pytest.raises(BadFile, match=says) as caught:
        publish(store=store_of(server, token=token))
    assert server.repos == {}
    publish()
    before = contents(server)
    with pytest.raises(BadFile, match=says) as caught:
        publish(JANUARY, store=store_of(server, token=token))
    assert token is None or token not in chain_text(caught.value)
    assert contents(server) == before
    with pytest.raises(BadFile, match=says):
        release(planned("2027-02"), store_of(server, token=token), tmp_path / "none", dry_run=False, show=told.append)
    assert told == []  # it was told before hours of work, not after


def test_a_tag_that_somebody_sets_in_between(server: HubServer, publish: Callable[..., Outcome]) -> None:
    """Between our commit and our tag."""

    def hook(call: str) -> None:
        if re.match(TAG, call):
            repo = server.repos[REPO]
            repo.tags.setdefault(DECEMBER.version, repo.history()[-1])

    server.hook = hook
    remedy = "delete the tag and run the same command again"
    with pytest.raises(TagTaken, match=f"stands on another commit.*{remedy}"):
        publish()
    server.hook = None
    foreign = server.repos[REPO].history()[-1]
    for made in (DECEMBER, planned("2026-12", {**PLAIN, "seed": "x"})):  # whose release it would be makes no difference
        with pytest.raises(BadFile, match=f"the tag {made.version} stands on the commit {foreign[:12]}, which .*{remedy}"):
            publish(made)
    assert server.repos[REPO].tags == {DECEMBER.version: foreign}
    del server.repos[REPO].tags[DECEMBER.version]
    assert publish().state == TAGGED


# ---- as a command -----------------------------------------------------------------------------------------------------

SHORT = ["recipe=quick", "period=2026-12", f"repo={REPO}"]


@pytest.mark.parametrize(
    ("token", "fault", "says"),
    [
        ("hf_wrongwrongwrong", None, "the token is refused (HTTP 401)"),
        (TOKEN, Fault("gone before"), "no answer from"),
        (TOKEN, Fault("garbage", times=10_000), "a web page (text/html) came"),
        (TOKEN, Fault("wrong JSON", times=10_000), "makes no sense"),
        (TOKEN, Fault("before", times=10_000, text=f"broken: {TOKEN}"), "the Hub is in trouble (HTTP 503)"),
    ],
)
def test_the_command_tells_it_in_one_line(
    server: HubServer,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    token: str,
    fault: Fault | None,
    says: str,
) -> None:
    """Exit code 2, one line on standard error; the token is in neither stream. Nothing was built before it was told."""
    monkeypatch.setattr("puzzlemill.publish.hub._pause", lambda seconds: None)
    monkeypatch.setenv("HF_TOKEN", token)
    server.faults = [fault] if fault else []
    assert main(["release", *SHORT, f"out={tmp_path}/work", "dry_run=false"]) == 2
    out = capfd.readouterr()
    errors = [line for line in out.err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert says in errors[0]
    assert token not in out.out + out.err
    assert not (tmp_path / "work").exists()
