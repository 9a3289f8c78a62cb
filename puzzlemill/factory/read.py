"""Reading a release back: its manifest and its rows, a batch at a time.

What cannot be read is a BadFile that names the file; nothing in a release is trusted or executed. All rows go through
`batches`, which refuses what unpacks to more than a release's rows do (`unpack`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile
from puzzlemill.core.memory import too_little
from puzzlemill.factory.unpack import unpacked

MANIFEST = "manifest.json"
MAX_MANIFEST = 64_000_000  # bytes
BATCH = 256  # rows; a row takes some 10 kB, so that a reader holds a few MB
_DATA = re.compile(r"data/([^/]+)/([^/]+)-(\d{5})-of-(\d{5})\.parquet\Z")
_CELL = {"family": str, "split": str, "groups": int, "rows": int, "dropped": dict, "difficulty": dict, "variants": dict}


@dataclass(frozen=True, slots=True)
class Entry:
    """The manifest's entry of one file. path: relative to the release, with "/". rows: None for files without rows."""

    path: str
    bytes: int
    sha256: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class Release:
    """A folder with a manifest. manifest: the parsed JSON; files: its entries by path."""

    folder: Path
    manifest: dict[str, Any]
    files: dict[str, Entry]

    def data_files(self, family: str = "", split: str = "") -> list[str]:
        """The files of rows in the order in which they were made; those that the manifest does not describe last.

        family, split: of these alone. Parquet files of the ledger are none of them."""
        order = {(cell["family"], cell["split"]): i for i, cell in enumerate(self.manifest["content"])}
        found = [path for path in self.files if path.endswith(".parquet") and not path.startswith(("ledger/", "revealed/"))]
        placed = {path: place_of(path) for path in found}
        chosen = [path for path in found if family in ("", placed[path][0]) and split in ("", placed[path][1])]
        return sorted(chosen, key=lambda path: (order.get(placed[path], len(order)), path))


def data_path(family: str, split: str, number: int = 0, of: int = 1) -> str:
    """The path of a file of a family's split in a release, of so many."""
    return f"data/{family}/{split}-{number:05}-of-{of:05}.parquet"


def place_of(path: str) -> tuple[str, str]:
    """The family and the split whose rows lie in a file of a release; "" for what its path does not tell."""
    found = _DATA.match(path)
    return (found[1], found[2]) if found else ("", "")


def open_release(folder: Path) -> Release:
    """Read the manifest of a release. Raises BadFile if there is none or it is not one."""
    path = folder / MANIFEST
    if not folder.is_dir():
        raise BadFile(f"{folder}: no such folder; name the folder that `puzzlemill generate out=...` wrote")
    try:
        _no_pipe(path)
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_MANIFEST else b""
    except FileNotFoundError:
        if (folder / ".commits").is_dir():
            raise BadFile(f"{folder}: holds several releases; name one of them, as in {folder / 'latest'}") from None
        raise BadFile(f"{path}: missing, so this is no finished release; run the same `puzzlemill generate` again") from None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})") from None
    if size > MAX_MANIFEST:
        raise BadFile(f"{path}: {size} bytes; at most {MAX_MANIFEST} are read")
    try:
        manifest = json.loads(raw)
        json.dumps(manifest, ensure_ascii=False).encode()  # no half of a surrogate pair, which no file can hold
        files = {path: _entry(path, item) for path, item in manifest["files"].items()}
        for cell in manifest["content"]:
            if any(type(cell[name]) is not kind for name, kind in _CELL.items()):
                raise TypeError(f"content needs {', '.join(_CELL)}")
    except UnicodeEncodeError as error:
        raise BadFile(
            f"{path}: holds half of a surrogate pair, {error.object[error.start]!a}, which is no text; "
            "restore it or build the release again"
        ) from None
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        raise BadFile(
            f"{path}: not a manifest ({type(error).__name__}: {error}); restore it or build the release again"
        ) from None
    return Release(folder, manifest, files)


def _entry(path: str, raw: Any) -> Entry:
    rows = raw.get("rows")
    if type(raw["bytes"]) is not int or type(raw["sha256"]) is not str or not (rows is None or type(rows) is int):
        raise TypeError(f"files[{path!r}] needs bytes, sha256 and rows")
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"files[{path!r}] leads out of the release")
    if not path.isprintable() or len(path.encode()) > 255:
        raise ValueError(f"files[{path[:60]!r}] is no name that a release gives to a file")
    return Entry(path, raw["bytes"], raw["sha256"], rows)


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, read a MiB at a time."""
    hashed = sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            hashed.update(chunk)
    return hashed.hexdigest()


def parquet(path: Path) -> Any:
    """An open Parquet file. Raises BadFile if its footer cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    _no_pipe(path)
    try:
        return pq.ParquetFile(path, memory_map=False, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise _corrupt(path, error) from None


def batches(
    path: Path,
    columns: Sequence[str] | None = None,
    groups: Sequence[int] | None = None,
    part: tuple[int, int] | None = None,
) -> Iterator[list[dict[str, Any]]]:
    """The rows of a Parquet file, at most BATCH at a time, only these columns and row groups.

    part: of all these rows only those from the first number to before the second.

    Raises BadFile where it cannot be read, or unpacks to too much.
    """
    import pyarrow as pa

    try:
        with parquet(path) as file:
            lacking = [name for name in columns or () if name not in file.schema_arrow.names]
            if lacking:
                raise BadFile(f"{path}: lacks the column {lacking[0]}; restore the file or build the release again")
            every = range(file.metadata.num_row_groups) if groups is None else groups
            (first, end), at = part or (0, None), 0
            for batch in unpacked(path, file, every, columns, BATCH):
                if end is not None and at >= end:
                    return
                inside = batch.slice(max(0, first - at), None if end is None else max(0, end - max(first, at)))
                at += len(batch)
                if len(inside):
                    yield inside.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _corrupt(path, error) from None


def _no_pipe(path: Path) -> None:
    """Raise BadFile for what is there and is no file: reading a pipe or a device may never end."""
    if path.exists() and not path.is_file():
        raise BadFile(f"{path}: is no file; restore it or build the release again")


def _corrupt(path: Path, error: Exception) -> BadFile:
    what = " ".join(str(error).split())[:200]
    if too_little(error):
        return BadFile(
            f"{path}: cannot be read as Parquet ({what}): there is too little memory, or the file is corrupt; use fewer workers "
            "or a machine with more, or restore the file"
        )
    return BadFile(f"{path}: cannot be read as Parquet ({what}); restore the file or build the release again")


def rows(release: Release, columns: Sequence[str] | None = None, family: str = "", split: str = "") -> Iterator[dict[str, Any]]:
    """Every row of a release, file by file, or those of a family or a split alone."""
    for path in release.data_files(family, split):
        for batch in batches(release.folder / path, columns):
            yield from batch
