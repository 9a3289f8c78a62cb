"""Coding: the code that the samples show, word by word; sentences by what they share; and conditions as they apply.

One step each (CodeTable, PhraseTable, CaseTable). A code on words is named by its kind, "reordered" if the letters change their
order too; it is found by fitting (puzzlemill/rules/codes.py), and of codes that give the same the easiest is told. Of sentences
only those are used that are needed. Sentences need of Words: voice, ids, cell and value (words and code words by number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.model import CaseTable, CodeTable, PhraseTable, Slots, Step
from puzzlemill.core.words import Words, listed, pick
from puzzlemill.rules.codes import KINDS, TASKS, Code, fitted
from puzzlemill.rules.codes_space import coded, explained, spelt
from puzzlemill.rules.codes_words import names, worked, works
from puzzlemill.rules.conditions import SIGNS, applied, done
from puzzlemill.solvers.deduce.steps import Found, sentence
from puzzlemill.solvers.kernels.phrases import answers
from puzzlemill.vocabulary.coding import test_text

MEDIUM, HARD = 2, 3
_REORDERED = "reordered_"
TECHNIQUES = {
    **{name: kind.level for kinds in KINDS.values() for name, kind in kinds.items()},
    **{_REORDERED + name: kind.level + 1 for task in TASKS[:2] for name, kind in KINDS[task].items()},
    "shared_word": 1,
    "shared_words": 2,
    "table": 1,
    "condition": 1,
    "conditions": 2,
    "no_code": 2,
    "no_words": 2,
}


def deduce(table: CodeTable | PhraseTable | CaseTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The step that sets the answer, or that shows that there is none."""
    if isinstance(table, CodeTable):
        return [_code(table, ids, answer)]
    return [_phrases(table, ids, answer)] if isinstance(table, PhraseTable) else [_case(table, answer)]


def explain(words: Words, table: CodeTable | PhraseTable | CaseTable, step: Step) -> str:
    """The step as a few sentences; see the package."""
    return sentence(_Say(words, table), step, "So there is no answer.")


class _Say:
    def __init__(self, words: Words, table: Any) -> None:
        self.words, self.voice, self.table = words, words.voice, table

    def used(self, step: Step) -> list[Any]:
        """The samples that a step uses."""
        clues = self.table.pairs if isinstance(self.table, CodeTable) else self.table.clues
        return [clue for clue, label in zip(clues, self.words.ids, strict=True) if label in step.uses]


# ---- codes on words -----------------------------------------------------------------------------------------------------


def _code(table: CodeTable, ids: Sequence[str], answer: Slots | None) -> Step:
    task = TASKS[table.task]
    if answer is None:
        left = list(range(len(table.pairs)))
        for at in range(len(table.pairs)):
            fewer = [other for other in left if other != at]
            pairs = [table.pairs[other] for other in fewer]
            if not any(text for _, text in explained(task, table.decode, pairs, table.asked)):
                left = fewer
        return Step("no_code", tuple([ids[at] for at in left]), (), (), found=NoCode())
    known = explained(task, table.decode, table.pairs, table.asked)
    code = next(code for code, text in known if text == answer)
    name = (_REORDERED if code[0] != "same" else "") + code[1]
    return Step(name, tuple(ids), tuple(enumerate(answer)), (), found=Coded(code, tuple(answer)))


class Coded(Found[_Say]):
    """The code of the samples, and what it gives."""

    code: Code
    answer: Slots

    def says(self, say: _Say, step: Step) -> str:
        table, task = say.table, TASKS[say.table.task]
        word, signs = (self.answer, table.asked) if table.decode else (table.asked, self.answer)
        told = works(task, self.code, table.pairs, say.voice)
        if table.decode:
            back = f"{coded(task, signs)} is read back: {worked(task, self.code, word, signs)}"
            return f"{told}. {back}. So the word is {spelt(word)}"
        return f"{told}. {worked(task, self.code, word, signs)}. So {spelt(word)} is written as {coded(task, signs)}"


class NoCode(Found[_Say]):
    """No code of the class gives all of these samples."""

    def says(self, say: _Say, step: Step) -> str:
        task, decode, used = TASKS[say.table.task], say.table.decode, say.used(step)
        alone = ""
        if len(used) > 1 and (code := next(fitted(task, decode, used[:1]), None)) is not None:
            alone = f". One that fits {spelt(used[0][0])} alone is this: {worked(task, code, *used[0])}"
        return pick(
            say.voice,
            f"no code of the kinds that count writes {names(used)} as shown{alone}",
            f"going through all kinds of codes, none gives the codes of {names(used)}{alone}",
        )


# ---- sentences ----------------------------------------------------------------------------------------------------------


def _phrases(table: PhraseTable, ids: Sequence[str], answer: Slots | None) -> Step:
    left = list(range(len(table.clues)))
    wanted = () if answer is None else (answer,)
    for at in range(len(table.clues)):
        fewer = [other for other in left if other != at]
        if answer is not None and not any(table.asked in table.clues[other][table.decode] for other in fewer):
            continue  # nobody knows of words that no sentence shows
        if answers(replace(table, clues=tuple([table.clues[other] for other in fewer])), 2, 1).answers == wanted:
            left = fewer
    uses = tuple([ids[at] for at in left])
    if answer is None:
        return Step("no_words", uses, (), (), found=NoWords())
    return Step("shared_word" if len(left) < 3 else "shared_words", uses, ((0, answer[0]),), (), found=Shared(answer[0]))


class Shared(Found[_Say]):
    """The only item on the other side that occurs in the same sentences as the one that is asked for."""

    answer: int

    def says(self, say: _Say, step: Step) -> str:
        table, used = say.table, say.used(step)
        word, code = (self.answer, table.asked) if table.decode else (table.asked, self.answer)
        inside = [told for told in used if word in told[0]]
        outside = [told for told in used if word not in told[0]]
        shown, name = f'"{say.words.cell(word)}"', f'"{say.words.value(code)}"'
        where = f"stands in {_quoted(say, inside)}"
        where += f" and not in {_quoted(say, outside)}" if outside else ""
        first, second, what = (name, shown, "word") if table.decode else (shown, name, "code word")
        return pick(
            say.voice,
            f"{first} {where}. The only {what} of which that is true is {second}",
            f"{first} {where}, and so does no {what} but {second}",
        )


class NoWords(Found[_Say]):
    """Words and code words do not occur in the same sentences."""

    def says(self, say: _Say, step: Step) -> str:
        used = say.used(step)
        for item in sorted({word for words, _ in used for word in words}):
            mine = [item in words for words, _ in used]
            fits = [
                code
                for code in sorted({code for _, codes in used for code in codes})
                if [code in told[1] for told in used] == mine
            ]
            alike = [word for word in range(say.table.count) if [word in words for words, _ in used] == mine]
            if len(fits) < len(alike):
                both = listed([f'"{say.words.cell(word)}"' for word in alike])
                inside = _quoted(say, [told for told, here in zip(used, mine, strict=True) if here])
                outside = _quoted(say, [told for told, here in zip(used, mine, strict=True) if not here])
                found = listed([f'"{say.words.value(code)}"' for code in fits]) or "none"
                rest = f" and not in {outside}" if outside else ""
                verb = "stands" if len(alike) == 1 else "stand"
                return f"{both} {verb} in {inside}{rest}; the code words of which that is true are too few: {found}"
        return f"{_quoted(say, used)} have more code words in common than words"


def _quoted(say: _Say, told: Sequence[Any]) -> str:
    return listed([f'"{" ".join([say.words.cell(word) for word in words])}"' for words, _ in told])


# ---- conditions ---------------------------------------------------------------------------------------------------------


def _case(table: CaseTable, answer: Slots | None) -> Step:
    hold = applied(table.cases, table.chained, table.word)
    name = ("table", "condition", "conditions")[min(2, len(hold))]
    return Step(name, (), tuple(enumerate(answer or ())), (), found=Applied())


class Applied(Found[_Say]):
    """The signs of the table, changed by the conditions that are applied."""

    def says(self, say: _Say, step: Step) -> str:
        table, lookup = say.table, dict(say.table.codes)
        signs = [lookup[letter] for letter in table.word]
        told = [f"by the table {spelt(table.word)} is {_signs(signs)}"]
        hold = applied(table.cases, table.chained, table.word)
        for case in hold:
            signs = done(case[1], signs)
            number = table.cases.index(case) + 1
            told.append(f"condition {number} holds, since {test_text(case, len(table.word))}; it gives {_signs(signs)}")
        if not hold:
            told.append("no condition holds")
        return f"{'. '.join([told[0], *[text[:1].upper() + text[1:] for text in told[1:]]])}. So the code is {_signs(signs)}"


def _signs(signs: Sequence[int]) -> str:
    return "".join([SIGNS[sign] for sign in signs])
