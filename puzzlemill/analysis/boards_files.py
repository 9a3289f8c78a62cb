"""Files of boards that were made elsewhere: read, checked, and scored in LR2Bench's measures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from puzzlemill.analysis.boards import Board, Sudoku, board_of, is_board
from puzzlemill.analysis.giving_up import ending
from puzzlemill.analysis.lr2bench import Figures, Levels, Rows, Told, figures, repetition
from puzzlemill.core.codec import MAX_TEXT
from puzzlemill.core.errors import BadFile, BadInput, BadRow
from puzzlemill.core.text import printable
from puzzlemill.factory.check import LIMIT, MAX_FILE, NONE, SEVERAL, UNDECIDED, UNIQUE, UNREADABLE, check
from puzzlemill.scoring.metrics import Item
from puzzlemill.scoring.replies import Replies
from puzzlemill.solvers.engines import Budget

FITS, WRONG = "fits", "another answer"
NO_SOLUTION = "no solution"
_NONSENSE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class CheckedBoard:
    """A board of a file. line: where it begins. board: None where it cannot be read, and `problem` says why.

    status: UNIQUE, SEVERAL, NONE or UNDECIDED for a sudoku, which is proved; WRONG for one whose only answer is another; FITS
    where the answer keeps what the board states and no more is known; UNREADABLE. count: of answers, for a sudoku.
    """

    line: int
    board: Board | None
    status: str
    problem: str = ""
    count: int | None = None

    def to_json(self) -> dict[str, Any]:
        board = self.board
        named = {"id": board.name, "task": board.task, "level": board.level, "subtasks": len(board.subtasks)} if board else {}
        more = {"facts": board.facts()} if board and board.facts() else {}
        return {"line": self.line, **named, "status": self.status, "count": self.count, "problem": self.problem, **more}

    def words(self) -> str:
        """The same as a line for people."""
        if self.board is None:
            return f"line {self.line}: {self.problem}"
        told = {
            UNIQUE: "unique: the answer is the only one",
            FITS: "fits: the answer keeps what the board states",
            WRONG: "another answer: the board has one answer, and it is not the one given",
            SEVERAL: f"several: {self.count} answers",
        }.get(self.status, self.problem or self.status)
        facts = f"; {self.board.facts()}" if self.board.facts() else ""
        return f"line {self.line} ({self.board.name}): {self.board.task}: {len(self.board.subtasks)} subtasks; {told}{facts}"


# ---- reading ----------------------------------------------------------------------------------------------------------


def holds_boards(text: str) -> bool:
    """Return whether a text is boards from elsewhere: its first object names a task and no family."""
    try:
        first = next(_objects(text), None)
    except BadRow:
        return False
    return first is not None and is_board(first[1])


def _objects(text: str) -> Iterator[tuple[int, object]]:
    """Line and value of each object: of a list of them, or one in a line. Raises BadRow for what is no JSON."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] == "[":
        try:
            listed = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadRow(f"not JSON ({type(error).__name__}: {error})") from None
        yield from ((1, one) for one in listed)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line) if len(line) <= MAX_TEXT else _long()
            except (ValueError, RecursionError) as error:
                raise BadRow(f"line {number}: not JSON ({type(error).__name__}); write one board per line, or a list") from None


def _long() -> object:
    raise ValueError


def boards(text: str) -> Iterator[CheckedBoard]:
    """The boards of a text, with status FITS or UNREADABLE. Nothing that it holds raises, but for BadRow if it is no JSON."""
    names = set[str]()
    for line, raw in _objects(text):
        try:
            board = board_of(raw)
            if board.name in names:
                raise BadRow(f"id: {board.name!r} stands twice; give each board an id of its own")
            names.add(board.name)
            yield CheckedBoard(line, board, FITS)
        except BadInput as error:
            yield CheckedBoard(line, None, UNREADABLE, f"{_named(raw)}{error}")
        except _NONSENSE as error:
            yield CheckedBoard(line, None, UNREADABLE, f"{_named(raw)}is no board ({type(error).__name__})")


def _named(raw: object) -> str:
    name = raw.get("id") if type(raw) is dict else None
    return f"board {printable(str(name)[:80])}: " if type(name) in (str, int) else ""


def checked(text: str, limit: int = LIMIT, budget: Budget | None = None) -> Iterator[CheckedBoard]:
    """The same, and of sudokus how many answers they have, by two formulations."""
    for found in boards(text):
        yield _proved(found, found.board, limit, budget) if isinstance(found.board, Sudoku) else found


def _proved(found: CheckedBoard, board: Sudoku, limit: int, budget: Budget | None) -> CheckedBoard:
    (proved,) = check(board.text(), None, limit, budget)
    if proved.status in (SEVERAL, NONE, UNDECIDED, UNREADABLE):
        return replace(found, status=proved.status, count=proved.count, problem=proved.problem)
    answer = {f"r{r + 1}c{c + 1}": cell for r, row in enumerate(proved.answers[0]) for c, cell in enumerate(row)}
    same = all(answer[part] == board.gold[part] for part in board.subtasks)
    return replace(found, status=UNIQUE if same else WRONG, count=1)


# ---- scoring ----------------------------------------------------------------------------------------------------------


def scored(board: Board, line: Mapping[str, Any]) -> Told:
    """One reply to a board, a line of a file of replies, in LR2Bench's measures."""
    reply, thoughts, usage = line["reply"], line.get("reasoning"), line.get("usage")
    thinking = thoughts if type(thoughts) is str else ""
    answer = board.told(reply)
    filled = sum([part in answer for part in board.subtasks])
    every = len(board.subtasks)
    right = filled == every and board.keeps(answer)
    ended = ending(
        reply,
        thinking,
        right=right,
        cut=line.get("finish_reason") == "length",
        claim=not answer and NO_SOLUTION in reply[-2_000:].casefold(),
        answered=bool(answer),
        blanks=filled < every,
    )
    count = usage.get("completion") if type(usage) is dict else None
    tokens = count if type(count) is int and 0 <= count < 1 << 53 else None
    repeated = repetition(f"{thinking} {reply}" if thinking else reply)
    return Told(filled / every, board.right(answer) / every, right, ended, tokens, len(thinking) + len(reply), repeated)


def score_boards(path: Path, replies_path: Path) -> list[Figures]:
    """Score a file of replies against a file of boards. Raises BadFile or BadRow, which name the file and the place."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
        text = raw.decode() if len(raw) <= MAX_FILE else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: cannot be read as UTF-8 text ({type(error).__name__})") from None
    if not text.strip():
        raise BadFile(f"{path}: expected boards as JSON, at most {MAX_FILE} bytes; docs/lr2bench.md describes them")
    known: dict[str, Board] = {}
    try:
        for found in boards(text):
            if found.board is None:
                raise BadRow(f"line {found.line}: {found.problem}")
            known[found.board.name] = found.board
    except BadRow as error:
        raise BadFile(f"{path}: {error}") from None
    replies = Replies(replies_path, known)
    samples = sorted(replies.samples)
    levels: Levels = {}
    if not samples:
        return []
    with replies_path.open("rb") as file:
        for name, board in known.items():
            told = {sample: scored(board, line) for sample, line in replies.lines(file, name)}
            item = Item(name, "test", name, board.task, "canonical", True, False, 0.0)
            levels.setdefault((board.task, board.level), Rows()).items.append((item, [told.get(s) for s in samples]))
    return figures(levels, len(samples))
