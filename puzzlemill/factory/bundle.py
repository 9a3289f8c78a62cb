"""scorer.zip: the scorer that travels with the data.

`python scorer.zip score [rows.jsonl] replies.jsonl [--json]` scores replies with nothing installed but Python 3.11 or newer:
the archive holds the library's standard-library-only packages and, in rows.jsonl, the columns of the release that scoring reads.

Same rows, library and zlib: same bytes. Members are sorted and have one fixed time and mode; rows keep their order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import puzzlemill
from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.factory.files import whole
from puzzlemill.scoring.judging import JUDGEMENT
from puzzlemill.scoring.score import COLUMNS

PACKAGES = ("chains", "core", "generators", "kumo/book", "questions", "rules", "scoring", "transforms", "vocabulary")
# Of whole domains, which tasks are drawn from, nothing: a row has all of its domain that it needs.
MODULES = (
    "__init__",
    "family",
    "kumo/__init__",
    *[f"kumo/domain/{name}" for name in ("__init__", "domain", "source", "task", "text")],
)
# Read to make puzzles alone: a row has the words that its answer is judged by.
MAKERS = ("lexicon.tsv.gz", "examples.txt.gz", "LEXICON_NOTICE.md", "clues.toml", "unfair_clues.toml", "quotes.toml")
# A member of more than 2 GiB needs ZIP64, which Python's own zip importer reads only since 3.13.
MAX_ROWS_BYTES = (1 << 31) - (1 << 24)
_TIME = (1980, 1, 1, 0, 0, 0)
_MAIN = '''"""Scores replies to the puzzles of the release that this archive belongs to."""

import sys
from zipfile import ZipFile


def rows():
    from puzzlemill.scoring.main import read_rows

    with ZipFile(sys.path[0]) as archive, archive.open("rows.jsonl") as file:
        yield from read_rows(file, "rows.jsonl")


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("the scorer needs Python 3.11 or newer")
    if sys.argv[1:2] == ["chains"]:
        from puzzlemill.chains.main import main

        sys.exit(main(sys.argv[2:], rows))
    from puzzlemill.scoring.main import main

    sys.exit(main(sys.argv[1:], rows))
'''


def scorer_zip(rows: Iterable[Mapping[str, Any]], path: str | Path) -> None:
    """Write the archive for these rows; under its name it is complete or not there.

    Raises BadRow if a row lacks a column, BadFile if the archive cannot be written.
    """
    target = Path(path)
    try:
        with whole(target) as part, ZipFile(part, "w") as archive:
            for name, content in sorted(_library().items()):
                archive.writestr(_member(name), content, ZIP_DEFLATED, 6)
            _write_rows(archive, rows)
    except OSError as error:
        raise BadFile(f"{target}: {error.strerror or error}; choose a folder that can be written to") from None


def _member(name: str) -> ZipInfo:
    info = ZipInfo(name, _TIME)
    info.compress_type = ZIP_DEFLATED
    info.create_system = 3  # Unix, wherever it is made
    info.external_attr = 0o644 << 16
    return info


def _library() -> dict[str, bytes]:
    """Archive name -> content of every file of the library that scoring may read; a test runs it without anything else."""
    home = Path(puzzlemill.__file__).parent
    files = {"__main__.py": _MAIN.encode()}
    files |= {f"puzzlemill/{name}.py": (home / f"{name}.py").read_bytes() for name in MODULES}
    for package in PACKAGES:
        for folder, folders, names in os.walk(home / package):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for file in [Path(folder, name) for name in names if name not in ("README.md", *MAKERS)]:
                files[f"puzzlemill/{file.relative_to(home).as_posix()}"] = file.read_bytes()
    return files


def _write_rows(archive: ZipFile, rows: Iterable[Mapping[str, Any]]) -> None:
    size = 0
    with archive.open(_member("rows.jsonl"), "w") as member:
        for row in rows:
            lacking = [column for column in COLUMNS if column not in row]
            if lacking:
                raise BadRow(f"row {str(row.get('id'))[:80]}: {lacking[0]}: the column is missing; scorer.zip needs it")
            kept = {column: row[column] for column in COLUMNS}
            read = kept["play"] is not None or kept["reply_format"] == JUDGEMENT
            kept["hidden"] = kept["hidden"] if read else None  # long, and read of dialogues and judgements only
            if type(kept["proof"]) is dict:
                kept["proof"] = {"depth": kept["proof"].get("depth")}  # the rest is long, and scoring does not read it
            try:
                line = json.dumps(kept, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"
            except (TypeError, ValueError) as error:
                raise BadRow(f"row {str(row['id'])[:80]}: not plain JSON values ({error})") from None
            size += len(line)
            if size > MAX_ROWS_BYTES:
                raise BadFile("scorer.zip: more than 2 GiB of rows; make several smaller releases")
            member.write(line)
