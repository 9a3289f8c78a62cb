"""The surface of kumo alone: its answers as sets of truths, its text form, its styles and pictures, and its worked examples."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

from puzzlemill import family as f
from puzzlemill.core.pictures import svg_text
from puzzlemill.core.words import NUMBERS
from puzzlemill.kumo.domain import text
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.task import check_task
from puzzlemill.vocabulary.wordings import FIRST, LAST

KumoPuzzle = f.Puzzle[Any, Domain]
Answer = tuple[int, ...]  # the truths that hold, ascending

REGISTERS = ("guidebook", "lab_manual", "memo", "dialogue", "table")  # that books are written in
SYMBOLIC = "symbolic"  # a register for training, for pairs and for short voices; other parents are never drawn in it
LONG = "-long"  # ends a style's theme where the book is a long one
_MOST_ANSWERS = 5_000  # sets of truths that may hold


def board_of(puzzle: KumoPuzzle) -> Domain:
    """The board. Raises BadRow for one that means nothing, or is not of its parameters."""
    params = puzzle.spec.params
    check_task(puzzle.board, params.truths, params.actions, params.chances)
    return puzzle.board


def named(puzzle: KumoPuzzle) -> Domain:
    """The board with the names that the style gives its truths. Raises BadRow as board_of() does."""
    board = board_of(puzzle)
    if not puzzle.style.names:
        return board
    (names,) = puzzle.style.names
    if len(names) != len(board.truths):
        raise f.BadRow(f"style.names: expected {len(board.truths)} names, got {len(names)}")
    return replace(board, truths=names)


def seen(clue: f.Clue, board: Domain) -> text.Seen:
    """The action of a clue, its outcome and its value. Raises BadRow for one that this board cannot have."""
    numbers = clue.ints()
    if len(numbers) != 3 or not (0 <= numbers[0] < len(board.actions) and 0 <= numbers[1] < board.actions[numbers[0]].size):
        raise f.BadRow(f"clue {clue.id}: expected an action, one of its outcomes and a value, got {str(clue.args)[:60]}")
    return numbers[0], numbers[1], numbers[2]


def shown(clue: f.Clue, domain: Domain) -> str:
    """An outcome that was seen, as a sentence."""
    a, s, value = seen(clue, domain)
    action = domain.actions[a]
    return f"{action.name}: {action.reading(value) if action.numeric else action.clause(s)}."


def words(puzzle: KumoPuzzle) -> f.Words:
    """The nouns of a task, as solvers/deduce/exclusions.py needs them."""
    from puzzlemill.kumo.book.wording import interval

    domain, (one, several) = named(puzzle), (puzzle.board.truth, puzzle.board.truths_plural)

    def shows(k: int) -> str:
        a, s, _ = seen(puzzle.clues[k], domain)
        action = domain.actions[a]
        return f"{action.name}\n{interval(action, s) if action.numeric else ''}"

    return f.Words(
        value=lambda t: domain.truths[t],
        unit=lambda count: f.plural(count, one, several),
        clue=lambda k: shown(puzzle.clues[k], domain)[:-1],
        shows=shows,
        noun=one,
        voice=puzzle.style.phrasing,
    )


def outcome_clue(action: int, outcome: int, value: int) -> f.Clue:
    """The clue that this action showed this outcome, numeric ones this value."""
    return f.Clue(f"a{action + 1}", "seen", (action, outcome, value))


# ---- answers ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def truth_sets(truths: int, count: int) -> tuple[Answer, ...]:
    """The answers in the order of the slot's values."""
    return tuple(combinations(range(truths), count))


@lru_cache(maxsize=32)
def _places(truths: int, count: int) -> Mapping[Answer, int]:
    return {chosen: i for i, chosen in enumerate(truth_sets(truths, count))}


class TruthSet(f.Form[Any, Domain, Answer]):
    """One slot: the set of the truths that hold. A row for each of them, in any order."""

    def slots(self, spec: f.Spec[Any], board: Domain) -> tuple[int, ...]:
        return (comb(len(board.truths), spec.params.valid),)

    def assemble(self, spec: f.Spec[Any], board: Domain, values: f.Slots) -> Answer:
        return () if values[0] == f.BLANK else truth_sets(len(board.truths), spec.params.valid)[values[0]]

    def values(self, spec: f.Spec[Any], board: Domain, answer: Answer) -> f.Slots:
        return (_places(len(board.truths), spec.params.valid).get(answer, f.BLANK),)

    def layout(self, puzzle: KumoPuzzle) -> f.Layout:
        domain, count = named(puzzle), puzzle.spec.params.valid
        note = f"Give the {domain.truth} that is right."
        if count > 1:
            note = f"Give the {NUMBERS[count]} {domain.truths_plural} that are right, one per row, in any order."
        return f.Layout((f.Column(domain.truth, domain.truths),), count, count, False, note)

    def write(self, puzzle: KumoPuzzle, answer: Answer) -> f.Rows:
        names = named(puzzle).truths
        return tuple([(names[t],) for t in answer])

    def read(self, puzzle: KumoPuzzle, rows: f.Rows) -> Answer | None:
        place = {name: t for t, name in enumerate(named(puzzle).truths)}
        found = sorted({place[row[0]] for row in rows})
        return tuple(found) if len(found) == len(rows) else None


# ---- text form ----------------------------------------------------------------------------------------------------------


class Text(f.TextForm[Any, Domain]):
    """A task as puzzlemill/kumo/domain/text.py has it; "play" in the heading makes it a dialogue."""

    def parse(self, lines: Sequence[f.Line]) -> KumoPuzzle:
        options = f.heading(lines, self.family.name, flags=("play",), valued=("valid",))
        head, count, told = lines[0], options.get("valid", "1"), "play" not in options
        if count not in ("1", "2", "3", "4"):
            raise head.bad(0, f"valid must be 1 to 4, got {count[:20]!r}")
        board, found = text.read(lines[1:], head)
        truths = len(board.truths)
        if int(count) >= truths or comb(truths, int(count)) > _MOST_ANSWERS:
            raise head.bad(0, f"valid must be less than the {truths} truths, and give {_MOST_ANSWERS} answers at most")
        if found and not told:
            raise head.bad(0, "a dialogue has no outcomes that were seen; leave out either")
        uneven = {bool(action.chances) for action in board.actions}
        if True in uneven and (False in uneven or told):
            raise head.bad(0, "how often outcomes come up is told of all actions of a dialogue, or of none")
        params = self.family.params(truths, len(board.actions), int(count), told=told, chances=True in uneven)
        puzzle: KumoPuzzle = self.family.puzzle(f.Spec(params), [outcome_clue(*each) for each in found], board)
        return puzzle

    def format(self, puzzle: KumoPuzzle) -> str:
        board, params = board_of(puzzle), puzzle.spec.params
        head = self.family.name + f" valid={params.valid}" * (params.valid > 1) + " play" * (not params.told)
        return "\n".join([head, *text.written(board, [seen(clue, board) for clue in puzzle.clues])]) + "\n"


# ---- styles -------------------------------------------------------------------------------------------------------------

_HEADS = ("Ba", "Be", "Da", "Do", "Fe", "Ga", "Ka", "Lo", "Mi", "Na", "No", "Pe", "Ra", "Su", "Te", "Vo", "Za", "Zu")
_TAILS = ("bren", "dal", "fin", "gor", "kesh", "lim", "mar", "neth", "pol", "rud", "sten", "tav", "vex", "wick", "zon")


def renamed(puzzle: KumoPuzzle, rng: f.Rng) -> f.Style:
    """Different names that mean nothing, none a part of another."""
    names = rng.sample([head + tail for head in _HEADS for tail in _TAILS], len(puzzle.board.truths))
    return replace(puzzle.style, names=(tuple(names),))


def letters(puzzle: KumoPuzzle, rng: f.Rng) -> f.Style:
    """Letters for the truths, but not A and I, which are words."""
    return replace(puzzle.style, names=(tuple("BCDEFGHJKLMNOPQRSTUVWXYZ"[: len(puzzle.board.truths)]),))


def paraphrased(puzzle: KumoPuzzle, rng: f.Rng) -> f.Style:
    """The book in another register; in short voices, in other signs or another order."""
    register, long = book_of(puzzle.style)
    if puzzle.style.phrasing < 0:
        return replace(puzzle.style, phrasing=-rng.between(FIRST, LAST))
    other = rng.pick([name for name in REGISTERS if name != register])
    return replace(puzzle.style, theme=other + LONG * long, phrasing=rng.below(1 << 31))


def long_book(puzzle: KumoPuzzle, rng: f.Rng) -> f.Style:
    """A long book in the same register."""
    return _with_theme(puzzle.style, book_of(puzzle.style)[0] + LONG)


def symbolic_book(puzzle: KumoPuzzle, rng: f.Rng) -> f.Style:
    """The book in symbols, as long as it is."""
    if puzzle.style.phrasing < 0:
        return replace(puzzle.style, phrasing=-rng.between(FIRST, LAST))
    return _with_theme(puzzle.style, SYMBOLIC + LONG * book_of(puzzle.style)[1])


def book_of(style: f.Style) -> tuple[str, bool]:
    """The register of the book, and whether it is a long one. Short voices have symbols. Raises BadRow for no known register."""
    register = style.theme.removesuffix(LONG)
    if register not in (*REGISTERS, SYMBOLIC):
        raise f.BadRow(f"style.theme: there is no register {register[:40]!r}; known: {', '.join(REGISTERS)}")
    return SYMBOLIC if style.phrasing < 0 else register, style.theme.endswith(LONG)


def _with_theme(style: f.Style, theme: str) -> f.Style:
    if theme == style.theme:
        raise f.Discarded("no_other_book")
    return replace(style, theme=theme)


# ---- pictures -----------------------------------------------------------------------------------------------------------

_CELL, _ROW = 34, 22


def picture(puzzle: KumoPuzzle, answer: Answer | None, marked: Collection[str]) -> str:
    """A table of outcomes and truths: a cross where an outcome excludes a truth."""
    domain = named(puzzle)
    clues = {seen(clue, domain)[:2]: clue for clue in puzzle.clues}
    label = {(a, s): f"{act.name}: {act.clause(s)}" for a, act in enumerate(domain.actions) for s in range(act.size)}
    left = 24 + 6 * max(len(text) for text in label.values())
    longest = max(len(name) for name in domain.truths)
    top, margin = 30 + 6 * longest, 20 + 4 * longest  # names stand aslant
    width, height = left + _CELL * len(domain.truths) + margin, top + _ROW * len(label) + 10
    parts = [f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for t, name in enumerate(domain.truths):
        x = left + _CELL * t
        if answer is not None and t in answer:
            parts.append(f'<rect x="{x}" y="{top}" width="{_CELL}" height="{_ROW * len(label)}" fill="#cde8cf"/>')
        at = f'x="{x + _CELL // 2}" y="{top - 8}"'
        parts.append(f'<text {at} font-size="12" transform="rotate(-50 {x + _CELL // 2} {top - 8})">{svg_text(name)}</text>')
    for i, (a, s) in enumerate(label):
        y = top + _ROW * i
        if clue := clues.get((a, s)):
            colour = "#f6c5c0" if clue.id in marked else "#fdf0c4"
            parts.append(f'<rect x="4" y="{y}" width="{left - 8}" height="{_ROW}" fill="{colour}"/>')
        parts.append(f'<line x1="0" y1="{y}" x2="{width - margin}" y2="{y}" stroke="{"#ddd" if s else "#333"}"/>')
        parts.append(f'<text x="10" y="{y + 15}" font-size="11">{svg_text(label[a, s])}</text>')
        for t in domain.actions[a].excludes[s]:
            x = left + _CELL * t + _CELL // 2
            parts.append(f'<text x="{x}" y="{y + 16}" text-anchor="middle" font-size="14" fill="#b03a2e">×</text>')
    view = f'viewBox="0 0 {width} {height}" font-family="sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{"".join(parts)}</svg>'


# ---- worked examples ----------------------------------------------------------------------------------------------------

_HAT = """
name: lost_hat
title: The Lost Hat
topic: everyday life
truth: guest
truths_plural: guests
action: question
actions_plural: questions
scene: A hat was left behind after the dinner.
question: Whose hat is it?
structure: dense
truths: Ada | Bert | Cleo | Dan
do: Ask the cook | ask when it was found
- it was found early => Bert | Cleo
- it was found late => Ada
do: Ask the porter | ask how it was worn
- it was worn low => Cleo
- it was worn high => Bert | Dan
do: Measure the hat | lay a tape around it | the girth | cm | 1
- 52.0 .. 57.0 => Ada
- 57.0 .. 62.0 => Cleo
"""
WORKED = (
    (f"kumo{_HAT}seen: Ask the cook | it was found early\nseen: Measure the hat | 54.5", "Dan", "made up for Puzzlemill"),
    (f"kumo valid=2{_HAT}seen: Ask the porter | it was worn high", "Ada\nCleo", "made up for Puzzlemill"),
)
