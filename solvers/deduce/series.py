"""Number series: the rule that explains the terms, and what it gives (SeriesTable).

One step: the rule in words, worked out with the terms, named by its kind; two rules that take turns are one kind. It is found by
fitting (puzzlemill/rules/series.py); of rules that give the same, the easiest is told. Sentences need of Words: voice.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.model import SeriesTable, Slots, Step
from puzzlemill.core.words import Words, pick
from puzzlemill.rules.series import KINDS, Rule
from puzzlemill.rules.series_space import explained
from puzzlemill.rules.series_words import works
from puzzlemill.solvers.deduce.steps import Found, sentence

MEDIUM, HARD = 2, 3
INTERLEAVED = "interleaved"
TECHNIQUES = {**{name: kind.level for name, kind in KINDS.items()}, INTERLEAVED: 3}


def level(rule: Rule) -> int:
    """How hard a rule is to see."""
    return KINDS[rule.strands[0][0]].level if len(rule.strands) == 1 else TECHNIQUES[INTERLEAVED]


def deduce(table: SeriesTable, _ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The step that sets the answer; none if there is no answer."""
    if answer is None:
        return []
    found = [(rule, at, term) for rule, at, term in explained(table.terms) if answer in ((term,), (at, term))]
    rule, at, term = min(found, key=lambda each: level(each[0]))
    name = rule.strands[0][0] if len(rule.strands) == 1 else INTERLEAVED
    return [Step(name, (), tuple(enumerate(answer)), (), found=Follows(rule, at, term))]


def explain(words: Words, table: SeriesTable, step: Step) -> str:
    """The step as a few sentences; see the package."""
    return sentence(_Say(words, table), step)


class _Say:
    def __init__(self, words: Words, table: SeriesTable) -> None:
        self.voice, self.terms, self.wrong = words.voice, table.terms, table.hole < 0


class Follows(Found[_Say]):
    """The rule of the terms, and the term that belongs in a place."""

    rule: Rule
    at: int
    term: int

    def says(self, say: _Say, step: Step) -> str:
        whole = [self.term if i == self.at else term for i, term in enumerate(say.terms)]
        worked = works(self.rule, whole, say.voice)
        if say.wrong:
            shown = say.terms[self.at]
            return pick(
                say.voice,
                f"with {self.term} in place of {shown}, {worked}. So {shown} is wrong, and {self.term} belongs there",
                f"if {shown} is replaced by {self.term}, {worked}. No other change does that, so {shown} is the wrong term",
                f"put {self.term} for {shown}: {worked}. So the wrong term is {shown}, where {self.term} should stand",
            )
        return pick(
            say.voice,
            f"{worked}. So {self.term} belongs in the gap",
            f"{worked}. The number in the gap is {self.term}",
            f"{worked}, which puts {self.term} in the gap",
        )
