"""Wrong answers, and reasonings with a planted error, made of a row itself: no model is asked, and what is wrong is proved wrong.

A wrong answer is one that the plain checker refuses: another option, what a careless solver gets, or the right answer with two
of its entries exchanged. A wrong reasoning is the row's trace in which, from some step on, two values of the same sort are
mistaken for each other: the step where it begins gives a place a value that the one answer does not have there, and all that
follows, down to the answer, goes along with it. It differs from the sound one in these words alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from puzzlemill.core.clues import Givens
from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.core.types import Ask, Column, QuestionKind, Rows, Status
from puzzlemill.factory.reasoning import LONGEST
from puzzlemill.questions import asked
from puzzlemill.questions.asks import layout_of, write
from puzzlemill.questions.choice import LETTERS, is_special
from puzzlemill.scoring.prompt import spelled
from puzzlemill.scoring.score import Prepared, score
from puzzlemill.solvers.deduce.steps import UNTOLD

_TRIES = 24
_NUMBERS = 50  # of more tokens than these, one nearby is a likelier slip than any other
_VOWELS = "aeiouAEIOU"
_NUMBERED = ("row", "rows", "column", "columns", "box", "boxes", "zone", "clue", "clues", "step", "steps", "cage", "line")
_LIST = re.compile(r"\b\d+(?:, \d+)*,? (?:and|or) \d+\b|\b\d+(?:, \d+)+\b", re.ASCII)
Row = Mapping[str, Any]
_Entry = tuple[int, int]  # row and column of an answer


@dataclass(frozen=True, slots=True)
class Flaw:
    """A reasoning with an error. steps: its texts. why: what is wrong in the first wrong one. rows: its wrong answer."""

    steps: tuple[str, ...]
    why: str
    rows: Rows


def gold_rows(case: Prepared) -> Rows:
    """The right reply."""
    return write(case.family, case.puzzle, case.gold)


def worth(rows: Rows, row: Row, case: Prepared) -> str:
    """What the scorer says of these rows as a reply (Verdict.why)."""
    return score(spelled(rows, layout_of(case.family, case.puzzle), row["reply_format"], case.doubt), row).why


# ---- wrong answers -------------------------------------------------------------------------------------------------------


def wrong_rows(row: Row, case: Prepared, rng: Rng) -> Rows | None:
    """An answer of the right form that breaks a rule; None if a few tries find none."""
    gold = gold_rows(case)
    for rows in islice(_slips(gold, case, rng), _TRIES):
        if rows != gold and worth(rows, row, case) == "wrong":
            return rows
    return None


def _slips(gold: Rows, case: Prepared, rng: Rng) -> Iterator[Rows]:
    """Other answers, without end or until there are no more."""
    puzzle, columns = case.puzzle, layout_of(case.family, case.puzzle).columns
    if puzzle.question.kind is QuestionKind.CHOICE:
        values: Sequence[str] = rng.shuffled(columns[0].tokens)
        if puzzle.question.ask is Ask.VALUE:
            values = [*_careless(case, rng), *values[:_TRIES]]
        yield from [((value,),) for value in values]
        return
    if _is_value(case):
        yield from [((value,),) for value in _careless(case, rng)]
    entries = [(r, c) for r, line in enumerate(gold) for c in range(len(line))]
    if puzzle.question.ask is Ask.WHOLE:
        entries = list(_open_entries(case).values()) or entries
    while entries:
        r, c = rng.pick(entries)
        rows = [list(line) for line in gold]
        others = [(s, d) for s, d in entries if gold[s][d] != gold[r][c] and columns[d].tokens == columns[c].tokens]
        if others:
            s, d = rng.pick(others)
            rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
        else:
            rows[r][c] = _near(gold[r][c], columns[c], rng)
        yield tuple([tuple(line) for line in rows])


def _open_entries(case: Prepared) -> dict[int, _Entry]:
    """The entry of each slot that the puzzle does not show; {} where answers are written otherwise."""
    try:
        return {slot: case.family.form.entry_of(case.puzzle, slot) for slot in case.open_slots}
    except TypeError:
        return {}


def _is_value(case: Prepared) -> bool:
    """Return whether the whole answer is the value that options are drawn from."""
    family, puzzle = case.family, case.puzzle
    if QuestionKind.CHOICE not in family.questions:
        return False
    answer = asked(puzzle).shown(case.gold)
    rows = family.form.write(puzzle, answer)
    if [len(row) for row in rows] != [1]:
        return False  # a row that asks for all of it has no question whose value there would be
    return rows == ((family.choices.value(puzzle, answer),),)


def _careless(case: Prepared, rng: Rng) -> list[str]:
    """What careless solvers get."""
    answer = asked(case.puzzle).shown(case.gold)
    return list(islice(case.family.choices.distractors(case.puzzle, answer, rng), _TRIES))


def _near(token: str, column: Column, rng: Rng) -> str:
    """Another token of a column; of very many numbers, one that a slip gives."""
    if len(column.tokens) < _NUMBERS or not token.isdigit():
        return rng.pick(column.tokens)
    other = str(int(token) + rng.pick((1, 2, 3, 10)) * rng.pick((1, -1)))
    return other if other in column.tokens else token


# ---- wrong reasonings ----------------------------------------------------------------------------------------------------


def sound_steps(row: Row, case: Prepared) -> tuple[str, ...]:
    """The trace of a row that has one answer, step by step; () where there is none that can be followed."""
    strategy, trace = asked(case.puzzle), row["trace"]
    if case.status is not Status.UNIQUE or not strategy.alone(case.gold) or case.puzzle.question.ask is Ask.STEP:
        return ()
    if any(step["technique"] in UNTOLD or len(step["text"]) > LONGEST for step in trace):
        return ()
    return tuple([" ".join(step["text"].partition("\n")[0].split()) for step in trace])


def flaw(row: Row, case: Prepared, rng: Rng) -> Flaw | None:
    """The trace with an error; None where none can be planted that is proved to be one."""
    steps = sound_steps(row, case)
    if not steps:
        return None
    planter = _Planter(row, case, steps, rng)
    return next((found for found in islice(planter.flaws(), _TRIES) if found is not None), None)


class _Planter:
    """Errors in one trace. known: of each entry of the whole answer, the step that finds it."""

    def __init__(self, row: Row, case: Prepared, steps: tuple[str, ...], rng: Rng) -> None:
        self.row, self.case, self.steps, self.rng = row, case, steps, rng
        family, puzzle = case.family, case.puzzle
        self.written = family.form.write(puzzle, asked(puzzle).shown(case.gold))
        self.layout = family.form.layout(puzzle)
        self.columns = self.layout.columns
        self.known: dict[_Entry, int] = {}
        entries = _open_entries(case)
        for number, step in enumerate(row["trace"]):
            for slot, _ in json.loads(step["conclusion"])["sets"]:
                if slot in entries:
                    self.known.setdefault(entries[slot], number)

    def flaws(self) -> Iterator[Flaw | None]:
        """Errors at one entry after the other, in random order: two of its values mistaken for each other."""
        if self.layout.text:
            yield self._misspelt()
            return
        for entry in self.rng.shuffled(list(self.known)):
            at, token = self.known[entry], self.token(entry)
            for other in self.rng.shuffled(self._others(entry, at, token))[:2]:
                yield self._flaw(entry, at, token, other)

    def token(self, entry: _Entry) -> str:
        """What stands there in the right answer."""
        return self.written[entry[0]][entry[1]]

    def _alike(self, entry: _Entry, at: int) -> list[_Entry]:
        """Entries with the same tokens that are found at this step or later."""
        tokens = self.columns[entry[1]].tokens
        return [each for each, step in self.known.items() if step >= at and self.columns[each[1]].tokens == tokens]

    def _others(self, entry: _Entry, at: int, token: str) -> list[str]:
        """Values for which this one may be mistaken: they take the same article."""
        found = dict.fromkeys([self.token(each) for each in self._alike(entry, at)])
        if len(self._alike(entry, 0)) == 1:
            found = dict.fromkeys(self._single(entry, token))
        if not self._named(entry, token):
            return []
        alike = [other for other in found if (other[0] in _VOWELS) == (token[0] in _VOWELS)]
        return [other for other in alike if other != token and self._named(entry, other)]

    def _named(self, entry: _Entry, token: str) -> bool:
        """Return whether a token is never anything but a value in a sentence: names and years are; signs such as # and - are not,
        nor small numbers where clues speak of numbers too, nor 0 and 1, of which sentences say how often they stand in a line.
        """
        if not token.isdigit():
            return any(sign.isalpha() for sign in token)
        only_values = isinstance(self.case.family.clues, Givens) and len(self.columns[entry[1]].tokens) > 2
        return only_values or len(token) > 2 or len(self._alike(entry, 0)) == 1

    def _single(self, entry: _Entry, token: str) -> list[str]:
        """Other values of the only entry of its sort."""
        question, rng = self.case.puzzle.question, self.rng.child("single")
        if entry == (0, 0) and (question.kind is QuestionKind.CHOICE or _is_value(self.case)):
            careless = _careless(self.case, rng)
            if question.ask is not Ask.OPTION:
                return careless
            shown = [text for text in question.options if not is_special(text)]
            return [*shown, *[value for value in careless if value not in question.options][:1]]
        return [_near(token, self.columns[entry[1]], rng.child(n)) for n in range(4)]

    def _flaw(self, entry: _Entry, at: int, token: str, other: str) -> Flaw | None:
        told = _exchanged(self.steps[at], token, other)
        if told == self.steps[at]:
            return None
        moved = {entry, *self._alike(entry, at)}
        swap = {token: other, other: token}
        written = [
            tuple([swap.get(text, text) if (r, c) in moved else text for c, text in enumerate(line)])
            for r, line in enumerate(self.written)
        ]
        rows = self._asked(tuple(written))
        return None if rows is None else self._found(at, token, other, rows)

    def _misspelt(self) -> Flaw | None:
        """Of an answer that is a text: another text in its place."""
        rows, token = wrong_rows(self.row, self.case, self.rng), "".join(self.written[0])
        at = next((n for n, text in enumerate(self.steps) if token in text), None)
        return None if rows is None or at is None else self._found(at, token, "".join(rows[0]), rows)

    def _found(self, at: int, token: str, other: str, rows: Rows) -> Flaw | None:
        """The error, if this answer is wrong: that proves it whatever the steps say."""
        if worth(rows, self.row, self.case) != "wrong":
            return None
        back = any(self.token(each) == other for each in self.known)
        steps = tuple([text if n < at else _exchanged(text, token, other, back) for n, text in enumerate(self.steps)])
        said = f"step {at + 1} has {other} where the only answer has {token}"
        return Flaw(steps, said, rows)

    def _asked(self, written: Rows) -> Rows | None:
        """The reply that this whole answer leads to; None if there is none."""
        family, puzzle = self.case.family, self.case.puzzle
        answer = family.form.read(puzzle, written)
        if answer is None:
            return None
        try:
            return write(family, puzzle, (answer,) if puzzle.question.kind is QuestionKind.CHOICE else answer)
        except BadRow:  # the value is no option
            return None


def _exchanged(text: str, one: str, other: str, back: bool = True) -> str:
    """The text with another word or phrase for one, and this one for the other (back), with a capital where there was one;
    numbers that name a row, a clue and the like stay.
    """
    swap = {one.casefold(): other} | ({other.casefold(): one} if back else {})
    signs = len(one) == len(other) == 1  # in which a capital may be another sign

    def put(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip().rpartition(" ")[2].lower()
        if found[0].isdigit() and before.strip("(") in _NUMBERED:
            return found[0]
        new = swap[found[0].casefold()]
        return capital(new) if found[0][0].isupper() and not signs else new

    either = "|".join([re.escape(each) for each in sorted((one, other) if back else (one,), key=len, reverse=True)])
    told = re.sub(rf"(?<!\w)(?:{either})(?!\w)", put, text, flags=0 if signs else re.IGNORECASE)
    return _ascending(text, told) if one.isdigit() and other.isdigit() else told


def _ascending(before: str, after: str) -> str:
    """The text after an exchange of numbers, with those lists of numbers in ascending order that were so before."""
    lists = [_numbers(found[0]) for found in _LIST.finditer(before)]
    sorted_before = iter([numbers == sorted(numbers) for numbers in lists])

    def put(found: re.Match[str]) -> str:
        numbers = iter(sorted(_numbers(found[0])) if next(sorted_before, False) else _numbers(found[0]))
        return re.sub(r"\d+", lambda _: str(next(numbers)), found[0])

    return _LIST.sub(put, after)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def letter_and_text(rows: Rows, case: Prepared) -> str:
    """An answer for people: an option with its letter, a text, or rows."""
    puzzle, layout = case.puzzle, layout_of(case.family, case.puzzle)
    if layout.text:
        return "".join(rows[0])
    if puzzle.question.ask is Ask.OPTION:
        return f"{rows[0][0]}: {puzzle.question.options[LETTERS.index(rows[0][0])]}"
    return "\n".join([(" " if layout.grid else " | ").join(line) for line in rows])
