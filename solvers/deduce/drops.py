"""Human-style deduction on drop quotes (DropTable): words that fit, and letters of columns.

A cell starts with the letters of its column. Words with the fewest left are looked at first. Sentences need of Words: cell
("row 1 column 4"), value ("T"), unit ("column 4"), shows (the row of a slot: "row 1"), voice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from math import prod

from puzzlemill.core.model import DropTable, Fact, Slots, Step
from puzzlemill.core.words import Words, listed, pick, plural
from puzzlemill.rules.drops import LETTERS, VOWELS, fitting
from puzzlemill.solvers.deduce.board import Ahead, Board, Look, Refuted, Story
from puzzlemill.solvers.deduce.masks import bits, mask_of, union
from puzzlemill.solvers.deduce.steps import FarLookAhead, Found, LookAhead, Say, Search, sentence, tale, tiers

WORD, VOWELS_RULE = "word", "vowels"
MEDIUM, HARD = 3, 5
WAYS = 24  # of putting the letters that are left into a word: so many can be gone through
NAMED = 5  # words that fit are named up to this many
FEW = 40  # words: of longer lists a person does not see what they have in common
PROBES = 400  # letters that are supposed at most
_VOWELS = mask_of([LETTERS.index(letter) for letter in VOWELS])
_ALL = (1 << 26) - 1


def deduce(table: DropTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return _Board(table, ids).trace(answer)


def board(table: DropTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Board(table, ids)


def explain(words: Words, table: DropTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


@lru_cache(maxsize=256)
def _masks(band: str, listed_words: tuple[str, ...], kind: int, length: int) -> tuple[tuple[int, ...], ...]:
    """The words that a run can be, as bits of letters."""
    return tuple([tuple([1 << LETTERS.index(letter) for letter in word]) for word in fitting(band, listed_words, kind, length)])


def _fitting(words: Sequence[tuple[int, ...]], here: Sequence[int]) -> list[tuple[int, ...]]:
    """The words whose letters are all left in these cells."""
    for place, mask in enumerate(here):
        words = [word for word in words if word[place] & mask]
    return list(words)


# ---- findings, and how they are worded ----------------------------------------------------------------------------------


class _Say(Say):
    """Sentences about the cells of one puzzle."""

    def __init__(self, words: Words, table: DropTable) -> None:
        self.words, self.table, self.voice = words, table, words.voice

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.words.cell(cell)} held {self.words.value(value)}"

    def is_not(self, cell: int, value: int) -> str:
        return f"{self.words.cell(cell)} does not hold {self.words.value(value)}"

    def so(self, step: Step) -> str:
        """What cells hold, or do not."""
        held = [f"{self.words.cell(cell)} holds {self.words.value(value)}" for cell, value in step.sets]
        gone: dict[int, list[str]] = {}
        for cell, value in step.drops:
            gone.setdefault(cell, []).append(self.words.value(value))
        return listed([*held, *[f"{self.words.cell(cell)} is not {listed(values, 'or')}" for cell, values in gone.items()]])

    def story(self, steps: Sequence[Step]) -> str:
        return tale(self, steps)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return f"suppose that {supposed}. Then {tale}. That cannot be, so {so}"

    def place(self, run: int) -> str:
        """ "the word of 6 letters from row 1 column 4"."""
        cells = self.table.runs[run]
        return f"the word of {plural(len(cells), 'letter')} from {self.words.cell(cells[0])}"

    def spelt(self, word: str) -> str:
        """A word in the symbols of the puzzle, and as such where these are no letters."""
        shown = [self.words.value(LETTERS.index(letter)) for letter in word]
        return word if all(len(sign) == 1 and sign.isalpha() for sign in shown) else f"{word} ({' '.join(shown)})"

    def held(self, cells: Sequence[int]) -> str:
        return listed([self.words.cell(cell) for cell in cells])


class UsedUp(Found[_Say]):
    """A letter of a column stands in as many known cells as there are of it."""

    column: int
    letter: int
    holds: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        letter, column, holds = say.words.value(self.letter), say.words.unit(self.column), say.held(self.holds)
        every = f"the only {letter}" if len(self.holds) == 1 else f"every {letter}"
        held = [f"{say.words.cell(cell)} holds {say.words.value(value)}" for cell, value in step.sets]
        so = listed([*([f"no other cell of it holds {letter}"] if step.drops else []), *held])
        return pick(
            say.voice,
            f"{every} of {column} stands in {holds}, so {so}",
            f"{column} has no further {letter} than that in {holds}, so {so}",
            f"{letter} is used up in {column} by {holds}, so {so}",
        )


class OneLetter(Found[_Say]):
    """All other letters of the column are out in this cell."""

    column: int
    cell: int

    def says(self, say: _Say, step: Step) -> str:
        ((_, value),) = step.sets
        letter, column, cell = say.words.value(value), say.words.unit(self.column), say.words.cell(self.cell)
        return pick(
            say.voice,
            f"of the letters of {column}, only {letter} is left for {cell}",
            f"{cell} can only hold {letter}, since every other letter of {column} is out there",
            f"{letter} is the only letter of {column} that is left for {cell}",
        )


class NoLetter(Found[_Say]):
    column: int
    cell: int

    def says(self, say: _Say, step: Step) -> str:
        return f"no letter of {say.words.unit(self.column)} is left for {say.words.cell(self.cell)}"


class TooMany(UsedUp):
    def says(self, say: _Say, step: Step) -> str:
        letter, column = say.words.value(self.letter), say.words.unit(self.column)
        return f"{say.held(self.holds)} would all hold {letter}, which is more than {column} has"


class NoWord(Found[_Say]):
    """No word fits. pattern: its known letters."""

    run: int
    pattern: str

    def says(self, say: _Say, step: Step) -> str:
        known = f" as {self.pattern}" if self.pattern.strip("_") and len(self.pattern) > 1 else ""
        return f"{say.place(self.run)} can be no word of the list{known} with the letters that its columns leave"


class OneWord(Found[_Say]):
    """One word fits, and the letters that are left can be put together in few ways."""

    run: int
    word: str
    ways: int

    def says(self, say: _Say, step: Step) -> str:
        place, word = say.place(self.run), say.spelt(self.word)
        return pick(
            say.voice,
            f"with the letters that are left in its columns, {place} can only be {word}",
            f"{place} is {word}, the only word that its columns still allow",
            f"only {word} fits as {place}",
            f"the letters left for {place} make one word only, {word}",
        )


class OnlyWord(OneWord):
    """The same where they can be put together in many ways."""

    def says(self, say: _Say, step: Step) -> str:
        place, word = say.place(self.run), say.spelt(self.word)
        return pick(
            say.voice,
            f"the letters left in its columns allow {self.ways:,} combinations for {place}, and only {word} is a word",
            f"of {self.ways:,} combinations of the letters left for {place}, {word} is the only word",
            f"among the words of the list, only {word} fits as {place} ({self.ways:,} combinations of letters are left there)",
        )


class LastPlace(UsedUp):
    """A letter has just as many cells as there are of it. holds: these."""

    def says(self, say: _Say, step: Step) -> str:
        letter, column, so = say.words.value(self.letter), say.words.unit(self.column), say.so(step)
        return pick(
            say.voice,
            f"{letter} of {column} fits in no other cell, so {so}",
            f"no other cell of {column} can take the {letter}, so {so}",
            f"every other cell of {column} is ruled out for {letter}, so {so}",
        )


class NoPlace(Found[_Say]):
    column: int
    letter: int

    def says(self, say: _Say, step: Step) -> str:
        return f"{say.words.unit(self.column)} has too few cells left for {say.words.value(self.letter)}"


class RowVowels(Found[_Say]):
    """The vowels of a row are all there (full), or only as many cells as needed can have one. cell: one of the row."""

    cell: int
    many: int
    full: bool

    def says(self, say: _Say, step: Step) -> str:
        row = say.words.shows(self.cell)
        count = plural(self.many, "vowel")
        if self.full:
            return f"all of the {count} of {row} are found, so its other letters are consonants: {say.so(step)}"
        return f"{row} has {count} and just so many cells that can take one, so these are vowels: {say.so(step)}"


class WrongVowels(Found[_Say]):
    cell: int
    found: int
    many: int
    full: bool

    def says(self, say: _Say, step: Step) -> str:
        row = say.words.shows(self.cell)
        return (
            f"{row} should have {plural(self.many, 'vowel')} but has {'more' if self.full else 'too few cells that can take one'}"
        )


class InCommon(Found[_Say]):
    """All words that fit agree in something."""

    run: int
    fit: tuple[str, ...]

    def says(self, say: _Say, step: Step) -> str:
        place, words = say.place(self.run), listed([say.spelt(word) for word in self.fit], "or")
        return pick(
            say.voice,
            f"{place} can only be {words}, so {say.so(step)}",
            f"as {place} only {words} fits, so {say.so(step)}",
            f"{words}: no other word fits as {place}. So {say.so(step)}",
        )


class Shared(InCommon):
    """The same of so many words that they are counted only."""

    def says(self, say: _Say, step: Step) -> str:
        return f"{len(self.fit)} words fit as {say.place(self.run)}, and all of them agree that {say.so(step)}"


TECHNIQUES = tiers(
    [UsedUp, OneLetter, NoLetter, TooMany, OneWord, NoWord],
    [OnlyWord, LastPlace, NoPlace],
    [RowVowels, WrongVowels, InCommon],
    [Shared],
    [LookAhead],
    [FarLookAhead],
    [Search],
)


# ---- the board ----------------------------------------------------------------------------------------------------------


class _Board(Board):
    """left: the letters that each cell may have, as bits. words: those that are left to each run, as bits of letters; base: by
    the letters of its columns alone. out: why a cell does not have a letter of its column. by: why a known cell has its letter.
    """

    AHEAD = (Ahead(LookAhead, 2), Ahead(FarLookAhead, 4))
    TOP = 4
    values = 26

    def __init__(self, table: DropTable, ids: Sequence[str]) -> None:
        super().__init__(ids, [WORD, *[VOWELS_RULE] * bool(table.vowels)], PROBES, 5)
        self.table, self.runs = table, table.runs
        self.run_of = {cell: r for r, run in enumerate(table.runs) for cell in run}
        self.cells_of: dict[int, list[int]] = {}
        for cell, column in enumerate(table.columns):
            self.cells_of.setdefault(column, []).append(cell)
        listed_columns = [(-1 - clue[0], clue[1:], id_) for clue, id_ in zip(table.clues, ids, strict=True) if clue[0] < 0]
        self.text = {column: text for column, text, _ in listed_columns}
        self.id_of = {column: id_ for column, _, id_ in listed_columns}
        self.first = [mask_of(set(self.text[column])) if column in self.text else _ALL for column in table.columns]
        self.left, self.by = list(self.first), [""] * len(table.columns)
        self.out: list[dict[int, str]] = [{} for _ in table.columns]
        self.words = []
        for kind, run in zip(table.kinds, table.runs, strict=True):
            here = [self.left[cell] for cell in run]
            self.words.append(_fitting(_masks(table.band, table.words, kind, len(run)), here))
        self.base = list(self.words)

    @property
    def unsolved(self) -> bool:
        return not all(self.by)

    def own(self) -> None:
        self.left, self.by, self.words = list(self.left), list(self.by), list(self.words)
        self.out = [dict(why) for why in self.out]

    def begin(self) -> None:
        for clue, id_ in zip(self.table.clues, self.ids, strict=True):
            if clue[0] >= 0:
                self.put(clue[0], clue[1], id_)
        for r in range(len(self.runs)):
            self._stir(r)
        for column in self.text:
            self.fresh[0][column] = self.fresh[2][column] = None
        self.fresh[3].update(dict.fromkeys(range(len(self.table.vowels))))

    def rest(self, answer: Slots) -> list[Fact]:
        return [(cell, answer[cell]) for cell, why in enumerate(self.by) if not why]

    def put(self, slot: int, value: int, why: str) -> None:
        for other in bits(self.first[slot] & ~(1 << value)):
            self.out[slot].setdefault(other, why)
        self.left[slot] &= 1 << value
        self.by[slot] = self.by[slot] or why
        self._changed(slot)

    def drop(self, slot: int, value: int, why: str) -> None:
        if self.left[slot] >> value & 1:
            self.left[slot] &= ~(1 << value)
            self.out[slot][value] = why
            self._changed(slot)

    def _changed(self, slot: int) -> None:
        column = self.table.columns[slot]
        self._stir(self.run_of[slot])
        if column in self.text:
            self.fresh[0][column] = self.fresh[2][column] = None
        for k, (low, high, _) in enumerate(self.table.vowels):
            if low <= slot < high:
                self.fresh[3][k] = None

    def _stir(self, run: int) -> None:
        here = [self.left[cell] for cell in self.runs[run]]
        self.words[run] = _fitting(self.words[run], here)
        self.fresh[1][run] = self.fresh[4][run] = None

    def looks(self, top: int) -> Sequence[Look]:
        def shortest(fresh: dict[int, None]) -> int:
            return min(fresh, key=lambda run: (len(self.words[run]), run))

        fresh = self.fresh
        every: list[tuple[int, Look]] = [
            (1, (self._used_up, fresh[0], None)),
            (2, (self._one_word, fresh[1], shortest)),
            (2, (self._last_place, fresh[2], None)),
            (3, (self._vowels, fresh[3], None)),
            (3, (self._in_common, fresh[4], shortest)),
        ]
        return [look for tier, look in every if tier <= top]

    # ---- reasons

    def _because(self, cells: Collection[int]) -> list[str]:
        """Why these cells have only the letters that are left to them."""
        found = []
        for cell in cells:
            if self.by[cell] and self.left[cell]:
                found.append(self.by[cell])
                continue
            column = self.table.columns[cell]
            found += [self.id_of[column]] if column in self.id_of else []
            found += [self.out[cell][letter] for letter in bits(self.first[cell] & ~self.left[cell])]
        return found

    def _for_words(self, run: int) -> list[str]:
        """Why the words that are left to a run are all: its columns, and a letter that is out for each other word of these."""
        cells = self.runs[run]
        found = [self.id_of[self.table.columns[cell]] for cell in cells if self.table.columns[cell] in self.id_of]
        chosen: dict[str, None] = {}
        left = [self.left[cell] for cell in cells]
        for word in self.base[run]:
            clashes = [
                self.out[cell][letter.bit_length() - 1]
                for cell, letter, mask in zip(cells, word, left, strict=True)
                if not letter & mask
            ]
            if clashes and not any(why in chosen for why in clashes):
                chosen[clashes[0]] = None
        return [*found, *chosen, WORD]

    # ---- techniques

    def _used_up(self, column: int) -> bool:
        """A cell with one letter left holds it, and letters of a column that all stand in known cells are no other cell's."""
        cells, text = self.cells_of[column], self.text[column]
        for cell in cells:
            mask = self.left[cell]
            if not mask:
                return self.note(NoLetter(column, cell), [self.id_of[column], *self._because([cell])])
            if not self.by[cell] and not mask & mask - 1:
                return self.note(OneLetter(column, cell), self._because([cell]), [(cell, mask.bit_length() - 1)])
        for letter in sorted(set(text)):
            holds = [cell for cell in cells if self.left[cell] == 1 << letter]
            others = [cell for cell in cells if cell not in holds and self.left[cell] >> letter & 1]
            if len(holds) > text.count(letter):
                return self.note(TooMany(column, letter, tuple(holds)), [self.id_of[column], *self._because(holds)])
            if others and len(holds) == text.count(letter):
                kept = {cell: self.left[cell] & ~(1 << letter) for cell in others}
                sets = [(cell, mask.bit_length() - 1) for cell, mask in kept.items() if not mask & mask - 1]
                drops = [(cell, letter) for cell in others if cell not in dict(sets)]
                why = [self.id_of[column], *self._because([*holds, *dict(sets)])]
                return self.note(UsedUp(column, letter, tuple(holds)), why, sets, drops)
        return False

    def _one_word(self, run: int) -> bool:
        """One word is left, or none."""
        words = self.words[run]
        if len(words) > 1:
            return False
        if not words:
            return self.note(NoWord(run, self._pattern(run)), self._for_words(run))
        sets = [
            (cell, letter.bit_length() - 1) for cell, letter in zip(self.runs[run], words[0], strict=True) if not self.by[cell]
        ]
        ways = prod([self.left[cell].bit_count() for cell in self.runs[run]])
        found = (OneWord if ways <= WAYS else OnlyWord)(run, self._spelt(words[0]), ways)
        return bool(sets) and self.note(found, self._for_words(run), sets)

    def _last_place(self, column: int) -> bool:
        """A letter has just as many cells as there are of it."""
        cells, text = self.cells_of[column], self.text[column]
        for letter in sorted(set(text)):
            can = [cell for cell in cells if self.left[cell] >> letter & 1]
            if len(can) > text.count(letter):
                continue
            without = [self.out[cell][letter] for cell in cells if cell not in can]
            uses = [self.id_of[column], *without]
            if len(can) < text.count(letter):
                return self.note(NoPlace(column, letter), uses)
            sets = [(cell, letter) for cell in can if not self.by[cell]]
            if sets:
                return self.note(LastPlace(column, letter, tuple(can)), uses, sets)
        return False

    def _vowels(self, which: int) -> bool:
        """The vowels of a row are all there, or all other letters are."""
        low, high, many = self.table.vowels[which]
        cells = range(low, high)
        sure = [cell for cell in cells if not self.left[cell] & ~_VOWELS]
        never = [cell for cell in cells if not self.left[cell] & _VOWELS]
        open_ = [cell for cell in cells if self.left[cell] & _VOWELS and self.left[cell] & ~_VOWELS]
        full, empty = len(sure) >= many, len(sure) + len(open_) <= many
        if not full and not empty:
            return False
        if len(sure) > many or len(sure) + len(open_) < many:
            return self.note(WrongVowels(low, len(sure), many, full), [VOWELS_RULE, *self._because(sure if full else never)])
        gone = _VOWELS if full else ~_VOWELS
        drops, sets = [], []
        for cell in open_:
            kept = self.left[cell] & ~gone
            if kept & kept - 1:
                drops += [(cell, letter) for letter in bits(self.left[cell] & gone & _ALL)]
            else:
                sets.append((cell, kept.bit_length() - 1))
        if not drops and not sets:
            return False
        why = self._because([*(sure if full else never), *[cell for cell, _ in sets]])
        return self.note(RowVowels(low, many, full), [VOWELS_RULE, *why], sets, drops)

    def _in_common(self, run: int) -> bool:
        """All words that are left agree in something."""
        words = self.words[run]
        if not 1 < len(words) <= FEW:
            return False
        sets, drops = [], []
        for place, cell in enumerate(self.runs[run]):
            there = union([word[place] for word in words])
            gone = self.left[cell] & ~there
            if not there & there - 1 and not self.by[cell]:
                sets.append((cell, there.bit_length() - 1))
            elif gone:
                drops += [(cell, letter) for letter in bits(gone)]
        if not sets and not drops:
            return False
        spelt = tuple([self._spelt(word) for word in words])
        return self.note((InCommon if len(words) <= NAMED else Shared)(run, spelt), self._for_words(run), sets, drops)

    def _spelt(self, word: Sequence[int]) -> str:
        return "".join([LETTERS[letter.bit_length() - 1] for letter in word])

    def _pattern(self, run: int) -> str:
        """The known letters of a run, with _ for the others."""
        return "".join(
            [LETTERS[self.left[cell].bit_length() - 1] if self.by[cell] and self.left[cell] else "_" for cell in self.runs[run]]
        )

    # ---- suppositions

    def instead(self, slot: int, value: int) -> Sequence[Fact]:
        others = [letter for letter in bits(self.left[slot]) if letter != value]
        return [(slot, others[0])] if len(others) == 1 else ()

    def tries(self, answer: Slots | None) -> list[int]:
        """Letters of cells with few left, in words with few left."""
        found = []
        for cell, mask in enumerate(self.left):
            if not self.by[cell]:
                rank = (mask.bit_count(), len(self.words[self.run_of[cell]]), cell)
                found += [(rank, letter) for letter in bits(mask) if answer is None or answer[cell] != letter]
        return [rank[2] * 26 + letter for rank, letter in sorted(found)]

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int]:
        self.probes[0] += 1
        return self.refutation(literal, ahead) or ()

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        kept = self.left[slot] & ~(1 << value)
        sets = [] if kept & kept - 1 or not kept else [(slot, kept.bit_length() - 1)]
        why = self._because([slot]) if not kept & kept - 1 else []
        return self.note(ahead.technique(slot, value), [*uses, *why], sets, [] if sets else [(slot, value)], within)
