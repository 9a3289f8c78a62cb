"""Crosswords as people write them."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill import family as f
from puzzlemill.generators._crossword import (
    EVERY,
    LARGEST,
    LEAST,
    LETTER,
    MARKED,
    MOST,
    UNCLUED,
    Board,
    CrosswordPuzzle,
    Params,
    fitted,
    fitting,
    grid,
    marking,
)
from puzzlemill.generators._crossword_grid import BLOCK, CHECKED, LATTICE, OPEN, Laid, Pattern, is_sound
from puzzlemill.rules import clued
from puzzlemill.rules.clued import KIND, LETTERS, Clued
from puzzlemill.vocabulary.lexicon import BANDS, COMMON

_BLOCK = "*"  # in a text, where # begins a comment
_IN_LINE = 40  # words


class Text(f.TextForm[Params, Board]):
    """Rows of *, . and letters that are shown, then a line for each clue: 1-Across definition: Part of a plant = ROOT STEM.

    A word without a line may be any of the list; lines "words: ..." state the words that may stand in the grid in place of it.
    "marked r1c2 r2c5 r4c1: PET TEN" marks cells and says what they may spell.
    """

    def parse(self, lines: Sequence[f.Line]) -> CrosswordPuzzle:
        options = f.heading(lines, self.family.name, (), ("lexicon",))
        band = options.get("lexicon", COMMON)
        if band not in BANDS:
            raise lines[0].bad(0, f"lexicon: expected {', '.join(BANDS)}, got {band[:40]!r}")
        rows = [line for line in lines[1:] if ":" not in line.text and "=" not in line.text]
        texts = [line.text.replace(" ", "").upper() for line in rows]
        for line, text in zip(rows, texts, strict=True):
            if text.strip(_BLOCK + OPEN + LETTERS) or len(text) != len(texts[0]) or len(text) > LARGEST:
                raise line.bad(
                    0, f"expected a row of *, . and letters as long as the first, at most {LARGEST}, got {text[:40]!r}"
                )
        if not texts:
            raise lines[0].bad(0, "expected rows of *, . and letters below it, and a line for each clue")
        pattern = tuple(["".join([BLOCK if sign == _BLOCK else OPEN for sign in text]) for text in texts])
        laid = self._laid(lines[0], pattern)
        clues = [
            f.Clue(f"r{r + 1}c{c + 1}", LETTER, (cell, LETTERS.index(texts[r][c])))
            for cell, (r, c) in enumerate(laid.places)
            if texts[r][c] != OPEN
        ]
        listed, marked = set[str](), list[tuple[tuple[int, ...], tuple[str, ...]]]()
        at = {entry.label: e for e, entry in enumerate(laid.entries)}
        for line in lines[1:]:
            if line.text.startswith("words:"):
                listed |= self._listed(line)
            elif line.text.startswith(MARKED):
                marked.append(self._marked(line, laid))
            elif line not in rows:
                clues.append(self._clue(line, laid, at))
        if len({clue.id for clue in clues}) < len(clues):
            raise lines[0].bad(0, "expected one line for each word at most")
        if len(marked) > 1:
            raise lines[0].bad(0, "expected one line with marked cells at most")
        carriers = {word for clue in clues if clue.kind != LETTER for word in clue.args[-2]}  # type: ignore[union-attr]
        bare = len([clue for clue in clues if clue.kind != LETTER]) < len(laid.entries)
        board = Board(pattern, tuple(sorted({*listed, *map(str, carriers)})) if listed or not bare else (), *sum(marked, ()))
        if len(board.words) > EVERY:
            raise lines[0].bad(0, f"expected {EVERY} words at most, got {len(board.words)}")
        checked = is_sound(pattern, True)
        size = min(MOST, max(LEAST, len(texts)))
        spec = f.Spec(Params(size, CHECKED if checked else LATTICE, band), (f.Rule(MARKED),) if marked else ())
        puzzle = self.family.puzzle(spec, clues, board)
        try:
            marking(spec, board)
        except f.BadRow as error:
            raise lines[0].bad(0, str(error)) from None
        for clue in clues:
            if clue.kind != LETTER:
                try:
                    fitting(band, board, clue)
                except f.BadRow as error:
                    raise lines[0].bad(0, str(error)) from None
        return puzzle

    def _listed(self, line: f.Line) -> set[str]:
        found = line.text.split()[1:]
        strange = next((word for word in found if not 3 <= len(word) <= LARGEST or word.strip(LETTERS)), None)
        if strange is not None:
            raise line.bad(line.text.index(strange), f"expected words of 3 to {LARGEST} capital letters, got {strange[:40]!r}")
        return set(found)

    def _marked(self, line: f.Line, laid: Laid) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Cells and the words that they may spell."""
        head, _, rest = line.text.partition(":")
        at = {f"r{r + 1}c{c + 1}": cell for cell, (r, c) in enumerate(laid.places)}
        strange = next((name for name in head.split()[1:] if name not in at), None)
        if strange is not None:
            raise line.bad(line.text.index(strange), f"expected an open cell like r1c2, got {strange[:40]!r}")
        return tuple([at[name] for name in head.split()[1:]]), tuple(sorted(set(rest.split())))

    def _laid(self, line: f.Line, pattern: Pattern) -> Laid:
        try:
            return grid(Board(pattern))
        except f.BadRow:
            raise line.bad(0, "expected a grid in which all words hang together and none has two letters") from None

    def _clue(self, line: f.Line, laid: Laid, at: dict[str, int]) -> f.Clue:
        head, _, rest = line.text.partition(":")
        label, _, sort = head.strip().partition(" ")
        text, mark, carriers = rest.rpartition("=")
        words = tuple(sorted(set(carriers.split())))
        if label not in at or not mark or (sort != UNCLUED) != bool(text.strip()):
            raise line.bad(0, f"expected a line like 1-Across definition: Part of a plant = ROOT STEM, got {line.text[:40]!r}")
        try:
            if sort == UNCLUED:
                made = f.Clue(label, UNCLUED, (words, at[label]))
                clued.clued(f.Clue(label, KIND, ("kind", "-", words)), len(laid.entries[at[label]].cells))
            else:
                made = clued.stated(label, Clued(sort, text.strip(), words), at[label])
                clued.clued(made, len(laid.entries[at[label]].cells))
        except f.BadRow as error:
            raise line.bad(0, str(error)) from None
        return made

    def format(self, puzzle: CrosswordPuzzle) -> str:
        said, letters = fitted(puzzle)
        band, laid = puzzle.spec.params.lexicon, grid(puzzle.board)
        shown = {laid.places[cell]: LETTERS[value] for _, cell, value in letters}
        rows = [
            "".join([_BLOCK if sign == BLOCK else shown.get((r, c), OPEN) for c, sign in enumerate(row)])
            for r, row in enumerate(puzzle.board.pattern)
        ]
        lines = [f"{self.family.name}{f' lexicon={band}' if band != COMMON else ''}", *rows]
        for _, e, told in said:
            head = f"{laid.entries[e].label} {told.sort or UNCLUED}:{f' {told.text}' if told.text else ''}"
            lines.append(f"{head} = {' '.join(told.carriers)}")
        cells, spelt = marking(puzzle.spec, puzzle.board)
        names = ["r{}c{}".format(*[at + 1 for at in laid.places[cell]]) for cell in cells]
        lines += [f"{MARKED} {' '.join(names)}: {' '.join(spelt)}"] if cells else []
        carriers = {word for _, _, told in said for word in told.carriers}
        if puzzle.board.words and (len(said) < len(laid.entries) or set(puzzle.board.words) != carriers):
            some = [puzzle.board.words[start : start + _IN_LINE] for start in range(0, len(puzzle.board.words), _IN_LINE)]
            lines += [f"words: {' '.join(words)}" for words in some]
        return "\n".join(lines) + "\n"
