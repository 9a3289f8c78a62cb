"""Data sets on the Hugging Face Hub, or on any server that speaks its calls, as a store of releases (`HubStore`).

The client (`huggingface_hub`, 1.x or 2.x) makes every call. What is added here:

* A commit is made on the head that its maker has seen (`parent_commit`), and never by guessing: the client does not repeat the
  call that makes it, so that after an error or a lost answer the head is read again. Is it ours, we are done; is it the parent
  still, the same call is made again, which cannot do harm, since the Hub refuses a second commit on the same parent.
* What is fetched is compared with the size and hash that the Hub lists for it. What it lists is what the sender said of the file:
  `hashes` reads the files themselves, over plain HTTP, as anybody would who opens them.
* A web page where the Hub's answer was expected is named as one: a proxy or a login page sent it.
* One line for every failure. The client's own exceptions never leave this module, not even as the cause of ours: their requests
  carry the token, and a server's answer may repeat it. Of an answer, one short line is shown, without anything like a token.

Tokens: what `token` is given is used, and nothing else is. None leaves the choice to the client: trusted publishing
(HF_OIDC_RESOURCE), then HF_TOKEN, then what `hf auth login` has saved.

The Hub's own `.gitattributes`, with which it starts every repository, is neither listed by `head` nor touched.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING, Any, TypeVar

import puzzlemill
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.files import in_one_line, whole
from puzzlemill.publish.store import Head, Moved, TagTaken

if TYPE_CHECKING:
    from huggingface_hub import HfApi

log = logging.getLogger(__name__)
Result = TypeVar("Result")

GATES = ("auto", "manual")
TRIES = 3  # of one call, where the failure may pass; the client makes up to six of each that it repeats itself
PATIENCE = 120.0  # seconds without a byte; the client alone would wait for ever
ENTRIES = 100_000  # files in a repository; a listing without end is nonsense
REGULAR = 64 << 20  # bytes; what is larger is LFS, of which the hash is listed
SHOWN = 200  # signs of a server's answer
OWN_FILE = ".gitattributes"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TOKENS = re.compile(r"\b(hf|api)_[\w-]{6,}|[Bb]earer\s+\S+|\beyJ[\w-]{6,}[\w.-]*", re.ASCII)
_TRANSIENT = frozenset({0, 408, 409, 412, 425, 429, 500, 502, 503, 504})  # 0: no answer, or one that makes no sense
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError, RuntimeError)
_BLOCK = 1 << 20


class Refused(BadFile):
    """A call that failed. status: of the answer; 0 without one, or with one that makes no sense. code: the Hub's word for it."""

    def __init__(self, text: str, status: int = 0, code: str = "", passing: bool = False) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.passing = passing


@dataclass(frozen=True, slots=True)
class _File:
    """A file as the Hub lists it. sha256: "" if it is kept in git itself; blob: git's name for it (of LFS's: the pointer)."""

    size: int
    sha256: str
    blob: str


class HubStore:
    """A data set on the Hub: `Store` of publish/store.py.

    name: org/name. endpoint: None for the client's (HF_ENDPOINT). gated: who may read a repository that is not private asks
    first, and is let in at once ("auto") or by hand ("manual"). wait(seconds) is called before a call is made again. patience:
    seconds without a byte after which a call has failed. bars: the client shows how far each file is that is sent.
    """

    def __init__(
        self,
        name: str,
        *,
        endpoint: str | None = None,
        token: str | bool | None = None,
        gated: str | None = None,
        wait: Callable[[float], object] | None = None,
        patience: float = PATIENCE,
        bars: bool = False,
    ) -> None:
        if not _NAME.fullmatch(name) or ".." in name or "--" in name or name.endswith((".git", ".")):
            raise BadParams(f"repo: expected org/name, as on the Hub, or a folder that begins with ./ or /, got {name!r}")
        if gated is not None and gated not in GATES:
            raise BadParams(f"gated: expected {' or '.join(GATES)}, got {gated!r}")
        if endpoint is not None and not re.fullmatch(r"https?://[^\s@/?#]+(/[^\s@?#]*)?", endpoint):
            raise BadParams("endpoint: expected an address like https://huggingface.co, without user or password")
        if isinstance(token, str) and not re.fullmatch(r"[!-~]+", token):
            raise BadParams(
                "token: it is empty, or holds blanks or signs that no token has; copy it again from the Hub's settings"
            )
        self._name = name
        self._endpoint = None if endpoint is None else endpoint.rstrip("/")
        self._token = token
        self._gated = gated
        self._wait = wait if wait is not None else _pause
        self._patience = patience
        self._bars = bars
        self._known: dict[str, dict[str, _File]] = {}  # commit -> path -> what is listed
        self._client: HfApi | None = None

    @property
    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"HubStore({self._name!r})"

    # ---- reading ------------------------------------------------------------------------------------------------------

    def head(self) -> Head | None:
        """The newest commit; None if there is no repository, or one that holds nothing but the Hub's own first file."""
        found = self._head()
        if found is None:
            return None
        commit, files = found
        known = {path: file.sha256 for path, file in files.items() if path != OWN_FILE}
        return Head(commit, known) if known else None

    def tags(self) -> Mapping[str, str]:
        try:
            refs = self._read("read the tags", lambda hub: hub.list_repo_refs(self._name, repo_type="dataset"))
        except Refused as error:
            if _missing(error):
                return {}
            raise
        return {ref.name: self._commit_name(ref.target_commit) for ref in refs.tags}

    def fetch(self, path: str, commit: str, into: Path) -> None:
        listed = self._listed(commit, [path])
        if path not in listed:
            raise BadFile(f"{self._name}: {_shown(path)} is not in commit {_shown(commit)}")
        with in_one_line(into, "free some room and run the same command again"), whole(into) as part, part.open("wb") as file:
            if not self._received(path, commit, listed[path], file):
                raise BadFile(
                    f"{self._name}: {path} came with another content than the Hub lists for it; run the same command again"
                )

    def hashes(self, commit: str, paths: Sequence[str]) -> Mapping[str, str]:
        """SHA-256 of what the Hub hands out, read from the first byte to the last and kept nowhere; "" if it lists another."""
        listed = self._listed(commit, paths, fresh=True)
        return {path: self._received(path, commit, file) for path, file in listed.items()}

    def snapshot(self, revision: str = "") -> Path:
        """The folder in the client's cache with manifest and rows of a revision, the newest for "", fetched if need be."""
        wanted = ["manifest.json", "data/*", "README.md", "scorer.zip", "rows.jsonl.gz"]

        def fetch(hub: HfApi) -> str:
            return hub.snapshot_download(self._name, repo_type="dataset", revision=revision or None, allow_patterns=wanted)

        return Path(self._read("fetch the release", fetch))

    # ---- writing ------------------------------------------------------------------------------------------------------

    def ready(self) -> None:
        """Raise BadFile if there is no token, or the Hub says that it may not write here; one to be made is not asked for."""
        self._needs_token()
        if self._info() is None:
            return
        try:
            self._read("write to it", lambda hub: hub.auth_check(self._name, repo_type="dataset", write=True))
        except Refused as error:
            if not _missing(error):  # a server of the Hub's kind that has no such call
                raise

    def create(self, *, private: bool) -> None:
        """Make the repository unless it is there; one that is there stays as private as it is."""
        self._needs_token()
        info = self._info()
        if info is None:
            self._read(
                "create it",
                lambda hub: hub.create_repo(self._name, repo_type="dataset", private=private, exist_ok=True),
            )
            info = self._info()
            if info is None:
                raise BadFile(f"{self._name}: it was created and cannot be seen; give the token read access to it")
        gated = self._gated
        if gated is not None and info.gated != gated:
            self._read(
                f"make it gated ({gated})",
                lambda hub: hub.update_repo_settings(
                    self._name, repo_type="dataset", gated="auto" if gated == "auto" else "manual"
                ),
            )

    def commit(self, add: Mapping[str, Path], delete: Sequence[str], parent: str | None, message: str) -> str:
        self._needs_token()
        base = self._base(parent)
        failure: Refused | None = None
        for _ in self._tries():
            try:
                made = self._call("commit", lambda hub: self._send(hub, add, delete, base, message))
                return self._commit_name(made)
            except Refused as error:
                if not error.passing:
                    raise
                failure = error
            found = self._head()
            if found is None:
                raise BadFile(f"{self._name}: it is gone; it was there when the commit was begun")
            commit, files = found
            if commit != base:
                if self._is_ours(files, base, add, delete):
                    return commit
                raise Moved(
                    f"{self._name}: somebody else has published in between (the head is {commit[:8]}); run the command again"
                )
        assert failure is not None
        if failure.status in (409, 412):
            raise Moved(f"{self._name}: the Hub says that somebody else has published in between; run the command again")
        raise failure

    def tag(self, name: str, commit: str, message: str) -> None:
        self._needs_token()
        failure: Refused | None = None
        for _ in self._tries():
            try:
                self._call(
                    f"set the tag {name}",
                    lambda hub: hub.create_tag(self._name, repo_type="dataset", tag=name, revision=commit, tag_message=message),
                )
                failure = self._nonsense(f"set the tag {name}", " (it is done, and not there)")
            except Refused as error:
                if not error.passing:
                    raise
                failure = error
            stands = self.tags().get(name)
            if stands == commit or (stands is not None and self._commit_of(name) == commit):
                return
            if stands is not None:
                raise TagTaken(
                    f"{self._name}: the tag {name} stands on another commit, {stands[:8]}, and not on {commit[:8]}: somebody "
                    "else has set it; delete the tag and run the same command again"
                )
        assert failure is not None
        raise failure

    # ---- calls --------------------------------------------------------------------------------------------------------

    def _hub(self) -> HfApi:
        from huggingface_hub import HfApi, get_session

        if self._client is None:
            self._client = HfApi(
                endpoint=self._endpoint, token=self._token, library_name="puzzlemill", library_version=puzzlemill.__version__
            )
        # many of the client's calls say "no time limit" themselves, so that a default of the session would not do
        hooks = get_session().event_hooks
        limit = _Limit(self._patience)
        hooks["request"] = [*(hook for hook in hooks["request"] if not isinstance(hook, _Limit)), limit]
        hooks["response"] = [*(hook for hook in hooks["response"] if hook is not _name_page), _name_page]
        get_session().event_hooks = hooks
        return self._client

    def _call(self, doing: str, call: Callable[[HfApi], Result]) -> Result:
        """One call of the client; whatever it raises ends as one line, without the client's error as its cause or context."""
        try:
            hub = self._hub()
            with nullcontext() if self._bars else _no_bars():
                return call(hub)
        except BadFile:
            raise
        except Exception as error:
            refused = self._refused(doing, error)
            if refused is None:
                raise
        raise refused

    def _read(self, doing: str, call: Callable[[HfApi], Result]) -> Result:
        """A call that does nothing, or the same thing, when it is made twice."""
        for last in self._tries():
            try:
                return self._call(doing, call)
            except Refused as error:
                if not error.passing or last:
                    raise
        raise AssertionError("unreachable")

    def _tries(self) -> Iterator[bool]:
        """A turn for each try of a call, after a wait but for the first; True for the last one."""
        for attempt in range(TRIES):
            if attempt:
                log.info("%s: try %d of %d of a call in %d s", self._name, attempt + 1, TRIES, 2**attempt)
                self._wait(float(2**attempt))
            yield attempt == TRIES - 1

    def _send(self, hub: HfApi, add: Mapping[str, Path], delete: Sequence[str], base: str, message: str) -> str:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        operations: list[CommitOperationAdd | CommitOperationDelete] = [
            *(CommitOperationAdd(path_in_repo=path, path_or_fileobj=str(file)) for path, file in sorted(add.items())),
            *(CommitOperationDelete(path_in_repo=path, is_folder=False) for path in sorted(delete)),
        ]
        made = hub.create_commit(
            self._name, operations, commit_message=message, repo_type="dataset", revision="main", parent_commit=base
        )
        return str(made.oid)

    def _needs_token(self) -> None:
        from huggingface_hub import get_token

        if isinstance(self._token, str):
            return
        if self._token is False or not self._call("find a token", lambda _: get_token()):
            raise BadFile(f"{self._name}: {_NO_TOKEN}")

    def _info(self) -> Any:
        try:
            return self._read("read it", lambda hub: hub.dataset_info(self._name))
        except Refused as error:
            if _missing(error):
                return None
            raise

    def _head(self) -> tuple[str, dict[str, _File]] | None:
        info = self._info()
        if info is None or info.sha is None:
            return None
        commit = self._commit_name(info.sha)
        return commit, self._tree(commit)

    def _tree(self, commit: str) -> dict[str, _File]:
        if commit not in self._known:
            self._known[commit] = self._read("list its files", lambda hub: self._entries(hub, commit))
        return self._known[commit]

    def _entries(self, hub: HfApi, commit: str) -> dict[str, _File]:
        files: dict[str, _File] = {}
        for entry in hub.list_repo_tree(self._name, repo_type="dataset", revision=commit, recursive=True):
            self._keep(entry, files)
        return files

    def _listed(self, commit: str, paths: Sequence[str], fresh: bool = False) -> dict[str, _File]:
        known = {} if fresh else self._known.get(commit, {})
        if all(path in known for path in paths):
            return {path: known[path] for path in paths}
        files: dict[str, _File] = {}
        for start in range(0, len(paths), 100):
            asked = list(paths[start : start + 100])

            def ask(hub: HfApi, asked: list[str] = asked) -> list[Any]:
                return hub.get_paths_info(self._name, asked, repo_type="dataset", revision=commit)

            for entry in self._read("read the hashes of its files", ask):
                self._keep(entry, files)
        return {path: files[path] for path in paths if path in files}

    def _keep(self, entry: Any, files: dict[str, _File]) -> None:
        """Take one entry of a listing, unless it is a folder."""
        from huggingface_hub.hf_api import RepoFile

        if not isinstance(entry, RepoFile):
            return
        path, size, blob = entry.path, entry.size, entry.blob_id
        sha256 = entry.lfs.sha256 if entry.lfs is not None else ""
        parts = path.split("/") if isinstance(path, str) and "\\" not in path and path.isprintable() else [""]
        if not all(part and part not in (".", "..") for part in parts):
            raise BadFile(f"{self._name}: it lists a file {_shown(path)}, which is no path")
        if type(size) is not int or size < 0 or (sha256 and not _SHA256.fullmatch(sha256)):
            raise self._nonsense("list its files")
        if len(files) >= ENTRIES:
            raise BadFile(f"{self._name}: it lists more than {ENTRIES} files; that is no data set of ours")
        files[path] = _File(size, sha256, str(blob))

    def _commit_of(self, tag: str) -> str:
        """The commit that a tag leads to, where what is listed for it is the tag's own object."""
        info = self._read(f"read the tag {tag}", lambda hub: hub.dataset_info(self._name, revision=tag))
        return self._commit_name(info.sha)

    def _commit_name(self, text: object) -> str:
        if not isinstance(text, str) or not _COMMIT.fullmatch(text):
            raise self._nonsense("read a commit's name")
        return text

    def _base(self, parent: str | None) -> str:
        """The commit to build on. None stands for a repository that holds nothing of anybody's."""
        if parent is not None:
            return parent
        found = self._head()
        if found is None:
            raise BadFile(f"{self._name}: there is no such data set; create it first")
        commit, files = found
        if set(files) - {OWN_FILE}:
            raise Moved(f"{self._name}: somebody else has published in between (the head is {commit[:8]}); run the command again")
        return commit

    def _is_ours(self, files: Mapping[str, _File], base: str, add: Mapping[str, Path], delete: Sequence[str]) -> bool:
        """Say if these files of a commit are what ours would have made of its parent's."""
        wanted: dict[str, _File] = dict(self._tree(base))
        for path in delete:
            wanted.pop(path, None)
        if set(files) != {*wanted, *add}:
            return False
        if any(files[path] != file for path, file in wanted.items() if path not in add):
            return False
        return all(_same(files[path], file) for path, file in add.items())

    def _received(self, path: str, commit: str, listed: _File, file: IO[bytes] | None = None) -> str:
        """Read a file of a commit, into `file` or nowhere; its SHA-256, or "" if it is not what is listed."""
        if not listed.sha256 and listed.size > REGULAR:
            raise self._nonsense(f"read {path}", f" ({listed.size} bytes that are not in LFS)")
        return self._read(f"fetch {path}", lambda hub: self._stream(hub, path, commit, listed, file))

    def _stream(self, hub: HfApi, path: str, commit: str, listed: _File, file: IO[bytes] | None) -> str:
        """The same, once. Not by way of Xet, which keeps parts of files on this machine; never more bytes than are listed."""
        from huggingface_hub import hf_hub_url, hf_raise_for_status
        from huggingface_hub.errors import HfHubHTTPError
        from huggingface_hub.utils import build_hf_headers, http_stream_backoff  # type: ignore[attr-defined]

        address = hf_hub_url(self._name, path, repo_type="dataset", revision=commit, endpoint=hub.endpoint)
        headers = build_hf_headers(
            token=hub.token,
            library_name="puzzlemill",
            library_version=puzzlemill.__version__,
            headers={"Accept-Encoding": "identity"},
        )
        found = _Digests(listed.size)
        if file is not None:
            file.seek(0)
            file.truncate()
        with http_stream_backoff("GET", address, headers=headers, retry_on_exceptions=()) as response:
            hf_raise_for_status(response)
            for block in response.iter_bytes(_BLOCK):
                found.update(block)
                if found.size > listed.size:
                    break
                if file is not None:
                    file.write(block)
            same = found.fit(listed)
            if not same and _is_page(response):
                raise HfHubHTTPError("a web page", response=response)
        return found.sha256.hexdigest() if same else ""

    # ---- failures -----------------------------------------------------------------------------------------------------

    def _nonsense(self, doing: str, detail: str = "") -> Refused:
        where = self._endpoint or "the Hub (HF_ENDPOINT)"
        return Refused(
            f"{self._name}: cannot {doing}: the answer of {where} makes no sense{detail}; is it a server of the Hub's kind?",
            passing=True,
        )

    def _refused(self, doing: str, error: Exception) -> Refused | None:
        """The error that an exception of the client means; None if it does not come from a call."""
        from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError, OfflineModeIsEnabled, OIDCError

        network = next(kind for kind in HfHubHTTPError.__mro__ if kind.__name__ == "HTTPError")  # of httpx, or of httpx2
        chain = list(_chain(error))
        failed = f"{self._name}: cannot {doing}: "
        for one in chain:
            if isinstance(one, OfflineModeIsEnabled):
                return Refused(f"{failed}the client is told to stay offline; unset HF_HUB_OFFLINE")
            if isinstance(one, LocalTokenNotFoundError):
                return Refused(failed + _NO_TOKEN)
            if isinstance(one, OIDCError):
                return Refused(f"{failed}trusted publishing: {self._clean(str(one), one)}")
        for one in chain:
            if isinstance(one, HfHubHTTPError):
                return self._answered(failed, one)
        for one in chain:
            if isinstance(one, network):
                what = self._clean(str(one), one) or type(one).__name__
                if "Illegal header" in what:
                    return Refused(f"{failed}the token holds signs that no token has; copy it again from the Hub's settings")
                where = self._endpoint or "the Hub (HF_ENDPOINT)"
                return Refused(
                    f"{failed}no answer from {where} ({what}); check the network, then run the same command", passing=True
                )
        if isinstance(error, OSError):
            return Refused(f"{failed}{self._clean(error.strerror or str(error), error)}")
        if isinstance(error, _UNREADABLE) or type(error).__module__.split(".")[0] == "hf_xet":
            root = chain[-1]
            refused = self._nonsense(doing, f" ({type(root).__name__}: {self._clean(str(root), root)})")
            # the client's word for a card that the Hub will not take; a second try finds the same card
            refused.passing = "Invalid metadata in README.md" not in str(error)
            return refused
        return None

    def _answered(self, failed: str, error: Any) -> Refused:
        """An answer with a status that says no, or a web page where none was asked for."""
        status = error.response.status_code
        if 200 <= status < 300:
            where = error.response.url.host
            return Refused(
                f"{failed}a web page (text/html) came from {self._clean(where, error)} in the place of the Hub's answer; a proxy "
                "or a login page is in between: log in there, or set NO_PROXY or HF_ENDPOINT, and run the same command again",
                passing=True,
            )
        code = str(error.response.headers.get("X-Error-Code", ""))[:40]
        said = self._clean(str(error.server_message or ""), error)
        said = f" ({said})" if said else ""
        request = _request(error)
        where = request.url.path if request is not None else ""
        site = self._endpoint or "https://huggingface.co"
        if where.endswith("/oauth/token"):
            text = (
                f"trusted publishing is refused, HTTP {status}{said}; name this repository, workflow and environment in the "
                "settings of the data set, and HF_OIDC_RESOURCE=datasets/" + self._name
            )
        elif code == "GatedRepo":
            text = f"it is gated, and this account was not let in{said}; ask for access at {site}/datasets/{self._name}"
        elif status == 401:
            if request is not None and "authorization" in request.headers:
                text = (
                    f"the token is refused (HTTP 401){said}; it is wrong, expired or revoked: make another in the Hub's settings"
                )
            else:
                text = f"it needs a token (HTTP 401): it is private, or there is none of this name; {_NO_TOKEN}"
        elif code == "RepoNotFound" or (status == 404 and not code):
            text = f"there is no such data set, or the token may not see it{said}"
        elif status == 403:
            text = f"no permission (HTTP 403){said}; give the token write access to {self._name}"
        elif status == 429:
            text = f"too many calls (HTTP 429){said}; run the same command again later"
        elif status in (402, 413, 507):
            text = f"no room is left (HTTP {status}){said}; free some storage, or raise the account's limit"
        elif status >= 500:
            text = f"the Hub is in trouble (HTTP {status}){said}; run the same command again later"
        else:
            text = f"the Hub answers HTTP {status}{said}"
        return Refused(failed + text, status, code, passing=status in _TRANSIENT)

    def _clean(self, text: str, error: BaseException) -> str:
        """One short line of a text that others wrote, without anything that may be a token."""
        request = _request(error)
        sent = request.headers.get("authorization", "") if request is not None else ""
        for secret in (self._token if isinstance(self._token, str) else "", sent, sent.rpartition(" ")[2]):
            if secret:
                text = text.replace(secret, "(token)")
        text = _TOKENS.sub("(token)", text)
        text = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 20 * SHOWN]).split())
        return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


_NO_TOKEN = "there is no token; set HF_TOKEN, or log in with `hf auth login`, or set HF_OIDC_RESOURCE in CI"  # noqa: S105


@dataclass(frozen=True, slots=True)
class _Limit:
    """Called with every request of the client: none waits longer than this for a connection, or for the next byte."""

    seconds: float

    def __call__(self, request: Any) -> None:
        limits = request.extensions.get("timeout") or {}
        request.extensions["timeout"] = {
            what: self.seconds if limits.get(what) is None else limits[what] for what in ("connect", "read", "write", "pool")
        }


def _is_page(response: Any) -> bool:
    return response.is_success and str(response.headers.get("Content-Type", "")).lower().startswith("text/html")


def _name_page(response: Any) -> None:
    """Called with every answer to the client: a web page that is read as JSON says that it is one."""
    from huggingface_hub.errors import HfHubHTTPError

    def refuse(**_: object) -> Any:
        raise HfHubHTTPError("a web page", response=response)

    if _is_page(response):
        response.json = refuse


@contextmanager
def _no_bars() -> Iterator[None]:
    """Hide the client's progress bars, which go to standard error, also where that is a log."""
    from huggingface_hub import constants
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    if constants.HF_HUB_DISABLE_PROGRESS_BARS is not None or are_progress_bars_disabled():
        yield  # the user has said so, or so
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()


def _pause(seconds: float) -> None:
    Event().wait(seconds)


def _missing(error: Refused) -> bool:
    """Say if a call failed because there is no such repository; without a token the Hub says 401 to that, as to private ones."""
    return error.status == 404


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, and those that it comes from."""
    left: BaseException | None = error
    for _ in range(10):
        if left is None:
            return
        yield left
        left = left.__cause__ or left.__context__


def _request(error: BaseException) -> Any:
    """The request that an error of the client's is about; None if it is about none."""
    try:
        return getattr(getattr(error, "response", None) or error, "request", None)
    except RuntimeError:  # httpx: it was raised before there was one
        return None


def _shown(text: object) -> str:
    return repr(text)[:SHOWN]


class _Digests:
    """Size, SHA-256 and git's name of content that comes in blocks and is said to have so many bytes."""

    def __init__(self, said: int) -> None:
        self.size = 0
        self.sha256 = hashlib.sha256()
        self.blob = hashlib.sha1(f"blob {said}\0".encode(), usedforsecurity=False)

    def update(self, block: bytes) -> None:
        self.size += len(block)
        self.sha256.update(block)
        self.blob.update(block)

    def fit(self, listed: _File) -> bool:
        """Say if this is what the Hub lists."""
        if self.size != listed.size:
            return False
        return self.sha256.hexdigest() == listed.sha256 if listed.sha256 else self.blob.hexdigest() == listed.blob


def _same(listed: _File, path: Path) -> bool:
    """Say if a local file is what the Hub lists."""
    try:
        found = _Digests(path.stat().st_size)
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                found.update(block)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    return found.fit(listed)
