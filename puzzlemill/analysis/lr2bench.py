"""LR2Bench's tasks and measures (2502.17848): Table 1, Table 5, section 2.4 and 4.4, Appendix D.

A reply to a puzzle with N subtasks (Family.paper_subtasks; of foreign boards puzzlemill/analysis/boards.py) has
  CR          share of subtasks that it fills, right or wrong; 0 where no answer can be read
  S-Acc       share that it fills with the stored answer's value
  EM, PM-0.5  1 if S-Acc is 1, or at least 0.5
  right       1 if it keeps every rule: where several answers do, this may be 1 and EM 0
  redundancy  1 - different 10-grams / all 10-grams of words, of thinking and reply together
  gave up     partial or compromise (puzzlemill/analysis/giving_up.py); apart from cut off and from claims of no solution
and the tokens of completion as the endpoint counts them, and the characters of thinking and reply. A level's and a task's figure
is the mean over its rows, and a missing reply counts as 0; tokens, characters and redundancy are means over the replies that have
them. Over all tasks the paper's tables take the mean of the tasks' figures, and leave sudoku out of redundancy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import factorial, log10
from statistics import fmean
from typing import Any

from puzzlemill.analysis.giving_up import CLAIM, COMPROMISE, CUT, PARTIAL
from puzzlemill.analysis.tables import percent, text_table
from puzzlemill.core.types import AnyPuzzle, Ask, QuestionKind, Status
from puzzlemill.scoring.judging import JUDGEMENT
from puzzlemill.scoring.metrics import Decisions, Estimate, Item, Measured, section
from puzzlemill.scoring.score import Prepared, Verdict, filled

KINDS = ("knowledge", "logical", "spatial", "reflection")  # of constraints, Table 1
SHARES = ("CR", "S-Acc", "EM", "PM-0.5", "right")
GAVE_UP = (PARTIAL, COMPROMISE)
GRAM = 10
WORDS = 50_000  # words of a text whose repetition is counted, from its start
_CELLS_OF_EASY = 7  # cells shown in a 4x4 sudoku that is easy: all are easy by technique
_LETTERS_OF_HARD = 160  # of an acrostic: the paper's have about 110 and 214


@dataclass(frozen=True, slots=True)
class Task:
    """A task of the paper. kinds: marks of Table 1 in the order of KINDS. rows: by level. bounds: what Table 5 prints, by level.

    level: of a puzzle of ours and the band that it is graded as.
    """

    name: str
    kinds: tuple[bool, bool, bool, bool]
    rows: Mapping[str, int]
    bounds: Mapping[str, str]
    level: Callable[[AnyPuzzle, str], str]

    @property
    def constraints(self) -> tuple[str, ...]:
        """The kinds of its constraints."""
        return tuple([kind for kind, there in zip(KINDS, self.kinds, strict=True) if there])


def _sudoku(puzzle: AnyPuzzle, band: str) -> str:
    size = puzzle.spec.params.size
    shown = sum([clue.kind == "given" for clue in puzzle.clues])
    return f"{size}x{size}, {('easy' if shown >= _CELLS_OF_EASY else 'hard') if size == 4 else band}"


def _crossword(puzzle: AnyPuzzle, _: str) -> str:
    rows = puzzle.board.pattern
    return f"{len(rows)}x{len(rows[0])}"


def _by_size(rows: str, cols: str) -> Callable[[AnyPuzzle, str], str]:
    return lambda puzzle, _: f"{getattr(puzzle.spec.params, rows)}x{getattr(puzzle.spec.params, cols)}"


def _acrostic(puzzle: AnyPuzzle, _: str) -> str:
    return "hard" if puzzle.board.cells >= _LETTERS_OF_HARD else "easy"


def _cryptogram(puzzle: AnyPuzzle, _: str) -> str:
    return str(puzzle.spec.params.level)


def _drop_quote(puzzle: AnyPuzzle, _: str) -> str:
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    return {(3, 15): "easy", (5, 20): "hard"}.get((rows, cols), f"{rows} rows of {cols}")


_EVEN = {"easy": 50, "hard": 50}
TASKS: Mapping[str, Task] = {
    "crossword": Task(
        "crossword",
        (True, False, True, True),
        {"5x5": 50, "10x10": 50, "15x15": 50},
        {f"{n}x{n}": f"26 x {n} x {n}" for n in (5, 10, 15)},
        _crossword,
    ),
    "acrostic": Task("acrostic", (True, False, True, True), _EVEN, {"easy": "26 x 110", "hard": "26 x 214"}, _acrostic),
    "logic_grid": Task(
        "logic puzzle",
        (False, True, False, True),
        {f"4x{n}": 50 for n in (4, 5, 6, 7)},
        {f"4x{n}": f"(4!)^{n - 1}" for n in (4, 5, 6, 7)},
        _by_size("categories", "items"),
    ),
    "cryptogram": Task("cryptogram", (True, False, False, True), _EVEN, {"easy": "26!", "hard": "26!"}, _cryptogram),
    "sudoku": Task(
        "sudoku",
        (False, True, True, True),
        {f"{n}x{n}, {band}": 50 for n in (4, 9) for band in _EVEN},
        {f"{n}x{n}, {band}": f"{n}^{n * n}" for n in (4, 9) for band in _EVEN},
        _sudoku,
    ),
    "drop_quote": Task("drop quote", (True, False, True, True), _EVEN, {"easy": "15 x 3!", "hard": "20 x 5!"}, _drop_quote),
}
_NO_REDUNDANCY = "sudoku"  # left out of the mean over tasks, as in the paper


def bound_log10(printed: str) -> float:
    """log10 of a bound as Table 5 prints it: numbers and factorials, times each other, or to a power."""
    found = 0.0
    for part in printed.split(" x "):
        base, _, power = part.partition("^")
        base = base.strip("()")
        value = factorial(int(base[:-1])) if base.endswith("!") else int(base)
        found += log10(value) * int(power or 1)
    return found


def repetition(text: str) -> float | None:
    """10-gram redundancy; None for fewer than ten words."""
    words = text.split(None, WORDS)[:WORDS]
    grams = len(words) - GRAM + 1
    if grams < 1:
        return None
    return 1 - len({tuple(words[i : i + GRAM]) for i in range(grams)}) / grams


# ---- one reply ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """One reply in the paper's measures. shares: by SHARES. ending: of giving_up. None for what nobody said."""

    complete: float
    correct: float
    right: bool
    ending: str
    tokens: int | None
    characters: int
    redundancy: float | None

    @property
    def shares(self) -> dict[str, float]:
        exact, half = self.correct >= 1, self.correct >= 0.5
        found = (self.complete, self.correct, float(exact), float(half), float(self.right))
        return dict(zip(SHARES, found, strict=True))


def counted(row: Mapping[str, Any], case: Prepared) -> bool:
    """Return whether a row is one that the paper could have: of its tasks, asked for the whole answer, which there is."""
    question = case.puzzle.question
    whole = question.kind is QuestionKind.WHOLE and question.ask is Ask.WHOLE and case.reply_format != JUDGEMENT
    return row["family"] in TASKS and whole and case.status is Status.UNIQUE


def subtasks(case: Prepared, verdict: Verdict) -> tuple[float, float]:
    """The shares of the paper's subtasks that a reply fills, and that hold the stored answer's values."""
    if verdict.answer is None:
        return 0.0, 0.0
    layout = case.family.form.layout(case.puzzle)
    if layout.keyed:  # each named row is one, whatever crosses it
        words = {row[0]: row[1] for row in case.family.form.write(case.puzzle, case.gold)}
        said = {row[0]: row[1].upper() for row in verdict.answer}
        whole = [said.get(name, "") for name in words]
        filled_in = [word for word in whole if word and "?" not in word]
        return len(filled_in) / len(words), sum([said.get(name) == word for name, word in words.items()]) / len(words)
    groups = case.family.paper_subtasks(case.puzzle)
    if not groups:
        return 0.0, 0.0
    found, gold = filled(case, verdict.answer), case.gold_slots
    full = [all(s in found for s in group) for group in groups]
    right = [all(found.get(s) == gold[s] for s in group) for group in groups]
    return sum(full) / len(groups), sum(right) / len(groups)


# ---- many -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Rows:
    """The rows of one level: for each its samples, None for a missing reply; and the sizes of their search spaces."""

    items: list[tuple[Item, Sequence[Told | None]]] = field(default_factory=list)
    space: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Figures:
    """The measures of a level, of a task (level "all levels") or of all tasks ("all").

    shares: by SHARES; estimates have no interval over all tasks. gave_up: share of replies, with those of each ending.
    """

    task: str
    level: str
    rows: int
    replies: int
    shares: Mapping[str, Estimate]
    tokens: float | None
    characters: float | None
    redundancy: float | None
    gave_up: float
    endings: Mapping[str, float]


ALL, LEVELS = "all tasks", "all levels"
Levels = dict[tuple[str, str], Rows]


def figures(levels: Levels, samples: int) -> list[Figures]:
    """Each level and each task, in the paper's order; and all tasks together, where there are several."""
    found: list[Figures] = []
    tasks: list[Figures] = []
    for family, task in TASKS.items():
        order = [*task.rows, *sorted({level for name, level in levels if name == family and level not in task.rows})]
        some = {level: levels[family, level] for level in order if (family, level) in levels}
        found += [_figures(task.name, level, one.items, samples) for level, one in some.items()]
        if some:
            tasks.append(_figures(task.name, LEVELS, [item for one in some.values() for item in one.items], samples))
            found += tasks[-1:] if len(some) > 1 else []
    return [*found, *([_over_tasks(tasks)] if len(tasks) > 1 else [])]


def _figures(task: str, level: str, items: Sequence[tuple[Item, Sequence[Told | None]]], samples: int) -> Figures:
    rows = []
    for item, told in items:
        shares = [one.shares for one in told if one is not None]
        values = {name: sum([each[name] for each in shares]) / samples for name in SHARES}
        rows.append(Measured(item, values, len(shares), Decisions(0, 0, 0), {}))
    replies = [one for _, told in items for one in told if one is not None]
    metrics = section(f"lr2bench/{task}/{level}", rows, samples).metrics
    endings = {name: fmean([one.ending == name for one in replies]) if replies else 0.0 for name in (*GAVE_UP, CUT, CLAIM)}
    return Figures(
        task,
        level,
        len(items),
        len(replies),
        metrics,
        _mean([one.tokens for one in replies]),
        _mean([one.characters for one in replies]),
        _mean([one.redundancy for one in replies]),
        sum([endings[name] for name in GAVE_UP]),
        endings,
    )


def _mean(found: Iterable[float | None]) -> float | None:
    there = [value for value in found if value is not None]
    return fmean(there) if there else None


def _over_tasks(tasks: Sequence[Figures]) -> Figures:
    """The mean of the tasks' figures, as in the paper's Table 2."""
    shares = {name: fmean([one.shares[name].value for one in tasks]) for name in SHARES}
    return Figures(
        ALL,
        LEVELS,
        sum([one.rows for one in tasks]),
        sum([one.replies for one in tasks]),
        {name: Estimate(value, value, value, len(tasks), "no interval") for name, value in shares.items()},
        _mean([one.tokens for one in tasks]),
        _mean([one.characters for one in tasks]),
        _mean([one.redundancy for one in tasks if one.task != _NO_REDUNDANCY]),
        fmean([one.gave_up for one in tasks]),
        {name: fmean([one.endings[name] for one in tasks]) for name in tasks[0].endings},
    )


HEADS = (
    "task", "level", "rows", "replies", *[f"{name} %" for name in SHARES], "tokens", "characters", "redundancy %",
    "gave up %", "partial", "compromise", "cut off %", "claims %",
)  # fmt: skip


def line(one: Figures) -> list[object]:
    """The cells of a table below HEADS."""
    lengths = ["-" if value is None else f"{value:,.0f}" for value in (one.tokens, one.characters)]
    repeated = "-" if one.redundancy is None else percent(one.redundancy)
    shares = [percent(one.shares[name].value) for name in SHARES]
    ends = [percent(share) for share in (one.gave_up, *one.endings.values())]
    return [one.task, one.level, one.rows, one.replies, *shares, *lengths, repeated, *ends]


def to_text(found: Sequence[Figures]) -> str:
    """The measures for a terminal."""
    return text_table(HEADS, [line(one) for one in found])


SPACE_HEADS = ("task", "level", *KINDS, "paper_bound", "log10", "search_space_log10: median", "least", "most")


def spaces(levels: Levels) -> list[list[object]]:
    """Kinds of constraints, and sizes of search spaces: the paper's as it prints them, and ours; cells below SPACE_HEADS."""
    found: list[list[object]] = []
    for family, task in TASKS.items():
        order = [*task.rows, *sorted({level for name, level in levels if name == family and level not in task.rows})]
        for level in order:
            one = levels.get((family, level))
            if one is None or not one.space:
                continue
            printed = task.bounds.get(level, "")
            ours = sorted(one.space)
            middle, bound = ours[len(ours) // 2], f"{bound_log10(printed):.2f}" if printed else "-"
            kinds = ["yes" if there else "no" for there in task.kinds]
            figures = [f"{value:.2f}" for value in (middle, ours[0], ours[-1])]
            found.append([task.name, level, *kinds, printed or "-", bound, *figures])
    return found
