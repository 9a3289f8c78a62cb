"""Crosswords: clues that one word carries, crossings that leave one word of a few, words that are taken, and words supposed.

Slots are the cells of a FillTable; slot cells + e says which word of its free list entry e holds, by its place. Steps set cells
and such slots, and rule out words of entries. Needs of Words: voice, ids, cell, value, unit (the label of an entry).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from puzzlemill.core.model import Fact, FillTable, Slots, Step
from puzzlemill.core.words import Words, listed, pick
from puzzlemill.solvers.deduce.steps import Contradiction, Found, needed, ordered, sentence, story

MEDIUM, HARD = 2, 3
_MANY, _WIDE = 4, 7  # words of which letters leave one
TECHNIQUES = {
    "clue_alone": 1,
    "known_letters": 1,
    "no_word": 1,
    "many_words": 2,
    "taken": 2,
    "wide_clue": 3,
    "crossing": 3,
    "no_letter": 3,
    "supposed_word": 4,
    "search": 5,
}
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
    *("thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "last"),
)
_NAMED = 6  # words or letters that a sentence names
_SUPPOSED = 400  # words that are supposed in all


def deduce(table: FillTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps to the answer, or to a contradiction; see the package."""
    board = _Board(table, ids)
    try:
        board.run()
        while board.open() and board.suppose(answer):
            board.run()
        if board.open() or answer is None:
            board.search(answer)
    except Contradiction:
        if answer is not None:
            raise AssertionError("a contradiction in a crossword that has a fill") from None
        return ordered(needed(board.steps, "#", [len(board.steps) - 1]), board.labels)
    ends = [i for i, step in enumerate(board.steps) if any(slot < table.cells for slot, _ in step.sets)]
    return ordered(needed(board.steps, "#", ends), board.labels)


def explain(words: Words, table: FillTable, step: Step) -> str:
    """The step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step, "So there is no answer.")


class _Board:
    """words: of each entry, the places of those that may still stand there. why: the clue, and steps that ruled out others."""

    def __init__(self, table: FillTable, ids: Sequence[str]) -> None:
        self.table, self.ids, self.mark = table, ids, "#"
        self.labels = [*ids, *table.further, "list", "different"]
        self.steps: list[Step] = []
        clue = dict(zip(table.of, ids, strict=True))
        self.ruled = len(table.entries) - len(table.further)  # from here on a rule states what an entry may hold
        clue |= dict(enumerate(table.further, self.ruled))
        self.base = [clue.get(e, "list") for e in range(len(table.entries))]
        self.words = []
        for own, free in zip(table.lists, table.free, strict=True):
            place = {word: n for n, word in enumerate(free)}
            self.words.append([place[word] for word in own])
        self.why: list[list[str]] = [[base] for base in self.base]
        self.letter = {cell: (value, clue[-1 - cell]) for cell, value in table.letters}  # and what it follows from
        self.owners: dict[int, list[tuple[int, int]]] = {}
        for e, cells in enumerate(table.entries):
            for p, cell in enumerate(cells):
                self.owners.setdefault(cell, []).append((e, p))
        self.done = [False] * len(table.entries)
        self.probes = 0

    def open(self) -> bool:
        return len(self.letter) < self.table.cells

    def text(self, e: int, word: int) -> str:
        return self.table.free[e][word]

    # ---- steps

    def note(
        self,
        found: Found[_Say],
        uses: Sequence[str],
        sets: Sequence[Fact] = (),
        drops: Sequence[Fact] = (),
        within: tuple[Step, ...] = (),
    ) -> None:
        self.steps.append(Step(found.technique, tuple(dict.fromkeys(uses)), tuple(sets), tuple(drops), within, found))
        label = f"{self.mark}{len(self.steps)}"
        if not sets and not drops:
            raise Contradiction
        for slot, value in sets:
            if slot < self.table.cells:
                self.letter.setdefault(slot, (value, label))
            else:
                self.words[slot - self.table.cells] = [value]
                self.why[slot - self.table.cells] = [label]
                self.done[slot - self.table.cells] = True
        for slot, value in drops:
            e = slot - self.table.cells
            self.words[e] = [word for word in self.words[e] if word != value]
            if label not in self.why[e]:
                self.why[e].append(label)

    def settle(self, found: Found[_Say], uses: Sequence[str], e: int, word: int) -> None:
        """Note that an entry holds a word."""
        cells = self.table.entries[e]
        letters = [
            (cell, ord(sign) - 65) for cell, sign in zip(cells, self.text(e, word), strict=True) if cell not in self.letter
        ]
        self.note(found, uses, [*letters, (self.table.cells + e, word)])

    def known(self, e: int) -> tuple[tuple[int, int], ...]:
        """Places of an entry and their letters, as far as cells are known."""
        return tuple([(p, self.letter[cell][0]) for p, cell in enumerate(self.table.entries[e]) if cell in self.letter])

    def fitting(self, e: int) -> list[int]:
        """The words that may still stand there and have the letters that are known."""
        known = self.known(e)
        return [word for word in self.words[e] if all(ord(self.text(e, word)[p]) - 65 == value for p, value in known)]

    def because(self, e: int) -> list[str]:
        """Labels that leave an entry the words of fitting()."""
        uses = list(self.why[e])
        for p, value in self.known(e):
            if any(ord(self.text(e, word)[p]) - 65 != value for word in self.words[e]):
                uses.append(self.letter[self.table.entries[e][p]][1])
        return uses

    # ---- techniques, the easiest first

    def run(self) -> None:
        while self._alone() or self._taken() or self._crossings():
            pass

    def _alone(self) -> bool:
        """Entries of which one word is left, or none; first those whose clue alone says so."""
        todo = [e for e, done in enumerate(self.done) if not done]
        for e in todo:
            if len(self.words[e]) == 1 and len(self.why[e]) == 1 and self._fits(e):
                self.settle(ClueAlone(e, self.words[e][0]), self.why[e], e, self.words[e][0])
                return True
        for e in todo:
            fits = self.fitting(e)
            if len(fits) < 2:
                many = len(self.words[e])
                kind = NoWord if not fits else WideClue if many >= _WIDE else ManyWords if many >= _MANY else KnownLetters
                found = kind(e, tuple(self.words[e]), self.known(e))
                if fits:
                    self.settle(found, self.because(e), e, fits[0])
                else:
                    self.note(found, self.because(e))
                return True
        return False

    def _fits(self, e: int) -> bool:
        return len(self.fitting(e)) == 1

    def _taken(self) -> bool:
        """A word that stands elsewhere."""
        for e, done in enumerate(self.done[: self.ruled]):
            if not done:
                fits = self.fitting(e)
                for other, there in enumerate(self.done[: self.ruled]):
                    if there and len(self.table.entries[other]) == len(self.table.entries[e]):
                        word = self.text(other, self.words[other][0])
                        mine = next((each for each in fits if self.text(e, each) == word), None)
                        if mine is not None:
                            self.note(Taken(e, other, mine), [*self.why[other], "different"], (), [(self.table.cells + e, mine)])
                            return True
        return False

    def _crossings(self) -> bool:
        """Words that have a letter which no word of a crossing entry has there; the one that leaves the fewest comes first."""
        best: tuple[int, int, int, int, list[int], list[int]] | None = None
        fits = [self.fitting(e) for e in range(len(self.done))]
        for cell, owners in self.owners.items():
            if cell in self.letter:
                continue
            for (e, p), (other, q) in permutations(owners, 2):
                allowed = {self.text(other, word)[q] for word in fits[other]}
                out = [word for word in fits[e] if self.text(e, word)[p] not in allowed]
                left = len(fits[e]) - len(out)
                if out and (best is None or (left, len(allowed)) < best[:2]):
                    best = left, len(allowed), e, other, out, [p, q]
        if best is None:
            return False
        left, _, e, other, out, (p, q) = best
        uses = self.because(other)
        letters = tuple(sorted({self.text(other, word)[q] for word in fits[other]}))
        if not left:
            mine = tuple(sorted({self.text(e, word)[p] for word in fits[e]}))
            self.note(NoLetter(e, other, (p, q), mine, letters), [*uses, *self.because(e)])
        self.note(Crossing(e, other, (p, q), letters, tuple(out)), uses, (), [(self.table.cells + e, word) for word in out])
        return True

    # ---- suppositions

    def suppose(self, answer: Slots | None) -> bool:
        """Rule out a word that ends in a contradiction."""
        todo = sorted([(len(self.fitting(e)), e) for e, done in enumerate(self.done) if not done])
        for _, e in todo:
            for word in self.fitting(e):
                text = self.text(e, word)
                if answer is not None and all(
                    answer[c] == ord(sign) - 65 for c, sign in zip(self.table.entries[e], text, strict=True)
                ):
                    continue
                self.probes += 1
                if self.probes > _SUPPOSED:
                    return False
                tale = self._tried(e, word)
                if tale is not None:
                    uses, within = tale
                    self.note(SupposedWord(e, word), uses, (), [(self.table.cells + e, word)], tuple(within))
                    return True
        return False

    def _tried(self, e: int, word: int) -> tuple[list[str], list[Step]] | None:
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.mark, other.steps = "?", []
        other.words, other.why = [list(same) for same in self.words], [list(why) for why in self.why]
        other.letter, other.done = dict(self.letter), list(self.done)
        for cell, sign in zip(self.table.entries[e], self.text(e, word), strict=True):
            other.letter.setdefault(cell, (ord(sign) - 65, "?0"))
        other.words[e], other.why[e], other.done[e] = [word], ["?0"], True
        try:
            other.run()
        except Contradiction:
            return story(other.steps, "?")
        return None

    def search(self, answer: Slots | None) -> None:
        """All clues and rules together."""
        rest = [] if answer is None else [(cell, answer[cell]) for cell in range(self.table.cells) if cell not in self.letter]
        self.note(Searched(), self.labels, rest)


# ---- words -----------------------------------------------------------------------------------------------------------------


class _Say:
    def __init__(self, words: Words, table: FillTable) -> None:
        self.table, self.voice, self.unit, self.ids = table, words.voice, words.unit, set(words.ids)

    def word(self, e: int, word: int) -> str:
        return self.table.free[e][word]

    def some(self, e: int, words: Sequence[int], last: str = "and") -> str:
        """ "ROOT, STEM and LEAF"; of many the first ones and how many more there are."""
        return _few([self.word(e, word) for word in words], last)

    def place(self, e: int, p: int) -> str:
        """ "the third letter"."""
        return f"the {_ORDINALS[p]} letter"

    def fits(self, e: int, words: Sequence[int]) -> str:
        """The words that an entry's clue, or what is known of it, leaves."""
        return f"{self.unit(e)} is {self.some(e, words, 'or')}"

    def pattern(self, e: int, known: Sequence[tuple[int, int]]) -> str:
        """ "R__T"."""
        signs = ["_"] * len(self.table.entries[e])
        for p, value in known:
            signs[p] = chr(65 + value)
        return "".join(signs)


def _few(texts: Sequence[str], last: str = "and") -> str:
    if len(texts) <= _NAMED:
        return listed(list(texts), last)
    return listed([*texts[: _NAMED - 1], f"{len(texts) - _NAMED + 1} more"], last)


class ClueAlone(Found[_Say]):
    """One word of the list carries the clue."""

    e: int
    word: int

    def says(self, say: _Say, step: Step) -> str:
        word, unit = say.word(self.e, self.word), say.unit(self.e)
        if "list" in step.uses:
            return f"only one word of the list can stand in {unit}: {word}"
        return pick(
            say.voice,
            f"the clue of {unit} fits one word of the list only, so {unit} is {word}",
            f"{unit} is {word}, the only word of the list that fits the clue",
            f"of all words in the list {word} alone fits the clue of {unit}",
        )


class KnownLetters(Found[_Say]):
    """The letters that are known leave one of the words."""

    e: int
    words: tuple[int, ...]
    known: tuple[tuple[int, int], ...]

    def says(self, say: _Say, step: Step) -> str:
        unit, (word,) = say.unit(self.e), [value for slot, value in step.sets if slot >= say.table.cells]
        if len(self.words) == 1:
            return f"for {unit} {say.word(self.e, word)} is all that is left"
        return pick(
            say.voice,
            f"{unit} can be {say.some(self.e, self.words, 'or')}, and with the letters {say.pattern(self.e, self.known)} "
            f"only {say.word(self.e, word)} is left",
            f"crossings give {unit} the letters {say.pattern(self.e, self.known)}; of {say.some(self.e, self.words)} "
            f"only {say.word(self.e, word)} has them",
        )


class ManyWords(KnownLetters):
    """The same where there are many of them."""


class WideClue(KnownLetters):
    """The same where the clue says little."""


class NoWord(Found[_Say]):
    """None of the words has the letters that are known."""

    e: int
    words: tuple[int, ...]
    known: tuple[tuple[int, int], ...]

    def says(self, say: _Say, step: Step) -> str:
        unit, pattern = say.unit(self.e), say.pattern(self.e, self.known)
        if not self.words:
            return f"no word is left for {unit}"
        return f"{unit} can only be {say.some(self.e, self.words, 'or')}, which does not go with the letters {pattern}"


class Crossing(Found[_Say]):
    """A crossing entry has certain letters only where the two share a cell."""

    e: int
    other: int
    places: tuple[int, int]
    letters: tuple[str, ...]
    out: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        (p, q), unit, crossing = self.places, say.unit(self.e), say.unit(self.other)
        letters, out = _few(self.letters, "or"), say.some(self.e, self.out, "or")
        return pick(
            say.voice,
            f"{say.place(self.other, q)} of {crossing} can only be {letters}, and it is {say.place(self.e, p)} of {unit}, "
            f"so {unit} is not {out}",
            f"{unit} crosses {crossing}, whose {_ORDINALS[q]} letter can only be {letters}; so {unit} is not {out}",
        )


class NoLetter(Found[_Say]):
    """Two entries that cross have no letter in common there."""

    e: int
    other: int
    places: tuple[int, int]
    mine: tuple[str, ...]
    letters: tuple[str, ...]

    def says(self, say: _Say, step: Step) -> str:
        p, q = self.places
        return (
            f"{say.place(self.e, p)} of {say.unit(self.e)} can only be {_few(self.mine, 'or')}, but it is "
            f"{say.place(self.other, q)} of {say.unit(self.other)}, which can only be {_few(self.letters, 'or')}"
        )


class Taken(Found[_Say]):
    """The word stands elsewhere in the grid."""

    e: int
    other: int
    word: int

    def says(self, say: _Say, step: Step) -> str:
        return f"{say.word(self.e, self.word)} stands at {say.unit(self.other)} already, so {say.unit(self.e)} is another word"


class SupposedWord(Found[_Say]):
    """Supposing that an entry holds this word ends in a contradiction."""

    e: int
    word: int

    def says(self, say: _Say, step: Step) -> str:
        unit, word = say.unit(self.e), say.word(self.e, self.word)
        tale = "; ".join([each.found.says(say, each) for each in step.within])
        return f"suppose {unit} were {word}: then {tale}, which cannot be, so {unit} is not {word}"


class Searched(Found[_Say], technique="search"):
    """Nothing else leads on."""

    def says(self, say: _Say, step: Step) -> str:
        stuck = "none of the usual techniques leads on"
        if not step.sets:
            return f"{stuck}, and going through all words shows that there is no fill"
        return f"{stuck}; going through all words that fit leaves one fill only"
