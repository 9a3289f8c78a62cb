"""The `score` command: of scorer.zip, and behind `puzzlemill score`. Standard library only."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from gzip import GzipFile
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO, cast
from zipfile import ZipFile
from zlib import error as ZlibError

from puzzlemill.core.codec import MAX_TEXT
from puzzlemill.core.errors import BadFile, BadInput, BadRow
from puzzlemill.scoring.metrics import TOKENS, Item, Measured, Report, Spent, add_spent, measured, report, to_json, to_text
from puzzlemill.scoring.plays import replay, subject_of
from puzzlemill.scoring.replies import Replies, messages_of
from puzzlemill.scoring.score import COLUMNS, Verdict, prepared, score
from puzzlemill.scoring.summary import summary

Row = Mapping[str, Any]
_MAX_LINE = 4 * MAX_TEXT


def score_files(rows: Iterable[Row] | Callable[[], Iterable[Row]], replies_path: str | Path, answered: bool = False) -> Report:
    """Score a file of replies against rows, given in any order, of which COLUMNS of puzzlemill.scoring.score are read.

    rows: also a function that gives them, which is called twice; then of each row only its id and split are held.
    A missing reply counts as wrong. Only a split in which no row has a reply is left out, and the report names it.
    answered: leave rows without any reply out too.
    Raises BadFile for the replies' file and BadRow for rows that cannot be used.
    """
    path = Path(replies_path)
    held = None if callable(rows) else list(rows)
    again: Callable[[], Iterable[Row]] = rows if callable(rows) else lambda: held or ()
    split_of: dict[str, str] = {}
    for row in again():
        name = row.get("id")
        if type(name) is not str:
            raise BadRow(f"row {len(split_of) + 1}: id: expected text, got {type(name).__name__}")
        if name in split_of:
            raise BadRow(f"row {name[:80]}: the id stands twice; give each row once")
        lacking = [column for column in COLUMNS if column not in row]
        if lacking:
            raise BadRow(f"row {name[:80]}: {lacking[0]}: the column is missing; use the rows of a release")
        split_of[name] = sys.intern(str(row["split"]))
    replies = Replies(path, split_of)
    splits = {split_of[name] for name in replies}
    left_out = Counter([split for split in split_of.values() if split not in splits])
    found: list[Measured] = []
    spent: dict[str, Spent] = {}
    samples = sorted(replies.samples)
    try:
        with path.open("rb") as file:
            for row in again():
                name = row.get("id")
                if name not in split_of:
                    raise BadRow(f"row {str(name)[:80]}: was not there before; the rows changed while they were read")
                if split_of[name] in splits and (name in replies or not answered):
                    verdicts = _verdicts({column: row[column] for column in COLUMNS}, replies, file, spent)
                    found.append(measured(item_of(row), [verdicts.get(sample) for sample in samples]))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}; the file went away while it was read") from None
    found.sort(key=lambda each: each.item.id)
    ordered = {name: spent[name] for name in (*TOKENS, "calls") if name in spent}
    return report(found, len(samples), sorted(left_out.items()), ordered)


def _verdicts(row: Row, replies: Replies, file: BinaryIO, spent: dict[str, Spent]) -> dict[int, Verdict]:
    """Sample -> verdict; of a row that is a dialogue all messages are read. spent: what the replies took is counted there."""
    dialogue = prepared(row).strategy.dialogue
    found: dict[int, Verdict] = {}
    for sample, line in replies.lines(file, row["id"]):
        add_spent(spent, line)
        found[sample] = replay(messages_of(line, replies.path), row) if dialogue else score(line["reply"], row)
    return found


def item_of(row: Row, guess: float | None = None) -> Item:
    """A row as the metrics take it. guess: what guessing earns where that is not the row's own baseline. Raises BadRow."""
    for column in ("split", "group_id", "variant"):
        if type(row[column]) is not str:
            raise BadRow(f"row {row['id'][:80]}: {column}: expected text, got {type(row[column]).__name__}")
    once = row["guess_baseline"]
    if type(once) not in (int, float) or not 0 <= once <= 1:
        raise BadRow(f"row {row['id'][:80]}: guess_baseline: expected a number from 0 to 1, got {repr(once)[:40]}")
    case = prepared(row)
    proof = row["proof"]
    depth = proof.get("depth") if isinstance(proof, Mapping) else 0
    if depth not in (None, "shallow", "deep"):
        raise BadRow(f"row {row['id'][:80]}: proof: expected a depth, shallow, deep or null, got {repr(depth)[:40]}")
    parent = row["parent_id"]
    if parent is not None and type(parent) is not str:
        raise BadRow(f"row {row['id'][:80]}: parent_id: expected text or null, got {repr(parent)[:40]}")
    return Item(
        row["id"],
        row["split"],
        row["group_id"],
        row["family"],
        row["variant"],
        row["status"] != "unsolvable",
        case.doubt,
        float(once if guess is None else guess),
        depth or "",
        parent or "",
        subject_of(case),
        bool(case.words),
    )


def read_rows(file: BinaryIO, name: str) -> Iterator[Row]:
    """Rows from JSON lines. Raises BadFile, naming file and line."""
    number = 0
    while line := file.readline(_MAX_LINE + 1):
        number += 1
        if not line.strip():
            continue
        try:
            if len(line) > _MAX_LINE:
                raise ValueError("too long")
            row = json.loads(line.decode())
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{name}:{number}: not a row as JSON ({type(error).__name__}); write one row per line") from None
        if type(row) is not dict:
            raise BadFile(f"{name}:{number}: expected a row as a JSON object, got a {type(row).__name__}")
        yield row


def rows_of_archive(archive: str) -> Iterator[Row]:
    """The rows that belong to a scorer.zip: those in it, or those in rows.jsonl.gz beside it, as a stream. Raises BadFile."""
    with ZipFile(archive) as opened:
        if "rows.sha256" not in opened.namelist():
            with opened.open("rows.jsonl") as file:
                yield from read_rows(cast("BinaryIO", file), "rows.jsonl")
            return
        expected = opened.read("rows.sha256").decode("ascii", "replace").strip()
    path = Path(archive).with_name("rows.jsonl.gz")
    try:
        with path.open("rb") as raw:
            if file_digest(raw, "sha256").hexdigest() != expected:
                raise BadFile(f"{path}: is not the file of rows of {archive}; fetch both of one release again")
            raw.seek(0)
            with GzipFile(fileobj=raw) as file:
                yield from read_rows(cast("BinaryIO", file), str(path))
    except (OSError, EOFError, ZlibError) as error:
        raise BadFile(
            f"{path}: {getattr(error, 'strerror', '') or error}; the rows of {archive} lie in it, fetch it of the same release"
        ) from None


def run(
    rows: Callable[[], Iterable[Row]],
    replies_path: str | Path,
    as_json: bool = False,
    every: bool = False,
    answered: bool = False,
) -> int:
    """Score and print; the exit code. every: all figures, not ten lines. answered: of rows that have a reply.

    What the user can mend is one line on standard error and code 2.
    """
    try:
        found = score_files(rows, replies_path, answered)
    except BadInput as error:
        sys.stderr.write(_ascii(f"error: {error}") + "\n")
        return 2
    text = json.dumps(to_json(found), indent=2) if as_json else to_text(found) if every else summary(found)
    sys.stdout.write(_ascii(text) + "\n")
    return 0


def _ascii(text: str) -> str:
    """Names in rows and files may hold what a terminal cannot show."""
    return text.encode("ascii", "backslashreplace").decode()


def main(argv: list[str] | None = None, inside: Callable[[], Iterable[Row]] | None = None) -> int:
    """`score [ROWS] REPLIES [--all] [--answered] [--json]`. inside: the rows to use where no file is named."""
    parser = ArgumentParser(prog="scorer", description="Score replies to the puzzles of a release. Needs nothing but Python.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("score", help="score a file of replies", description="Score a file of replies.")
    rows_help = "rows as JSON lines" + (" (default: the rows of the release in this archive)" if inside else "")
    command.add_argument("rows", nargs="?" if inside else None, metavar="ROWS", help=rows_help)
    command.add_argument("replies", metavar="REPLIES", help='JSON lines {"id", "sample", "reply"}')
    command.add_argument("--all", action="store_true", help="print every figure, not only those of all rows")
    command.add_argument("--answered", action="store_true", help="leave out rows without any reply")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args(argv)
    if options.rows is None and inside is not None:
        return run(inside, options.replies, options.json, options.all, options.answered)
    return run(lambda: _rows_of(Path(options.rows)), options.replies, options.json, options.all, options.answered)


def _rows_of(path: Path) -> Iterator[Row]:
    try:
        with path.open("rb") as file:
            yield from read_rows(file, str(path))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}; give a file of rows, one JSON object per line") from None


if __name__ == "__main__":
    sys.exit(main())
