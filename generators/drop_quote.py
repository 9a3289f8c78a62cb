"""Drop quote (also Quotefalls, Fallen Phrases).

A quotation is written row by row into a grid, with a cell for every blank and for every other sign:
  column  the letters of a column are listed in alphabetical order; each of them stands in one cell of the column (c1, c2, ...);
  word    letters that follow one another, from the end of a row on to the next, are a word of the lexicon; an apostrophe has a
          cell of its own, before which stands a word or a beginning (DIDN'T), and after which stands an ending.
A cell that is filled in beforehand stays as it is (r2c5). Optional rule:
  vowels  the numbers of vowels (A, E, I, O, U) in the rows are stated.
The lexicon is declared: a band of puzzlemill/vocabulary/lexicon.py, or a list of words that the puzzle shows. A puzzle is unique
among all fillings with its words: cells that are filled in are left out one after the other while one filling is left.
The scorer has no lexicon: the plain checker knows a proved puzzle's words from its board, and asks the lexicon of others.

Quotations are drawn by puzzlemill/vocabulary/quotes.py until one fits the grid and reaches its last row, with words of the band.
Slots are the cells that take a letter, row by row, and values are 0 .. 25. The grid has the form of LR2Bench (2502.17848),
appendix A.6, with a cell for each sign. Its Table 5 bounds the search by columns x rows!; ours is a product over columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import DropTable
from puzzlemill.generators._drop_quote import (
    CLUES,
    COLUMN,
    FORM,
    MOST_ROWS,
    SIGNS,
    Answer,
    Board,
    DropDraft,
    DropPuzzle,
    Params,
    given_of,
    letters_of,
    sound,
    true_clues,
)
from puzzlemill.generators._drop_quote_text import Text, numbers, picture
from puzzlemill.rules import drops, drops_model
from puzzlemill.rules.drops_model import VOWELS_RULE, WORD
from puzzlemill.vocabulary import drops as told
from puzzlemill.vocabulary import lexicon, quotes
from puzzlemill.vocabulary.wordings import FIRST, LAST

_DECOYS = 2  # words of a list for each word of the quotation that is in it too
_DRAWS = 1_000  # quotations drawn until one fits


def _set(name: str, kind: f.Kind, relation: f.Relation, about: str, **values: int | bool | str) -> f.SetParam:
    return f.SetParam(name, kind, relation, f.Pairing.NONE, tuple(values.items()), about)


def _paraphrased(puzzle: DropPuzzle, rng: f.Rng) -> f.Style:
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)


def _red_herring(puzzle: DropPuzzle, rng: f.Rng) -> f.Style:
    return replace(puzzle.style, asides=((0, told.remark(rng)),))


@final
class DropQuote(f.Family[Params, Board, Answer, Answer]):
    name, version, title = "drop_quote", 1, "Drop quote"
    source = "Drop quotes (Quotefalls) of American puzzle magazines; form as in LR2Bench"
    params, board, answer, form, clues, text = Params, Board, Answer, FORM, CLUES, Text()
    symbols = tuple(drops.LETTERS)
    lexical = True
    rules = f.declared(f.OptionalRule(VOWELS_RULE))
    transforms = (
        f.AddRule(VOWELS_RULE, args=("givens",), about="the number of vowels in each row is stated"),
        _set("word_list", f.Kind.UE1, f.Relation.RULE, "the words that may occur are listed, with others", lexicon=drops.LISTED),
        _set(
            "rarer_words", f.Kind.IC1, f.Relation.RESIZE, "unique against the whole lexicon, rare words too", lexicon=lexicon.RARE
        ),
        f.Restyle("numbers", f.Kind.UE1, how=numbers, about="numbers in place of letters"),
        f.surface("paraphrase", _paraphrased, "the same puzzle in other words"),
        f.surface("red_herring", _red_herring, "a remark that says nothing about the quotation"),
    )
    smallest = (
        f.Spec(Params(2, 16, 0, drops.LISTED, quotes.EXAMPLES)),
        f.Spec(Params(2, 16, 4, drops.LISTED, quotes.EXAMPLES)),
        f.Spec(Params(2, 17, 0, drops.LISTED, quotes.EXAMPLES), (f.Rule(VOWELS_RULE),)),
    )
    worked = (
        (
            "drop_quote lexicon=common\n__/______/_____\n/__________/___\n__/__'_/____.//\n"
            "1: I I\n2: I L T\n3: M\n4: A I P\n5: L O T\n6: S W\n"
            "7: A S S\n8: I Y\n9: B D S\n10: L O\n11: E N S\n12: E E\n13: E U\n14: M N\n15: S T",
            "IT#ALWAYS#SEEMS\n#IMPOSSIBLE#UNT\nIL#IT'S#DONE.##",
            "LR2Bench (2502.17848), appendix A.6",
        ),
        (
            "drop_quote\n___/_____/____/_\n______/___/____.\n1: A T\n2: H T\n3: C E\n"
            "4: H\n5: E E\n6: A S\n7: R\n8: L T\n9: H Y\n10: E\n11: B\n"
            "12: I W\n13: O R\n14: D R\n15: M\n16: C",
            "THE#EARLY#BIRD#C\nATCHES#THE#WORM.",
            "an English proverb, by hand",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        try:
            quotes.check_source(spec.params.source)
        except f.BadParams as error:
            raise f.BadParams(f"drop_quote.{error}; set family.params.source") from None
        p = spec.params
        if p.source == quotes.COMPOSED and p.cols * p.rows * 9 // 10 < quotes.LEAST_LETTERS:
            raise f.BadParams(
                f"drop_quote.cols: {p.rows} rows of {p.cols} columns are too small for a composed quotation, which has "
                f"{quotes.LEAST_LETTERS} letters or more; raise family.params.cols or rows"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Answer:
        """The first quotation drawn that fits; under the rule, one that has one filling with it and several without."""
        p = spec.params
        for attempt in range(_DRAWS):
            answer = _laid(p, rng.child(attempt))
            if answer is None:
                continue
            if not spec.rules:
                return answer
            puzzle = self.make_puzzle(spec, answer, rng).puzzle
            bare = puzzle.with_clues([clue for clue in puzzle.clues if clue.kind == COLUMN])
            free = replace(bare, spec=spec.without_rule(VOWELS_RULE), board=replace(bare.board, vowels=()))
            if oracle.count(free) > 1 and oracle.count(bare) == 1:
                return answer
        if p.source != quotes.COMPOSED and not spec.rules:
            raise f.BadParams(
                f"drop_quote.source: no quotation of {p.source} fills {p.rows} rows of {p.cols} columns with letters, spaces and "
                "punctuation, and no digits; add others, or set family.params.cols"
            )
        raise f.Discarded("inapplicable", f"none of {_DRAWS} quotations would do for {p.rows} rows of {p.cols} columns")

    def make_puzzle(self, spec: f.Spec[Params], hidden: Answer, rng: f.Rng) -> DropDraft:
        vowels = tuple([sum([row.count(sign) for sign in drops.VOWELS]) for row in hidden])
        shown = drops.hollow(hidden)
        listed = spec.params.lexicon == drops.LISTED
        words = _with_others(drops.words(hidden, shown), rng.child("words")) if listed else ()
        board = Board(shown, (), vowels if spec.rule(VOWELS_RULE) else (), words)
        return f.Draft(self.puzzle(spec, true_clues(hidden, board), board), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more row, for a longer text."""
        p = spec.params
        return replace(spec, params=replace(p, rows=p.rows + 1)) if p.rows < MOST_ROWS else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> f.Constraints:
        m = f.Constraints()
        signs, band = "".join(sound(spec, board).rows), spec.params.lexicon
        cells = {at: m.slot(26) for at, sign in enumerate(signs) if sign == drops.OPEN}
        start = 0
        for stop in range(len(signs) + 1):
            if stop in cells:
                continue
            if stop > start:
                left, right = signs[start - 1 : start], signs[stop : stop + 1]
                kind = drops.AFTER if left == "'" else drops.BEFORE if right == "'" else drops.PLAIN
                drops_model.state_word(m, [cells[at] for at in range(start, stop)], band, board.listed, kind)
            start = stop + 1
        for r, many in enumerate(board.vowels if spec.rule(VOWELS_RULE) else ()):
            here = range(r * spec.params.cols, (r + 1) * spec.params.cols)
            drops_model.state_vowels(m, [cells[at] for at in here if at in cells], many)
        return m

    def rules_board(self, board: Board) -> Board:
        return replace(board, words=())

    def table(self, puzzle: DropPuzzle) -> DropTable:
        spec, board = puzzle.spec, sound(puzzle.spec, puzzle.board)
        runs, told_columns = drops.runs(board.rows), []
        for clue in puzzle.clues:
            if clue.kind == COLUMN:
                column, text = letters_of(clue, board)
                told_columns.append((-1 - column, *[drops.LETTERS.index(sign) for sign in text]))
            else:
                told_columns.append(given_of(clue, board))
        ends = [0]
        for row in board.rows:
            ends.append(ends[-1] + row.count(drops.OPEN))
        counted = zip(ends[:-1], ends[1:], board.vowels, strict=True) if spec.rule(VOWELS_RULE) else ()
        return DropTable(
            drops.columns(board.rows),
            tuple([run.cells for run in runs]),
            tuple([run.kind for run in runs]),
            spec.params.lexicon,
            tuple(told_columns),
            tuple(counted),
            board.listed,
        )

    def broken_rules(self, puzzle: DropPuzzle, answer: Answer, partial: bool = False) -> list[str]:
        spec, board = puzzle.spec, puzzle.board
        alphabet = drops.LETTERS + ("?" if partial else "")
        if len(answer) != len(board.rows):
            return [f.MALFORMED]
        for row, shown in zip(answer, board.rows, strict=True):
            if (
                not isinstance(row, str)
                or len(row) != len(shown)
                or any(
                    (sign not in alphabet) if kind == drops.OPEN else sign != kind for sign, kind in zip(row, shown, strict=True)
                )
            ):
                return [f.MALFORMED]
        broken = [] if all(_is_word(puzzle, *word) for word in drops.split(answer, board.rows)) else [WORD]
        open_cells = board.cells()
        for clue in puzzle.clues:
            if clue.kind != COLUMN:
                cell, letter = given_of(clue, board)
                r, c = open_cells[cell]
                if answer[r][c] not in (drops.LETTERS[letter], "?"):
                    broken.append(clue.id)
            else:
                column, text = letters_of(clue, board)
                there = [answer[r][c] for r, c in open_cells if c == column]
                if Counter([sign for sign in there if sign != "?"]) - Counter(text):
                    broken.append(clue.id)
        if spec.rule(VOWELS_RULE):
            for row, shown, many in zip(answer, board.rows, board.vowels, strict=True):
                letters = [sign for sign, kind in zip(row, shown, strict=True) if kind == drops.OPEN]
                sure = sum([sign in drops.VOWELS for sign in letters])
                if not sure <= many <= sure + letters.count("?"):
                    broken.append(VOWELS_RULE)
                    break
        return broken

    def symmetry(self, puzzle: DropPuzzle) -> str:
        """The puzzle itself: rows and columns can neither be turned nor exchanged."""
        board, p = puzzle.board, puzzle.spec.params
        columns = sorted([letters_of(clue, board) for clue in puzzle.clues if clue.kind == COLUMN])
        givens = sorted([given_of(clue, board) for clue in puzzle.clues if clue.kind != COLUMN])
        rules = ",".join([rule.name for rule in puzzle.spec.rules])
        return "\n".join(
            [
                p.lexicon,
                *board.listed,
                rules,
                *board.rows,
                str(columns),
                str(givens),
                *map(str, board.vowels if puzzle.spec.rules else ()),
            ]
        )

    def search_space_log10(self, puzzle: DropPuzzle) -> float:
        """The product over columns of the orders of their letters, some of which may be the same, and of those not filled in."""
        return told.orders_log10([letters_of(clue, puzzle.board)[1] for clue in puzzle.clues if clue.kind == COLUMN])

    def paper_bound(self, puzzle: DropPuzzle) -> str:
        p = puzzle.spec.params
        return f"{p.cols} x {p.rows}!"

    def paper_subtasks(self, puzzle: DropPuzzle) -> tuple[tuple[int, ...], ...]:
        """Each cell that takes a letter, filled in beforehand or not."""
        return tuple([(s,) for s in range(len(self.form.slots(puzzle.spec, puzzle.board)))])

    # ---- text

    def render(self, puzzle: DropPuzzle) -> str:
        spec, board = puzzle.spec, sound(puzzle.spec, puzzle.board)
        voice, symbols = f.Voice.of(self, puzzle), puzzle.style.symbols
        listed: list[list[str]] = [[] for _ in range(spec.params.cols)]
        for clue in puzzle.clues:
            if clue.kind == COLUMN:
                column, text = letters_of(clue, board)
                listed[column] = [symbols[drops.LETTERS.index(sign)] for sign in text]
        values = iter(CLUES.in_sight(puzzle))
        shown = []
        for sign in "".join(board.rows):
            value = next(values) if sign == drops.OPEN else f.BLANK
            shown.append(sign if sign != drops.OPEN else "" if value == f.BLANK else symbols[value])
        vowels = board.vowels if spec.rule(VOWELS_RULE) else ()
        asides = [aside for _, aside in puzzle.style.asides]
        return told.prompt(voice, spec.params.lexicon, board.listed, shown, listed, vowels, symbols, asides)

    def describe(self, puzzle: DropPuzzle, label: str) -> str:
        voice, symbols = f.Voice.of(self, puzzle), puzzle.style.symbols
        clue = puzzle.clue(label)
        if clue is None:
            lexicon_told = told.lexicon(voice, puzzle.spec.params.lexicon, puzzle.board.listed)
            return lexicon_told if label == WORD else voice.says("vowels", filled="") if label == VOWELS_RULE else label
        if clue.kind == COLUMN:
            column, text = letters_of(clue, puzzle.board)
            letters = [symbols[drops.LETTERS.index(sign)] for sign in text]
            return f"Column {column + 1} has {'the letters' if len(text) > 1 else 'one letter,'} {f.listed(letters)}."
        cell, letter = given_of(clue, puzzle.board)
        r, c = puzzle.board.cells()[cell]
        return f"Row {r + 1} column {c + 1} holds {symbols[letter]}."

    def words(self, puzzle: DropPuzzle) -> f.Words:
        symbols, cells = puzzle.style.symbols, puzzle.board.cells()
        return f.Words(
            cell=lambda slot: f"row {cells[slot][0] + 1} column {cells[slot][1] + 1}",
            value=lambda letter: symbols[letter],
            unit=lambda column: f"column {column + 1}",
            shows=lambda slot: f"row {cells[slot][0] + 1}",
            noun="letter",
            voice=puzzle.style.phrasing,
        )

    def checks(self, puzzle: DropPuzzle, answer: Answer) -> list[str]:
        said = []
        for clue in puzzle.clues:
            if clue.kind == COLUMN:
                column, _ = letters_of(clue, puzzle.board)
                down = [answer[r][column] for r in range(len(answer)) if puzzle.board.rows[r][column] == drops.OPEN]
                said.append(
                    f"Column {column + 1}: from top to bottom {', '.join(down)}; sorted, {' '.join(sorted(down))}, as listed."
                )
        return said

    def draw(self, puzzle: DropPuzzle, answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        drawn = picture(puzzle, answer, marked)
        for label in marked:
            if puzzle.clue(label) is None:
                drawn.caption(self.describe(puzzle, label), marked=True)
        return drawn.svg()


# ---- texts --------------------------------------------------------------------------------------------------------------


def _laid(p: Params, rng: f.Rng) -> Answer | None:
    """A quotation in the grid; None if the one drawn does not fit. About four signs in five of a text are letters."""
    least, most = p.cols * (p.rows - 1) + 1, p.cols * p.rows
    band = lexicon.KNOWN if p.lexicon == drops.LISTED else p.lexicon
    text = quotes.plain(quotes.drawn(p.source, least * 7 // 10, most * 9 // 10, rng, band).text)
    return drops.laid(text, p.cols) if least <= len(text) <= most and set(text) <= SIGNS | set(drops.LETTERS) | {" "} else None


def _with_others(words: Collection[str], rng: f.Rng) -> tuple[str, ...]:
    """The words with others of the same lengths, in alphabetical order."""
    found = dict.fromkeys(words)
    for turn, word in enumerate(words):
        alike = [each.upper() for each in lexicon.words(lexicon.KNOWN, len(word), len(word))]
        found.update(dict.fromkeys(rng.child(turn).few(alike, min(_DECOYS, len(alike)))))
    return tuple(sorted(found))


def _is_word(puzzle: DropPuzzle, text: str, before: str, after: str) -> bool:
    """Return whether letters are a word: of those that the board has or, where it has none, of the lexicon.

    What has letters missing may be any word of its length; of the lexicon, this is not looked up.
    """
    board, band = puzzle.board, puzzle.spec.params.lexicon
    if board.words and bool(board.vowels) == bool(puzzle.spec.rules):  # under the rules that it is proved under
        return any(_agree(text, word) for word in board.words)
    if before == drops.APOSTROPHE:
        return any(_agree(text, word) for word in drops.ENDINGS)
    if after == drops.APOSTROPHE and any(_agree(text, word) for word in drops.BEGINNINGS):
        return True
    if board.listed:
        return any(_agree(text, word) for word in board.listed)
    known = lexicon.word(text.lower())
    return "?" in text or (known is not None and known.band in lexicon.BANDS[: lexicon.BANDS.index(band) + 1])


def _agree(text: str, word: str) -> bool:
    return len(text) == len(word) and all(a in (b, "?") for a, b in zip(text, word, strict=True))


FAMILY = DropQuote()
