"""One reply against one row of a data set, from the row alone.

An answer is right if it keeps every rule and clue (checked by the family, not compared with the stored answer) and, where the
least cost is asked for, costs exactly the proved optimum. So any right answer counts where several do. A puzzle without a
solution is solved by saying so, which only counts where its prompt offers to.

Of a dialogue (PLAY), a row's reply is the final answer, and the stored one decides: what is hidden is not in the puzzle. All of
its messages are judged by scoring/plays.py.

Subtasks are the *open slots*: those that the puzzle does not show (core.types.Family.given_slots). `subtask` is their share that
holds the stored answer's value; blanks and what is shown never earn any. Families whose answers are routes have no subtasks: all
or nothing. One value in every place holds many of them, so `credit`, the partial credit that is reported, is what goes beyond the
best such reply to the row: (subtask - chance) / (1 - chance), 0.0 below, 1.0 for a solved row. `score` itself is 1.0 or 0.0.

How a full answer is judged follows from the question (puzzlemill/questions). Rows that ask for a judgement are those of
scoring/judging.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NoReturn

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK, Slots
from puzzlemill.core.types import AnyPuzzle, Ask, Rows, Status
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.questions.asks import layout_of, right, write
from puzzlemill.questions.base import Verdict
from puzzlemill.scoring.judging import JUDGEMENT, REASONING, YES, said, sheet_of
from puzzlemill.scoring.parse import Reading, grammar, read_reply
from puzzlemill.scoring.prompt import known_format

__all__ = ["COLUMNS", "Prepared", "Verdict", "filled", "prepared", "score"]

# The columns of a row that score() and the report read; scorer.zip carries these and no others.
COLUMNS = (
    "id",
    "split",
    "group_id",
    "parent_id",
    "family",
    "family_version",
    "variant",
    "status",
    "reply_format",
    "puzzle",
    "answer",
    "optimum",
    "guess_baseline",
    "proof",  # of which only the depth is read; scorer.zip carries no more
    "hidden",  # of dialogues and judgements
    "play",  # of dialogues
)
REMEMBERED = 512  # prepared rows kept in memory: a zebra takes about 30 KB
# What a family raises when a puzzle's text is well-formed but means nothing, such as a clue about a cell off the board.
_NONSENSE = (BadInput, LookupError, ValueError, TypeError, ArithmeticError, AttributeError)


def score(reply: object, row: Mapping[str, Any]) -> Verdict:
    """Judge a reply by a row of a data set.

    Never raises on a reply, whatever it is: what is not readable text is not solved.
    Raises BadRow, naming the row and the column, if the row cannot be used: a column is missing, of a wrong type, unreadable,
    from another version of the family, or its answer is wrong.
    """
    case = prepared(row)
    if case.reply_format == JUDGEMENT:
        return _judged(reply, row, case)
    reading = read_reply(reply, case.grammar, case.reply_format, case.doubt)
    try:
        verdict = _verdict(case, reading)
        if case.words:
            verdict = replace(verdict, words=_words(case, reading))
        return replace(verdict, chance=case.chance) if verdict.subtask and not verdict.solved else verdict
    except _NONSENSE as error:
        return Verdict(False, 0.0, 0.0, 0.0, "unchecked", detail=type(error).__name__, answer=reading.rows)


def _bad(row: Mapping[str, Any], column: str, problem: str) -> NoReturn:
    raise BadRow(f"row {str(row.get('id'))[:80]}: {column}: {problem}") from None


# ---- rows -----------------------------------------------------------------------------------------------------------


class Prepared:
    """A row, read and checked once.

    gold: the stored answer; None for a puzzle without one. optimum: None unless the status is OPTIMAL.
    """

    def __init__(
        self, family: AnyFamily, puzzle: AnyPuzzle, status: Status, gold: Any | None, optimum: int | None, reply_format: str
    ) -> None:
        self.family, self.puzzle, self.status, self.gold, self.optimum = family, puzzle, status, gold, optimum
        self.reply_format = reply_format
        self.doubt: bool = puzzle.question.may_be_unsolvable and reply_format != JUDGEMENT
        self.strategy = asked(puzzle)
        layout = layout_of(family, puzzle)
        self.grammar = grammar(layout)
        self.words = layout.words if gold is not None else ()
        self.fillers = tuple([(*column.tokens[:-1][:4], column.tokens[-1]) for column in layout.columns])

    @cached_property
    def open_slots(self) -> tuple[int, ...]:
        """The units of partial credit: numbers of the slots that the puzzle does not show."""
        given = set(self.family.clues.given_slots(self.puzzle))
        return tuple([s for s in range(len(self.sizes)) if s not in given])

    @cached_property
    def chance(self) -> float:
        """The partial credit of the best constant reply."""
        return self.strategy.best_constant(self)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return self.family.form.slots(self.puzzle.spec, self.puzzle.board)

    @cached_property
    def gold_slots(self) -> Slots:
        return self.slots_of(self.gold) if self.gold is not None else ()

    def slots_of(self, answer: Any) -> Slots:
        return self.family.form.values(self.puzzle.spec, self.puzzle.board, answer)


def prepared(row: Mapping[str, Any]) -> Prepared:
    """The row, read and checked; remembered for the next reply to it. Raises BadRow as score() does."""
    try:
        name, version, status, puzzle, answer, optimum, reply_format = [row[c] for c in _JUDGED]
    except KeyError as error:
        _bad(row, str(error.args[0]), "the column is missing; use a row of a release")
    for column, value, kinds in (
        ("family", name, (str,)),
        ("family_version", version, (int,)),
        ("status", status, (str,)),
        ("puzzle", puzzle, (str,)),
        ("answer", answer, (str, type(None))),
        ("optimum", optimum, (int, type(None))),
        ("reply_format", reply_format, (str,)),
    ):
        if type(value) not in kinds:
            _bad(row, column, f"expected {kinds[0].__name__}, got {type(value).__name__}")
    try:
        return _prepare(name, version, status, puzzle, answer, optimum, reply_format)
    except BadRow as error:
        raise BadRow(" ".join(f"row {str(row.get('id'))[:80]}: {error}".split())) from None  # one line, whatever the row holds


_JUDGED = ("family", "family_version", "status", "puzzle", "answer", "optimum", "reply_format")


@lru_cache(maxsize=REMEMBERED)
def _prepare(
    name: str, version: int, status_name: str, puzzle_text: str, answer_text: str | None, optimum: int | None, reply_format: str
) -> Prepared:
    try:
        family = family_named(name)
    except BadInput as error:
        raise BadRow(f"family: {error}") from None
    if version != family.version:
        raise BadRow(
            f"family_version: the row is of {name} version {version}, this library has version {family.version}; "
            f"use the scorer.zip of the row's release"
        )
    try:
        status = Status(status_name)
        if status is Status.UNKNOWN:
            raise ValueError
    except ValueError:
        raise BadRow(f"status: expected unique, optimal, any or unsolvable, got {status_name[:40]!r}") from None
    puzzle: AnyPuzzle = loads(puzzle_type(family), puzzle_text, "puzzle")
    if puzzle.family != name or puzzle.version != version:
        raise BadRow(
            f"puzzle: it is a {puzzle.family[:40]} of version {puzzle.version}, the row says {name} of version {version}"
        )
    if puzzle.question.kind not in family.questions:
        raise BadRow(f"puzzle: {name} is not asked for {puzzle.question.kind.value!r}")
    if (optimum is not None) != (status is Status.OPTIMAL):
        raise BadRow(f"optimum: expected {'an integer' if optimum is None else 'null'} where the status is {status.value}")
    if (answer_text is None) != (status is Status.UNSOLVABLE):
        raise BadRow(f"answer: expected {'text' if answer_text is None else 'null'} where the status is {status.value}")
    if status is Status.UNSOLVABLE and not puzzle.question.may_be_unsolvable:
        raise BadRow("puzzle: it has no solution, but its question does not admit doubt, so that no reply could be right")
    try:
        family.validate(puzzle.spec)
        stored = asked(puzzle).answer_type(family)
        gold = None if answer_text is None else loads(stored, answer_text, "answer")
        known = reply_format if reply_format == JUDGEMENT else known_format(reply_format)
        case = Prepared(family, puzzle, status, gold, optimum, known)
        if gold is None:
            family.render(puzzle)  # reads every clue, as checking the answer does in the other case
        else:
            broken = case.strategy.objections(family, puzzle, gold)
            if broken:
                raise BadRow(f"answer: the stored answer breaks {', '.join(broken[:5])}")
            if puzzle.question.ask is not Ask.WHOLE:
                write(family, puzzle, gold)  # raises BadRow for a request that nothing answers
            wrong = case.strategy.check_gold(family, puzzle, gold, optimum)
            if wrong:
                raise BadRow(wrong)
    except BadRow:
        raise
    except BadInput as error:
        raise BadRow(f"puzzle: {error}") from None
    except _NONSENSE as error:
        raise BadRow(f"puzzle: it is no {name} puzzle ({type(error).__name__})") from None
    return case


# ---- verdicts -------------------------------------------------------------------------------------------------------


def _verdict(case: Prepared, reading: Reading) -> Verdict:
    if reading.unsolvable:
        if case.status is Status.UNSOLVABLE:
            return Verdict(True, 1.0, 1.0, 1.0, "solved", claims_unsolvable=True)
        return Verdict(False, 0.0, 0.0, 1.0, "claim", claims_unsolvable=True)
    rows = reading.rows
    if rows is None:
        return Verdict(False, 0.0, 0.0, 0.0, "unreadable", detail=reading.why)
    if reading.blanks:
        right, filled = _counted(case, rows)
        total, detail = max(1, len(case.open_slots)), f"{reading.blanks} blank places"
        part = case.strategy.partly_right(right) / total
        return Verdict(False, 0.0, part, filled / total, "incomplete", detail=detail, answer=rows)
    if case.puzzle.question.ask is not Ask.WHOLE:
        return _part(case, rows)
    answer = case.family.form.read(case.puzzle, rows)
    if answer is None:
        return Verdict(False, 0.0, 0.0, 1.0, "wrong", detail="the values do not make an answer", answer=rows)
    return case.strategy.judge(case, answer, rows)


def _judged(reply: object, row: Mapping[str, Any], case: Prepared) -> Verdict:
    """The verdict on a reply to a row that asks for a judgement."""
    sheet = sheet_of(row)
    found = said(reply, sheet.task)
    if not found.verdict:
        return Verdict(False, 0.0, 0.0, 0.0, "unreadable", detail="no verdict in a box")
    worth = corrected(found.correction, case)
    rows = ((found.verdict, worth),)
    if found.verdict != sheet.right:
        return Verdict(False, 0.0, 0.0, 1.0, "wrong", detail=f"the verdict is {found.verdict}", answer=rows)
    if sheet.task == REASONING and worth != "right" and (worth or found.verdict != YES):
        return Verdict(False, 0.0, 0.0, 1.0, "wrong", detail=f"the right verdict, with {worth or 'no'} answer", answer=rows)
    return Verdict(True, 1.0, 1.0, 1.0, "solved", answer=rows)


def corrected(text: str, case: Prepared) -> str:
    """The worth of an answer that a verdict gives, whatever format the row has: "right", "wrong" or, without one, ""."""
    reading = correction(text, case)
    if reading is None:
        return "wrong" if text else ""
    try:
        return "right" if _verdict(case, reading).solved else "wrong"
    except _NONSENSE:
        return "wrong"


def correction(text: str, case: Prepared) -> Reading | None:
    """The answer that a verdict gives, read as if it stood in a box of its own; None if it is none, or has blanks."""
    for tried in (text, text.rstrip(" .")):
        reading = read_reply(f"\\boxed{{{tried}}}", case.grammar, "boxed", case.doubt)
        if reading.complete:
            return reading
    return None


def _part(case: Prepared, rows: Rows) -> Verdict:
    """The verdict on a reply to a request for less than the whole answer: all or nothing."""
    if case.gold is None or not right(case.family, case.puzzle, case.gold, rows):
        return Verdict(False, 0.0, 0.0, 1.0, "wrong", answer=rows)
    return Verdict(True, 1.0, 1.0, 1.0, "solved", answer=rows)


def _words(case: Prepared, reading: Reading) -> float:
    """The share of the words that are right: those of Layout.words that the puzzle does not show. See Verdict.words."""
    if reading.rows is None:
        return 0.0
    [read], [gold], open_slots = reading.rows, write(case.family, case.puzzle, case.gold), set(case.open_slots)
    right = []
    for number, (_, places) in enumerate(case.words):
        if not open_slots.isdisjoint(places):
            word = "".join([gold[place] for place in places])
            said = reading.words[number] if reading.words else ""
            right.append("".join([read[place] for place in places]) == word and said in ("", word))
    return sum(right) / max(1, len(right))


def _filler(fillers: tuple[str, ...], row: Sequence[str], which: int) -> str:
    """One of two tokens for a blank of this row."""
    return fillers[-1] if which else next((token for token in fillers[:-1] if token not in row), fillers[0])


def _counted(case: Prepared, rows: Rows) -> tuple[int, int]:
    """Count the open slots that rows with blanks get right, and those that they fill."""
    found = filled(case, rows)
    some = [s for s in case.open_slots if s in found]
    gold = case.gold_slots
    return (sum([found[s] == gold[s] for s in some]) if gold else 0), len(some)


def filled(case: Prepared, rows: Rows) -> dict[int, int]:
    """The slots that rows fill, which may have blanks, with their values.

    The rows are read twice, the blanks filled with one token and with another: slots that differ are blank. {} where this
    says nothing: a route has no slots, and a blank may stand where it decides what a whole row means. A token that the row has
    already gives way to another one: nobody is married to himself.
    """
    if case.puzzle.question.ask is not Ask.WHOLE:
        return {}
    if case.grammar.keyed:  # whose answers may have blanks
        answer = case.family.form.read(case.puzzle, rows)
        known = () if answer is None else case.slots_of(answer)
        return {s: value for s, value in enumerate(known) if value != BLANK}
    found = []
    for which in (0, 1):
        full = [[token or _filler(each, row, which) for token, each in zip(row, case.fillers, strict=True)] for row in rows]
        answer = case.family.form.read(case.puzzle, tuple([tuple(row) for row in full]))
        if answer is None:
            return {}
        found.append(case.slots_of(answer))
    one, other = found
    if not len(case.sizes) == len(one) == len(other):
        return {}
    return {s: value for s, value in enumerate(one) if value == other[s] != BLANK}
