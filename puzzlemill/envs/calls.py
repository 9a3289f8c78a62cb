"""FILE.calls.jsonl: the finished calls of chains that are not finished, so that a run that was stopped goes on within a chain.

One line a call, appended when its completion is there. A chain that is finished stands in FILE with all its calls, and its lines
here are dropped when the file is next opened; with no chain under way there is no such file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from puzzlemill.core.errors import BadFile
from puzzlemill.envs.endpoint import Completion, Refused
from puzzlemill.factory.files import append, last_line, whole
from puzzlemill.scoring.replies import MAX_LINE

_Pair = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a chain. seconds: how long it took, with its further tries."""

    step: str
    completion: Completion
    seconds: float

    def record(self) -> dict[str, Any]:
        """The call as files have it."""
        found = self.completion
        reasoning = {"reasoning": found.reasoning} if found.reasoning else {}
        return {
            "step": self.step,
            "reply": found.text,
            **reasoning,
            "finish_reason": found.reason,
            "usage": dict(found.usage),
            "retries": found.retries,
            "seconds": self.seconds,
        }


def encoded(line: Mapping[str, Any], most: int = MAX_LINE) -> bytes:
    """A line in ASCII: a lone surrogate of a reply stays what it is. Raises Refused for one that nobody could read back."""
    data = (json.dumps(line, ensure_ascii=True) + "\n").encode()
    if len(data) > most:
        raise Refused(f"replies and reasoning of more than {most} bytes in one line of the file", 200)
    return data


def repair(file: BinaryIO) -> None:
    """End a file of lines with a whole line: one that was being written when the process died is completed or cut off."""
    line = last_line(file)
    try:
        found = json.loads(line) if line else None
    except (ValueError, RecursionError):
        found = None
    if type(found) is dict and type(found.get("reply")) is str:
        file.write(b"\n")
    else:
        file.truncate(file.seek(0, os.SEEK_END) - len(line))


class Calls:
    """The file, open. steps: the names of a chain's calls in order. Of a call only its place in the file is held in memory."""

    def __init__(self, path: Path, steps: Sequence[str]) -> None:
        self.path, self.steps = path, steps
        self._places: dict[_Pair, list[int]] = {}
        self._open = ExitStack()

    def open(self, known: Collection[str], finished: Callable[[str, int], bool]) -> None:
        """Read what there is, without chains that are finished. Raises BadFile for lines that are no calls of these chains."""
        with self._open:
            self._file: BinaryIO = self._open.enter_context(self.path.open("ab+", buffering=0))
            repair(self._file)
            dropped = self._index(known, finished)
            if dropped:
                self._file = self._open.enter_context(self._without(dropped))
                self._places.clear()
                self._index(known, finished)
            self._open = self._open.pop_all()

    def _index(self, known: Collection[str], finished: Callable[[str, int], bool]) -> list[int]:
        """Note where the calls of unfinished chains stand; return where those of finished ones do."""
        dropped: list[int] = []
        number = start = 0
        with self.path.open("rb") as file:
            while line := file.readline(MAX_LINE + 1):
                number += 1
                pair, call = self._read(line, number)
                if pair[0] not in known:
                    self._bad(number, f"unknown id {pair[0][:80]!r}")
                if finished(*pair):
                    dropped.append(start)
                else:
                    places = self._places.setdefault(pair, [])
                    if len(places) >= len(self.steps) or call.step != self.steps[len(places)]:
                        self._bad(number, f"step {call.step[:40]!r} is not the chain's next one")
                    places.append(start)
                start = file.tell()
        return dropped

    def _without(self, dropped: Sequence[int]) -> BinaryIO:
        """Write the file anew without the lines that begin there; the file, open."""
        places = frozenset(dropped)
        with whole(self.path) as aside, self.path.open("rb") as old, aside.open("wb") as new:
            start = 0
            while line := old.readline(MAX_LINE + 1):
                if start not in places:
                    new.write(line)
                start = old.tell()
        return self.path.open("ab+", buffering=0)

    def of(self, name: str, sample: int) -> list[Call]:
        """The finished calls of one chain, in order."""
        found = []
        with self.path.open("rb") as file:
            for place in self._places.get((name, sample), ()):
                file.seek(place)
                found.append(self._read(file.readline(MAX_LINE + 1), 0)[1])
        return found

    def keep(self, name: str, sample: int, call: Call) -> None:
        """Append a call. Raises Refused for one that nobody could read back, OSError where the file cannot be written."""
        data = encoded({"id": name, "sample": sample, **call.record()})
        place = self._file.seek(0, os.SEEK_END)
        append(self._file, data)
        self._places.setdefault((name, sample), []).append(place)

    def drop(self, name: str, sample: int) -> None:
        """Forget a chain that is finished."""
        self._places.pop((name, sample), None)

    def close(self) -> None:
        """Close the file; without a chain under way it goes."""
        self._open.close()
        if not self._places:
            self.path.unlink(missing_ok=True)

    def _read(self, line: bytes, number: int) -> tuple[_Pair, Call]:
        try:
            raw: Any = json.loads(line) if len(line) <= MAX_LINE else None
        except (ValueError, RecursionError):
            raw = None
        kinds = {"id": str, "sample": int, "step": str, "reply": str, "finish_reason": str, "usage": dict, "retries": int}
        if (
            type(raw) is not dict
            or any(type(raw.get(name)) is not kind for name, kind in kinds.items())
            or type(raw.get("reasoning", "")) is not str
            or type(raw.get("seconds")) not in (int, float)
            or any(type(count) is not int for count in raw["usage"].values())
        ):
            self._bad(number, "no finished call")
        found = Completion(raw["reply"], raw.get("reasoning", ""), raw["finish_reason"], raw["usage"], raw["retries"])
        return (raw["id"], raw["sample"]), Call(raw["step"], found, raw["seconds"])

    def _bad(self, number: int, problem: str) -> NoReturn:
        raise BadFile(f"{self.path}:{number}: {problem}; restore the file, or delete it to make its calls again") from None
