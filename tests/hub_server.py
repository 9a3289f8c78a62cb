"""A small server that speaks the Hub's calls over real HTTP, for the real clients, in this process.

It keeps repositories in memory as git would: commits with parents and whole trees, a branch `main`, tags. It refuses a commit on
a parent that is not the head (412), a tag that is set already (409), and whoever lacks the right. `faults` is a script of what
shall go wrong, call by call; `calls` is what was asked.

    with HubServer() as server:
        server.user("alice", "hf_alice", write={"org"})
        ...  # HF_ENDPOINT=server.url
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

Kind = Literal[
    "before",  # answer `status`, and do nothing
    "after",  # do it, and answer `status`
    "drop before",  # close the connection, and do nothing
    "drop after",  # do it, and close the connection
    "garbage",  # do it, and answer 200 with what is no JSON and no file
    "wrong JSON",  # do it, and answer 200 with JSON of another form
    "cut",  # do it, and send half of the answer's body
    "hang",  # do nothing and say nothing until the server is closed
    "gone before",  # from this call on nothing is answered, until `faults` is emptied
    "gone after",  # the same, but this call is done
    "flip",  # do it; then a bit flips in the stored files whose paths match `text`: what is listed of them stays as it was
]
LFS = (".parquet", ".zip")  # files that are kept there; all others are in git itself
BODY = 64 << 20


class Reply(NamedTuple):
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}


class Fault:
    """What goes wrong at the n-th call (from 1) that matches, once; a fault of kind "gone" goes on."""

    def __init__(self, kind: Kind, call: str = ".*", *, nth: int = 1, status: int = 503, text: str = "", times: int = 1) -> None:
        self.kind, self.pattern, self.nth, self.status, self.text, self.times = kind, re.compile(call), nth, status, text, times
        self.seen = 0

    def strikes(self, call: str) -> bool:
        """Whether this call is the one: "METHOD /path"."""
        if self.kind.startswith("gone") and self.seen >= self.nth:
            self.seen += 1
            return True
        if not self.pattern.search(call):
            return False
        self.seen += 1
        return self.nth <= self.seen < self.nth + self.times


@dataclass(frozen=True)
class Blob:
    content: bytes
    lfs: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def oid(self) -> str:
        """Git's name of the blob; of an LFS file, that of its pointer."""
        content = self.content
        if self.lfs:
            content = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(content)}\n".encode()
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    def entry(self, path: str) -> dict[str, Any]:
        lfs = {"lfs": {"oid": self.sha256, "size": len(self.content), "pointerSize": 134}} if self.lfs else {}
        return {"type": "file", "path": path, "size": len(self.content), "oid": self.oid, **lfs}


@dataclass(frozen=True)
class Commit:
    parent: str | None
    message: str
    files: Mapping[str, Blob]

    @property
    def oid(self) -> str:
        tree = sorted((path, blob.oid) for path, blob in self.files.items())
        return hashlib.sha1(json.dumps([self.parent, self.message, tree]).encode()).hexdigest()


@dataclass
class Repo:
    name: str
    private: bool = False
    gated: str | bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    main: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    lfs: dict[str, bytes] = field(default_factory=dict)
    let_in: set[str] = field(default_factory=set)
    flipped: set[str] = field(default_factory=set)  # git's names of stored files with a flipped bit

    def stored(self, blob: Blob) -> bytes:
        """The bytes that are handed out for a file."""
        content = bytearray(blob.content)
        if blob.oid in self.flipped:
            content[len(content) // 2] ^= 1
        return bytes(content)

    def flip(self, paths: str) -> None:
        """Flip a bit in each stored file of the head whose path matches."""
        struck = {blob.oid for path, blob in self.commits[self.main].files.items() if re.fullmatch(paths, path)}
        assert struck, paths
        self.flipped |= struck

    def add(self, parent: str | None, message: str, files: Mapping[str, Blob]) -> str:
        commit = Commit(parent, message, dict(files))
        self.commits[commit.oid] = commit
        self.main = commit.oid
        return commit.oid

    def find(self, revision: str) -> str | None:
        """The commit of a branch, a tag or a commit's own name."""
        revision = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if revision == "main":
            return self.main
        return self.tags.get(revision) or (revision if revision in self.commits else None)

    def history(self) -> list[str]:
        """From the head to the first commit."""
        found: list[str] = []
        oid: str | None = self.main
        while oid:
            found.append(oid)
            oid = self.commits[oid].parent
        return found


class Refuse(Exception):
    def __init__(self, status: int, text: str, code: str = "") -> None:
        super().__init__(text)
        self.reply = Reply(
            status,
            json.dumps({"error": text}).encode(),
            {"Content-Type": "application/json", "X-Error-Message": text, **({"X-Error-Code": code} if code else {})},
        )


class HubServer:
    """One server; `with` starts and ends it."""

    def __init__(self) -> None:
        self.repos: dict[str, Repo] = {}
        self.users: dict[str, tuple[str, set[str]]] = {}  # token -> name, what it may write to: namespaces and repositories
        self.faults: list[Fault] = []
        self.calls: list[str] = []
        self.tokens: set[str] = set()  # of all that was sent
        self.id_tokens: dict[str, tuple[str, str]] = {}  # OIDC: id token -> resource, token that it is exchanged for
        self.hook: Callable[[str], None] | None = None  # called with every call before it is done, outside the lock
        self.lfs = LFS
        self.lock = threading.RLock()
        self.closed = threading.Event()
        server = self

        class Handler(_Handler):
            hub = server

        self.errors: list[BaseException] = []  # our own, in a handler
        self.http = _Server(("127.0.0.1", 0), Handler)
        self.http.hub = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> HubServer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()

    def user(self, name: str, token: str, write: set[str] | None = None) -> None:
        """Someone with a token, who may write to these namespaces and repositories, and to their own."""
        self.users[token] = (name, {name, *(write or ())})

    def reset(self) -> None:
        with self.lock:
            self.repos.clear()
            self.faults.clear()
            self.calls.clear()
            self.tokens.clear()
            self.id_tokens.clear()
            self.hook = None
            self.lfs = LFS

    # ---- rights -------------------------------------------------------------------------------------------------------

    def who(self, token: str) -> str | None:
        if not token:
            return None
        if token not in self.users:
            raise Refuse(401, "Invalid credentials in Authorization header")
        return self.users[token][0]

    def may_write(self, token: str, name: str) -> bool:
        return token in self.users and bool({name, name.split("/")[0]} & self.users[token][1])

    def repo(self, token: str, name: str, *, write: bool = False, files: bool = False) -> Repo:
        """A repository, for someone; files: its content is wanted, which a gate guards."""
        who = self.who(token)
        found = self.repos.get(name)
        if found is None or (found.private and not self.may_write(token, name)):
            if who is None:
                raise Refuse(401, "Invalid username or password.", "RepoNotFound")
            raise Refuse(404, "Repository not found", "RepoNotFound")
        if write and not self.may_write(token, name):
            raise Refuse(403 if who else 401, "You don't have the rights to write to this repo")
        if files and found.gated and not self.may_write(token, name) and who not in found.let_in:
            raise Refuse(403 if who else 401, f"Access to dataset {name} is restricted.", "GatedRepo")
        return found

    # ---- calls --------------------------------------------------------------------------------------------------------

    def answer(self, method: str, path: str, query: Mapping[str, list[str]], headers: Any, body: bytes) -> Reply:
        token = str(headers.get("Authorization", "")).removeprefix("Bearer ")
        for known, pattern, call in ROUTES:
            found = re.fullmatch(pattern, path)
            if method == known and found:
                with self.lock:
                    try:
                        return call(
                            self, token, {k: unquote(v or "") for k, v in found.groupdict().items()}, query, headers, body
                        )
                    except Refuse as refused:
                        return refused.reply
        return Refuse(404, f"no such call: {method} {path}").reply

    def create(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        asked = json.loads(body)
        who = self.who(token)
        if who is None:
            raise Refuse(401, "Invalid username or password.")
        assert asked["type"] == "dataset"
        name = f"{asked.get('organization') or who}/{asked['name']}"
        if not {name.split("/")[0]} & self.users[token][1]:
            raise Refuse(403, "You don't have the rights to create a dataset under this namespace")
        if name in self.repos:
            told = {"error": "You already created this dataset repo", "url": f"{self.url}/datasets/{name}"}
            return Reply(409, json.dumps(told).encode(), {"Content-Type": "application/json"})
        private = asked.get("visibility") == "private" or asked.get("private") is True
        repo = self.repos[name] = Repo(name, private)
        attributes = "".join(f"*{ending} filter=lfs diff=lfs merge=lfs -text\n" for ending in LFS)
        repo.add(None, "initial commit", {".gitattributes": Blob(attributes.encode(), False)})
        return _json({"url": f"{self.url}/datasets/{name}", "name": name})

    def info(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"])
        oid = self.revision(repo, at.get("rev") or "main")
        return _json(
            {
                "id": repo.name,
                "sha": oid,
                "private": repo.private,
                "gated": repo.gated,
                "disabled": False,
                "tags": [],
                "downloads": 0,
                "likes": 0,
                "lastModified": "2026-12-01T00:00:00.000Z",
                "siblings": [{"rfilename": path} for path in sorted(repo.commits[oid].files)],
            }
        )

    def auth_check(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        self.repo(token, at["repo"], write=True)
        return _json({})

    def settings(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        asked = json.loads(body)
        repo.gated = asked.get("gated", repo.gated)
        if "visibility" in asked:
            repo.private = asked["visibility"] == "private"
        return _json({"gated": repo.gated, "private": repo.private})

    def validate_yaml(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        text = json.loads(body)["content"]
        if not text.startswith("---\n"):
            return Reply(
                400,
                json.dumps({"errors": [{"message": "empty or missing yaml metadata in repo card"}], "warnings": []}).encode(),
                {"Content-Type": "application/json"},
            )
        return _json({"errors": [], "warnings": []})

    def preupload(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        files = repo.commits[self.revision(repo, at["rev"])].files
        told = []
        for file in json.loads(body)["files"]:
            path = file["path"]
            there = files.get(path)
            oid = (there.sha256 if there.lfs else there.oid) if there else None
            mode = "lfs" if path.endswith(self.lfs) else "regular"
            told.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return _json({"files": told})

    def lfs_batch(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        told = []
        for wanted in json.loads(body)["objects"]:
            oid = wanted["oid"]
            actions = {
                "upload": {"href": f"{self.url}/lfs/{repo.name}/{oid}"},
                "verify": {"href": f"{self.url}/lfs/{repo.name}/{oid}/verify"},
            }
            told.append({"oid": oid, "size": wanted["size"], **({} if oid in repo.lfs else {"actions": actions})})
        return _json({"transfer": "basic", "objects": told})

    def lfs_put(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        if hashlib.sha256(body).hexdigest() != at["oid"]:
            raise Refuse(400, "another content than was announced")
        self.repos[at["repo"]].lfs[at["oid"]] = body
        return Reply(200)

    def lfs_verify(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        if len(repo.lfs.get(at["oid"], b"")) != json.loads(body)["size"]:
            raise Refuse(422, "not what was announced")
        return _json({"message": "ok"})

    def commit(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        assert at["rev"] == "main"
        files = dict(repo.commits[repo.main].files)
        header: dict[str, Any] = {}
        for line in body.decode().splitlines():
            item = json.loads(line)
            value = item["value"]
            if item["key"] == "header":
                header = value
            elif item["key"] == "file":
                files[value["path"]] = Blob(base64.b64decode(value["content"]), False)
            elif item["key"] == "lfsFile":
                if value["oid"] not in repo.lfs:
                    raise Refuse(400, f"LFS file {value['path']} was not uploaded")
                files[value["path"]] = Blob(repo.lfs[value["oid"]], True)
            elif item["key"] == "deletedFile":
                if files.pop(value["path"], None) is None:
                    raise Refuse(404, "A file with this name doesn't exist", "EntryNotFound")
            else:
                raise Refuse(400, f"unknown key {item['key']}")
        if header.get("parentCommit") not in (None, repo.main):
            raise Refuse(412, "A commit has happened since. Please refresh and try again.")
        oid = repo.add(repo.main, header["summary"], files)
        return _json({"success": True, "commitUrl": f"{self.url}/datasets/{repo.name}/commit/{oid}", "commitOid": oid})

    def tag(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], write=True)
        oid = self.revision(repo, at["rev"])
        name = json.loads(body)["tag"]
        if name in repo.tags:
            raise Refuse(409, f"Tag {name} already exists")
        repo.tags[name] = oid
        return Reply(201)

    def refs(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"])
        tags = [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": oid} for name, oid in repo.tags.items()]
        main = {"name": "main", "ref": "refs/heads/main", "targetCommit": repo.main}
        return _json({"branches": [main], "converts": [], "tags": tags})

    def tree(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], files=True)
        files = repo.commits[self.revision(repo, at["rev"])].files
        below = f"{at['path']}/" if at.get("path") else ""
        deep = query.get("recursive", ["false"])[0].lower() in ("true", "1")
        entries: dict[str, dict[str, Any]] = {}
        for path in sorted(files):
            if not path.startswith(below):
                continue
            parts = path[len(below) :].split("/")
            for depth in range(1, len(parts) if deep else min(2, len(parts))):
                folder = below + "/".join(parts[:depth])
                entries[folder] = {
                    "type": "directory",
                    "path": folder,
                    "size": 0,
                    "oid": hashlib.sha1(folder.encode()).hexdigest(),
                }
            if deep or len(parts) == 1:
                entries[path] = files[path].entry(path)
        if below and not entries:
            raise Refuse(404, f"{at['path']} does not exist", "EntryNotFound")
        start, size = int(query.get("cursor", ["0"])[0]), 5  # small pages, so that clients turn them
        shown = list(entries.values())[start : start + size]
        more = {}
        if start + size < len(entries):
            place = f"/{quote(at['path'], safe='')}" if at.get("path") else ""
            address = f"{self.url}/api/datasets/{repo.name}/tree/{quote(at['rev'], safe='')}{place}"
            more = {"Link": f'<{address}?recursive={deep}&cursor={start + size}>; rel="next"'}
        return _json(shown, more)

    def paths_info(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], files=True)
        files = repo.commits[self.revision(repo, at["rev"])].files
        told = []
        for path in parse_qs(body.decode())["paths"]:
            if path in files:
                told.append(files[path].entry(path))
            elif any(one.startswith(f"{path}/") for one in files) or not path:
                told.append({"type": "directory", "path": path, "size": 0, "oid": hashlib.sha1(path.encode()).hexdigest()})
        return _json(told)

    def resolve(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        repo = self.repo(token, at["repo"], files=True)
        oid = self.revision(repo, at["rev"])
        blob = repo.commits[oid].files.get(at["path"])
        if blob is None:
            raise Refuse(404, "Entry not found", "EntryNotFound")
        content = repo.stored(blob)
        told = {
            "Content-Type": "application/octet-stream",
            "X-Repo-Commit": oid,
            "ETag": f'"{blob.sha256 if blob.lfs else blob.oid}"',
            "X-Linked-ETag": f'"{blob.sha256 if blob.lfs else blob.oid}"',
            "X-Linked-Size": str(len(blob.content)),
            "Accept-Ranges": "bytes",
        }
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", headers.get("Range") or "")
        if asked:
            start, size = int(asked[1]), len(content)
            end = min(int(asked[2]), size - 1) if asked[2] else size - 1
            if start >= size:
                return Reply(416, b"", {"Content-Range": f"bytes */{size}"})
            return Reply(206, content[start : end + 1], {**told, "Content-Range": f"bytes {start}-{end}/{size}"})
        return Reply(200, content, told)

    def exchange(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        """Trusted publishing: an id token for one that writes to one repository."""
        asked = json.loads(body)
        resource, given = self.id_tokens.get(asked["subject_token"], ("", ""))
        if not given or resource != asked["resource"]:
            raise Refuse(403, f"no trusted publisher matches the id token {asked['subject_token']}")
        return _json({"access_token": given, "token_type": "bearer", "expires_in": 3600})

    def id_token(self, token: str, at: Any, query: Any, headers: Any, body: bytes) -> Reply:
        """What the CI's own service tells a job that may ask."""
        if token != "runner-secret":
            raise Refuse(401, "not a job of ours")
        return _json({"value": "eyJhbGciOi.job-id-token.signature"})

    def revision(self, repo: Repo, name: str) -> str:
        oid = repo.find(name)
        if oid is None:
            raise Refuse(404, f"Invalid rev id: {name}", "RevisionNotFound")
        return oid


def _json(value: Any, headers: Mapping[str, str] = {}) -> Reply:
    return Reply(200, json.dumps(value).encode(), {"Content-Type": "application/json", **headers})


R = r"(?P<repo>[^/]+/[^/]+)"
ROUTES: list[tuple[str, str, Callable[..., Reply]]] = [
    ("POST", "/api/repos/create", HubServer.create),
    ("POST", "/api/validate-yaml", HubServer.validate_yaml),
    ("GET", f"/api/datasets/{R}", HubServer.info),
    ("GET", f"/api/datasets/{R}/revision/(?P<rev>[^/]+)", HubServer.info),
    ("GET", f"/api/datasets/{R}/auth-check/write", HubServer.auth_check),
    ("PUT", f"/api/datasets/{R}/settings", HubServer.settings),
    ("POST", f"/api/datasets/{R}/preupload/(?P<rev>[^/]+)", HubServer.preupload),
    ("POST", rf"/datasets/{R}\.git/info/lfs/objects/batch", HubServer.lfs_batch),
    ("PUT", f"/lfs/{R}/(?P<oid>[0-9a-f]+)", HubServer.lfs_put),
    ("POST", f"/lfs/{R}/(?P<oid>[0-9a-f]+)/verify", HubServer.lfs_verify),
    ("POST", f"/api/datasets/{R}/commit/(?P<rev>[^/]+)", HubServer.commit),
    ("POST", f"/api/datasets/{R}/tag/(?P<rev>[^/]+)", HubServer.tag),
    ("GET", f"/api/datasets/{R}/refs", HubServer.refs),
    ("GET", f"/api/datasets/{R}/tree/(?P<rev>[^/]+)(/(?P<path>.+))?", HubServer.tree),
    ("POST", f"/api/datasets/{R}/paths-info/(?P<rev>[^/]+)", HubServer.paths_info),
    ("GET", f"/datasets/{R}/resolve/(?P<rev>[^/]+)/(?P<path>.+)", HubServer.resolve),
    ("HEAD", f"/datasets/{R}/resolve/(?P<rev>[^/]+)/(?P<path>.+)", HubServer.resolve),
    ("POST", "/oauth/token", HubServer.exchange),
    ("GET", "/ci/id-token", HubServer.id_token),
]


class _Server(ThreadingHTTPServer):
    hub: HubServer
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, OSError):  # OSError: the client went away
            self.hub.errors.append(error)


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = -1  # head and body in one piece: the client would wait for the second
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client went away, or was made to
            super().handle()

    def _serve(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        assert size <= BODY
        body = self.rfile.read(size) if size else b"".join(self._chunks())
        parts = urlsplit(self.path)
        call = f"{self.command} {parts.path}"
        hub = self.hub
        with hub.lock:
            hub.calls.append(call)
            hub.tokens.add(str(self.headers.get("Authorization", "")).removeprefix("Bearer "))
            fault = next((one for one in [*hub.faults] if one.strikes(call)), None)
        if hub.hook is not None:
            hub.hook(call)
        kind = fault.kind if fault else ""
        if fault and kind == "gone after" and fault.seen > fault.nth:
            kind = "gone before"
        if kind == "hang":
            hub.closed.wait()
        reply = Reply(0)
        if kind not in ("before", "drop before", "gone before", "hang"):
            reply = hub.answer(self.command, parts.path, parse_qs(parts.query), self.headers, body)
        if fault and kind == "flip":
            with hub.lock:
                for repo in hub.repos.values():
                    repo.flip(fault.text)
        if fault and kind in ("before", "after"):
            text = fault.text or "out of order"
            reply = Reply(fault.status, json.dumps({"error": text}).encode(), {"Content-Type": "application/json"})
        elif kind == "garbage":
            reply = Reply(200, b"<html>\x1b[31mlog in to the hotel's network</html>", {"Content-Type": "text/html"})
        elif kind == "wrong JSON":
            reply = Reply(200, b'{"unexpected": [1, 2, 3]}', {"Content-Type": "application/json"})
        elif kind in ("drop before", "drop after", "gone before", "gone after", "hang"):
            self._drop()
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if kind == "cut":
            self.wfile.write(reply.body[: len(reply.body) // 2])
            self._drop()
            return
        self.wfile.write(reply.body)

    def _drop(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        with suppress(OSError):  # the client was quicker
            self.connection.shutdown(socket.SHUT_RDWR)

    def _chunks(self) -> Iterator[bytes]:
        """The body of a request that says no length."""
        if self.headers.get("Transfer-Encoding") != "chunked":
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve
