"""Drop quotes: the form in which people write them down, another style, and the picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from puzzlemill import family as f
from puzzlemill.core.pictures import FADED, FOUND, GIVEN, MARKED
from puzzlemill.generators._drop_quote import (
    BANDS,
    CLUES,
    COLUMN,
    FORM,
    MOST_COLS,
    MOST_ROWS,
    SIGNS,
    UNKNOWN,
    Answer,
    Board,
    DropPuzzle,
    Params,
    column_clue,
    given_clue,
    given_of,
    letters_of,
    sound,
)
from puzzlemill.rules.drops import BLOCK, LETTERS, LISTED, OPEN
from puzzlemill.rules.drops_model import VOWELS_RULE
from puzzlemill.vocabulary import lexicon, quotes

_WORDS = "words:"
_APART = "/"  # a block in the text form, where # begins a comment


class Text(f.TextForm[Params, Board]):
    """The rows, with _ for a cell, / for a blank, letters that are filled in, punctuation; then "3: I L T" for each column."""

    def parse(self, lines: Sequence[f.Line]) -> DropPuzzle:
        options = f.heading(lines, self.family.name, (), ("lexicon",))
        band = options.get("lexicon", lexicon.KNOWN)
        if band not in BANDS:
            raise lines[0].bad(0, f"lexicon is one of {', '.join(BANDS)}, got {band[:20]!r}")
        told = [line for line in lines[1:] if line.text.lstrip().startswith(_WORDS)]
        words = tuple(sorted({word.text.upper() for line in told for word in line.words[1:]}))
        if (band == LISTED) != bool(words):
            raise lines[0].bad(0, f"expected lexicon=listed and a line of words, {_WORDS} ONE TWO ..., or neither of them")
        body = [line for line in lines[1:] if line not in told and not line.words[0].text.rstrip(":").isdigit()]
        below = [line for line in lines[1:] if line.words[0].text.rstrip(":").isdigit()]
        if not 1 <= len(body) <= MOST_ROWS:
            raise lines[0].bad(0, f"expected 1 to {MOST_ROWS} rows of cells below the heading, got {len(body)}")
        rows = ["".join([word.text for word in line.words]).replace(_APART, BLOCK).upper() for line in body]
        for line, row in zip(body, rows, strict=True):
            if len(row) != len(rows[0]) or len(row) > MOST_COLS:
                raise line.bad(0, f"expected as many cells as in the first row, at most {MOST_COLS}, got {len(row)}")
            strange = next((sign for sign in row if sign not in SIGNS and sign not in LETTERS + OPEN), "")
            if strange:
                raise line.bad(0, f"a cell is a letter from A to Z, _ or / or one of . , ; : ! ? ' \" ( ) -, got {strange!r}")
        shown = [sign for row in rows for sign in row if sign == OPEN or sign in LETTERS]
        counts = [line for line in below if line.words[0].text.startswith("0")]
        vowels = _vowels(counts, len(rows))
        board = Board(tuple(["".join([OPEN if sign in LETTERS else sign for sign in row]) for row in rows]), (), vowels, words)
        clues = [self._column(line, board) for line in below if line not in counts]
        if len({clue.id for clue in clues}) < len(clues):
            raise below[-1].bad(0, "a column is listed twice")
        clues.sort(key=lambda clue: letters_of(clue, board)[0])
        clues += [given_clue(board, cell, LETTERS.index(sign)) for cell, sign in enumerate(shown) if sign != OPEN]
        params = Params(len(rows), len(rows[0]), 0, band, quotes.EXAMPLES)
        puzzle: DropPuzzle = self.family.puzzle(f.Spec(params, (f.Rule(VOWELS_RULE),) if vowels else ()), clues, board)
        try:
            sound(puzzle.spec, board)
        except f.BadRow as error:
            raise lines[0].bad(0, str(error)) from None
        return puzzle

    def _column(self, line: f.Line, board: Board) -> f.Clue:
        number, *letters = line.words
        text = "".join([word.text for word in letters]).upper()
        at = int(number.text.rstrip(":")) if len(number.text) < 4 else 0
        if not 1 <= at <= len(board.rows[0]):
            raise line.bad(0, f"expected the number of a column, 1 to {len(board.rows[0])}, got {number.text[:20]!r}")
        size = sum([row[at - 1] == OPEN for row in board.rows])
        if len(text) != size or not set(text) <= set(LETTERS):
            raise line.bad(0, f"column {at} has {size} cells for letters; expected as many letters A to Z, got {text[:20]!r}")
        return column_clue(at - 1, text)

    def format(self, puzzle: DropPuzzle) -> str:
        board = sound(puzzle.spec, puzzle.board)
        p = puzzle.spec.params
        columns = [letters_of(clue, board) for clue in puzzle.clues if clue.kind == COLUMN]
        givens = [given_of(clue, board)[0] for clue in puzzle.clues if clue.kind != COLUMN]
        if len(set(givens)) < len(givens) or len({column for column, _ in columns}) < len(columns):
            raise f.BadRow("drop_quote: the text form has no way to say two things of one cell or column")
        rows = FORM.assemble(puzzle.spec, board, tuple(CLUES.in_sight(puzzle)))
        signs = zip("".join(rows), "".join(board.rows), strict=True)
        shown = "".join([OPEN if kind == OPEN and sign == UNKNOWN else _APART if sign == BLOCK else sign for sign, kind in signs])
        lines = [self.family.name if p.lexicon == lexicon.KNOWN else f"{self.family.name} lexicon={p.lexicon}"]
        lines += [shown[at : at + p.cols] for at in range(0, len(shown), p.cols)]
        lines += [f"{column + 1}: {' '.join(text)}" for column, text in columns]
        lines += [f"0: {' '.join(map(str, board.vowels))}"] if board.vowels else []
        lines += [f"{_WORDS} {' '.join(board.listed)}"] if board.listed else []
        return "\n".join(lines) + "\n"


def _vowels(lines: Sequence[f.Line], rows: int) -> tuple[int, ...]:
    """The vowels of each row, from a line "0: 3 5 4"; () without one."""
    if not lines:
        return ()
    words = lines[0].words[1:]
    if len(lines) > 1 or len(words) != rows or not all(word.text.isdigit() and len(word.text) < 3 for word in words):
        raise lines[0].bad(0, f"expected one line 0: with the number of vowels in each of {rows} rows")
    return tuple([int(word.text) for word in words])


# ---- other styles, and the picture --------------------------------------------------------------------------------------


def numbers(puzzle: DropPuzzle, rng: f.Rng) -> f.Style:
    """Letters as numbers: from A up, from Z up, or from A up with another number for A."""
    ways = [
        list(range(1, 27)),
        list(range(26, 0, -1)),
        [(value + rng.child("start").between(2, 25)) % 26 + 1 for value in range(26)],
    ]
    return replace(puzzle.style, symbols=tuple(map(str, ways[rng.child("way").below(3)])))


def picture(puzzle: DropPuzzle, answer: Answer | None, marked: Collection[str]) -> f.Board:
    """The grid with the letters of each column above it, the first one highest."""
    board, p, symbols = sound(puzzle.spec, puzzle.board), puzzle.spec.params, puzzle.style.symbols
    columns = {
        column: (text, clue.id) for clue in puzzle.clues if clue.kind == COLUMN for column, text in [letters_of(clue, board)]
    }
    above = max([len(text) for text, _ in columns.values()], default=0)
    drawn = f.Board(p.rows, p.cols, above=above, right=1 if board.vowels else 0)
    signs = "".join(board.rows)
    drawn.tint([at for at, sign in enumerate(signs) if sign == BLOCK], "#333")
    for at, sign in enumerate(signs):
        if sign not in (BLOCK, OPEN):
            drawn.text(at, sign, GIVEN)
    for column, (text, id_) in columns.items():
        for k, sign in enumerate(text):
            drawn.at(k - len(text), column, symbols[LETTERS.index(sign)], MARKED if id_ in marked else GIVEN)
    given = CLUES.in_sight(puzzle)
    values = given if answer is None else FORM.values(puzzle.spec, board, answer)
    for (r, c), shown, value in zip(board.cells(), given, values, strict=True):
        if value != f.BLANK:
            lit = f"r{r + 1}c{c + 1}" in marked and shown != f.BLANK
            drawn.at(r, c, symbols[value], MARKED if lit else FOUND if shown == f.BLANK else GIVEN)
    for r, many in enumerate(board.vowels):
        drawn.at(r, p.cols, str(many), MARKED if VOWELS_RULE in marked else FADED)
    return drawn
