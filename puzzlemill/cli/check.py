"""`puzzlemill check FILE`: prove or refute puzzles written elsewhere."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from puzzlemill.analysis.boards_files import FITS, checked, holds_boards
from puzzlemill.core.errors import BadFile, BadParams, BadRow
from puzzlemill.factory.check import MAX_FILE, NONE, OPTIMAL, SEVERAL, UNIQUE, UNREADABLE, Checked, check
from puzzlemill.factory.files import read_text
from puzzlemill.solvers.engines import Budget


def run(options: argparse.Namespace) -> int:
    spent = {name: getattr(options, name) for name in ("nodes", "conflicts", "states") if getattr(options, name) is not None}
    for name, amount in spent.items():
        if not 1 <= amount <= 10**12:
            raise BadParams(f"--{name}: expected 1 or more, got {amount}")
    text = read_text(None if options.file == "-" else Path(options.file), MAX_FILE, "check it in parts")
    if holds_boards(text):
        return _boards(text, options, Budget(**spent))
    if options.file.lower().endswith((".csv", ".tsv")):
        raise BadFile(
            f"{options.file}: a table is read by `puzzlemill import --audit {options.file}`; check reads puzzles as text"
        )
    counts: Counter[str] = Counter()
    for found in check(text, options.family, options.limit, Budget(**spent)):
        counts[found.status] += 1
        if options.json:
            print(json.dumps(found.to_json(), ensure_ascii=False), flush=True)
        elif found.status == UNREADABLE:
            where = "" if found.problem.startswith("line ") else f"line {found.line}: "
            print(f"error: {options.file}: {where}{found.problem}", file=sys.stderr, flush=True)
        else:
            print("\n".join(_described(found, options.brief)), flush=True)
    total = sum(counts.values())
    if not total:
        raise BadFile(f"{options.file}: holds no puzzle; docs/formats.md describes what is read")
    if not options.json:
        print(f"{total} puzzle{'s' if total > 1 else ''}: {', '.join(f'{status} {count}' for status, count in counts.items())}")
    if counts[UNREADABLE]:
        return 2
    return 0 if counts[UNIQUE] + counts[OPTIMAL] == total else 1


def _boards(text: str, options: argparse.Namespace, budget: Budget) -> int:
    """Check boards of LR2Bench's tasks (puzzlemill/analysis/boards.py); the exit code, as of other puzzles."""
    counts: Counter[str] = Counter()
    try:
        for found in checked(text, options.limit, budget):
            counts[found.status] += 1
            if options.json:
                print(json.dumps(found.to_json(), ensure_ascii=False), flush=True)
            elif found.status == UNREADABLE:
                print(f"error: {options.file}: {found.words()}", file=sys.stderr, flush=True)
            else:
                print(found.words(), flush=True)
    except BadRow as error:
        raise BadFile(f"{options.file}: {error}") from None
    if not options.json:
        print(f"{counts.total()} boards: {', '.join(f'{status} {count}' for status, count in counts.items())}")
    return 2 if counts[UNREADABLE] else 0 if counts[UNIQUE] + counts[FITS] == counts.total() else 1


def _described(found: Checked, brief: bool) -> list[str]:
    name = f" ({found.name})" if found.name else ""
    by = f", by {' and '.join(found.formulations)}" if found.formulations else ""
    facts = {
        UNIQUE: "unique: one answer",
        OPTIMAL: f"optimal: {found.length} moves",
        SEVERAL: f"several: {'at least ' if found.at_least else ''}{found.count} answers",
        NONE: f"none: no answer, {found.depth}",
    }.get(found.status, f"undecided: {found.problem}")
    lines = [f"line {found.line}{name}: {found.family}: {facts}{by}"]
    if found.difficulty is not None:
        hard = f"; hardest technique {found.technique}, tier {found.tier}" if found.technique else ""
        idle = ""
        if found.redundant is not None and found.clues:
            few = ", ".join(found.redundant[:8]) + (" ..." if len(found.redundant) > 8 else "")
            some = f"{len(found.redundant)} of them can each be left out: {few}" if found.redundant else "none can be left out"
            idle = f"; {found.clues} {'clue' if found.clues == 1 else 'clues'}, {some}"
        lines.append(f"  {found.difficulty}{hard}{idle}")
    if found.status == NONE:
        lines.append("  These break a rule as they stand:" if found.outright else "  These cannot hold together:")
        lines += [f"  - {sentence}" for sentence in found.words]
    for number, answer in enumerate(() if brief else found.answers, 1):
        if len(found.answers) > 1:
            lines.append(f"  answer {number}:")
        lines += [f"  {row}" for row in _rows(answer, found)]
    return lines


def _rows(answer: Sequence[Sequence[str]], found: Checked) -> list[str]:
    """Rows whose columns stand below each other."""
    rows = [list(row) for row in answer] if found.grid else [list(found.columns), *[list(row) for row in answer]]
    wide = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))] if rows else []
    between = " " if found.grid else " | "
    return [between.join([token.ljust(wide[c]) for c, token in enumerate(row)]).rstrip() for row in rows]
