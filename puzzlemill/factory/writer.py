"""The files of a release: Parquet, manifest, card, scorer. Everything is written into a staging folder; run.py moves it into
place.

A file's bytes depend on the recipe, on this package and on the versions named in the manifest's "environment", never on the
number of workers, on the clock or on the machine's name.
"""

from __future__ import annotations

import json
import os
import platform
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import puzzlemill
from puzzlemill.factory import example, record
from puzzlemill.factory.exclusions import Exclusions
from puzzlemill.factory.read import Entry, Release, data_path, file_hash, parquet
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.reasoning import quantiles
from puzzlemill.factory.recipe import Recipe, base_text, few_answers
from puzzlemill.generators import family_named
from puzzlemill.scoring.score import COLUMNS

ROW_GROUP = 1_000  # rows; a viewer reads one at a time
CHUNKS = {"min_chunk_size": 64 * 1024, "max_chunk_size": 512 * 1024, "norm_level": 0}  # bytes; what changes little is stored once
FILE_BYTES = 512 << 20  # of rows in memory, after which a file of a split ends and the next begins
_HOW: dict[str, Any] = {"use_content_defined_chunking": CHUNKS, "write_page_checksum": True}
_LIBRARIES = ("pyarrow", "numba", "numpy", "igraph", "python-sat", "z3-solver")


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of a release for one family in one split.

    dropped: reason -> times. bands: difficulty band -> rows. variants: variant -> rows. depths: shallow or deep -> rows without
    an answer. traces: reasoning.length() -> rows. All as pairs sorted by name.
    """

    family: str
    split: str
    groups: int
    rows: int
    dropped: tuple[tuple[str, int], ...]
    bands: tuple[tuple[str, int], ...]
    variants: tuple[tuple[str, int], ...]
    depths: tuple[tuple[str, int], ...] = ()
    traces: tuple[tuple[tuple[int, bool], int], ...] = ()


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write one Parquet file of rows of a release; returns the number of rows."""
    return write_parquet(path, record.COLUMNS, rows, **_HOW)


def write_parquet(path: Path, columns: Mapping[str, record.ColumnType], rows: Iterable[Mapping[str, Any]], **how: Any) -> int:
    """Write rows of these columns, a row group in memory at a time, with the features that `datasets` reads; returns how many.

    how: further settings of pyarrow.parquet.ParquetWriter.
    """
    left = iter(rows)
    with _Writer(path, columns, how) as file:
        while file.take(left):
            pass
        return file.rows


class _Writer:
    """A Parquet file that is being written. rows, bytes: what stands in it, as rows in memory."""

    def __init__(self, path: Path, columns: Mapping[str, record.ColumnType], how: Mapping[str, Any]) -> None:
        import pyarrow.parquet as pq

        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.rows, self.bytes = path, 0, 0
        self._schema = record.arrow_schema(columns)
        self._file = pq.ParquetWriter(path, self._schema, compression="zstd", write_page_index=True, **how)

    def take(self, rows: Iterator[Mapping[str, Any]]) -> bool:
        """Write the next row group; False if there are no more rows."""
        import pyarrow as pa

        chunk = [dict(row) for row in islice(rows, ROW_GROUP)]
        if not chunk:
            return False
        table = pa.Table.from_pylist(chunk, schema=self._schema)
        self._file.write_table(table, row_group_size=ROW_GROUP)
        self.rows, self.bytes = self.rows + len(chunk), self.bytes + table.nbytes
        return True

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


class SplitFiles:
    """The Parquet files of one family's split, written row group by row group into a folder and named when all are there.

    A file ends with the row group that brings its rows to FILE_BYTES: rows decide that, and nothing else.
    """

    def __init__(self, folder: Path, family: str, split: str, rows: Iterator[Mapping[str, Any]]) -> None:
        self._folder, self._place, self._left = folder, (family, split), rows
        self._done: list[tuple[Path, int]] = []
        self._open: _Writer | None = None
        self.rows = 0

    def take(self) -> bool:
        """Write the next ROW_GROUP rows, or what is left of them; False if nothing is."""
        first = next(self._left, None)
        if first is None:
            return False
        if self._open is not None and self._open.bytes >= FILE_BYTES:
            self._end()
        if self._open is None:
            family, split = self._place
            path = self._folder / "data" / family / f"{split}-{len(self._done):05}"
            self._open = _Writer(path, record.COLUMNS, _HOW)
        before = self._open.rows
        self._open.take(chain([first], self._left))
        self.rows += self._open.rows - before
        return True

    def finish(self) -> dict[str, dict[str, Any]]:
        """Write all that is left; returns the files' entries in the manifest by their paths. No rows make an empty file."""
        while self.take():
            pass
        if self._open is None and not self._done:
            self._open = _Writer(self._folder / "data" / self._place[0] / f"{self._place[1]}-00000", record.COLUMNS, _HOW)
        self._end()
        entries = {}
        for number, (aside, count) in enumerate(self._done):
            path = data_path(*self._place, number, len(self._done))
            aside.replace(self._folder / path)
            entries[path] = {**entry(self._folder / path), "rows": count, "memory": memory_of(self._folder / path)}
        return entries

    def _end(self) -> None:
        if self._open is not None:
            with self._open as file:
                self._done.append((file.path, file.rows))
            self._open = None


def memory_of(path: Path) -> int:
    """The bytes that the rows of a Parquet file take as Arrow tables, which is what cards state as `num_bytes`."""
    with parquet(path) as file:
        return sum(file.read_row_group(group).nbytes for group in range(file.num_row_groups))


def stage(
    folder: Path,
    recipe: Recipe,
    cells: tuple[Cell, ...],
    used: Mapping[tuple[str, str], int],
    files: Callable[[str, str], SplitFiles],
    earlier: str,
    exclude: Exclusions | None = None,
    further: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Write a whole release into a folder, the manifest last; returns the manifest.

    used: (family, base text) -> groups made of it. files(family, split): those of a split in this folder, some of which may be
    written already. earlier: digest of the earlier releases whose puzzles were left out, "" if there are none.
    exclude: what the release holds that the recipe keeps apart from. further: names and texts of more files.
    """
    from puzzlemill.factory.bundle import scorer_zip

    manifest = _manifest(recipe, cells, used, earlier, exclude)
    for cell in cells:
        manifest["files"].update(files(cell.family, cell.split).finish())
    made = Release(folder, manifest, dict.fromkeys(manifest["files"], Entry("", 0, "", None)))
    shown = example.chosen(
        [(cell.family, cell.split) for cell in cells if cell.rows], lambda family, split: rows_of(made, None, family, split)
    )
    if shown is not None:
        manifest["example"] = example.told(shown)
        (folder / example.PICTURE).write_text(example.picture(shown), encoding="utf-8", newline="\n")
        manifest["files"][example.PICTURE] = entry(folder / example.PICTURE)
    for path in scorer_zip(rows_of(made, COLUMNS), folder / "scorer.zip"):
        manifest["files"][path.name] = entry(path)
    for name, text in further.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        manifest["files"][name] = entry(folder / name)
    finish(folder, manifest)
    return manifest


def finish(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the card and the manifest of a release whose other files are there, and state their hashes in the manifest."""
    from puzzlemill.factory.card import card

    (folder / "README.md").write_text(card(manifest), encoding="utf-8", newline="\n")
    manifest["files"] = dict(sorted({**manifest["files"], "README.md": entry(folder / "README.md")}.items()))
    manifest["checksum"] = checksum(manifest)
    (folder / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8", newline="\n")


def checksum(manifest: Mapping[str, Any]) -> str:
    """SHA-256 of everything else in a manifest: what the files' hashes are to the files."""
    rest = {name: value for name, value in manifest.items() if name != "checksum"}
    return sha256(
        json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    ).hexdigest()


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """The one text of a manifest."""
    return json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"


def entry(path: Path) -> dict[str, Any]:
    """A file's size and hash as the manifest states them."""
    return {"bytes": path.stat().st_size, "sha256": file_hash(path)}


@cache
def source_key() -> str:
    """A hash of this package's source."""
    hashed = sha256()
    root = Path(__file__).parents[1]
    for name in source_files(root):
        hashed.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return hashed.hexdigest()


def source_files(root: Path) -> list[str]:
    """The package's code and the texts that its rows and cards are made of, relative to its folder."""
    found = []
    for folder, folders, names in os.walk(root, followlinks=True):  # in a checkout some folders are links
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [
            Path(folder, name).relative_to(root).as_posix() for name in names if name.endswith((".py", ".toml", ".txt", ".md"))
        ]
    return sorted(found)


def _manifest(
    recipe: Recipe,
    cells: tuple[Cell, ...],
    used: Mapping[tuple[str, str], int],
    earlier: str = "",
    exclude: Exclusions | None = None,
) -> dict[str, Any]:
    families = {name: family_named(name) for name in dict.fromkeys(stratum.family for stratum in recipe.strata)}
    return {
        "release": recipe.name,
        "recipe_key": recipe.key(),
        "recipe": recipe.to_plain(),
        "schema_version": record.SCHEMA_VERSION,
        "puzzlemill": puzzlemill.__version__,
        "families": {name: {"title": family.title, "version": family.version} for name, family in families.items()},
        "earlier": earlier,
        **({"exclusions": exclude.to_json()} if exclude else {}),
        "publication": None,  # a release among others (publish/plan.py) says here which one it is
        "canary": record.canary_of(recipe),
        "license": recipe.license,
        "content": [
            {
                "family": cell.family,
                "split": cell.split,
                "groups": cell.groups,
                "rows": cell.rows,
                "dropped": dict(cell.dropped),
                "difficulty": dict(cell.bands),
                "variants": dict(cell.variants),
                "depths": dict(cell.depths),
            }
            for cell in cells
        ],
        "traces": traces_of([(cell.family, dict(cell.traces)) for cell in cells]),
        "small_classes": list(_small_classes(recipe, used)),
        "few_answers": list(_few_answers(recipe)),
        "files": {},
        "environment": environment(),
    }


def traces_of(cells: Iterable[tuple[str, Mapping[tuple[int, bool], int]]]) -> dict[str, Any]:
    """By family: rows with a trace, quantiles of their tokens, rows whose reasoning is too long, and rows without a trace.

    cells: families with reasoning.length() of their rows -> how many.
    """
    found: dict[str, Counter[tuple[int, bool]]] = {}
    for family, traces in cells:
        found.setdefault(family, Counter()).update(traces)
    lengths = {family: sorted([tokens for tokens, _ in traces.elements() if tokens]) for family, traces in found.items()}
    return {
        family: {
            **quantiles(lengths[family]),
            "too_long": sum([rows for (_, long), rows in traces.items() if long]),
            "without": traces[0, False],
        }
        for family, traces in sorted(found.items())
        if traces
    }


def environment() -> dict[str, str]:
    """Versions that a file's bytes depend on next to the recipe."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "source": source_key(),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        **{name: metadata.version(name) for name in _LIBRARIES},
    }


def _small_classes(recipe: Recipe, used: Mapping[tuple[str, str], int]) -> Iterator[dict[str, Any]]:
    """Bases with so few puzzles that another seed cannot give other ones; imported puzzles are no draws from them."""
    if recipe.imported:
        return
    seen: dict[tuple[str, str], None] = {}
    for stratum in recipe.strata:
        family = family_named(stratum.family)
        for spec in stratum.bases():
            capacity = family.small.puzzles(spec)
            at = (stratum.family, base_text(spec))
            if capacity is not None and at not in seen:
                seen[at] = None
                yield {"family": stratum.family, "base": json.loads(at[1]), "capacity": capacity, "used": used.get(at, 0)}


def _few_answers(recipe: Recipe) -> Iterator[dict[str, Any]]:
    """Specs with so few answers up to symmetry that each of them belongs to one split."""
    few = {(each.family, base_text(spec)): count for each in recipe.strata for spec, count in few_answers(each)}
    for (family, spec), count in few.items():
        yield {"family": family, "spec": json.loads(spec), "answers": count}
