"""HubStore, beyond what every store does (test_stores.py): call by call, and every way in which the calls can fail."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hub_client import READER, REPO, TOKEN, chain_text, store_of
from hub_server import Fault, HubServer, Kind

from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.publish.hub import HubStore
from puzzlemill.publish.store import Head, Moved

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's use of httpx2
CARD = "---\nlicense: mit\n---\n# Puzzles\n"
COMMIT = r"POST .*/commit/"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A release in small: LFS files and others."""
    made = {
        "README.md": CARD.encode(),
        "manifest.json": b'{"checksum": ""}',
        "data/sudoku/test-00000-of-00001.parquet": b"PAR1" + bytes(range(256)) * 40 + b"PAR1",
        "scorer.zip": b"PK\x03\x04scorer",
        "ledger/2026-12-00000000.parquet": b"PAR1ledgerPAR1",
    }
    found = {}
    for name, content in made.items():
        path = tmp_path / "release" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        found[name] = path
    return found


def hashes_of(files: dict[str, Path]) -> dict[str, str]:
    return {name: sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def published(store: HubStore, files: dict[str, Path]) -> str:
    store.create(private=False)
    return store.commit(files, [], None, "first")


# ---- what works -----------------------------------------------------------------------------------------------------------


def test_a_repository_is_made_once(store: HubStore, server: HubServer) -> None:
    store.create(private=True)
    store.create(private=True)
    assert server.repos[REPO].private
    assert server.calls.count("POST /api/repos/create") == 1


def test_a_commit_holds_all_files_and_is_read_back(store: HubStore, server: HubServer, files: dict[str, Path]) -> None:
    """Parquet and archives go over LFS, of which the listing has the hash; of small files it has git's name only."""
    commit = published(store, files)
    large = {name: told if name.endswith((".parquet", ".zip")) else "" for name, told in hashes_of(files).items()}
    assert store.head() == Head(commit, large)
    assert store.hashes(commit, [*files, "no/such.file"]) == hashes_of(files)
    assert server.repos[REPO].history()[:-1] == [commit]  # beside the Hub's own


def test_nothing_is_fetched_by_halves(store: HubStore, server: HubServer, files: dict[str, Path], tmp_path: Path) -> None:
    """A file comes whole, with the content that is listed, or not at all; nothing else is left in the folder."""
    commit = published(store, files)
    data = "data/sudoku/test-00000-of-00001.parquet"
    into = tmp_path / "into" / "file.parquet"
    into.parent.mkdir()
    server.faults = [Fault("cut", f"GET .*{data}")]
    store.fetch(data, commit, into)  # the client goes on where it was cut
    assert into.read_bytes() == files[data].read_bytes()
    into.unlink()
    server.faults = [Fault("garbage", f"GET .*{data}", times=99)]
    with pytest.raises(BadFile, match=data):
        store.fetch(data, commit, into)
    with pytest.raises(BadFile, match="is not in commit"):
        store.fetch("no/such.file", commit, into)
    assert list(into.parent.iterdir()) == []


def test_another_content_than_listed_is_refused(
    store: HubStore, server: HubServer, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server or a proxy that hands out other bytes of the same length, or without end."""
    commit = published(store, files)
    resolve = HubServer.resolve
    times = 1

    def forged(*args: object) -> object:
        reply = resolve(*args)  # type: ignore[arg-type]
        return reply._replace(body=reply.body[::-1] * times)

    import hub_server

    monkeypatch.setattr(hub_server, "ROUTES", [(m, p, forged if call is resolve else call) for m, p, call in hub_server.ROUTES])
    for longer in (1, 2_000):
        times = longer
        for name in ("manifest.json", "scorer.zip"):
            with pytest.raises(BadFile, match="another content"):
                store.fetch(name, commit, tmp_path / "file")
        assert store.hashes(commit, [*files]) == dict.fromkeys(files, "")
    assert list(tmp_path.iterdir()) == [tmp_path / "release"]


@pytest.mark.parametrize("path", ["../../etc/cron.d/x", "/etc/passwd", "a/../../b", "a\\..\\b", "a//b", "a/\x1b[31m"])
def test_a_listing_cannot_name_files_elsewhere(store: HubStore, server: HubServer, files: dict[str, Path], path: str) -> None:
    """What is listed may be fetched into a folder under its name."""
    from hub_server import Blob

    published(store, files)
    repo = server.repos[REPO]
    repo.add(repo.main, "evil", {path: Blob(b"x", False)})
    with pytest.raises(BadFile, match="which is no path"):
        store.head()


def test_gates_and_privacy(server: HubServer, files: dict[str, Path]) -> None:
    """A gated repository is made gated, once; who may read one that is there is its owner's affair."""
    store = store_of(server, gated="manual")
    store.create(private=False)
    store.create(private=False)
    assert server.repos[REPO].gated == "manual"
    assert sum(call.endswith("/settings") for call in server.calls) == 1
    store.create(private=True)
    assert not server.repos[REPO].private
    commit = store.commit(files, [], None, "first")
    with pytest.raises(BadFile, match="gated, and this account was not let in"):
        store_of(server, token=READER).fetch("README.md", commit, files["README.md"].with_name("copy"))


# ---- faults: exactly one commit, exactly one tag ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["before", "after", "drop before", "drop after", "garbage", "wrong JSON", "cut"])
@pytest.mark.parametrize("status", [500, 503, 429, 409])
def test_a_commit_is_made_once_whatever_the_answer(
    store: HubStore, server: HubServer, files: dict[str, Path], kind: Kind, status: int
) -> None:
    """The client does not repeat this call, and we must not repeat it blindly: two commits, or none, of one release."""
    if status != 503 and kind not in ("before", "after"):
        return
    store.create(private=False)
    server.faults = [Fault(kind, COMMIT, status=status)]
    commit = store.commit(files, [], None, "first")
    assert server.repos[REPO].history()[0] == commit
    assert len(server.repos[REPO].history()) == 2
    assert store.hashes(commit, [*files]) == hashes_of(files)


@pytest.mark.parametrize("kind", ["before", "after", "drop before", "drop after"])
def test_a_tag_is_set_once_whatever_the_answer(store: HubStore, server: HubServer, files: dict[str, Path], kind: Kind) -> None:
    """As for commits; 409 on the second try means that the first one did it."""
    commit = published(store, files)
    server.faults = [Fault(kind, r"POST .*/tag/")]
    store.tag("v1", commit, "first")
    assert server.repos[REPO].tags == {"v1": commit}


def test_a_stale_parent_that_is_none(store: HubStore, server: HubServer, files: dict[str, Path]) -> None:
    """412 though nobody has published: said once, the commit is made on the second try; said always, it is Moved."""
    store.create(private=False)
    server.faults = [Fault("before", COMMIT, status=412, text="A commit has happened since.")]
    first = store.commit(files, [], None, "first")
    server.faults = [Fault("before", COMMIT, status=412, text="A commit has happened since.", times=99)]
    with pytest.raises(Moved):
        store.commit({}, ["scorer.zip"], first, "second")
    assert server.repos[REPO].history()[0] == first


def test_the_same_release_by_another_is_ours_too(store: HubStore, server: HubServer, files: dict[str, Path]) -> None:
    """Two runs of one release: the second finds the files that it would have made, and goes on to the tag."""
    store.create(private=False)
    first = store_of(server).commit(files, [], None, "theirs")
    server.repos[REPO].main = server.repos[REPO].history()[1]
    base = server.repos[REPO].main
    server.repos[REPO].main = first
    assert store.commit(files, [], base, "ours") == first


CALLS: dict[str, Callable[[HubStore, str, dict[str, Path]], object]] = {
    "head": lambda store, commit, files: store.head(),
    "tags": lambda store, commit, files: store.tags(),
    "fetch": lambda store, commit, files: store.fetch("scorer.zip", commit, files["scorer.zip"].with_name("copy")),
    "hashes": lambda store, commit, files: store.hashes(commit, ["README.md", "scorer.zip"]),
    "ready": lambda store, commit, files: store.ready(),
    "create": lambda store, commit, files: store.create(private=False),
    "commit": lambda store, commit, files: store.commit({}, ["scorer.zip"], commit, "second"),
    "tag": lambda store, commit, files: store.tag("v1", commit, "first"),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", ["before", "drop before", "garbage", "wrong JSON"])
def test_a_fault_that_passes_is_waited_for(server: HubServer, files: dict[str, Path], call: str, kind: Kind) -> None:
    """One fault at the first call: the second try does it."""
    commit = published(store_of(server), files)
    server.faults = [Fault(kind)]
    CALLS[call](store_of(server), commit, files)
    assert server.faults[0].seen > 1


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", ["before", "drop before", "garbage", "wrong JSON"])
def test_a_fault_that_stays_is_one_line(
    server: HubServer,
    files: dict[str, Path],
    call: str,
    kind: Kind,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No traceback of the client, and nothing of the token: not in the error, its chain, the logs or the output."""
    caplog.set_level(logging.DEBUG)
    commit = published(store_of(server), files)
    server.faults = [Fault(kind, times=10_000, text=f"no: Authorization: Bearer {TOKEN}\n\x1b[2Jtoken {TOKEN}")]
    with pytest.raises(BadInput) as caught:
        CALLS[call](store_of(server), commit, files)
    told = str(caught.value)
    assert told.startswith(f"{REPO}: ")
    assert told.isprintable()
    assert len(told) < 500
    out = capfd.readouterr()
    assert TOKEN not in chain_text(caught.value) + out.out + out.err + caplog.text
    assert TOKEN in server.tokens  # it was sent


@pytest.mark.parametrize("call", CALLS)
def test_a_web_page_is_named(server: HubServer, files: dict[str, Path], call: str) -> None:
    """A proxy or a hotel's network answers 200 with a page of its own, whatever is asked."""
    commit = published(store_of(server), files)
    server.faults = [Fault("garbage", times=10_000)]
    with pytest.raises(BadFile, match=r"a web page \(text/html\) came from 127.0.0.1 in the place .* NO_PROXY"):
        CALLS[call](store_of(server), commit, files)


@pytest.mark.parametrize("call", ["fetch", "hashes"])
def test_a_web_page_in_the_place_of_a_file_is_named(server: HubServer, files: dict[str, Path], call: str) -> None:
    """A filter that lets the Hub's calls pass and holds archives back."""
    commit = published(store_of(server), files)
    server.faults = [Fault("garbage", "GET .*/resolve/.*scorer.zip", times=10_000)]
    with pytest.raises(BadFile, match=r"a web page \(text/html\) came from 127.0.0.1"):
        CALLS[call](store_of(server), commit, files)


# ---- bad input ---------------------------------------------------------------------------------------------------------------


def closed_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


@pytest.mark.parametrize(
    ("token", "says"),
    [
        (None, "there is no token; set HF_TOKEN"),
        (False, "there is no token; set HF_TOKEN"),
        ("hf_wrongwrongwrong", "the token is refused (HTTP 401)"),
        (READER, "no permission (HTTP 403)"),
    ],
)
def test_tokens_that_will_not_do(server: HubServer, files: dict[str, Path], token: str | bool | None, says: str) -> None:
    """Each says what to do; nothing is created, committed or tagged."""
    store = store_of(server, token=token)
    with pytest.raises(BadFile) as caught:
        store.create(private=False)
    assert says in str(caught.value)
    assert server.repos == {}
    commit = published(store_of(server), files)
    for write in (store.ready, lambda: store.commit({}, ["scorer.zip"], commit, "x"), lambda: store.tag("v1", commit, "x")):
        with pytest.raises(BadFile) as caught:
            write()
        assert says in str(caught.value)
        assert not isinstance(token, str) or token not in chain_text(caught.value)
    assert server.repos[REPO].history()[0] == commit
    assert server.repos[REPO].tags == {}


def test_ready_is_silent_where_writing_is_allowed_or_cannot_be_asked(store: HubStore, server: HubServer) -> None:
    """Before there is a repository, where there is one, and on a server that has no call for the question."""
    store.ready()
    assert server.repos == {}
    store.create(private=False)
    store.ready()
    server.faults = [Fault("before", "GET .*/auth-check", status=404)]
    store.ready()
    assert server.faults[0].seen == 1


def test_a_private_repository_looks_missing_to_others(server: HubServer, files: dict[str, Path]) -> None:
    """The Hub says 404 to those who may not see it, and 401 without a token: the line says both readings."""
    store_of(server).create(private=True)
    assert store_of(server, token=READER).head() is None
    with pytest.raises(BadFile, match="it is private, or there is none of this name"):
        store_of(server, token=False).head()
    with pytest.raises(BadFile, match=r"no permission|cannot be seen"):
        store_of(server, token=READER).create(private=True)


def test_network_gone(files: dict[str, Path], server: HubServer) -> None:
    """A closed port: one line with the address."""
    address = closed_port()
    store = HubStore(REPO, endpoint=address, token=TOKEN, wait=lambda seconds: None)
    for call in CALLS.values():
        with pytest.raises(BadFile, match=f"no answer from {address}"):
            call(store, "0" * 40, files)


def test_a_server_that_says_nothing(server: HubServer) -> None:
    """The client alone would wait for ever."""
    server.faults = [Fault("hang", times=99)]
    store = HubStore(REPO, endpoint=server.url, token=TOKEN, wait=lambda seconds: None, patience=0.05)
    with pytest.raises(BadFile, match="no answer from"):
        store.head()


@pytest.mark.parametrize(
    "settings",
    [
        {"name": "puzzles"},
        {"name": "a/b/c"},
        {"name": "org/../other"},
        {"name": "org/x.git"},
        {"name": "org/pu zzles"},
        {"name": REPO, "gated": "often"},
        {"name": REPO, "endpoint": "ftp://example.org"},
        {"name": REPO, "endpoint": "https://user:secret@example.org"},
        {"name": REPO, "token": ""},
        {"name": REPO, "token": "hf_secret\nX-Evil: 1"},
        {"name": REPO, "token": "hf_sécret"},
    ],
)
def test_settings_that_cannot_be_used(settings: dict[str, str]) -> None:
    """Refused before anything is sent, without telling a password or token."""
    with pytest.raises(BadParams) as caught:
        HubStore(**settings)  # type: ignore[arg-type]
    assert "secret" not in chain_text(caught.value)
    assert "sécret" not in chain_text(caught.value)


def test_a_repository_that_is_nothing_yet_cannot_be_committed_to(store: HubStore, files: dict[str, Path]) -> None:
    """Without create there is nothing to build on."""
    with pytest.raises(BadFile, match="no such data set"):
        store.commit(files, [], None, "first")


def test_local_files_that_are_gone(store: HubStore, server: HubServer, files: dict[str, Path]) -> None:
    """Named, and nothing is committed."""
    store.create(private=False)
    files["scorer.zip"].unlink()
    with pytest.raises(BadInput, match=r"scorer\.zip"):
        store.commit(files, [], None, "first")
    assert store.head() is None


def test_a_card_that_the_hub_refuses(store: HubStore, server: HubServer, files: dict[str, Path]) -> None:
    """The Hub checks the card's front matter; its reason is told, once."""
    store.create(private=False)
    files["README.md"].write_text("no front matter")
    with pytest.raises(BadFile, match="missing yaml metadata"):
        store.commit(files, [], None, "first")
    assert server.calls.count("POST /api/validate-yaml") == 1


# ---- where tokens come from ---------------------------------------------------------------------------------------------------


def test_a_token_from_the_environment(server: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """token=None leaves it to the client."""
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    store_of(server, token=None).create(private=False)
    assert REPO in server.repos


def test_trusted_publishing(server: HubServer, monkeypatch: pytest.MonkeyPatch, files: dict[str, Path]) -> None:
    """In CI: the job's id token is exchanged for one that writes to this repository; HF_TOKEN is not needed and not used."""
    store_of(server).create(private=False)
    given = "hf_jwt_forThisRepositoryOnly"
    server.user("ci", given, {REPO})
    server.id_tokens["eyJhbGciOi.job-id-token.signature"] = (f"datasets/{REPO}", given)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", f"{server.url}/ci/id-token")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "runner-secret")
    monkeypatch.setenv("HF_OIDC_RESOURCE", f"datasets/{REPO}")
    monkeypatch.setenv("HF_TOKEN", READER)
    store = store_of(server, token=None)
    store.create(private=False)
    commit = store.commit(files, [], None, "first")
    store.tag("v1", commit, "first")
    assert server.repos[REPO].tags == {"v1": commit}
    assert server.calls.count("POST /oauth/token") == 1


@pytest.mark.parametrize("broken", ["no id token", "no right to ask", "other repository"])
def test_trusted_publishing_that_fails(server: HubServer, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """One line, nothing falls back to another token, and the id token is not told although the server repeats it."""
    monkeypatch.setenv("HF_OIDC_RESOURCE", f"datasets/{REPO}")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    if broken != "no id token":
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
    if broken == "other repository":
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", f"{server.url}/ci/id-token")
        monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "runner-secret")
    with pytest.raises(BadFile, match="trusted publishing") as caught:
        store_of(server, token=None).create(private=False)
    if broken == "no id token":
        assert "HF_OIDC_ID_TOKEN" in str(caught.value)
    assert "eyJ" not in chain_text(caught.value)
    assert "runner-secret" not in chain_text(caught.value)
    assert server.repos == {}
