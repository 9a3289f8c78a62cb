"""Dialogues judged from their messages: a row's dialogue is played once more, message by message.

Nothing but the row and the messages is read; what the model was shown follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadRow
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.scoring.moves import ANSWER, Move, Moves, Round
from puzzlemill.scoring.score import Prepared, Verdict, prepared, score


def round_of(row: Mapping[str, Any]) -> Round:
    """The row's dialogue before its first message. Raises BadRow if the row is none."""
    case = prepared(row)
    limit = case.puzzle.question.turn_limit
    if not case.strategy.dialogue or type(limit) is not int or limit < 1:
        raise BadRow(f"row {str(row.get('id'))[:80]}: puzzle: it is no dialogue, or has no number of turns")
    return Round(Moves(case.puzzle, case.reply_format), limit)


def revealed(row: Mapping[str, Any]) -> AnyPuzzle:
    """The puzzle with the outcome of every action as a clue, in the order of the actions. Raises BadRow if nothing is hidden."""
    case, hidden = prepared(row), row.get("hidden")
    where = f"row {str(row.get('id'))[:80]}"
    if not case.strategy.dialogue or type(hidden) is not str:
        raise BadRow(f"{where}: hidden: expected what a dialogue hides, got {type(hidden).__name__}; use a row of a release")
    try:
        return case.family.dialogue.revealed(case.puzzle, loads(case.family.hidden, hidden, "hidden"))
    except BadRow as error:
        raise BadRow(" ".join(f"{where}: {error}".split())) from None


def verdict_of(found: Round, last: Move | None, row: Mapping[str, Any]) -> Verdict:
    """The verdict on a dialogue as it stands. last: its last move, None if there was none."""
    play = found.play(*best_of(row))
    if last is not None and last.kind == ANSWER:
        return replace(score(last.reply, row), play=play)
    return Verdict(False, 0.0, 0.0, 0.0, "no answer", detail=f"{play.messages} messages without an answer", play=play)


def subject_of(case: Prepared) -> str:
    """The subject of a dialogue, "" for a row that is none."""
    return str(getattr(case.puzzle.board, "name", "") or case.family.name) if case.strategy.dialogue else ""


def best_of(row: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Count the actions that the best play takes in the row's world, by the exact and the published search; None if unknown."""
    play = row.get("play")
    found = [play.get(name) if isinstance(play, Mapping) else None for name in ("exact_actions", "compat_actions")]
    for name, count in zip(("exact_actions", "compat_actions"), found, strict=True):
        if count is not None and (type(count) is not int or count < 0):
            raise BadRow(f"row {str(row.get('id'))[:80]}: play.{name}: expected a number or null, got {repr(count)[:40]}")
    return found[0], found[1]


def replay(messages: Sequence[str], row: Mapping[str, Any]) -> Verdict:
    """The verdict on a dialogue with these messages; those after its end are not read. Raises BadRow if the row is none."""
    found = round_of(row)
    last: Move | None = None
    for message in messages[: found.limit]:
        if found.left:
            last = found.take(message)
    return verdict_of(found, last, row)
