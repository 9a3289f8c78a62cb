"""Acrostics as people write them."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill import family as f
from puzzlemill.generators._acrostic import BANDS, LEAST, MOST, AcrosticPuzzle, Params
from puzzlemill.rules import acrostics
from puzzlemill.rules.acrostics import GIVEN, Board, given, label, of_entry, shown, sound, told
from puzzlemill.rules.clued import KIND, LETTERS, Clued, is_word


class Text(f.TextForm[Params, Board]):
    """The quotation with an underscore for each letter; then lines LABEL CELLS = CLUE : CARRIERS, line: LINE, bank: WORDS and
    cell N = LETTER.
    """

    def parse(self, lines: Sequence[f.Line]) -> AcrosticPuzzle:
        options = f.heading(lines, self.family.name, (), ("band",))
        band = options.get("band", "known")
        if band not in BANDS:
            raise lines[0].bad(0, f"expected band={'|'.join(BANDS)}, got {band[:20]!r}")
        layout: list[str] = []
        entries: dict[str, tuple[int, ...]] = {}
        said: list[tuple[f.Line, int, str]] = []
        cells: list[tuple[f.Line, f.Clue]] = []
        named: list[str] = []
        bank: list[str] = []
        for line in lines[1:]:
            head, _, rest = line.text.strip().partition(" ")
            if head == "line:":
                named.append(rest.strip())
            elif head == "bank:":
                bank += rest.split()
            elif head == "cell":
                cells.append((line, given(*_cell(line, rest))))
            elif entries or not acrostics.SIGNS.issuperset(line.text):
                if head != label(len(entries)):
                    raise line.bad(0, f"expected the word {label(len(entries))}, line:, bank: or cell, got {head[:20]!r}")
                numbers, _, clue = rest.partition("=")
                entries[head] = tuple([_number(line, word) - 1 for word in numbers.split()])
                said += [(line, len(entries) - 1, clue.strip())] if clue.strip() else []
            else:
                layout.append(line.text.strip())
        board = Board(" ".join(layout), tuple(entries.values()), tuple(named), tuple(sorted(bank)))
        try:
            sound(board)
        except f.BadRow as error:
            raise lines[-1].bad(0, str(error)) from None
        clues: dict[str, f.Clue] = {}
        for line, made in [*[(line, of_entry(entry, _clued(line, text))) for line, entry, text in said], *cells]:
            try:
                shown(made, board) if made.kind == GIVEN else told(made, board)
            except f.BadRow as error:
                raise line.bad(0, str(error)) from None
            if made.id in clues:
                raise line.bad(0, f"{made.id} stands twice")
            clues[made.id] = made
        letters = min(MOST, max(LEAST, board.cells))
        source = "examples" if named else "composed"  # whose authors are not invented
        params = Params(letters, source=source, band=band, lines=min(12, len(named)), bank=bool(bank), carriers=40, ambiguous=0)
        return self.family.puzzle(f.Spec(params), tuple(clues.values()), board)

    def format(self, puzzle: AcrosticPuzzle) -> str:
        board = puzzle.board
        lines = [f"{self.family.name} band={puzzle.spec.params.band}", board.layout]
        known = dict(told(clue, board) for clue in puzzle.clues if clue.kind == KIND)
        for entry, cells in enumerate(board.entries):
            head = f"{label(entry)} {' '.join([str(cell + 1) for cell in cells])}"
            if entry in known:
                said = known[entry]
                head += f" = {said.sort}: {said.text} : {' '.join(said.carriers)}"
            lines.append(head)
        lines += [f"line: {line}" for line in board.lines]
        lines += [f"bank: {' '.join(board.bank)}"] if board.bank else []
        for clue in puzzle.clues:
            if clue.kind == GIVEN:
                cell, letter = shown(clue, board)
                lines.append(f"cell {cell + 1} = {LETTERS[letter]}")
        return "\n".join(lines) + "\n"


def _number(line: f.Line, word: str) -> int:
    if not (word.isascii() and word.isdigit() and 0 < len(word) < 4 and int(word)):
        raise line.bad(0, f"expected the numbers of cells from 1, got {word[:20]!r}")
    return int(word)


def _cell(line: f.Line, rest: str) -> tuple[int, int]:
    number, _, letter = (part.strip() for part in rest.partition("="))
    if not is_word(letter, 1):
        raise line.bad(0, f"expected a line like cell 17 = E, got {line.text[:40]!r}")
    return _number(line, number) - 1, LETTERS.index(letter)


def _clued(line: f.Line, clue: str) -> Clued:
    """A clue with its sort before it and its carriers after it; without a sort it is a definition."""
    text, mark, carriers = clue.rpartition(" : ")
    if not mark or not carriers.split():
        raise line.bad(0, "expected a clue, a colon between blanks and the words that it is true of, in capitals")
    sort, _, rest = text.partition(": ")
    known = ("definition", "synonyms", "kind", "fill-in", "opposite", "anagram", "hidden")
    return (
        Clued(sort, rest, tuple(sorted(carriers.split())))
        if sort in known
        else Clued("definition", text, tuple(sorted(carriers.split())))
    )
