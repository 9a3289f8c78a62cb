"""Reply files: one JSON object {"id", "sample", "reply"} per line, UTF-8.

id: of a row. sample: which of several replies to it this is, an integer from 0; 0 if it is left out. reply: text.
turns: of a dialogue, a list of {"reply": text}, one for each message; without it `reply` is the only message.
Other keys are ignored, and so are empty lines. The file is read twice, so that replies in any order are scored row by row.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Container, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from puzzlemill.core.errors import BadFile

MAX_LINE = 128 << 20  # bytes; a reply of 10 MB takes at most 60 MB as JSON
MAX_SAMPLE = 1_000_000
_START = 44  # bits of a line's start, up to 17 TB; the sample stands above them
_WANTED = 'expected {"id": text, "sample": integer, "reply": text}'


def turns_of(raw: Mapping[str, Any], path: Path) -> list[dict[str, Any]]:
    """The turns of a line of a dialogue, each with its "reply". Raises BadFile for turns that are none."""
    turns = raw.get("turns", [{"reply": raw["reply"]}])
    if type(turns) is list and all(type(turn) is dict and type(turn.get("reply")) is str for turn in turns):
        return turns
    problem = 'turns: expected a list of {"reply": text}, one for each message'
    raise BadFile(f"{path}: id {str(raw.get('id'))[:80]!r}, sample {repr(raw.get('sample', 0))[:20]}: {problem}")


def messages_of(raw: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    """The model's messages in a line of a dialogue. Raises BadFile for turns that hold none."""
    return tuple([turn["reply"] for turn in turns_of(raw, path)])


class Replies:
    """The place of every reply in a file, checked line by line when this is made. Eight bytes a reply.

    Raises BadFile, naming file and line, for what is not JSON, unknown ids, a second reply with the same sample, too long lines.
    """

    def __init__(self, path: Path, ids: Container[str]) -> None:
        self.path = path
        self._places: dict[str, array[int]] = {}  # id -> sample << _START | where its line starts, in order
        self.samples: set[int] = set()
        try:
            with path.open("rb") as file:
                self._index(file, ids)
                self._sort(file)
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror or error}; give a file of replies, one JSON object per line") from None

    def _index(self, file: BinaryIO, ids: Container[str]) -> None:
        number = 0
        while True:
            start = file.tell()
            line = file.readline(MAX_LINE + 1)
            if not line:
                return
            number += 1
            if len(line) > MAX_LINE:
                self._bad(number, f"a line of more than {MAX_LINE} bytes; split the file by lines")
            if not line.strip():
                continue
            name, sample, _ = self._reply(self._object(line, number), number)
            if name not in ids:
                self._bad(number, f"unknown id {name[:80]!r}; score against the release that the replies were made for")
            self._places.setdefault(name, array("Q")).append(sample << _START | start)
            self.samples.add(sample)

    def _sort(self, file: BinaryIO) -> None:
        """Order the places of each id by sample, and refuse a sample that stands twice."""
        twice: list[tuple[int, str, int]] = []
        for name, places in self._places.items():
            self._places[name] = places = array("Q", sorted(places))
            twice += [
                (later & ~(-1 << _START), name, later >> _START)
                for earlier, later in pairwise(places)
                if earlier >> _START == later >> _START
            ]
        if twice:
            start, name, sample = min(twice)
            file.seek(0)
            number = 1 + sum(1 for _ in iter(lambda: file.tell() < start and file.readline(), False))
            self._bad(number, f"a second reply with id {name[:80]!r} and sample {sample}; number the samples of a row 0, 1, ...")

    def __iter__(self) -> Iterator[str]:
        """The ids that have a reply."""
        return iter(self._places)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def samples_of(self, name: str) -> list[int]:
        """The samples of one id, in order."""
        return [place >> _START for place in self._places.get(name, ())]

    def _object(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            raw: Any = json.loads(line.decode())
        except (ValueError, RecursionError) as error:
            self._bad(number, f"not JSON ({type(error).__name__}); write one object per line, in UTF-8")
        if type(raw) is not dict:
            self._bad(number, f"{_WANTED}, got a {type(raw).__name__}")
        return dict(raw)

    def _reply(self, raw: Mapping[str, Any], number: int) -> tuple[str, int, str]:
        name, sample, reply = raw.get("id"), raw.get("sample", 0), raw.get("reply")
        if type(name) is not str or type(reply) is not str:
            wrong = "id" if type(name) is not str else "reply"
            self._bad(number, f"{_WANTED}, {wrong} is {'missing' if wrong not in raw else type(raw[wrong]).__name__}")
        if type(sample) is not int or not 0 <= sample <= MAX_SAMPLE:
            self._bad(number, f"sample must be an integer from 0 to {MAX_SAMPLE}, got {repr(sample)[:40]}")
        return name, sample, reply

    def _bad(self, number: int, problem: str) -> NoReturn:
        raise BadFile(f"{self.path}:{number}: {problem}") from None

    def lines(self, file: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Sample number and line of a row's replies, by sample number. file: the same file, open for reading."""
        for place in self._places.get(name, ()):
            sample = place >> _START
            file.seek(place & ~(-1 << _START))
            raw = self._object(file.readline(MAX_LINE + 1), 0)
            found, again, _ = self._reply(raw, 0)
            if (found, again) != (name, sample):
                raise BadFile(f"{self.path}: the file changed while it was read; score a file that nothing writes to")
            yield sample, raw
