"""The Hub's client against a server of our own (tests/hub_server.py): no other address is ever asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hub_client import READER, TOKEN, Opened, store_of
from hub_server import HubServer

from puzzlemill.publish.hub import HubStore
from puzzlemill.publish.store import FolderStore


@pytest.fixture(scope="session")
def running() -> Iterator[HubServer]:
    with HubServer() as server:
        server.user("alice", TOKEN, {"org"})
        server.user("bob", READER)
        yield server


@pytest.fixture
def server(running: HubServer, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubServer]:
    """An empty server, and a client that is not logged in, uploads over HTTP, and does not sleep before it asks again."""
    from huggingface_hub import close_session, constants
    from huggingface_hub.utils import _auth, _http

    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_OIDC_RESOURCE", "HF_OIDC_ID_TOKEN", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    home: Path = tmp_path_factory.mktemp("hf")
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(constants, "HF_STORED_TOKENS_PATH", str(home / "tokens"))
    monkeypatch.setattr(constants, "ENDPOINT", running.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", running.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(_auth, "_OIDC_TOKEN_CACHE", None)
    monkeypatch.setattr(
        _http, "time", SimpleNamespace(sleep=lambda seconds: None, time=time.time, monotonic=time.monotonic), raising=True
    )
    running.reset()
    yield running
    running.reset()
    close_session()
    assert running.errors == []


@pytest.fixture
def store(server: HubServer) -> HubStore:
    return store_of(server)


@pytest.fixture(params=["folder", "hub"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """A repository of each kind that is not there yet."""
    if request.param == "folder":
        return lambda: FolderStore(tmp_path / "repo")
    server: HubServer = request.getfixturevalue("server")
    return lambda: store_of(server)
