"""What coding alone uses: its parameters and board, the form of its answers, its text form, and how puzzles are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.rules import codes, codes_space, conditions, phrases
from puzzlemill.rules.codes_space import coded, spelt
from puzzlemill.rules.conditions import SIGNS, Case, Signs

TASKS = ("letters", "numbers", "sums", "sentences", "conditions")
ON_WORDS = codes.TASKS  # of them, codes of the class of rules/codes.py
LEAST, MOST = 4, 7  # letters of a word

Answer = tuple[int, ...]  # signs of a code, letters, or the number of one thing


@f.params
class Params:
    """task: codes on words ("letters", "numbers", one number each: "sums"), of sentences, or with conditions.

    decode: a word is to be found, not a code. letters: of each word (in sums one more or less). words: of each sentence. samples:
    words or sentences that are shown with their codes. order: whether letters change their order too. conditions: how many;
    chained: all of them that hold are applied.
    """

    task: str = f.Param("letters", among=TASKS)
    decode: bool = False
    letters: int = f.Param(5, least=LEAST, most=MOST)
    words: int = f.Param(4, least=phrases.LEAST, most=phrases.MOST)
    samples: int = f.Param(2, least=2, most=5)
    order: str = f.Param("any", among=("any", "plain", "reordered"))
    conditions: int = f.Param(3, least=1, most=conditions.MOST_CASES)
    chained: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """asked: the letters of a word or the signs of a code; of sentences the number of a word or code word.

    names: of sentences, the words and the code words by their numbers. codes, cases: of conditions, the table and the conditions.
    """

    asked: tuple[int, ...]
    names: tuple[tuple[str, ...], ...] = ()
    codes: Signs = ()
    cases: tuple[Case, ...] = ()

    @property
    def count(self) -> int:
        """How many words there are, of sentences."""
        return len(self.names[0]) if self.names else 0


@dataclass(frozen=True, slots=True)
class Secret:
    """A puzzle as it is drawn."""

    board: Board
    clues: tuple[f.Clue, ...]
    answer: Answer


CodingPuzzle = f.Puzzle[Params, Board]


def sound(spec: f.Spec[Params], board: Board) -> Board:
    """The board. Raises BadRow for one that somebody made up."""
    p, asked = spec.params, board.asked
    if p.task == "conditions":
        conditions.sound(board.codes, board.cases, asked)
        return board
    if p.task == "sentences":
        fine = (
            len(asked) == 1 and 1 <= board.count <= phrases.WORDS and 0 <= asked[0] < board.count and _named(board.names, board)
        )
    else:
        short, long = (1 if p.task == "sums" and p.decode else codes_space.LEAST), codes_space.LONGEST
        fine = short <= len(asked) <= long and all(0 <= sign <= codes.MOST[p.task if p.decode else "letters"] for sign in asked)
    if not fine:
        raise f.BadRow(f"board.asked: expected what this task asks for, got {str(asked)[:60]} of {board.count}")
    return board


def texts(puzzle: CodingPuzzle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words and the code words of a puzzle of sentences: of the board, unless the style has others."""
    names = puzzle.style.names or puzzle.board.names
    if not _named(names, puzzle.board):
        raise f.BadRow(f"style.names: expected {puzzle.board.count} different words and code words, got {str(names)[:60]}")
    return names[0], names[1]


def _named(names: tuple[tuple[str, ...], ...], board: Board) -> bool:
    """Return whether these are as many different words and code words as there are numbers."""
    return len(names) == 2 and all(len(set(group)) == len(group) == board.count and all(group) for group in names)


def shown(puzzle: CodingPuzzle, signs: Sequence[int], asked: bool = False) -> str:
    """An answer as text; asked: what is asked for as text."""
    p = puzzle.spec.params
    if p.task == "sentences":
        return texts(puzzle)[int(p.decode is asked)][signs[0]]
    if p.task == "conditions":
        return spelt(signs) if asked else "".join([SIGNS[sign] if sign >= 0 else "?" for sign in signs])
    return coded(p.task, signs) if asked is p.decode else spelt(signs)


def samples(puzzle: CodingPuzzle, clues: Sequence[f.Clue]) -> list[tuple[str, str]]:
    """Words, or sentences, and their codes as text."""
    if puzzle.spec.params.task != "sentences":
        return [(str(clue.args[0]), str(clue.args[1])) for clue in clues]
    words, names = texts(puzzle)
    found = [phrases.phrase_of(clue, puzzle.board.count) for clue in clues]
    return [(f'"{_joined(words, said)}"', f'"{_joined(names, written)}"') for said, written in found]


def _joined(names: Sequence[str], items: Sequence[int]) -> str:
    return " ".join([names[item] for item in items])


# ---- answers ------------------------------------------------------------------------------------------------------------


@cache
def _numbers(most: int) -> tuple[str, ...]:
    return tuple(map(str, range(most + 1)))


class Form(f.Form[Params, Board, Answer]):
    """Letters or signs as a text, numbers in a row, or one number or word."""

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        p, board = spec.params, sound(spec, board)
        if p.task == "sentences":
            return (board.count,)
        if p.task == "sums":
            return (codes.MOST["sums"] + 1,)
        each = len(SIGNS) if p.task == "conditions" else 26 if p.decode else codes.MOST[p.task] + 1
        return (each,) * len(board.asked)

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> Answer:
        return values

    def values(self, spec: f.Spec[Params], board: Board, answer: Answer) -> f.Slots:
        return answer

    def entry_of(self, puzzle: CodingPuzzle, slot: int) -> tuple[int, int]:
        return 0, slot

    def tokens(self, puzzle: CodingPuzzle) -> tuple[str, ...]:
        """How the values of a slot are written."""
        p = puzzle.spec.params
        if p.task == "sentences":
            return texts(puzzle)[not p.decode]
        if p.task == "conditions":
            return tuple(SIGNS)
        return tuple(codes.LETTERS) if p.decode or p.task == "letters" else _numbers(codes.MOST[p.task])

    def layout(self, puzzle: CodingPuzzle) -> f.Layout:
        p, tokens, count = puzzle.spec.params, self.tokens(puzzle), len(self.slots(puzzle.spec, puzzle.board))
        if p.task == "sentences":
            note = "Give the word." if p.decode else "Give the code word."
            return f.Layout((f.Column("word" if p.decode else "code", tokens),), 1, 1, False, note)
        if p.task == "sums":
            return f.Layout((f.Column("number", tokens),), 1, 1, False, "Give the number.")
        if p.task == "numbers" and not p.decode:
            columns = tuple([f.Column(f"number {place}", tokens) for place in range(1, count + 1)])
            return f.Layout(columns, 1, 1, True, "Give the numbers of the code in order.")
        what = "word" if p.decode else "code"
        columns = tuple([f.Column(f"sign {place}", tokens) for place in range(1, count + 1)])
        return f.Layout(columns, 1, 1, True, f"Give the {what} without spaces.", what)

    def write(self, puzzle: CodingPuzzle, answer: Answer) -> f.Rows:
        tokens = self.tokens(puzzle)
        return (tuple([tokens[value] for value in answer]),)

    def read(self, puzzle: CodingPuzzle, rows: f.Rows) -> Answer | None:
        known = {token.casefold(): value for value, token in enumerate(self.tokens(puzzle))}
        return tuple([known[token.casefold()] for token in rows[0]])


# ---- transforms ---------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Restyled(f.Transform):
    """Another style of puzzles of some tasks."""

    name: str
    how: Callable[[CodingPuzzle, f.Rng], f.Style]
    tasks: tuple[str, ...]
    about: str
    kind: f.Kind = f.Kind.SURFACE
    relation: f.Relation = f.Relation.SURFACE
    pairing: f.Pairing = f.Pairing.EXACT

    def fits(self, family: Any, spec: f.Spec[Any]) -> bool:
        return self in family.transforms and spec.params.task in self.tasks

    def restyle(self, family: Any, puzzle: CodingPuzzle, rng: f.Rng) -> f.Style:
        return self.how(puzzle, rng)
