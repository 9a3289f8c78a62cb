"""Acrostic: a quotation in numbered cells is found from clued words whose letters fill it.

  clue      each clued word is a carrier of its clue: a word that the clue is true of by the lexicon (ids A, B, ...)
  given     a cell that is shown has its letter (ids c1, c2, ...)
  word      each word of the quotation is in the list, a band of the lexicon, or the words that the prompt lists; of one of them
            unsat cores and deductions say word 1, word 2, ...
  author    the first letters of the clued words spell one of the lines that are stated: an author, an author and a title
The letters of a clued word go to the cells that stand with it; every cell is in exactly one clued word. A puzzle is unique by
quotation. Of a word without a clue nothing is known but its cells.

The words are drawn by a search for exact anagrams (rules/acrostics_draw.py): the text of a quotation, an author whose letters it
has, then words with these first letters and a clue each, all different and no forms of words of the quotation. Which of the
cells with its letter a letter goes to is drawn evenly, but for runs. Where the clues leave more than one quotation, clues that
are true of fewer words take their place. Drafts in which the first carriers in the alphabet are all right are drawn again.
Source: the double-crostic of Elizabeth Kingsley (1934); tasks after LR2Bench (appendix A.2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import islice
from json import dumps
from math import log10
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import AcrosticTable
from puzzlemill.core.pictures import BLOCKED, FADED, FOUND, MARK
from puzzlemill.generators._acrostic import (
    BANDS,
    FORM,
    MOST,
    SCRAMBLED,
    AcrosticPuzzle,
    Clues,
    Params,
    Secret,
    bank_of,
    first_of_each,
    paraphrased,
    red_herring,
    scrambled,
    wish,
    word_counts,
)
from puzzlemill.generators._acrostic_text import Text
from puzzlemill.rules import acrostics, acrostics_model, acrostics_prompt
from puzzlemill.rules.acrostics import CELL, GIVEN, Board, given, heads, label, of_entry, runs, shown, sound, spelt, told
from puzzlemill.rules.acrostics_draw import choices, dealt, partition
from puzzlemill.rules.acrostics_model import AUTHOR
from puzzlemill.rules.clued import KIND, LETTERS, Clued

COMPOSED = "composed"
COLS = 18  # of the picture
_QUOTED = 5  # letters of a word of the quotation whose forms are no clued words
_QUOTATIONS = 20  # that are tried
_WIDE = 8  # after so many words count too that have a clue by their letters alone
_LINES = 40  # tries at an author, and words with these first letters
_EACH = 30  # letters of the quotation for each word without a clue
_BETTER = 40  # clues that are replaced until the quotation is the only one


def _set(name: str, kind: f.Kind, relation: f.Relation, about: str, **values: int | bool | str) -> f.SetParam:
    return f.SetParam(name, kind, relation, f.Pairing.NONE, tuple(values.items()), about)


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Acrostic(f.Family[Params, Board, Secret | str, str]):
    name, version, title = "acrostic", 1, "Acrostic"
    source = "the double-crostic of Elizabeth Kingsley (1934); tasks after LR2Bench"
    params, board, answer, form, clues, text = Params, Board, str, FORM, Clues(), Text()
    lexical = True
    transforms = (
        _set("rare_words", f.Kind.IC1, f.Relation.RESIZE, "rarer words, of a longer list", band="rare", rarer=True),
        _set("fewer_clues", f.Kind.IC2, f.Relation.RESIZE, "a word without a clue", unclued=1, ambiguous=20),
        _set("ambiguous_clues", f.Kind.IC2, f.Relation.RESIZE, "clues that are true of several words", ambiguous=100),
        _set("author_unknown", f.Kind.IC2, f.Relation.RESIZE, "nothing is said of the first letters", lines=0),
        _set("cryptic", f.Kind.UE1, f.Relation.RULE, "anagrams and hidden words for clues, letters shown", clues="cryptic"),
        f.Restyle("scrambled_numbers", f.Kind.UE1, how=scrambled, about="cells that are numbered in no order"),
        f.Restyle("paraphrase", f.Kind.SURFACE, how=paraphrased, about="the same puzzle in other words"),
        f.Restyle("red_herring", f.Kind.SURFACE, how=red_herring, about="a remark that says nothing of the words"),
    )
    smallest = (
        f.Spec(Params(letters=36, spread=8, bank=True)),
        f.Spec(Params(letters=36, spread=8, revealed=2, lines=3)),
    )
    worked = (
        (
            """acrostic
_______ __ ___ ____ ______
A 17 1 18 3 22 = Hypocrite, dissembler : PHONY
B 16 12 15 6 = Kind of experiment : TEST
C 2 13 4 9 8 10 7 = Kind of fatness : OBESITY
D 21 11 20 5 14 19 = Cheat : CHISEL JOCKEY""",
            "HONESTYISTHEBESTPOLICY",
            "an English proverb, with clues by hand",
        ),
        (
            """acrostic
_____ ______ ___ ____
A 6 3 4 2 = To lose strength : FADE MELT WILT
B 12 9 14 8 = Let for money : RENT
C 13 1 17 10 = Consumer or wearer, for example : USER
D 5 7 18 11 16 15 = No longer active : LAPSED""",
            "STILLWATERSRUNDEEP",
            "an English proverb, with clues by hand",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        from puzzlemill.vocabulary.quotes import check_source

        p = spec.params
        check_source(p.source)
        if p.rarer and p.band == BANDS[0]:
            raise f.BadParams("acrostic.rarer needs band=known or band=rare; leave family.params.rarer out")
        if p.unclued > p.letters // _EACH:
            raise f.BadParams(
                f"acrostic.unclued must be at most {p.letters // _EACH} where letters is {p.letters}, got {p.unclued}; "
                "set family.params.unclued lower or family.params.letters higher"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        from puzzlemill.vocabulary.acrostics import check_authors
        from puzzlemill.vocabulary.quotes import SOURCES

        p = spec.params
        for attempt in range(_QUOTATIONS):
            try:
                secret = self._drawn(spec, rng.child(attempt), oracle, attempt >= _WIDE)
            except f.BadParams:  # no quotation of this length: of those that are composed others come next
                if p.source != COMPOSED or attempt == _QUOTATIONS - 1:
                    raise
            else:
                if secret is not None:
                    return secret
        if p.source not in SOURCES:
            check_authors(p.source, p.letters - p.spread, p.letters + p.spread, lambda letters: word_counts(letters, p))
        raise f.Discarded(
            "no_words",
            f"{_QUOTATIONS} quotations: the author is too long or short a name, or no words of the band {p.band!r} have their "
            "letters; family.params.band=rare has most words",
        )

    def _drawn(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle, wide: bool) -> Secret | None:
        """A quotation with its words and clues; None if none were found for it, or its author's name is too long or short."""
        from puzzlemill.vocabulary.acrostics import letters_of, lines, others
        from puzzlemill.vocabulary.quotes import drawn, plain

        p = spec.params
        quotation = drawn(p.source, p.letters - p.spread, p.letters + p.spread, rng.child("quotation"), p.band)
        text, wanted = letters_of(quotation.text), wish(p, wide)
        layout = "".join([CELL if "A" <= sign <= "Z" else sign for sign in plain(quotation.text)])
        quoted = sorted({"".join([text[cell] for cell in cells]) for cells in runs(layout)})
        barred = [word.lower() for word in quoted if len(word) >= _QUOTED]
        found = lines(p.source, quotation.author, text, *word_counts(len(text), p), rng.child("line"))
        for turn, line in enumerate(islice(found, _LINES)):
            here = rng.child("words", turn)
            words = partition(text, spelt(line), wanted, barred, here.child("partition"))
            offered = None if words is None else choices(words, quoted, wanted, here.child("clues"))
            if words is None or offered is None:
                continue
            told_lines = sorted([line, *others(p.source, line, p.lines - 1, here.child("lines"))]) if p.lines else []
            bank = bank_of(quoted, p, here.child("bank")) if p.bank else ()
            board = Board(layout, dealt(text, words, here.child("cells")), tuple(told_lines), bank)
            clues = self._clued(spec, board, text, words, offered, here.child("choice"), oracle)
            if clues is not None and not (p.ambiguous and p.carriers > 1 and first_of_each(board, clues) == text):
                return Secret(board, clues, text)
        return None

    def _clued(
        self,
        spec: f.Spec[Params],
        board: Board,
        text: str,
        words: list[str],
        offered: list[list[Clued]],
        rng: f.Rng,
        oracle: f.Oracle,
    ) -> tuple[f.Clue, ...] | None:
        """Clues that leave one quotation; None if none were found."""
        p = spec.params
        taken = [max(some, key=lambda clue: len(clue.carriers)) if rng.chance(p.ambiguous, 100) else some[0] for some in offered]
        open_cells = [cell for cell in range(board.cells) if cell not in heads(board)]
        letters = [
            given(cell, LETTERS.index(text[cell])) for cell in sorted(rng.few(open_cells, min(p.revealed, len(open_cells))))
        ]
        for _ in range(_BETTER):
            clues = [of_entry(k, clue) for k, clue in enumerate(taken)]
            puzzle = self.puzzle(spec, (*clues, *letters), board)
            others = [each for each in oracle.answers(puzzle, 2) if "".join([LETTERS[v] for v in each]) != text]
            if not others:
                return self._unclued(puzzle, p.unclued, rng.child("unclued"), oracle)
            for k, cells in enumerate(board.entries):
                instead = "".join([LETTERS[others[0][cell]] for cell in cells])
                if instead != words[k]:
                    better = [clue for clue in offered[k] if instead not in clue.carriers]
                    if not better:
                        return None
                    taken[k] = better[0]
                    break
        return None

    def _unclued(self, puzzle: AcrosticPuzzle, count: int, rng: f.Rng, oracle: f.Oracle) -> tuple[f.Clue, ...] | None:
        """The clues without those of so many words that the others do without; None if there are not so many."""
        left = count
        for clue in rng.shuffled([clue for clue in puzzle.clues if clue.kind == KIND]) if count else ():
            fewer = puzzle.with_clues([other for other in puzzle.clues if other != clue])
            if oracle.count(fewer) == 1:
                puzzle, left = fewer, left - 1
                if not left:
                    break
        return None if left else puzzle.clues

    def make_puzzle(self, spec: f.Spec[Params], hidden: Secret | str, rng: f.Rng) -> f.Draft[Params, Board, Secret | str, str]:
        if not isinstance(hidden, Secret):
            raise f.BadRow("acrostic: a quotation alone says nothing of its words")
        return f.Draft(self.puzzle(spec, hidden.clues, hidden.board), hidden.text, hidden.text)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        letters = spec.params.letters + 52
        return replace(spec, params=replace(spec.params, letters=letters)) if letters <= MOST else None

    # ---- meaning

    def rules_board(self, board: Board) -> Board:
        """The board without the words by which replies are judged: the rules name the list itself."""
        return replace(board, words=())

    def model(self, spec: f.Spec[Params], board: Board) -> f.Constraints:
        board = sound(board)
        m = f.Constraints()
        acrostics_model.letter_slots(m, board.cells)
        for number, cells in enumerate(runs(board.layout), 1):
            words = (
                acrostics.of_length(board.bank, len(cells)) or ()
                if board.bank
                else acrostics.listed(spec.params.band, len(cells))
            )
            acrostics_model.read_word(m, cells, words, acrostics_model.label(number))
        if board.lines:
            acrostics_model.read_line(m, [cells[0] for cells in board.entries], [spelt(line) for line in board.lines])
        return m

    def table(self, puzzle: AcrosticPuzzle) -> AcrosticTable:
        p, board = puzzle.spec.params, sound(puzzle.board)
        clues: list[tuple[int, int | tuple[str, ...]]] = []
        for clue in puzzle.clues:
            if clue.kind == GIVEN:
                cell, letter = shown(clue, board)
                clues.append((len(board.entries) + cell, letter))
            else:
                entry, said = told(clue, board)
                clues.append((entry, said.carriers))
        lines = tuple([spelt(line) for line in board.lines])
        return AcrosticTable(board.cells, runs(board.layout), p.band, board.bank, board.entries, lines, tuple(clues))

    def broken_rules(self, puzzle: AcrosticPuzzle, answer: str, partial: bool = False) -> list[str]:
        p, board = puzzle.spec.params, sound(puzzle.board)
        allowed = LETTERS + "?" if partial else LETTERS
        if not isinstance(answer, str) or len(answer) != board.cells or answer.strip(allowed):
            return [f.MALFORMED]
        wrong = []
        for clue in puzzle.clues:
            if clue.kind == GIVEN:
                cell, letter = shown(clue, board)
                right = answer[cell] in ("?", LETTERS[letter])
            else:
                entry, said = told(clue, board)
                word = [answer[cell] for cell in board.entries[entry]]
                right = any(all(a in ("?", b) for a, b in zip(word, carrier, strict=True)) for carrier in said.carriers)
            wrong += [] if right else [clue.id]
        firsts = [answer[cells[0]] for cells in board.entries]
        if board.lines and not any(all(a in ("?", b) for a, b in zip(firsts, spelt(line), strict=True)) for line in board.lines):
            wrong.append(AUTHOR)
        if not acrostics.is_read(board.layout, answer, board.bank or board.words, p.band):
            wrong.append(acrostics_model.WORD)
        return wrong

    def search_space_log10(self, puzzle: AcrosticPuzzle) -> float:
        return puzzle.board.cells * log10(26)

    def paper_bound(self, puzzle: AcrosticPuzzle) -> str:
        return f"26 x {puzzle.board.cells}"

    def symmetry(self, puzzle: AcrosticPuzzle) -> str:
        """Nothing is equal to another acrostic, whatever order its clues stand in."""
        board = puzzle.board
        said = sorted([clue.to_json()[1:] for clue in puzzle.clues], key=dumps)
        return dumps([puzzle.spec.params.band, board.layout, board.entries, sorted(map(spelt, board.lines)), board.bank, said])

    def solution(self, spec: f.Spec[Params], answer: str) -> str:
        """The quotation, of which nothing is equal to another."""
        return answer

    # ---- text

    def render(self, puzzle: AcrosticPuzzle) -> str:
        style, board = puzzle.style, sound(puzzle.board)
        voice = f.Voice(self.name, style.phrasing, self.title)
        clues = puzzle.clues_in_order()
        return acrostics_prompt.prompt(
            board,
            clues,
            style.asides,
            puzzle.spec.params.band,
            self._named(puzzle),
            style.theme != SCRAMBLED,
            puzzle.spec.params.source == COMPOSED,
            voice,
        )

    def _named(self, puzzle: AcrosticPuzzle) -> Callable[[int], str]:
        """The names of cells: their numbers, unless the style has others."""
        if puzzle.style.theme != SCRAMBLED:
            return lambda cell: str(cell + 1)
        names = puzzle.style.names[0] if puzzle.style.names else ()
        if sorted(names) != sorted([str(number) for number in range(1, puzzle.board.cells + 1)]):
            raise f.BadRow(f"style.names: expected 1 to {puzzle.board.cells} in some order, got {str(names)[:60]}")
        return names.__getitem__

    def describe(self, puzzle: AcrosticPuzzle, label: str) -> str:
        clue, board, name = puzzle.clue(label), puzzle.board, self._named(puzzle)
        if clue is not None and clue.kind == GIVEN:
            cell, letter = shown(clue, board)
            return f"Cell {name(cell)} holds {LETTERS[letter]}."
        if clue is not None:
            entry, said = told(clue, board)
            cells = " ".join(map(name, board.entries[entry]))
            return f'The word {label} ({len(board.entries[entry])} letters, cells {cells}) has the clue "{said.text}".'
        if label == AUTHOR and board.lines:
            lines = f.listed([f'"{line}"' for line in board.lines], "or")
            return f"The first letters of the clued words spell {lines}."
        words = runs(board.layout)
        if label == acrostics_model.WORD:
            return "Every word of the quotation is in the list of words."
        number = label.removeprefix(f"{acrostics_model.WORD} ")
        if number.isdecimal() and 1 <= int(number[:4]) <= len(words):
            cells = " ".join(map(name, words[int(number) - 1]))
            return f"Word {number} of the quotation (cells {cells}) is in the list of words."
        raise f.BadRow(
            f"acrostic: {label[:40]!r} is no rule or clue; expected A, B, ..., c1, c2, ..., word 1, word 2, ... or author"
        )

    def words(self, puzzle: AcrosticPuzzle) -> f.Words:
        return f.Words(
            cell=self._named(puzzle),
            value=LETTERS.__getitem__,
            clue=lambda at: told(puzzle.clues[at], puzzle.board)[1].text,
            shows=puzzle.board.lines.__getitem__,
            ids=tuple([clue.id for clue in puzzle.clues]),
            voice=puzzle.style.phrasing,
        )

    def draw(self, puzzle: AcrosticPuzzle, answer: str | None = None, marked: Collection[str] = ()) -> str:
        """The cells with their numbers in rows, gaps and signs between them; the letters that are known; the clues below."""
        board, name = sound(puzzle.board), self._named(puzzle)
        rows = -(-len(board.layout) // COLS)
        picture = f.Board(rows, COLS)
        places = [place for place, sign in enumerate(board.layout) if sign == CELL]
        picture.tint([p for p in range(rows * COLS) if p >= len(board.layout) or board.layout[p] == " "], BLOCKED)
        known = {cell: LETTERS[letter] for cell, letter in heads(board).items()}
        known |= {cell: LETTERS[letter] for cell, letter in [shown(c, board) for c in puzzle.clues if c.kind == GIVEN]}
        tinted = [places[cell] for k, cells in enumerate(board.entries) if label(k) in marked for cell in cells]
        words = runs(board.layout)
        tinted += [places[cell] for number, cells in enumerate(words, 1) if f"word {number}" in marked for cell in cells]
        picture.tint(tinted, MARK)
        for place, sign in enumerate(board.layout):
            if sign not in (CELL, " "):
                picture.text(place, sign, FADED)
        for cell, place in enumerate(places):
            picture.corner(place, name(cell))
            if cell in known:
                picture.text(place, known[cell])
            elif answer is not None and answer[cell] != "?":
                picture.text(place, answer[cell], FOUND)
        for clue in puzzle.clues:
            if clue.kind == KIND:
                entry, said = told(clue, board)
                cells = " ".join(map(name, board.entries[entry]))
                picture.caption(f"{clue.id}. {said.text} ({len(board.entries[entry])}): {cells}", marked=clue.id in marked)
        return picture.svg()


FAMILY = Acrostic()
