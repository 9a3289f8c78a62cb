"""`puzzlemill prove`: a row's claim as clauses and a proof, in files that any DRAT checker reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadInput, BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import QuestionKind, Status
from puzzlemill.factory.files import whole
from puzzlemill.factory.read import Release, rows
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators import family_named
from puzzlemill.questions import asked

_COLUMNS = ("id", "family", "family_version", "status", "puzzle", "answer")
_ID = re.compile(r"[a-z][a-z0-9_]{0,60}-[0-9a-f]{20}")
_NONSENSE = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError)  # a well-formed puzzle that means nothing


@dataclass(frozen=True, slots=True)
class Written:
    """Two files of a proof, with the SHA-256 of their bytes. claim: what they prove. steps: lines of the proof."""

    claim: str
    cnf: Path
    cnf_sha256: str
    drat: Path
    drat_sha256: str
    steps: int


def prove_row(release: Release, name: str, out: Path) -> Written:
    """Write <id>.cnf and <id>.drat for one row of a release into a folder; the same row gives the same bytes.

    Raises BadInput if there is no such row, its proof is no matter of clauses, or the recipe's budget of conflicts is not enough.
    """
    from puzzlemill.solvers.drat import prove

    if not _ID.fullmatch(name):
        raise BadInput(f"{name[:80]!r} is no row's id; ids look like sudoku-0123456789abcdef0123")
    row = next((row for row in rows(release, _COLUMNS) if row["id"] == name), None)
    if row is None:
        raise BadInput(f"{name}: no row of {release.folder} has this id")
    try:
        conflicts = Recipe.from_plain(release.manifest["recipe"]).conflicts
    except (KeyError, BadParams) as error:
        raise BadFile(f"{release.folder}: the manifest's recipe cannot be read ({error}); restore the file") from None
    try:
        claim, found = _prove(row, conflicts, prove)
    except BadRow as error:
        raise BadRow(f"row {name}: {error}") from None
    except _NONSENSE as error:
        raise BadRow(f"row {name}: it is no puzzle of its family ({type(error).__name__})") from None
    cnf, drat = out / f"{name}.cnf", out / f"{name}.drat"
    return Written(claim, cnf, _write(cnf, found.cnf), drat, _write(drat, found.drat), found.steps)


def _prove(row: Mapping[str, Any], conflicts: int, prove: Any) -> tuple[str, Any]:
    family = family_named(row["family"])
    if row["family_version"] != family.version:
        raise BadRow(f"family_version: {row['family_version']}, this version of Puzzlemill has {family.version}")
    puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    family.validate(puzzle.spec)
    notes = [f"row: {row['id']}"]
    slots = family.form.slots(puzzle.spec, puzzle.board)
    if not slots or row["status"] == Status.UNSOLVABLE.value:
        return "no answer", prove(family, puzzle, None, conflicts, notes)
    if row["status"] != Status.UNIQUE.value or row["answer"] is None:
        raise BadInput(f"row {row['id']}: status {row['status']} has no such proof; those that are unique or unsolvable have one")
    question = asked(puzzle)
    answer = loads(question.answer_type(family), row["answer"], "answer")
    broken = question.objections(family, puzzle, answer)
    if broken:
        raise BadRow(f"answer: breaks {', '.join(broken[:5])}")
    if not question.alone(answer):
        raise BadInput(f"row {row['id']}: several answers fit; only that there is no other answer has such a proof")
    values = family.form.values(puzzle.spec, puzzle.board, question.shown(answer))
    if (
        question.kind is QuestionKind.FORCED
    ):  # a FORCED question: that the other slots are free is shown by answers, not by clauses
        return "forced", prove(family, puzzle, tuple([value or BLANK for value in values]), conflicts, notes)
    return "no other answer", prove(family, puzzle, values, conflicts, notes)


def _write(path: Path, text: str) -> str:
    """Write a file so that under its name it is complete or not there; its SHA-256."""
    raw = text.encode("ascii")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path) as part:
            part.write_bytes(raw)
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}; choose a folder that can be written to with --out") from None
    return sha256(raw).hexdigest()
