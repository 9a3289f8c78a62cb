"""One row of a data set: its columns, how it is made, and its id.

A row scores a reply with nothing else at hand. JSON travels as text; there are no pickles and no code. Everything is measured,
never copied from the request.

id is a hash of the *content columns*: everything a model sees and everything that decides a score, with the split and the
group, so that a row that was altered, moved or given another answer no longer fits its id. Effort, proof, difficulty, play, the
search space and the guess baseline (figures that may differ between platforms, or rounded floats), the release's name, its
license and its canary are not content: they can be computed again, and the manifest's file hashes cover them.

COLUMNS is the one statement of the schema. `arrow_schema()` is what `datasets.Features` would make of it, down to the features
in the Parquet footer, without importing datasets (a second of import time).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.family import AnyFamily, Pairing, puzzle_type
from puzzlemill.core.model import Step
from puzzlemill.core.rng import digest
from puzzlemill.core.types import AnyPuzzle, Ask, Kind, Status, rules_text
from puzzlemill.factory.canonical import KEY_VERSION
from puzzlemill.factory.lazy import Truth, guess
from puzzlemill.factory.recipe import Recipe, base_text
from puzzlemill.generators import family_named
from puzzlemill.questions import asked, asks, is_dialogue
from puzzlemill.questions.base import Certificate, PlayFigures
from puzzlemill.scoring.prompt import gold_reply, prompt, reply_schema
from puzzlemill.solvers.deduce import Grade, explain_all

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class Each:
    """A list of this type."""

    of: ColumnType


ColumnType = str | Each | dict[str, Any]  # "string", "int32", "int64", "float64", "bool"; a list; a struct by field name

_STEP: dict[str, Any] = {"step": "int32", "uses": Each("string"), "technique": "string", "conclusion": "string", "text": "string"}
SMT = ("smt_decisions", "smt_conflicts")  # of the rows that Recipe.asks_smt names; null elsewhere
_EFFORT = ("nodes", "generated", "sat_decisions", "sat_conflicts", *SMT)

_PLAY: dict[str, Any] = {
    "exact": "float64",  # the least expected number of actions of the game
    "given": Each("float64"),  # the same in the worlds where a truth of the answer holds, for each of them
    "guess": "float64",  # the greatest chance to be right without any action, by the prior that the prompt states
    "kumo_compat": "float64",  # the published search's own figure
    "exact_actions": "int32",  # what the best play does in this row's world
    "compat_actions": "int32",
}

COLUMNS: dict[str, ColumnType] = {
    "id": "string",  # <family>-<20 hex digits of the content's hash>
    "prompt": "string",
    "gold_reply": "string",
    "family": "string",
    "variant": "string",  # "canonical" for the parent
    "difficulty": {"band": "string", "tier": "int32", "score": "float64"},
    "status": "string",  # what is proved (core.types.Status)
    "split": "string",
    "group_id": "string",  # a parent and its children share it
    "parent_id": "string",  # null for the parent
    "pairing": "string",  # what a child shares with its parent (core.types.Pairing)
    "question": "string",  # core.types.QuestionKind
    "ask": "string",  # what of the answer is wanted (questions/asks.py)
    "options": Each("string"),
    "turn_limit": "int32",  # null unless the question is a dialogue
    "rules": "string",  # optional rules in force, as core.types.rules_text
    "kinds": Each("string"),  # of the transforms, in their order from the canonical puzzle on
    "transforms": Each({"name": "string", "args": "string"}),  # args: JSON
    "edit": "string",  # JSON [[clue before, clue after], ...] or {"board": [before, after]} where a child is its parent edited
    "reply_format": "string",
    "reply_schema": "string",  # JSON schema of the reply as JSON
    "puzzle": "string",  # JSON (core.types.Puzzle)
    "answer": "string",  # JSON, null if unsolvable; of a choice one answer that fits, and a second one if others fit too
    "hidden": "string",  # JSON of what is hidden where it is more than the answer, else null
    "optimum": "int32",  # least cost, null unless the question is for the least
    "subtasks": "int32",  # number of slots that the puzzle does not show: the units of partial credit; 0 where there are no slots
    "guess_baseline": "float64",  # chance that the best reply that solves nothing is right
    "search_space_log10": "float64",
    "effort": dict.fromkeys(_EFFORT, "int64"),
    "play": _PLAY,  # of a dialogue, else null
    "canonical_key": "string",  # of this row's puzzle
    "key_version": "int32",
    "family_version": "int32",
    "schema_version": "int32",
    "release": "string",  # the recipe's name
    "source": {
        "file": "string",
        "sha256": "string",
        "line": "int64",
        "name": "string",
    },  # of an imported puzzle; null of a drawn one
    "language": "string",
    "license": "string",
    "canary": "string",
    "trace": Each(_STEP),
    "proof": {
        "status": "string",
        "formulations": Each("string"),
        "unsat_core": Each("string"),  # labels of clues and rules, minimal
        "sentences": Each("string"),  # what they say
        "depth": "string",  # shallow or deep, of an unsolvable row
        "necessary": Each("string"),  # optional rules in force without which there are several answers, or other shortest ones
        "scope": "string",
        "sha256": "string",
    },
}
NULLABLE = frozenset(
    {
        "parent_id",
        "edit",
        "answer",
        "hidden",
        "optimum",
        "turn_limit",
        "difficulty.tier",
        "difficulty.score",
        *[f"effort.{name}" for name in _EFFORT],
        "proof.depth",
        "proof.scope",
        "proof.sha256",
        "play",
        "source",
        "play.kumo_compat",
        "play.compat_actions",
    }
)
_OUTSIDE = {"id", "release", "guess_baseline", "search_space_log10", "difficulty", "effort", "proof", "play", "license", "canary"}
CONTENT = tuple([name for name in COLUMNS if name not in _OUTSIDE])


# ---- schema -----------------------------------------------------------------------------------------------------------


def features(columns: Mapping[str, ColumnType] = COLUMNS) -> dict[str, Any]:
    """The columns as the features JSON that `datasets` writes and reads."""
    return {name: _feature(kind) for name, kind in columns.items()}


def _feature(kind: ColumnType) -> dict[str, Any]:
    if isinstance(kind, str):
        return {"dtype": kind, "_type": "Value"}
    if isinstance(kind, Each):
        return {"feature": _feature(kind.of), "_type": "List"}
    return {name: _feature(inner) for name, inner in kind.items()}


def arrow_schema(columns: Mapping[str, ColumnType] = COLUMNS) -> Any:
    """The pyarrow.Schema of a file with these columns, features in its metadata."""
    import pyarrow as pa

    metadata = {"huggingface": json.dumps({"info": {"features": features(columns)}})}
    return pa.schema([(name, _arrow(kind)) for name, kind in columns.items()], metadata=metadata)


def _arrow(kind: ColumnType) -> Any:
    import pyarrow as pa

    if isinstance(kind, str):
        return getattr(pa, "bool_" if kind == "bool" else kind)()
    if isinstance(kind, Each):
        return pa.list_(_arrow(kind.of))
    return pa.struct([(name, _arrow(inner)) for name, inner in kind.items()])


# ---- making rows ------------------------------------------------------------------------------------------------------


def canary(recipe_key: str) -> str:
    """The marker of a data set: a text that occurs nowhere else, to search training corpora for. Not part of any prompt."""
    raw = digest("canary", recipe_key).hex()
    return f"puzzlemill:{raw[:8]}-{raw[8:12]}-{raw[12:16]}-{raw[16:20]}-{raw[20:32]}"


@lru_cache(maxsize=8)
def canary_of(recipe: Recipe) -> str:
    """The marker of a recipe's data set."""
    return canary(recipe.key())


@lru_cache(maxsize=32)
def _pool(recipe: Recipe, family: AnyFamily) -> int:
    """Count the puzzles that the recipe's small classes of this family hold together."""
    bases = {base_text(spec): spec for stratum in recipe.strata if stratum.family == family.name for spec in stratum.bases()}
    return sum(family.small.puzzles(spec) or 0 for spec in bases.values())


def group_id(split: str, parent: AnyPuzzle) -> str:
    """The id of the group whose parent's puzzle this is."""
    return f"{parent.family}-group-{digest('group', split, dumps(parent)).hex()[:20]}"


def row(
    *,
    family: AnyFamily,
    recipe: Recipe,
    split: str,
    group: str,
    parent: Mapping[str, Any] | None,
    pairing: Pairing,
    variant: str,
    kinds: Sequence[Kind],
    transforms: Sequence[tuple[str, str]],
    edit: str | None,
    puzzle: AnyPuzzle,
    hidden: Any,
    certificate: Certificate,
    graded: Grade | None,
    key: str,
    reply_format: str,
    source: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """One proved puzzle as a row of the recipe's release.

    group: as group_id(). parent: the parent's row, None for a parent. transforms: (name, arguments as JSON). edit: as edit_of().
    graded: solvers.deduce.grade of this puzzle. key: canonical_key of this puzzle. source: where an imported puzzle is from.
    The answer, status and effort are the certificate's.
    """
    question = puzzle.question
    answer = certificate.answer
    open_slots = len(family.form.slots(puzzle.spec, puzzle.board)) - len(set(family.clues.given_slots(puzzle)))
    space = max(0.0, family.search_space_log10(puzzle))
    pool = None if recipe.imported or family.small.puzzles(puzzle.spec) is None else _pool(recipe, family)
    apart = hidden is not None and certificate.status is not Status.UNSOLVABLE and hidden != asked(puzzle).shown(answer)
    made: dict[str, Any] = {
        "id": "",
        "prompt": prompt(puzzle, reply_format),
        "gold_reply": gold_reply(puzzle, answer, reply_format),
        "family": family.name,
        "variant": variant,
        "difficulty": asked(puzzle).difficulty(family, puzzle, answer, graded, certificate.play),
        "status": certificate.status.value,
        "split": split,
        "group_id": group,
        "parent_id": None if parent is None else parent["id"],
        "pairing": pairing.value,
        "question": question.kind.value,
        "ask": question.ask.value,
        "options": list(question.options),
        "turn_limit": question.turn_limit,
        "rules": rules_text(puzzle.spec),
        "kinds": [kind.value for kind in kinds],
        "transforms": [{"name": name, "args": args} for name, args in transforms],
        "edit": edit,
        "reply_format": reply_format,
        "reply_schema": json.dumps(reply_schema(puzzle), separators=(",", ":"), ensure_ascii=False),
        "puzzle": dumps(puzzle),
        "answer": None if answer is None else dumps(answer),
        "hidden": dumps(hidden) if apart else None,
        "optimum": certificate.optimum,
        "subtasks": max(0, open_slots) if question.ask is Ask.WHOLE else 1,
        "guess_baseline": guess_baseline(
            puzzle,
            asked(puzzle).candidates_log10(family, puzzle, answer, space),
            pool,
            family.small.answers(puzzle.spec),
            _rounded(certificate.play.guess) if certificate.play else guess(family, puzzle, Truth(answer, certificate.optimum)),
        )
        if question.ask is Ask.WHOLE
        else max(0.5 * question.may_be_unsolvable, 0.0 if answer is None else asks.guess(family, puzzle, answer)),
        "search_space_log10": round(space, 6),
        "effort": effort(certificate),
        "play": None if certificate.play is None else play(certificate.play),
        "canonical_key": key,
        "key_version": KEY_VERSION,
        "family_version": family.version,
        "schema_version": SCHEMA_VERSION,
        "release": recipe.name,
        "source": source,
        "language": puzzle.style.language,
        "license": recipe.license,
        "canary": canary_of(recipe),
        "trace": trace(family, puzzle, graded.steps) if graded is not None and graded.steps else [],
        "proof": {
            "status": certificate.status.value,
            "formulations": list(certificate.formulations),
            "unsat_core": list(certificate.unsat_core),
            "sentences": sentences(family, puzzle, certificate.unsat_core),
            "depth": None if certificate.depth is None else certificate.depth.value,
            "necessary": list(certificate.necessary),
            "scope": certificate.scope,
            "sha256": None,
        },
    }
    made["id"] = content_id(made)
    return made


def sentences(family: AnyFamily, puzzle: AnyPuzzle, labels: Sequence[str]) -> list[str]:
    """The members of an unsat core as sentences."""
    return [family.describe(puzzle, label) for label in labels]


def _conclusion(step: Step) -> str:
    claims = {"claims": step.claims} if step.claims else {}
    return json.dumps({"sets": step.sets, "drops": step.drops, **claims}, separators=(",", ":"))


def trace(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step]) -> list[dict[str, Any]]:
    """A deduction as the column holds it; conclusion: JSON {"sets": [[slot, value], ...], "drops": [...]}, and "claims"
    (Step.claims) where there are any.
    """
    return [
        {
            "step": number,
            "uses": list(step.uses),
            "technique": step.technique,
            "conclusion": _conclusion(step),
            "text": text,
        }
        for number, (step, text) in enumerate(zip(steps, explain_all(family, puzzle, steps), strict=True), 1)
    ]


def play(figures: PlayFigures) -> dict[str, Any]:
    """Figures of a dialogue's game and world, as the column holds it."""
    return {
        "exact": _rounded(figures.exact),
        "given": [_rounded(each) for each in figures.given],
        "guess": _rounded(figures.guess),
        "kumo_compat": None if figures.compat is None else _rounded(figures.compat),
        "exact_actions": figures.exact_actions,
        "compat_actions": figures.compat_actions,
    }


def _rounded(figure: Fraction) -> float:
    """To six digits after the point, from the fraction itself."""
    return float(round(figure, 6))


def lasts(row: Mapping[str, Any]) -> bool:
    """Return whether no later release may have this row's puzzle again: it is of no small class. row: as row() makes it."""
    family = family_named(row["family"])
    puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    return family.small.puzzles(puzzle.spec) is None


def edit_of(parent: AnyPuzzle, child: AnyPuzzle) -> str | None:
    """The edit, as JSON; None if nothing was.

    [[before, after], ...] of the clues that differ, in the order of their ids, or {"board": [before, after]}; where both differ,
    the object has the list as "clues".
    """
    before = {clue.id: clue for clue in parent.clues}
    after = {clue.id: clue for clue in child.clues}
    names = sorted({*before, *after})
    pairs = tuple([(before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)])
    if parent.board != child.board:
        boards = {"board": [json.loads(dumps(parent.board)), json.loads(dumps(child.board))]}
        return json.dumps({**boards, "clues": json.loads(dumps(pairs))} if pairs else boards)
    return dumps(pairs) if pairs else None


def guess_baseline(
    puzzle: AnyPuzzle, search_space_log10: float, pool: int | None, answers: int | None = None, lazy: float = 0.0
) -> float:
    """Chance that the best reply that solves nothing is right. lazy: that of a policy that looks (factory/lazy.py).

    Where the prompt admits that there may be no answer, at most half of the puzzles with these rules are unsolvable (the recipe
    sees to it), so that always saying so pays 0.5 at most. Else one candidate of the search space; and of a small class, one of
    the `pool` puzzles that the recipe's small classes of the family hold together, or of the `answers` that there are in all.
    Of a dialogue it is the likeliest answer before any action, by the chances that the prompt states.
    """
    if puzzle.question.may_be_unsolvable:
        return 0.5
    few = [1 / count for count in (pool, answers) if count]
    return float(f"{max([10.0**-search_space_log10, lazy, *few]):.6g}")


def effort(certificate: Certificate) -> dict[str, int | None]:
    """The certificate's figures under the schema's names; null where an engine was not asked."""
    figures: dict[str, int | None] = dict.fromkeys(_EFFORT)
    for name, amount in (("nodes", certificate.nodes), ("generated", certificate.generated), *certificate.effort):
        if name not in figures:
            raise ValueError(f"effort {name!r} has no place in the schema; add it to record._EFFORT")
        figures[name] = amount
    return figures


def content_id(row: Mapping[str, Any]) -> str:
    """The id that the row's content columns give it; rows of drawn puzzles have the ids that they had without a source."""
    kept = [name for name in CONTENT if name != "source" or row[name] is not None]
    text = json.dumps({name: row[name] for name in kept}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"{row['family']}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"


# ---- checking rows ----------------------------------------------------------------------------------------------------

_PLAIN: dict[str, type] = {"string": str, "int32": int, "int64": int, "float64": float}


def check_row(row: Mapping[str, Any]) -> list[str]:
    """List what is wrong with a row as it stands, without proving: columns, types, nulls, agreement of columns, the id."""
    problems = [f"{name}: missing" for name in COLUMNS if name not in row]
    problems += [f"{name}: unknown column" for name in row if name not in COLUMNS]
    if problems:
        return problems
    for name, kind in COLUMNS.items():
        problems += _misfits(kind, row[name], name)
    if problems:
        return problems
    if row["schema_version"] != SCHEMA_VERSION:
        problems.append(f"schema_version: {row['schema_version']}, this version of Puzzlemill reads {SCHEMA_VERSION}")
    if (row["status"] == Status.UNSOLVABLE.value) != (row["answer"] is None):
        problems.append(f"answer: does not go with status {row['status']}")
    if is_dialogue(row["question"]) != (row["play"] is not None):
        problems.append(f"play: does not go with a question of kind {row['question']}")
    if row["proof"]["status"] != row["status"]:
        problems.append(f"proof.status: {row['proof']['status']}, but status is {row['status']}")
    if (row["parent_id"] is None) != (row["variant"] == "canonical"):
        problems.append(f"parent_id: does not go with variant {row['variant']}")
    if row["id"] != content_id(row):
        problems.append(f"id: the content was altered, it gives {content_id(row)}")
    return problems


def _misfits(kind: ColumnType, value: Any, where: str) -> list[str]:
    if value is None:
        return [] if where in NULLABLE else [f"{where}: null"]
    if isinstance(kind, str):
        return [] if type(value) is _PLAIN[kind] else [f"{where}: expected {kind}, got {type(value).__name__}"]
    if isinstance(kind, Each):
        if type(value) is not list:
            return [f"{where}: expected a list, got {type(value).__name__}"]
        return [problem for item in value for problem in _misfits(kind.of, item, where)]
    if type(value) is not dict or value.keys() != kind.keys():
        return [f"{where}: expected an object with {', '.join(kind)}"]
    return [problem for name, inner in kind.items() for problem in _misfits(inner, value[name], f"{where}.{name}")]
