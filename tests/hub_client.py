"""What the tests of tests/hub share: who may do what on the server, a store that does not sleep, all that an error could show."""

from __future__ import annotations

from collections.abc import Callable

from hub_server import HubServer

from puzzlemill.publish.hub import HubStore
from puzzlemill.publish.store import Store

TOKEN = "hf_aLiCeSecretToken0123456789"  # may write to "org"
READER = "hf_bObSecretToken0123456789"  # may not
REPO = "org/puzzles"
Opened = Callable[[], Store]  # the same repository, as one more process opens it


def store_of(server: HubServer, name: str = REPO, token: str | bool | None = TOKEN, gated: str | None = None) -> HubStore:
    """A store that does not sleep."""
    return HubStore(name, endpoint=server.url, token=token, gated=gated, wait=lambda seconds: None)


def chain_text(error: BaseException) -> str:
    """All that a traceback or a debugger could show of an error and of what it comes from."""
    seen: list[str] = []
    left: BaseException | None = error
    while left is not None:
        seen += [str(left), repr(left), repr(left.args), repr(vars(left))]
        left = left.__cause__ or left.__context__
    return "\n".join(seen)
