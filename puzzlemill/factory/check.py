"""Puzzles from elsewhere: read them, and prove how many answers they have.

Read are this library's own JSON (a puzzle, a row of a data set, lists and lines of these) and every family's text form;
docs/formats.md describes them. What is stated of a puzzle has two formulations that agree (solvers/certify.py), and every answer
passes the plain checker. A puzzle that the budgets do not decide is reported as undecided, one that cannot be read with its line,
and the others are still checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from puzzlemill.core.codec import MAX_TEXT, build, dumps
from puzzlemill.core.errors import BadInput, BadParams, BadRow, Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import BLANK, Constraints, Finding
from puzzlemill.core.text import Line, line_of, lines_of, printable
from puzzlemill.core.types import AnyPuzzle, Rows, Status
from puzzlemill.generators import families, family_named
from puzzlemill.questions import asked
from puzzlemill.solvers.certify import NEEDED, Certificate, certify
from puzzlemill.solvers.deduce import grade, hardest
from puzzlemill.solvers.engines import FORMULATION, Budget, Engines, finding

BARE = "sudoku"  # what lines are that stand below no heading, where nothing else is said
LIMIT, MOST = 1_000, 100_000  # answers that are counted
SHOWN = 2  # answers that are shown
MAX_FILE = 64_000_000  # bytes
_QUICK = Budget(nodes=20_000, conflicts=5_000)  # for a clue that may be left out
_MOST_CLUES = 400  # of which it is asked whether they can be left out
# What a family's code may raise on a puzzle that only looks like one.
_NONSENSE = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)

UNIQUE, OPTIMAL, SEVERAL, NONE, UNDECIDED, UNREADABLE = "unique", "optimal", "several", "none", "undecided", "unreadable"


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a file, or why there is none. line: where it begins. name: as the file calls it, "" if it does not."""

    line: int
    name: str
    family: str
    puzzle: AnyPuzzle | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """The facts proved of an entry.

    status: UNIQUE, OPTIMAL, SEVERAL, NONE, UNDECIDED or UNREADABLE. count: its answers; of SEVERAL, if at_least, there may be
    more. length: of a shortest answer, for OPTIMAL. answers: the first two as rows below `columns`.
    clash, words: for NONE, labels of clues and rules that together have no answer, though all but any one of them have one; and
    what they say. outright: the clues among them that break a rule as they stand. depth: "shallow" or "deep".
    difficulty, technique, tier: for UNIQUE and OPTIMAL. redundant: ids of clues that can each be left out; None if not known.
    """

    line: int
    name: str
    family: str
    status: str
    count: int | None = None
    at_least: bool = False
    length: int | None = None
    formulations: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    grid: bool = False
    answers: tuple[tuple[tuple[str, ...], ...], ...] = ()
    clash: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    outright: tuple[str, ...] = ()
    depth: str | None = None
    difficulty: str | None = None
    technique: str | None = None
    tier: int | None = None
    clues: int = 0
    redundant: tuple[str, ...] | None = None
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def check(text: str, family: str | None = None, limit: int = LIMIT, budget: Budget | None = None) -> Iterator[Checked]:
    """Prove every puzzle of a text, in its order.

    family: of lines without a heading. limit: answers that are counted, 2 or more. budget: of one question.
    Raises BadParams for an unknown family or limit, EnginesDisagree.
    """
    if not SHOWN <= limit <= MOST:
        raise BadParams(f"--limit: expected {SHOWN} to {MOST} answers, got {limit}")
    if family is not None:
        family_named(family)
    for entry in entries(text, family):
        yield prove(entry, limit, budget or Budget())


# ---- reading ----------------------------------------------------------------------------------------------------------


def entries(text: str, family: str | None = None) -> Iterator[Entry]:
    """The puzzles of a text. Nothing that it holds raises."""
    text = text.removeprefix("\ufeff")
    yield from _from_json(text) if text.lstrip()[:1] in ("{", "[", '"') else _from_lines(text, family)


def _from_json(text: str) -> Iterator[Entry]:
    whole, problem = None, ""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        problem = f"not JSON ({type(error).__name__}: {error})"
    if not problem:
        many = whole if type(whole) is list else [whole]
        for number, raw in enumerate(many, 1):
            yield entry_of(1, raw, f"puzzle {number}: " if len(many) > 1 else "")
        return
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) == 1:
        yield Entry(lines[0][0], "", "", None, problem)
        return
    for number, line in lines:
        try:
            yield entry_of(number, json.loads(line) if len(line) <= MAX_TEXT else {}, "")
        except (ValueError, RecursionError) as error:
            yield Entry(number, "", "", None, f"not JSON ({type(error).__name__}: {error})")


def entry_of(line: int, raw: Any, where: str) -> Entry:
    """raw: a puzzle or a row of a data set, or a text that holds one of them as JSON."""
    name = family = ""
    try:
        if type(raw) is str:
            raw = _parsed(raw)
        if type(raw) is dict and "puzzle" in raw:
            name = printable(str(raw.get("id", ""))[:80])
            raw = _parsed(raw["puzzle"]) if type(raw["puzzle"]) is str else raw["puzzle"]
        if type(raw) is not dict or type(raw.get("family")) is not str:
            raise BadRow("expected a puzzle (an object with family, spec, board, clues ...) or a row that has one")
        family = printable(raw["family"][:40])
        return Entry(line, name, family, _own(raw))
    except BadInput as error:
        problem = str(error)
    except _NONSENSE as error:
        problem = f"its family cannot read it ({type(error).__name__}: {error})"
    return Entry(line, name, family, None, where + problem)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if len(text) <= MAX_TEXT else None
    except (ValueError, RecursionError) as error:
        raise BadRow(f"puzzle: not JSON ({type(error).__name__}: {error})") from None


def _own(raw: Mapping[str, Any]) -> AnyPuzzle:
    """A puzzle of ours. What cannot be written down in its text form and read back as the same puzzle is none."""
    family = family_named(raw["family"])
    puzzle: AnyPuzzle = build(puzzle_type(family), raw, "puzzle")
    if puzzle.version != family.version:
        raise BadRow(f"puzzle.version: {puzzle.version}, this version of Puzzlemill has {family.version}")
    if puzzle.question.kind not in family.questions:
        raise BadRow(f"puzzle.question: {family.name} is not asked for {puzzle.question.kind.value!r}")
    family.validate(puzzle.spec)
    ids = [clue.id for clue in puzzle.clues]
    if len(set(ids)) < len(ids) or not all(0 < len(name) <= 40 and name.isprintable() and name[0] != "#" for name in ids):
        raise BadRow("puzzle.clues: ids must be different, printable words that do not begin with #")
    again = family.text.parse(lines_of(family.text.format(puzzle)))
    if family.lexical and not again.board.words:  # the words of its answer, which are proved again
        puzzle = replace(puzzle, board=replace(puzzle.board, words=()))
    if again.board != puzzle.board or again.spec.rules != puzzle.spec.rules or _said(again) != _said(puzzle):
        raise BadRow("puzzle: its board, rules and clues do not fit its parameters")
    sizes = [(family.form.slots(each.spec, each.board), family.search_space_log10(each)) for each in (puzzle, again)]
    if sizes[0] != sizes[1]:
        raise BadRow("puzzle: its board does not fit its parameters")
    return puzzle


def _said(puzzle: AnyPuzzle) -> list[str]:
    return sorted([dumps((clue.kind, *clue.to_json()[2:])) for clue in puzzle.clues])


@dataclass(slots=True)
class _Section:
    """A heading and what stands below it. bare: the heading is not in the file."""

    lines: list[Line]
    bare: bool
    problem: str = ""
    at: int = field(default=0)


def _from_lines(text: str, family: str | None) -> Iterator[Entry]:
    for section in _sections(text, family):
        name = section.lines[0].words[0].text.casefold()
        known = family_named(name)
        if section.problem:
            yield Entry(section.at, "", name, None, section.problem)
            continue
        for part in known.text.split(section.lines):
            line = part[-1] if len(part) == 2 else part[0]
            note = next((each.note for each in (line, part[0]) if each.note), "")[:80]
            try:
                yield Entry(line.number, note, name, known.text.parse(part))
            except BadInput as error:
                hint = f" (read as {name}, since no line above names a family)" if section.bare and family is None else ""
                yield Entry(line.number, note, name, None, f"{error}{hint}")


def _sections(text: str, family: str | None) -> Iterator[_Section]:
    """Headings with the lines below them; lines without a heading get one, and end at a blank line."""
    here: _Section | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        try:
            line = line_of(number, raw)
        except BadRow as error:
            if here is None:
                here = _Section([Line(number, family or BARE)], True)
            if not here.problem:
                here.problem, here.at = str(error), number
            continue
        words = line.words
        if words and words[0].text.casefold() in families():
            if here is not None:
                yield here
            here = _Section([line], False)
        elif words:
            if here is None:
                here = _Section([Line(number, family or BARE)], True)
            here.lines.append(line)
        elif not line.note and here is not None and here.bare:
            yield here
            here = None
    if here is not None:
        yield here


# ---- proving ----------------------------------------------------------------------------------------------------------


def prove(entry: Entry, limit: int, budget: Budget) -> Checked:
    """The facts that hold of one puzzle."""
    found = Checked(entry.line, entry.name, entry.family, UNREADABLE, problem=printable(" ".join(entry.problem.split())))
    puzzle = entry.puzzle
    if puzzle is None:
        return found
    if asked(puzzle).dialogue:
        return replace(found, problem="a dialogue hides what its answer follows from; tell outcomes, and leave out `play`")
    family = family_named(puzzle.family)
    layout = family.form.layout(puzzle)
    columns = (layout.text,) if layout.text else tuple([column.name for column in layout.columns])
    found = replace(found, columns=columns, grid=layout.grid and not layout.text, clues=len(puzzle.clues))
    try:
        certificate = _certified(family, puzzle, budget)
    except Discarded as why:
        undecided = replace(found, status=UNDECIDED, problem=f"not decided within the budget ({why.detail or why.reason})")
        return _several(family, puzzle, limit, budget, undecided) if asked(puzzle).counted else undecided
    found = replace(found, formulations=certificate.formulations)
    if certificate.status is Status.UNSOLVABLE:
        outright = _outright(family, puzzle)
        clash = outright or certificate.unsat_core
        words = tuple([family.describe(puzzle, label) for label in clash])
        assert certificate.depth is not None
        shown = tuple([label for label in outright if label in {clue.id for clue in puzzle.clues}])
        return replace(found, status=NONE, count=0, clash=clash, words=words, outright=shown, depth=certificate.depth.value)
    answers = (_shown_rows(family, puzzle, certificate.answer),)
    graded = grade(family, puzzle, certificate.answer)
    difficulty = asked(puzzle).difficulty(family, puzzle, certificate.answer, graded, None)
    found = replace(found, answers=answers, difficulty=difficulty["band"], tier=difficulty["tier"])
    if certificate.status is Status.OPTIMAL:
        return replace(found, status=OPTIMAL, length=certificate.optimum)
    technique = None if graded is None else hardest(family, puzzle, graded)
    return replace(found, status=UNIQUE, count=1, technique=technique, redundant=_redundant(family, puzzle))


def _certified(family: AnyFamily, puzzle: AnyPuzzle, budget: Budget) -> Certificate:
    """Certify a puzzle. Raises Discarded for several answers and for spent budgets."""
    answer = asked(puzzle).candidate(Engines(family, budget), puzzle)
    return certify(family, puzzle, answer, budget, idle=True)


def _several(family: AnyFamily, puzzle: AnyPuzzle, limit: int, budget: Budget, undecided: Checked) -> Checked:
    """Two answers or more, counted by two formulations as far as the budget goes; what is undecided if fewer are found."""
    found: dict[str, Finding] = {}
    decided: dict[str, Finding] = {}
    for engine in ("kernel", "space", "sat", "checker"):
        asked = finding(family, puzzle, engine, limit, budget) if len(decided) < NEEDED else None
        if isinstance(asked, Finding):
            found[FORMULATION[engine]] = asked
            if asked.decided(limit):
                decided[FORMULATION[engine]] = asked
    claims = {values: name for name, each in found.items() for values in each.answers}  # most are found by both: checked once
    for values, name in claims.items():
        broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
        if broken:
            raise EnginesDisagree({name: f"the answer {values}", "checker": f"broken: {', '.join(broken)}"}, dumps(puzzle))
    most = max(found.values(), key=lambda each: len(each.answers)).answers
    if len(most) < SHOWN:
        return undecided
    counts = {name: len(each.answers) for name, each in decided.items()}
    exact = len(decided) >= NEEDED and any(each.exhausted for each in decided.values())
    whole = [frozenset(each.answers) for each in decided.values() if each.exhausted]
    if len(set(counts.values())) > 1 or any(answers != whole[0] for answers in whole):
        raise EnginesDisagree({name: f"{count} answers" for name, count in counts.items()}, dumps(puzzle))
    shown = [
        _shown_rows(family, puzzle, family.form.assemble(puzzle.spec, puzzle.board, values)) for values in sorted(most)[:SHOWN]
    ]
    proved = tuple(decided) if len(decided) >= NEEDED else tuple(found)
    return replace(
        undecided,
        status=SEVERAL,
        count=len(most),
        at_least=not exact,
        formulations=proved,
        answers=tuple(shown),
        problem="",
    )


def _shown_rows(family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> Rows:
    """The answer's rows; one row of one value where it is a text."""
    rows = family.form.write(puzzle, answer)
    return (("".join(rows[0]),),) if family.form.layout(puzzle).text else rows


def _shown(family: AnyFamily, puzzle: AnyPuzzle) -> list[tuple[int, int, str]]:
    """Slots and values that clues name outright, with the clues' ids: what they state is one literal of the model's key."""
    model = family.model(puzzle.spec, puzzle.board)
    if not isinstance(model, Constraints):
        return []
    slots = {lits[v]: (slot, v) for slot, lits in enumerate(model.key) for v in range(len(lits))}
    found = []
    for clue in puzzle.clues:
        before = len(model.clauses)
        family.clues.state(model, puzzle.spec, puzzle.board, clue)
        added = model.clauses[before:]
        if len(added) == 1 and len(added[0][0]) == 1 and added[0][0][0] in slots:
            found.append((*slots[added[0][0][0]], clue.id))
    return found


def _outright(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[str, ...]:
    """Find as few clues as possible that name values which break a rule as they stand, and the rules; () if none do."""
    shown = _shown(family, puzzle)
    sizes = family.form.slots(puzzle.spec, puzzle.board)

    def broken(some: Sequence[tuple[int, int, str]]) -> list[str]:
        values = [BLANK] * len(sizes)
        for slot, v, name in some:
            if values[slot] not in (BLANK, v):
                return [name]
            values[slot] = v
        partial = family.form.assemble(puzzle.spec, puzzle.board, tuple(values))
        named = [clue for clue in puzzle.clues if clue.id in {name for _, _, name in some}]
        return family.broken_rules(puzzle.with_clues(named), partial, partial=True)

    if not shown or not broken(shown):
        return ()
    for one in list(shown):
        fewer = [other for other in shown if other != one]
        if broken(fewer):
            shown = fewer
    ids = [name for _, _, name in shown]
    return (*[label for label in broken(shown) if label not in ids], *ids)


def _redundant(family: AnyFamily, puzzle: AnyPuzzle) -> tuple[str, ...] | None:
    """The clues without each of which the puzzle still has one right reply, the same; None where that takes too long to say."""
    if len(puzzle.clues) > _MOST_CLUES:
        return None
    engines = Engines(family, _QUICK)
    try:
        without = [(clue.id, puzzle.with_clues([other for other in puzzle.clues if other != clue])) for clue in puzzle.clues]
        return tuple([name for name, fewer in without if asked(puzzle).still_right(engines, puzzle, fewer)])
    except Discarded:
        return None
