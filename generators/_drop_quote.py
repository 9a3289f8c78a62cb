"""Drop quotes: parameters, board, answers, clues and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from puzzlemill import family as f
from puzzlemill.rules import drops
from puzzlemill.rules.drops import BLOCK, LETTERS, LISTED, OPEN
from puzzlemill.rules.drops_model import VOWELS_RULE
from puzzlemill.vocabulary import lexicon

DropPuzzle = f.Puzzle["Params", "Board"]
DropDraft = f.Draft["Params", "Board", "Answer", "Answer"]
Answer = tuple[str, ...]  # the rows, with the signs of the board; UNKNOWN for a letter that is not known

UNKNOWN = "?"
FEWEST, MOST_ROWS, MOST_COLS = 2, 6, 40
SIGNS = frozenset(BLOCK + ".,;:!?'\"()-")  # that a grid may have besides letters
COLUMN, GIVEN_KIND = "column", "given"
BANDS = (*lexicon.BANDS, LISTED)
MOST_LISTED = 200  # words of a list
_EXCHANGES = 400
_ALTERNATIVES = 12  # of the letters of a column


@f.params
class Params:
    """lexicon: the band of words that the quotation is unique against, or listed: those of a list that the puzzle shows, with two
    others for each word of the quotation. source: see vocabulary/quotes.py. givens: so many cells are
    filled in beforehand, or more where that leaves several answers or a column has no letters; 0: none that could be left out.
    """

    rows: int = f.Param(3, least=FEWEST, most=MOST_ROWS)
    cols: int = f.Param(22, least=4, most=MOST_COLS)
    givens: int = f.Param(0, least=0, most=lambda p: p.rows * p.cols // 3)
    lexicon: str = f.Param(lexicon.KNOWN, among=BANDS)
    source: str = f.Param("composed")


@dataclass(frozen=True, slots=True)
class Board:
    """rows: _ for a cell that takes a letter, # for a blank, and the other signs of the text. words: of the answer, by
    which the scorer judges; () where it is not proved. vowels: how many there are in each row, under the rule. listed: the words
    that the puzzle shows. Words stand in alphabetical order.
    """

    rows: tuple[str, ...]
    words: tuple[str, ...] = ()
    vowels: tuple[int, ...] = ()
    listed: tuple[str, ...] = ()

    def cells(self) -> list[tuple[int, int]]:
        """Row and column of each cell that takes a letter."""
        return [(r, c) for r, row in enumerate(self.rows) for c, sign in enumerate(row) if sign == OPEN]


def sound(spec: f.Spec[Params], board: Board) -> Board:
    """The board, if it is one of this spec; raises BadRow for any other."""
    p = spec.params
    if len(board.rows) != p.rows or any(len(row) != p.cols or not set(row) <= SIGNS | {OPEN} for row in board.rows):
        raise f.BadRow(f"board.rows: expected {p.rows} rows of {p.cols} signs _ # or punctuation, got {str(board.rows)[:60]}")
    if not any(OPEN in row for row in board.rows):
        raise f.BadRow("board.rows: no cell takes a letter")
    if len(board.vowels) != p.rows and (board.vowels or spec.rule(VOWELS_RULE)):
        raise f.BadRow(f"board.vowels: expected a number for each of {p.rows} rows, got {str(board.vowels)[:60]}")
    if not all(0 <= many <= p.cols for many in board.vowels):
        raise f.BadRow(f"board.vowels: expected numbers from 0 to {p.cols}, got {str(board.vowels)[:60]}")
    for name, words in (("words", board.words), ("listed", board.listed)):
        if any(not 0 < len(word) < 30 or not set(word) <= set(LETTERS) for word in words) or len(words) > MOST_LISTED:
            raise f.BadRow(f"board.{name}: expected up to {MOST_LISTED} words in capitals, got {str(words)[:60]}")
    if bool(board.listed) != (spec.params.lexicon == LISTED):
        raise f.BadRow("board.listed: expected words where lexicon is listed, and none elsewhere")
    return board


# ---- answers ------------------------------------------------------------------------------------------------------------


class Form(f.Form[Params, Board, Answer]):
    """A slot for each cell that takes a letter, row by row; blanks and punctuation are written too, and read as they stand."""

    asks = (f.Ask.CELL,)

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        return (26,) * sum([row.count(OPEN) for row in sound(spec, board).rows])

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> Answer:
        signs = iter([UNKNOWN if value == f.BLANK else LETTERS[value] for value in values])
        return tuple(["".join([next(signs) if sign == OPEN else sign for sign in row]) for row in board.rows])

    def values(self, spec: f.Spec[Params], board: Board, answer: Answer) -> f.Slots:
        return tuple([LETTERS.find(answer[r][c]) for r, c in board.cells()])

    def entry_of(self, puzzle: DropPuzzle, slot: int) -> tuple[int, int]:
        return puzzle.board.cells()[slot]

    def layout(self, puzzle: DropPuzzle) -> f.Layout:
        rows = sound(puzzle.spec, puzzle.board).rows
        fixed = tuple([tuple(["" if sign == OPEN else sign for sign in row]) for row in rows])
        tokens = [
            (*LETTERS[:-1], *sorted({row[c] for row in rows} - {OPEN}), LETTERS[-1]) for c in range(puzzle.spec.params.cols)
        ]
        columns = tuple([f.Column(f"column {c}", each) for c, each in enumerate(tokens, 1)])
        note = (
            "Give the completed grid row by row, from top to bottom, with # for every space and with the punctuation; "
            "each value is a capital letter, # or a punctuation mark."
        )
        return f.Layout(columns, len(rows), len(rows), True, note, fixed=fixed)

    def write(self, puzzle: DropPuzzle, answer: Answer) -> f.Rows:
        return tuple([tuple(row) for row in answer])

    def read(self, puzzle: DropPuzzle, rows: f.Rows) -> Answer | None:
        read = [[sign.upper() for sign in row] for row in rows]
        if any(read[r][c] not in LETTERS for r, c in puzzle.board.cells()):
            return None
        shown = zip(read, puzzle.board.rows, strict=True)
        return tuple(
            ["".join([mine if sign == OPEN else sign for mine, sign in zip(row, signs, strict=True)]) for row, signs in shown]
        )


FORM = Form()


# ---- clues --------------------------------------------------------------------------------------------------------------


def letters_of(clue: f.Clue, board: Board) -> tuple[int, str]:
    """The column that a clue is about, from 0, and its letters. Raises BadRow for any that this board cannot have."""
    at, text = (*clue.args, "", "")[:2]
    size = sum([row[at] == OPEN for row in board.rows]) if type(at) is int and 0 <= at < len(board.rows[0]) else 0
    if type(at) is not int or type(text) is not str or not 0 < size == len(text) or not set(text) <= set(LETTERS):
        raise f.BadRow(f"clue {clue.id}: expected a column and as many letters as it has cells, got {str(clue.args)[:60]}")
    return at, text


def given_of(clue: f.Clue, board: Board) -> tuple[int, int]:
    """The cell that a clue fills in, by its slot, and its letter. Raises BadRow for any that this board cannot have."""
    cells = sum([row.count(OPEN) for row in board.rows])
    cell, letter = (*clue.args, -1, -1)[:2]
    if (
        clue.kind != GIVEN_KIND
        or type(cell) is not int
        or type(letter) is not int
        or not (0 <= cell < cells and 0 <= letter < 26)
    ):
        raise f.BadRow(
            f"clue {clue.id}: expected a {GIVEN_KIND}, its cell below {cells} and its letter, got {str(clue.args)[:60]}"
        )
    return cell, letter


def column_clue(column: int, letters: Collection[str]) -> f.Clue:
    return f.Clue(f"c{column + 1}", COLUMN, (column, "".join(sorted(letters))))


def given_clue(board: Board, cell: int, letter: int) -> f.Clue:
    r, c = board.cells()[cell]
    return f.Clue(f"r{r + 1}c{c + 1}", GIVEN_KIND, (cell, letter))


def true_clues(answer: Answer, board: Board) -> list[f.Clue]:
    """The letters of every column, and every cell filled in."""
    inside = ["".join([row[c] for row in answer if row[c] in LETTERS]) for c in range(len(answer[0]))]
    letters = [LETTERS.index(answer[r][c]) for r, c in board.cells()]
    found = [column_clue(c, text) for c, text in enumerate(inside) if text]
    return [*found, *[given_clue(board, cell, letter) for cell, letter in enumerate(letters)]]


class Clues(f.Clues[Params, Board]):
    """The letters of each column (c1, c2, ...), and cells filled in beforehand (r2c5), which alone may be left out."""

    edits = 2  # columns that exchange a letter

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Board, clue: f.Clue) -> None:
        if clue.kind != COLUMN:
            cell, letter = given_of(clue, board)
            m.require(m.key[cell][letter], label=clue.id)
            return
        column, text = letters_of(clue, board)
        there = [m.key[slot] for slot, (_, c) in enumerate(board.cells()) if c == column]
        for letter, sign in enumerate(LETTERS):
            if sign not in text:
                for literals in there:
                    m.require(-literals[letter], label=clue.id)
            elif len(text) > 1:
                m.exactly([literals[letter] for literals in there], text.count(sign), label=clue.id, plain=True)

    def given_slots(self, puzzle: DropPuzzle) -> tuple[int, ...]:
        return tuple([given_of(clue, puzzle.board)[0] for clue in puzzle.clues if clue.kind != COLUMN])

    def in_sight(self, puzzle: DropPuzzle) -> Sequence[int]:
        values = [f.BLANK] * len(FORM.slots(puzzle.spec, puzzle.board))
        for clue in puzzle.clues:
            if clue.kind != COLUMN:
                slot, value = given_of(clue, puzzle.board)
                values[slot] = value
        return values

    def removal_order(self, draft: DropDraft, rng: f.Rng) -> list[int]:
        return rng.shuffled([at for at, clue in enumerate(draft.puzzle.clues) if clue.kind != COLUMN])

    def kept(self, spec: f.Spec[Params]) -> int:
        return spec.params.givens and spec.params.cols + spec.params.givens

    def finish(self, draft: DropDraft, rng: f.Rng, oracle: f.Oracle) -> DropDraft:
        """The board has the words of the answer now, by which the scorer judges, unless it has a list of words."""
        puzzle = draft.puzzle
        if draft.answer is None or puzzle.board.listed:
            return draft
        words = tuple(sorted(set(drops.words(draft.answer, puzzle.board.rows))))
        return replace(draft, puzzle=replace(puzzle, board=replace(puzzle.board, words=words)))

    def exchanges(self, puzzle: DropPuzzle, rng: f.Rng) -> Iterator[DropPuzzle]:
        """Two columns exchange a letter, neither of them one that a cell filled in shows; or two such cells exchange theirs."""
        board, clues = puzzle.board, puzzle.clues
        cells = board.cells()
        columns = [at for at, clue in enumerate(clues) if clue.kind == COLUMN]
        givens = [at for at, clue in enumerate(clues) if clue.kind != COLUMN]
        shown = Counter([(cells[cell][1], LETTERS[letter]) for cell, letter in [given_of(clues[at], board) for at in givens]])
        pairs = [(one, two) for k, two in enumerate(columns) for one in columns[:k]]
        swaps = [(one, two) for k, two in enumerate(givens) for one in givens[:k]]
        ways = [*rng.child("columns").sample(pairs, min(len(pairs), _EXCHANGES)), *swaps]
        for attempt, (one, two) in enumerate(rng.child("order").shuffled(ways)):
            here = rng.child(attempt)
            if clues[one].kind == COLUMN:
                (a, left), (b, right) = letters_of(clues[one], board), letters_of(clues[two], board)
                free = [
                    [sign for sign in LETTERS if text.count(sign) > shown[column, sign]]
                    for column, text in ((a, left), (b, right))
                ]
                if not all(free):
                    continue
                x, y = here.child("left").pick(free[0]), here.child("right").pick(free[1])
                changed = (
                    column_clue(a, [*left.replace(x, "", 1), y]),
                    column_clue(b, [*right.replace(y, "", 1), x]),
                )
            else:
                (one_cell, mine), (other_cell, other) = given_of(clues[one], board), given_of(clues[two], board)
                changed = given_clue(board, one_cell, other), given_clue(board, other_cell, mine)
            if changed[0] != clues[one]:
                edited = list(clues)
                edited[one], edited[two] = changed
                yield puzzle.with_clues(edited)

    def alternatives(self, puzzle: DropPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """A cell shows another letter of its column; or a column has another letter in place of one of its own."""
        board = puzzle.board
        if clue.kind != COLUMN:
            cell, letter = given_of(clue, board)
            columns = [letters_of(each, board) for each in puzzle.clues if each.kind == COLUMN]
            letters = dict(columns).get(board.cells()[cell][1], LETTERS)
            for sign in rng.shuffled(sorted(set(letters))):
                if sign != LETTERS[letter]:
                    yield replace(clue, args=(cell, LETTERS.index(sign)))
            return
        column, text = letters_of(clue, board)
        others = rng.shuffled([(old, new) for old in sorted(set(text)) for new in LETTERS if new != old])
        for old, new in others[:_ALTERNATIVES]:
            yield replace(clue, args=column_clue(column, [*text.replace(old, "", 1), new]).args)


CLUES = Clues()
