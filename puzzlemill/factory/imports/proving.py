"""What is proved of one puzzle of a file, and what the solution that came with it is worth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from puzzlemill.core.codec import MAX_TEXT, dumps
from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Ask, Draft, Layout, QuestionKind, Status
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.imports.forms import NONSENSE, Item
from puzzlemill.factory.recipe import VOICES
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.questions.base import Certificate
from puzzlemill.scoring.score import score
from puzzlemill.solvers.certify import certify_imported
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.vocabulary.wordings import voices_of

RIGHT, WRONG, MISSING, UNREAD = "right", "wrong", "missing", "unread"  # what a given solution is
UNDECIDED, UNREADABLE = "undecided", "unreadable"


@dataclass(frozen=True, slots=True)
class Proved:
    """One item and the facts about it.

    status: a Status, or UNDECIDED or UNREADABLE, and then `problem` says why. gold: RIGHT, WRONG, MISSING or UNREAD, with why.
    key: canonical; same: equal for puzzles that are the same cell by cell. unworded: why there can be no prompt, "" if there is.
    """

    file: int
    line: int
    name: str
    family: str
    status: str
    problem: str = ""
    gold: str = MISSING
    why: str = ""
    key: str = ""
    same: str = ""
    unworded: str = ""
    puzzle: AnyPuzzle | None = None
    certificate: Certificate | None = None


def prove(file: int, item: Item, doubts: bool, budget: Budget) -> Proved:
    """Prove what holds of an item. doubts: its prompt says that there may be no answer. Raises EnginesDisagree."""
    found = Proved(file, item.line, item.name, item.family, UNREADABLE, item.problem, UNREAD if item.given else MISSING)
    if item.puzzle is None:
        return found
    family = family_named(item.puzzle.family)
    found = replace(found, family=family.name)
    try:
        own = _plain(family, item.puzzle, doubts)
        puzzle = _worded(family, own)
        found = replace(found, key=canonical_key(family, puzzle), same=dumps((puzzle.spec, puzzle.board, puzzle.clues)))
        answer = _given_answer(family, own, item.given)
        certificate = certify_imported(family, puzzle, budget, answer)
        if family.lexical and certificate.answer is not None:
            # the words by which replies are judged become part of the board
            draft = Draft(puzzle, certificate.answer, certificate.answer)
            puzzle = family.clues.finish(draft, _NO_RNG, Engines(family, budget)).puzzle
            certificate = certify_imported(family, puzzle, budget, answer)
    except Discarded as why:
        reason = why.detail or why.reason
        status = Status.ANY.value if why.reason == "ambiguous" else UNDECIDED
        return replace(
            found, status=status, problem=f"not decided within the budget ({reason})" if status == UNDECIDED else reason
        )
    except BadInput as error:
        return replace(found, problem=str(error))
    except NONSENSE as error:
        return replace(found, problem=f"its family cannot read it ({type(error).__name__}: {error})")
    gold, words = judged(family, puzzle if family.lexical else own, certificate, item.given)  # in the names that it has
    found = replace(found, gold=gold, why=words, unworded=_unworded(family, puzzle))
    return replace(found, status=certificate.status.value, puzzle=puzzle, certificate=certificate)


_NO_RNG: Any = None  # finish() of families with a lexicon draws nothing


def _plain(family: AnyFamily, puzzle: AnyPuzzle, doubts: bool) -> AnyPuzzle:
    """The puzzle as rows have it: asked for as a whole, in the plain voice. Raises BadInput for what no row can hold."""
    if asked(puzzle).dialogue:
        raise BadInput("a dialogue hides what its answer follows from; tell outcomes, and leave out `play`")
    if puzzle.question.ask is not Ask.WHOLE or puzzle.question.kind is QuestionKind.CHOICE:
        raise BadInput(f"it asks for a part of the answer only ({puzzle.question.ask.value}); import the whole puzzle")
    try:
        family.validate(puzzle.spec)
    except BadInput as error:
        raise BadInput(f"no row can have such a puzzle: {str(error).partition('; set family')[0]}") from None
    plain = voices_of(puzzle.style.phrasing) == VOICES[0]
    style = replace(puzzle.style, phrasing=puzzle.style.phrasing if plain else 0, asides=())
    question = replace(puzzle.question, may_be_unsolvable=doubts)
    return replace(puzzle, style=style, question=question)


def _worded(family: AnyFamily, puzzle: AnyPuzzle) -> AnyPuzzle:
    """The puzzle with names that prompts have words for, always the same for the same puzzle; its own where none fit."""
    try:
        return family.text.worded(puzzle, stream("imported", dumps((puzzle.spec, puzzle.board, puzzle.clues))))
    except Discarded:
        return puzzle


def _unworded(family: AnyFamily, puzzle: AnyPuzzle) -> str:
    """Say why a puzzle cannot be put into words, "" if it can: no theme may fit it."""
    try:
        family.render(puzzle)
    except BadInput as error:
        return str(error)
    return ""


# ---- given solutions ----------------------------------------------------------------------------------------------------


def judged(family: AnyFamily, puzzle: AnyPuzzle, proved: Certificate, given: str | None) -> tuple[str, str]:
    """The worth of a given solution, and why it is wrong or unread, by the scorer that judges replies."""
    if given is None:
        return MISSING, ""
    if proved.status is Status.UNSOLVABLE:
        return WRONG, "the puzzle has no solution"
    reply = _reply(family, puzzle, given)
    if reply is None:
        return UNREAD, "its rows do not fit the puzzle"
    row = {
        "id": "given",
        "family": family.name,
        "family_version": family.version,
        "status": proved.status.value,
        "puzzle": dumps(puzzle),
        "answer": dumps(proved.answer),
        "optimum": proved.optimum,
        "reply_format": "json",
    }
    verdict = score(reply, row)
    if verdict.solved:
        return RIGHT, ""
    if verdict.why in ("unreadable", "unchecked"):
        return UNREAD, verdict.detail
    return WRONG, f"breaks {', '.join(verdict.broken[:5])}" if verdict.broken else verdict.detail or verdict.why


def _given_answer(family: AnyFamily, puzzle: AnyPuzzle, given: str | None) -> Any | None:
    """The given solution as the family's answer where it keeps all rules; else None."""
    from puzzlemill.scoring.parse import parse

    reply = None if given is None or not asked(puzzle).counted else _reply(family, puzzle, given)
    if reply is None:
        return None
    reading = parse(reply, family.form.layout(puzzle), "json", False)
    if reading.rows is None or reading.blanks:
        return None
    answer = family.form.read(puzzle, reading.rows)
    return None if answer is None or family.broken_rules(puzzle, answer) else answer


def _reply(family: AnyFamily, puzzle: AnyPuzzle, given: str) -> str | None:
    """A given solution as a JSON reply; None if its rows have another form."""
    layout = family.form.layout(puzzle)
    text = given.strip().replace("\\n", "\n")
    if text[:1] in ("[", "{"):
        try:
            value = json.loads(text) if len(text) <= MAX_TEXT else None
        except (ValueError, RecursionError):
            value = None
        if type(value) is dict:
            return json.dumps(value) if "answer" in value else None
        if type(value) is list:
            rows = [row if type(row) is list else list(row) if type(row) is str and layout.grid else row for row in value]
            flat = layout.grid and rows and all(type(cell) is not list for cell in rows) and len(rows) > len(layout.columns)
            return json.dumps({"answer": _cut([str(cell) for cell in rows], layout) if flat else rows})
    if layout.text:
        return json.dumps({"answer": text})
    lines = [line for line in text.split("\n") if line.strip()]
    if layout.grid:
        cells = [cell for line in lines for cell in (line.split() if " " in line.strip() else line.strip())]
        return json.dumps({"answer": _cut(cells, layout)}) if len(cells) % len(layout.columns) == 0 else None
    return json.dumps({"answer": [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]})


def _cut(cells: list[str], layout: Layout) -> list[list[str]]:
    """Cells as rows; letters stand for 10 and more where a column has numbers alone."""
    wide, known = len(layout.columns), {token.casefold() for column in layout.columns for token in column.tokens}
    read = [
        str(ord(cell.upper()) - ord("A") + 10)
        if len(cell) == 1 and cell.isascii() and cell.isalpha() and cell.casefold() not in known
        else cell
        for cell in cells
    ]
    return [read[at : at + wide] for at in range(0, len(read), wide)]
