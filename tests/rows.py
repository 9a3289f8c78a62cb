"""Rows of a data set made by hand, for the tests of scoring: the columns that scoring reads, without the factory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from puzzlemill.core.codec import dumps
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Draft, QuestionKind, Status
from puzzlemill.generators import family_named
from puzzlemill.generators._template import FAMILY as COIN
from puzzlemill.kumo.domain.task import World
from puzzlemill.scoring.prompt import prompt
from puzzlemill.solvers.engines import Engines
from strategies import model_answers


def row_of(
    family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, reply_format: str = "json", /, **columns: Any
) -> dict[str, Any]:
    """A row of this puzzle. answer=None: the row says that there is no solution."""
    least = puzzle.question.kind is QuestionKind.LEAST and answer is not None
    status = Status.UNSOLVABLE if answer is None else Status.OPTIMAL if least else Status.UNIQUE
    return {
        "id": f"{family.name}-0",
        "split": "test",
        "group_id": "g0",
        "parent_id": None,
        "family": family.name,
        "family_version": family.version,
        "variant": "canonical",
        "status": status.value,
        "reply_format": reply_format,
        "puzzle": dumps(puzzle),
        "answer": None if answer is None else dumps(answer),
        "optimum": family.routes.cost(puzzle, answer) if least else None,
        "guess_baseline": 0.25,
        "proof": {"depth": "shallow" if answer is None else None},
        "hidden": None,
        "play": None,
        **columns,
    }


def doubted(puzzle: AnyPuzzle) -> AnyPuzzle:
    """The same puzzle, asked in a way that admits that there may be no solution."""
    return replace(puzzle, question=replace(puzzle.question, may_be_unsolvable=True))


def coins(n: int = 3, clues: tuple[tuple[int, int], ...] = ((1, 1),)) -> AnyPuzzle:
    """A row of n coins of which (place, side) are shown."""
    puzzle = COIN.examples()[0].puzzle
    shown = tuple(Clue(f"c{i + 1}", "given", (i, v)) for i, v in clues)
    return replace(puzzle, spec=replace(puzzle.spec, params=COIN.params(n)), clues=shown)


def coin_row(reply_format: str = "json", doubt: bool = False, **columns: Any) -> dict[str, Any]:
    """Coins ? T ?: the one answer is H T H."""
    puzzle = coins()
    return row_of(COIN, doubted(puzzle) if doubt else puzzle, (0, 1, 0), reply_format, **columns)


def broken_coin_row(reply_format: str = "json", **columns: Any) -> dict[str, Any]:
    """Coins H ? T: no solution, and the prompt says that this may be."""
    return row_of(COIN, doubted(coins(3, ((0, 0), (2, 1)))), None, reply_format, **columns)


def drafts(family: AnyFamily, count: int) -> list[AnyDraft]:
    """Up to `count` puzzles of a family, each with one answer: its worked examples, so that no engine is needed.

    Where words of the lexicon count, the puzzle has those of the answer, as a row does.
    """
    found = [Draft(example.puzzle, None, example.answer) for example in family.examples()[:count]]
    if not family.lexical:
        return found
    return [family.clues.finish(draft, stream("tests", "finish"), Engines(family)) for draft in found]


def unsolvable(family: AnyFamily) -> AnyPuzzle | None:
    """A small puzzle that is proved to have no answer, made by exchanging one clue; None if the family exchanges none."""
    if family is COIN:
        return doubted(coins(3, ((0, 0), (2, 1))))
    for index, example in enumerate(family.examples()):
        puzzle = example.puzzle
        for i, clue in enumerate(puzzle.clues):
            for other in family.clues.alternatives(puzzle, clue, stream("tests", "unsolvable", family.name, index, i)):
                changed = puzzle.with_clues([*puzzle.clues[:i], other, *puzzle.clues[i + 1 :]])
                if not model_answers(family, changed, 1):
                    return doubted(changed)
    return None


HAT = (0,), (0, 1, 1), (0, 0, 585)  # Ada's: found early, worn high, 58.5 cm


def hat_row(reply_format: str = "json", **columns: Any) -> dict[str, Any]:
    """A dialogue of six messages about whose hat was left: Ada, Bert, Cleo or Dan. Three questions can be asked; it is Ada's."""
    kumo = family_named("kumo")
    told = kumo.examples()[0].puzzle
    params = replace(told.spec.params, told=False)
    question = replace(told.question, kind=QuestionKind.PLAY, turn_limit=6)
    puzzle = replace(told, spec=replace(told.spec, params=params), clues=(), question=question)
    play = {"exact": 1.666667, "given": [2.0], "guess": 0.5, "kumo_compat": 1.4, "exact_actions": 2, "compat_actions": 2}
    more = {"id": "hat-0", "prompt": prompt(puzzle, reply_format), "hidden": dumps(World(*HAT)), "play": play}
    return row_of(kumo, puzzle, HAT[0], reply_format, **(more | columns))
