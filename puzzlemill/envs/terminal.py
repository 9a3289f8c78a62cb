"""One puzzle played by a person at a terminal.

The player types rows of the answer, sets cells of a grid one by one, or asks for the next step of the deduction. What counts as
right is decided by the scorer, from a reply like any model's; rules that are broken are described in words. A row that is a
dialogue is played as a model plays it (envs/turns.py: Game), except that a name with a typing mistake costs no message.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.codec import dumps
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import Ask, Layout
from puzzlemill.envs.grids import by_cells, given_grid, token
from puzzlemill.envs.turns import Game
from puzzlemill.scoring.moves import ACTION, ANSWER, REPEATED, Moves
from puzzlemill.scoring.score import prepared, score

FORMAT = "tags"  # the reply format of a row to be played
_CELL = re.compile(r"r(\d{1,3})c(\d{1,3})\s*=\s*(\S+)\Z", re.IGNORECASE)
_SHOWN = 8  # broken rules described at once


def terminal(row: Mapping[str, Any], read: Callable[[], str | None], show: Callable[[str], None]) -> Terminal | GameTerminal:
    """The right one for the row (reply format FORMAT); read and show as every terminal has them."""
    return GameTerminal(row, read, show) if prepared(row).strategy.dialogue else Terminal(row, read, show)


def _reply(lines: Iterable[str]) -> str:
    return "<answer>\n" + "\n".join(lines) + "\n</answer>"


def _whole(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row with its whole answer asked for: a person fills in the board, whatever part of it a model is asked for."""
    puzzle = prepared(row).puzzle
    if puzzle.question.ask is Ask.WHOLE:
        return row
    question = replace(puzzle.question, ask=Ask.WHOLE, about=(), options=())
    return {**row, "puzzle": dumps(replace(puzzle, question=question))}


class _Terminal(ABC):
    """A person who plays a row (reply format FORMAT).

    read() gives the next line, or None at the end of the input; show(text) prints a text.
    """

    def __init__(self, row: Mapping[str, Any], read: Callable[[], str | None], show: Callable[[str], None]) -> None:
        row = _whole(row)
        case = prepared(row)
        self.row, self.read, self.show = row, read, show
        self.family, self.puzzle = case.family, case.puzzle
        self.layout: Layout = self.family.form.layout(self.puzzle)

    def play(self) -> bool:
        """Play until it is solved (True), lost or left, or the input ends."""
        self.show(self.family.render(self.puzzle))
        self.show(self._help())
        self._open()
        while self._goes_on() and (line := self.read()) is not None:
            line = line.strip()
            word = line.casefold()
            if word in ("quit", "exit"):
                break
            if word == "help":
                self.show(self._help())
            elif word == "board":
                self.show(self._board())
            elif (solved := self._typed(line, word)) is not None:
                return solved
        return False

    def _goes_on(self) -> bool:
        """Return whether another line is to be read."""
        return True

    @abstractmethod
    def _open(self) -> None:
        """Show more before the first line is read."""

    @abstractmethod
    def _typed(self, line: str, word: str) -> bool | None:
        """Take a line that is no command of every terminal; None if the play goes on, else whether it is solved."""

    @abstractmethod
    def _help(self) -> str:
        """The lines that can be typed."""

    @abstractmethod
    def _board(self) -> str:
        """The puzzle as it stands."""


class GameTerminal(_Terminal):
    """A dialogue."""

    def __init__(self, row: Mapping[str, Any], read: Callable[[], str | None], show: Callable[[str], None]) -> None:
        super().__init__(row, read, show)
        self.game, self.moves = Game(row), Moves(self.puzzle, row["reply_format"])

    def _open(self) -> None:
        """All of it is in the prompt."""

    def _goes_on(self) -> bool:
        return self.game.left > 0

    def _typed(self, line: str, word: str) -> bool | None:
        if word == "answer" or word.startswith("answer "):
            return self._step(_reply(part.strip() for part in re.split("[;|]", line[len("answer") :])), (ANSWER,)) or None
        return (line != "" and self._step(self._action(line), (ACTION, REPEATED))) or None

    def _step(self, message: str, kinds: tuple[str, ...]) -> bool:
        """Make a move, if the message is one of these kinds. Whether the game is won."""
        move = self.moves.read(message)
        if move.kind not in kinds:
            names = ", ".join(self.layout.columns[0].tokens)
            one = self.puzzle.board.action
            self.show(f"That is no answer. Choose from: {names}." if ANSWER in kinds else f"There is no such {one}.")
            return False
        turn = self.game.step(message)
        self.show(turn.text)
        verdict = turn.verdict
        if turn.done and verdict is not None and verdict.play is not None:
            best = verdict.play.exact
            least = "" if best is None else f" The best play takes {best} in this case."
            self.show(f"{self.puzzle.board.actions_plural.capitalize()} chosen: {len(verdict.play.actions)}.{least}")
        return verdict is not None and verdict.solved

    def _action(self, line: str) -> str:
        """A number or a name as a message; what is neither comes back from the reader of messages."""
        names = self.moves.names
        number = int(line) if line.isascii() and line.isdigit() and len(line) < 4 else 0
        return self.moves.message(number - 1) if 0 < number <= len(names) else f"<action>{line[:200]}</action>"

    def _board(self) -> str:
        shown = [self.game.shown(action) for action in self.game.play.actions]
        return "\n".join(shown) or f"No {self.puzzle.board.actions_plural} chosen yet."

    def _help(self) -> str:
        names = [f"{number:>4}  {name}" for number, name in enumerate(self.moves.names, 1)]
        several, one = "; ".join(["NAME"] * self.layout.min_rows), self.puzzle.board.action
        lines = [f"\nType the number or the name of a {one} to choose it; there are {self.game.left} messages left:", *names]
        lines += [f"answer {several}    ends the game. {self.layout.note}", "board    what was shown so far"]
        return "\n".join([*lines, "help     these lines", "quit     leave"])


class Terminal(_Terminal):
    """A puzzle whose answer is typed, row by row or cell by cell."""

    def __init__(self, row: Mapping[str, Any], read: Callable[[], str | None], show: Callable[[str], None]) -> None:
        super().__init__(row, read, show)
        board = self.family, self.puzzle, self.layout
        self.grid = (
            given_grid(*board) if by_cells(*board) else None
        )  # tokens of a grid that is filled cell by cell, "" where open
        self.open = (
            [] if self.grid is None else [(r, c) for r, line in enumerate(self.grid) for c, token in enumerate(line) if not token]
        )
        self.typed: list[str] = []  # rows of an answer typed so far
        self.hinted = 0
        self.broken = frozenset(self._broken(self.grid))  # by what is on the board

    def _typed(self, line: str, word: str) -> bool | None:
        solved = False
        if word == "hint":
            self._hint()
            solved = self._full() and self._submit(_reply(self._lines()))
        elif word == "answer":
            self.show(self.row["gold_reply"])
            return False
        elif word == "none":
            if self.puzzle.question.may_be_unsolvable:
                solved = self._submit("<answer>no solution</answer>")
            else:
                self.show("This puzzle has a solution.")
        elif (cell := _CELL.match(line)) and self.grid is not None:
            self._set(int(cell[1]), int(cell[2]), cell[3])
            solved = self._full() and self._submit(_reply(self._lines()))
        elif line and (wrong := self._no_row(line)):
            self.show(wrong)
        elif line:
            self.typed.append(line)
            self._compare(len(self.typed) - 1, line)
            solved = len(self.typed) == self.layout.max_rows and self._submit_typed()
        elif self.typed:
            solved = self._submit_typed()
        return solved or None

    # ---- words

    def _help(self) -> str:
        rows = f"{self.layout.max_rows} rows" if self.layout.min_rows == self.layout.max_rows else "the rows, then an empty line"
        between = "spaces" if self.layout.grid else "| or spaces"
        names = ", ".join(column.name for column in self.layout.columns)
        lines = [
            f"\n{self.layout.note} Type {rows}; values separated by {between}" + ("." if self.layout.grid else f": {names}.")
        ]
        if self.layout.text:
            kind = "letters" if self.layout.signs else "characters"
            lines = [f"\n{self.layout.note} Type it in one line, {len(self.layout.columns)} {kind} without the spaces."]
        if self.grid is not None:
            lines.append(f"Or set one cell at a time: r1c2={self.layout.columns[0].tokens[0]} (and r1c2=. to clear it).")
        if self.puzzle.question.may_be_unsolvable:
            lines.append("none    there is no solution")
        if self.row["trace"]:
            lines.append("hint    the next step of the deduction")
        lines.append("board   how things stand" if self.grid is not None else "board   the puzzle once more")
        lines += ["answer  give up and see one", "help    these lines", "quit    leave"]
        return "\n".join(lines)

    def _hint(self) -> None:
        trace = self.row["trace"]
        if self.hinted == len(trace):
            self.show("There are no more steps to tell." if trace else "There are no hints for this puzzle.")
            return
        step = trace[self.hinted]
        self.hinted += 1
        self.show(f"Step {step['step']}: {step['text']}")
        if self.grid is not None:
            self._take_over(json.loads(step["conclusion"])["sets"])
            self.show(self._board())

    # ---- grids

    def _open(self) -> None:
        if self.grid is not None:
            self.show(f"\n{self._board()}")

    def _token(self, slot: int, value: int) -> str:
        return token(self.family, self.puzzle, self.layout, slot, value)

    def _set(self, row: int, column: int, typed: str) -> None:
        assert self.grid is not None
        if (row - 1, column - 1) not in self.open:
            if not (1 <= row <= len(self.grid) and 1 <= column <= len(self.layout.columns)):
                self.show(
                    f"There is no cell r{row}c{column}; rows go to {len(self.grid)}, columns to {len(self.layout.columns)}."
                )
            else:
                self.show(f"r{row}c{column} is given: it is {self.grid[row - 1][column - 1]}.")
            return
        known = {symbol.casefold(): symbol for symbol in self.layout.columns[column - 1].tokens}
        known["."] = ""
        if typed.casefold() not in known:
            self.show(f"{typed} cannot stand in a cell; choose one of {' '.join(filter(None, known.values()))}.")
            return
        self.grid[row - 1][column - 1] = known[typed.casefold()]
        self.show(self._board())
        self._object(f"r{row}c{column}={typed}", self.grid)

    def _compare(self, number: int, line: str) -> None:
        """Say which givens a typed row contradicts, and which rules it breaks at once."""
        if self.grid is None:
            return
        known = {symbol.casefold(): symbol for column in self.layout.columns for symbol in column.tokens}
        row = [known.get(value.casefold(), "") for value in _tokens(line)]
        for c, (given, mine) in enumerate(zip(self.grid[number], row, strict=True)):
            if (number, c) not in self.open and given != mine:
                self.show(f"This row contradicts a given: r{number + 1}c{c + 1} is {given}.")
        self._object("This row", [row if r == number else line for r, line in enumerate(self.grid)])

    def _object(self, what: str, grid: Sequence[Sequence[str]]) -> None:
        """Say what is broken by a grid and was not by the one before."""
        broken = self._broken(grid)
        for label in [label for label in broken if label not in self.broken][:_SHOWN]:
            self.show(f"{what} contradicts: {self.family.describe(self.puzzle, label)}")
        if grid is self.grid:
            self.broken = frozenset(broken)

    def _broken(self, grid: Sequence[Sequence[str]] | None) -> list[str]:
        """The rules and clues that the cells with a value break by themselves."""
        if grid is None:
            return []
        family, puzzle = self.family, self.puzzle
        sizes, wide = family.form.slots(puzzle.spec, puzzle.board), len(self.layout.columns)
        values = [
            next((v for v in range(sizes[slot]) if typed and self._token(slot, v) == typed), BLANK)
            for slot, typed in enumerate([grid[slot // wide][slot % wide] for slot in range(len(sizes))])
        ]
        return list(family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, tuple(values)), partial=True))

    def _take_over(self, facts: list[list[int]]) -> None:
        assert self.grid is not None
        for slot, value in facts:
            row, column = divmod(slot, len(self.layout.columns))
            self.grid[row][column] = self._token(slot, value)
        self.broken = frozenset(self._broken(self.grid))

    def _full(self) -> bool:
        return self.grid is not None and not any("" in row for row in self.grid)

    def _lines(self) -> list[str]:
        assert self.grid is not None
        return [" ".join(token or "." for token in line) for line in self.grid]

    def _board(self) -> str:
        if self.grid is None:
            return self.family.render(self.puzzle)
        return "\n".join(_drawn(self.grid, self.layout, self.family.zones(self.puzzle)))

    # ---- answers

    def _no_row(self, line: str) -> str:
        """Say why a line is no row of an answer; "" if it may be one."""
        wide = len(self.layout.columns)
        if self.layout.grid:
            tokens = list("".join(_tokens(line))) if self.layout.text else _tokens(line)
            if self.layout.signs:  # a text in cipher, of which only the letters are compared
                tokens = [letter for letter in tokens if letter.isalpha()]
        else:
            tokens = line.strip("| ").split("|") if "|" in line else [line] if wide == 1 else line.split()
        if len(tokens) == wide:
            return ""
        if self.layout.text:
            kind = "letters" if self.layout.signs else "characters"
            return f"The text has {wide} {kind}, this line {len(tokens)}. Type help for what can be typed."
        spaced = "" if self.layout.grid or "|" in line else " Put | between values where one has a space in it."
        return f"A row has {wide} values, this line {len(tokens)}.{spaced} Type help for what can be typed."

    def _submit_typed(self) -> bool:
        lines, self.typed = self.typed, []
        if not self.layout.grid:  # fields may be separated by spaces where that is clear
            wide = len(self.layout.columns)
            lines = [" | ".join(line.split()) if "|" not in line and len(line.split()) == wide else line for line in lines]
        return self._submit(_reply(lines))

    def _submit(self, reply: str) -> bool:
        verdict = score(reply, self.row)
        if verdict.solved:
            self.show("Solved.")
            return True
        words = {
            "wrong": "Not yet:",
            "not least": "This works, but there is a shorter way.",
            "incomplete": "Some cells are still open.",
            "claim": "There is a solution.",
        }.get(verdict.why, f"This cannot be read as an answer ({verdict.why}). Type help for the form.")
        self.show(words)
        for label in verdict.broken[:_SHOWN]:
            self.show(f"  broken: {self.family.describe(self.puzzle, label)}")
        return False


def _tokens(line: str) -> list[str]:
    """The values of a typed row of a grid; "0110" has four."""
    tokens = re.split(r"[\s,|]+", line.strip("| "))
    return list(tokens[0]) if len(tokens) == 1 else tokens


def _drawn(grid: Sequence[Sequence[str]], layout: Layout, zones: Sequence[int]) -> list[str]:
    """The lines of a grid with the numbers of its rows and columns, and lines between its zones."""
    cols = len(layout.columns)
    heads = [f"c{c + 1}" for c in range(cols)]
    wide = max(len(text) for text in [*heads, *[token for column in layout.columns for token in column.tokens]])
    label = len(f"r{len(grid)}")
    zone = zones or [0] * (len(grid) * cols)

    def divided(r: int, c: int) -> bool:
        """Return whether there is a line between a cell and the next one of its row."""
        return c + 1 < cols and zone[r * cols + c] != zone[r * cols + c + 1]

    ruled = [any(divided(r, c) for r in range(len(grid))) for c in range(cols)]

    def line(head: str, cells: Sequence[str], signs: Sequence[str]) -> str:
        """A line of the drawing. signs: those after each cell, where its column has a line anywhere."""
        parts = [f"{cell:>{wide}} " + (f"{signs[c]} " if ruled[c] else "") for c, cell in enumerate(cells)]
        return f"{head:>{label}} {''.join(parts)}".rstrip()

    lines = [line("", heads, " " * cols)]
    for r, row in enumerate(grid):
        lines.append(line(f"r{r + 1}", [token or "." for token in row], [" |"[divided(r, c)] for c in range(cols)]))
        below = [r + 1 < len(grid) and zone[r * cols + c] != zone[(r + 1) * cols + c] for c in range(cols)]
        if any(below):
            after = [*below[1:], False]
            joints = [
                f"{' -'[low]}+{' -'[next_low]}" if ruled[c] else " -"[low and next_low]
                for c, (low, next_low) in enumerate(zip(below, after, strict=True))
            ]
            lines.append(
                f"{'':>{label}} {''.join([' -'[low] * wide + joint for low, joint in zip(below, joints, strict=True)])}".rstrip()
            )
    return lines
