"""A model behind HTTP that does what a script says: the server that the runner's tests talk to.

It listens on 127.0.0.1, answers chat completions, and remembers every request. A script maps the text of a request's first user
message to a list of *acts*, one for each call with that text, the last one for all further ones.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Act:
    """One response. text: of the completion; None: no content. body: raw bytes in its place.

    drop: close the connection after so many bytes of the response. until: wait for this event first.
    """

    text: str | None = ""
    reason: str = "stop"
    reasoning: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    drop: int | None = None
    until: threading.Event | None = None
    tokens: int = 7

    def raw(self) -> bytes:
        if self.body is not None:
            return self.body
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        usage = {"prompt_tokens": 100, "completion_tokens": self.tokens, "completion_tokens_details": {"reasoning_tokens": 2}}
        return json.dumps({"choices": [{"message": message, "finish_reason": self.reason}], "usage": usage}).encode()


def error(status: int, message: str = "no", **headers: str) -> Act:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Act(status=status, headers=named, body=json.dumps({"error": {"message": message}}).encode())


def says(text: str) -> Act:
    """A completion with every field of the protocol, for clients that check them."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted"}
    return Act(body=json.dumps({**head, "choices": [choice], "usage": usage}).encode())


Script = Callable[[dict[str, Any]], Act]


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Model(ThreadingHTTPServer):
    """script: request body -> act. asked: all requests so far. most: how many were answered at a time, at most."""

    daemon_threads = True
    block_on_close = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.now = self.most = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", "0"))
        body = json.loads(self.rfile.read(size))
        model = self.server
        with model.lock:
            model.asked.append(Asked(self.path, dict(self.headers), body))
            model.now += 1
            model.most = max(model.most, model.now)
        try:
            act = model.script(body)
            if act.until is not None:
                act.until.wait(20)
            self._answer(act)
        finally:
            with model.lock:
                model.now -= 1

    def _answer(self, act: Act) -> None:
        raw = act.raw()
        self.send_response_only(act.status)
        usual = {"Date": self.date_time_string(), "Content-Type": "application/json", "Content-Length": str(len(raw))}
        kinds = {**usual, **act.headers}
        for name, value in kinds.items():
            self.send_header(name, value)
        if act.drop == 0:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.end_headers()
        self.wfile.write(raw if act.drop is None else raw[: act.drop])
        if act.drop is not None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: object) -> None:
        pass


def asked_text(body: Mapping[str, Any]) -> str:
    """The first user message of a request."""
    return next(str(message["content"]) for message in body["messages"] if message["role"] == "user")


class Acts:
    """A script: acts by first user message, one after the other; `other` for texts without any."""

    def __init__(self, acts: Mapping[str, list[Act]], other: Act | None = None) -> None:
        self.acts = {text: list(some) for text, some in acts.items()}
        self.other = other
        self.lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Act:
        with self.lock:
            some = self.acts.get(asked_text(body))
            if not some:
                assert self.other is not None, "a request that the script does not know"
                return self.other
            return some.pop(0) if len(some) > 1 else some[0]


@contextmanager
def serving(script: Script) -> Iterator[Model]:
    """A server in a thread, gone at the end."""
    model = Model(script)
    thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.shutdown()
        thread.join()
        model.server_close()
