"""Moves of a dialogue (QuestionKind.PLAY): messages read as one move each, and what became of them.

Each message makes one move: it does an action, or gives the final answer. How a move is written depends on the row's format:

            an action                       the final answer, as everywhere (scoring/prompt.py)
  json      {"action": "NAME"}              {"answer": [["NAME"], ...]}
  tags      <action>NAME</action>           <answer>...</answer>
  boxed     \\boxed{action: NAME}            \\boxed{NAME; ...}
  table     | action | NAME |               | NAME |, one row per line

The last complete move of a message counts, whatever stands around it: prose, thinking, drafts. An action is complete if it names
anything, an answer if it is one of the right shape with known values and no blanks. The form itself with its placeholder, as the
prompt shows it ("<name>") or a reminder does ("..."), names nothing: it may be restated after a move. An object that has an
answer is one, whatever else it has. Names are read as values of an answer are: case does not matter, nor do * and ` around them.
A message is hostile text: it is never run, only its end is read, and every step is bounded, as in scoring/parse.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.types import AnyPuzzle, Column, Layout
from puzzlemill.core.words import capital, with_article
from puzzlemill.generators import family_named
from puzzlemill.scoring.parse import WINDOW, Grammar, boxes, grammar, objects, read_reply, tagged
from puzzlemill.scoring.prompt import answer_example, known_format
from puzzlemill.vocabulary.wordings import Voice

ACTION = "action"
ANSWER = "answer"
UNKNOWN = "unknown"  # an action that there is not
REPEATED = "repeated"  # an action that was done already
UNREADABLE = "unreadable"
_SHOWN = 80  # characters of an unknown name that are kept

_KEY = re.compile(r'"action"\s*:')
_TAG = re.compile(r"<(/?)action>", re.IGNORECASE | re.ASCII)
_BOXED = re.compile(r"\s{0,20}action\s{0,20}:", re.IGNORECASE | re.ASCII)
_TRIED = 16  # lines of a table that are tried, from the last one backwards


@dataclass(frozen=True, slots=True)
class Move:
    """The content of a message.

    kind: ACTION, ANSWER, UNKNOWN, REPEATED or UNREADABLE. action: its number, of ACTION and REPEATED. name: as it was written, of
    UNKNOWN. reply: the part of the message to be judged as a reply, of ANSWER. why: why nothing was read, of UNREADABLE.
    """

    kind: str
    action: int = -1
    name: str = ""
    reply: str = ""
    why: str = ""

    @property
    def illegal(self) -> bool:
        """Return whether it asks for an action that cannot be done."""
        return self.kind in (UNKNOWN, REPEATED)


class Moves:
    """The moves of one puzzle, prepared for reading. Raises BadRow if the puzzle's board has no actions."""

    def __init__(self, puzzle: AnyPuzzle, reply_format: str) -> None:
        self.names = names_of(puzzle)
        self.reply_format = known_format(reply_format)
        self._actions = Grammar(Layout((Column(ACTION, self.names),), 1, 1, False, ""))
        self._answers = grammar(family_named(puzzle.family).form.layout(puzzle))
        self._numbers = {name: number for number, name in enumerate(self.names)}
        self._form = _FORMS[reply_format] if not {*self.names} & {*_PLACEHOLDERS} else None

    def read(self, message: object, done: Collection[int] = ()) -> Move:
        """The message's move. done: actions that cannot be done any more. Never raises, whatever the message is."""
        if not isinstance(message, str):
            return Move(UNREADABLE, why="the message is not text")
        text = message[-WINDOW:] if self._form is None else self._form.sub(" ", message[-WINDOW:])
        found = _FINDERS[self.reply_format](text)
        rest = text if found is None else text[found[1] :]
        reading = read_reply(rest, self._answers, self.reply_format, False)
        if reading.complete:
            return Move(ANSWER, reply=rest)
        if found is None:
            why = f"{reading.blanks} blank places" if reading.rows is not None else reading.why
            return Move(UNREADABLE, why=f"{_MISSING[self.reply_format]}, and no answer ({why})")
        name = self._actions.token(0, found[0])
        if not name:
            return Move(UNKNOWN, name=" ".join(found[0][: 4 * _SHOWN].split())[:_SHOWN])
        number = self._numbers[name]
        return Move(REPEATED if number in done else ACTION, number)

    def message(self, number: int) -> str:
        """An action as a message."""
        name = self.names[number]
        return _SPELLED[self.reply_format].format(json.dumps(name, ensure_ascii=False) if self.reply_format == "json" else name)


def names_of(puzzle: AnyPuzzle) -> tuple[str, ...]:
    """The names of the actions. Raises BadRow if the puzzle's board has none."""
    actions: Sequence[Any] = getattr(puzzle.board, "actions", ())
    names = tuple([action.name for action in actions])
    if not names:
        raise BadRow(f"puzzle: a {puzzle.family} has no actions to be done in a dialogue")
    return names


_SPELLED = {
    "json": '{{"action": {}}}',
    "tags": "<action>{}</action>",
    "boxed": "\\boxed{{action: {}}}",
    "table": "| action | {} |",
}
_PLACEHOLDERS = ("<name>", "...", "…")
_FORMS = {
    name: re.compile(form.replace("NAME", "(?:" + "|".join(map(re.escape, _PLACEHOLDERS)) + ")"), re.I | re.M | re.A)
    for name, form in {
        "json": r'\{\s{0,20}"action"\s{0,20}:\s{0,20}"NAME"\s{0,20}\}',
        "tags": r"<action>\s{0,20}NAME\s{0,20}</action>",
        "boxed": r"\\boxed\{\s{0,20}action\s{0,20}:\s{0,20}NAME\s{0,20}\}",
        "table": r"^[ \t]{0,20}\|[ \t]{0,20}action[ \t]{0,20}\|[ \t]{0,20}NAME[ \t]{0,20}\|",
    }.items()
}
_MISSING = {
    "json": 'no JSON object with "action"',
    "tags": "no <action>...</action>",
    "boxed": "no \\boxed{action: ...}",
    "table": 'no line "| action | ... |"',
}


# ---- how to move ----------------------------------------------------------------------------------------------------


def move_instructions(puzzle: AnyPuzzle, reply_format: str) -> str:
    """Say how to act and to answer, at the end of the prompt that opens the dialogue. Raises BadRow if there is nothing to do."""
    forms, voice = move_forms(puzzle, reply_format), Voice(puzzle.family, puzzle.style.phrasing)
    limit = voice.framed("limit", limit=puzzle.question.turn_limit, **_nouns(puzzle))
    return ("\n" if voice.short else "\n\n").join([voice.framed("play"), forms, limit])


def _nouns(puzzle: AnyPuzzle) -> dict[str, str]:
    one = with_article(puzzle.board.action)
    return {"action": puzzle.board.action, "actions": puzzle.board.actions_plural, "one": one, "One": capital(one)}


def move_forms(puzzle: AnyPuzzle, reply_format: str) -> str:
    """The two forms that a move has."""
    names_of(puzzle)
    layout, voice = family_named(puzzle.family).form.layout(puzzle), Voice(puzzle.family, puzzle.style.phrasing)
    words = {**_nouns(puzzle), "how": _HOW[known_format(reply_format)]}
    return (
        f"{voice.framed('choose', **words)}\n{action_example(reply_format)}"
        + ("\n" if voice.short else "\n\n")
        + f"{voice.framed('final', **words)}\n{answer_example(layout, reply_format, False)}\n{voice.noted(layout.note)}"
    )


def action_example(reply_format: str) -> str:
    """The form of an action, with a placeholder for its name."""
    return _SPELLED[known_format(reply_format)].format('"<name>"' if reply_format == "json" else "<name>")


_HOW = {
    "json": "with a JSON object of this form",
    "tags": "like this",
    "boxed": "like this",
    "table": "with a line like this",
}


# ---- a dialogue as it stands ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Play:
    """The outcome of a dialogue.

    actions: those that were done, in order. messages: all of them, the answer too. unknown, repeated, unreadable: messages of
    these kinds. answered: whether it ended with an answer. exact, compat: how many actions the best play takes in this row's
    world, by the two semantics of docs/design/kumo.md; None where the row does not say.
    """

    actions: tuple[int, ...]
    messages: int
    unknown: int
    repeated: int
    unreadable: int
    answered: bool
    exact: int | None = None
    compat: int | None = None

    @property
    def illegal(self) -> int:
        """Messages that asked for an action that cannot be done."""
        return self.unknown + self.repeated


class Round:
    """A dialogue as it stands: what was done in it and how many messages are left. limit: how many there may be."""

    def __init__(self, moves: Moves, limit: int) -> None:
        self.moves, self.limit = moves, limit
        self.done: list[int] = []
        self.counts = dict.fromkeys((ACTION, ANSWER, UNKNOWN, REPEATED, UNREADABLE), 0)

    @property
    def left(self) -> int:
        """Messages that are left; 0 once it is over."""
        return 0 if self.counts[ANSWER] else max(0, self.limit - sum(self.counts.values()))

    def take(self, message: object) -> Move:
        """The next message. Raises BadParams once the dialogue is over."""
        if not self.left:
            raise BadParams("the dialogue is over; start another one for another message")
        move = self.moves.read(message, self.done)
        self.counts[move.kind] += 1
        if move.kind == ACTION:
            self.done.append(move.action)
        return move

    def play(self, exact: int | None = None, compat: int | None = None) -> Play:
        """The outcome so far."""
        counts = self.counts
        return Play(
            tuple(self.done),
            sum(counts.values()),
            counts[UNKNOWN],
            counts[REPEATED],
            counts[UNREADABLE],
            counts[ANSWER] > 0,
            exact,
            compat,
        )


# ---- finding the last action of a message: what it names, and where it ends -------------------------------------------

Found = tuple[str, int]


def _json(text: str) -> Found | None:
    for found, end in objects(text, _KEY, (ACTION,)):
        if found is None or found.get(ANSWER) not in (None, [], "", {}):
            continue
        name = found[ACTION]
        if type(name) is str and name.strip():
            return name, end
    return None


def _tags(text: str) -> Found | None:
    found = None
    for start, stop, end in tagged(text, _TAG):
        if text[start:stop].strip():
            found = start, stop, end
    return None if found is None else (text[found[0] : found[1]], found[2])


def _boxed(text: str) -> Found | None:
    for body, end in boxes(text):
        start = _BOXED.match(body)
        if start and body[start.end() :].strip():
            return body[start.end() :], end
    return None


def _table(text: str) -> Found | None:
    end, tried = len(text), 0
    while tried < _TRIED:
        bar = text.rfind("|", 0, end)
        if bar < 0:
            return None
        start = text.rfind("\n", 0, bar) + 1
        stop = text.find("\n", bar)
        stop = len(text) if stop < 0 else stop
        cells = [cell.strip() for cell in text[start:stop].strip().strip("|").split("|", 2)]
        if len(cells) == 2 and cells[0].strip("*`").lower() == ACTION and cells[1]:
            return cells[1], stop
        end, tried = start, tried + 1
    return None


_FINDERS = {"json": _json, "tags": _tags, "boxed": _boxed, "table": _table}
