"""The forms in which servers take a JSON schema for a reply, tried in turn; the one that a server takes is kept for the run.

OpenAI, vLLM, SGLang and llama.cpp's own server take `json_schema`; llama-cpp-python's server takes `json_object` with a schema,
and answers 500 to `json_schema`; older ones take `json_object` alone, or no response_format at all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from puzzlemill.envs.endpoint import CallError, Completion

log = logging.getLogger(__name__)

SCHEMA, OBJECT_SCHEMA, OBJECT, TEXT = "schema", "object_schema", "object", "text"
FORMS = (SCHEMA, OBJECT_SCHEMA, OBJECT, TEXT)  # in the order in which they are tried; the last one is no form but words
WORDS = {
    SCHEMA: "response_format json_schema",
    OBJECT_SCHEMA: "response_format json_object with a schema",
    OBJECT: "response_format json_object",
    TEXT: "no response_format",
}
_REFUSED = frozenset({400, 415, 422})
_TOLD = 240  # characters of what a server said that are shown
_BROKEN = frozenset({500, 501})  # by which a server may mean a form that it does not know, or trouble of the moment


def response_format(form: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request's field; None for words alone."""
    if form == SCHEMA:
        strict = set(schema.get("required", ())) == set(schema.get("properties", ()))
        return {"type": "json_schema", "json_schema": {"name": "answer", "strict": strict, "schema": schema}}
    if form == TEXT:
        return None
    return {"type": "json_object"} | ({"schema": schema} if form == OBJECT_SCHEMA else {})


class Forms:
    """The forms that a server is asked in. known: the one that it took first, None before."""

    def __init__(self) -> None:
        self.known: str | None = None
        self._deciding = asyncio.Lock()

    @asynccontextmanager
    async def to_try(self) -> AsyncIterator[tuple[str, ...]]:
        """The forms to try in turn. While none is known one caller tries them, and others wait for what it finds."""
        if self.known is None:
            async with self._deciding:
                if self.known is None:
                    yield FORMS
                    return
        yield FORMS[FORMS.index(self.known or SCHEMA) :]

    def once(self, form: str) -> frozenset[int]:
        """Statuses after which a call in this form is tried only once more: while nobody knows that the server takes it."""
        return _BROKEN if form != TEXT and self.known is None else frozenset()

    def refuses(self, form: str, error: CallError) -> bool:
        """Return whether the error may be the form's fault, and another form is worth a call."""
        return form != TEXT and (error.status in _REFUSED or (error.status in _BROKEN and self.known is None))

    def took(self, form: str, found: Completion, why: str) -> None:
        """Keep the first form that worked at once. why: what was said of the forms before it, "" if there was none."""
        if self.known is not None or (form == TEXT and found.retries):
            return
        self.known = form
        if why:
            log.warning(
                "answers are asked for with %s from here on: %s", WORDS[form], why if len(why) <= _TOLD else f"{why[:_TOLD]}..."
            )
