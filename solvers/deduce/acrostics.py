"""Acrostics: clues that one word fits, words of the quotation that can be read, first letters, and what they leave of each other.

Slots are the quotation's cells (AcrosticTable). Scopes are what stands in several cells at once: a clued word (labelled by its
clue), a word of the quotation ("word 3") and the line of first letters ("author"); each is one of some texts. Known letters sieve
the texts of a scope; then the letters that crossing scopes allow do; then one text after another is supposed. Needs of Words:
cell, value, clue (the text of a clue by its position), shows (a line by its position), ids, voice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from puzzlemill.core.model import AcrosticTable, Slots, Step
from puzzlemill.core.words import Words, listed, pick
from puzzlemill.solvers.deduce.steps import Contradiction, Found, Search, sentence
from puzzlemill.solvers.kernels.acrostics import Sieve

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CLUE, LINE, WORD = range(3)
AUTHOR = "author"
_TOLD = 8  # texts of a scope that a sentence lists
_CROSSED = 400  # texts of a scope that are laid beside what crosses it
_SUPPOSED = 6  # texts of a clue that are supposed


class Scope(NamedTuple):
    """kind: CLUE, LINE or WORD. at: the position of its clue, or the number of the word of the quotation, from 1."""

    kind: int
    label: str
    at: int
    cells: tuple[int, ...]


def deduce(table: AcrosticTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps to the quotation, or to a contradiction."""
    board = _Board(table, ids)
    with suppress(Contradiction):
        board.run(answer)
    return board.steps


class _Board:
    def __init__(self, table: AcrosticTable, ids: Sequence[str]) -> None:
        self.table, self.sieve = table, Sieve(table)
        self.scopes = scopes(table, ids)
        self.ids = ids
        self.known: dict[int, int] = {}  # letters
        self.by: dict[int, int] = {}  # the step that set a cell
        self.domains = [(1 << 26) - 1] * table.cells
        self.steps: list[Step] = []

    # ---- notes

    def note(self, found: Found[Any], labels: Collection[str], rests: Collection[int], sets: Sequence[tuple[int, int]]) -> None:
        """One step more. rests: the cells whose letters it uses."""
        uses = (*labels, *[f"#{number}" for number in sorted({self.by[cell] for cell in rests})])
        self.steps.append(Step(found.technique, uses, tuple(sets), found=found))
        for cell, letter in sets:
            self.known[cell], self.by[cell] = letter, len(self.steps)
            self.domains[cell] = 1 << letter
        if not sets:
            raise Contradiction

    def left(self, number: int, domains: Sequence[int] | None = None) -> list[str]:
        """The texts of a scope that the known letters allow."""
        return self.sieve.texts(number, self.domains if domains is None else domains)

    def open(self, scope: Scope) -> list[tuple[int, int]]:
        """Places of a scope that are not known, with their cells."""
        return [(place, cell) for place, cell in enumerate(scope.cells) if cell not in self.known]

    def read(
        self, number: int, scope: Scope, text: str, found: Found[_Say], labels: Collection[str], rests: Collection[int]
    ) -> None:
        self.note(found, labels, rests, [(cell, LETTERS.index(text[place])) for place, cell in self.open(scope)])

    def needed(self, number: int, scope: Scope, left: Collection[str]) -> list[int]:
        """Cells of a scope whose letters are enough to leave only these texts."""
        kept = [cell for cell in scope.cells if cell in self.known]
        for cell in list(kept):
            fewer = [other for other in kept if other != cell]
            domains = [self.domains[c] if c in fewer else (1 << 26) - 1 for c in range(self.table.cells)]
            if len(self.left(number, domains)) == len(left):
                kept = fewer
        return kept

    # ---- the techniques, the easiest first

    def run(self, answer: Slots | None) -> None:
        shown = [(clue[0] - len(self.table.entries), clue[1]) for clue in self.table.clues if clue[0] >= len(self.table.entries)]
        if shown:
            labels = [label for label, clue in zip(self.ids, self.table.clues, strict=True) if clue[0] >= len(self.table.entries)]
            self.note(Shown(), labels, (), shown)
        while len(self.known) < self.table.cells:
            if not (self.read_off() or self.in_common() or self.crossed() or self.refuted()):
                self.search(answer)
        for number, scope in enumerate(self.scopes):  # every cell is known, and what is left to look at is right or clashes
            if not self.left(number):
                self.none(number, scope)

    def none(self, number: int, scope: Scope) -> None:
        self.note(NoWord(scope.label), (scope.label,), self.needed(number, scope, ()), ())

    def read_off(self) -> bool:
        """A scope of which one text is left by the letters that are known, clues first."""
        for number, scope in enumerate(self.scopes):
            if not self.open(scope):
                continue
            left = self.left(number)
            if not left:
                self.none(number, scope)
            if len(left) == 1:
                rests = self.needed(number, scope, left)
                found = (
                    (ClueWord, FirstLetters, ReadWord)[scope.kind](scope.label, left[0])
                    if rests
                    else OneWord(scope.label, left[0])
                )
                self.read(number, scope, left[0], found, (scope.label,), rests)
                return True
        return False

    def in_common(self) -> bool:
        """A letter that all texts of a scope have in a place."""
        for number, scope in enumerate(self.scopes):
            left = self.left(number)
            same = [(cell, LETTERS.index(left[0][p])) for p, cell in self.open(scope) if len({text[p] for text in left}) == 1]
            if same:
                rests = [cell for cell in scope.cells if cell in self.known]
                self.note(SameLetter(scope.label, tuple(same), tuple(left[:_TOLD]), len(left)), (scope.label,), rests, same)
                return True
        return False

    def crossed(self) -> bool:
        """A scope of which one text is left, or some texts with a letter in common, by what crosses it."""
        every = [self.left(number) for number in range(len(self.scopes))]
        for number, scope in enumerate(self.scopes):
            places = self.open(scope)
            if not places or len(every[number]) > _CROSSED:
                continue
            kept: list[str] = []
            labels: dict[str, None] = {}
            rests = {cell for cell in scope.cells if cell in self.known}
            blamed: list[tuple[str, int, str]] = []
            for text in every[number]:
                against = self.against(number, text, places, every)
                if against is None:
                    kept.append(text)
                    continue
                other, cell = against
                labels[self.scopes[other].label] = None
                rests |= {c for c in self.scopes[other].cells if c in self.known}
                blamed.append((text, cell, self.scopes[other].label))
            if not blamed:
                continue
            same = [(cell, LETTERS.index(kept[0][p])) for p, cell in places if kept and len({text[p] for text in kept}) == 1]
            if same or not kept:
                self.note(
                    Crossed(scope.label, tuple(kept[:_TOLD]), tuple(blamed), len(kept)), (scope.label, *labels), rests, same
                )
                return True
        return False

    def against(
        self, number: int, text: str, places: Sequence[tuple[int, int]], every: Sequence[Sequence[str]]
    ) -> tuple[int, int] | None:
        """A scope that no text of which has this text's letter in the cell that both have, and this cell."""
        for place, cell in places:
            for other in self.sieve.through[cell]:
                if other != number:
                    at = self.scopes[other].cells.index(cell)
                    if all(each[at] != text[place] for each in every[other]):
                        return other, cell
        return None

    def refuted(self) -> bool:
        """A clue whose words, all but one, lead to a contradiction when they are supposed."""
        tried = []
        for number, scope in enumerate(self.scopes):
            left = self.left(number)
            if scope.kind == CLUE and self.open(scope) and len(left) <= _SUPPOSED:
                tried.append((len(left), number, left))
        for _, number, left in sorted(tried):
            scope = self.scopes[number]
            fine = [text for text in left if not self.clashes(number, text, range(len(self.scopes)))]
            if len(fine) < 2 and len(fine) < len(left):
                wrong = [text for text in left if text not in fine]
                scopes = sorted({other for text in wrong for other in self.blamed(number, text)} - {number})
                labels = [self.scopes[other].label for other in scopes]
                rests = {cell for other in (number, *scopes) for cell in self.scopes[other].cells if cell in self.known}
                found = Supposed(scope.label, tuple(wrong), fine[0] if fine else "", tuple(labels))
                if fine:
                    self.read(number, scope, fine[0], found, (scope.label, *labels), rests)
                else:
                    self.note(found, (scope.label, *labels), rests, ())
                return True
        return False

    def clashes(self, number: int, text: str, work: Sequence[int]) -> bool:
        """Return whether this text of a scope leaves no text of some other, one after the other among these."""
        domains = list(self.domains)
        for cell, sign in zip(self.scopes[number].cells, text, strict=True):
            domains[cell] = 1 << LETTERS.index(sign)
        return not self.sieve.settle(domains, work, frozenset(work))

    def blamed(self, number: int, text: str) -> list[int]:
        """Scopes that are enough for the contradiction, none of which can be left out."""
        kept = list(range(len(self.scopes)))
        step = len(kept) // 2
        while step:
            for start in range(len(kept) - step, -1, -step):
                fewer = kept[:start] + kept[start + step :]
                if self.clashes(number, text, fewer):
                    kept = fewer
            step //= 2
        return kept

    def search(self, answer: Slots | None) -> None:
        labels = [*self.ids, *[scope.label for scope in self.scopes if scope.kind != CLUE]]
        sets = [] if answer is None else [(cell, letter) for cell, letter in enumerate(answer) if cell not in self.known]
        self.note(Search(), labels, (), sets)


def scopes(table: AcrosticTable, ids: Sequence[str]) -> list[Scope]:
    """The scopes in the order in which the kernel has them."""
    many = len(table.entries)
    found = [
        Scope(CLUE, label, at, table.entries[clue[0]])
        for at, (label, clue) in enumerate(zip(ids, table.clues, strict=True))
        if clue[0] < many
    ]
    if table.lines:
        found.append(Scope(LINE, AUTHOR, 0, tuple([entry[0] for entry in table.entries])))
    return found + [Scope(WORD, f"word {number}", number, cells) for number, cells in enumerate(table.words, 1)]


# ---- in words -------------------------------------------------------------------------------------------------------------


class _Say:
    def __init__(self, words: Words, table: AcrosticTable) -> None:
        self.words, self.voice, self.table = words, words.voice, table
        self.scopes = {scope.label: scope for scope in scopes(table, words.ids)}

    def named(self, label: str) -> str:
        """A scope as the subject of a sentence."""
        scope = self.scopes[label]
        if scope.kind == CLUE:
            return f'{label}, "{self.words.clue(scope.at)}",'
        return f"word {scope.at} of the quotation" if scope.kind == WORD else "the line of first letters"

    def short(self, label: str) -> str:
        """A scope, named once more."""
        return label if self.scopes[label].kind == CLUE else self.named(label)

    def texts(self, label: str, texts: Sequence[str], last: str = "or") -> str:
        """Some texts of a scope; lines as they are printed."""
        if self.scopes[label].kind == LINE:
            texts = [f'"{self.words.shows(self.table.lines.index(text))}"' for text in texts]
        return listed(list(texts), last)

    def into(self, label: str) -> str:
        """The cells of a scope."""
        return " ".join([self.words.cell(cell) for cell in self.scopes[label].cells])

    def pattern(self, label: str, text: str, step: Step) -> str:
        """The text of a scope as it was before the step."""
        new = {cell for cell, _ in step.sets}
        return "".join(["?" if cell in new else sign for cell, sign in zip(self.scopes[label].cells, text, strict=True)])

    def letters(self, facts: Sequence[tuple[int, int]]) -> str:
        return listed([f"{self.words.value(letter)} in cell {self.words.cell(cell)}" for cell, letter in facts])

    def all_texts(self, label: str) -> Sequence[str]:
        """Carriers of a clue, or the lines."""
        scope = self.scopes[label]
        return self.table.clues[scope.at][1] if scope.kind == CLUE else self.table.lines


class Shown(Found[_Say]):
    """Letters that the puzzle shows."""

    def says(self, say: _Say, step: Step) -> str:
        return f"the puzzle shows {say.letters(step.sets)}"


class OneWord(Found[_Say]):
    """A clue that is true of one word of that length, or the only line."""

    label: str
    text: str

    def says(self, say: _Say, step: Step) -> str:
        text = say.texts(self.label, (self.text,))
        if say.scopes[self.label].kind == LINE:
            return f"the first letters spell {text}, which is {say.letters(step.sets)}"
        if say.scopes[self.label].kind == WORD:
            return f"{say.named(self.label)} can only be {text}"
        return pick(
            say.voice + step.sets[0][0],
            f"{say.named(self.label)} can only be {text}; its letters go to cells {say.into(self.label)}",
            f"the one word for {say.named(self.label)} is {text}, for cells {say.into(self.label)}",
            f"{say.named(self.label)} is {text}, since no other word of that length fits, for cells {say.into(self.label)}",
        )


class ClueWord(OneWord):
    """A clue of whose words one has the letters that are known."""

    def says(self, say: _Say, step: Step) -> str:
        every, read = say.all_texts(self.label), say.pattern(self.label, self.text, step)
        if len(every) == 1:
            return f"{say.named(self.label)} can only be {self.text}; of its letters {read} was known"
        among = f"may be {listed(list(every[:_TOLD]), 'or')}{' or another word' * (len(every) > _TOLD)}"
        return pick(
            say.voice + step.sets[0][0],
            f"{say.named(self.label)} {among}; its known letters are {read}, so it is {self.text}",
            f"{say.named(self.label)} {among}. With {read} in its cells, only {self.text} is left",
        )


class ReadWord(OneWord):
    """A word of the quotation of which enough is known."""

    def says(self, say: _Say, step: Step) -> str:
        read = say.pattern(self.label, self.text, step)
        return pick(
            say.voice + step.sets[0][0],
            f"{say.named(self.label)} reads {read}, and the only word of the list like that is {self.text}",
            f"of {say.named(self.label)} the letters {read} are known; in the list only {self.text} fits",
            f"{say.named(self.label)}, {read}, must be {self.text}: the list has no other word that fits",
        )


class FirstLetters(OneWord):
    """The line that begins to show."""

    def says(self, say: _Say, step: Step) -> str:
        read = say.pattern(self.label, self.text, step)
        line = say.texts(self.label, (self.text,))
        return f"the first letters known so far are {read}; of the lines, only {line} agrees with them"


class SameLetter(Found[_Say]):
    """What all texts that are left have in common."""

    label: str
    facts: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    count: int

    def says(self, say: _Say, step: Step) -> str:
        shared = say.letters(self.facts)
        if self.count > len(self.texts):
            return f"{say.named(self.label)} can be one of {self.count} words with the known letters, and all have {shared}"
        which = "both" if self.count == 2 else "all"
        return f"{say.named(self.label)} can be {say.texts(self.label, self.texts)}, and {which} have {shared}"


class Crossed(Found[_Say]):
    """Texts that are left once those are gone that have a letter which something else does not allow in its cell."""

    label: str
    kept: tuple[str, ...]
    blamed: tuple[tuple[str, int, str], ...]
    count: int

    def says(self, say: _Say, step: Step) -> str:
        scope = say.scopes[self.label]
        reasons = []
        for text, cell, other in self.blamed[:_TOLD]:
            put = f"{say.texts(self.label, (text,))} would put {text[scope.cells.index(cell)]} into cell {say.words.cell(cell)}"
            reasons.append(f"{put}, which {self._other(say, other)} rules out")
        if len(self.blamed) > _TOLD:
            cells = sorted({cell for _, cell, _ in self.blamed})
            others = list(dict.fromkeys([say.short(other) for _, _, other in self.blamed]))
            where = " ".join(map(say.words.cell, cells))
            reasons = [f"the letters that {listed(others)} allow in cells {where} rule out {len(self.blamed)} words"]
        end = f"so there is no word for {say.short(self.label)}"
        if self.count == 1:
            end = f"so it is {say.texts(self.label, self.kept)}"
        elif self.count:
            end = f"what is left has {say.letters(step.sets)}"
        return f"{say.named(self.label)} is looked at with what crosses it: {'; '.join(reasons)}; {end}"

    def _other(self, say: _Say, label: str) -> str:
        return f'clue {label}, "{say.words.clue(say.scopes[label].at)}",' if say.scopes[label].kind == CLUE else say.named(label)


class Supposed(Found[_Say]):
    """Words of a clue that lead to a contradiction with some other clues and words."""

    label: str
    wrong: tuple[str, ...]
    right: str
    labels: tuple[str, ...]

    def says(self, say: _Say, step: Step) -> str:
        others = listed([say.short(label) for label in self.labels])
        wrong = listed(list(self.wrong), "or")
        end = f"so it is {self.right}" if self.right else "and no other word is left"
        return (
            f"suppose {say.named(self.label)} were {wrong}: then what is left for {others} would run out, letter by letter; {end}"
        )


class NoWord(Found[_Say]):
    """Nothing fits the letters that are known."""

    label: str

    def says(self, say: _Say, step: Step) -> str:
        scope = say.scopes[self.label]
        if scope.kind == LINE:
            return "none of the lines agrees with the first letters that are known"
        if scope.kind == CLUE:
            every = listed(list(say.all_texts(self.label)[:_TOLD]), "or")
            cells = say.into(self.label)
            return f"{say.named(self.label)} can only be {every}, which does not go with the letters known in cells {cells}"
        return f"no word of the list has the letters known of {say.named(self.label)} (cells {say.into(self.label)})"


TECHNIQUES = {
    Shown.technique: 1,
    OneWord.technique: 1,
    NoWord.technique: 2,
    ClueWord.technique: 2,
    FirstLetters.technique: 2,
    ReadWord.technique: 3,
    SameLetter.technique: 4,
    Crossed.technique: 4,
    Supposed.technique: 5,
    Search.technique: 6,
}
MEDIUM, HARD = 3, 4


def explain(words: Words, table: AcrosticTable, step: Step) -> str:
    """The step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)
