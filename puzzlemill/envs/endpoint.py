"""One call of a chat-completions endpoint as OpenAI's API describes it: what is sent, what may come back, when it is tried again.

An endpoint is as little trusted as a reply. At most MOST bytes of a response are read, uncompressed, without following
redirects; whatever is no completion is a Refused or Failed with one sentence. The key stands in one header and nowhere else: it
is cut out of every text that comes back, so that an endpoint that repeats it puts it into no file.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream

log = logging.getLogger(__name__)

MOST = 8 << 20  # bytes of a response
LONGEST_WAIT = 120.0  # seconds before a call is tried again, whatever the endpoint asks for
_SAID = 300  # characters of what an endpoint says that are kept
_AGAIN = frozenset({408, 425, 429})
_KEY_LEAST = 8  # characters of a key that is looked for in texts; shorter ones ("EMPTY") are no secrets but words

Message = dict[str, str]
Sleep = Callable[[float], Awaitable[None]]


class CallError(Exception):
    """A call without a completion. status: of the response, 0 where there was none. retries: how often it was tried again."""

    def __init__(self, problem: str, status: int = 0, retries: int = 0) -> None:
        super().__init__(problem)
        self.problem, self.status, self.retries = problem, status, retries


class Refused(CallError):
    """The same call would end the same way."""


class Failed(CallError):
    """The endpoint did not answer, or said that it could not now; another try may do better."""

    def __init__(self, problem: str, status: int = 0, wait: float | None = None) -> None:
        super().__init__(problem, status)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of a call. reasoning: text that the endpoint sends apart from the reply, "" if none.

    usage: of "prompt", "completion", "reasoning" the numbers of tokens that it states. reason: finish_reason, "" if none.
    """

    text: str
    reasoning: str
    reason: str
    usage: Mapping[str, int]
    retries: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an endpoint, and how to call it.

    url: up to and without "/chat/completions". key: "" for none. timeout: seconds for one call. retries: further tries.
    environment: take proxies and certificates from the environment, as other programs do; for the command line to say.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout: float = 1800.0
    retries: int = 5
    environment: bool = False


def within(option: str, value: float | None, low: float, high: float) -> None:
    """Raise BadParams for a value of an option that is given and does not lie between these."""
    if value is not None and not low <= value <= high:
        raise BadParams(f"{option}: expected a number from {low} to {high}, got {value}")


def named_model(model: str) -> None:
    """Raise BadParams for a model without a name."""
    if not model:
        raise BadParams("--model: expected the name that the endpoint serves the model under")


def checked(address: Address) -> Address:
    """The address itself. Raises BadParams, which never repeats a key."""
    import httpx2

    wanted = "--base-url: expected http(s)://host[:port]/path, such as http://localhost:8000/v1"
    try:
        url = httpx2.URL(address.url)
    except (httpx2.InvalidURL, ValueError):
        raise BadParams(wanted) from None
    if url.userinfo or url.query or url.fragment:
        raise BadParams(f"{wanted}; a key belongs into the variable that --api-key-env names")
    if url.path.rstrip("/").endswith("/chat/completions"):
        raise BadParams("--base-url: leave out /chat/completions at its end, which every call adds")
    if url.scheme not in ("http", "https") or not url.host:
        raise BadParams(f"{wanted}; got {address.url[:80]!r}")
    if not address.key.isascii() or not address.key.isprintable() or " " in address.key:
        raise BadParams("the API key holds a space or a character that no header can carry; set the variable anew")
    if not 0 < address.timeout <= 86_400:
        raise BadParams(f"--timeout: expected seconds from 1 to 86400, got {address.timeout:g}")
    within("--retries", address.retries, 0, 100)
    return address


class Endpoint:
    """An async context manager that makes calls. sleep: waits so many seconds."""

    def __init__(self, address: Address, connections: int, sleep: Sleep = asyncio.sleep) -> None:
        self.address, self.connections, self.sleep = checked(address), connections, sleep
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Endpoint:
        import httpx2

        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        if self.address.key:
            headers["Authorization"] = f"Bearer {self.address.key}"
        client = httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(self.address.timeout, connect=min(30.0, self.address.timeout), pool=None),
            limits=httpx2.Limits(max_connections=self.connections, max_keepalive_connections=self.connections),
            follow_redirects=False,
            trust_env=self.address.environment,
        )
        self._client = await self._open.enter_async_context(client)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    def clean(self, text: str) -> str:
        """The text without the key."""
        key = self.address.key
        return text.replace(key, "***") if len(key) >= _KEY_LEAST else text

    async def complete(self, body: Mapping[str, Any], *path: str | int, once: Collection[int] = ()) -> Completion:
        """One completion. path: names the call; how long to wait among others that wait depends on it. once: statuses after which
        there is one further try at most.

        Raises Refused, or Failed after the last try.
        """
        data = json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode()  # lone surrogates of a reply stay sendable
        tried = 0
        while True:
            try:
                text, reasoning, reason, usage = await self._once(data)
                return Completion(text, reasoning, reason, usage, tried)
            except CallError as error:
                error.retries = tried
                most = min(1, self.address.retries) if error.status in once else self.address.retries
                if not isinstance(error, Failed) or tried >= most:
                    raise
                wait = min(60.0, 2.0**tried) if error.wait is None else error.wait
                problem = error.problem
            part = stream("wait", *path, tried).below(1000) / 1000  # so that not all who wait come back at once
            wait = min(LONGEST_WAIT, wait * (1 + part / 4))
            tried += 1
            log.info("%s; try %d of %d in %.1f s", problem, tried + 1, most + 1, wait)
            await self.sleep(wait)

    async def _once(self, data: bytes) -> tuple[str, str, str, dict[str, int]]:
        import httpx2

        try:
            async with asyncio.timeout(self.address.timeout):
                status, headers, raw = await self._exchange(data)
        except (TimeoutError, httpx2.TimeoutException):
            raise Failed(f"no whole response within {self.address.timeout:g} seconds") from None
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            raise Failed(f"no connection ({self._said(str(error))})") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Failed(f"the connection broke ({type(error).__name__}: {self._said(str(error))})") from None
        if status != 200:
            said = f"status {status}" + (f": {stated}" if (stated := self._message(raw)) else "")
            if status in _AGAIN or status >= 500:
                raise Failed(said, status, _wait(headers))
            if 300 <= status < 400:
                raise Refused(f"status {status}, a redirect, which is not followed; give the address that it leads to", status)
            raise Refused(said, status)
        return self._read(raw, headers.get("content-type", "none"))

    async def _exchange(self, data: bytes) -> tuple[int, Mapping[str, str], bytes]:
        async with self._client.stream("POST", f"{self.address.url.rstrip('/')}/chat/completions", content=data) as response:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise Refused("a compressed response, which was not asked for", response.status_code)
            raw = bytearray()
            async for chunk in response.aiter_raw():
                raw += chunk
                if len(raw) > MOST:
                    raise Refused(f"a response of more than {MOST} bytes", response.status_code)
            return response.status_code, response.headers, bytes(raw)

    # ---- what came back

    def _read(self, raw: bytes, kind: str) -> tuple[str, str, str, dict[str, int]]:
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError):
            what = "an empty response" if not raw.strip() else f"no JSON (content type {self._said(kind)[:60]})"
            raise Refused(f"{what}: {self._said(raw.decode(errors='replace'))}", 200) from None
        choices = found.get("choices") if type(found) is dict else None
        if type(choices) is not list or not choices or type(choices[0]) is not dict:
            said = self._message(raw)
            raise Refused("no completion: the JSON has no choices" + (f"; it says {said}" if said else ""), 200)
        message = choices[0].get("message")
        if type(message) is not dict:
            raise Refused("no completion: the first choice has no message", 200)
        reason = choices[0].get("finish_reason")
        reason = self.clean(reason)[:40] if type(reason) is str else ""
        text, thought = _parts(message.get("content"))
        stated = [message[name] for name in ("reasoning_content", "reasoning") if type(message.get(name)) is str]
        reasoning = (stated[0] if stated else "") or thought
        if text is None and type(message.get("refusal")) is str:
            text = message["refusal"]
        if text is None and not reasoning and reason != "length":
            raise Refused(f"no completion: the message has no content (finish_reason {reason or 'missing'})", 200)
        return self.clean(text or ""), self.clean(reasoning), reason, _usage(found.get("usage"))

    def _message(self, raw: bytes) -> str:
        """Return an error response's message, in one short line."""
        try:
            found: Any = json.loads(raw)
            for name in ("error", "message", "detail"):
                if type(found) is dict and name in found:
                    found = found[name]
            text = found if type(found) is str else json.dumps(found)
        except (ValueError, RecursionError):
            text = raw.decode(errors="replace")
        return self._said(text)

    def _said(self, text: str) -> str:
        bare = " ".join(self.clean(text).split())
        return "".join(ch if ch.isprintable() else "?" for ch in bare[:_SAID])


def _parts(content: object) -> tuple[str | None, str]:
    """The text of a message's content and the thoughts in it; content is text, or a list of parts."""
    if type(content) is str:
        return content, ""
    if type(content) is not list:
        return None, ""
    found: dict[str, list[str]] = {"text": [], "thinking": []}
    for part in content:
        for kind, texts in found.items():
            if type(part) is dict and part.get("type") == kind and type(part.get(kind)) is str:
                texts.append(part[kind])
    return ("".join(found["text"]) if found["text"] else None), "".join(found["thinking"])


def _usage(raw: object) -> dict[str, int]:
    if type(raw) is not dict:
        return {}
    details = raw.get("completion_tokens_details")
    stated = {
        "prompt": raw.get("prompt_tokens"),
        "completion": raw.get("completion_tokens"),
        "reasoning": details.get("reasoning_tokens") if type(details) is dict else raw.get("reasoning_tokens"),
    }
    return {name: count for name, count in stated.items() if type(count) is int and 0 <= count < 1 << 53}


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks to wait: a number, or a date, read against the response's own date."""
    asked = headers.get("retry-after", "").strip()[:40]
    if asked.isascii() and asked.isdigit():
        return min(LONGEST_WAIT, float(asked))
    try:
        seconds = (parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(LONGEST_WAIT, max(0.0, seconds))


SERVERS = ("vllm", "sglang", "llama.cpp", "openrouter")


def budget_fields(tokens: int, server: str) -> dict[str, Any]:
    """The fields of a request by which this server limits the tokens of thinking; 0: no thinking. Raises BadParams.

    vllm takes thinking_token_budget (from version 0.20 on, started with a reasoning parser and configuration). sglang takes
    custom_params (started with --enable-strict-thinking) and a hint to chat templates that know it. llama.cpp takes
    thinking_budget_tokens. openrouter passes reasoning.max_tokens on to providers that know a budget.
    """
    if server == "vllm":
        return {"thinking_token_budget": tokens}
    if server == "sglang":
        return {"custom_params": {"thinking_budget": tokens}, "chat_template_kwargs": {"thinking_budget": tokens}}
    if server == "llama.cpp":
        return {"thinking_budget_tokens": tokens}
    if server == "openrouter":
        return {"reasoning": {"max_tokens": tokens} if tokens else {"enabled": False}}
    raise BadParams(f"--server: expected one of {', '.join(SERVERS)}, got {server[:40]!r}")


def merged(body: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The body with more fields; objects are joined, null removes a field."""
    out = dict(body)
    for name, value in more.items():
        old = out.get(name)
        out[name] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return {name: value for name, value in out.items() if value is not None}


def conversation(system: str, prompt: str) -> list[Message]:
    opening: Sequence[Message] = [{"role": "system", "content": system}] if system else []
    return [*opening, {"role": "user", "content": prompt}]
