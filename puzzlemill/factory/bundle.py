"""scorer.zip: the scorer that travels with the data.

`python scorer.zip score [rows.jsonl] replies.jsonl [--json]` scores replies with nothing installed but Python 3.11 or newer:
the archive holds the library's standard-library-only packages and, in rows.jsonl, the columns of the release that scoring reads.
Where these come to more than INSIDE bytes, they lie beside the archive in rows.jsonl.gz, whose SHA-256 the archive holds, and are
read as a stream.

Same rows, library and zlib: same bytes. Members are sorted and have one fixed time and mode; rows keep their order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from gzip import GzipFile
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import puzzlemill
from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.factory.files import whole
from puzzlemill.factory.read import file_hash
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
INSIDE = 64 << 20  # bytes of rows as JSON lines; more lie beside the archive
ROWS, BESIDE, BESIDE_HASH = "rows.jsonl", "rows.jsonl.gz", "rows.sha256"
_TIME = (1980, 1, 1, 0, 0, 0)
_MAIN = '''"""Scores replies to the puzzles of the release that this archive belongs to."""

import sys


def rows():
    from puzzlemill.scoring.main import rows_of_archive

    return rows_of_archive(sys.path[0])


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("the scorer needs Python 3.11 or newer")
    if sys.argv[1:2] == ["chains"]:
        from puzzlemill.chains.main import main

        sys.exit(main(sys.argv[2:], rows))
    from puzzlemill.scoring.main import main

    sys.exit(main(sys.argv[1:], rows))
'''


def scorer_zip(rows: Iterable[Mapping[str, Any]], path: str | Path) -> list[Path]:
    """Write the archive for these rows, and what lies beside it; under its name it is complete or not there. Returns the files.

    Raises BadRow if a row lacks a column, BadFile if the archive cannot be written.
    """
    target = Path(path)
    beside = target.with_name(BESIDE)
    lines = lines_of(rows)
    try:
        held, size = [], 0
        for line in lines:
            held.append(line)
            size += len(line)
            if size > INSIDE:
                break
        beside.unlink(missing_ok=True)
        if size <= INSIDE:
            write_archive(target, held, "")
            return [target]
        with whole(beside) as part, part.open("wb") as file, GzipFile("", "wb", 6, file, mtime=0) as packed:
            for line in chain(held, lines):
                packed.write(line)
        write_archive(target, (), file_hash(beside))
        return [target, beside]
    except OSError as error:
        raise BadFile(f"{target}: {error.strerror or error}; choose a folder that can be written to") from None


def write_archive(target: Path, lines: Iterable[bytes], beside: str) -> None:
    """Write the archive with these rows in it; beside: the SHA-256 of the file of rows beside it, "" if there is none."""
    with whole(target) as part, ZipFile(part, "w") as archive:
        for name, content in sorted(_library().items()):
            archive.writestr(_member(name), content, ZIP_DEFLATED, 6)
        if beside:
            archive.writestr(_member(BESIDE_HASH), beside + "\n", ZIP_DEFLATED, 6)
            return
        with archive.open(_member(ROWS), "w") as member:
            for line in lines:
                member.write(line)


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


def lines_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Rows as scoring reads them, a line of JSON each. Raises BadRow."""
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
            yield json.dumps(kept, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode() + b"\n"
        except (TypeError, ValueError) as error:
            raise BadRow(f"row {str(row['id'])[:80]}: not plain JSON values ({error})") from None
