"""One puzzle played by a person at a terminal.

The player types rows of the answer, sets cells of a grid one by one, or asks for the next step of the deduction. What counts as
right is decided by the scorer, from a reply like any model's; rules that are broken are told in words. A row that is a dialogue
is played as a model plays it (envs/turns.py: Game), except that a name with a typing mistake costs no message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import AnyPuzzle, Layout
from puzzlemill.envs.turns import Game
from puzzlemill.generators import family_named
from puzzlemill.scoring.moves import ACTION, ANSWER, REPEATED, Moves
from puzzlemill.scoring.score import prepared, score

FORMAT = "tags"  # the reply format of a row to be played
_CELL = re.compile(r"r(\d{1,3})c(\d{1,3})\s*=\s*(\S+)\Z", re.IGNORECASE)
_TOLD = 8  # broken rules told at once


def terminal(row: Mapping[str, Any], read: Callable[[], str | None], tell: Callable[[str], None]) -> Terminal | GameTerminal:
    """The right one for the row (reply format FORMAT); read and tell as Terminal has them."""
    return GameTerminal(row, read, tell) if prepared(row).strategy.dialogue else Terminal(row, read, tell)


class GameTerminal:
    """A dialogue; read and tell as Terminal has them."""

    def __init__(self, row: Mapping[str, Any], read: Callable[[], str | None], tell: Callable[[str], None]) -> None:
        self.read, self.tell = read, tell
        self.case = prepared(row)
        self.game, self.moves = Game(row), Moves(self.case.puzzle, row["reply_format"])
        self.row = row

    def play(self) -> bool:
        """Until it is won (True), lost or left, or the input ends."""
        self.tell(self.case.family.render(self.case.puzzle))
        self.tell(self._help())
        while self.game.left and (line := self.read()) is not None:
            line = line.strip()
            word = line.casefold()
            if word in ("quit", "exit"):
                break
            if word == "help":
                self.tell(self._help())
            elif word == "board":
                self.tell(self._board())
            elif word == "answer" or word.startswith("answer "):
                if self._step(self._answer(line[len("answer") :]), (ANSWER,)):
                    return True
            elif line and self._step(self._action(line), (ACTION, REPEATED)):
                return True
        return False

    def _step(self, message: str, kinds: tuple[str, ...]) -> bool:
        """Make a move, if the message is one of these kinds. Whether the game is won."""
        move = self.moves.read(message)
        if move.kind not in kinds:
            names = ", ".join(self.case.family.form.layout(self.case.puzzle).columns[0].tokens)
            self.tell(f"That is no answer. Choose from: {names}." if ANSWER in kinds else f"There is no such {self._one}.")
            return False
        turn = self.game.step(message)
        self.tell(turn.text)
        verdict = turn.verdict
        if turn.done and verdict is not None and verdict.play is not None:
            best = verdict.play.exact
            told = "" if best is None else f" The best play takes {best} in this case."
            self.tell(f"{self._several.capitalize()} chosen: {len(verdict.play.actions)}.{told}")
        return verdict is not None and verdict.solved

    def _action(self, line: str) -> str:
        """A number or a name as a message; what is neither is told back by the reader of messages."""
        names = self.moves.names
        number = int(line) if line.isascii() and line.isdigit() and len(line) < 4 else 0
        return self.moves.told(number - 1) if 0 < number <= len(names) else f"<action>{line[:200]}</action>"

    def _answer(self, names: str) -> str:
        return "<answer>\n" + "\n".join(part.strip() for part in re.split("[;|]", names)) + "\n</answer>"

    @property
    def _one(self) -> str:
        return str(self.case.puzzle.board.action)

    @property
    def _several(self) -> str:
        return str(self.case.puzzle.board.actions_plural)

    def _board(self) -> str:
        shown = [self.game.shown(action) for action in self.game.play.actions]
        return "\n".join(shown) or f"No {self._several} chosen yet."

    def _help(self) -> str:
        layout = self.case.family.form.layout(self.case.puzzle)
        names = [f"{number:>4}  {name}" for number, name in enumerate(self.moves.names, 1)]
        several = "; ".join(["NAME"] * layout.min_rows)
        lines = [
            f"\nType the number or the name of a {self._one} to choose it; there are {self.game.left} messages left:",
            *names,
        ]
        lines += [f"answer {several}    ends the game. {layout.note}", "board    what was shown so far"]
        return "\n".join([*lines, "help     these lines", "quit     leave"])


class Terminal:
    """A game of one row (reply format FORMAT).

    read() gives the next line, or None at the end of the input; tell(text) shows a text.
    """

    def __init__(self, row: Mapping[str, Any], read: Callable[[], str | None], tell: Callable[[str], None]) -> None:
        self.row, self.read, self.tell = row, read, tell
        self.family: AnyFamily = family_named(row["family"])
        self.puzzle: AnyPuzzle = loads(puzzle_type(self.family), row["puzzle"], "puzzle")
        self.layout: Layout = self.family.form.layout(self.puzzle)
        self.grid = self._given_grid() if self._cells() else None  # tokens of a grid that is filled cell by cell, "" where open
        self.open = (
            [] if self.grid is None else [(r, c) for r, line in enumerate(self.grid) for c, token in enumerate(line) if not token]
        )
        self.typed: list[str] = []  # rows of an answer typed so far
        self.hinted = 0

    def play(self) -> bool:
        """Until it is solved (True), given up or the input ends."""
        self.tell(self.family.render(self.puzzle))
        self.tell(self._help())
        while (line := self.read()) is not None:
            line = line.strip()
            word = line.casefold()
            if word in ("quit", "exit"):
                break
            if word == "help":
                self.tell(self._help())
            elif word == "hint":
                self._hint()
                if self._full() and self._submit(self._reply(self._lines())):
                    return True
            elif word == "board":
                self.tell(self._board() if self.grid is not None else self.family.render(self.puzzle))
            elif word == "answer":
                self.tell(self.row["gold_reply"])
                break
            elif word == "none":
                if not self.puzzle.question.may_be_unsolvable:
                    self.tell("This puzzle has a solution.")
                elif self._submit("<answer>no solution</answer>"):
                    return True
            elif (cell := _CELL.match(line)) and self.grid is not None:
                self._set(int(cell[1]), int(cell[2]), cell[3])
                if self._full() and self._submit(self._reply(self._lines())):
                    return True
            elif line and (wrong := self._no_row(line)):
                self.tell(wrong)
            elif line:
                self.typed.append(line)
                if len(self.typed) == self.layout.max_rows and self._submit_typed():
                    return True
            elif self.typed and self._submit_typed():
                return True
        return False

    # ---- words

    def _help(self) -> str:
        rows = f"{self.layout.max_rows} rows" if self.layout.min_rows == self.layout.max_rows else "the rows, then an empty line"
        between = "spaces" if self.layout.grid else "| or spaces"
        names = ", ".join(column.name for column in self.layout.columns)
        lines = [
            f"\n{self.layout.note} Type {rows}; values separated by {between}" + ("." if self.layout.grid else f": {names}.")
        ]
        if self.layout.text:
            lines = [f"\n{self.layout.note} Type it in one line, {len(self.layout.columns)} characters without the spaces."]
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
            self.tell("There are no more steps to tell." if trace else "There are no hints for this puzzle.")
            return
        step = trace[self.hinted]
        self.hinted += 1
        self.tell(f"Step {step['step']}: {step['text']}")
        if self.grid is not None:
            self._take_over(json.loads(step["conclusion"])["sets"])
            self.tell(self._board())

    # ---- grids

    def _cells(self) -> bool:
        """Return whether the answer is a grid whose cells are the slots, row by row."""
        rows = self.layout.max_rows
        slots = len(self.family.form.slots(self.puzzle.spec, self.puzzle.board))
        if self.layout.text:
            return False
        return self.layout.grid and rows == self.layout.min_rows and slots == rows * len(self.layout.columns) > 0

    def _given_grid(self) -> list[list[str]]:
        """Return what the puzzle shows: of each given slot the one value that no clue forbids."""
        family, puzzle = self.family, self.puzzle
        sizes = family.form.slots(puzzle.spec, puzzle.board)
        wide = len(self.layout.columns)
        grid = [[""] * wide for _ in range(self.layout.max_rows)]
        ids = {clue.id for clue in puzzle.clues}
        for slot in family.clues.given_slots(puzzle):
            for value in range(sizes[slot]):
                alone = tuple(value if s == slot else BLANK for s in range(len(sizes)))
                broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, alone), partial=True)
                if not ids.intersection(broken):
                    grid[slot // wide][slot % wide] = self._token(slot, value)
                    break
        return grid

    def _token(self, slot: int, value: int) -> str:
        sizes = self.family.form.slots(self.puzzle.spec, self.puzzle.board)
        filled = tuple(value if s == slot else 0 for s in range(len(sizes)))
        rows = self.family.form.write(self.puzzle, self.family.form.assemble(self.puzzle.spec, self.puzzle.board, filled))
        wide = len(self.layout.columns)
        return rows[slot // wide][slot % wide]

    def _set(self, row: int, column: int, typed: str) -> None:
        assert self.grid is not None
        if (row - 1, column - 1) not in self.open:
            given = 1 <= row <= len(self.grid) and 1 <= column <= len(self.layout.columns)
            self.tell(f"r{row}c{column} is given." if given else f"There is no cell r{row}c{column}.")
            return
        known = {symbol.casefold(): symbol for symbol in self.layout.columns[column - 1].tokens}
        known["."] = ""
        if typed.casefold() not in known:
            self.tell(f"{typed} cannot stand in a cell; choose one of {' '.join(filter(None, known.values()))}.")
            return
        self.grid[row - 1][column - 1] = known[typed.casefold()]
        self.tell(self._board())

    def _take_over(self, facts: list[list[int]]) -> None:
        assert self.grid is not None
        for slot, value in facts:
            row, column = divmod(slot, len(self.layout.columns))
            self.grid[row][column] = self._token(slot, value)

    def _full(self) -> bool:
        return self.grid is not None and not any("" in row for row in self.grid)

    def _lines(self) -> list[str]:
        assert self.grid is not None
        return [" ".join(token or "." for token in line) for line in self.grid]

    def _board(self) -> str:
        assert self.grid is not None
        wide = max(len(token) for column in self.layout.columns for token in column.tokens)
        return "\n".join(" ".join((token or ".").rjust(wide) for token in line) for line in self.grid)

    # ---- answers

    def _no_row(self, line: str) -> str:
        """Why a line is no row of an answer, "" if it may be one."""
        wide = len(self.layout.columns)
        if self.layout.grid:
            tokens = re.split(r"[\s,|]+", line.strip("| "))
            tokens = list("".join(tokens)) if len(tokens) == 1 or self.layout.text else tokens  # "0110"
        else:
            tokens = line.strip("| ").split("|") if "|" in line else [line] if wide == 1 else line.split()
        if len(tokens) == wide:
            return ""
        if self.layout.text:
            return f"The text has {wide} characters, this line {len(tokens)}. Type help for what can be typed."
        spaced = "" if self.layout.grid or "|" in line else " Put | between values where one has a space in it."
        return f"A row has {wide} values, this line {len(tokens)}.{spaced} Type help for what can be typed."

    def _submit_typed(self) -> bool:
        lines, self.typed = self.typed, []
        if not self.layout.grid:  # fields may be separated by spaces where that is clear
            wide = len(self.layout.columns)
            lines = [" | ".join(line.split()) if "|" not in line and len(line.split()) == wide else line for line in lines]
        return self._submit(self._reply(lines))

    def _reply(self, lines: list[str]) -> str:
        return "<answer>\n" + "\n".join(lines) + "\n</answer>"

    def _submit(self, reply: str) -> bool:
        verdict = score(reply, self.row)
        if verdict.solved:
            self.tell("Solved.")
            return True
        told = {
            "wrong": "Not yet:",
            "not least": "This works, but there is a shorter way.",
            "incomplete": "Some cells are still open.",
            "claim": "There is a solution.",
        }.get(verdict.why, f"This cannot be read as an answer ({verdict.why}). Type help for the form.")
        self.tell(told)
        for label in verdict.broken[:_TOLD]:
            self.tell(f"  broken: {self.family.describe(self.puzzle, label)}")
        return False
