"""What a recipe says of imported puzzles: the files that they come from, and which of them were kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import Status

KEPT = (Status.ANY.value, Status.UNSOLVABLE.value)  # what is left out unless it is asked for
MOST_FILES = 1_000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"[^/\\\x00-\x1f\x7f]{1,120}")


@dataclass(frozen=True, slots=True)
class File:
    """A file by its name without a folder, its size, and the hash of its bytes."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Origin:
    """files: in the order in which they were named. form, family, columns, most: as they were asked for, "" and 0 for what the
    files say themselves. keep: what is kept besides puzzles with one right answer, of KEPT.
    """

    files: tuple[File, ...]
    form: str = ""
    family: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    keep: tuple[str, ...] = ()
    most: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.files) <= MOST_FILES:
            raise BadParams(f"imported.files: expected 1 to {MOST_FILES} files, got {len(self.files)}")
        for file in self.files:
            if (
                not _NAME.fullmatch(file.name)
                or not file.name.isprintable()
                or file.bytes < 0
                or not _SHA256.fullmatch(file.sha256)
            ):
                raise BadParams(f"imported.files: expected a name without a folder, bytes and sha256, got {str(file)[:120]}")
        if len({file.sha256 for file in self.files}) < len(self.files):
            raise BadParams("imported.files: one file is named twice; leave one out")
        for kept in self.keep:
            if kept not in KEPT:
                raise BadParams(f"imported.keep: expected {' or '.join(KEPT)}, got {kept[:40]!r}")
        if list(self.keep) != sorted(set(self.keep)):
            raise BadParams(f"imported.keep: expected each once and in order, got {', '.join(self.keep)}")

    @property
    def doubts(self) -> bool:
        """Return whether prompts say that there may be no answer: where puzzles without one are kept."""
        return Status.UNSOLVABLE.value in self.keep

    def keeps(self, status: Status) -> bool:
        """Return whether puzzles of this status become rows."""
        return status in (Status.UNIQUE, Status.OPTIMAL) or status.value in self.keep

    def to_json(self) -> dict[str, Any]:
        files = [{"name": file.name, "bytes": file.bytes, "sha256": file.sha256} for file in self.files]
        asked = {
            "form": self.form,
            "family": self.family,
            "columns": dict(self.columns),
            "keep": list(self.keep),
            "most": self.most,
        }
        return {"files": files, **asked}


def read_origin(raw: Any) -> Origin:
    """The inverse of Origin.to_json. Raises BadParams."""
    try:
        files = tuple(
            [File(_typed(each["name"], str), _typed(each["bytes"], int), _typed(each["sha256"], str)) for each in raw["files"]]
        )
        columns = tuple([(_typed(role, str), _typed(name, str)) for role, name in _typed(raw["columns"], dict).items()])
        keep = tuple([_typed(status, str) for status in raw["keep"]])
        return Origin(files, _typed(raw["form"], str), _typed(raw["family"], str), columns, keep, _typed(raw["most"], int))
    except (KeyError, TypeError, AttributeError) as error:
        raise BadParams(
            f"imported: expected files, form, family, columns, keep and most ({type(error).__name__}: {error})"
        ) from None


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:40]!r} is no {kind.__name__}")
    return value


def source_problem(source: Mapping[str, Any] | None, origin: Origin | None) -> str:
    """Say what is wrong with a row's `source` in a release of this origin, "" if nothing is."""
    if source is None or origin is None:
        return "" if source is None and origin is None else f"is {'null' if source is None else 'given'}, which the recipe is not"
    known = {(file.name, file.sha256) for file in origin.files}
    if (source["file"], source["sha256"]) not in known:
        return f"{str(source['file'])[:60]!r} with this hash is no file that the recipe names"
    return "" if source["line"] >= 1 else f"line {source['line']}: lines count from 1"
