"""Number series: a row of numbers follows a pattern; one of them is missing or wrong.

  pattern   one rule of the grammar leads through all terms, or two rules take turns (the first, third, ... and the other terms)
task says what is asked: "missing" - the number in a gap, "next" - the one after the last, "wrong" - which number is wrong and
what should stand there. All numbers are whole, from 0 to 9,999.

The grammar is declared in puzzlemill/rules/series.py. A puzzle is unique among all of its rules: every one is fitted to the
terms, and a rule counts only if more terms show it than it has numbers of its own. The prompt says what a pattern is. Drawn are:
every kind of rule evenly, in one of four long series two that take turns; then its numbers, from bounds that keep terms readable.
Series that have two readings are drawn again.
Source: the number series of Indian civil service and banking exams, as in RiddleBench (section "sequential reasoning").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from json import dumps
from math import log10
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import SeriesTable
from puzzlemill.core.pictures import FOUND, GIVEN, text_picture
from puzzlemill.generators._number_series import (
    Terms,
    beside,
    has_romans,
    paraphrased,
    red_herring,
    remarks,
    roman,
    stands_out,
    written_out,
)
from puzzlemill.rules.series import GROUPS, HIGH, LEAST_INTERLEAVED, LOW
from puzzlemill.rules.series_check import follows
from puzzlemill.rules.series_space import UNKNOWN, Readings, drawn, explained
from puzzlemill.vocabulary.series import ROMAN, WORDS, told

TASKS = ("missing", "next", "wrong")
LEAST, MOST = 6, 10  # terms
DRAWS = 200  # tries at a series with one reading


@f.params
class Params:
    """terms: of the series, with the one that is missing. rule: which rules it is drawn from."""

    terms: int = f.Param(8, least=LEAST, most=MOST)
    task: str = f.Param("missing", among=TASKS)
    rule: str = f.Param("any", among=("any", *GROUPS))


@dataclass(frozen=True, slots=True)
class Board:
    """terms: as they are shown, -1 for a missing one."""

    terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Secret:
    """terms: as the rule gives them. at: the place that is asked for. shown: what stands there, -1 for a gap."""

    terms: tuple[int, ...]
    at: int
    shown: int


SeriesPuzzle = f.Puzzle[Params, Board]
Answer = tuple[int, ...]  # the missing number; or the place of the wrong one, and the right one


def _terms(puzzle: SeriesPuzzle) -> tuple[int, ...]:
    """The terms as shown. Raises BadRow for a board that somebody made up."""
    terms = _sound(puzzle.board.terms)
    if (UNKNOWN in terms) is (puzzle.spec.params.task == "wrong"):
        raise f.BadRow(f"board.terms: expected one gap unless a term is wrong, got {str(terms)[:60]}")
    return terms


def _sound(terms: tuple[int, ...]) -> tuple[int, ...]:
    gaps = terms.count(UNKNOWN)
    sound = LEAST <= len(terms) <= MOST and gaps < 2 and all(LOW <= n <= HIGH or n == UNKNOWN for n in terms)
    if not sound or (not gaps and len(set(terms)) < 2):
        raise f.BadRow(
            f"board.terms: expected {LEAST} to {MOST} numbers up to {HIGH}, one of them -1 at most, got {str(terms)[:60]}"
        )
    return terms


# ---- answers, clues, text form ------------------------------------------------------------------------------------------


@cache
def _numbers() -> tuple[str, ...]:
    return tuple(map(str, range(LOW, HIGH + 1)))


class _Form(f.Form[Params, Board, Answer]):
    """One number, or a number of the series and the one that belongs in its place."""

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        return (len(board.terms), HIGH + 1) if spec.params.task == "wrong" else (HIGH + 1,)

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> Answer:
        return values

    def values(self, spec: f.Spec[Params], board: Board, answer: Answer) -> f.Slots:
        return answer

    def entry_of(self, puzzle: SeriesPuzzle, slot: int) -> tuple[int, int]:
        return 0, slot

    def layout(self, puzzle: SeriesPuzzle) -> f.Layout:
        terms = _terms(puzzle)
        if puzzle.spec.params.task == "wrong":
            shown = tuple(dict.fromkeys(map(str, terms)))
            note = "Give the wrong number, then the number that belongs in its place."
            return f.Layout((f.Column("wrong", shown), f.Column("right", _numbers())), 1, 1, False, note)
        note = "Give the next number." if terms[-1] == UNKNOWN else "Give the missing number."
        return f.Layout((f.Column("number", _numbers()),), 1, 1, False, note)

    def write(self, puzzle: SeriesPuzzle, answer: Answer) -> f.Rows:
        if len(answer) == 1:
            return ((str(answer[0]),),)
        return ((str(puzzle.board.terms[answer[0]]), str(answer[1])),)

    def read(self, puzzle: SeriesPuzzle, rows: f.Rows) -> Answer | None:
        row = [int(token) for token in rows[0]]
        return tuple(row) if len(row) == 1 else (puzzle.board.terms.index(row[0]), row[1])


class Text(f.TextForm[Params, Board]):
    """A line of numbers, "?" for the missing one: the task is "wrong" without it, "next" if it is the last."""

    def parse(self, lines: Sequence[f.Line]) -> SeriesPuzzle:
        f.heading(lines, self.family.name)
        if len(lines) != 2:
            raise lines[0].bad(0, f"expected one line of {LEAST} to {MOST} numbers, got {len(lines) - 1} lines")
        terms = []
        for word in lines[1].words:
            number = word.text.rstrip(",")
            if number != "?" and not (number.isascii() and number.isdigit() and len(number) < 5):
                raise lines[1].bad(word.column, f"expected a whole number up to {HIGH} or ?, got {number[:40]!r}")
            terms.append(UNKNOWN if number == "?" else int(number))
        if not LEAST <= len(terms) <= MOST or terms.count(UNKNOWN) > 1 or len(set(terms)) < 2:
            raise lines[1].bad(0, f"expected {LEAST} to {MOST} numbers, not all the same, with one ? at most, got {len(terms)}")
        task = "wrong" if UNKNOWN not in terms else "next" if terms[-1] == UNKNOWN else "missing"
        return self.family.puzzle(f.Spec(Params(len(terms), task)), (), Board(tuple(terms)))

    def format(self, puzzle: SeriesPuzzle) -> str:
        return f"{self.family.name}\n{' '.join(['?' if n == UNKNOWN else str(n) for n in puzzle.board.terms])}\n"


# ---- choices -------------------------------------------------------------------------------------------------------------


class Options(f.Choices[Params, Board, Answer]):
    """The missing number, or the wrong one."""

    noun = "number"

    def questions(self, puzzle: SeriesPuzzle, rng: f.Rng) -> Iterator[tuple[int, ...]]:
        yield ()

    def says(self, puzzle: SeriesPuzzle) -> str:
        wrong, voice = puzzle.spec.params.task == "wrong", puzzle.style.phrasing
        if wrong:
            return f.pick(voice, "Which number is wrong?", "Which number does not fit the pattern?", "Which one is out of place?")
        if puzzle.board.terms[-1] == UNKNOWN:
            return f.pick(voice, "Which number comes next?", "What is the next number?", "How does the series go on?")
        return f.pick(
            voice, "Which number is missing?", "What belongs in the gap?", "What number should replace the question mark?"
        )

    def domain(self, puzzle: SeriesPuzzle) -> tuple[str, ...]:
        wrong = puzzle.spec.params.task == "wrong"
        return tuple(dict.fromkeys(map(str, puzzle.board.terms))) if wrong else _numbers()

    def value(self, puzzle: SeriesPuzzle, answer: Answer) -> str:
        return FORM.write(puzzle, answer)[0][0]

    def distractors(self, puzzle: SeriesPuzzle, answer: Answer, rng: f.Rng) -> Iterator[str]:
        """Other terms; or what other ways to go on give, and slips of reckoning."""
        wrong = puzzle.spec.params.task == "wrong"
        if not wrong:
            yield from map(str, beside(puzzle.board.terms, answer[0], rng))
        elif sum(map(stands_out, puzzle.board.terms)) < 3:  # the one that is no cube among cubes would tell
            yield from rng.shuffled(self.domain(puzzle))


FORM = _Form()


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class NumberSeries(f.Family[Params, Board, Secret | Answer, Answer]):
    name, version, title = "number_series", 1, "Number series"
    source = "number series of civil service and banking exams; tasks after RiddleBench"
    params, board, answer, form, clues, text = Params, Board, Answer, FORM, Terms(), Text()
    questions = (f.QuestionKind.WHOLE, f.QuestionKind.CHOICE)
    choices = Options()
    hypothesis_class = True
    transforms = (
        f.SetParam(
            "interleaved",
            f.Kind.IC1,
            f.Relation.RESIZE,
            f.Pairing.NONE,
            (("rule", "interleaved"), ("terms", 10)),
            "two series that take turns",
        ),
        f.SetParam(
            "wrong_term",
            f.Kind.UE2,
            f.Relation.RULE,
            f.Pairing.NONE,
            (("task", "wrong"),),
            "one number is wrong, none is missing",
        ),
        f.Restyle("written_out", f.Kind.UE1, how=written_out, about="the numbers written in words"),
        f.Restyle("roman", f.Kind.UE1, how=roman, about="the numbers in Roman numerals"),
        f.surface("paraphrase", paraphrased, "the same series in other words"),
        f.surface("red_herring", red_herring, "one remark about a number that says nothing about the pattern"),
    )
    smallest = (
        f.Spec(Params(6)),
        f.Spec(Params(7, "next", "mixed")),
        f.Spec(Params(9, "missing", "interleaved")),
        f.Spec(Params(6, "wrong", "alternating")),
    )
    worked = (
        (
            "number_series\n43 41 44 39 46 ?",
            "35",
            "RiddleBench (2510.24932), appendix B.2: the differences are primes of alternating sign",
        ),
        ("number_series\n1 1 2 3 5 8 14 21", "14 | 13", "OEIS A000045, the Fibonacci numbers, with one of them changed"),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        p = spec.params
        if p.rule == "interleaved" and p.terms < LEAST_INTERLEAVED:
            raise f.BadParams(
                f"number_series.terms must be {LEAST_INTERLEAVED} to {MOST} where rule is interleaved, got {p.terms}; "
                "set family.params.terms"
            )

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
        p = spec.params
        for attempt in range(DRAWS):
            here = rng.child(attempt)
            found = drawn(p.rule, p.terms, here.child("rule"))
            if found is None:
                continue
            secret = _asked(p.task, found[1], here.child("place"))
            if secret is None:
                continue
            readings = {(at, term) for _, at, term in explained(_shown(secret))}
            if readings == {(secret.at, secret.terms[secret.at])}:  # none, where too few terms show the rule
                return secret
        raise f.Discarded("inapplicable", f"{DRAWS} draws gave no series with one reading")

    def make_puzzle(
        self, spec: f.Spec[Params], hidden: Secret | Answer, rng: f.Rng
    ) -> f.Draft[Params, Board, Secret | Answer, Answer]:
        if not isinstance(hidden, Secret):
            raise f.BadRow("number_series: an answer alone says nothing of its series")
        answer = (hidden.at, hidden.terms[hidden.at]) if spec.params.task == "wrong" else (hidden.terms[hidden.at],)
        return f.Draft(self.puzzle(spec, (), Board(_shown(hidden))), answer, answer)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """The wrong term in place of the one that is told; then one more term to find it among."""
        p = spec.params
        more = replace(p, task="wrong") if p.task != "wrong" else replace(p, terms=p.terms + 1)
        return f.Spec(more, spec.rules) if more.terms <= MOST else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: Board) -> Readings:
        return Readings((self.name, self.version), _sound(board.terms))

    def table(self, puzzle: SeriesPuzzle) -> SeriesTable:
        terms = _terms(puzzle)
        return SeriesTable(terms, terms.index(UNKNOWN) if UNKNOWN in terms else -1)

    def broken_rules(self, puzzle: SeriesPuzzle, answer: Answer, partial: bool = False) -> list[str]:
        terms, wrong = list(_terms(puzzle)), puzzle.spec.params.task == "wrong"
        sizes = (len(terms), HIGH + 1) if wrong else (HIGH + 1,)
        if not isinstance(answer, tuple) or len(answer) != len(sizes):
            return [f.MALFORMED]
        least = f.BLANK if partial else 0
        if not all(type(value) is int and least <= value < size for value, size in zip(answer, sizes, strict=True)):
            return [f.MALFORMED]
        if f.BLANK in answer:
            return []
        at, term = answer if wrong else (terms.index(UNKNOWN), answer[0])
        if terms[at] == term:
            return ["pattern"]  # nothing would be wrong
        terms[at] = term
        return [] if follows(terms, at) else ["pattern"]

    def search_space_log10(self, puzzle: SeriesPuzzle) -> float:
        return sum([log10(size) for size in FORM.slots(puzzle.spec, puzzle.board)])

    def symmetry(self, puzzle: SeriesPuzzle) -> str:
        """Nothing is equal to another series."""
        return dumps(puzzle.board.terms)

    # ---- text

    def render(self, puzzle: SeriesPuzzle) -> str:
        written = puzzle.style.theme
        if written not in ("", WORDS, ROMAN) or (written == ROMAN and not has_romans(puzzle.board.terms)):
            raise f.BadRow(f"style.theme: expected no name, {WORDS} or {ROMAN} (for numbers below 4000), got {written[:20]!r}")
        voice = f.Voice(self.name, puzzle.style.phrasing, self.title)
        return told(puzzle.spec.params.task, _terms(puzzle), written, remarks(puzzle), voice)

    def describe(self, puzzle: SeriesPuzzle, label: str) -> str:
        if label == "pattern":
            return "One pattern leads through the whole series."
        raise f.BadRow(f"number_series: {label[:40]!r} is no rule; expected pattern")

    def words(self, puzzle: SeriesPuzzle) -> f.Words:
        return f.Words(voice=puzzle.style.phrasing)

    def draw(self, puzzle: SeriesPuzzle, answer: Answer | None = None, marked: Collection[str] = ()) -> str:
        """The series; the answer, if given, below it: the number in the gap, or the series with the right number."""
        terms = list(_terms(puzzle))
        shown = "  ".join(["?" if term == UNKNOWN else str(term) for term in terms])
        lines = [(shown, GIVEN)]
        if answer is not None and f.BLANK not in answer:
            at, term = answer if len(answer) == 2 else (terms.index(UNKNOWN), answer[0])
            lines.append(("  ".join([str(term) if i == at else str(n) for i, n in enumerate(terms)]), FOUND))
        return text_picture(lines)


def _asked(task: str, terms: tuple[int, ...], rng: f.Rng) -> Secret | None:
    """The place that is asked for, and what is shown there; None if the series does not go with the task."""
    if task == "next":
        return Secret(terms, len(terms) - 1, UNKNOWN)
    if task == "missing":
        return Secret(terms, rng.between(1, len(terms) - 2), UNKNOWN)
    at = rng.below(len(terms))
    near = 1 + max(2, terms[at] // 24)
    digit = len({term % 10 for term in terms}) == 1  # of another kind or last digit than all others it would tell
    unit = 10 if digit else rng.pick((2, 2, 10)) if terms[at] > 5 * 10 else 2
    shown = terms[at] + unit * rng.between(1, max(1, 2 * near // unit)) * rng.pick((1, -1))
    others = (*terms[:at], *terms[at + 1 :])
    if (
        not LOW <= shown <= HIGH
        or shown in others
        or len(set(terms)) < len(terms)
        or follows([*terms[:at], shown, *terms[at + 1 :]], at)
    ):
        return None
    return Secret(terms, at, shown)


def _shown(secret: Secret) -> tuple[int, ...]:
    return tuple([secret.shown if i == secret.at else term for i, term in enumerate(secret.terms)])


FAMILY = NumberSeries()
