"""Requests: what of a puzzle's answer a reply is to give, where that is less than all of it.

whole    the answer itself
cell     one entry: a cell of a grid, a letter of a text, what belongs to a place of a table
number   a count or a sum over some cells, or the place to which a value belongs
option   which of four rows is a row of the grid, or which of four values an entry is
step     a cell whose value follows at once: with every other value there, the cells shown break a rule
value    of families that ask choices (choice.py): what the options are drawn from, without them; option is a choice there

The puzzle, its answer and its proof are those of the whole: an entry of the only answer is the only one, and a count over it too.
Only a choice is a kind of question of its own, since its puzzle may have several answers.
Question.about says which cell, region, row or value; of a puzzle that may have no answer it is drawn without a look at that.
Right replies are computed from the stored answer (steps by the plain checker), so a row needs nothing more to be judged.
Standard library only, since judging travels in scorer.zip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import Any

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Ask, Column, Layout, Oracle, QuestionKind, Rows
from puzzlemill.core.words import NUMBERS, capital, pick
from puzzlemill.questions import choice

OPTIONS = "ABCD"
_TRIES = 200  # rows drawn in search of three that could stand there
_LEAST_OPEN = 2  # cells of a region whose count or sum is asked for that the puzzle does not show
_DIAGONAL, _OTHER_DIAGONAL, _CORNERS, _BORDER, _WHOLE = range(5)
_REGIONS = {
    _DIAGONAL: "on the diagonal from the top left corner down to the right",
    _OTHER_DIAGONAL: "on the diagonal from the top right corner down to the left",
    _CORNERS: "in the four corners",
    _BORDER: "along the border",
    _WHOLE: "in the whole grid",
}


# ---- what can be asked ---------------------------------------------------------------------------------------------------


def askable(family: AnyFamily, kind: QuestionKind) -> tuple[Ask, ...]:
    """The requests that can be made of a family's puzzles with a question of this kind."""
    if kind is QuestionKind.CHOICE:
        return choice.ASKS
    if kind not in (QuestionKind.WHOLE, QuestionKind.FORCED):
        return (Ask.WHOLE,)
    without = (Ask.OPTION, Ask.STEP) if kind is QuestionKind.FORCED else ()  # what is not forced may hold either value
    chosen = choice.ASKS if QuestionKind.CHOICE in family.questions else ()
    return tuple(dict.fromkeys(ask for ask in (Ask.WHOLE, *family.form.asks, *chosen) if ask not in without))


def may_doubt(ask: Ask) -> bool:
    """Return whether the request can be made of a puzzle that may have no answer: nothing in it comes from the answer."""
    return ask in (Ask.WHOLE, Ask.CELL, Ask.NUMBER)


def posed(family: AnyFamily, draft: AnyDraft, ask: Ask, rng: Rng, plan: Rng, oracle: Oracle) -> AnyDraft:
    """The draft with this request. plan: as in choice.posed(). Raises Discarded("nothing_to_ask") if its puzzle offers none."""
    if ask is Ask.WHOLE:
        return draft
    if ask in choice.ASKS and QuestionKind.CHOICE in family.questions:
        return choice.posed(family, draft, ask, rng, plan, oracle)
    about, options = _KINDS[ask].drawn(family, draft, rng)
    question = replace(draft.puzzle.question, ask=ask, about=about, options=options)
    return replace(draft, puzzle=replace(draft.puzzle, question=question))


@dataclass(frozen=True, slots=True)
class _Kind:
    """A request: how it is drawn (about, options), laid out, and answered by the rows of the whole answer.

    guess: the chance that the best reply given without solving is right.
    """

    drawn: Callable[[AnyFamily, AnyDraft, Rng], tuple[tuple[int, ...], tuple[str, ...]]]
    layout: Callable[[AnyFamily, AnyPuzzle], Layout]
    write: Callable[[AnyFamily, AnyPuzzle, Any], tuple[str, ...]]
    guess: Callable[[AnyFamily, AnyPuzzle, Any], float]


# ---- grids: cells by number, row by row ----------------------------------------------------------------------------------


def _open(family: AnyFamily, puzzle: AnyPuzzle) -> list[int]:
    """The slots that the puzzle does not show."""
    given = set(family.clues.given_slots(puzzle))
    found = [s for s in range(len(family.form.slots(puzzle.spec, puzzle.board))) if s not in given]
    if not found:
        raise Discarded("nothing_to_ask", "every cell is shown")
    return found


def _board(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[int, int]:
    """Rows and columns of a grid."""
    layout = family.form.layout(puzzle)
    return layout.max_rows, len(layout.columns)


def _about(puzzle: AnyPuzzle, *bounds: int) -> tuple[int, ...]:
    """Question.about, if it holds so many numbers below these bounds."""
    about = puzzle.question.about
    if len(about) != len(bounds) or not all(0 <= n < most for n, most in zip(about, bounds, strict=True)):
        raise BadRow(f"question.about: expected {len(bounds)} numbers below {str(bounds)[1:-1]}, got {str(about)[:60]}")
    return about


def _tokens(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[str, ...]:
    return family.form.layout(puzzle).columns[0].tokens


def _legend(family: AnyFamily, puzzle: AnyPuzzle) -> str:
    """What the signs of an answer mean, in brackets, where the puzzle does not use them."""
    legend = family.form.legend(puzzle)
    return f" ({legend})" if legend else ""


def _entry(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[int, list[list[str]]]:
    """The rows of a whole answer, and how many entries each has."""
    rows = [list(row) for row in family.form.write(puzzle, answer)]
    return len(rows[0]), rows


# ---- cell ----------------------------------------------------------------------------------------------------------------


def _draw_cell(family: AnyFamily, draft: AnyDraft, rng: Rng) -> tuple[tuple[int, ...], tuple[str, ...]]:
    slot = rng.pick(_open(family, draft.puzzle))
    return family.form.entry_of(draft.puzzle, slot), ()


def _cell(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[Column, str]:
    """The column of the entry that is asked for, and how it is called in a sentence."""
    layout = family.form.layout(puzzle)
    row, column = _about(puzzle, layout.max_rows, len(layout.columns))
    if layout.signs:
        return layout.columns[column], f"the plain letter that {layout.signs[column]} stands for"
    if layout.text:
        return layout.columns[column], f"letter {column + 1} of the {layout.text}"
    if layout.grid:
        return layout.columns[column], f"what belongs in row {row + 1}, column {column + 1}"
    own = layout.columns[column]
    first = layout.columns[0].tokens[row]
    return own, f"the {own.name} that belongs to {f'{layout.columns[0].name} {first}' if first.isdigit() else first}"


def _cell_layout(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    column, what = _cell(family, puzzle)
    note = pick(
        puzzle.style.phrasing,
        f"You need not give the whole answer. Give one thing only: {what}{_legend(family, puzzle)}.",
        f"Only one thing is asked for here: {what}{_legend(family, puzzle)}.",
        f"Of the whole answer, give only {what}{_legend(family, puzzle)}.",
        f"Reply with {what}{_legend(family, puzzle)} and leave out the rest of the answer.",
        f"All that you have to give is {what}{_legend(family, puzzle)}.",
        f"This is the question: find {what}{_legend(family, puzzle)}. Nothing else belongs in the answer.",
        f"Solve as much as you like, but give just one thing, namely {what}{_legend(family, puzzle)}.",
    )
    return Layout((Column("value", column.tokens),), 1, 1, False, note)


def _cell_write(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[str, ...]:
    layout = family.form.layout(puzzle)
    row, column = _about(puzzle, layout.max_rows, len(layout.columns))
    return (family.form.write(puzzle, answer)[row][column],)


def _cell_guess(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> float:
    """The value that most open slots of the answer have."""
    values = family.form.values(puzzle.spec, puzzle.board, answer)
    found = Counter([values[slot] for slot in _open(family, puzzle)])
    return max(found.values()) / found.total()


# ---- number --------------------------------------------------------------------------------------------------------------


def _region(family: AnyFamily, puzzle: AnyPuzzle, region: int) -> list[int]:
    """The cells of a region, ascending."""
    rows, cols = _board(family, puzzle)
    far, edges = cols - 1, (0, rows - 1)

    def inside(r: int, c: int) -> bool:
        if region == _DIAGONAL:
            return r == c
        if region == _OTHER_DIAGONAL:
            return r == far - c
        if region == _CORNERS:
            return r in edges and c in (0, far)
        return region == _WHOLE or r in edges or c in (0, far)

    return [r * cols + c for r in range(rows) for c in range(cols) if inside(r, c)]


def _summed(tokens: Sequence[str]) -> bool:
    """Return whether values are numbers to add up, and not two signs."""
    return len(tokens) > 2 and all(token.isascii() and token.isdigit() for token in tokens)


def _draw_number(family: AnyFamily, draft: AnyDraft, rng: Rng) -> tuple[tuple[int, ...], tuple[str, ...]]:
    puzzle = draft.puzzle
    layout = family.form.layout(puzzle)
    if not layout.grid:
        column = 1 + rng.below(len(layout.columns) - 1)
        return (column, rng.below(len(layout.columns[column].tokens))), ()
    tokens, opened = _tokens(family, puzzle), set(_open(family, puzzle))
    # the numbers of a whole grid, or of a signs' halves, are the same in every answer
    regions = [region for region in _REGIONS if region != _WHOLE or family.sought]
    regions = [region for region in regions if len(opened.intersection(_region(family, puzzle, region))) >= _LEAST_OPEN]
    if not regions:
        raise Discarded("nothing_to_ask", "every region shows all cells but one")
    value = 1 if family.sought else 0 if _summed(tokens) else rng.below(len(tokens))
    return (rng.pick(regions), value), ()


def _number(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[list[int], int, bool]:
    """The cells that count, the value that is counted, and whether values are summed instead."""
    tokens = _tokens(family, puzzle)
    region, value = _about(puzzle, len(_REGIONS), len(tokens))
    return _region(family, puzzle, region), value, _summed(tokens) and not family.sought


def _placed(family: AnyFamily, puzzle: AnyPuzzle, layout: Layout) -> str:
    """What is asked for where it is the place of a value in a table: "the number of the room of the clock"."""
    column, value = _about(puzzle, len(layout.columns), 100)
    own = layout.columns[column]
    if not column or value >= len(own.tokens):
        raise BadRow(f"question.about: expected a column and one of its values, got {puzzle.question.about}")
    item = (column - 1) * layout.max_rows + puzzle.style.names[column - 1].index(own.tokens[value])
    return f"the number of the {layout.columns[0].name} of {family.words(puzzle).value(item)}"


def _number_layout(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    layout = family.form.layout(puzzle)
    if not layout.grid:
        what, numbers = _placed(family, puzzle, layout), layout.columns[0].tokens
    else:
        cells, value, summed = _number(family, puzzle)
        tokens, where = _tokens(family, puzzle), _REGIONS[puzzle.question.about[0]]
        if summed:
            what = f"the sum of the numbers {where} of the completed grid"
            most = sum([max(map(int, tokens))] * len(cells))
        else:
            what = f"the number of {family.sought or f'cells that hold {tokens[value]}'} {where}"
            most = len(cells)
        numbers = tuple(map(str, range(most + 1)))
    note = pick(
        puzzle.style.phrasing,
        f"You need not give the whole answer. Give one number only: {what}.",
        f"Only one number is asked for here: {what}.",
        f"Of the whole answer, give only {what}.",
        f"Reply with a single number, which is {what}.",
        f"The answer is one number: {what}.",
        f"Work out {what}, and give this number alone.",
        f"What is asked for is a number and not the whole answer, namely {what}.",
    )
    return Layout((Column("number", numbers),), 1, 1, False, note)


def _number_write(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[str, ...]:
    layout = family.form.layout(puzzle)
    if not layout.grid:
        column, value = puzzle.question.about
        wanted = layout.columns[column].tokens[value]
        return next((row[0],) for row in family.form.write(puzzle, answer) if row[column] == wanted)
    cells, value, summed = _number(family, puzzle)
    cols, rows = _entry(family, puzzle, answer)
    held = [rows[cell // cols][cell % cols] for cell in cells]
    return (str(sum(map(int, held)) if summed else held.count(_tokens(family, puzzle)[value])),)


def _number_guess(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> float:
    """The likeliest number, if each open cell of the region held a value as cells of the answer do, whatever the others hold."""
    layout = family.form.layout(puzzle)
    if not layout.grid:
        return 1 / layout.max_rows
    cells, value, summed = _number(family, puzzle)
    opened = _open(family, puzzle)
    values = family.form.values(puzzle.spec, puzzle.board, answer)
    count = len(set(opened).intersection(cells))
    if not summed:
        share = sum([values[slot] == value for slot in opened]) / len(opened)
        return max(comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(count + 1))
    numbers, chances = [int(token) for token in _tokens(family, puzzle)], {0: 1.0}
    for _ in range(count):
        after: dict[int, float] = {}
        for total, chance in chances.items():
            for number in numbers:
                after[total + number] = after.get(total + number, 0.0) + chance / len(numbers)
        chances = after
    return max(chances.values())


# ---- option --------------------------------------------------------------------------------------------------------------


def _draw_option(family: AnyFamily, draft: AnyDraft, rng: Rng) -> tuple[tuple[int, ...], tuple[str, ...]]:
    puzzle, answer = draft.puzzle, draft.answer
    layout = family.form.layout(puzzle)
    if not layout.grid:
        row, column = family.form.entry_of(puzzle, rng.pick(_open(family, puzzle)))
        right = family.form.write(puzzle, answer)[row][column]
        others = [token for token in layout.columns[column].tokens if token != right]
        if len(others) < len(OPTIONS) - 1:
            raise Discarded("nothing_to_ask", "fewer than four values")
        return (row, column), tuple(rng.shuffled([right, *rng.sample(others, len(OPTIONS) - 1)]))
    cols, _ = _entry(family, puzzle, answer)
    values = list(family.form.values(puzzle.spec, puzzle.board, answer))
    opened = set(_open(family, puzzle))
    tokens = _tokens(family, puzzle)
    shown = [v if s not in opened else BLANK for s, v in enumerate(values)]
    for row in rng.shuffled(range(len(values) // cols)):
        line = slice(row * cols, row * cols + cols)
        own = [cell for cell in range(row * cols, row * cols + cols) if cell in opened]
        if len(own) < _LEAST_OPEN:
            continue
        found = [values[line]]
        for _ in range(_TRIES):
            other = list(shown)
            for cell, value in zip(own, _other_values(family, [values[cell] for cell in own], rng), strict=True):
                other[cell] = value
            partial = family.form.assemble(puzzle.spec, puzzle.board, tuple(other))
            if other[line] not in found and not family.broken_rules(puzzle, partial, partial=True):
                found.append(other[line])  # nothing that is shown is against it
            if len(found) == len(OPTIONS):
                return (row,), tuple([" ".join([tokens[v] for v in each]) for each in rng.shuffled(found)])
    raise Discarded("nothing_to_ask", "no row could be one of four")


def _other_values(family: AnyFamily, values: list[int], rng: Rng) -> list[int]:
    """Other values for a row's open cells: in another order, or, of sets of cells, any."""
    return [rng.below(2) for _ in values] if family.sought else rng.shuffled(values)


def _option_layout(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    if len(puzzle.question.options) != len(OPTIONS):
        raise BadRow(f"question.options: expected {len(OPTIONS)}, got {len(puzzle.question.options)}")
    layout = family.form.layout(puzzle)
    if layout.grid:
        (row,) = _about(puzzle, layout.max_rows)
        what = f"row {row + 1} of the completed grid{_legend(family, puzzle)}"
    else:
        _, what = _cell(family, puzzle)
    listed = "\n".join([f"{letter}: {text}" for letter, text in zip(OPTIONS, puzzle.question.options, strict=True)])
    note = pick(
        puzzle.style.phrasing,
        f"You need not give the whole answer. Which of these is {what}?",
        f"Only one thing is asked for here. One of these {NUMBERS[len(OPTIONS)]} is {what}. Which one?",
        f"Say which of the following is {what}.",
        f"Choose the one that is {what}:",
        f"Pick out {what} from these {NUMBERS[len(OPTIONS)]}; the others are wrong.",
        f"Exactly one of the following is {what}. You need only tell which one.",
        f"Of these {NUMBERS[len(OPTIONS)]} candidates, one is {what}; find it, and leave out the rest of the answer.",
    )
    return Layout((Column("letter", tuple(OPTIONS)),), 1, 1, False, f"{note}\n\n{listed}\n\nGive its letter.")


def _option_write(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[str, ...]:
    rows = family.form.write(puzzle, answer)
    about = puzzle.question.about
    right = " ".join(rows[about[0]]) if len(about) == 1 else rows[about[0]][about[1]]
    if puzzle.question.options.count(right) != 1:
        raise BadRow("question.options: the right one must stand there once")
    return (OPTIONS[puzzle.question.options.index(right)],)


# ---- step ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _at_once(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[tuple[int, int], ...]:
    """The open cells whose value follows at once, with it: any other there breaks a rule, together with the cells shown."""
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    given = set(family.clues.given_slots(puzzle))
    values = family.form.values(puzzle.spec, puzzle.board, answer)
    shown = [value if slot in given else BLANK for slot, value in enumerate(values)]
    found = []
    for slot, size in enumerate(sizes):
        if shown[slot] != BLANK:
            continue
        fits = []
        for value in range(size):
            tried = (*shown[:slot], value, *shown[slot + 1 :])
            if not family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, tried), partial=True):
                fits.append(value)
            if len(fits) == 2:
                break
        if len(fits) == 1:
            found.append((slot, fits[0]))
    return tuple(found)


def _draw_step(family: AnyFamily, draft: AnyDraft, _: Rng) -> tuple[tuple[int, ...], tuple[str, ...]]:
    if not _at_once(family, draft.puzzle, draft.answer):
        raise Discarded("nothing_to_ask", "no value follows at once")
    return (), ()


def _step_layout(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    _about(puzzle)
    rows, cols = _board(family, puzzle)
    legend = _legend(family, puzzle)
    note = pick(
        puzzle.style.phrasing,
        "You need not give the whole answer. Find one open cell whose value follows at once: with every other value there, some "
        f"rule would be broken already by the cells that are shown. Give its row, its column and its value{legend}.",
        "Only one step is asked for. Which open cell can be filled at once, since the cells that are shown rule out every other "
        f"value there? Give its row, its column and its value{legend}. If there are several, any one of them counts.",
        "Make just one step: name an open cell for which the cells that are shown leave a single value, without a rule being "
        f"broken right away. Give its row, its column and that value{legend}.",
        "Only the next step is wanted: a cell, still open, in which just one value breaks no rule together with the cells that "
        f"are shown. Give its row, its column and this value{legend}. Any such cell counts.",
        "Do not solve the whole puzzle. Look for an open cell where the cells shown leave exactly one value, all others breaking "
        f"some rule at once, and give its row, its column and the value{legend}.",
    )
    columns = (
        Column("row", tuple([str(r + 1) for r in range(rows)])),
        Column("column", tuple([str(c + 1) for c in range(cols)])),
        Column("value", _tokens(family, puzzle)),
    )
    return Layout(columns, 1, 1, False, note)


def _steps(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> list[tuple[str, ...]]:
    """Every right reply."""
    _, cols = _board(family, puzzle)
    tokens = _tokens(family, puzzle)
    found = _at_once(family, puzzle, answer)
    return [(str(slot // cols + 1), str(slot % cols + 1), tokens[value]) for slot, value in found]


def _step_write(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[str, ...]:
    found = _steps(family, puzzle, answer)
    if not found:
        raise BadRow("question.ask: no value follows at once")
    return found[0]


def stepped(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> tuple[int, int]:
    """The slot and the value of the step that write() gives."""
    return _at_once(family, puzzle, answer)[0]


def _step_guess(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> float:
    """An open cell with a value."""
    slots = _open(family, puzzle)
    return len(_steps(family, puzzle, answer)) / (len(slots) * len(_tokens(family, puzzle)))


_KINDS = {
    Ask.CELL: _Kind(_draw_cell, _cell_layout, _cell_write, _cell_guess),
    Ask.NUMBER: _Kind(_draw_number, _number_layout, _number_write, _number_guess),
    Ask.OPTION: _Kind(_draw_option, _option_layout, _option_write, lambda *_: 1 / len(OPTIONS)),
    Ask.STEP: _Kind(_draw_step, _step_layout, _step_write, _step_guess),
}


# ---- replies -------------------------------------------------------------------------------------------------------------


def layout_of(family: AnyFamily, puzzle: AnyPuzzle) -> Layout:
    """The rows and columns of replies. Raises BadRow for a request that does not fit the puzzle."""
    ask = puzzle.question.ask
    if ask is Ask.WHOLE:
        return family.form.layout(puzzle)
    if ask not in askable(family, puzzle.question.kind):
        raise BadRow(f"question.ask: {puzzle.family} is not asked for {ask.value!r}")
    if puzzle.question.kind is QuestionKind.CHOICE:
        return choice.layout_of(family, puzzle)
    return _KINDS[ask].layout(family, puzzle)


def write(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Rows:
    """The rows of a right reply, from the whole answer."""
    ask = puzzle.question.ask
    if puzzle.question.kind is QuestionKind.CHOICE:
        return choice.write(family, puzzle, answer)
    return family.form.write(puzzle, answer) if ask is Ask.WHOLE else (_KINDS[ask].write(family, puzzle, answer),)


def right(family: AnyFamily, puzzle: AnyPuzzle, answer: Any, rows: Rows) -> bool:
    """Return whether these rows are a right reply to a request for less than the whole. answer: the whole one."""
    if puzzle.question.ask is Ask.STEP:
        return rows[0] in _steps(family, puzzle, answer)
    return rows == write(family, puzzle, answer)


def conclusion(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> str:
    """A sentence that leads from the whole answer to the reply to a request for less; "" for the whole."""
    if puzzle.question.kind is QuestionKind.CHOICE:
        return choice.conclusion(family, puzzle, answer)
    ask, rows, layout = puzzle.question.ask, write(family, puzzle, answer), family.form.layout(puzzle)
    reply = rows[0][0]
    if ask is Ask.WHOLE:
        return ""
    if ask is Ask.STEP:
        row, column, only = rows[0]
        return f"In row {row}, column {column} every value but {only} breaks a rule at once, given the cells that are shown."
    if ask is Ask.NUMBER and layout.grid:
        cells, value, summed = _number(family, puzzle)
        cols, whole = _entry(family, puzzle, answer)
        held, where = [whole[cell // cols][cell % cols] for cell in cells], _REGIONS[puzzle.question.about[0]]
        if summed:
            return f"The numbers {where} make {' + '.join(held)} = {reply}."
        what = family.sought or f"cells that hold {_tokens(family, puzzle)[value]}"
        return f"The cells {where}, row by row, are {' '.join(held)}, so the number of {what} there is {reply}."
    if ask is Ask.OPTION:
        right = puzzle.question.options[OPTIONS.index(reply)]
        if layout.grid:
            return f"Row {puzzle.question.about[0] + 1} is {right}, and that is {reply}."
        return f"{capital(_cell(family, puzzle)[1])} is {right}, and that is {reply}."
    what = _placed(family, puzzle, layout) if ask is Ask.NUMBER else _cell(family, puzzle)[1]
    return f"{capital(what)} is {reply}."


def guess(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> float:
    """The chance that the best reply given without solving is right, of a request for less than the whole."""
    if puzzle.question.kind is QuestionKind.CHOICE:
        return round(choice.guess(family, puzzle), 6)
    return round(min(1.0, _KINDS[puzzle.question.ask].guess(family, puzzle, answer)), 6)
