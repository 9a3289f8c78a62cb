"""Everything that a change of arrangement must leave as it is: `python tests/golden/pin.py sudoku --dump sudoku.txt`.

Rows are the first groups of every part of the shipped recipes, so that each variant and each rule is among them, and the smallest
specs with every transform that fits. Of each row: its text, its answer and deduction, its picture and text form, the model, the
table and the symmetry behind it, and what is made of a list of replies. test_rows.py compares the hashes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from hostile import hostile
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import PuzzlemillError
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import Constraints
from puzzlemill.core.types import QuestionKind
from puzzlemill.factory.build import build_group
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.scoring.score import score
from strategies import built, every_case, usual

RECIPES = ("longtail", "hardcorelogic", "quick", "kumo_easy")
GROUPS = 1  # of each stratum
COLUMNS = ("id", "prompt", "gold_reply", "puzzle", "answer", "hidden", "canonical_key", "proof", "trace", "difficulty", "edit")


def rows_of(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Label and row; labels are stable and tell what to build to see the row again."""
    for recipe_name in RECIPES:
        recipe = recipe_of(compose([f"release={recipe_name}"]))
        for place, part in enumerate(recipe.strata):
            if part.family == name:
                for index in range(GROUPS):
                    for row in build_group(recipe, part, "test", index).rows:
                        yield f"{recipe_name}/{place}/{index}/{row['variant']}", row
    for case in every_case():
        if case.family.name == name:
            for transforms in ((), *[(transform,) for transform in usual(case)]):
                rows = built(case, 0, transforms).rows
                for row in rows[-1:]:
                    yield f"smallest/{case}/{'+'.join(transforms) or 'canonical'}", row


def told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=repr, ensure_ascii=False)


def attempted(call: Any) -> str:
    """What a call gives, or the error that it raises."""
    try:
        return told(call())
    except (PuzzlemillError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def pinned(family: AnyFamily, row: dict[str, Any], verdicts: bool) -> dict[str, str]:
    """Field -> text."""
    found = {column: told(row[column]) for column in COLUMNS}
    puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    stored = None if row["answer"] is None else loads(asked(puzzle).answer_type(family), row["answer"], "answer")
    answer = asked(puzzle).shown(stored)
    clash = row["proof"]["unsat_core"]
    found["picture"] = attempted(lambda: family.draw(puzzle))
    found["picture of the answer"] = attempted(lambda: family.draw(puzzle, answer, clash or [c.id for c in puzzle.clues][:3]))
    found["text form"] = attempted(lambda: family.text.format(puzzle))
    labels = [*[clue.id for clue in puzzle.clues], *[rule.name for rule in puzzle.spec.rules]]
    found["labels"] = "\n".join([family.describe(puzzle, label) for label in labels])
    found["layout"] = repr(family.form.layout(puzzle))
    found["symmetry"] = repr(family.symmetry(puzzle)) if puzzle.question.kind is not QuestionKind.PLAY else ""
    found["space"] = f"{family.search_space_log10(puzzle):.6f}"
    found["table"] = attempted(lambda: repr(family.table(puzzle)))
    model = family.model(puzzle.spec, puzzle.board) if puzzle.question.kind is not QuestionKind.PLAY else None
    if isinstance(model, Constraints):
        m = replace(model, **{field: list(getattr(model, field)) for field in ("clauses", "cardinalities", "weighings", "key")})
        for clue in puzzle.clues:
            family.clues.state(m, puzzle.spec, puzzle.board, clue)
        stated = repr((m.top, m.clauses, m.cardinalities, m.weighings, m.key))
        found["model"] = f"{len(m.clauses)} clauses, {sha256(stated.encode()).hexdigest()}"
    if answer is not None and puzzle.question.kind is not QuestionKind.PLAY:
        replies = hostile(family, puzzle, answer, row["reply_format"], big=False) if verdicts else {}
        replies["gold"] = row["gold_reply"]
        found["verdicts"] = "\n".join(f"{name}: {score(reply, row)}" for name, reply in sorted(replies.items()))
        broken = []
        slots = family.form.slots(puzzle.spec, puzzle.board)
        values = family.form.values(puzzle.spec, puzzle.board, answer)
        for s in range(0, len(slots), max(1, len(slots) // 40)):
            for value in {(values[s] + 1) % slots[s], -1}:
                edited = family.form.assemble(puzzle.spec, puzzle.board, (*values[:s], value, *values[s + 1 :]))
                partly, wholly = family.broken_rules(puzzle, edited, partial=True), family.broken_rules(puzzle, edited)
                broken.append(f"{s} {value}: {partly} {wholly}")
        found["broken rules"] = "\n".join(broken)
    return found


def every_row(name: str) -> Iterator[tuple[str, dict[str, str]]]:
    family = family_named(name)
    seen: set[str] = set()
    for label, row in rows_of(name):
        yield label, pinned(family, row, row["variant"] not in seen)
        seen.add(row["variant"])


def digests(name: str) -> dict[str, dict[str, str]]:
    """Label -> field -> the first digits of the field's hash."""
    return {
        label: {field: sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8] for field, text in fields.items()}
        for label, fields in every_row(name)
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("family")
    parser.add_argument(
        "--dump", type=Path, required=True, help="a file for every field in full, to compare with another checkout's"
    )
    args = parser.parse_args()
    with args.dump.open("w", encoding="utf-8", errors="surrogatepass") as out:
        for label, fields in every_row(args.family):
            for field, text in fields.items():
                out.write(f"==== {label} | {field}\n{text}\n")
