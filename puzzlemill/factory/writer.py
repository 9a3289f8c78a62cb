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
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import puzzlemill
from puzzlemill.factory import example, record
from puzzlemill.factory.exclusions import Exclusions
from puzzlemill.factory.read import file_hash, parquet
from puzzlemill.factory.reasoning import quantiles
from puzzlemill.factory.recipe import Recipe, base_text, few_answers
from puzzlemill.generators import family_named

ROW_GROUP = 1_000  # rows; a viewer reads one at a time
CHUNKS = {"min_chunk_size": 64 * 1024, "max_chunk_size": 512 * 1024, "norm_level": 0}  # bytes; what changes little is stored once
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


def data_path(family: str, split: str) -> str:
    """The path of a family's split in a release."""
    return f"data/{family}/{split}-00000-of-00001.parquet"


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write one Parquet file of a release; returns the number of rows."""
    return write_parquet(path, record.COLUMNS, rows, use_content_defined_chunking=CHUNKS, write_page_checksum=True)


def write_parquet(path: Path, columns: Mapping[str, record.ColumnType], rows: Iterable[Mapping[str, Any]], **how: Any) -> int:
    """Write rows of these columns, a row group in memory at a time, with the features that `datasets` reads; returns how many.

    how: further settings of pyarrow.parquet.ParquetWriter.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = record.arrow_schema(columns)
    left, count = iter(rows), 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_index=True, **how) as file:
        while chunk := [dict(row) for row in islice(left, ROW_GROUP)]:
            file.write_table(pa.Table.from_pylist(chunk, schema=schema), row_group_size=ROW_GROUP)
            count += len(chunk)
    return count


def memory_of(path: Path) -> int:
    """The bytes that the rows of a Parquet file take as Arrow tables, which is what cards state as `num_bytes`."""
    with parquet(path) as file:
        return sum(file.read_row_group(group).nbytes for group in range(file.num_row_groups))


def stage(
    folder: Path,
    recipe: Recipe,
    cells: tuple[Cell, ...],
    used: Mapping[tuple[str, str], int],
    rows: Callable[[str, str], Iterator[Any]],
    earlier: str,
    exclude: Exclusions | None = None,
    further: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Write a whole release into an empty folder, the manifest last; returns the manifest.

    used: (family, base text) -> groups made of it. rows(family, split): the rows of one file in order.
    earlier: digest of the earlier releases whose puzzles were left out, "" if there are none.
    exclude: what the release holds that the recipe keeps apart from. further: names and texts of more files.
    """
    from puzzlemill.factory.bundle import scorer_zip

    manifest = _manifest(recipe, cells, used, earlier, exclude)
    for cell in cells:
        path = data_path(cell.family, cell.split)
        count = write_rows(folder / path, rows(cell.family, cell.split))
        manifest["files"][path] = {**entry(folder / path), "rows": count, "memory": memory_of(folder / path)}
    shown = example.chosen([(cell.family, cell.split) for cell in cells if cell.rows], rows)
    if shown is not None:
        manifest["example"] = example.told(shown)
        (folder / example.PICTURE).write_text(example.picture(shown), encoding="utf-8", newline="\n")
        manifest["files"][example.PICTURE] = entry(folder / example.PICTURE)
    scorer_zip((row for cell in cells for row in rows(cell.family, cell.split)), folder / "scorer.zip")
    manifest["files"]["scorer.zip"] = entry(folder / "scorer.zip")
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
        **({"exclusions": {"recipe": exclude.recipe, "puzzles": len(exclude.keys), "digest": exclude.digest}} if exclude else {}),
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
