"""Rows as dialogues: a text that opens, and a turn for every message of the model.

SingleTurn is the row's prompt and one reply. Feedback says what was wrong with a reply and lets the model reply again, up to a
number of turns; the last reply counts. Game is a row that is a dialogue itself (QuestionKind.PLAY): each message does one action
and is shown its outcome, or gives the answer. All need nothing but the row and `puzzlemill.scoring`.

What Feedback says is what anybody could find out from the prompt and the reply: which form is wanted, that places are blank,
which rules and clues are broken (as sentences of the family), that there is a cheaper answer. Never the answer, a value of it,
or the optimum. A claim that there is no solution ends the dialogue, right or wrong: going on after it would show that there is
one.

Attempts multiply chances. guess_baseline(row, turns) is what replies earn that are fixed beforehand and given one by one; a
player who draws conclusions from what Feedback says earns more, so that figures of several turns are never to be compared with
those of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from puzzlemill.core.errors import BadInput, BadParams, BadRow
from puzzlemill.core.types import Clue
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.moves import ACTION, ANSWER, REPEATED, UNKNOWN, Move, Play, move_forms
from puzzlemill.scoring.plays import revealed, round_of, verdict_of
from puzzlemill.scoring.prompt import instructions
from puzzlemill.scoring.score import Verdict, prepared, score

MOST_TURNS = 100
MOST_BROKEN = 8  # broken rules described at once
SAYS = 400  # characters of one sentence


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to a message.

    text: to the model; where done, what there is to say at the end. verdict: of the message as a reply, None if it was none;
    of a dialogue, only the last turn's counts.
    """

    text: str
    done: bool
    verdict: Verdict | None


class Episode(Protocol):
    """One dialogue about one row; used once."""

    def start(self) -> str:
        """The text that opens it."""
        ...

    def step(self, message: str) -> Turn:
        """The model's next message. Raises BadParams once the dialogue is over."""
        ...


class SingleTurn:
    """The row's prompt, and one reply. Raises BadRow if the row cannot be used."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        prepared(row)
        self._row, self._prompt = row, _prompt(row)
        self._over = False

    def start(self) -> str:
        return self._prompt

    def step(self, message: str) -> Turn:
        _refuse(self._over)
        self._over = True
        verdict = score(message, self._row)
        return Turn(_END[verdict.solved], True, verdict)


class Game:
    """A game of finding out what holds: at most as many messages as the row says, each of them an action or the answer.

    What is shown is the outcome of an action that was just done, and what is in the prompt or follows from the message; nothing
    else of what is hidden. Raises BadRow if the row cannot be used.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._case = prepared(row)
        self._row, self._prompt = row, _prompt(row)
        self._round, self._revealed = round_of(row), revealed(row)

    @property
    def play(self) -> Play:
        """The outcome so far."""
        return self._round.play()

    @property
    def left(self) -> int:
        """Messages that are left; 0 once it is over."""
        return self._round.left

    def start(self) -> str:
        return self._prompt

    def step(self, message: str) -> Turn:
        _refuse(self._round.left == 0)
        move = self._round.take(message)
        if move.kind == ANSWER:
            verdict = verdict_of(self._round, move, self._row)
            return Turn(_END[verdict.solved], True, verdict)
        result = self._result(move)
        left = self._round.left
        if left == 0:
            verdict = verdict_of(self._round, move, self._row)
            return Turn(f"{result}\n\nThat was the last message, and it was no answer. The game is lost.", True, verdict)
        return Turn(f"{result}\n\n{more(left)}", False, None)

    def _result(self, move: Move) -> str:
        board, names = self._case.puzzle.board, self._round.moves.names
        if move.kind == ACTION:
            return self.shown(move.action)
        if move.kind == REPEATED:
            return f"That was chosen before, and it shows the same again. {self.shown(move.action)}"
        if move.kind == UNKNOWN:
            open_ones = [name for number, name in enumerate(names) if number not in self._round.done]
            choice = f"Not chosen yet: {'; '.join(open_ones)}." if open_ones else f"All {board.actions_plural} were chosen."
            return f'There is no {board.action} "{move.name}". {choice}'
        forms = move_forms(self._case.puzzle, self._case.reply_format)
        return f"Your message makes no move in the form that is asked for: {move.why[:SAYS]}.\n\n{forms}"

    def shown(self, action: int) -> str:
        """The outcome of an action that was done, as a sentence. Raises BadParams for one that was not."""
        return self._case.family.describe(self._revealed, self._clue(action).id)

    def outcome(self, action: int) -> int:
        """The number of the outcome of an action that was done. Raises BadParams for one that was not."""
        return self._clue(action).ints()[1]

    def _clue(self, action: int) -> Clue:
        if action not in self._round.done:
            raise BadParams("outcome: that action was not done")
        return self._revealed.clues[action]


def more(left: int) -> str:
    """Say how many messages of a game are left, 1 or more."""
    return f"You have {left} messages left." if left > 1 else "You have one message left: give your answer in it."


class Feedback:
    """A dialogue of up to `turns` replies, with a word on each one that is not right.

    Raises BadRow if the row cannot be used, BadParams for a number of turns that makes no sense.
    """

    def __init__(self, row: Mapping[str, Any], turns: int) -> None:
        self._case = prepared(row)
        self._row, self._prompt = row, _prompt(row)
        self._left = known_turns(turns)

    def start(self) -> str:
        return self._prompt

    def step(self, message: str) -> Turn:
        _refuse(self._left == 0)
        verdict = score(message, self._row)
        self._left -= 1
        if verdict.solved or verdict.claims_unsolvable or verdict.why in ("contradiction", "unchecked"):
            self._left = 0
        if self._left == 0:
            return Turn(_END[verdict.solved], True, verdict)
        more = "You have one more reply." if self._left == 1 else f"You have {self._left} more replies."
        return Turn(f"{self._wrong(verdict)}\n\n{more}", False, verdict)

    def _wrong(self, verdict: Verdict) -> str:
        """Say what is wrong with this reply. Of the verdict's words only those on form are given: others may name the optimum."""
        case = self._case
        if verdict.why == "unreadable":
            layout = layout_of(case.family, case.puzzle)
            form = instructions(layout, case.reply_format, case.doubt)
            return f"Your reply has no answer in the form that is asked for: {verdict.detail[:SAYS]}.\n\n{form}"
        if verdict.why == "incomplete":
            return f"Your answer is not complete: {verdict.detail[:SAYS]}. Give a complete one."
        if verdict.why == "not least":
            return "Your answer keeps every rule, but there is a better one."
        if not verdict.broken:
            return "The values of your answer do not fit together. Give another one."
        sentences = [f"- {self._said(label)}" for label in verdict.broken[:MOST_BROKEN]]
        if len(verdict.broken) > MOST_BROKEN:
            sentences.append(f"- and {len(verdict.broken) - MOST_BROKEN} more")
        return "\n".join(["Your answer does not keep these rules and clues:", *sentences])

    def _said(self, label: str) -> str:
        try:
            return self._case.family.describe(self._case.puzzle, label)[:SAYS]
        except BadInput:  # a family that has no sentence for it
            return label[:SAYS]


_END = {True: "That is right.", False: "That is not right."}


def known_turns(turns: int) -> int:
    """The number of turns itself; raises BadParams if there can be no such number."""
    if type(turns) is not int or not 1 <= turns <= MOST_TURNS:
        raise BadParams(f"turns: expected a number from 1 to {MOST_TURNS}, got {str(turns)[:40]}")
    return turns


def episode(row: Mapping[str, Any], turns: int = 1) -> Episode:
    """Game for a row that is a dialogue, whatever `turns` is; else SingleTurn for one turn, and Feedback for more."""
    if prepared(row).strategy.dialogue:
        return Game(row)
    return SingleTurn(row) if known_turns(turns) == 1 else Feedback(row, turns)


def guess_baseline(row: Mapping[str, Any], turns: int) -> float:
    """Chance that one of up to `turns` different replies that look at nothing is right, at most.

    One claim that there is no solution can be among them, the last one. Equal to the row's own for one turn.
    row: with the columns of puzzlemill.scoring.score.COLUMNS. Raises BadRow if the row cannot be used.
    """
    case = prepared(row)
    stated: Any = row.get("guess_baseline")
    if type(stated) not in (int, float) or not 0 <= stated <= 1:
        raise BadRow(f"row {str(row.get('id'))[:80]}: guess_baseline: expected a number from 0 to 1, got {repr(stated)[:40]}")
    once = float(stated)
    if known_turns(turns) == 1:
        return once
    if not case.doubt:
        return min(1.0, turns * once)
    family, puzzle = case.family, case.puzzle
    few = [1 / count for count in (family.small.puzzles(puzzle.spec), family.small.answers(puzzle.spec)) if count]
    one = float(max([10.0 ** -max(0.0, family.search_space_log10(puzzle)), *few]))
    # a claim is right for at most half of the rows (once), answers for the others
    return min(1.0, max(once + (1 - once) * (turns - 1) * one, turns * one))


def _prompt(row: Mapping[str, Any]) -> str:
    text = row.get("prompt")
    if type(text) is not str:
        raise BadParams(f"row {str(row.get('id'))[:80]}: prompt: expected text; use a row of a release")
    return text


def _refuse(over: bool) -> None:
    if over:
        raise BadParams("the dialogue is over; start another one for another reply")
